// SPDX-License-Identifier: Apache-2.0
// More inputs than any package has pins.
`default_nettype none
module pins #(
  parameter int unsigned Width = 400
) (
  input  wire logic             clk_i,
  input  wire logic [Width-1:0] a_i,
  output logic                  parity_o
);
  logic [Width-1:0] a_q;
  always_ff @(posedge clk_i) begin
    a_q      <= a_i;
    parity_o <= ^a_q;
  end
endmodule
`default_nettype wire
