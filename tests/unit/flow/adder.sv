// SPDX-License-Identifier: Apache-2.0
// A register that adds its input to itself, of any width: a path through as many carries.
`default_nettype none
module adder #(
  parameter int unsigned Width = 8
) (
  input  wire logic             clk_i,
  input  wire logic [Width-1:0] a_i,
  output logic      [Width-1:0] sum_o
);
  always_ff @(posedge clk_i) sum_o <= sum_o + a_i;
endmodule
`default_nettype wire
