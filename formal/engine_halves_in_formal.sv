// SPDX-License-Identifier: Apache-2.0
// Proof of the way from words to digits, for any halves and pauses:
//
//   SameDigit  the digits are the bits of the halves, from the lowest one on
//   InTime     each is there three cycles behind the half that completes it, if it is wanted
//
// The definition: bits wait in a row. A half is added above them. If a digit's bits wait, they
// leave as a digit. The first one of N halves completes none.
`default_nettype none

module engine_halves_in_formal
  import engine_packet_pkg::*;
#(
  parameter int unsigned Bits = 18
) (
  input wire logic  clk_i,
  input wire logic  clear_i,
  input wire logic  valid_i,
  input wire logic  digit_i,
  input wire half_t half_i
);
  logic begun_q = 1'b0;  // every run begins with a number
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic clear, soon_o;
  assign clear = clear_i || !begun_q;
  logic [Bits-1:0] digit_o;
  engine_halves_in #(.Bits(Bits)) u_dut (
    .clk_i, .clear_i(clear), .valid_i, .digit_i, .half_i, .soon_o, .digit_o
  );

  localparam int unsigned S = Bits - HalfBits;
  localparam int unsigned N = Bits / S;
  typedef logic [Bits+HalfBits-1:0] row_t;
  logic [1:0]      valid_q, wanted_q;  // one and two cycles ago
  half_t           half_q, half_qq;
  logic [4:0]      waiting_q;          // bits
  row_t            waits_q, row;
  logic            whole, due_q, digit_due_q;
  logic [Bits-1:0] due_digit_q;
  assign row   = waits_q | row_t'(half_qq) << waiting_q;
  assign whole = waiting_q != '0;      // with a half above them they are a digit
  always_ff @(posedge clk_i) begin
    valid_q  <= {valid_q[0], valid_i};
    wanted_q <= {wanted_q[0], valid_i && digit_i};
    half_q   <= half_i;
    half_qq  <= half_q;
    due_q    <= wanted_q[1];
    if (valid_q[1]) begin
      digit_due_q <= whole;
      due_digit_q <= row[Bits-1:0];
      waits_q     <= whole ? row >> Bits : row;
      waiting_q   <= whole ? waiting_q - 5'(S) : 5'(HalfBits);
    end
    if (clear) begin
      valid_q   <= '0;
      wanted_q  <= '0;
      due_q     <= 1'b0;
      waits_q   <= '0;
      waiting_q <= '0;
    end
  end

  // By induction: the counters are those of the definition. `step` is of the half that is added
  // next; up to two are on their way.
  logic [4:0] step, second_step, third_step;
  assign step = (waiting_q == '0) ? '0 : 5'(N) - waiting_q / 5'(S);
  assign second_step = !valid_q[1] ? step : (step == 5'(N - 1)) ? '0 : step + 5'd1;
  assign third_step = !valid_q[0] ? second_step
                                  : (second_step == 5'(N - 1)) ? '0 : second_step + 5'd1;
  logic valid_before_q = 1'b0;
  always_ff @(posedge clk_i) begin
    valid_before_q <= valid_q[1] && !clear;
    if (begun_q) begin
      InTime : assert (soon_o == wanted_q[1]);
      if (valid_before_q && digit_due_q) SameDigit : assert (digit_o == due_digit_q);
      Steps : assert (waiting_q <= 5'(HalfBits) && waiting_q % 5'(S) == '0
                      && u_dut.valid_q == valid_q && 5'(u_dut.k_q) == third_step);
      Below : assert (u_dut.below_q == (N - 1)'((32'd1 << (waiting_q / 5'(S))) - 32'd1));
      Waits : assert ((waits_q >> waiting_q) == '0);
      if (waiting_q != '0) begin
        Kept : assert (waits_q[HalfBits-1:0] == HalfBits'(
            (32'(u_dut.kept_q) & ((32'd1 << waiting_q) - 32'd1))));
      end
    end
  end
endmodule

`default_nettype wire
