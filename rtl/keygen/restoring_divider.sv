// SPDX-License-Identifier: Apache-2.0
// Division of a long number by a short one, most significant bit first:
//
//   dividend = quotient divisor + remainder,   0 <= remainder < divisor
//
// Each step takes in a bit of the dividend and takes the divisor off what there is, if it fits.
//
// Bounds: the dividend has at most `bits_i` bits, its words are zero from there on; 1 <= divisor.
// Cycles: bits_i + 3 from `start_i` to `valid_o`.
// Source: restoring division, as in the RSA IP of Becannon et al.
`include "totient_assert.svh"
`default_nettype none

module restoring_divider
  import totient_pkg::*;
#(
  parameter int unsigned DividendBits = 1024,  // at most, >= 1
  parameter int unsigned DivisorBits  = 32,    // at most, >= 1
  localparam int unsigned IndexBits   = operand_index_bits(DividendBits),
  localparam int unsigned LengthBits  = count_bits(DividendBits)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   clear_i,    // abort, overwrite
  input  logic                   start_i,
  input  logic [LengthBits-1:0]  bits_i,     // with start_i: >= 1
  input  logic [DivisorBits-1:0] divisor_i,  // as long as it works
  // The dividend: word `index_o` comes in the next cycle
  output logic [IndexBits-1:0]   index_o,
  input  logic [31:0]            word_i,
  // The quotient, a word at a time, highest first
  output logic                   write_o,
  output logic [IndexBits-1:0]   write_index_o,
  output logic [31:0]            word_o,
  output logic                   valid_o,      // for one cycle
  output logic [DivisorBits-1:0] remainder_o   // from valid_o to the next start
);
  `TOTIENT_REQUIRE(Bits, DividendBits >= 1 && DivisorBits >= 1, "there must be a bit")

  // A word's bits leave at the top, and those of the quotient come in at the bottom.
  logic [31:0]            word_q, shifted;
  logic [4:0]             place_q;  // of the bit that is next
  logic [LengthBits-1:0]  left_q;   // bits still to come
  logic [DivisorBits-1:0] rest_q;
  logic                   first_q, busy_q, end_q, bit_in, fits;
  logic [DivisorBits:0]   rest, reduced;
  // The first word begins in its middle, where the dividend does.
  assign shifted     = first_q || place_q == 5'd31 ? word_i : word_q;
  assign bit_in      = first_q ? word_i[place_q] : shifted[31];
  assign rest        = {rest_q, bit_in};
  assign reduced     = rest - {1'b0, divisor_i};
  assign fits        = rest >= {1'b0, divisor_i};
  assign remainder_o = rest_q;
  assign word_o      = word_q;

  logic index_late_q;  // the index went out in the cycle before
  always_ff @(posedge clk_i) begin
    write_o      <= 1'b0;
    valid_o      <= end_q;
    end_q        <= 1'b0;
    index_late_q <= start_i;
    if (start_i) begin
      left_q        <= bits_i;
      place_q       <= 5'(bits_i - LengthBits'(1));
      index_o       <= IndexBits'((bits_i - LengthBits'(1)) >> 5);
      write_index_o <= IndexBits'((bits_i - LengthBits'(1)) >> 5);
      rest_q        <= '0;
      first_q       <= 1'b1;
    end
    if (index_late_q) begin
      busy_q  <= 1'b1;
      index_o <= index_o - IndexBits'(1);
    end
    if (busy_q) begin
      first_q <= 1'b0;
      rest_q  <= DivisorBits'(fits ? reduced : rest);
      // What is above the first bit of the first word is no part of the quotient.
      word_q  <= first_q ? {(shifted << (5'd31 - place_q)) << 1} | 32'(fits)
                         : {shifted[30:0], fits};
      left_q  <= left_q - LengthBits'(1);
      place_q <= place_q - 5'd1;
      if (place_q == 5'd0) begin
        write_o <= 1'b1;
        if (left_q != LengthBits'(1)) index_o <= index_o - IndexBits'(1);
      end
      if (left_q == LengthBits'(1)) begin
        busy_q <= 1'b0;
        end_q  <= 1'b1;
      end
    end
    if (write_o) write_index_o <= write_index_o - IndexBits'(1);
    if (!rst_ni || clear_i) begin
      {busy_q, index_late_q, first_q, end_q, write_o, valid_o} <= '0;
      {word_q, rest_q, left_q, place_q, index_o, write_index_o} <= '0;
    end
  end

  `TOTIENT_ASSERT(DivisorNotZero, !(busy_q && divisor_i == '0), "division by zero")
  `TOTIENT_ASSERT(Below, !(valid_o && remainder_o >= divisor_i), "the remainder is too large")
endmodule

`default_nettype wire
