// SPDX-License-Identifier: Apache-2.0
// Repeated modular doubling, word by word in memory:
//
//   x = 2^count x mod n
//
// One pass over the words doubles x and subtracts n at once, into two memories. The borrow of the
// last word selects the memory for the next pass (or the reader). A word takes one cycle each for
// read, doubling and write.
//
// Bounds:  0 <= x < n, n < 2^(Words WordBits - 1); the result is below n.
// Cycles:  (count - 1) (Words + 1) + Words + 4, from the cycle after `start_i` to the last one with
//          `busy_o` high.
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
  // First x, any word order; only while idle, and readable from the second cycle on.
  input  logic                 write_i,
  input  logic [IndexBits-1:0] write_index_i,
  input  logic [WordBits-1:0]  write_data_i,
  // Work
  input  logic                 start_i,
  input  logic [CountBits-1:0] count_i,       // >= 1
  output logic                 busy_o,
  output logic [IndexBits-1:0] index_o,       // current word, 0 first
  input  logic [WordBits-1:0]  modulus_word_i,  // word `index_o` of n, 3 cycles later
  // `late_word_o` is a word of x before the last doubling, the one of `half_index_o`
  output logic                 half_valid_o,
  output logic [IndexBits-1:0] half_index_o,
  // Reading x while idle
  input  logic [IndexBits-1:0] read_index_i,
  output logic [WordBits-1:0]  word_o,          // word `read_index_i`, a cycle later
  output logic [WordBits-1:0]  late_word_o      // the same, 2 cycles later
);
  `TOTIENT_REQUIRE(Words, Words >= 2, "Words must be at least 2")
  `TOTIENT_REQUIRE(WordBits, WordBits >= 2, "WordBits must be at least 2")

  // A pass starts when the last borrow of the previous one is known.
  localparam int unsigned PassCycles = Words + 1;
  localparam int unsigned PlaceBits  = totient_pkg::index_bits(PassCycles);

  // Pipeline of a word: index, wait for the modulus' word, x from the memories, results.
  typedef struct packed {
    logic                 valid;
    logic                 last;       // of a pass
    logic                 last_pass;
    logic [IndexBits-1:0] index;
  } step_t;
  step_t                step, wait_q, read_q, word_q, done_q;
  logic                 work_q;     // words remain to be started
  logic [CountBits-1:0] count_q;    // remaining passes
  logic [PlaceBits-1:0] place_q;
  assign step.valid     = work_q && 32'(place_q) < Words;
  assign step.last      = 32'(place_q) == Words - 1;
  assign step.last_pass = count_q == CountBits'(1);
  assign step.index     = IndexBits'(place_q);
  assign index_o        = step.index;

  logic [IndexBits-1:0] read_index_q;
  logic [WordBits-1:0]  double_read, difference_read;
  logic [WordBits-1:0]  x_q;  // a word of x before the doubling
  logic [WordBits-1:0]  doubled, doubled_q, reduced_word_q;
  logic [WordBits-1:0]  difference;
  logic                 carry_q, borrow, borrow_q;
  logic                 reduced_q;  // x is the difference, not the double
  assign word_o     = reduced_q ? difference_read : double_read;
  assign doubled    = {x_q[WordBits-2:0], carry_q};
  word_subtract #(.Bits(WordBits)) u_subtract (
    .minuend_i(doubled), .subtrahend_i(modulus_word_i), .borrow_i(borrow_q),
    .difference_o(difference), .borrow_o(borrow)
  );
  assign half_valid_o = word_q.valid && word_q.last_pass;
  assign half_index_o = word_q.index;
  assign late_word_o  = x_q;

  logic                 given_q;  // a word of the first x
  logic [IndexBits-1:0] given_index_q;
  logic [WordBits-1:0]  given_data_q;
  always_ff @(posedge clk_i) begin
    given_q       <= write_i;
    given_index_q <= write_index_i;
    given_data_q  <= write_data_i;
    if (!rst_ni || clear_i) {given_q, given_data_q} <= '0;
  end

  logic                 write;
  logic [IndexBits-1:0] write_index;
  assign write       = done_q.valid || given_q;
  assign write_index = done_q.valid ? done_q.index : given_index_q;
  ram_distributed #(.Bits(WordBits), .Depth(Words)) u_double (
    .clk_i, .write_i(write), .write_index_i(write_index),
    .write_data_i(done_q.valid ? doubled_q : given_data_q),
    .read_index_i(read_index_q), .read_data_o(double_read)
  );
  ram_distributed #(.Bits(WordBits), .Depth(Words)) u_difference (
    .clk_i, .write_i(write), .write_index_i(write_index),
    .write_data_i(done_q.valid ? reduced_word_q : given_data_q),
    .read_index_i(read_index_q), .read_data_o(difference_read)
  );

  always_ff @(posedge clk_i) begin
    if (start_i && !busy_o) begin
      busy_o  <= 1'b1;
      work_q  <= 1'b1;
      count_q <= count_i;
    end
    if (work_q) begin
      place_q <= place_q + PlaceBits'(1);
      if (place_q == PlaceBits'(PassCycles - 1)) begin
        place_q <= '0;
        count_q <= count_q - CountBits'(1);
        if (step.last_pass) work_q <= 1'b0;
      end
    end
    wait_q       <= step;
    read_q       <= wait_q;
    word_q       <= read_q;
    read_index_q <= busy_o ? wait_q.index : read_index_i;
    x_q          <= word_o;
    if (word_q.valid) begin
      carry_q  <= !word_q.last && x_q[WordBits-1];
      borrow_q <= !word_q.last && borrow;
      if (word_q.last) reduced_q <= !borrow;
    end
    done_q         <= word_q;
    doubled_q      <= doubled;
    reduced_word_q <= difference;
    if (done_q.valid && done_q.last && done_q.last_pass) busy_o <= 1'b0;
    if (!rst_ni || clear_i) begin
      busy_o    <= 1'b0;
      work_q    <= 1'b0;
      count_q   <= '0;
      place_q   <= '0;
      carry_q   <= 1'b0;
      borrow_q  <= 1'b0;
      reduced_q <= 1'b0;
      {wait_q, read_q, word_q, done_q} <= '0;
    end
    // No word of an overwritten x stays here.
    if (!rst_ni || clear_i || given_q) {x_q, doubled_q, reduced_word_q} <= '0;
  end

  `TOTIENT_ASSERT(CountPositive, !(start_i && !busy_o) || count_i != '0, "count must not be 0")
  `TOTIENT_ASSERT(NoOverflow, !(word_q.valid && word_q.last) || !x_q[WordBits-1],
                  "x is not below n, or n is too wide")
  `TOTIENT_ASSERT(WriteWhileIdle, !(write_i && busy_o), "x written while doubling")
endmodule

`default_nettype wire
