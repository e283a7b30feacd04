// SPDX-License-Identifier: Apache-2.0
// Quotient and remainder of numbers in registers, by restoring division, a bit a cycle:
//
//   dividend = quotient divisor + remainder,   0 <= remainder < divisor
//
// Each step shifts in a bit of the dividend and takes the divisor off, if it fits.
//
// Bounds: 1 <= divisor.
// Cycles: DividendBits + 1 from `start_i` to `valid_o`, whatever the values.
// Source: the modulus module of Becannon et al. (figure 2).
`include "totient_assert.svh"
`default_nettype none

module restoring_modulo
  import totient_pkg::*;
#(
  parameter int unsigned DividendBits = 64,  // >= 2
  parameter int unsigned DivisorBits  = 32   // 1 to DividendBits
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    clear_i,    // abort, overwrite
  input  logic                    start_i,
  input  logic [DividendBits-1:0] dividend_i, // with start_i
  input  logic [DivisorBits-1:0]  divisor_i,  // as long as it works
  output logic                    valid_o,    // for one cycle
  output logic [DividendBits-1:0] quotient_o, // from valid_o to the next start
  output logic [DivisorBits-1:0]  remainder_o
);
  `TOTIENT_REQUIRE(Dividend, DividendBits >= 2, "DividendBits must be at least 2")
  `TOTIENT_REQUIRE(Divisor, DivisorBits >= 1 && DivisorBits <= DividendBits,
                   "DivisorBits must be 1 to DividendBits")
  localparam int unsigned CountBits = count_bits(DividendBits);

  // Bits of the dividend leave at the top, and those of the quotient come in at the bottom.
  logic [DividendBits-1:0] word_q;
  logic [DivisorBits-1:0]  rest_q;
  logic [CountBits-1:0]    left_q;  // bits still to come
  logic [DivisorBits:0]    rest, reduced;
  logic                    fits;
  assign rest        = {rest_q, word_q[DividendBits-1]};
  assign reduced     = rest - {1'b0, divisor_i};
  assign fits        = rest >= {1'b0, divisor_i};
  assign quotient_o  = word_q;
  assign remainder_o = rest_q;

  always_ff @(posedge clk_i) begin
    valid_o <= 1'b0;
    if (start_i) begin
      word_q <= dividend_i;
      rest_q <= '0;
      left_q <= CountBits'(DividendBits);
    end else if (left_q != '0) begin
      word_q  <= {word_q[DividendBits-2:0], fits};
      rest_q  <= DivisorBits'(fits ? reduced : rest);
      left_q  <= left_q - CountBits'(1);
      valid_o <= left_q == CountBits'(1);
    end
    if (!rst_ni || clear_i) begin
      valid_o <= 1'b0;
      {word_q, rest_q, left_q} <= '0;
    end
  end

  `TOTIENT_ASSERT(DivisorNotZero, !(left_q != '0 && divisor_i == '0), "division by zero")
  `TOTIENT_ASSERT(Below, !(valid_o && remainder_o >= divisor_i), "the remainder is too large")
endmodule

`default_nettype wire
