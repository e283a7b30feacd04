// SPDX-License-Identifier: Apache-2.0
// Word-systolic Montgomery multiplier: one processing element per word, nearest-neighbour links, no
// subtraction. With r = 2^WordBits and R = r^Words:
//
//   s = 0;  for each word a[i], lowest first:
//     q = (s + a[i] b) n' mod r;   s = (s + a[i] b + q n) / r
//   product = a b / R  (mod n)
//
// Bounds:  n odd, 4 n < R, n' = -n^-1 mod r;  0 <= a, b < 2 n gives a product below 2 n (asserted):
//          products are valid operands.
// Operands: `b` is loaded most significant word first, or is the last product: each element keeps
//          its word of it. `a` is input word by word, lowest first; one operation has `Words`
//          words. `n_i` and `n_prime_i` must hold while the array works.
// Cycles:  if the first word of `a` is taken in cycle 0 and the others as soon as possible, one
//          every 2 cycles, word k of the product is output in cycle 2 Words + 2 + 2 k. The next
//          operation can then take it as its a[k]. In a chain of products each takes 2 Words + 2.
//          `b_o` holds the whole product 3 Words + 1 cycles after the first word was taken.
// Element 0 outputs no result word. It finds q with two products: one for a[i] b[0], one for q. It
// also uses q for q n[0], whose carry enters element 1 in the same cycle.
// Source:  K. Iwamura, T. Matsumoto, H. Imai, "Systolic-arrays for modular exponentiation using
//          Montgomery method", 1992; bounds by C. D. Walter, "Montgomery exponentiation needs no
//          final subtractions", 1999.
`include "totient_assert.svh"
`default_nettype none

module modmul_montgomery_systolic #(
  parameter int unsigned Words      = 65,  // >= 2
  parameter int unsigned WordBits   = 16,
  parameter int unsigned Multiplier = totient_pkg::MultiplyInferred,
  localparam int unsigned Bits = Words * WordBits
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clear_i,
  input  logic [Bits-1:0]     n_i,
  input  logic [WordBits-1:0] n_prime_i,
  // First b: `Words` words, most significant first, only while idle
  input  logic                load_i,
  input  logic [WordBits-1:0] load_word_i,
  // a
  input  logic                a_valid_i,
  output logic                a_ready_o,
  input  logic [WordBits-1:0] a_word_i,
  // Product: a stream without `ready`, and whole
  output logic                product_valid_o,
  output logic [WordBits-1:0] product_word_o,
  output logic [Bits-1:0]     b_o
);
  `TOTIENT_REQUIRE(Words, Words >= 2, "Words must be at least 2")

  logic clear;
  assign clear = !rst_ni || clear_i;

  // Links between elements; index j is the link between element j - 1 and element j.
  logic                phase_a[1:Words], phase_b[1:Words], last[1:Words];
  logic                s_last[1:Words], product_valid[1:Words];
  logic [WordBits-1:0] x[1:Words], s[1:Words], product[1:Words], load[1:Words];
  logic [WordBits:0]   h[1:Words];

  // Element 0: takes a word of a every second cycle, and pauses two more after the last one until
  // the lowest word of the product has become b[0].
  localparam int unsigned CountBits = totient_pkg::count_bits(Words - 1);
  logic [CountBits-1:0] count_q;     // words of this operation taken so far
  logic [1:0]           pause_q;     // cycles until the next word can be taken
  logic                 take, last_word;
  logic                 find_q, last_find_q;  // second cycle of a word: q is found
  logic                 add_q, last_add_q;    // third cycle: q n is added
  assign a_ready_o = pause_q == 2'd0;
  assign take      = a_valid_i && a_ready_o;
  assign last_word = count_q == CountBits'(Words - 1);

  logic [WordBits-1:0]   a_q, b0_q, l0_q, q_q;
  logic [WordBits:0]     h0_q, sum_q;
  logic [2*WordBits:0]   a_times_b, q_product;
  logic [WordBits:0]     s_plus_l;
  assign s_plus_l = (WordBits + 1)'(l0_q) + (WordBits + 1)'(s[1]);

  multiply_add #(.Bits(WordBits), .Form(Multiplier)) u_a_times_b (
    .x_i(a_word_i), .y_i(b0_q), .u_i('0), .v_i('0), .w_i('0), .result_o(a_times_b)
  );
  multiply_add #(.Bits(WordBits), .Form(Multiplier)) u_q (
    .x_i(find_q ? s_plus_l[WordBits-1:0] : q_q), .y_i(find_q ? n_prime_i : n_i[WordBits-1:0]),
    .u_i('0), .v_i('0), .w_i(find_q ? '0 : sum_q), .result_o(q_product)
  );

  always_ff @(posedge clk_i) begin
    if (clear) begin
      count_q         <= '0;
      pause_q         <= '0;
      find_q          <= 1'b0;
      last_find_q     <= 1'b0;
      add_q           <= 1'b0;
      last_add_q      <= 1'b0;
      a_q             <= '0;
      b0_q            <= '0;
      l0_q            <= '0;
      h0_q            <= '0;
      q_q             <= '0;
      sum_q           <= '0;
      product_valid_o <= 1'b0;
      product_word_o  <= '0;
    end else begin
      find_q      <= take;
      last_find_q <= last_word;
      add_q       <= find_q;
      last_add_q  <= last_find_q;
      if (take) begin
        count_q <= last_word ? '0 : count_q + CountBits'(1);
        pause_q <= last_word ? 2'd3 : 2'd1;
        a_q     <= a_word_i;
        {h0_q, l0_q} <= a_times_b;
      end else if (!a_ready_o) begin
        pause_q <= pause_q - 2'd1;
      end
      if (find_q) begin
        q_q   <= q_product[WordBits-1:0];
        sum_q <= s_plus_l;
      end
      if (s_last[1]) b0_q <= s[1];
      else if (load_i) b0_q <= load_word_i;
      product_valid_o <= s_last[1] || product_valid[1];
      product_word_o  <= s_last[1] ? s[1] : product[1];
    end
  end

  assign phase_a[1] = find_q;
  assign phase_b[1] = add_q;
  assign last[1]    = last_add_q;
  assign x[1]       = find_q ? a_q : q_q;
  assign h[1]       = find_q ? h0_q : q_product[2*WordBits:WordBits];
  assign load[1]    = b0_q;
  assign b_o[WordBits-1:0] = b0_q;

  for (genvar j = 1; j < Words; j++) begin : gen_element
    montgomery_element #(.WordBits(WordBits), .Multiplier(Multiplier)) u_element (
      .clk_i, .clear_i(clear), .n_i(n_i[j*WordBits+:WordBits]),
      .phase_a_i(phase_a[j]), .phase_b_i(phase_b[j]), .last_i(last[j]), .x_i(x[j]), .h_i(h[j]),
      .s_o(s[j]), .s_last_o(s_last[j]),
      .product_valid_o(product_valid[j]), .product_o(product[j]),
      .load_i, .load_word_i(load[j]),
      .phase_a_o(phase_a[j+1]), .phase_b_o(phase_b[j+1]), .last_o(last[j+1]),
      .x_o(x[j+1]), .h_o(h[j+1]), .s_i(s[j+1]), .s_last_i(s_last[j+1]),
      .product_valid_i(product_valid[j+1]), .product_i(product[j+1]), .b_o(load[j+1])
    );
    assign b_o[j*WordBits+:WordBits] = load[j+1];
  end

  // The top word of s has only carries above it, no operand word.
  logic [WordBits-1:0] top_l_q, top_s_q;
  logic                top_last_q;
  logic [WordBits:0]   top_sum;
  assign top_sum = h[Words] + (WordBits + 1)'(top_l_q);
  always_ff @(posedge clk_i) begin
    if (clear) begin
      top_l_q    <= '0;
      top_s_q    <= '0;
      top_last_q <= 1'b0;
    end else begin
      top_l_q    <= phase_a[Words] ? top_sum[WordBits-1:0] : '0;
      top_last_q <= phase_b[Words] && last[Words];
      if (top_last_q) top_s_q <= '0;
      else if (phase_b[Words]) top_s_q <= top_sum[WordBits-1:0];
    end
  end
  assign s[Words]             = top_s_q;
  assign s_last[Words]        = top_last_q;
  assign product_valid[Words] = 1'b0;
  assign product[Words]       = '0;

  `TOTIENT_ASSERT(TopFits, !(phase_b[Words]) || !top_sum[WordBits], "s has outgrown its words")
  `TOTIENT_ASSERT(ProductsDisjoint, !(s_last[1] && product_valid[1]),
                  "two words of products meet on the way out")
  // When the top word has become b, the lower ones have not yet been replaced.
  `TOTIENT_ASSERT(ProductBelowTwiceModulus, top_last_q && !clear |=> {1'b0, b_o} < {n_i, 1'b0},
                  "product is not below 2 n")
endmodule

`default_nettype wire
