// SPDX-License-Identifier: Apache-2.0
// What modmul_digit_serial does in its plain form (Slots = 1, Links = 0), as its header has it, for
// a proof that cuts it off: which operands an operation has, and when the digits of its product
// leave (assumed of its output), and that its inputs are as it wants them (asserted). A product is
// any number below 2 n, a different one each time. After a reset the output is free until two
// operations on zeros have passed.
`default_nettype none

module digit_serial_products
  import digit_serial_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned Width     = 16,
  parameter int unsigned DigitBits = 9,
  localparam int unsigned Digits   = serial_digits(Width, DigitBits),
  localparam int unsigned Parallel = parallel_digits(Width, DigitBits),
  localparam int unsigned Fill     = fill_steps(Width, DigitBits, 1, 0),
  localparam int unsigned Steps    = 2 * Digits + Fill,
  localparam int unsigned Bits     = Digits * DigitBits,
  localparam int unsigned OwnBits  = Parallel * DigitBits,  // of b
  localparam int unsigned StepBits = count_bits(Steps)
) (
  input wire logic                 clk_i,
  input wire logic                 stop_i,     // reset or clear, in this cycle or the three before
  input wire logic                 active_i,   // assertions count
  input wire logic [Bits-1:0]      n_i,
  input wire logic [Bits-1:0]      value_i,    // free: the product
  // Ports of the multiplier that is cut off; its output is assumed
  input wire logic                 first_i,
  input wire logic                 low_i,
  input wire logic                 shift_i,
  input wire logic                 load_modulus_i,
  input wire logic [DigitBits-1:0] a_i,
  input wire logic [DigitBits-1:0] chain_i,
  input wire logic [DigitBits-1:0] product_i,
  // For the proof
  output logic                     operands_o,  // an operation's operands are complete
  output logic [Bits-1:0]          a_o,
  output logic [OwnBits-1:0]       b_o,
  output logic [OwnBits-1:0]       modulus_o,
  output logic [Bits-1:0]          product_o,   // of this operation
  output logic                     idle_o       // no operation is under way, or half of one before
);
  // Cycles from a digit of the product to the shift that takes it into b.
  localparam int unsigned Waiting = Fill + Digits - Parallel - result_lag(0);
  typedef logic [StepBits-1:0] step_t;
  localparam step_t Rests = step_t'(Steps);

  step_t                step_q, step;
  logic                 used_q, used;  // the operation has digits
  logic [1:0]           zeros_q;       // operations on zeros since a reset, at most 2
  logic [Bits-1:0]      a_q;
  logic [DigitBits-1:0] digit_q, chain;
  logic                 known_q;
  assign step       = first_i ? '0 : (step_q == Rests) ? Rests : step_q + step_t'(1);
  assign used       = first_i ? low_i : used_q;
  assign operands_o = low_i && 32'(step) == Digits - 1;
  assign a_o        = Bits'({a_i, a_q} >> DigitBits);
  assign idle_o     = step_q == Rests && zeros_q == 2'd2;
  delay_line #(.Bits(DigitBits), .Cycles(Waiting)) u_chain (
    .clk_i, .data_i(chain_i), .data_o(chain)
  );
  always_comb assume (!known_q || product_i == digit_q);
  always_ff @(posedge clk_i) begin
    step_q  <= step;
    used_q  <= used;
    known_q <= zeros_q == 2'd2;
    // Digit i follows step Digits + i.
    digit_q <= '0;
    if (32'(step) >= Digits && 32'(step) < 2 * Digits && used)
      digit_q <= DigitBits'(product_o >> (DigitBits * (32'(step) - Digits)));
    if (first_i) product_o <= value_i;
    if (32'(step) == Steps - 1 && !used && zeros_q != 2'd2) zeros_q <= zeros_q + 2'd1;
    a_q <= a_o;
    if (shift_i) b_o <= OwnBits'({chain, b_o} >> DigitBits);
    if (load_modulus_i) modulus_o <= b_o;
    assume ((Bits + 1)'(value_i) < {n_i, 1'b0});
    if (stop_i) begin
      step_q  <= Rests;
      zeros_q <= '0;
    end

    if (active_i && !stop_i) begin
      First : assert (!first_i || step_q >= Rests - step_t'(1));
      Low : assert (!low_i || (32'(step) < Digits && used));
      AllLow : assert (low_i || 32'(step) >= Digits || !used);
      Zero : assert (low_i || a_i == '0);
      Shift : assert (!shift_i || 32'(step) >= Steps - Parallel);
      Flush : assert (used || 32'(step) < Steps - Parallel || step == Rests || shift_i);
      Load : assert (!load_modulus_i || step == Rests || !used);
      Clean : assert (!low_i || zeros_q == 2'd2);
    end
  end
endmodule

`default_nettype wire
