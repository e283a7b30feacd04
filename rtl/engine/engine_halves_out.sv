// SPDX-License-Identifier: Apache-2.0
// Digits to halves of words, one half per cycle, least significant first:
//
//   sum over j of half(j) 2^(16 j) = sum over i of digit(i) 2^(Bits i)
//
// With S = Bits - 16, a digit is rotated by k S bits in a ring of Bits bits, k = 0 .. N - 1 in
// turn, N = Bits / S. Its bits above k S complete a half, with the kept ones below. With k = N - 1
// the half has kept bits only, and the digit has no effect. N - 1 is a power of two. From a digit
// to its half it is two cycles.
`default_nettype none

module engine_halves_out
  import engine_packet_pkg::*;
#(
  parameter int unsigned Bits = 18  // of a digit: 17 or 18
) (
  input  logic            clk_i,
  input  logic            clear_i,  // the next digit is a number's first one; all is 0
  input  logic            valid_i,
  input  logic [Bits-1:0] digit_i,
  output logic            valid_o,
  output half_t           half_o
);
  localparam int unsigned S = Bits - HalfBits;
  localparam int unsigned N = Bits / S;
  localparam int unsigned KBits = $clog2(N);
  localparam int unsigned RotateBits = KBits - 1;  // of the steps with a digit
  typedef logic [Bits-1:0] digit_t;
  function automatic digit_t rotate(digit_t digit, int unsigned count);
    return (digit << count) | (digit >> (Bits - count));
  endfunction

  logic [KBits-1:0] k_q;
  logic [RotateBits-3:0] k_high_q;
  logic [N-2:0]     below_q;  // below_q[g]: bits g S up are kept ones
  logic             valid_q;
  digit_t           low, mid_q, high;
  // Of the kept bits the highest S are in no half: they are the lowest of the next one.
  digit_t           kept_q;
  always_comb begin
    low = digit_i;
    for (int unsigned i = 0; i < 2; i++) if (k_q[i]) low = rotate(low, S << i);
    high = mid_q;
    for (int unsigned i = 2; i < RotateBits; i++) if (k_high_q[i-2]) high = rotate(high, S << i);
  end
  always_ff @(posedge clk_i) begin
    mid_q    <= low;
    k_high_q <= k_q[RotateBits-1:2];
    valid_q  <= valid_i;
    valid_o  <= valid_q;
    if (valid_i) k_q <= k_q[KBits-1] ? '0 : k_q + KBits'(1);
    if (valid_q) begin
      kept_q  <= rotate(high, S);
      below_q <= below_q[N-2] ? '0 : {below_q[N-3:0], 1'b1};
    end
    for (int unsigned i = 0; i < HalfBits; i++) half_o[i] <= below_q[i/S] ? kept_q[i] : high[i];
    if (clear_i) begin
      k_q     <= '0;
      below_q <= '0;
      valid_q <= 1'b0;
      valid_o <= 1'b0;
      mid_q   <= '0;
      kept_q  <= '0;
      half_o  <= '0;
    end
  end
  logic [S-1:0] unused;
  assign unused = kept_q[Bits-1:HalfBits];
endmodule

`default_nettype wire
