// SPDX-License-Identifier: Apache-2.0
// Register between two streams that cuts every path between them, with a single register. It is
// ready when it is empty, so at most one word passes every two cycles. For a word per cycle use
// stream_register.sv, which has twice the registers.
`include "totient_assert.svh"
`default_nettype none

module stream_half_buffer #(
  parameter int unsigned Bits = 32
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            valid_i,
  output logic            ready_o,
  input  logic [Bits-1:0] data_i,
  output logic            valid_o,
  input  logic            ready_i,
  output logic [Bits-1:0] data_o
);
  assign ready_o = !valid_o;

  always_ff @(posedge clk_i) begin
    if (ready_o) begin
      valid_o <= valid_i;
      data_o  <= data_i;
    end else if (ready_i) begin
      valid_o <= 1'b0;
    end
    if (!rst_ni) begin
      valid_o <= 1'b0;
      data_o  <= '0;
    end
  end

  `TOTIENT_ASSERT_STABLE(InputStable, valid_i, ready_o, data_i)
  `TOTIENT_ASSERT_STABLE(OutputStable, valid_o, ready_i, data_o)
endmodule

`default_nettype wire
