// SPDX-License-Identifier: Apache-2.0
// Writes the results of the array and of the word unit, job by job in the order of their start, or
// words from outside while there are no jobs. A result's word 0 comes 5 cycles after
// `array_done_i`, or 2 cycles after `word_soon_i`. The others follow, one per cycle. They can be
// read two cycles later through port T, and three cycles later elsewhere (`late_*_o`). A word from
// outside takes one cycle more.
`include "totient_assert.svh"
`default_nettype none

module engine_results
  import engine_instruction_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Bits        = 18,
  parameter int unsigned PlaceBits    = 7,   // of a word's index in a block
  parameter int unsigned AddressBits = 13
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  // A job has started.
  input  logic            job_i,
  input  result_t         job_result_i,
  // Results.
  input  logic            array_done_i,
  input  logic [Bits-1:0] array_word_i,
  input  logic            word_soon_i,
  input  logic [Bits-1:0] word_word_i,
  // State for the next jobs (engine_issue.sv).
  output logic            ahead_o,
  output logic            settled_o,
  output logic            stream_o,         // of both
  output logic            given_o,          // all results have left for the memory
  output logic            written_o,        // and no further job has started
  // A word from outside.
  input  logic                   write_i,
  input  logic [AddressBits-1:0] address_i,
  input  logic [Bits-1:0]        data_i,
  // To the memory's copy for T, and a cycle later to the others, to table and exponents.
  output logic                   write_o,
  output logic [AddressBits-1:0] address_o,
  output logic [Bits-1:0]        data_o,
  output logic                   late_write_o,
  output logic [AddressBits-1:0] late_address_o,
  output logic [Bits-1:0]        late_data_o,
  output logic                   table_write_o,
  output logic                   exponent_o,
  output logic [WindowBits-1:0]  entry_o,
  output logic [PlaceBits:0]      place_o    // {stream or the word's top bit, word}
);
  // `soon_q`: word 0 comes in the next cycle.
  logic [2:0] done_q;  // done_q[i]: i + 1 cycles after array_done_i
  logic       soon_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_q <= '0;
      soon_q <= 1'b0;
    end else begin
      done_q <= {done_q[1:0], array_done_i};
      soon_q <= done_q[2] || word_soon_i;
    end
  end

  // Jobs before their first word: at most one of each stream, and the one just started.
  localparam int unsigned Most = 4;
  localparam int unsigned MostBits = $clog2(Most);
  logic [MostBits:0] started_q, ended_q;
  logic              none_q;
  result_t           head;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      started_q <= '0;
      ended_q   <= '0;
    end else begin
      started_q <= started_q + (MostBits+1)'(job_i);
      ended_q   <= ended_q + (MostBits+1)'(soon_q);
    end
    none_q <= started_q == ended_q && !job_i;
  end
  ram_distributed #(.Bits($bits(result_t)), .Depth(Most)) u_jobs (
    .clk_i, .write_i(job_i), .write_index_i(started_q[MostBits-1:0]), .write_data_i(job_result_i),
    .read_index_i(ended_q[MostBits-1:0]), .read_data_o(head)
  );
  `TOTIENT_ASSERT(Room, !job_i || soon_q || started_q - ended_q < (MostBits+1)'(Most),
                  "more jobs under way than there is room for")
  `TOTIENT_ASSERT(Known, !soon_q || started_q != ended_q, "a result that no job has")

  // Early enough: jobs have several words.
  always_ff @(posedge clk_i) stream_o <= head.stream;
  assign ahead_o   = array_done_i;
  assign settled_o = soon_q;

  /* verilator lint_off UNUSEDSIGNAL */  // its count
  result_t result_q;
  /* verilator lint_on UNUSEDSIGNAL */
  count_t  word_q;
  count_minus_one_t left_q;
  logic    active;
  assign active = !left_q[CountBits];
  always_ff @(posedge clk_i) begin
    if (soon_q) begin
      result_q <= head;
      word_q   <= '0;
    end else begin
      word_q <= word_q + count_t'(1);
    end
    if (!rst_ni) left_q <= '1;
    else if (soon_q) left_q <= head.less;
    else if (active) left_q <= left_q - count_minus_one_t'(1);
    written_o <= given_o && !job_i;
  end
  assign given_o = none_q && !active;

  logic table_write_q, exponent_q;
  logic [WindowBits-1:0] entry_q;
  logic [PlaceBits:0]     place_q;
  // A word comes from outside: registers for a long path. The second one is inverted. A flipped bit
  // in one of them writes nothing.
  logic                   outside_q, inside_q, outside;
  logic [AddressBits-1:0] outside_address_q;
  logic [Bits-1:0]        outside_data_q;
  assign outside = outside_q && !inside_q;
  always_ff @(posedge clk_i) begin
    outside_q         <= write_i && rst_ni;
    inside_q          <= !(write_i && rst_ni);
    outside_address_q <= address_i;
    outside_data_q    <= data_i;
    write_o    <= (active || outside) && rst_ni;
    address_o  <= outside ? outside_address_q
                          : AddressBits'(place(result_q.block, word_q, PlaceBits));
    data_o     <= outside ? outside_data_q : result_q.word ? word_word_i : array_word_i;
    table_write_q <= active && result_q.table_write;
    exponent_q <= active && result_q.exponent;
    entry_q    <= result_q.entry;
    place_q    <= (PlaceBits+1)'(word_q) | {result_q.stream, {PlaceBits{1'b0}}};

    late_write_o   <= write_o && rst_ni;
    late_address_o <= address_o;
    late_data_o    <= data_o;
    table_write_o     <= table_write_q && write_o && rst_ni;
    exponent_o     <= exponent_q && write_o && rst_ni;
    entry_o        <= entry_q;
    place_o        <= place_q;
  end
  `TOTIENT_ASSERT(OneWriter, !(active && outside), "written from outside while not idle")
endmodule

`default_nettype wire
