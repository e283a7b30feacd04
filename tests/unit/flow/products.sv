// SPDX-License-Identifier: Apache-2.0
// A chain of multiply-accumulates, to fill a device's multipliers or keep the tools busy.
`default_nettype none
module products #(
  parameter int unsigned Count = 1
) (
  input  wire logic        clk_i,
  input  wire logic [17:0] a_i,
  output logic      [35:0] sum_o
);
  logic [Count:0][17:0] a_q;
  logic [Count:0][35:0] sum_q;
  assign a_q[0]   = a_i;
  assign sum_q[0] = '0;
  assign sum_o    = sum_q[Count];
  for (genvar i = 0; i < Count; i++) begin : gen_product
    always_ff @(posedge clk_i) begin
      a_q[i+1]   <= {a_q[i][16:0], a_q[i][17] ^ a_q[i][3]};
      sum_q[i+1] <= a_q[i] * (a_q[i] ^ 18'd77) + sum_q[i];
    end
  end
endmodule
`default_nettype wire
