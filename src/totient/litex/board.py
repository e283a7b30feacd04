"""The system on a soft CPU as a board's top: row B3 with a clock, a button and a serial port."""

from totient.catalog import SERIAL_BAUD, sources
from totient.flow import Rtl
from totient.flow.boards import Board
from totient.flow.clocks import Dividers
from totient.litex.rtl import system_rtl

_TOP = "system_board"
_CLOCKS = ("clock_ecp5", "clock_7series")

# As rtl/bus/board_port.sv, but that the serial port is on the system's clock, as LiteX has it. The
# first LED is on when the system is out of reset.
_WRAPPER = """
module {top} (
  input clk, input button, input uart_rx, output uart_tx, output [{leds}-1:0] led
);
  wire clk_core, locked, reset_n;
  {clock} #(
    .PeriodPs({period}), .InputDivider({input}),
    .FeedbackDivider({feedback}), .OutputDivider({output})
  ) u_clock (.clk_i(clk), .clk_o(clk_core), .locked_o(locked));
  reset_synchroniser u_reset (
    .clk_i(clk_core), .request_i(!locked || button == 1'b{pressed}), .rst_no(reset_n)
  );
  soc u_soc (.clock(clk_core), .reset(!reset_n), .serial_rx(uart_rx), .serial_tx(uart_tx));
  assign led = {{{leds}{{1'b{off}}}}} ^ reset_n;
endmodule
"""


def system_on_board(board: Board, dividers: Dividers) -> Rtl:
    """The board's top with the system.

    Args:
        board: which one.
        dividers: of the phase-locked loop: of the clock that the serial port counts.

    Raises:
        ToolError: a tool is missing or failed.
    """
    clock_hz = round(1e6 * board.loop.made_mhz(board.clock_mhz, dividers))
    system = system_rtl(SERIAL_BAUD, clock_hz)
    clock = _CLOCKS[board.is_7series]
    ours = sources(f"totient:prim:{clock}"), sources("totient:common:reset_synchroniser")
    files = dict.fromkeys(file for each in (system.sources, *ours) for file in each.files)
    headers = dict.fromkeys(file for each in (system.sources, *ours) for file in each.headers)
    wrapper = _WRAPPER.format(
        top=_TOP,
        leds=board.leds,
        clock=clock,
        period=round(1e6 / board.clock_mhz),
        input=dividers.input,
        feedback=dividers.feedback,
        output=dividers.output,
        pressed=board.button_active,
        off=1 - board.led_active,
    )
    return Rtl(
        type(system.sources)(tuple(files), tuple(headers)),
        _TOP,
        {},
        {**system.generated, f"{_TOP}.v": wrapper},
    )
