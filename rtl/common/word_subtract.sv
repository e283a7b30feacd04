// SPDX-License-Identifier: Apache-2.0
// One word of a subtraction word by word, lowest first:
//   {borrow_o, difference_o} = minuend_i - subtrahend_i - borrow_i  (modulo 2^(Bits + 1)).
// Combinational. The borrow enters as a bit below the lowest, so that tools see one subtraction of
// two operands: one carry chain instead of two.
`include "totient_assert.svh"
`default_nettype none

module word_subtract #(
  parameter int unsigned Bits = 32
) (
  input  logic [Bits-1:0] minuend_i,
  input  logic [Bits-1:0] subtrahend_i,
  input  logic            borrow_i,
  output logic [Bits-1:0] difference_o,
  output logic            borrow_o  // minuend < subtrahend + borrow_i
);
  `TOTIENT_REQUIRE(Bits, Bits >= 1, "Bits must be at least 1")

  logic unused_lowest;
  assign {borrow_o, difference_o, unused_lowest} =
      {1'b0, minuend_i, 1'b0} - {1'b0, subtrahend_i, borrow_i};
endmodule

`default_nettype wire
