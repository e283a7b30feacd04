// SPDX-License-Identifier: Apache-2.0
// Proof of the products of modmul_digit_serial in its plain form (Slots = 1, Links = 0), by
// induction on the steps of operations that follow each other, for all operands and odd moduli:
//
//   Low       digit i of T = a b is the low one of t + a[i] b, for t = floor((t + a[i] b) / r) of
//             the digits before, r = 2^DigitBits. a[i] is 0 behind the last digit
//   Quotient  in the first `Digits` steps the same of u = u + q[i] m has the digit of -T, modulo R
//   Product   digit i of the product leaves in the cycle after step Digits + i. It is that of
//             t + u + (T is not 0 modulo R), which is (T + q m) / R
//   Ends      behind the last digit there is nothing left, and nothing leaves in other steps
//   Shifted   b is the digits that were shifted in, and the modulus a b of before
//
// What is assumed is what the header of the module asks for.
`default_nettype none

module modmul_digit_serial_formal
  import digit_serial_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned Width     = 8,
  parameter int unsigned DigitBits = 2,
  localparam int unsigned Digits   = serial_digits(Width, DigitBits),
  localparam int unsigned Parallel = parallel_digits(Width, DigitBits),
  localparam int unsigned Steps    = 2 * Digits + fill_steps(Width, DigitBits, 1, 0),
  localparam int unsigned OwnBits  = Parallel * DigitBits,  // of b
  localparam int unsigned StepBits = count_bits(Steps)
) (
  input wire logic                 clk_i,
  input wire logic                 first_i,
  input wire logic                 low_i,
  input wire logic                 shift_i,
  input wire logic                 load_modulus_i,
  input wire logic [DigitBits-1:0] a_i,
  input wire logic [DigitBits-1:0] chain_i
);
  typedef logic [OwnBits-1:0]           number_t;
  typedef logic [OwnBits+DigitBits-1:0] sum_t;    // below r times a number
  typedef logic [DigitBits-1:0]         digit_t;
  typedef logic [StepBits-1:0]          step_t;

  digit_t product;
  modmul_digit_serial #(.Width(Width), .DigitBits(DigitBits)) u_dut (
    .clk_i, .first_i, .low_i, .shift_i, .load_modulus_i, .a_i, .chain_i, .product_o(product)
  );

  // Steps: `Steps` when no operation is under way. A first one may come at once.
  logic  begun_q = 1'b0;
  step_t step_q, step;
  logic  low;
  assign step = first_i ? '0 : (32'(step_q) == Steps) ? step_q : step_q + step_t'(1);
  assign low  = 32'(step) < Digits;

  // b, the modulus, t and u; behind them whether T has had a bit, and the carry of the last sum.
  number_t b_q, m_q, t_q, u_q;
  logic    some_q, carry_q;
  // Of the step before, for u and the sum.
  digit_t  negative_q, digit_q;
  logic    low_q, before_q;  // `some` of then
  logic    some;
  sum_t    t, u, quotient_sum;
  digit_t  negative, expected;
  logic    carry;
  assign some     = some_q && !first_i;
  assign t        = sum_t'(t_q) + sum_t'(a_i) * sum_t'(b_q);
  assign negative = some ? ~digit_t'(t) : digit_t'(-t);
  // q[i] is found bit by bit: m is odd.
  always_comb begin
    quotient_sum = sum_t'(u_q);
    for (int unsigned r = 0; r < DigitBits; r++)
      if (quotient_sum[r] != negative_q[r]) quotient_sum += sum_t'(m_q) << r;
    u = low_q ? quotient_sum : sum_t'(u_q);
    {carry, expected} = {1'b0, digit_q} + {1'b0, digit_t'(u)} + (DigitBits + 1)'(carry_q);
  end

  // By induction: the columns hold t and u as sums and carries,
  typedef logic [OwnBits+1:0] columns_t;
  function automatic columns_t columns(logic [OwnBits-2:0] sums, logic [OwnBits-2:0] carries,
                                       logic sum_zero, logic carry_zero);
    return ((columns_t'(sums) + columns_t'(carries)) << 1) + columns_t'(sum_zero)
           + columns_t'(carry_zero);
  endfunction
  columns_t t_there, u_there;
  logic     registers;
  assign t_there = columns(u_dut.u_product.gen_row[0].gen_class[0].s_in,
                           u_dut.u_product.gen_row[0].gen_class[0].c_in,
                           u_dut.u_product.gen_row[0].s_zero, u_dut.u_product.gen_row[0].c_zero);
  assign u_there = columns(u_dut.u_reduction.gen_row[0].gen_class[0].s_in,
                           u_dut.u_reduction.gen_row[0].gen_class[0].c_in,
                           u_dut.u_reduction.gen_row[0].s_zero,
                           u_dut.u_reduction.gen_row[0].c_zero);
  assign registers = t_there == columns_t'(t_q) && u_there == columns_t'(u_q)
      && {u_dut.b_q[1][0], u_dut.b0_q[1]} == b_q && u_dut.m_q[0] == m_q[OwnBits-1:1]
      && u_dut.gen_row[0].seen_above == some_q && u_dut.u_q == negative_q
      && u_dut.gen_row[0].carry_above == carry_q && u_dut.low == {DigitBits{low_q}};
  digit_t t_later;
  for (genvar r = 0; r < DigitBits; r++) begin : gen_later
    assign t_later[r] = u_dut.gen_row[r].t_later;
  end

  // and what is left of the product, from the digit on that leaves next.
  typedef logic [2*Digits*DigitBits:0] left_t;
  left_t left;
  assign left = (left_t'(t_q) << DigitBits) + left_t'(digit_q) + left_t'(u_q) + left_t'(carry_q);

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    step_q  <= step;
    t_q     <= number_t'(t >> DigitBits);
    u_q     <= number_t'(u >> DigitBits);
    some_q  <= some || digit_t'(t) != '0;
    negative_q <= negative;
    digit_q    <= digit_t'(t);
    low_q      <= low_i;
    carry_q    <= carry;
    before_q   <= some;
    if (shift_i) b_q <= number_t'({chain_i, b_q} >> DigitBits);
    if (load_modulus_i) m_q <= b_q;

    // The rule of the header.
    assume (!first_i || 32'(step_q) >= Steps - 1);
    assume (low_i == low && (low_i || a_i == '0));
    assume (!shift_i || 32'(step) >= Steps - Parallel);
    assume (!load_modulus_i || 32'(step) == Steps);
    if (first_i) assume (b_q >> (Width + 1) == '0 && m_q >> Width == '0 && m_q[0]);

    if (!begun_q) begin  // nothing is under way
      assume (registers && t_later == digit_q && 32'(step_q) == Steps);
      assume ({t_q, u_q, digit_q, some_q, carry_q, negative_q, low_q, before_q} == '0);
    end else begin
      Shifted : assert ({u_dut.b_q[1][0], u_dut.b0_q[1]} == b_q
                        && u_dut.m_q[0] == m_q[OwnBits-1:1]);
      Registers : assert (registers && t_later == digit_q);
      Low : assert (u_dut.t == digit_t'(t));
      Quotient : assert (u_dut.sum == digit_t'(u) && (!low_q || digit_t'(u) == negative_q));
      Product : assert (product == expected);
      Ends : assert (product == '0 || (32'(step_q) >= Digits && 32'(step_q) < 2 * Digits));

      Steps_ : assert (32'(step_q) <= Steps && low_q == (32'(step_q) < Digits));
      Negative : assert (negative_q == (before_q ? ~digit_q : -digit_q));
      Some : assert (some_q == (before_q || digit_q != '0) || 32'(step_q) >= Digits);
      if (32'(step_q) < Digits) begin
        Bounds : assert (b_q >> (Width + 1) == '0 && m_q >> Width == '0 && m_q[0]
                         && t_q <= b_q && u_q <= m_q && carry_q == before_q);
      end else begin
        Left : assert (left >> ((2 * Digits - ((32'(step_q) < 2 * Digits) ? 32'(step_q)
                                               : 2 * Digits)) * DigitBits) == '0);
      end
    end
  end
endmodule

`default_nettype wire
