// SPDX-License-Identifier: Apache-2.0
// A ring of multipliers, two an element, to be laid out along the device's rows of them.
`default_nettype none
module ring #(
  parameter int unsigned Elements = 4,
  parameter bit          Folded   = 1'b1
) (
  input  wire logic        clk_i,
  input  wire logic [17:0] a_i,
  output logic      [17:0] a_o
);
  logic [17:0] to[Elements+1];
  assign to[0] = a_i ^ to[Elements];
  assign a_o   = to[Elements];
  for (genvar i = 0; i < Elements; i++) begin : gen_step
    logic [35:0] first, second;
    multiply_registered #(
      .Form(registered_pkg::RegisteredEcp5), .Chain("gen_step"), .ChainFolded(Folded)
    ) u_first (.clk_i, .x_enable_i(1'b1), .x_i(to[i]), .y_i(to[i]), .product_o(first));
    multiply_registered #(
      .Form(registered_pkg::RegisteredEcp5), .Chain("gen_step"), .ChainFolded(Folded)
    ) u_second (
      .clk_i, .x_enable_i(1'b1), .x_i(to[i]), .y_i(first[35:18]), .product_o(second)
    );
    always_ff @(posedge clk_i) to[i+1] <= second[35:18] ^ first[17:0];
  end
endmodule
`default_nettype wire
