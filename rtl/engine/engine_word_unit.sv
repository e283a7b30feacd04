// SPDX-License-Identifier: Apache-2.0
// Additions and subtractions of numbers, a word a cycle, with the carry kept between words:
//
//   w = u + v, u - v, 2 u - v or 2 u + v, u + v or u            (engine_pkg::word_e)
//
// in two's complement: words of A and B that there are not are 0, and the sign of the result is
// kept for each stream. Timing: the first word of a job in cycle 0 (`first_i`), then one a cycle;
// the first word of the result is on `word_o` in cycle 2, and `soon_o` is high in cycle 1.
`include "totient_assert.svh"
`default_nettype none

module engine_word_unit
  import engine_pkg::*;
#(
  parameter int unsigned Bits = 18
) (
  input  logic            clk_i,
  input  logic            clear_i,     // forget the signs
  input  logic            first_i,
  input  logic            last_i,      // with the last word
  input  logic            stream_i,
  input  word_e           action_i,
  input  logic            behind_i,    // the word behind the last one of A
  input  logic [Bits-1:0] u_i,
  input  logic [Bits-1:0] v_i,
  output logic            soon_o,
  output logic [Bits-1:0] word_o,
  output logic [1:0]      negative_o,  // sign of each stream's last result
  output logic [1:0]      zero_o       // whether it was 0
);
  logic [1:0]      negative_q, zero_q;
  logic [Bits-1:0] u_q, v_q, sum_q;
  logic            top_q, carry_q, first_q, last_q, last_qq, stream_q, stream_qq, invert;
  logic            nonzero_q, first_qq;
  logic [Bits+1:0] sum;

  assign invert = action_i == WordSubtract
               || (action_i == WordDouble && !negative_q[stream_i]);
  always_ff @(posedge clk_i) begin
    first_q  <= first_i;
    last_q   <= last_i;
    stream_q <= stream_i;
    top_q    <= u_i[Bits-1];
    unique case (action_i)
      WordDouble:   u_q <= {u_i[Bits-2:0], top_q && !first_i};
      WordPower:    u_q <= Bits'(behind_i);
      WordQuarter:  u_q <= Bits'(behind_i) << (Bits - 2);
      default:      u_q <= u_i;
    endcase
    unique case (action_i)
      WordPower, WordQuarter: v_q <= '0;
      WordRestore:            v_q <= negative_q[stream_i] ? v_i : '0;
      default:                v_q <= v_i ^ {Bits{invert}};
    endcase
    // Before the first word the carry is 1 for a subtraction.
    if (first_i) carry_q <= invert;
    else carry_q <= sum[Bits+1];
  end
  assign sum = {1'b0, u_q, 1'b1} + {1'b0, v_q, carry_q};
  always_ff @(posedge clk_i) begin
    sum_q     <= sum[Bits:1];
    first_qq  <= first_q;
    last_qq   <= last_q;
    stream_qq <= stream_q;
    nonzero_q <= (nonzero_q && !first_qq) || sum_q != '0;
    if (last_qq) begin
      negative_q[stream_qq] <= sum_q[Bits-1];
      zero_q[stream_qq]     <= !((nonzero_q && !first_qq) || sum_q != '0);
    end
    if (clear_i) negative_q <= '0;
  end
  assign soon_o     = first_q;
  assign word_o     = sum_q;
  assign negative_o = negative_q;
  assign zero_o     = zero_q;
endmodule

`default_nettype wire
