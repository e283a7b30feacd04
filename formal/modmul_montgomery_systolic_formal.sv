// SPDX-License-Identifier: Apache-2.0
// Proof of modmul_montgomery_systolic for products that follow each other from the reset on, with
// pauses between the words of their operands, as a parameter has them:
//
//   Digit     for each word a[i], q = (s + a[i] B) n' modulo r. Then n divides r s' - s - a[i] B
//             for s' = (s + a[i] B + q n) / r, the next s. B is what was loaded, then the product
//             before
//   Fits      each s fits into the words of the array
//   Product   the product is the last s
//   InTime    word k of it leaves 4 + 2 k cycles after the last word of A was taken, and no other
//             word leaves
//   Whole     `b_o` is the product from 2 Words + 3 cycles after that, until the next one ends
//   Ready     a word of A is taken every second cycle, and 4 cycles after the last one of another A
//
// For all odd n below R / 4, all B loaded and all A, below 2 n. The proof ends when `Jobs` products
// have left.
`default_nettype none

module modmul_montgomery_systolic_formal #(
  parameter int unsigned Words    = 2,
  parameter int unsigned WordBits = 2,
  parameter int unsigned Jobs     = 2,
  parameter int unsigned Every    = 1,  // a word of A is offered in each cycle of this number
  localparam int unsigned Bits = Words * WordBits
) (
  input wire logic                clk_i,
  input wire logic [Bits-1:0]     n_i,        // free: modulus
  input wire logic [WordBits-1:0] n_prime_i,  // free, but for what it must be
  input wire logic [WordBits-1:0] word_i      // free: words of the first B and of all A
);
  typedef logic [Bits-1:0]   number_t;
  localparam int unsigned CountBits = totient_pkg::count_bits(Words * Jobs);
  localparam int unsigned AgeBits   = 5;

  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic [5:0] cycle_q = '0;
  always_ff @(posedge clk_i) cycle_q <= cycle_q + 6'd1;
  number_t             n_q;
  logic [WordBits-1:0] n_prime_q;
  always_ff @(posedge clk_i) if (!begun_q) {n_q, n_prime_q} <= {n_i, n_prime_i};

  // First the words of B.
  logic [CountBits-1:0] loaded_q, taken_q, found_q;
  logic                 load, valid, ready, take, out;
  logic [WordBits-1:0]  word;
  number_t              whole;
  assign load  = begun_q && 32'(loaded_q) < Words;
  assign valid = begun_q && !load && 32'(cycle_q) % Every == 0 && 32'(taken_q) < Words * Jobs;
  assign take  = valid && ready;
  modmul_montgomery_systolic #(.Words(Words), .WordBits(WordBits)) u_dut (
    .clk_i, .rst_ni(begun_q), .clear_i(1'b0), .n_i(n_q), .n_prime_i(n_prime_q),
    .load_i(load), .load_word_i(word_i), .a_valid_i(valid), .a_ready_o(ready), .a_word_i(word_i),
    .product_valid_o(out), .product_word_o(word), .b_o(whole)
  );

  // s + x y + q z, word by word with two carries.
  typedef logic [2*WordBits:0] product_t;
  typedef logic [Bits+WordBits:0] sum_t;
  function automatic sum_t step(number_t s, logic [WordBits-1:0] x, number_t y,
                                logic [WordBits-1:0] q, number_t z);
    logic [WordBits:0]   xy_carry, qz_carry;
    logic [WordBits-1:0] low;
    {xy_carry, qz_carry} = '0;
    for (int unsigned j = 0; j < Words; j++) begin
      {xy_carry, low} = product_t'(x) * product_t'(y[WordBits*j+:WordBits]) + product_t'(xy_carry);
      // The order of these sums is the array's: a solver then has less to find out.
      if (j == 0) begin
        {qz_carry, step[WordBits-1:0]} = product_t'(q) * product_t'(z[WordBits-1:0])
            + product_t'((WordBits + 1)'(low) + (WordBits + 1)'(s[WordBits-1:0]));
      end else begin
        {qz_carry, step[WordBits*j+:WordBits]} =
            product_t'(q) * product_t'(z[WordBits*j+:WordBits]) + product_t'(low)
            + product_t'(s[WordBits*j+:WordBits]) + product_t'(qz_carry);
      end
    end
    step[Bits+:WordBits+1] = xy_carry + qz_carry;
  endfunction
  sum_t next;

  // Numbers of each product. Its words leave by the cycles since its last word of A was taken.
  number_t a_q[Jobs], p_q[Jobs], b_q;
  number_t s_q[Jobs], sum;
  number_t b;
  logic [WordBits-1:0] find_word_q, add_word_q, digit;
  logic [Jobs-1:0][AgeBits-1:0] age_q;  // 1 in the cycle after that; 0 before
  logic [2:0] pause_q;                  // cycles until a word can be taken
  logic       find_q, add_q;
  always_ff @(posedge clk_i) begin
    find_q  <= take;
    add_q   <= find_q;
    find_word_q <= word_i;
    add_word_q  <= find_word_q;
    pause_q <= (pause_q == '0) ? '0 : pause_q - 3'd1;
    if (load) begin
      b_q      <= {b_q[Bits-WordBits-1:0], word_i};
      loaded_q <= loaded_q + CountBits'(1);
    end
    if (take) begin
      taken_q <= taken_q + CountBits'(1);
      pause_q <= (32'(taken_q) % Words == Words - 1) ? 3'd3 : 3'd1;
    end
    if (add_q) found_q <= found_q + CountBits'(1);
    for (int unsigned k = 0; k < Jobs; k++) begin
      if (take && 32'(taken_q) / Words == k) a_q[k] <= {word_i, a_q[k][Bits-1:WordBits]};
      if (add_q && 32'(found_q) / Words == k)
        s_q[k] <= number_t'(next >> WordBits);
      if (age_q[k] != '0 && age_q[k] != '1) age_q[k] <= age_q[k] + AgeBits'(1);
      if (take && 32'(taken_q) == Words * (k + 1) - 1) age_q[k] <= AgeBits'(1);
      if (leaves(age_q[k])) p_q[k] <= {word, p_q[k][Bits-1:WordBits]};
    end
    if (!begun_q) begin
      {loaded_q, taken_q, found_q, age_q, pause_q, find_q, add_q} <= '0;
    end
  end
  // The q of a word is there two cycles after it was taken.
  always_comb begin
    b   = b_q;
    sum = '0;
    for (int unsigned k = 0; k < Jobs; k++) begin
      if (32'(found_q) / Words == k) begin
        if (k != 0) b = s_q[k-(k!=0)];
        if (32'(found_q) % Words != 0) sum = s_q[k];
      end
    end
    digit = WordBits'(product_t'(add_word_q) * product_t'(b[WordBits-1:0]));
    digit = WordBits'(product_t'(WordBits'(sum + number_t'(digit))) * product_t'(n_prime_q));
    next  = step(sum, add_word_q, b, digit, n_q);
  end
  function automatic logic leaves(logic [AgeBits-1:0] age);
    return age >= AgeBits'(4) && 32'(age) < 4 + 2 * Words && !age[0];
  endfunction
  logic expected;
  always_comb begin
    expected = 1'b0;
    for (int unsigned k = 0; k < Jobs; k++) expected |= leaves(age_q[k]);
  end

  always_ff @(posedge clk_i) begin
    if (begun_q) begin
      assume (n_q[0] && n_q < number_t'(1) << (Bits - 2));
      assume (WordBits'(n_prime_q * n_q[WordBits-1:0]) == '1);
      if (!load) assume ((Bits + 1)'(b_q) < {n_q, 1'b0});
      for (int unsigned k = 0; k < Jobs; k++)
        if (age_q[k] != '0) assume ((Bits + 1)'(a_q[k]) < {n_q, 1'b0});

      if (add_q) begin
        Digit : assert (u_dut.q_q == digit);
        Fits : assert (!next[Bits+WordBits]);
      end
      InTime : assert (out == expected);
      Ready : assert (ready == (pause_q == '0));
    end
  end
  for (genvar k = 0; k < Jobs; k++) begin : gen_job
    always_ff @(posedge clk_i) begin
      // The last word is there.
      if (begun_q && 32'(age_q[k]) == 3 + 2 * Words) begin
        Product : assert (p_q[k] == s_q[k]);
      end
      if (begun_q && 32'(age_q[k]) >= 3 + 2 * Words && age_q[k] != '1
          && (k == Jobs - 1 || age_q[(k+1)%Jobs] == '0)) begin
        Whole : assert (whole == p_q[k]);
      end
    end
  end
endmodule

`default_nettype wire
