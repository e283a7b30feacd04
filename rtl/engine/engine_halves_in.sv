// SPDX-License-Identifier: Apache-2.0
// Halves of words to digits, one half per cycle, least significant first:
//
//   sum over i of digit(i) 2^(Bits i) = sum over j of half(j) 2^(16 j)
//
// With S = Bits - 16, a half is rotated down by k S bits in a ring of Bits bits, k = 0 .. N - 1 in
// turn, N = Bits / S. Its highest k S bits complete a digit, with the half before below them. With
// k = 0 it is only kept. N halves are N - 1 digits, and N - 1 is a power of two. From a half to its
// digit it is three cycles.
`default_nettype none

module engine_halves_in
  import engine_packet_pkg::*;
#(
  parameter int unsigned Bits = 18  // of a digit: 17 or 18
) (
  input  logic            clk_i,
  input  logic            clear_i,  // the next half is a number's first one; all is 0
  input  logic            valid_i,
  input  logic            digit_i,  // with `valid_i`: the digit that it completes is wanted
  input  half_t           half_i,
  output logic            soon_o,   // in the next cycle there is a digit
  output logic [Bits-1:0] digit_o
);
  localparam int unsigned S = Bits - HalfBits;
  localparam int unsigned N = Bits / S;
  localparam int unsigned KBits = $clog2(N);
  typedef logic [Bits-1:0] digit_t;
  function automatic digit_t rotate(digit_t digit, int unsigned count);
    return (digit >> count) | (digit << (Bits - count));
  endfunction

  logic [KBits-1:0] k_q;
  logic [KBits-3:0] k_high_q;
  logic [N-2:0]     below_q;  // below_q[g]: bits g S up belong to the half before
  logic [1:0]       valid_q, wanted_q;
  digit_t           low, mid_q, high, turned_q, kept_q;
  always_comb begin
    low = digit_t'(half_i);
    for (int unsigned i = 0; i < 2; i++) if (k_q[i]) low = rotate(low, S << i);
    high = mid_q;
    for (int unsigned i = 2; i < KBits; i++) if (k_high_q[i-2]) high = rotate(high, S << i);
  end
  always_ff @(posedge clk_i) begin
    mid_q    <= low;
    k_high_q <= k_q[KBits-1:2];
    turned_q <= high;
    valid_q  <= {valid_q[0], valid_i};
    wanted_q <= {wanted_q[0], valid_i && digit_i};
    if (valid_i) k_q <= k_q[KBits-1] ? '0 : k_q + KBits'(1);
    if (valid_q[1]) begin
      kept_q  <= turned_q;
      below_q <= below_q[0] ? below_q >> 1 : '1;
    end
    for (int unsigned i = 0; i < Bits; i++) begin
      digit_o[i] <= (i / S < N - 1 && below_q[i/S%(N-1)]) ? kept_q[i] : turned_q[i];
    end
    if (clear_i) begin
      k_q      <= '0;
      below_q  <= '0;
      valid_q  <= '0;
      wanted_q <= '0;
      mid_q    <= '0;
      turned_q <= '0;
      kept_q   <= '0;
      digit_o  <= '0;
    end
  end
  assign soon_o = wanted_q[1];
endmodule

`default_nettype wire
