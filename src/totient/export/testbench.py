"""The exported test bench: it executes the steps of `steps.hex` on the IP's faces."""

from totient.catalog import Face, Top
from totient.export.ports import Module

_HEAD = """\
// SPDX-License-Identifier: Apache-2.0
// Executes the steps of steps.hex in order, and compares the results.
//
// A step: 4 bits of operation (below), 32 of address, 32 of mask, 32 of data; after the last, 0.
`default_nettype none
`timescale 1ns / 1ps

module testbench;
  localparam int unsigned MostSteps = 65536;
  localparam int unsigned MostCycles = 100_000_000;  // of a wait
  logic clk = 0;
  logic reset_n = 0;
  always #5 clk = !clk;

  logic [99:0] steps[MostSteps];
  logic [3:0]  op;
  logic [31:0] address, mask, data, got;
  int unsigned cycles;
  int          failures = 0;

  // Inputs change after the edge, outputs are looked at before it.
  task automatic tick();
    @(posedge clk);
    #1;
    cycles++;
    if (cycles > MostCycles) begin
      $display("FAIL: no answer in %0d cycles", MostCycles);
      $fatal(1);
    end
  endtask

  task automatic compare(string what, int unsigned at, logic [31:0] found);
    if ((found & mask) !== (data & mask)) begin
      $display("FAIL: step %0d, %s: %08x, expected %08x", at, what, found & mask, data & mask);
      failures++;
    end
  endtask

"""
_STREAM = """\
  task automatic send();
    s_axis_tdata = data; s_axis_tlast = address[0]; s_axis_tvalid = 1;
    #1;
    while (!s_axis_tready) tick();
    tick();
    s_axis_tvalid = 0; s_axis_tlast = 0;
  endtask

  task automatic expect_word(int unsigned at);
    m_axis_tready = 1;
    #1;
    while (!m_axis_tvalid) tick();
    compare("word", at, m_axis_tdata);
    if (m_axis_tlast !== address[0]) begin
      $display("FAIL: step %0d, last word: %b, expected %b", at, m_axis_tlast, address[0]);
      failures++;
    end
    tick();
    m_axis_tready = 0;
  endtask

"""
_REGISTERS = """\
  task automatic write();
    logic taken_address, taken_word;
    s_axil_awaddr = address[$bits(s_axil_awaddr)-1:0]; s_axil_awvalid = 1;
    s_axil_wdata = data; s_axil_wstrb = '1; s_axil_wvalid = 1; s_axil_bready = 1;
    while (s_axil_awvalid || s_axil_wvalid) begin
      #1;
      taken_address = s_axil_awready;
      taken_word = s_axil_wready;
      tick();
      if (taken_address) s_axil_awvalid = 0;
      if (taken_word) s_axil_wvalid = 0;
    end
    while (!s_axil_bvalid) tick();
    if (s_axil_bresp !== '0) begin
      $display("FAIL: write to %0x: response %0d", address, s_axil_bresp);
      failures++;
    end
    tick();
    s_axil_bready = 0;
  endtask

  task automatic read();
    s_axil_araddr = address[$bits(s_axil_araddr)-1:0]; s_axil_arvalid = 1; s_axil_rready = 1;
    #1;
    while (!s_axil_arready) tick();
    tick();
    s_axil_arvalid = 0;
    while (!s_axil_rvalid) tick();
    got = s_axil_rdata;
    if (s_axil_rresp !== '0) begin
      $display("FAIL: read of %0x: response %0d", address, s_axil_rresp);
      failures++;
    end
    tick();
    s_axil_rready = 0;
  endtask

"""
_SERIAL = """\
  // A bit on the line lasts {sixteenths}/16 cycles. The remainder counts for the next one.
  int unsigned left = 0;
  task automatic half_bits(int unsigned count);
    left += count * {sixteenths};
    repeat (left / 32) tick();
    left %= 32;
  endtask

  task automatic send_byte();
    uart_rx = 0;
    half_bits(2);
    for (int i = 0; i < 8; i++) begin
      uart_rx = data[i];
      half_bits(2);
    end
    uart_rx = 1;
    half_bits(2);
  endtask

  task automatic expect_byte(int unsigned at);
    while (uart_tx) tick();
    left = 0;
    half_bits(3);
    got = 0;
    for (int i = 0; i < 8; i++) begin
      got[i] = uart_tx;
      half_bits(2);
    end
    if (!uart_tx) begin
      $display("FAIL: step %0d: no stop bit", at);
      failures++;
    end
    compare("byte", at, got);
  endtask

"""
_RANDOM = """\
  // Made-up random words: only for tests.
  logic [31:0] made_q = 32'h2545_f491;
  assign random_tdata = made_q;
  assign random_tvalid = 1'b1;
  always @(posedge clk) if (random_tready) made_q <= made_q * 32'd1664525 + 32'd1013904223;

"""
_STEPS = {
    Face.STREAM: """\
        4'd1: send();
        4'd2: expect_word(i);
""",
    Face.REGISTERS: """\
        4'd3: write();
        4'd4: begin
          read();
          compare("register", i, got);
        end
        4'd5: forever begin
          read();
          if ((got & mask) == data) break;
        end
""",
    Face.SERIAL: """\
        4'd6: send_byte();
        4'd7: expect_byte(i);
""",
}
_TASKS = {Face.STREAM: _STREAM, Face.REGISTERS: _REGISTERS, Face.SERIAL: _SERIAL}
_ORDER = (Face.STREAM, Face.REGISTERS, Face.SERIAL)
_MAIN = """\
  initial begin
    foreach (steps[i]) steps[i] = '0;
    $readmemh("steps.hex", steps);
{start}    repeat (4) tick();
    reset_n = 1;
    repeat ({settling}) tick();
    for (int unsigned i = 0; i < MostSteps; i++) begin
      {{op, address, mask, data}} = steps[i];
      cycles = 0;
      case (op)
{cases}        4'd0: begin
          if (i == 0) begin
            $display("FAIL: no steps in steps.hex");
            $fatal(1);
          end
          if (failures != 0) begin
            $display("FAIL: %0d of the comparisons in %0d steps", failures, i);
            $fatal(1);
          end
          $display("PASS: %0d steps", i);
          $finish;
          break;
        end
        default: begin
          $display("FAIL: step %0d has the unknown operation %0d", i, op);
          $fatal(1);
        end
      endcase
    end
  end
endmodule

`default_nettype wire
"""


def bench(found: Module, example: str, top: Top) -> str:
    """The test bench of an example top.

    Args:
        found: ports of the IP in it.
        example: name of the example.
        top: the IP.
    """
    ports = [port for port in found.ports if port.name not in ("aclk", "aresetn")]
    faces = [face for face in _ORDER if face in top.faces]
    cycles, rest = (int(top.parameters.get(f"Bit{unit}", 0)) for unit in ("Cycles", "Sixteenths"))
    start = "".join(
        f"    {port.name} = {1 if port.name == 'uart_rx' else chr(39) + '0'};\n"
        for port in ports
        if port.direction == "input" and not port.name.startswith("random_")
    )
    return (
        _HEAD
        + "".join(f"  logic {port.range}{port.name};\n" for port in ports)
        + f"  {example} u_top (.*);\n\n"
        + (_RANDOM if any(port.name.startswith("random_") for port in ports) else "")
        + "".join(_TASKS[face].replace("{sixteenths}", str(16 * cycles + rest)) for face in faces)
        + _MAIN.format(
            start=start,
            settling=top.settling + 8,
            cases="".join(_STEPS[face] for face in faces),
        )
    )
