// SPDX-License-Identifier: Apache-2.0
// Repeated modular doubling, word by word in memory:
//
//   x = 2^count x mod n
//
// One pass over the words doubles x and subtracts n at once, into two memories; the borrow of the
// last word tells which of the two the next pass (or the reader) takes.
//
// Bounds:  0 <= x < n, n < 2^(Words WordBits - 1); the result is below n.
// Cycles:  count Words, from the cycle after `start_i` to the last in which `busy_o` is high.
`include "totient_assert.svh"
`default_nettype none

module modular_doubling #(
  parameter int unsigned Words     = 65,  // >= 2
  parameter int unsigned WordBits  = 16,
  parameter int unsigned CountBits = 12,
  localparam int unsigned IndexBits = totient_pkg::index_bits(Words)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 clear_i,
  // First x, any word order; only while idle. Both memories take it.
  input  logic                 write_i,
  input  logic [IndexBits-1:0] write_index_i,
  input  logic [WordBits-1:0]  write_data_i,
  // Work
  input  logic                 start_i,
  input  logic [CountBits-1:0] count_i,       // >= 1
  output logic                 busy_o,
  output logic                 last_pass_o,   // `word_o` runs over x before the last doubling
  output logic [IndexBits-1:0] index_o,       // word under way, 0 first
  input  logic [WordBits-1:0]  modulus_word_i,  // word `index_o` of n
  // Reading x: word `index_o` while busy, word `read_index_i` otherwise
  input  logic [IndexBits-1:0] read_index_i,
  output logic [WordBits-1:0]  word_o
);
  `TOTIENT_REQUIRE(Words, Words >= 2, "Words must be at least 2")
  `TOTIENT_REQUIRE(WordBits, WordBits >= 2, "WordBits must be at least 2")

  logic [CountBits-1:0] count_q;    // passes still to come
  logic [IndexBits-1:0] index_q;
  logic                 carry_q, borrow_q;
  logic                 reduced_q;  // x is the difference, not the double
  logic                 last_word;

  assign busy_o      = count_q != '0;
  assign last_pass_o = count_q == CountBits'(1);
  assign index_o     = index_q;
  assign last_word   = index_q == IndexBits'(Words - 1);

  logic [IndexBits-1:0] read_index;
  logic [WordBits-1:0]  double_word, difference_word, doubled;
  logic [WordBits:0]    difference;
  assign read_index = busy_o ? index_q : read_index_i;
  assign word_o     = reduced_q ? difference_word : double_word;
  assign doubled    = {word_o[WordBits-2:0], carry_q};
  assign difference = {1'b0, doubled} - {1'b0, modulus_word_i} - (WordBits + 1)'(borrow_q);

  logic                 write;
  logic [IndexBits-1:0] write_index;
  assign write       = busy_o || write_i;
  assign write_index = busy_o ? index_q : write_index_i;
  ram_distributed #(.Bits(WordBits), .Depth(Words)) u_double (
    .clk_i, .write_i(write), .write_index_i(write_index),
    .write_data_i(busy_o ? doubled : write_data_i),
    .read_index_i(read_index), .read_data_o(double_word)
  );
  ram_distributed #(.Bits(WordBits), .Depth(Words)) u_difference (
    .clk_i, .write_i(write), .write_index_i(write_index),
    .write_data_i(busy_o ? difference[WordBits-1:0] : write_data_i),
    .read_index_i(read_index), .read_data_o(difference_word)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      count_q   <= '0;
      index_q   <= '0;
      carry_q   <= 1'b0;
      borrow_q  <= 1'b0;
      reduced_q <= 1'b0;
    end else if (busy_o) begin
      index_q  <= last_word ? '0 : index_q + IndexBits'(1);
      carry_q  <= !last_word && word_o[WordBits-1];
      borrow_q <= !last_word && difference[WordBits];
      if (last_word) begin
        reduced_q <= !difference[WordBits];
        count_q   <= count_q - CountBits'(1);
      end
    end else if (start_i) begin
      count_q <= count_i;
    end
  end

  `TOTIENT_ASSERT(CountPositive, !(start_i && !busy_o) || count_i != '0, "count must not be 0")
  `TOTIENT_ASSERT(NoOverflow, !(busy_o && last_word) || !word_o[WordBits-1],
                  "x is not below n, or n is too wide")
  `TOTIENT_ASSERT(WriteWhileIdle, !(write_i && busy_o), "x written while doubling")
endmodule

`default_nettype wire
