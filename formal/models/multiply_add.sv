// SPDX-License-Identifier: Apache-2.0
// The multiply_add of proofs, for words of any width, as a solver needs short ones:
//
//   result = x y + u + v + w
`default_nettype none

module multiply_add #(
  parameter int unsigned Bits = 4,
  parameter int unsigned Form = 0  // has no meaning here
) (
  input  logic [Bits-1:0] x_i,
  input  logic [Bits-1:0] y_i,
  input  logic [Bits-1:0] u_i,
  input  logic [Bits-1:0] v_i,
  input  logic [Bits:0]   w_i,
  output logic [2*Bits:0] result_o
);
  localparam int unsigned ResultBits = 2 * Bits + 1;
  assign result_o = ResultBits'(x_i) * ResultBits'(y_i) + ResultBits'(u_i) + ResultBits'(v_i)
                  + ResultBits'(w_i);
endmodule

`default_nettype wire
