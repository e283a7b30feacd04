// SPDX-License-Identifier: Apache-2.0
// Multiplier with a register at its inputs and `Stages - 1` after it, which a synthesis tool may
// move into the product; a product a cycle:
//
//   product(t + Stages) = x(t) y(t)
//
// Bounds: any x, y below 2^Width, unsigned.
// Cycles: Stages from `valid_i` to `valid_o`.
// Source: the multiplier core of Becannon et al., whose latency they do not print.
`include "totient_assert.svh"
`default_nettype none

module pipelined_multiplier #(
  parameter int unsigned Width  = 32,  // of a factor: >= 2
  parameter int unsigned Stages = 14   // registers: 2 to 32
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               clear_i,  // abort, overwrite
  input  logic               valid_i,
  input  logic [Width-1:0]   x_i,
  input  logic [Width-1:0]   y_i,
  output logic               valid_o,
  output logic [2*Width-1:0] product_o
);
  `TOTIENT_REQUIRE(Width, Width >= 2, "Width must be at least 2")
  `TOTIENT_REQUIRE(Stages, Stages >= 2 && Stages <= 32, "Stages must be 2 to 32")

  localparam int unsigned Later = Stages >= 2 ? Stages - 1 : 1;  // after the inputs' registers
  logic [Stages-1:0]             valid_q;
  logic [Width-1:0]              x_q, y_q;
  logic [Later-1:0][2*Width-1:0] product_q;
  assign valid_o   = valid_q[Stages-1];
  assign product_o = product_q[Later-1];
  always_ff @(posedge clk_i) begin
    valid_q      <= Stages'({valid_q, valid_i});
    x_q          <= x_i;
    y_q          <= y_i;
    product_q[0] <= (2 * Width)'(x_q) * (2 * Width)'(y_q);
    for (int unsigned i = 1; i < Later; i++) product_q[i] <= product_q[i-1];
    if (!rst_ni || clear_i) {valid_q, x_q, y_q, product_q} <= '0;
  end
endmodule

`default_nettype wire
