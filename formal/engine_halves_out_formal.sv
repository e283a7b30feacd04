// SPDX-License-Identifier: Apache-2.0
// Proof of the way from digits to words, for any digits and pauses:
//
//   SameHalf   the halves that leave are the bits of the digits, from the lowest one on
//   InTime     each leaves two cycles behind its digit
//
// The definition: bits wait in a row. A digit is added above them, then the lowest 16 leave as a
// half. When 16 wait, the next digit is left out.
`default_nettype none

module engine_halves_out_formal
  import engine_packet_pkg::*;
#(
  parameter int unsigned Bits = 18
) (
  input wire logic            clk_i,
  input wire logic            clear_i,
  input wire logic            valid_i,
  input wire logic [Bits-1:0] digit_i
);
  logic begun_q = 1'b0;  // every run begins with a number
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic clear, valid_o;
  assign clear = clear_i || !begun_q;
  half_t half_o;
  engine_halves_out #(.Bits(Bits)) u_dut (
    .clk_i, .clear_i(clear), .valid_i, .digit_i, .valid_o, .half_o
  );

  localparam int unsigned S = Bits - HalfBits;
  localparam int unsigned N = Bits / S;
  typedef logic [Bits+HalfBits-1:0] row_t;
  logic            valid_q, due_q;
  logic [Bits-1:0] digit_q;
  logic [4:0]      waiting_q;  // bits
  row_t            waits_q, row;
  half_t           due_half_q;
  assign row = (waiting_q == 5'(HalfBits)) ? waits_q : waits_q | row_t'(digit_q) << waiting_q;
  always_ff @(posedge clk_i) begin
    valid_q <= valid_i;
    digit_q <= digit_i;
    due_q   <= valid_q;
    if (valid_q) begin
      due_half_q <= row[HalfBits-1:0];
      waits_q    <= row >> HalfBits;
      waiting_q  <= (waiting_q == 5'(HalfBits)) ? '0 : waiting_q + 5'(S);
    end
    if (clear) begin
      valid_q   <= 1'b0;
      due_q     <= 1'b0;
      waits_q   <= '0;
      waiting_q <= '0;
    end
  end

  // By induction: the counters are those of the definition.
  logic [4:0] step, next_step;  // of N, for the digit that came before; for the one that comes
  assign step = waiting_q / 5'(S);
  assign next_step = !valid_q ? step : (step == 5'(N - 1)) ? '0 : step + 5'd1;
  always_ff @(posedge clk_i) begin
    if (begun_q) begin
      InTime : assert (valid_o == due_q);
      if (due_q) SameHalf : assert (half_o == due_half_q);
      Steps : assert (waiting_q <= 5'(HalfBits) && step * 5'(S) == waiting_q
                      && u_dut.valid_q == valid_q && 5'(u_dut.k_q) == next_step);
      Below : assert (u_dut.below_q == (N - 1)'((32'd1 << step) - 32'd1));
      Waits : assert ((waits_q >> waiting_q) == '0
                      && waits_q == (row_t'(u_dut.kept_q) & ((row_t'(1) << waiting_q) - 1'b1)));
    end
  end
endmodule

`default_nettype wire
