// SPDX-License-Identifier: Apache-2.0
// Conventional bit-serial Montgomery multiplier, R = 2^(Width + 2): two full adders for each bit of
// the parallel operand,
//
//   p = 0;  for each bit of a, lowest first:  q = (p + a_i b) mod 2;  p = (p + a_i b + q m) / 2
//
// with p as a sum and two carries per column. Both a_i and q_i reach all columns in the cycle in
// which q_i is found. After Width + 2 cycles p is the product. It leaves bit by bit in as many
// cycles again, while the carries settle.
//
// Bounds, operands and schedule: as for modmul_digit_serial with DigitBits = 1, Slots = 1, Links =
// 0, which it can replace.
// Source:    O. Nibouche et al., Algorithm 2, Structure 1.
`include "totient_assert.svh"
`default_nettype none

module modmul_bit_serial #(
  parameter int unsigned Width = 1024
) (
  input  logic clk_i,
  input  logic low_i,
  input  logic shift_i,
  input  logic load_modulus_i,
  input  logic a_i,
  input  logic chain_i,
  output logic product_o
);
  localparam int unsigned Columns = Width + 1;  // operands are below 2^(Width + 1)

  `TOTIENT_REQUIRE(Width, Width >= 8 && Width <= contract_pkg::MaxBits, "Width must be 8 to 4096")

  logic [Columns-1:0] b_q, m_q, s_q, carry_a_q, carry_m_q;
  logic [Columns-1:0] with_a, with_m;  // sums after a_i b, after q_i m
  logic               q;
  assign with_a = s_q ^ carry_a_q ^ ({Columns{a_i}} & b_q);
  assign q      = low_i & (with_a[0] ^ carry_m_q[0]);
  assign with_m = with_a ^ carry_m_q ^ ({Columns{q}} & m_q);

  always_ff @(posedge clk_i) begin
    product_o <= with_m[0];
    s_q       <= with_m >> 1;
    carry_a_q <= (s_q & carry_a_q) | ((s_q | carry_a_q) & {Columns{a_i}} & b_q);
    carry_m_q <= (with_a & carry_m_q) | ((with_a | carry_m_q) & {Columns{q}} & m_q);
    if (shift_i) b_q <= {chain_i, b_q[Columns-1:1]};
    if (load_modulus_i) m_q <= b_q;
  end
endmodule

`default_nettype wire
