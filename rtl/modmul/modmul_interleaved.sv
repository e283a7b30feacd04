// SPDX-License-Identifier: Apache-2.0
// Interleaved modular multiplication, most significant bit first (shift, add, reduce):
//
//   p = 0;  for each bit a[i] from the top:  p = 2 p + a[i] b;  subtract n or 2n if it fits
//   product = a b mod n
//
// Bounds:  n >= 1, 0 <= a, b < n (asserted); then 2 p + b < 3 n and the product is below n.
//          `n_i` is not stored: it must hold from the request to the first cycle of `valid_o`
//          (asserted).
// Cycles:  from the cycle of the request handshake to the first cycle of `valid_o`:
//            EarlyEnd = 0:  ceil(Width / BitsPerCycle) + 1, for all operands
//            EarlyEnd = 1:  z + ceil((T - SkipBits z) / BitsPerCycle) + 1,  where
//                           T = BitsPerCycle ceil(Width / BitsPerCycle) and
//                           z = (leading zeros of a in T bits) / SkipBits, rounded down
//          A new request is accepted in the cycle in which the product is taken.
// Source:  G. R. Blakley, "A computer algorithm for calculating the product AB modulo M", 1983.
`include "totient_assert.svh"
`default_nettype none

module modmul_interleaved #(
  parameter int unsigned Width        = 1024,  // bits of the modulus, >= 2
  parameter int unsigned BitsPerCycle = 1,     // 1 or 2 steps per cycle
  parameter bit          EarlyEnd     = 1'b0,  // skip leading zeros of `a` in chunks
  localparam int unsigned SkipBits    = 16
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
  output logic [Width-1:0] product_o
);
  localparam int unsigned Steps = totient_pkg::words_of(Width, BitsPerCycle);
  localparam int unsigned ScanBits = Steps * BitsPerCycle;  // `a` with its leading padding
  localparam int unsigned CountBits = totient_pkg::count_bits(ScanBits);
  localparam int unsigned SumBits = Width + 3;  // 2 p + b - 2 n, signed

  `TOTIENT_REQUIRE(Width, Width >= 2, "Width must be at least 2")
  `TOTIENT_REQUIRE(Bits, BitsPerCycle == 1 || BitsPerCycle == 2, "BitsPerCycle must be 1 or 2")

  logic [ScanBits-1:0]  a_q;
  logic [Width-1:0]     b_q, p_q;
  logic [CountBits-1:0] left_q;     // remaining bits of `a`
  logic                 busy_q, valid_q;

  // BitsPerCycle steps in a row.
  for (genvar step = 0; step < BitsPerCycle; step++) begin : gen_step
    logic [Width-1:0]   p_before, p_after;
    logic [SumBits-1:0] sum, less_n, less_2n;
    if (step == 0) begin : gen_first
      assign p_before = p_q;
    end else begin : gen_next
      assign p_before = gen_step[step-1].p_after;
    end
    assign sum = SumBits'({p_before, 1'b0})
               + (a_q[ScanBits-1-step] ? SumBits'(b_q) : SumBits'(0));
    assign less_n  = sum - SumBits'(n_i);
    assign less_2n = sum - SumBits'({n_i, 1'b0});
    assign p_after = !less_2n[SumBits-1] ? less_2n[Width-1:0]
                   : !less_n[SumBits-1]  ? less_n[Width-1:0] : sum[Width-1:0];
  end

  // While only zeros have been scanned, p is 0 and a whole chunk of zeros changes nothing.
  logic skip;
  if (EarlyEnd && ScanBits >= SkipBits) begin : gen_skip
    logic leading_q;
    assign skip = leading_q && (left_q >= CountBits'(SkipBits))
                && (a_q[ScanBits-1 -: SkipBits] == '0);
    always_ff @(posedge clk_i) begin
      if (valid_i && ready_o) leading_q <= 1'b1;
      else if (!skip) leading_q <= 1'b0;
    end
  end else begin : gen_no_skip
    assign skip = 1'b0;
  end

  localparam int unsigned SkipShift = (ScanBits >= SkipBits) ? SkipBits : BitsPerCycle;
  logic [CountBits-1:0] left_next;
  assign left_next = left_q - (skip ? CountBits'(SkipShift) : CountBits'(BitsPerCycle));

  assign ready_o   = !busy_q && (!valid_q || ready_i);
  assign valid_o   = valid_q;
  assign product_o = p_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      busy_q  <= 1'b0;
      valid_q <= 1'b0;
      left_q  <= '0;
      a_q     <= '0;
      b_q     <= '0;
      p_q     <= '0;
    end else if (valid_i && ready_o) begin
      busy_q  <= 1'b1;
      valid_q <= 1'b0;
      left_q  <= CountBits'(ScanBits);
      a_q     <= ScanBits'(a_i);
      b_q     <= b_i;
      p_q     <= '0;
    end else if (busy_q) begin
      left_q <= left_next;
      a_q    <= skip ? (a_q << SkipShift) : (a_q << BitsPerCycle);
      if (!skip) p_q <= gen_step[BitsPerCycle-1].p_after;
      if (left_next == '0) begin
        busy_q  <= 1'b0;
        valid_q <= 1'b1;
      end
    end else if (ready_i) begin
      valid_q <= 1'b0;
    end
  end

  `TOTIENT_ASSERT(OperandsBelowModulus, !(valid_i && ready_o) || (a_i < n_i && b_i < n_i),
                  "operands must be below the modulus")
  `TOTIENT_ASSERT(ProductBelowModulus, busy_q && !clear_i |=> p_q < n_i,
                  "partial product reached the modulus")
  `TOTIENT_ASSERT(ModulusStable, busy_q && !clear_i |=> $stable(n_i) || clear_i,
                  "modulus changed during a product")
  `TOTIENT_ASSERT_STABLE_UNLESS(ProductStable, valid_o, ready_i, product_o, clear_i)
endmodule

`default_nettype wire
