// SPDX-License-Identifier: Apache-2.0
// Montgomery multiplication bit by bit, lowest first, with one step for each bit of the modulus:
//
//   p = 0;  for each bit a[i] below L:  q = (p + a[i] b) mod 2;  p = (p + a[i] b + q n) / 2
//   product = p, minus n if p >= n  =  a b / 2^L mod n,   L = bits of n
//
// Bounds:  n odd, 0 <= a, b < n, else `error_o` reports the error and the product is 0. p stays
//          below n + b < 2 n. The operands are stored: the inputs may change after the request.
// Cycles:  from the cycle of the request handshake to the first cycle of `valid_o`:
//            ceil(L / BitsPerCycle) + 6;  4 if the operands are refused
//          It depends on the length of the modulus, which ends the loop, and on no other value. A
//          new request is accepted in the cycle in which the product is taken.
// Structure: one adder of Width + 2 bits, inside the loop and outside. It compares a and b with n,
//          computes b + n, so that a step adds one of 0, b, n, b + n, and subtracts n at the end.
//          The addend is selected a cycle before, by the two lowest bits of the sum.
// Source:  P. L. Montgomery, "Modular multiplication without trial division", 1985, radix 2. The
//          end by a shifted copy of the modulus is from S. Diemert et al., 2014, section 5.1.
`include "totient_assert.svh"
`default_nettype none

module modmul_montgomery_radix2
  import contract_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned Width        = 64,  // bits of the modulus, >= 3
  parameter int unsigned BitsPerCycle = 1    // 1 or 2 steps per cycle
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,    // overwrite every register, drop the operation
  // Operands
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] n_i,
  // Product
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] product_o,
  output error_e           error_o     // ErrNone, ErrModulusEven, ErrBaseNotBelow: a or b is not
);
  localparam int unsigned SumBits = Width + 2;  // below 4 n; signed while n is subtracted

  `TOTIENT_REQUIRE(Width, Width >= 3, "Width must be at least 3")
  `TOTIENT_REQUIRE(Bits, BitsPerCycle == 1 || BitsPerCycle == 2, "BitsPerCycle must be 1 or 2")

  typedef enum logic [2:0] {
    StIdle,
    StFirst,   // p = a: is it below n?
    StSecond,  // p = b: is it?
    StBoth,    // b + n
    StStep,
    StReduce,  // p - n
    StSelect,
    StDone
  } state_e;
  state_e             state_q;
  error_e             error_q;
  logic               below_q;  // p was below n in the comparison
  logic [Width-1:0]   a_q, b_q, n_q;
  logic [Width-1:0]   left_q;   // of the modulus: bits of the remaining steps
  logic [Width:0]     p_q;
  logic [SumBits-1:0] both_q;   // b + n in the loop; before and after it -n - 1, at last p - n
  logic [1:0]         add_q;    // addend: n, b

  // A cycle's first step. Its adder is also used in the other states.
  logic               compares;
  logic [SumBits-1:0] addend, sum;
  assign compares = state_q == StFirst || state_q == StSecond || state_q == StReduce;
  always_comb begin
    unique case (add_q)
      2'b00:   addend = '0;
      2'b01:   addend = SumBits'(b_q);
      2'b10:   addend = SumBits'(n_q);
      default: addend = both_q;
    endcase
  end
  assign sum = SumBits'(p_q) + addend + SumBits'(compares);

  // p after the cycle, and its next addend: n if that makes the sum even.
  logic [Width:0] p_next;
  logic           a_next, last;
  if (BitsPerCycle == 2) begin : gen_second
    logic [SumBits-1:0] second_addend, second_sum;
    logic               unused;
    always_comb begin
      unique case ({sum[1] ^ (a_q[1] & b_q[0]), a_q[1]})
        2'b00:   second_addend = '0;
        2'b01:   second_addend = SumBits'(b_q);
        2'b10:   second_addend = SumBits'(n_q);
        default: second_addend = both_q;
      endcase
    end
    assign second_sum = SumBits'(sum[SumBits-1:1]) + second_addend;
    assign unused     = second_sum[0];
    // If the number of steps is odd, the last one is alone.
    assign p_next = (left_q[Width-1:1] == '0) ? sum[SumBits-1:1] : second_sum[SumBits-1:1];
  end else begin : gen_no_second
    assign p_next = sum[SumBits-1:1];
  end
  assign a_next = a_q[BitsPerCycle];
  assign last   = (left_q >> BitsPerCycle) == '0;

  assign ready_o   = state_q == StIdle || (state_q == StDone && ready_i);
  assign valid_o   = state_q == StDone;
  assign product_o = p_q[Width-1:0];
  assign error_o   = error_q;

  always_ff @(posedge clk_i) begin
    if (compares) below_q <= sum[SumBits-1];
    unique case (state_q)
      StFirst: begin
        p_q     <= (Width + 1)'(b_q);
        state_q <= StSecond;
      end
      StSecond: begin
        if (!below_q) error_q <= ErrBaseNotBelow;
        if (!n_q[0]) error_q <= ErrModulusEven;
        add_q   <= 2'b10;
        state_q <= StBoth;
      end
      StBoth: begin
        both_q  <= sum;
        p_q     <= '0;
        add_q   <= {a_q[0] & b_q[0], a_q[0]};
        state_q <= StStep;
        if (error_q != ErrNone || !below_q) begin
          if (error_q == ErrNone) error_q <= ErrBaseNotBelow;
          state_q <= StDone;
        end
      end
      StStep: begin
        p_q    <= p_next;
        a_q    <= a_q >> BitsPerCycle;
        left_q <= left_q >> BitsPerCycle;
        add_q  <= {p_next[0] ^ (a_next & b_q[0]), a_next};
        if (last) begin
          both_q  <= ~SumBits'(n_q);
          add_q   <= 2'b11;
          state_q <= StReduce;
        end
      end
      StReduce: begin
        both_q  <= sum;
        state_q <= StSelect;
      end
      StSelect: begin
        if (!below_q) p_q <= both_q[Width:0];
        state_q <= StDone;
      end
      default: if (state_q == StDone && ready_i) state_q <= StIdle;
    endcase
    if (valid_i && ready_o) begin
      a_q     <= a_i;
      b_q     <= b_i;
      n_q     <= n_i;
      left_q  <= n_i;
      p_q     <= (Width + 1)'(a_i);
      both_q  <= ~SumBits'(n_i);
      add_q   <= 2'b11;
      error_q <= ErrNone;
      state_q <= StFirst;
    end
    if (!rst_ni || clear_i) begin
      state_q <= StIdle;
      error_q <= ErrNone;
      {a_q, b_q, n_q, left_q, p_q} <= '0;
      {both_q, add_q, below_q}     <= '0;
    end
  end

  `TOTIENT_ASSERT(ProductBelowModulus, !valid_o || error_o != ErrNone || product_o < n_q,
                  "product reached the modulus")
  `TOTIENT_ASSERT(PartialBelowTwice, state_q != StStep || p_q < {n_q, 1'b0},
                  "partial product reached twice the modulus")
  `TOTIENT_ASSERT(NoErrorWithProduct, !valid_o || error_o == ErrNone || product_o == '0,
                  "a refused product is not 0")
  `TOTIENT_ASSERT_STABLE_UNLESS(ProductStable, valid_o, ready_i, {product_o, error_o}, clear_i)
endmodule

`default_nettype wire
