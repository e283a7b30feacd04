// SPDX-License-Identifier: Apache-2.0
// Rule of one stream (docs/contracts.md, AXI4-Stream): once `valid` is high, it and its payload
// hold until the handshake, or until `drop`. Assumed of an input stream, asserted of an output
// stream of the module under proof.
`default_nettype none

module stream_properties #(
  parameter int unsigned Bits   = 32,
  parameter bit          Assume = 1'b0
) (
  input wire logic            clk_i,
  input wire logic            rst_ni,
  input wire logic            drop_i,  // a reset of this stream alone
  input wire logic            valid_i,
  input wire logic            ready_i,
  input wire logic [Bits-1:0] data_i
);
  logic            waits_q = 1'b0;
  logic [Bits-1:0] data_q;
  always_ff @(posedge clk_i) begin
    waits_q <= rst_ni && !drop_i && valid_i && !ready_i;
    data_q  <= data_i;
  end

  if (Assume) begin : gen_assume
    always_ff @(posedge clk_i) begin
      if (rst_ni && !drop_i && waits_q) Holds : assume (valid_i && data_i == data_q);
    end
  end else begin : gen_assert
    always_ff @(posedge clk_i) begin
      if (rst_ni && !drop_i && waits_q) Holds : assert (valid_i && data_i == data_q);
    end
  end
endmodule

`default_nettype wire
