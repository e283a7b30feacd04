// SPDX-License-Identifier: Apache-2.0
// What modmul_montgomery_systolic does, as its proof has it, for a proof that cuts it off: when it
// takes words, when those of the product leave, and what its B is. A product is any number below
// 2 n, a different one each time.
`default_nettype none

module systolic_products
  import totient_pkg::*;
#(
  parameter int unsigned Words    = 2,
  parameter int unsigned WordBits = 8,
  localparam int unsigned Bits      = Words * WordBits,
  localparam int unsigned IndexBits = index_bits(Words),
  localparam int unsigned AgeBits   = count_bits(2 * Words + 3)
) (
  input wire logic                 clk_i,
  input wire logic                 stop_i,   // reset or clear
  input wire logic [Bits-1:0]      n_i,
  input wire logic [Bits-1:0]      value_i,  // free: the product
  // Ports of the multiplier that is cut off: its inputs, and its outputs (assumed)
  input wire logic                 load_i,
  input wire logic [WordBits-1:0]  load_word_i,
  input wire logic                 a_valid_i,
  input wire logic                 a_ready_i,
  input wire logic                 product_valid_i,
  input wire logic [WordBits-1:0]  product_word_i,
  input wire logic [Bits-1:0]      whole_i,
  // For the proof
  output logic                     take_o,   // a word of A is taken
  output logic [IndexBits-1:0]     index_o,  // which one
  output logic                     last_o,   // the last one
  output logic [Bits-1:0]          b_o,      // B, or the product that will be the next one
  output logic                     idle_o,   // no product is computed, the last one is whole
  output logic [IndexBits-1:0]     out_o     // index of the word that leaves
);
  logic [1:0]         pause_q;  // cycles until a word can be taken
  logic [AgeBits-1:0] age_q;    // cycles since the last word of A was taken; stops at the last one
  logic               leaves;
  assign take_o = a_valid_i && pause_q == '0;
  assign last_o = 32'(index_o) == Words - 1;
  assign leaves = 32'(age_q) >= 4 && 32'(age_q) <= 2 * Words + 2 && !age_q[0];
  assign out_o  = IndexBits'((age_q - AgeBits'(4)) >> 1);
  assign idle_o = 32'(age_q) == 2 * Words + 3 && index_o == '0;
  always_comb begin
    assume (a_ready_i == (pause_q == '0));
    assume (product_valid_i == leaves);
    if (leaves) assume (product_word_i == WordBits'(b_o >> (WordBits * out_o)));
    if (idle_o) assume (whole_i == b_o);
  end
  always_ff @(posedge clk_i) begin
    if (pause_q != '0) pause_q <= pause_q - 2'd1;
    if (32'(age_q) != 2 * Words + 3) age_q <= age_q + AgeBits'(1);
    if (load_i) b_o <= {b_o[Bits-WordBits-1:0], load_word_i};
    if (take_o) begin
      pause_q <= last_o ? 2'd3 : 2'd1;
      index_o <= last_o ? '0 : index_o + IndexBits'(1);
      if (last_o) begin
        age_q <= AgeBits'(1);
        b_o   <= value_i;
        assume ((Bits + 1)'(value_i) < {n_i, 1'b0});
      end
    end
    if (stop_i) begin
      {pause_q, index_o, b_o} <= '0;
      age_q <= AgeBits'(2 * Words + 3);
    end
  end
endmodule

`default_nettype wire
