// SPDX-License-Identifier: Apache-2.0
// Delay of a fixed number of cycles: data_o[t] = data_i[t - Cycles], through plain registers
// without reset. With Cycles = 0 it is a wire.
`default_nettype none

module delay_line #(
  parameter int unsigned Bits   = 1,
  parameter int unsigned Cycles = 1
) (
  input  logic            clk_i,
  input  logic [Bits-1:0] data_i,
  output logic [Bits-1:0] data_o
);
  if (Cycles == 0) begin : gen_wire
    logic unused_clk;
    assign unused_clk = clk_i;
    assign data_o = data_i;
  end else begin : gen_registers
    logic [Cycles-1:0][Bits-1:0] stage_q;
    always_ff @(posedge clk_i) begin
      stage_q[0] <= data_i;
      for (int unsigned i = 1; i < Cycles; i++) stage_q[i] <= stage_q[i-1];
    end
    assign data_o = stage_q[Cycles-1];
  end
endmodule

`default_nettype wire
