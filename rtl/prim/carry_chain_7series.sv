// SPDX-License-Identifier: Apache-2.0
// One carry chain of a 7-series device, made of CARRY4 cells:
//
//   sum[i] = propagate[i] ^ c[i],   c[0] = carry,   c[i+1] = propagate[i] ? c[i] : direct[i]
//
// With propagate = a ^ b and direct = a it is the sum a + b + carry. The logic in front of
// `propagate_i` shares the LUT of its position, which an inferred adder does not achieve.
`include "totient_assert.svh"
`default_nettype none

module carry_chain_7series #(
  parameter int unsigned Bits = 16  // >= 1
) (
  input  logic            carry_i,
  input  logic [Bits-1:0] direct_i,
  input  logic [Bits-1:0] propagate_i,
  output logic [Bits-1:0] sum_o
);
  `TOTIENT_REQUIRE(Bits, Bits >= 1, "Bits must be at least 1")

  localparam int unsigned Cells = (Bits + 3) / 4;
  logic [4*Cells-1:0] direct, propagate, sum;
  assign direct    = (4 * Cells)'(direct_i);
  assign propagate = (4 * Cells)'(propagate_i);

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    logic [3:0] carry;
    logic       unused;
    assign unused = ^carry;
    if (i == 0) begin : gen_first
      CARRY4 u_carry (
        .CI(1'b0), .CYINIT(carry_i), .DI(direct[3:0]), .S(propagate[3:0]), .O(sum[3:0]),
        .CO(carry)
      );
    end else begin : gen_next
      CARRY4 u_carry (
        .CI(gen_cell[i-1].carry[3]), .CYINIT(1'b0), .DI(direct[4*i+:4]), .S(propagate[4*i+:4]),
        .O(sum[4*i+:4]), .CO(carry)
      );
    end
  end
  assign sum_o = sum[Bits-1:0];

  // The last cell's upper positions, and all carries but each cell's last.
  logic unused;
  assign unused = ^sum;
endmodule

`default_nettype wire
