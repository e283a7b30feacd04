"""IPs on a board, through its pins: what a program does there that knows the packets."""

from collections.abc import Sequence

import pytest

from totient.catalog import select, select_ip
from totient.check import check, check_ip
from totient.check.packets import exponentiate_request, load_key_request
from totient.check.subject import On, Subject
from totient.common.contract import Command, ErrorCode, Response
from totient.common.errors import InputError, ToolError
from totient.device.packet_bus import PacketBus
from totient.device.rsa_keygen import Mode, RsaKeygen
from totient.flow.boards import find_board

ULX3S = find_board("ulx3s")


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("B1", {}),
        ("D6", {}),
        ("D6", {"width": 33, "bits_per_cycle": 2}),
        ("E2", {}),
        ("E3", {"prime_bits": 33}),
    ],
)
def test_ips_through_the_pins(name: str, parameters: dict[str, int]) -> None:
    """Keys, messages, refusals and the cycles that the IP itself counts."""
    outcome = check_ip(select_ip(name, **parameters), 1, 1, On(board=ULX3S))
    assert outcome.faults == []
    assert outcome.exponentiations >= 1


def test_a_core_behind_registers_through_the_pins() -> None:
    chosen = select("digit_serial", width=33, slots=2, lanes=2)
    outcome = check(chosen, 3, 1, on=On(board=find_board("orangecrab"), registers=True))
    assert outcome.faults == []
    assert outcome.exponentiations >= 4


def test_a_key_of_an_ip_on_a_board() -> None:
    """The same driver as on any bus; accesses that the IP lacks are reported."""
    with Subject(select_ip("B1"), On(board=ULX3S)).open() as model:
        done = RsaKeygen(model).run(Mode.ENCRYPT, p=65537, q=65539, i_msg=12345)
        assert done.result == pow(12345, done.e, 65537 * 65539)
        assert model.read(0x40) is None
        # The IP itself refuses a write of what can only be read, and says so.
        register = select_ip("B1").ip.registers["IDENTIFICATION"]
        assert register.access == "r"
        assert not model.write(register.offset, 1)
        with pytest.raises(ToolError, match="has no stream"):
            model.exchange([1, 2])


def test_an_answer_that_is_late() -> None:
    """An answer is waited for as long as the caller says, as everywhere, beside the line's time."""
    silence = pytest.raises(ToolError, match="no answer on the simulated line within 1000 cycles")
    modulus = (1 << 128) - 159
    with Subject(select("T2", width=128), On(board=ULX3S)).open() as model:
        loaded = model.exchange(load_key_request(modulus, modulus - 2, 128), limit=1_000)
        assert Response.ERROR.of(loaded[0]) == ErrorCode.OK
        with silence:
            model.exchange(exponentiate_request([3], 128), limit=1_000)


def test_a_slow_line_is_no_late_answer() -> None:
    """At 115,200 baud a byte takes 2,170 cycles of this board's clock, and the core hardly any."""
    with Subject(select("T2", width=32), On(board=find_board("colorlight_i5"))).open() as model:
        before = model.cycles
        answer = model.exchange([Command.INFO], limit=1_000)
        assert answer[0] & 0xFF == Command.INFO
        assert model.cycles - before > 50_000


def test_the_words_of_accesses() -> None:
    """As docs/contracts.md draws them: write in bit 31, stream in bit 30, lanes from bit 16 on."""
    sent: list[Sequence[int]] = []

    def answers(packet: Sequence[int]) -> Sequence[int]:
        sent.append(packet)
        return [0x100, 5]

    bus = PacketBus(answers)
    assert bus.read(0xFFFC) == 5
    assert bus.interrupt
    assert bus.write(0x24, 7)
    assert bus.write(0x24, 7, 0b0101)
    assert bus.exchange([1, 2]) == [5]
    assert sent == [[0xFFFC], [0x800F0024, 7], [0x80050024, 7], [0x40000000, 1, 2]]


def test_what_a_packet_bus_refuses() -> None:
    def answers(packet: Sequence[int]) -> Sequence[int]:
        return [] if packet[0] == 0 else [0]

    bus = PacketBus(answers)
    with pytest.raises(InputError, match="offset is 65536, allowed is 0 to 65535"):
        bus.read(65536)
    with pytest.raises(InputError, match="the packet is empty"):
        bus.exchange([])
    with pytest.raises(ToolError, match="is empty"):
        bus.read(0)
    with pytest.raises(ToolError, match="has no word"):
        bus.read(4)


def test_the_board_of_an_ip() -> None:
    top = Subject(select_ip("E2", width=4096), On(board=ULX3S)).top
    assert top.module == "ip_board"
    # A message and its header fit into a request, four times over.
    assert top.parameters["FrameWords"] == 1 + 4 * 128
