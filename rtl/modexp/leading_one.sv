// SPDX-License-Identifier: Apache-2.0
// Finds the highest 1 of a number that passes word by word, most significant word first: its place,
// and the number with that bit alone, which is the greatest power of two in it.
//
// Bounds:  a number of Words WordBits bits; one of 0 has `place_o` 0, like 1, and power 0.
// Timing:  a word of the power comes 2 cycles after the number's, with `valid_o` and `index_o`; the
//          place counts 3 cycles after the word with index 0.
`include "totient_assert.svh"
`default_nettype none

module leading_one
  import totient_pkg::*;
#(
  parameter int unsigned Words    = 33,
  parameter int unsigned WordBits = 32,  // 8, 16 or 32
  localparam int unsigned IndexBits  = index_bits(Words),
  localparam int unsigned PlaceBits = index_bits(Words * WordBits)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,
  input  logic                  valid_i,   // a word passes
  input  logic [IndexBits-1:0]  index_i,
  input  logic [WordBits-1:0]   word_i,
  output logic                  valid_o,
  output logic [IndexBits-1:0]  index_o,
  output logic [WordBits-1:0]   power_o,
  output logic [PlaceBits-1:0] place_o
);
  localparam int unsigned Bytes = WordBits / 8;

  `TOTIENT_REQUIRE(Word, WordBits == 8 || WordBits == 16 || WordBits == 32,
                   "WordBits must be 8, 16 or 32")

  // The highest 1 of a word has no 1 above it in its byte, and no byte above that is not 0.
  logic                 valid_q, seen_q;
  logic [IndexBits-1:0] index_q;
  logic [WordBits-1:0]  word_q, highest;
  logic [Bytes-1:0]     byte_any_q;
  for (genvar i = 0; i < Bytes; i++) begin : gen_byte
    for (genvar j = 0; j < 8; j++) begin : gen_bit
      assign highest[8*i + j] = word_q[8*i + j] && (word_q[8*i +: 8] >> (j + 1)) == '0
                                && (byte_any_q >> (i + 1)) == '0;
    end
  end

  logic [PlaceBits-1:0] place;  // of the one bit of `power_o` in its word
  always_comb begin
    place = '0;
    for (int unsigned i = 0; i < WordBits; i++) begin
      place |= power_o[i] ? PlaceBits'(i) : '0;
    end
  end

  logic first_q, found_q;  // the power's word is the first of a number; it is not 0
  always_ff @(posedge clk_i) begin
    valid_q <= valid_i;
    index_q <= index_i;
    word_q  <= word_i;
    for (int unsigned i = 0; i < Bytes; i++) byte_any_q[i] <= word_i[8*i +: 8] != '0;
    valid_o <= valid_q;
    index_o <= index_q;
    power_o <= (valid_q && !seen_q) ? highest : '0;
    first_q <= valid_q && index_q == IndexBits'(Words - 1);
    found_q <= valid_q && !seen_q && byte_any_q != '0;
    if (valid_q) seen_q <= index_q != '0 && (byte_any_q != '0 || seen_q);
    if (found_q) place_o <= PlaceBits'(index_o) * PlaceBits'(WordBits) | place;
    else if (first_q) place_o <= '0;
    if (!rst_ni || clear_i) begin
      valid_q    <= 1'b0;
      word_q     <= '0;
      byte_any_q <= '0;
      seen_q     <= 1'b0;
      valid_o    <= 1'b0;
      power_o    <= '0;
      first_q    <= 1'b0;
      found_q    <= 1'b0;
      place_o    <= '0;
    end
  end
endmodule

`default_nettype wire
