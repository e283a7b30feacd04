// SPDX-License-Identifier: Apache-2.0
// Additions and subtractions of numbers, a word per cycle, with the carry kept between words:
//
//   w = u + v, u - v, 2 u - v or 2 u + v, u + v or u            (engine_pkg::word_op_e)
//
// in two's complement. Words beyond the end of A and B are 0. The sign of the result is kept for
// each stream. Timing: the first word of a job in cycle 0 (`first_i`), then one per cycle. The
// first word of the result is on `word_o` in cycle 2. A job's action and stream are valid from
// cycle -1, and `zero_o` in the cycle after its last word.
`include "totient_assert.svh"
`default_nettype none

module engine_word_unit
  import engine_instruction_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Bits = 18
) (
  input  logic            clk_i,
  input  logic            clear_i,     // clear the signs
  input  logic            first_i,
  input  logic            last_i,      // with the last word
  input  logic            stream_i,    // a cycle before the words
  input  word_op_e        action_i,    // likewise
  input  logic            behind_i,    // the word after the last one of A
  input  logic [Bits-1:0] u_i,
  input  logic [Bits-1:0] v_i,
  output logic [Bits-1:0] word_o,
  output logic [1:0]      negative_o,  // sign of each stream's last result
  output logic [1:0]      zero_o       // whether it was 0
);
  logic [1:0]      negative_q, zero_q;
  logic [Bits-1:0] u_q, v_q, sum_q;
  logic            top_q, carry_q, first_q, first_qq, last_q, last_qq, last_q3;
  logic            stream_q, stream_qq, stream_q3, stream_q4;
  logic [Bits+1:0] sum;

  // Controls of the action, a cycle ahead.
  logic plain_q, double_q, power_q, quarter_q, keep_q, invert_q;
  always_ff @(posedge clk_i) begin
    plain_q   <= action_i == WordAdd || action_i == WordSubtract || action_i == WordRestore;
    double_q  <= action_i == WordDouble;
    power_q   <= action_i == WordPower;
    quarter_q <= action_i == WordQuarter;
    keep_q    <= action_i != WordPower && action_i != WordQuarter
              && (action_i != WordRestore || negative_q[stream_i]);
    invert_q  <= action_i == WordSubtract
              || (action_i == WordDouble && !negative_q[stream_i]);
  end
  always_ff @(posedge clk_i) begin
    stream_q <= stream_i;
    first_q  <= first_i;
    last_q   <= last_i;
    top_q    <= u_i[Bits-1];
    for (int unsigned i = 0; i < Bits; i++) begin
      u_q[i] <= (plain_q && u_i[i])
             || (double_q && ((i == 0) ? top_q && !first_i : u_i[(i + Bits - 1) % Bits]))
             || (power_q && behind_i && i == 0) || (quarter_q && behind_i && i == Bits - 2);
    end
    v_q <= (keep_q ? v_i : '0) ^ {Bits{invert_q}};
    // Before the first word the carry is 1 for a subtraction.
    if (first_i) carry_q <= invert_q;
    else carry_q <= sum[Bits+1];
  end
  assign sum = {1'b0, u_q, 1'b1} + {1'b0, v_q, carry_q};

  // Whether a word is not 0, in two steps.
  localparam int unsigned Parts = (Bits + 3) / 4;
  logic [4*Parts-1:0] padded;
  logic [Parts-1:0] parts_q;
  logic             nonzero_q, nonzero, first_q3;
  assign padded = (4*Parts)'(sum_q);
  assign nonzero = (nonzero_q && !first_q3) || parts_q != '0;
  always_ff @(posedge clk_i) begin
    sum_q     <= sum[Bits:1];
    first_qq  <= first_q;
    last_qq   <= last_q;
    stream_qq <= stream_q;
    for (int unsigned i = 0; i < Parts; i++) parts_q[i] <= padded[4*i+:4] != '0;
    first_q3  <= first_qq;
    last_q3   <= last_qq;
    stream_q3 <= stream_qq;
    stream_q4 <= stream_q3;
    nonzero_q <= nonzero;
    if (last_qq) negative_q[stream_q3] <= sum_q[Bits-1];
    if (last_q3) zero_q[stream_q4] <= !nonzero;
    if (clear_i) negative_q <= '0;
  end
  assign word_o     = sum_q;
  assign negative_o = negative_q;
  assign zero_o     = zero_q;
endmodule

`default_nettype wire
