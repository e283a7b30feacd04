// SPDX-License-Identifier: Apache-2.0
// Register between two streams that cuts every path between them, `ready` included. One word passes
// per cycle. A second register holds the word that arrives before `ready` has gone low.
`include "totient_assert.svh"
`default_nettype none

module stream_register #(
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
  logic            spare_q;  // the second register is in use
  logic [Bits-1:0] spare_data_q;
  assign ready_o = !spare_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_o      <= 1'b0;
      spare_q      <= 1'b0;
      data_o       <= '0;
      spare_data_q <= '0;
    end else begin
      if (ready_o) spare_data_q <= data_i;
      if (!valid_o || ready_i) begin
        valid_o <= spare_q || valid_i;
        data_o  <= spare_q ? spare_data_q : data_i;
        spare_q <= 1'b0;
      end else if (valid_i) begin
        spare_q <= 1'b1;
      end
    end
  end

  `TOTIENT_ASSERT_STABLE(InputStable, valid_i, ready_o, data_i)
  `TOTIENT_ASSERT_STABLE(OutputStable, valid_o, ready_i, data_o)
endmodule

`default_nettype wire
