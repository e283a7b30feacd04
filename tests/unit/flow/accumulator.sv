// SPDX-License-Identifier: Apache-2.0
// A register that adds its input to itself each cycle: the smallest design with a clock path.
`default_nettype none
module accumulator #(
  parameter int unsigned Width = 8  // 4 to 64
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic [Width-1:0] a_i,
  output logic      [Width-1:0] sum_o
);
  if (Width > 64) begin : gen_refused
    $fatal(1, "Width must be at most 64");
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) sum_o <= '0;
    else sum_o <= sum_o + a_i;
  end
endmodule
`default_nettype wire
