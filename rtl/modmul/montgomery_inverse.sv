// SPDX-License-Identifier: Apache-2.0
// Montgomery's constant of the lowest word of an odd modulus:
//
//   n' = -n^-1 mod 2^WordBits
//
// One bit per cycle: if bit i of n * n' is still 0, bit i of n' is set, which adds n 2^i, until
// n * n' = -1 mod 2^WordBits.
//
// Cycles: WordBits from `start_i` to `done_o`; `inverse_o` holds until the next start.
// Source: S. R. Dusse and B. S. Kaliski, "A cryptographic library for the Motorola DSP56000", 1990.
`include "totient_assert.svh"
`default_nettype none

module montgomery_inverse #(
  parameter int unsigned WordBits = 16  // >= 2
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clear_i,
  input  logic                start_i,
  input  logic [WordBits-1:0] n_i,       // odd; must hold while the unit works
  output logic                done_o,    // idle, `inverse_o` belongs to the last start
  output logic [WordBits-1:0] inverse_o
);
  `TOTIENT_REQUIRE(WordBits, WordBits >= 2, "WordBits must be at least 2")

  logic [WordBits-1:0] mask_q;     // the bit being decided; 0 when done
  logic [WordBits-1:0] shifted_q;  // n 2^i
  logic [WordBits-1:0] product_q;  // n n' so far
  logic                missing;
  assign missing = (product_q & mask_q) == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      mask_q    <= '0;
      shifted_q <= '0;
      product_q <= '0;
      inverse_o <= '0;
    end else if (start_i) begin
      mask_q    <= WordBits'(1);
      shifted_q <= n_i;
      product_q <= '0;
      inverse_o <= '0;
    end else if (!done_o) begin
      mask_q    <= mask_q << 1;
      shifted_q <= shifted_q << 1;
      if (missing) begin
        product_q <= product_q + shifted_q;
        inverse_o <= inverse_o | mask_q;
      end
    end
  end
  assign done_o = mask_q == '0;

  `TOTIENT_ASSERT(Odd, !start_i || n_i[0], "the modulus must be odd")
  `TOTIENT_ASSERT(Inverse, mask_q[WordBits-1] && !clear_i && !start_i |=>
                  WordBits'(inverse_o * $past(n_i)) == {WordBits{1'b1}}, "n n' is not -1")
endmodule

`default_nettype wire
