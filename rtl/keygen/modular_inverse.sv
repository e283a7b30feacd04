// SPDX-License-Identifier: Apache-2.0
// Inverse and greatest common divisor by the binary form of the extended Euclid:
//
//   gcd = gcd(value, modulus);   inverse = value^-1 mod modulus, if gcd is 1
//
// Two numbers u, v with factors x, y that keep  x value = u,  y value = v  (mod modulus) begin as
// value, modulus, 1, 0. An even u is halved; else the larger one of u, v becomes half of their
// difference. Each step shortens u or v by a bit; u ends as 0 and v as the gcd.
//
// Bounds: modulus odd, 3 <= modulus < 2^Width, 0 <= value < modulus.
// Cycles: 2 l + 2 from `start_i` to `valid_o` for a modulus of l bits, whatever the values.
// Source: M. Penk's algorithm (D. E. Knuth, The Art of Computer Programming, 4.5.2).
`include "totient_assert.svh"
`default_nettype none

module modular_inverse
  import totient_pkg::*;
#(
  parameter int unsigned Width = 32  // >= 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,     // abort, overwrite
  input  logic             start_i,
  input  logic [Width-1:0] value_i,     // with start_i
  input  logic [Width-1:0] modulus_i,   // as long as it works
  input  logic [count_bits(Width)-1:0] modulus_bits_i,  // with start_i: length of the modulus
  output logic             valid_o,     // for one cycle
  output logic             coprime_o,   // with valid_o and until the next start
  output logic [Width-1:0] gcd_o,
  output logic [Width-1:0] inverse_o
);
  localparam int unsigned StepBits = count_bits(2 * Width + 1);
  `TOTIENT_REQUIRE(Width, Width >= 2, "Width must be at least 2")

  logic [Width-1:0]    u_q, v_q, x_q, y_q;
  logic [StepBits-1:0] left_q;
  logic                busy_q;

  // x / 2 and x - y modulo the odd modulus.
  function automatic logic [Width-1:0] half(logic [Width-1:0] x, logic [Width-1:0] modulus);
    return (x >> 1) + (x[0] ? (modulus >> 1) + Width'(1) : '0);
  endfunction
  function automatic logic [Width-1:0] minus(logic [Width-1:0] x, logic [Width-1:0] y,
                                             logic [Width-1:0] modulus);
    logic [Width:0] difference;
    difference = {1'b0, x} - {1'b0, y};
    return Width'(difference + (difference[Width] ? {1'b0, modulus} : '0));
  endfunction

  logic [Width:0] difference;
  logic           below;  // u < v
  assign difference = {1'b0, u_q} - {1'b0, v_q};
  assign below      = difference[Width];

  always_ff @(posedge clk_i) begin
    valid_o <= 1'b0;
    if (start_i) begin
      u_q    <= value_i;
      v_q    <= modulus_i;
      x_q    <= Width'(1);
      y_q    <= '0;
      left_q <= StepBits'({modulus_bits_i, 1'b0});
      busy_q <= 1'b1;
    end else if (busy_q && left_q != '0) begin
      left_q <= left_q - StepBits'(1);
      if (u_q == '0) begin
        // The end was reached early.
      end else if (!u_q[0]) begin
        u_q <= u_q >> 1;
        x_q <= half(x_q, modulus_i);
      end else if (below) begin
        u_q <= Width'((-difference) >> 1);
        v_q <= u_q;
        x_q <= half(minus(y_q, x_q, modulus_i), modulus_i);
        y_q <= x_q;
      end else begin
        u_q <= Width'(difference >> 1);
        x_q <= half(minus(x_q, y_q, modulus_i), modulus_i);
      end
    end else if (busy_q) begin
      busy_q  <= 1'b0;
      valid_o <= 1'b1;
    end
    if (!rst_ni || clear_i) begin
      {u_q, v_q, x_q, y_q, left_q} <= '0;
      busy_q  <= 1'b0;
      valid_o <= 1'b0;
    end
  end
  assign gcd_o     = v_q;
  assign coprime_o = v_q == Width'(1);
  assign inverse_o = y_q;

  `TOTIENT_ASSERT(ModulusOdd, !(start_i && !modulus_i[0]), "the modulus is even")
  `TOTIENT_ASSERT(ValueBelow, !(start_i && value_i >= modulus_i), "the value is not below")
  `TOTIENT_ASSERT(Ended, !(valid_o && u_q != '0), "too few steps")
endmodule

`default_nettype wire
