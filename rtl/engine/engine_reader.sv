// SPDX-License-Identifier: Apache-2.0
// Addresses of a number's words, one a cycle: from the cycle after `load_i` on, `wait_i` + 1 cycles
// without a word, then `left_i` + 1 words from word `word_i` on, then none until the next `load_i`.
// Both may be -1.
`default_nettype none

module engine_reader
  import engine_pkg::*;
#(
  parameter int unsigned PlaceBits    = 7,  // of a word's place in a block
  parameter int unsigned AddressBits = 13
) (
  input  logic   clk_i,
  input  logic   load_i,
  input  block_t block_i,
  input  logic   stream_i,                   // the block beside
  input  count_t word_i,
  input  logic [CountBits:0] wait_i,
  input  logic [CountBits:0] left_i,
  output logic [AddressBits-1:0] address_o,
  output logic   valid_o,
  output logic   behind_o                    // the cycle behind the last word
);
  // Counters are one below what is left, and end at -1: their sign tells.
  block_t block_q;
  count_t word_q;
  logic [CountBits:0] wait_q, left_q;
  logic   behind_q, waits, ended;
  assign waits = !wait_q[CountBits];
  assign ended = left_q[CountBits];
  always_ff @(posedge clk_i) begin
    if (load_i) begin
      block_q  <= block_i | block_t'(stream_i);
      word_q   <= word_i;
      wait_q   <= wait_i;
      left_q   <= left_i;
      behind_q <= 1'b1;
    end else if (waits) begin
      wait_q <= wait_q - (CountBits+1)'(1);
    end else begin
      word_q <= word_q + count_t'(1);
      if (!ended) left_q <= left_q - (CountBits+1)'(1);
      else behind_q <= 1'b0;
    end
  end
  assign valid_o   = !waits && !ended;
  assign behind_o  = !waits && ended && behind_q;
  assign address_o = AddressBits'(engine_pkg::place(block_q, word_q, PlaceBits));
endmodule

`default_nettype wire
