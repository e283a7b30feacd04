// SPDX-License-Identifier: Apache-2.0
// For proofs with two clocks: the time after power-up, 16 cycles of the slower clock. A circulating
// token counts them: each of its half turns has an edge of either clock after one of the other.
`default_nettype none

module power_up (
  input  wire logic a_clk_i,
  input  wire logic b_clk_i,
  output logic      begun_o,    // it is over
  output logic      a_begun_o,  // and has been, at the last edge of this clock
  output logic      b_begun_o
);
  localparam int unsigned HalfTurns = 16;
  logic       a_token_q = 1'b0;
  logic       b_token_q = 1'b0;
  logic [4:0] turns_q   = '0;
  logic       a_begun_q = 1'b0;
  logic       b_begun_q = 1'b0;
  always_ff @(posedge a_clk_i) begin
    a_token_q <= b_token_q;
    a_begun_q <= begun_o;
    if (a_token_q != b_token_q && !begun_o) turns_q <= turns_q + 5'd1;
  end
  always_ff @(posedge b_clk_i) begin
    b_token_q <= !a_token_q;
    b_begun_q <= begun_o;
  end
  assign begun_o   = 32'(turns_q) == HalfTurns;
  assign a_begun_o = a_begun_q;
  assign b_begun_o = b_begun_q;
endmodule

`default_nettype wire
