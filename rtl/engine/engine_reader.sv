// SPDX-License-Identifier: Apache-2.0
// Addresses of a number's words, one per cycle. From the cycle after `load_i`: `wait_i` + 1 cycles
// without a word, then `left_i` + 1 words from address `first_i`, then none until the next
// `load_i`. Both may be -1.
`default_nettype none

module engine_reader
  import engine_instruction_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned PlaceBits   = 7,   // of a word's index in a block
  parameter int unsigned AddressBits = 13,
  parameter bit          Waits       = 1'b1  // 0: `wait_i` is always -1
) (
  input  logic                   clk_i,
  input  logic                   load_i,
  input  logic [AddressBits-1:0] first_i,
  input  count_minus_one_t       wait_i,
  input  count_minus_one_t       left_i,
  output logic [AddressBits-1:0] address_o,
  output logic                   valid_o,
  output logic                   behind_o  // the cycle after the last word
);
  // Counters hold the remaining count minus one, and end at -1: their sign marks the end.
  count_minus_one_t left_q;
  logic  behind_q, waits, ended;
  if (Waits) begin : gen_waits
    count_minus_one_t wait_q;
    assign waits = !wait_q[CountBits];
    always_ff @(posedge clk_i) begin
      if (load_i) wait_q <= wait_i;
      else if (waits) wait_q <= wait_q - count_minus_one_t'(1);
    end
  end else begin : gen_at_once
    count_minus_one_t unused_wait;
    assign unused_wait = wait_i;
    assign waits = 1'b0;
  end

  // Only the address bits of a number's words count up: a number longer than a block begins in an
  // even block.
  localparam int unsigned Moving = (PlaceBits + 1 < AddressBits) ? PlaceBits + 1 : AddressBits;
  logic [AddressBits-1:0] address_q;
  assign ended = left_q[CountBits];
  always_ff @(posedge clk_i) begin
    if (load_i) begin
      address_q <= first_i;
      left_q    <= left_i;
      behind_q  <= 1'b1;
    end else if (!waits) begin
      address_q[Moving-1:0] <= address_q[Moving-1:0] + Moving'(1);
      if (!ended) left_q <= left_q - count_minus_one_t'(1);
      else behind_q <= 1'b0;
    end
  end
  assign valid_o   = !waits && !ended;
  assign behind_o  = !waits && ended && behind_q;
  assign address_o = address_q;
endmodule

`default_nettype wire
