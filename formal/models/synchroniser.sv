// SPDX-License-Identifier: Apache-2.0
// For proofs, in place of rtl/common/synchroniser.sv: the first flip-flop of each bit may miss a
// change at the first edge after it, like a metastable one. Bits that change together may therefore
// arrive together or apart.
`default_nettype none

module synchroniser #(
  parameter int unsigned Bits = 1
) (
  input  logic            clk_i,
  input  logic [Bits-1:0] data_i,
  output logic [Bits-1:0] data_o
);
  logic [Bits-1:0] misses;  // undriven: any value at any edge
  logic [Bits-1:0] before_q, first_q, second_q;
  assign data_o = second_q;

  always_ff @(posedge clk_i) begin
    before_q <= data_i;
    first_q  <= (before_q & misses) | (data_i & ~misses);
    second_q <= first_q;
  end
endmodule

`default_nettype wire
