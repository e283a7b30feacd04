// SPDX-License-Identifier: Apache-2.0
// What modmul_digit_serial does, as its header has it, for a proof that cuts it off: which operands
// an operation has, and when the digits of its product leave (assumed of its output), and that its
// inputs are as it wants them (asserted). A product is any number below 2 n, a different one each
// time. After a reset the output is free until two operations on zeros have passed.
//
// What comes in is seen `Late` cycles after its flags: then the last row has its bit.
`default_nettype none

module digit_serial_products
  import digit_serial_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned Width     = 16,
  parameter int unsigned DigitBits = 9,
  parameter int unsigned Slots     = 1,
  localparam int unsigned Digits   = serial_digits(Width, DigitBits),
  localparam int unsigned Parallel = parallel_digits(Width, DigitBits),
  localparam int unsigned Fill     = fill_steps(Width, DigitBits, Slots, 0),
  localparam int unsigned Steps    = 2 * Digits + Fill,
  localparam int unsigned Bits     = Digits * DigitBits,
  localparam int unsigned OwnBits  = Parallel * DigitBits,  // of b
  localparam int unsigned Late     = row_lag(DigitBits - 1, DigitBits, Slots),
  localparam int unsigned StepBits = count_bits(Steps),
  localparam int unsigned SlotBits = index_bits(Slots)
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
  localparam int unsigned Waiting = Slots * (Fill + Digits - Parallel) - result_lag(0);
  typedef logic [StepBits-1:0] step_t;
  localparam step_t Rests = step_t'(Steps);

  logic [SlotBits-1:0] slot_q, slot, late_slot;  // of the flags of this cycle; of the late ones
  assign slot      = slot_q;
  assign late_slot = SlotBits'((32'(slot_q) + Slots - Late % Slots) % Slots);
  always_ff @(posedge clk_i) slot_q <= (32'(slot_q) == Slots - 1) ? '0 : slot_q + SlotBits'(1);

  // The output: digit i follows step Digits + i.
  step_t [Slots-1:0]           step_q;
  logic [Slots-1:0][Bits-1:0]  value_q;
  logic [Slots-1:0][1:0]       zeros_q;   // operations on zeros since a reset, at most 2
  logic [Slots-1:0]            used_q;    // the operation has digits
  step_t                       step;
  logic [DigitBits-1:0]        digit_q;
  logic                        known_q;
  function automatic step_t next(logic first, step_t last);
    if (first) return '0;
    return (last == Rests) ? Rests : last + step_t'(1);
  endfunction
  assign step = next(first_i, step_q[slot]);
  always_ff @(posedge clk_i) begin
    step_q[slot] <= step;
    digit_q      <= '0;
    known_q      <= zeros_q[slot] == 2'd2;
    if (32'(step) >= Digits && 32'(step) < 2 * Digits && used_q[slot])
      digit_q <= DigitBits'(value_q[slot] >> (DigitBits * (32'(step) - Digits)));
    if (first_i) begin
      value_q[slot] <= value_i;
      used_q[slot]  <= low_i;
    end
    if (32'(step) == Steps - 1 && !used_q[slot] && zeros_q[slot] != 2'd2)
      zeros_q[slot] <= zeros_q[slot] + 2'd1;
    assume ((Bits + 1)'(value_i) < {n_i, 1'b0});
    if (stop_i) begin
      step_q  <= {Slots{Rests}};
      zeros_q <= '0;
    end
  end

  // The inputs, late.
  logic first, low, shift, load_modulus;
  logic [DigitBits-1:0] a, chain, expected;
  delay_line #(.Bits(4), .Cycles(Late)) u_flags (
    .clk_i, .data_i({first_i, low_i, shift_i, load_modulus_i}),
    .data_o({first, low, shift, load_modulus})
  );
  for (genvar r = 0; r < DigitBits; r++) begin : gen_row
    localparam int unsigned Lag = row_lag(r, DigitBits, Slots);
    logic known_bit;
    delay_line #(.Bits(1), .Cycles(Late - Lag)) u_a (.clk_i, .data_i(a_i[r]), .data_o(a[r]));
    delay_line #(.Bits(1), .Cycles(Late + Waiting - Lag)) u_chain (
      .clk_i, .data_i(chain_i[r]), .data_o(chain[r])
    );
    delay_line #(.Bits(2), .Cycles(Lag)) u_product (
      .clk_i, .data_i({known_q, digit_q[r]}), .data_o({known_bit, expected[r]})
    );
    always_comb assume (!known_bit || product_i[r] == expected[r]);
  end

  step_t [Slots-1:0]             late_step_q;
  logic [Slots-1:0][Bits-1:0]    a_q;
  logic [Slots-1:0][OwnBits-1:0] b_q;
  logic [Slots-1:0]              late_used_q;
  step_t                         late_step;
  logic                          used;
  assign late_step  = next(first, late_step_q[late_slot]);
  assign used       = first ? low : late_used_q[late_slot];
  assign operands_o = low && 32'(late_step) == Digits - 1;
  assign a_o        = Bits'({a, a_q[late_slot]} >> DigitBits);
  assign b_o        = b_q[late_slot];
  assign product_o  = value_q[late_slot];
  assign idle_o     = step_q == {Slots{Rests}} && late_step_q == {Slots{Rests}}
                      && zeros_q == {Slots{2'd2}};
  always_ff @(posedge clk_i) begin
    late_step_q[late_slot] <= late_step;
    late_used_q[late_slot] <= used;
    a_q[late_slot]         <= a_o;
    if (shift) b_q[late_slot] <= OwnBits'({chain, b_q[late_slot]} >> DigitBits);
    if (load_modulus) modulus_o <= b_q[late_slot];
    if (stop_i) late_step_q <= {Slots{Rests}};
    if (active_i && !stop_i) begin
      First : assert (!first || late_step_q[late_slot] >= Rests - step_t'(1));
      Low : assert (!low || (32'(late_step) < Digits && used));
      AllLow : assert (low || 32'(late_step) >= Digits || !used);
      Zero : assert (low || a == '0);
      Shift : assert (!shift || 32'(late_step) >= Steps - Parallel);
      Flush : assert (used || 32'(late_step) < Steps - Parallel
                      || late_step == Rests || shift);
      Load : assert (!load_modulus || late_step == Rests || !used);
      Clean : assert (!low || zeros_q[late_slot] == 2'd2);
    end
  end
endmodule

`default_nettype wire
