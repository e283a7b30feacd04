"""The board's top: answers over its pins, a button that resets, LEDs that show its state."""

from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, with_timeout
from tests.rtl.serial_frames import END, frame, opened, packet_of, payload_of

INFO, LOAD, EXPONENTIATE = 1, 2, 3
BIT = 8  # cycles


class Board:
    """Who has the board before him."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        Clock(dut.clk, 10, "ns").start()
        dut.uart_rx.value = 1
        dut.button.value = 0

    async def send(self, packet: list[int]) -> None:
        """Send a request over the pins."""
        for byte in frame(payload_of(packet)):
            for bit in (0, *(byte >> place & 1 for place in range(8)), 1):
                self.dut.uart_rx.value = bit
                await ClockCycles(self.dut.clk, BIT)

    async def receive(self) -> list[int]:
        """Words of the response that comes."""
        data = b""
        while data.count(END) < 2:
            await with_timeout(FallingEdge(self.dut.uart_tx), 100, "us")
            await ClockCycles(self.dut.clk, BIT + BIT // 2)
            byte = 0
            for place in range(8):
                byte |= int(self.dut.uart_tx.value) << place
                await ClockCycles(self.dut.clk, BIT)
            data += bytes([byte])
        return packet_of(opened(data.strip(b"\xc0")))

    async def ask(self, packet: list[int]) -> list[int]:
        """Send a request and wait for its response."""
        await self.send(packet)
        return await self.receive()


LOOPS = {
    "ecp5": {"Family": 0, "PeriodPs": 40000, "FeedbackDivider": 2, "OutputDivider": 12},
    "7series": {"Family": 1, "PeriodPs": 10000, "FeedbackDivider": 8, "OutputDivider": 20},
}


@pytest.mark.parametrize("family", LOOPS)
def test_rsa_board(family: str, run_cocotb: Any) -> None:
    parameters = {"Design": "binary", "Width": 16, "BitCycles": BIT, **LOOPS[family]}
    run_cocotb("totient:ip:rsa_board", parameters)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def answers_and_the_button(dut: Any) -> None:
    board = Board(dut)
    dut.button.value = 1  # the model of the loop is locked from the start
    await ClockCycles(dut.clk, 10)
    dut.button.value = 0
    await ClockCycles(dut.clk, 200)
    assert int(dut.led.value) & 0b010 == 0
    assert (await board.ask([INFO]))[0] == INFO | 8 << 16
    assert int(dut.led.value) & 0b100  # traffic
    assert (await board.ask([LOAD, 12, 5, 3859, 17]))[0] == LOAD | 2 << 16
    assert (await board.ask([EXPONENTIATE, 12, 1141]))[3:] == [pow(1141, 17, 3859)]
    await board.send([INFO])
    assert int(dut.led.value) & 0b010  # owes an answer
    await board.receive()
    await ClockCycles(dut.clk, 2 * BIT)
    assert int(dut.led.value) & 0b010 == 0
    dut.button.value = 1
    await ClockCycles(dut.clk, 10)
    dut.button.value = 0
    await ClockCycles(dut.clk, 300)
    assert await board.ask([EXPONENTIATE, 12, 1141]) == [EXPONENTIATE | 9 << 8]  # no key
