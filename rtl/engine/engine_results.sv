// SPDX-License-Identifier: Apache-2.0
// Writes what comes out of the array and out of the word unit, job by job in the order of their
// start, or what comes from outside while there are none. A result's word 0 comes 5 cycles after
// `array_done_i`, or in the cycle after `word_soon_i`; the others follow, one a cycle. They can be
// read two cycles later where T is read, and three cycles later elsewhere (`late_*_o`).
`include "totient_assert.svh"
`default_nettype none

module engine_results
  import engine_pkg::*;
#(
  parameter int unsigned Bits        = 18,
  parameter int unsigned PlaceBits    = 7,   // of a word's place in a block
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
  // What the next jobs want to know (engine_issue.sv).
  output logic            ahead_o,
  output logic            settled_o,
  output logic            stream_o,         // of `ahead_o`
  output logic            settled_stream_o,
  output logic            written_o,
  // A word from outside.
  input  logic                   write_i,
  input  logic [AddressBits-1:0] address_i,
  input  logic [Bits-1:0]        data_i,
  // To the memory's copy for T; a cycle later to the others, to table and exponents.
  output logic                   write_o,
  output logic [AddressBits-1:0] address_o,
  output logic [Bits-1:0]        data_o,
  output logic                   late_write_o,
  output logic [AddressBits-1:0] late_address_o,
  output logic [Bits-1:0]        late_data_o,
  output logic                   tabulate_o,
  output logic                   exponent_o,
  output logic [WindowBits-1:0]  entry_o,
  output logic [PlaceBits:0]      place_o    // {stream or the word's top bit, word}
);
  // `soon`: word 0 comes in the next cycle.
  logic [3:0] done_q;  // done_q[i]: i + 1 cycles after array_done_i
  logic       soon;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) done_q <= '0;
    else done_q <= {done_q[2:0], array_done_i};
  end
  assign soon = done_q[3] || word_soon_i;

  // Jobs without their first word; never more than one of each stream, and the one just started.
  localparam int unsigned Most = 4;
  result_t    next_q[Most];
  logic [2:0] count_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
    end else begin
      count_q <= count_q + 3'(job_i) - 3'(soon);
    end
    for (int unsigned i = 0; i < Most; i++) begin
      if (soon && i + 1 < Most) next_q[i] <= next_q[(i+1)%Most];
      if (job_i && count_q - 3'(soon) == 3'(i)) next_q[i] <= job_result_i;
    end
  end
  `TOTIENT_ASSERT(Room, !job_i || soon || count_q < 3'(Most),
                  "more jobs under way than there is room for")
  `TOTIENT_ASSERT(Known, !soon || count_q != '0, "a result that no job has")

  assign stream_o = next_q[0].stream;
  assign ahead_o  = array_done_i;

  /* verilator lint_off UNUSEDSIGNAL */  // its count
  result_t result_q;
  /* verilator lint_on UNUSEDSIGNAL */
  count_t  word_q, left_q;
  logic    active_q;
  always_ff @(posedge clk_i) begin
    if (soon) begin
      result_q <= next_q[0];
      word_q   <= '0;
      left_q   <= next_q[0].count - count_t'(1);
    end else begin
      word_q <= word_q + count_t'(1);
      left_q <= left_q - count_t'(1);
    end
    if (!rst_ni) active_q <= 1'b0;
    else if (soon) active_q <= next_q[0].count != '0;
    else if (left_q == '0) active_q <= 1'b0;
    settled_o <= soon && rst_ni;
    settled_stream_o <= next_q[0].stream;
  end
  assign written_o = count_q == '0 && !active_q && !job_i && !write_o;

  logic tabulate_q, exponent_q;
  logic [WindowBits-1:0] entry_q;
  logic [PlaceBits:0]     place_q;
  always_ff @(posedge clk_i) begin
    write_o    <= (active_q || write_i) && rst_ni;
    address_o  <= write_i ? address_i : AddressBits'(place(result_q.block, word_q, PlaceBits));
    data_o     <= write_i ? data_i : result_q.word ? word_word_i : array_word_i;
    tabulate_q <= active_q && result_q.tabulate;
    exponent_q <= active_q && result_q.exponent;
    entry_q    <= result_q.entry;
    place_q    <= (PlaceBits+1)'(word_q) | {result_q.stream, {PlaceBits{1'b0}}};

    late_write_o   <= write_o && rst_ni;
    late_address_o <= address_o;
    late_data_o    <= data_o;
    tabulate_o     <= tabulate_q && write_o && rst_ni;
    exponent_o     <= exponent_q && write_o && rst_ni;
    entry_o        <= entry_q;
    place_o        <= place_q;
  end
  `TOTIENT_ASSERT(OneWriter, !(active_q && write_i), "written from outside while not idle")
endmodule

`default_nettype wire
