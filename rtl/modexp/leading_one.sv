// SPDX-License-Identifier: Apache-2.0
// Finds the highest 1 of a number that passes word by word, most significant word first: its place,
// and the number with that bit alone, which is the greatest power of two in it.
//
// Bounds:  a number of Words WordBits bits; `length_o` is the place of the highest 1, plus 1, once
//          the word with index 0 has passed; 0 for a number of 0.
`default_nettype none

module leading_one
  import totient_pkg::*;
#(
  parameter int unsigned Words    = 33,
  parameter int unsigned WordBits = 32,
  localparam int unsigned IndexBits  = index_bits(Words),
  localparam int unsigned LengthBits = count_bits(Words * WordBits)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,
  input  logic                  valid_i,   // a word passes
  input  logic [IndexBits-1:0]  index_i,
  input  logic [WordBits-1:0]   word_i,
  output logic [WordBits-1:0]   power_o,   // the same word of the power, in the same cycle
  output logic [LengthBits-1:0] length_o
);
  logic                  seen_q, here;
  logic [LengthBits-1:0] place;  // of the word's highest 1, plus 1
  assign here = !seen_q && word_i != '0;
  always_comb begin
    place   = '0;
    power_o = '0;
    for (int unsigned i = 0; i < WordBits; i++) begin
      if (word_i[i]) begin
        place      = LengthBits'(i + 1);
        power_o    = '0;
        power_o[i] = here;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      seen_q   <= 1'b0;
      length_o <= '0;
    end else if (valid_i) begin
      seen_q <= (index_i != '0) && (word_i != '0 || seen_q);
      if (index_i == IndexBits'(Words - 1)) length_o <= '0;
      if (here) length_o <= LengthBits'(index_i) * LengthBits'(WordBits) + place;
    end
  end
endmodule

`default_nettype wire
