// SPDX-License-Identifier: Apache-2.0
// Splits operations into jobs. A job is one pass of one stream through the array or the word unit.
// Generates the addresses and masks of the words that a job reads.
//
// Order: pass by pass, in each pass stream 0 and, for a pair, stream 1. A job starts as soon as
//   - the job before has had its `words` positions,
//   - the last job of the same stream has output its first word: early enough for this word to go
//     from the array's end to its beginning (`*_forward_o`), or when the memory has it,
//   - everything before is written, if one of both is a word operation, if the ring becomes shorter
//     or longer, or if `sync` is set.
// All passes but the last one leave their result in block `Partial`. The next one adds it.
//
// Timing: cycle r decides; r+1 `job_o`; r+2 the addresses of A[0] and B[0]; r+5, cycle 0 of the
//         array, their words; T[0] is needed in cycle r+10, X[0] in r+11.
`include "totient_assert.svh"
`default_nettype none

module engine_issue
  import engine_instruction_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Elements      = 4,
  parameter taps_t       Taps          = '0,
  parameter int unsigned PlaceBits      = 7,   // of a word's index in a block
  parameter int unsigned AddressBits   = 13,
  parameter int unsigned Partial       = 0   // even
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  // The next operation.
  input  logic       valid_i,
  input  operation_t operation_i,
  output logic       ready_o,
  output logic       empty_o,        // no operation here
  // Results (engine_results.sv).
  input  logic       ahead_i,        // the first word of the next result is available in 5 cycles
  input  logic       settled_i,      // it is available in the next cycle
  input  logic       stream_i,       // of both
  input  logic       written_i,      // all results are written, except in the registers
  // Words for the packet unit, while there is no operation: of A `read_i[0]`, of T `read_i[1]`. The
  // address comes in the next cycle, and goes to the memory in the one after it.
  input  logic [1:0]                  read_i,
  input  logic [1:0][AddressBits-1:0] read_address_i,
  // The starting job.
  output logic       job_o,
  output result_t    job_result_o,
  // Its reads.
  output logic [AddressBits-1:0] a_address_o,
  output logic [AddressBits-1:0] b_address_o,
  output logic [AddressBits-1:0] t_address_o,
  output logic [AddressBits-1:0] x_address_o,
  output logic                   a_valid_o,
  output logic                   b_valid_o,
  output logic                   t_valid_o,
  output logic                   x_valid_o,
  output logic                   a_behind_o,     // the word after the last one of A
  output logic                   first_o,        // A and B: word 0
  output logic                   last_o,         // A and B: the last position
  output logic                   word_o,         // the job is a word operation
  output word_op_e               action_o,
  output logic                   stream_o,
  output ring_t                  ring_o,
  output logic                   a_forward_o,
  output logic                   b_forward_o,
  output logic                   a_window_o
);
  // The current operation. Its derived values are computed step by step in registers: there is
  // enough time between two jobs, and between a new operation and its first job.
  logic       have_q;
  logic [1:0] known_q;    // its counts are computed
  /* verilator lint_off UNUSEDSIGNAL */  // its words of A are in `a_rest_q`
  operation_t op_q;
  /* verilator lint_on UNUSEDSIGNAL */
  count_t     pass_q, a_base_q, a_rest_q, a_next_q, ring;
  logic       a_short_q;  // A has fewer words left than the ring has elements
  logic       stream_q, job_q, round_q, first_pass_q, last_pass_q;
  assign ring = count_t'(ring_elements(op_q.ring, Taps, 8'(Elements)));
  ring_t ring_q, ring_before_q;
  always_ff @(posedge clk_i) ring_q <= ring_number(op_q.ring, Taps);
  assign ready_o = !have_q;
  assign empty_o = !have_q;
  logic [1:0] read_q;  // a register for the long path of `read_i`
  always_ff @(posedge clk_i) read_q <= read_i;

  // Conditions for the start of a job.
  count_minus_one_t gap_q, gap_words_q;
  logic       armed, free, free_q, same_q, alone_q, word_before_q, superseded_q, go, forward_q;
  logic       at_once_q;  // B begins with word 0
  logic [1:0] pending_q;
  assign armed = have_q && known_q[1] && gap_q[CountBits] && !job_q;
  assign free  = alone_q ? (pending_q == '0 && written_i) : !pending_q[stream_q];
  // In the cycle after `go` both registers still hold the old values.
  assign go = !job_q && (free_q || (ahead_i && same_q));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      have_q        <= 1'b0;
      job_q         <= 1'b0;
      gap_q         <= '1;
      free_q        <= 1'b0;
      same_q        <= 1'b0;
      forward_q     <= 1'b0;
      pending_q     <= '0;
      superseded_q  <= 1'b0;
      word_before_q <= 1'b0;
      ring_before_q <= '0;
    end else begin
      job_q     <= go;
      free_q    <= armed && free;
      same_q    <= armed && stream_i == stream_q && !alone_q && at_once_q;
      forward_q <= !job_q && ahead_i && same_q;
      if (!have_q) have_q <= valid_i;
      else if (round_q && last_pass_q) have_q <= 1'b0;
      // A result in progress when the next job of its stream has started does not free it.
      if (settled_i) begin
        superseded_q <= 1'b0;
        if (!superseded_q) pending_q[stream_i] <= 1'b0;
      end
      if (forward_q) superseded_q <= 1'b1;
      if (job_q) begin
        pending_q[stream_q] <= 1'b1;
        word_before_q       <= op_q.word;
        ring_before_q       <= ring_q;
      end
      if (job_q) gap_q <= gap_words_q;
      else if (!gap_q[CountBits]) gap_q <= gap_q - count_minus_one_t'(1);
    end
    gap_words_q <= count_minus_one_t'(op_q.words) - count_minus_one_t'(4);
    alone_q     <= op_q.word || op_q.sync || word_before_q || ring_q != ring_before_q;
    at_once_q   <= op_q.lead == '0;
    known_q     <= have_q ? {known_q[0], 1'b1} : '0;
    round_q     <= job_q && (stream_q || !op_q.pair);  // both streams have had their pass
    if (!have_q) begin
      op_q         <= operation_i;
      pass_q       <= operation_i.passes;
      first_pass_q <= 1'b1;
      stream_q     <= 1'b0;
      a_base_q     <= '0;
      a_rest_q     <= operation_i.a_words;
    end else begin
      if (job_q) stream_q <= op_q.pair && !stream_q;
      if (round_q) begin
        pass_q       <= pass_q - count_t'(1);
        first_pass_q <= 1'b0;
        a_base_q     <= a_base_q + ring;
        a_rest_q     <= a_short_q ? '0 : a_next_q;
      end
    end
    last_pass_q <= pass_q == '0;
    {a_short_q, a_next_q} <= {1'b0, a_rest_q} - {1'b0, ring};
  end
  assign job_o = job_q;

  // Block of each stream's last result, for forwarding.
  block_t d_q[2], d_before_q;
  logic   a_same_q, b_same_q;
  always_ff @(posedge clk_i) begin
    if (job_q) d_q[stream_q] <= op_q.d;
    d_before_q <= d_q[stream_q];
    a_same_q   <= first_pass_q && op_q.a == d_before_q && !op_q.window;
    b_same_q   <= first_pass_q && op_q.b == d_before_q;
  end

  // Destination of the job's result, and the job's reads: A and B from now on, T and X five and six
  // cycles later. Counts stop at their end. An operation lasts longer than its counting.
  function automatic logic [AddressBits-1:0] first(block_t block, logic stream, count_t word);
    return AddressBits'(place(block | block_t'(stream), word, PlaceBits));
  endfunction
  typedef struct packed {
    logic [AddressBits-1:0] t;
    logic [AddressBits-1:0] x;
    count_minus_one_t t_wait;
    count_minus_one_t t_left;
    count_minus_one_t x_left;
  } later_t;
  result_t    result_q;
  logic [5:0] before_q;  // before_q[i]: a job i + 1 cycles ago
  later_t     soon_q, later_q;
  logic [AddressBits-1:0] a_first_q, b_first_q;
  count_minus_one_t a_less_q, a_left_q, b_wait_q, b_left_q, t_words_q, t_again_q, d_words_q;
  always_ff @(posedge clk_i) begin
    before_q      <= {before_q[4:0], job_q};
    a_first_q     <= first(op_q.a, stream_q && !op_q.common, a_base_q);
    b_first_q     <= first(op_q.b, stream_q, '0);
    a_less_q      <= less(a_rest_q);
    a_left_q      <= (op_q.word || a_short_q) ? a_less_q : less(ring);
    b_wait_q      <= less(op_q.lead);
    b_left_q      <= less(op_q.b_words);
    d_words_q     <= less(op_q.d_words);
    t_words_q     <= op_q.add ? less(op_q.t_words) : '1;
    t_again_q     <= {1'b0, op_q.words} - count_minus_one_t'(2);
    soon_q.t      <= first(first_pass_q ? op_q.t : block_t'(Partial), stream_q, '0);
    soon_q.x      <= first(op_q.x, stream_q, '0);
    soon_q.t_wait <= first_pass_q ? b_wait_q : '1;
    soon_q.t_left <= first_pass_q ? t_words_q : t_again_q;
    soon_q.x_left <= op_q.reduce ? b_left_q : '1;
    result_q      <= '{
      word:     op_q.word,
      stream:   stream_q,
      block:    (last_pass_q ? op_q.d : block_t'(Partial)) | block_t'(stream_q),
      less:     last_pass_q ? d_words_q : t_again_q,
      table_write: last_pass_q && op_q.table_write,
      exponent: last_pass_q && op_q.exponent,
      entry:    op_q.entry
    };
    if (job_q) begin
      later_q     <= soon_q;
      a_window_o  <= op_q.window;
      a_forward_o <= forward_q && a_same_q;
      b_forward_o <= forward_q && b_same_q;
    end
    if (read_q[0]) a_window_o <= 1'b0;
  end
  assign job_result_o = result_q;

  logic [2:0] over_q;
  always_ff @(posedge clk_i) begin
    over_q <= {over_q[1:0], gap_q[CountBits]};
    if (job_q) begin
      word_o   <= op_q.word;
      action_o <= op_q.action;
      stream_o <= stream_q;
      ring_o   <= ring_q;
    end
  end
  assign first_o = before_q[0];
  assign last_o  = over_q[2:1] == 2'b01;

  logic unused_b, unused_t, unused_x;
  engine_reader #(.PlaceBits(PlaceBits), .AddressBits(AddressBits), .Waits(1'b0)) u_a (
    .clk_i, .load_i(job_q || read_q[0]), .first_i(read_q[0] ? read_address_i[0] : a_first_q),
    .wait_i('1), .left_i(a_left_q),
    .address_o(a_address_o), .valid_o(a_valid_o), .behind_o(a_behind_o)
  );
  engine_reader #(.PlaceBits(PlaceBits), .AddressBits(AddressBits)) u_b (
    .clk_i, .load_i(job_q), .first_i(b_first_q), .wait_i(b_wait_q), .left_i(b_left_q),
    .address_o(b_address_o), .valid_o(b_valid_o), .behind_o(unused_b)
  );
  engine_reader #(.PlaceBits(PlaceBits), .AddressBits(AddressBits)) u_t (
    .clk_i, .load_i(before_q[4] || read_q[1]), .first_i(read_q[1] ? read_address_i[1] : later_q.t),
    .wait_i(later_q.t_wait), .left_i(later_q.t_left),
    .address_o(t_address_o), .valid_o(t_valid_o), .behind_o(unused_t)
  );
  engine_reader #(.PlaceBits(PlaceBits), .AddressBits(AddressBits), .Waits(1'b0)) u_x (
    .clk_i, .load_i(before_q[5]), .first_i(later_q.x), .wait_i('1), .left_i(later_q.x_left),
    .address_o(x_address_o), .valid_o(x_valid_o), .behind_o(unused_x)
  );

  `TOTIENT_ASSERT(LongEnough, !job_q || op_q.words > count_t'(QuotientDelay),
                  "a job has more positions than the quotient's delay")
  `TOTIENT_ASSERT(Digits, !job_q || op_q.word || op_q.words >= ring,
                  "a pass has as many positions as digits of A")
endmodule

`default_nettype wire
