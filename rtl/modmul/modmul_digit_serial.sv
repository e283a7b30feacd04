// SPDX-License-Identifier: Apache-2.0
// Digit-serial Montgomery multiplier of two plain multiplications in parallel. With digits of
// J = DigitBits bits, D = serial_digits(Width, J) of them, R = 2^(D J):
//
//   T = a b;   Q = q m with q such that Q = -T (mod R);   product = (T + Q) / R = a b / R  (mod m)
//
// The product array outputs T digit by digit. The two's complement of its low digits selects the
// bits of q, which column 0 of the reduction array finds. A serial adder adds both. The low digits
// cancel, and the high ones are the product.
//
// Bounds:    for m odd and 0 <= a, b < 2 m < 2^(Width + 1) the product is below 2 m, with R >= 4 m:
//            products are valid operands.
// Operands:  `a_i` is serial, lowest digit first. b is in the columns. It is shifted in from
//            `chain_i` (to which the product may be connected) while `shift_i` is high: the last
//            parallel_digits(Width, J) steps of an operation. `load_modulus_i` makes b the modulus
//            of all slots.
// Slots:     an operation uses every Slots-th cycle. A step of an operation is one such cycle.
//            Flags and digits belong to the operation of their cycle.
// Schedule:  an operation takes 2 D + F steps, F = fill_steps(...). The next one of its slot may
//            follow immediately. With `first_i` and a's digit 0 in step 0: `low_i` is high in the
//            steps 0 .. D-1, which input a. In the other steps a_i is 0. Bit r of a digit is input
//            and output row_lag(r) cycles later than flags. `product_o` has digit i of the product
//            result_lag(Links) cycles after step D + i, and 0 in the other steps. `chain_i` is
//            sampled at the same time.
// There is no reset: two operations with all inputs 0 and the usual `shift_i` clear everything but
// the modulus, and a third one with `load_modulus_i` clears the modulus.
// Source:    O. Nibouche et al., Algorithm 3, Figures 1, 2, 4 to 6, 9 to 11.
`include "totient_assert.svh"
`default_nettype none

module modmul_digit_serial
  import digit_serial_pkg::*;
#(
  parameter int unsigned Width     = 1024,
  parameter int unsigned DigitBits = 1,   // 1 to 16
  parameter int unsigned Slots     = 1,   // operations that share the arrays
  parameter int unsigned Links     = 0    // columns between registers on the digit's path; 0: none
) (
  input  logic                 clk_i,
  input  logic                 first_i,
  input  logic                 low_i,
  input  logic                 shift_i,
  input  logic                 load_modulus_i,
  input  logic [DigitBits-1:0] a_i,
  input  logic [DigitBits-1:0] chain_i,
  output logic [DigitBits-1:0] product_o
);
  localparam int unsigned Classes   = (Links == 0) ? 1 : Links;
  localparam int unsigned First     = first_link(DigitBits, Slots);
  localparam int unsigned Positions = parallel_digits(Width, DigitBits) * DigitBits;
  localparam int unsigned Depth     = (Positions - 1 + Classes - 1) / Classes;
  localparam int unsigned Fill      = fill_steps(Width, DigitBits, Slots, Links);
  localparam int unsigned Own       = (result_lag(Links) - 1) / 2;  // registers before and after q

  `TOTIENT_REQUIRE(Width, Width >= 8 && Width <= contract_pkg::MaxBits, "Width must be 8 to 4096")
  `TOTIENT_REQUIRE(Digit, digit_fits(DigitBits), "DigitBits must be 1 to 16")
  `TOTIENT_REQUIRE(Digits, DigitBits <= Width, "DigitBits must not be above Width")
  `TOTIENT_REQUIRE(Slots, slots_fit(Slots, DigitBits), "Slots must be 1 to 3 DigitBits")
  `TOTIENT_REQUIRE(Links, links_fit(Links, Slots, DigitBits),
    "Links must be 0, or 2 to 16 with Slots >= DigitBits, or 1 with Slots > DigitBits")

  // Flags along the columns.
  logic [Depth-1:0] shift, load;  // of the columns above 0
  logic             shift_first, load_first;
  delay_line #(.Bits(2), .Cycles(First)) u_flags (
    .clk_i, .data_i({shift_i, load_modulus_i}), .data_o({shift_first, load_first})
  );
  if (Links == 0) begin : gen_broadcast
    assign shift = {Depth{shift_first}};
    assign load  = {Depth{load_first}};
  end else begin : gen_systolic
    logic [Depth-1:1] shift_q, load_q;
    always_ff @(posedge clk_i) begin
      shift_q <= shift[Depth-2:0];
      load_q  <= load[Depth-2:0];
    end
    assign shift = {shift_q, shift_first};
    assign load  = {load_q, load_first};
  end

  // New bits of b, before the delay of their columns.
  logic [DigitBits-1:0] entering;
  for (genvar r = 0; r < DigitBits; r++) begin : gen_entering
    localparam int unsigned Column = Positions - DigitBits + r;
    delay_line #(
      .Bits(1), .Cycles(waiting(Column, Fill, Width, DigitBits, Slots, Links))
    ) u_waiting (.clk_i, .data_i(chain_i[r]), .data_o(entering[r]));
  end

  // b: a ring of `Slots` registers per column. A shift moves it down by a digit.
  logic [Classes-1:0][Depth-1:0]                b_next, m_q;
  logic [Slots:1][Classes-1:0][Depth-1:0]       b_q;
  logic                                         b0_next;
  logic [Slots:1]                               b0_q;
  always_ff @(posedge clk_i) begin
    b_q[1]  <= b_next;
    b0_q[1] <= b0_next;
    for (int unsigned i = 2; i <= Slots; i++) begin
      b_q[i]  <= b_q[i-1];
      b0_q[i] <= b0_q[i-1];
    end
    for (int unsigned p = 0; p < Classes; p++) begin
      m_q[p] <= (load & b_q[Slots][p]) | (~load & m_q[p]);
    end
  end
  logic [Depth-1:0] next[Classes] /* verilator split_var */;
  for (genvar p = 0; p < Classes; p++) begin : gen_b
    localparam int unsigned From = (p + DigitBits) % Classes;
    localparam int unsigned Down = (p + DigitBits) / Classes;
    // The source column of a bit works later than its destination.
    localparam int unsigned Stage = Slots - ((Links == 0) ? 0 : Down);
    logic [Depth-1:0] moved;
    logic [Depth-1:0] source;
    if (Stage == 0) begin : gen_at_once
      assign source = next[From];
    end else begin : gen_later
      assign source = b_q[Stage][From];
    end
    always_comb begin
      moved = source >> Down;
      for (int unsigned r = 0; r < DigitBits; r++) begin
        if ((Positions - DigitBits + r - 1) % Classes == p) begin
          moved[(Positions - DigitBits + r - 1) / Classes] = entering[r];
        end
      end
      // Columns that only fill the classes.
      for (int unsigned i = 0; i < Depth; i++) begin
        if (1 + i * Classes + p >= Positions) moved[i] = 1'b0;
      end
    end
    assign next[p]   = (shift & moved) | (~shift & b_q[Slots][p]);
    assign b_next[p] = next[p];
  end
  // Column 0.
  localparam int unsigned ZeroFrom  = (DigitBits - 1) % Classes;
  localparam int unsigned ZeroIndex = (DigitBits - 1) / Classes;
  localparam int unsigned ZeroStage = Slots - column_lag(DigitBits, Links, DigitBits, Slots);
  logic b0_source;
  if (ZeroStage == 0) begin : gen_zero_at_once
    assign b0_source = next[ZeroFrom][ZeroIndex];
  end else begin : gen_zero_later
    assign b0_source = b_q[ZeroStage][ZeroFrom][ZeroIndex];
  end
  assign b0_next = shift_i ? b0_source : b0_q[Slots];

  // b and m, row by row: a row that works later taps b further down the ring.
  logic [DigitBits-1:0][Classes-1:0][Depth-1:0] b, m;
  logic [DigitBits-1:0]                         b0;
  for (genvar r = 0; r < DigitBits; r++) begin : gen_operands
    localparam int unsigned Lag   = row_lag(r, DigitBits, Slots);
    localparam int unsigned Stage = (Lag == 0) ? Slots : Lag;
    assign b[r]  = b_q[Stage];
    assign b0[r] = b0_q[Stage];
    assign m[r] = m_q;
  end

  // T = a b, its two's complement, and Q = q m.
  logic [DigitBits-1:0] t, u_q, low, sum;
  carry_save_array #(
    .Reduction(1'b0), .Depth(Depth), .DigitBits(DigitBits), .Slots(Slots), .Links(Links)
  ) u_product (
    .clk_i, .digit_i(a_i), .low_i('0), .y0_i(b0), .y_i(b), .sum_o(t)
  );
  carry_save_array #(
    .Reduction(1'b1), .Depth(Depth), .DigitBits(DigitBits), .Slots(Slots), .Links(Links)
  ) u_reduction (
    .clk_i, .digit_i(u_q), .low_i(low), .y0_i('1), .y_i(m), .sum_o(sum)
  );

  // Row by row. Each row passes its carries to the next one.
  logic seen[DigitBits] /* verilator split_var */;
  logic carry[DigitBits] /* verilator split_var */;
  for (genvar r = 0; r < DigitBits; r++) begin : gen_row
    localparam int unsigned Above = (r + DigitBits - 1) % DigitBits;
    localparam int unsigned Ways  = row_ways(Above, DigitBits, Slots);
    localparam int unsigned Lag   = row_lag(r, DigitBits, Slots);

    // Two's complement: the bits above the lowest 1 of T are inverted.
    logic t_now, seen_above, first;
    delay_line #(.Bits(1), .Cycles(Own)) u_t (.clk_i, .data_i(t[r]), .data_o(t_now));
    delay_line #(.Bits(1), .Cycles(Ways)) u_seen (
      .clk_i, .data_i(seen[Above]), .data_o(seen_above)
    );
    if (r == 0) begin : gen_first
      delay_line #(.Bits(1), .Cycles(Own)) u_first (.clk_i, .data_i(first_i), .data_o(first));
    end else begin : gen_further
      assign first = 1'b0;
    end
    assign seen[r] = t_now | (seen_above & ~first);
    always_ff @(posedge clk_i) u_q[r] <= t_now ^ (seen_above & ~first);
    delay_line #(.Bits(1), .Cycles(Own + 1 + Lag)) u_low (
      .clk_i, .data_i(low_i), .data_o(low[r])
    );

    // T + Q.
    logic t_later, sum_now, carry_above;
    delay_line #(.Bits(1), .Cycles(1 + Own)) u_t_later (
      .clk_i, .data_i(t_now), .data_o(t_later)
    );
    delay_line #(.Bits(1), .Cycles(Own)) u_sum (.clk_i, .data_i(sum[r]), .data_o(sum_now));
    delay_line #(.Bits(1), .Cycles(Ways)) u_carry (
      .clk_i, .data_i(carry[Above]), .data_o(carry_above)
    );
    assign product_o[r] = t_later ^ sum_now ^ carry_above;
    assign carry[r] = (t_later & sum_now) | (carry_above & (t_later | sum_now));
  end
endmodule

`default_nettype wire
