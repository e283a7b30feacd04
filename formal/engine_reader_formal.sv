// SPDX-License-Identifier: Apache-2.0
// Proof that a reader comes to its end, whatever its counters hold at first:
//
//   Left    W + L <= 2^(CountBits + 1) - (cycles without a new number), or both are 0. W and L are
//           the cycles that it still waits, and the words that it still reads
//   Ended   2^(CountBits + 1) cycles after its last number it waits for nothing and reads nothing
//
// A run begins any number of cycles after a number, in any state that has `Left`. After 0 cycles,
// which is after a number or at power-up, this is any state.
`default_nettype none

module engine_reader_formal
  import engine_instruction_pkg::CountBits;
  import engine_pkg::*;
#(
  parameter bit Waits = 1'b1,
  localparam int unsigned PlaceBits   = 7,
  localparam int unsigned AddressBits = 13
) (
  input wire logic                   clk_i,
  input wire logic                   load_i,
  input wire logic [AddressBits-1:0] first_i,
  input wire count_minus_one_t       wait_i,
  input wire count_minus_one_t       left_i
);
  logic [AddressBits-1:0] address_o;
  logic                   valid_o, behind_o;
  engine_reader #(.PlaceBits(PlaceBits), .AddressBits(AddressBits), .Waits(Waits)) u_dut (
    .clk_i, .load_i, .first_i, .wait_i, .left_i, .address_o, .valid_o, .behind_o
  );

  typedef logic [CountBits+1:0] cycles_t;
  localparam cycles_t Most = cycles_t'(1) << (CountBits + 1);
  cycles_t idle_q;
  logic    begun_q = 1'b0;
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  always_ff @(posedge clk_i) idle_q <= load_i ? '0 : (idle_q == Most) ? Most : idle_q + 1'b1;

  cycles_t waits, words;
  if (Waits) begin : gen_waits
    assign waits = u_dut.waits ? cycles_t'(u_dut.gen_waits.wait_q) + 1'b1 : '0;
  end else begin : gen_at_once
    assign waits = '0;
  end
  assign words = u_dut.ended ? '0 : cycles_t'(u_dut.left_q) + 1'b1;
  always_ff @(posedge clk_i) begin
    if (!begun_q) Begin : assume (idle_q <= Most && waits + words <= Most - idle_q);
    Left  : assert (waits + words <= Most - idle_q);
    Ended : assert (idle_q != Most || (!valid_o && !u_dut.waits && u_dut.ended));
  end
endmodule

`default_nettype wire
