// SPDX-License-Identifier: Apache-2.0
// Proof of modular_doubling for one job after another, by induction on jobs: it begins in any idle
// state and ends in one, and between them
//
//   Doubled   x is 2^count x mod n, for all words that were written, all n and counts to `Most`
//   Half      the words that leave before the last doubling are those of 2^(count - 1) x mod n
//   Halves    each of them leaves once, from the lowest on
//   InTime    the job takes the cycles that the header states
//   Read      a word that is asked for is there a cycle later and again one after that
`include "doubling_rests.svh"
`default_nettype none

module modular_doubling_formal
  import totient_pkg::*;
#(
  parameter int unsigned Words    = 2,
  parameter int unsigned WordBits = 3,
  parameter int unsigned Most     = 5,
  localparam int unsigned Bits      = Words * WordBits,
  localparam int unsigned CountBits = count_bits(Most),
  localparam int unsigned IndexBits = index_bits(Words)
) (
  input wire logic                 clk_i,
  input wire logic                 rst_ni,
  input wire logic                 clear_i,
  input wire logic                 write_i,
  input wire logic [IndexBits-1:0] write_index_i,
  input wire logic [WordBits-1:0]  write_data_i,
  input wire logic                 start_i,
  input wire logic [CountBits-1:0] count_i,
  input wire logic [IndexBits-1:0] read_index_i,
  input wire logic [Bits-1:0]      n_i            // free: the modulus of a job
);
  typedef logic [Bits-1:0] number_t;
  function automatic logic [WordBits-1:0] word(number_t number, logic [IndexBits-1:0] index);
    return WordBits'(number >> (WordBits * index));
  endfunction

  logic                      first_q = 1'b1;  // the first cycle
  logic                      busy, half_valid, stopped, begins;
  logic [IndexBits-1:0]      index, half_index;
  logic [2:0][IndexBits-1:0] asked_q;
  logic [WordBits-1:0]       read_word, late_word;
  number_t                   n_q, x_q, half_q;
  logic [Words-1:0]          known_q;         // words of x that were written since a reset
  logic [CountBits-1:0]      count_q, left_q;
  logic [7:0]                cycle_q;         // of a job, 1 in the first one with `busy_o`
  assign stopped = !rst_ni || clear_i;
  assign begins  = start_i && !busy;
  modular_doubling #(.Words(Words), .WordBits(WordBits), .CountBits(CountBits)) u_dut (
    .clk_i, .rst_ni, .clear_i, .write_i, .write_index_i, .write_data_i, .start_i, .count_i,
    .busy_o(busy), .index_o(index), .modulus_word_i(word(n_q, asked_q[2])),
    .half_valid_o(half_valid), .half_index_o(half_index), .read_index_i, .word_o(read_word),
    .late_word_o(late_word)
  );

  number_t memory;  // x, but for a word that is not written yet
  for (genvar k = 0; k < Words; k++) begin : gen_memory
    assign memory[WordBits*k+:WordBits] =
        (u_dut.given_q && 32'(u_dut.given_index_q) == k) ? u_dut.given_data_q
        : u_dut.reduced_q ? u_dut.u_difference.memory[k] : u_dut.u_double.memory[k];
  end
  number_t different;  // of what is known
  for (genvar k = 0; k < Words; k++) begin : gen_different
    assign different[WordBits*k+:WordBits] = known_q[k]
        ? memory[WordBits*k+:WordBits] ^ x_q[WordBits*k+:WordBits] : '0;
  end
  logic idle;
  assign idle = `DOUBLING_RESTS(u_dut);

  logic [31:0] duration;  // cycles of the job
  assign duration = (32'(count_q) - 32'd1) * (Words + 1) + Words + 4;

  logic [1:0]                read_q = '0;   // nothing else is done, nor was a cycle ago
  logic [1:0][IndexBits-1:0] asked_for_q;
  logic                      was_busy_q = 1'b0;
  number_t double, reduced;
  assign double  = number_t'(x_q << 1);
  assign reduced = (double >= n_q) ? double - n_q : double;
  always_ff @(posedge clk_i) begin
    first_q <= 1'b0;
    asked_q <= {asked_q[1:0], index};
    if (begins) {n_q, count_q, left_q, cycle_q} <= {n_i, count_i, count_i, 8'd1};
    else cycle_q <= cycle_q + 8'd1;
    for (int unsigned k = 0; k < Words; k++) begin
      if (write_i && 32'(write_index_i) == k) begin
        x_q[WordBits*k+:WordBits] <= write_data_i;
        known_q[k]                <= 1'b1;
      end
    end
    // The number, ahead of its words.
    if (busy && left_q != '0) begin
      left_q <= left_q - CountBits'(1);
      x_q    <= reduced;
      half_q <= x_q;
    end

    if (stopped) known_q <= '0;

    // The first cycle is idle or has a reset; later ones have none.
    assume (first_q ? stopped || (idle && different == '0) : !stopped);
    assume (!(write_i && (busy || start_i)) && 32'(write_index_i) < Words);
    assume (32'(read_index_i) < Words);
    if (begins && !stopped) begin
      assume (known_q == '1 && x_q < n_i && !n_i[Bits-1]);
      assume (count_i != '0 && 32'(count_i) <= Most);
    end
    read_q <= {read_q[0], !busy && !write_i && !stopped};
    asked_for_q <= {asked_for_q[0], read_index_i};
    was_busy_q <= busy && !stopped;
    if (!stopped && !first_q) begin
      if (!busy) begin
        Idle : assert (idle);
        Doubled : assert (different == '0);
        if (was_busy_q) InTime : assert (32'(cycle_q) == duration + 1);
        if (read_q == '1 && known_q == '1) begin
          Read : assert (read_word == word(x_q, asked_for_q[0])
                         && late_word == word(x_q, asked_for_q[1]));
        end
      end
      if (busy) Works : assert (32'(cycle_q) <= duration);
      Half : assert (!half_valid || late_word == word(half_q, half_index));
      Halves : assert (half_valid == (busy && 32'(cycle_q) + Words > duration - 1
                                      && 32'(cycle_q) < duration)
                       && (!half_valid || 32'(half_index) == 32'(cycle_q) + Words - duration));
    end
  end
endmodule

`default_nettype wire
