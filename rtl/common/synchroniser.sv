// SPDX-License-Identifier: Apache-2.0
// Two flip-flops between a signal of another clock and logic of this one. The first one may become
// metastable; it has a cycle to settle before the second one samples it. Bits are independent: of
// two that change together one may arrive a cycle before the other.
//
// ASYNC_REG: Vivado keeps both, and places them close to each other. No reset: the output after a
// reset is an earlier level, never one that was not sent.
`include "totient_assert.svh"
`default_nettype none

module synchroniser #(
  parameter int unsigned Bits = 1  // >= 1
) (
  input  logic            clk_i,
  input  logic [Bits-1:0] data_i,  // from registers of another clock, or asynchronous
  output logic [Bits-1:0] data_o
);
  `TOTIENT_REQUIRE(Bits, Bits >= 1, "Bits must be at least 1")

  (* ASYNC_REG = "TRUE" *) logic [Bits-1:0] first_q, second_q;
  assign data_o = second_q;

  always_ff @(posedge clk_i) begin
    first_q  <= data_i;
    second_q <= first_q;
  end
endmodule

`default_nettype wire
