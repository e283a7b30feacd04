// SPDX-License-Identifier: Apache-2.0
// Processing element of the systolic Montgomery multiplier: one word (column) of operand and
// modulus, one multiplier, links to its two neighbours only. For each word a[i] of the multiplier
// operand, two tokens pass through it, one cycle apart:
//
//   phase A:  (hA, l) = a[i] b + hA of the left neighbour
//   phase B:  (hB, s) = q[i] n + l + s of the right neighbour + hB of the left neighbour
//
// Bounds: hA <= 2^WordBits - 2, hB <= 2^WordBits, l and s are words.
// The word of a finished product in the right neighbour's `s` becomes this element's b. It also
// enters the chain that moves the product to the left.
//
//   signal \ cycle | t          | t + 1        | t + 2
//   phase_a_i      | 1          |              |
//   phase_b_i      |            | 1            |
//   x_i, h_i       | a[i], hA   | q[i], hB     |
//   neighbour's s  |            | s            |
//   x_o, h_o       |            | a[i], hA     | q[i], hB
//   s_o            |            |              | s
// Source: see modmul_montgomery_systolic.sv.
`default_nettype none

module montgomery_element #(
  parameter int unsigned WordBits = 16,
  parameter int unsigned Multiplier = totient_pkg::MultiplyInferred
) (
  input  logic                clk_i,
  input  logic                clear_i,        // reset, and overwrite every register
  input  logic [WordBits-1:0] n_i,
  // Left neighbour
  input  logic                phase_a_i,
  input  logic                phase_b_i,
  input  logic                last_i,         // with phase B: of the last word of a
  input  logic [WordBits-1:0] x_i,
  input  logic [WordBits:0]   h_i,
  output logic [WordBits-1:0] s_o,
  output logic                s_last_o,       // `s_o` is a word of the product
  output logic                product_valid_o,
  output logic [WordBits-1:0] product_o,
  input  logic                load_i,         // shift b in
  input  logic [WordBits-1:0] load_word_i,
  // Right neighbour
  output logic                phase_a_o,
  output logic                phase_b_o,
  output logic                last_o,
  output logic [WordBits-1:0] x_o,
  output logic [WordBits:0]   h_o,
  input  logic [WordBits-1:0] s_i,
  input  logic                s_last_i,
  input  logic                product_valid_i,
  input  logic [WordBits-1:0] product_i,
  output logic [WordBits-1:0] b_o
);
  logic [WordBits-1:0] b_q, l_q, s_q;

  logic [2*WordBits:0] sum;
  multiply_add #(.Bits(WordBits), .Form(Multiplier)) u_multiply (
    .x_i(x_i), .y_i(phase_b_i ? n_i : b_q),
    .u_i(l_q),                      // 0 except in phase B
    .v_i(phase_b_i ? s_i : '0),
    .w_i(h_i), .result_o(sum)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      b_q             <= '0;
      l_q             <= '0;
      s_q             <= '0;
      x_o             <= '0;
      h_o             <= '0;
      product_o       <= '0;
      product_valid_o <= 1'b0;
      phase_a_o       <= 1'b0;
      phase_b_o       <= 1'b0;
      last_o          <= 1'b0;
    end else begin
      phase_a_o <= phase_a_i;
      phase_b_o <= phase_b_i;
      last_o    <= last_i;
      if (phase_a_i || phase_b_i) begin
        x_o <= x_i;
        h_o <= sum[2*WordBits:WordBits];
      end
      l_q <= phase_a_i ? sum[WordBits-1:0] : '0;
      // The next product starts from s = 0: the left neighbour takes the word in this cycle.
      if (s_last_o) s_q <= '0;
      else if (phase_b_i) s_q <= sum[WordBits-1:0];
      if (s_last_i) b_q <= s_i;
      else if (load_i) b_q <= load_word_i;
      product_valid_o <= s_last_i || product_valid_i;
      product_o       <= s_last_i ? s_i : product_i;
    end
  end

  assign s_o      = s_q;
  assign s_last_o = phase_b_o && last_o;
  assign b_o      = b_q;
endmodule

`default_nettype wire
