// SPDX-License-Identifier: Apache-2.0
// Product of two long numbers, word by word:
//
//   product word c = low word of  sum over i + j = c of a[i] b[j]  + what column c - 1 left
//
// One product of words a cycle, in a pipeline: words, product, sum.
//
// Bounds: a and b in `a_words_i` and `b_words_i` words, >= 1; the product in as many as both
// together. Cycles: a_words b_words + 4 from `start_i` to `valid_o`.
`include "totient_assert.svh"
`default_nettype none

module word_multiplier
  import totient_pkg::*;
#(
  parameter int unsigned Words    = 16,  // of a factor, at most
  parameter int unsigned WordBits = 32,
  localparam int unsigned IndexBits = index_bits(2 * Words + 1)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 clear_i,       // abort, overwrite
  input  logic                 start_i,
  input  logic [IndexBits-1:0] a_words_i,     // as long as it works
  input  logic [IndexBits-1:0] b_words_i,
  // Words of the factors come in the next cycle
  output logic [IndexBits-1:0] a_index_o,
  output logic [IndexBits-1:0] b_index_o,
  input  logic [WordBits-1:0]  a_word_i,
  input  logic [WordBits-1:0]  b_word_i,
  // Words of the product, lowest first
  output logic                 write_o,
  output logic [IndexBits-1:0] write_index_o,
  output logic [WordBits-1:0]  word_o,
  output logic                 valid_o        // for one cycle, with the last word
);
  // A column has at most Words products.
  localparam int unsigned SumBits = 2 * WordBits + count_bits(Words);
  typedef logic [IndexBits-1:0] index_t;

  typedef struct packed {
    logic   valid;
    logic   begins;  // a column
    logic   ends;    // it
    logic   last;    // of all
  } step_t;
  step_t  step, word_q, product_q;
  logic   sum_ends_q, sum_last_q;  // of the sum that is there
  logic   busy_q, begins_q;
  index_t column_q, place_q, high, next_low, last_column;
  assign a_index_o   = place_q;
  assign b_index_o   = column_q - place_q;
  assign last_column = a_words_i + b_words_i - index_t'(2);
  assign high        = (column_q < a_words_i) ? column_q : a_words_i - index_t'(1);
  assign next_low    = (column_q + index_t'(1) < b_words_i) ? '0
                       : column_q + index_t'(2) - b_words_i;
  assign step.valid  = busy_q;
  assign step.begins = begins_q;
  assign step.ends   = place_q == high;
  assign step.last   = step.ends && column_q == last_column;

  logic [2*WordBits-1:0] product;
  logic [SumBits-1:0]    total_q;
  logic                  top_q;  // the word above the last column
  assign word_o  = total_q[WordBits-1:0];
  assign write_o = sum_ends_q || top_q;
  assign valid_o = top_q;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      busy_q   <= 1'b1;
      begins_q <= 1'b1;
      column_q <= '0;
      place_q  <= '0;
    end else if (busy_q) begin
      begins_q <= step.ends;
      place_q  <= step.ends ? next_low : place_q + index_t'(1);
      if (step.ends) column_q <= column_q + index_t'(1);
      if (step.last) busy_q <= 1'b0;
    end
    word_q    <= step;
    product_q <= word_q;
    sum_ends_q <= product_q.valid && product_q.ends;
    sum_last_q <= product_q.valid && product_q.last;
    top_q      <= sum_last_q;
    product   <= (2 * WordBits)'(a_word_i) * (2 * WordBits)'(b_word_i);
    if (product_q.valid) begin
      // A column begins with what the one before it left.
      total_q <= (product_q.begins ? total_q >> WordBits : total_q) + SumBits'(product);
    end else if (sum_last_q) begin
      total_q <= total_q >> WordBits;
    end
    if (write_o) write_index_o <= write_index_o + index_t'(1);
    if (start_i) begin
      write_index_o <= '0;
      total_q       <= '0;
    end
    if (!rst_ni || clear_i) begin
      {busy_q, begins_q, sum_ends_q, sum_last_q, top_q} <= '0;
      {word_q, product_q} <= '0;
      {column_q, place_q, write_index_o, product, total_q} <= '0;
    end
  end

  `TOTIENT_ASSERT(Fits, !(busy_q && (32'(a_words_i) > Words || 32'(b_words_i) > Words
                                      || a_words_i == '0 || b_words_i == '0)),
                  "numbers of words out of range")
endmodule

`default_nettype wire
