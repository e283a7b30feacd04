// SPDX-License-Identifier: Apache-2.0
// One element of the array: a step of a Montgomery product, on words that flow through. With
// r = 2^Bits, the multiplier's digit a, the multiplicand's words b[j], the modulus' words x[j], and
// from the previous element its words t[j] and the product p of its quotient digit with x:
//
//   s    = t + p r^(QuotientDelay - 1) + a b
//   q    = s mod r
//   t'   = (s - q) / r,  p' = q x            (words t'[0], t'[1], ...)
//
// t' + p' r^(QuotientDelay - 1) is (T + a b + q M) / r for T = t + p r^(QuotientDelay - 1) and a
// modulus M = x r^QuotientDelay - 1. M is -1 mod r, so that the quotient digit q requires no
// multiplication. The multiplier's pipeline delivers its product when the next element has reached
// word QuotientDelay - 1, and adds it there (H. Orup's quotient pipelining, IEEE ARITH-12, 1995,
// laid out over words as in A. F. Tenca and C. K. Koc's scalable array, CHES 1999).
//
// Streams, each one word per cycle, without gaps within a job; cycle 0 is that of start_i and b[0]:
//   a_i        cycle 0; a digit moves one element per cycle, the words one element in two cycles:
//              digit i enters i cycles after the words at element 0, and meets them at element i
//   b_i        b[j] in cycle j; the last one, b[Words-1], is 0
//   x_i        x[j] in cycle 6 + j; 0 from cycle Words on
//   t_i        t[j] in cycle 5 + j; t[Words-1] is 0
//   p_i        p of x[j], both words of the product, in cycle 7 + j; 0 before the first element
//   t_o        t'[j] in cycle 7 + j, j = 0 .. Words-2, which is cycle 5 + j of the next element;
//              0 as word -1, and while `mute_i`
//   p_o        q x[j] in cycle 9 + j, which is cycle 7 + j of the next element
//   s_o        s[j] in cycle 5 + j
// While `last_i`, it is the last one of a shorter ring: it gives no digit of a to the next one.
// While `behind_i`, it is that next one: s is the ring's result, and the job ends here.
// Bounds: if T + a b + q M < r^Words, no carry remains after the last word. A job has at least
//         QuotientDelay + 2 words, and at least as many as there are elements before it.
`include "totient_assert.svh"
`default_nettype none

module engine_element #(
  parameter int unsigned Bits = 18,                              // of a digit
  parameter int unsigned Form = registered_pkg::RegisteredInferred,  // of the multipliers
  parameter string       Chain = ""                              // likewise
) (
  input  logic            clk_i,
  input  logic            start_i,
  input  logic [Bits-1:0] a_i,
  input  logic [Bits-1:0] b_i,
  input  logic [Bits-1:0] x_i,
  input  logic [Bits-1:0] t_i,
  input  logic [2*Bits-1:0] p_i,
  input  logic            mute_i,
  input  logic            last_i,
  input  logic            behind_i,
  output logic            start_o,
  output logic [Bits-1:0] a_o,
  output logic [Bits-1:0] b_o,
  output logic [Bits-1:0] x_o,
  output logic [Bits-1:0] t_o,
  output logic [2*Bits-1:0] p_o,
  output logic [Bits-1:0] s_o
);
  // To the next element.
  logic [Bits-1:0] a_q, b_q, b_qq, x_q, x_qq;
  logic [4:0] start_q;  // start_q[i]: i + 1 cycles after start_i
  always_ff @(posedge clk_i) begin
    a_q  <= a_i;
    b_q  <= b_i;
    b_qq <= b_q;
    x_q  <= x_i;
    x_qq <= x_q;
    start_q <= {start_q[3:0], start_i};
    if (last_i) a_q <= '0;
    if (behind_i) start_q[1] <= 1'b0;
  end
  assign start_o = start_q[1];
  assign a_o = a_q;
  assign b_o = b_qq;
  assign x_o = x_qq;

  logic [2*Bits-1:0] ab, qx;
  logic [Bits-1:0] q_q;
  multiply_registered #(
    .Bits(Bits), .Form(Form), .Chain(Chain), .ChainFolded(1'b1)
  ) u_ab (
    .clk_i, .x_enable_i(start_i), .x_i(a_i), .y_i(b_i), .product_o(ab)
  );
  multiply_registered #(
    .Bits(Bits), .Form(Form), .Chain(Chain == "" ? "" : {Chain, "+1"}), .ChainFolded(1'b1)
  ) u_qx (
    .clk_i, .x_enable_i(1'b1), .x_i(q_q), .y_i(x_i), .product_o(qx)
  );

  // Words of s, in four sums. The high words of both products have the place of the next word, so
  // they are added first. Each adder keeps its carry for the next word. In an adder's lowest bit, 1
  // and the carry make a carry into the word.
  logic [Bits:0] high_q, low_q, both_q, s;
  logic [Bits-1:0] p_low_q, t_q;
  logic carry_q;
  function automatic logic [Bits:0] add(logic [Bits-1:0] u, logic [Bits-1:0] v, logic carry);
    return (Bits+1)'(({1'b0, u, 1'b1} + {1'b0, v, carry}) >> 1);
  endfunction
  assign s = add(both_q[Bits-1:0], t_i, carry_q);
  always_ff @(posedge clk_i) begin
    high_q  <= add(ab[2*Bits-1:Bits], p_i[2*Bits-1:Bits], high_q[Bits]);
    low_q   <= add(ab[Bits-1:0], high_q[Bits-1:0], low_q[Bits]);
    p_low_q <= p_i[Bits-1:0];
    both_q  <= add(low_q[Bits-1:0], p_low_q, both_q[Bits]);
    carry_q <= s[Bits];
    if (start_q[4] || mute_i) t_q <= '0;
    else t_q <= s[Bits-1:0];
    if (start_q[4]) q_q <= s[Bits-1:0];
  end
  assign t_o = t_q;
  assign p_o = qx;
  assign s_o = s[Bits-1:0];
endmodule

`default_nettype wire
