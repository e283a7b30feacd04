// SPDX-License-Identifier: Apache-2.0
// RSA keys from two primes, word by word:
//
//   n = p q,   t = (p - 1) (q - 1) = n - p - q + 1
//   e = the given one, or the first of 3, 5, 7, ... with gcd(e, t) = 1
//   r = t mod e,   k = -r^-1 mod e,   d = (k t + 1) / e
//
// which is the extended Euclid with its first division of long numbers apart: what comes after it
// is as short as e. t mod e and the last division are restoring divisions, a bit a cycle.
//
// Whether p and q are prime is not looked at: if they are not, the key is wrong.
//
// Bounds: p, q odd, >= 3, different, of at most PrimeBits bits each; e odd, >= 3.
// Cycles: with the stated lengths b and c of p and q, w(x) = ceil(x / 32), l the
//         length of e, from the request's handshake to the first cycle of `rsp_valid_o`:
//           w(b) w(c) + max(w(b), w(c)) + w(b) + w(c) + w(b + c + l) + b + c + l + 16
//           + the sum of  b + c + 2 l(f) + 7  over all f that were tried for e, e included
//         They depend on the stated lengths and on e; on nothing else.
`include "totient_assert.svh"
`default_nettype none

module key_generator
  import contract_pkg::*;
  import totient_pkg::*;
  import keygen_pkg::*;
#(
  parameter int unsigned PrimeBits    = 512,  // longest prime: 4 to 2048
  parameter int unsigned ExponentBits = 32,   // longest public exponent: 2 to 32
  localparam int unsigned PrimeWords  = words_of(PrimeBits, 32),
  localparam int unsigned IndexBits   = operand_index_bits(2 * PrimeBits + 32),
  localparam int unsigned LengthBits  = count_bits(PrimeBits)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    clear_i,  // abort, overwrite everything
  // Primes, while `req_ready_o` is high: word 0 is the least significant; all words up to the
  // stated length, those beyond are not looked at
  input  logic                    write_i,
  input  prime_e                  write_prime_i,
  input  logic [IndexBits-1:0]    write_index_i,
  input  logic [31:0]             write_word_i,
  input  logic                    req_valid_i,
  output logic                    req_ready_o,
  input  logic [LengthBits-1:0]   p_bits_i,
  input  logic [LengthBits-1:0]   q_bits_i,
  input  logic [ExponentBits-1:0] exponent_i,  // 0: the first one that is coprime
  output logic                    rsp_valid_o,
  input  logic                    rsp_ready_i,
  output error_e              rsp_error_o,
  output logic [63:0]             rsp_cycles_o,
  output logic [ExponentBits-1:0] exponent_o,
  // Reading a key, from the response without an error on until the next request: a word comes in
  // the next cycle; words are there for as many bits as the primes' lengths together
  input  number_e                 number_i,
  input  logic [IndexBits-1:0]    number_index_i,
  output logic [31:0]             number_word_o
);
  `TOTIENT_REQUIRE(PrimeBits, PrimeBits >= 4 && PrimeBits <= 2048, "PrimeBits must be 4 to 2048")
  `TOTIENT_REQUIRE(Exponent, ExponentBits >= 2 && ExponentBits <= 32,
                   "ExponentBits must be 2 to 32")

  // k t + 1 has at most so many bits.
  localparam int unsigned DividendBits    = 2 * PrimeBits + ExponentBits;
  localparam int unsigned Words           = words_of(2 * PrimeBits + 32, 32);
  localparam int unsigned BitsBits        = count_bits(DividendBits + 31);  // 5 bits at least
  localparam int unsigned PrimeIndexBits  = index_bits(PrimeWords);
  localparam int unsigned WordIndexBits   = index_bits(Words);
  localparam int unsigned ExponentLenBits = count_bits(ExponentBits);
  typedef logic [count_bits(Words)-1:0] index_t;  // a number of words, too
  typedef logic [BitsBits-1:0]        bits_t;
  typedef logic [ExponentBits-1:0]    exponent_t;
  typedef logic [ExponentLenBits-1:0] length_t;

  function automatic index_t words32(bits_t bits);
    return index_t'((32'(bits) + 31) >> 5);
  endfunction

  function automatic length_t length_of(exponent_t number);
    length_t length;
    length = '0;
    for (int unsigned i = 0; i < ExponentBits; i++) if (number[i]) length = length_t'(i + 1);
    return length;
  endfunction

  // Whether a number's highest word has bits from its stated length on.
  function automatic logic bits_above(logic [31:0] word, logic [4:0] length);
    return length != 5'd0 && (word >> length) != '0;
  endfunction

  typedef enum logic [3:0] {
    StWipe, StIdle, StJudge, StVerdict, StMultiply, StTotient, StDivide, StInvert, StScale,
    StDivideLast, StRespond
  } state_e;
  state_e     state_q;
  logic       wiping, key_q;  // there is a key
  bits_t      key_bits_q, scaled_bits_q;
  logic [4:0] p_end_q, q_end_q;  // bits of the primes in their highest words; 0: all
  index_t     p_words_q, q_words_q, key_words_q, scaled_words_q;
  exponent_t  exponent_q;
  length_t    length_q;       // of the exponent
  logic       given_q;        // it was given
  error_e error_q;
  logic [63:0] cycles_q;
  assign wiping = state_q == StWipe;

  // A pass over words: an index a cycle, its word in the next one.
  logic   pass_q, word_valid_q, word_first_q, word_last_q;
  index_t place_q, word_place_q, pass_words;
  always_comb begin
    unique case (state_q)
      StJudge:   pass_words = (p_words_q > q_words_q) ? p_words_q : q_words_q;
      StTotient: pass_words = key_words_q;
      StScale:   pass_words = scaled_words_q;
      default:   pass_words = index_t'(Words);  // StWipe
    endcase
  end
  always_ff @(posedge clk_i) begin
    word_valid_q <= pass_q;
    word_first_q <= place_q == '0;
    word_last_q  <= place_q == pass_words - index_t'(1);
    word_place_q <= place_q;
    if (!rst_ni || clear_i) word_valid_q <= 1'b0;
  end

  // Memories: p, q, n, t, and d, which is k t + 1 before. Words come a cycle after their index.
  logic [4:0]  write_to;   // p, q, n, t, d
  index_t      write_index, p_index, q_index, long_index, dividend_index, a_index, b_index;
  logic [31:0] write_data, p_read, q_read, n_read, t_read, d_read, p_word, q_word, n_word, t_word;
  logic [31:0] d_word;
  ram_distributed #(.Bits(32), .Depth(PrimeWords)) u_p (
    .clk_i, .write_i(write_to[0]), .write_index_i(PrimeIndexBits'(write_index)),
    .write_data_i(write_data), .read_index_i(PrimeIndexBits'(p_index)), .read_data_o(p_read)
  );
  ram_distributed #(.Bits(32), .Depth(PrimeWords)) u_q (
    .clk_i, .write_i(write_to[1]), .write_index_i(PrimeIndexBits'(write_index)),
    .write_data_i(write_data), .read_index_i(PrimeIndexBits'(q_index)), .read_data_o(q_read)
  );
  ram_distributed #(.Bits(32), .Depth(Words)) u_n (
    .clk_i, .write_i(write_to[2]), .write_index_i(WordIndexBits'(write_index)),
    .write_data_i(write_data), .read_index_i(WordIndexBits'(long_index)), .read_data_o(n_read)
  );
  ram_distributed #(.Bits(32), .Depth(Words)) u_t (
    .clk_i, .write_i(write_to[3]), .write_index_i(WordIndexBits'(write_index)),
    .write_data_i(write_data), .read_index_i(WordIndexBits'(long_index)), .read_data_o(t_read)
  );
  ram_distributed #(.Bits(32), .Depth(Words)) u_d (
    .clk_i, .write_i(write_to[4]), .write_index_i(WordIndexBits'(write_index)),
    .write_data_i(write_data), .read_index_i(WordIndexBits'(long_index)), .read_data_o(d_read)
  );
  assign p_index    = (state_q == StMultiply) ? a_index : place_q;
  assign q_index    = (state_q == StMultiply) ? b_index : place_q;
  assign long_index = (state_q == StDivide || state_q == StDivideLast) ? dividend_index
                      : (state_q == StIdle || state_q == StRespond) ? index_t'(number_index_i)
                      : place_q;
  number_e number_q;
  always_ff @(posedge clk_i) begin
    // What lies beyond a number's words is 0.
    p_word   <= (p_index < p_words_q) ? p_read : '0;
    q_word   <= (q_index < q_words_q) ? q_read : '0;
    n_word   <= n_read;
    t_word   <= (long_index < key_words_q) ? t_read : '0;
    d_word   <= d_read;
    number_q <= number_i;
    if (!rst_ni || wiping) {p_word, q_word, n_word, t_word, d_word} <= '0;
  end
  assign number_word_o = !key_q ? '0 : (number_q == NumberModulus) ? n_word
                         : (number_q == NumberPrivate) ? d_word : t_word;

  // n
  localparam int unsigned MultiplyIndexBits = index_bits(2 * PrimeWords + 1);
  logic [MultiplyIndexBits-1:0] a_place, b_place, product_place;
  logic        multiply_start_q, product_write, product_end;
  index_t      product_index;
  logic [31:0] product_word;
  word_multiplier #(.Words(PrimeWords), .WordBits(32)) u_multiplier (
    .clk_i, .rst_ni, .clear_i(clear_i || wiping), .start_i(multiply_start_q),
    .a_words_i(MultiplyIndexBits'(p_words_q)), .b_words_i(MultiplyIndexBits'(q_words_q)),
    .a_index_o(a_place), .b_index_o(b_place), .a_word_i(p_word), .b_word_i(q_word),
    .write_o(product_write), .write_index_o(product_place), .word_o(product_word),
    .valid_o(product_end)
  );
  assign a_index       = index_t'(a_place);
  assign b_index       = index_t'(b_place);
  assign product_index = index_t'(product_place);

  // t, a word a cycle: the sum of three words and of what the one before left, -2 to 1.
  logic signed [34:0] sum;
  logic signed [2:0]  left_q;
  logic               totient_write_q;
  logic [31:0]        totient_word_q;
  index_t             totient_index_q;
  assign sum = $signed({3'b0, n_word}) - $signed({3'b0, p_word}) - $signed({3'b0, q_word})
               + (word_first_q ? 35'sd1 : 35'(left_q));
  always_ff @(posedge clk_i) begin
    totient_write_q <= word_valid_q && state_q == StTotient;
    totient_index_q <= word_place_q;
    totient_word_q  <= sum[31:0];
    left_q          <= sum[34:32];
    if (!rst_ni || clear_i || wiping) {totient_write_q, totient_word_q, left_q} <= '0;
  end

  // k t + 1, a word a cycle: product, then sum.
  exponent_t   factor_q;
  logic [63:0] scaled_q;
  logic [31:0] scaled_left_q;   // for the next word
  logic [63:0] scaled_sum;
  logic        scaled_valid_q, scaled_first_q, scaled_last_q;
  index_t      scaled_index_q;
  assign scaled_sum = scaled_q + (scaled_first_q ? 64'd1 : 64'(scaled_left_q));
  always_ff @(posedge clk_i) begin
    scaled_valid_q <= word_valid_q && state_q == StScale;
    scaled_first_q <= word_first_q;
    scaled_last_q  <= word_last_q;
    scaled_index_q <= word_place_q;
    scaled_q       <= 64'(t_word) * 64'(factor_q);
    scaled_left_q  <= scaled_sum[63:32];
    if (!rst_ni || clear_i || wiping) {scaled_valid_q, scaled_q, scaled_left_q} <= '0;
  end

  // t mod e, and d
  localparam int unsigned DivideBits = count_bits(DividendBits);
  logic            divide_start_q, quotient_write, divide_end;
  exponent_t       remainder;
  logic [31:0]     quotient_word;
  logic [operand_index_bits(DividendBits)-1:0] divide_index, quotient_place;
  index_t          quotient_index;
  assign quotient_index = index_t'(quotient_place);
  assign dividend_index = index_t'(divide_index);
  restoring_divider #(.DividendBits(DividendBits), .DivisorBits(ExponentBits)) u_divider (
    .clk_i, .rst_ni, .clear_i(clear_i || wiping), .start_i(divide_start_q),
    .bits_i(DivideBits'((state_q == StDivideLast) ? scaled_bits_q : key_bits_q)),
    .divisor_i(exponent_q),
    .index_o(divide_index), .word_i((state_q == StDivideLast) ? d_word : t_word),
    .write_o(quotient_write), .write_index_o(quotient_place), .word_o(quotient_word),
    .valid_o(divide_end), .remainder_o(remainder)
  );

  logic      invert_start_q, invert_end, coprime;
  exponent_t inverse, gcd;
  modular_inverse #(.Width(ExponentBits)) u_inverse (
    .clk_i, .rst_ni, .clear_i(clear_i || wiping), .start_i(invert_start_q),
    .value_i(remainder), .modulus_i(exponent_q), .modulus_bits_i(length_q),
    .valid_o(invert_end), .coprime_o(coprime), .gcd_o(gcd), .inverse_o(inverse)
  );
  logic unused_gcd;
  assign unused_gcd = ^gcd;

  logic unused_write_index;  // its top bit, where it only serves to count words
  assign unused_write_index = ^write_index;
  always_comb begin
    write_to    = '0;
    write_index = word_place_q;
    write_data  = '0;
    unique case (state_q)
      StWipe: begin
        write_to    = '1;
        write_index = place_q;
      end
      StIdle: begin
        write_to[0] = write_i && !clear_i && write_prime_i == PrimeP;
        write_to[1] = write_i && !clear_i && write_prime_i == PrimeQ;
        write_index = index_t'(write_index_i);
        write_data  = write_word_i;
      end
      StMultiply: begin
        write_to[2] = product_write;
        write_index = product_index;
        write_data  = product_word;
      end
      StTotient: begin
        write_to[3] = totient_write_q;
        write_index = totient_index_q;
        write_data  = totient_word_q;
      end
      StScale: begin
        write_to[4] = scaled_valid_q;
        write_index = scaled_index_q;
        write_data  = scaled_sum[31:0];
      end
      StDivideLast: begin
        write_to[4] = quotient_write;
        write_index = quotient_index;
        write_data  = quotient_word;
      end
      default: ;
    endcase
  end

  // What is found of the primes' words.
  typedef struct packed {
    logic odd;
    logic more;   // than 1
    logic above;  // has bits above its length
  } prime_t;
  prime_t p_q, q_q;
  logic   differ_q, good;
  assign good = p_q.odd && q_q.odd && p_q.more && q_q.more && differ_q;
  function automatic prime_t judged(prime_t prime, logic [31:0] word, logic first, logic last,
                                    logic [4:0] length);
    prime_t result;
    result.odd   = first ? word[0] : prime.odd;
    result.more  = prime.more || (first ? word[31:1] != '0 : word != '0);
    result.above = prime.above || (last && bits_above(word, length));
    return result;
  endfunction

  logic lengths_good;
  assign lengths_good = p_bits_i != '0 && q_bits_i != '0
                        && 32'(p_bits_i) <= PrimeBits && 32'(q_bits_i) <= PrimeBits;
  assign req_ready_o  = state_q == StIdle;
  assign rsp_valid_o  = state_q == StRespond;
  assign rsp_error_o  = error_q;
  assign rsp_cycles_o = cycles_q;
  assign exponent_o   = key_q ? exponent_q : '0;

  always_ff @(posedge clk_i) begin
    {multiply_start_q, divide_start_q, invert_start_q} <= '0;
    if (state_q != StRespond) cycles_q <= cycles_q + 64'd1;
    if (pass_q) begin
      place_q <= place_q + index_t'(1);
      if (place_q == pass_words - index_t'(1)) begin
        place_q <= '0;
        pass_q  <= 1'b0;
      end
    end
    length_q       <= length_of(exponent_q);
    scaled_bits_q  <= key_bits_q + bits_t'(length_q);
    scaled_words_q <= words32(scaled_bits_q);

    unique case (state_q)
      StWipe: if (!pass_q) state_q <= StIdle;
      StIdle: begin
        cycles_q <= 64'd1;
        if (write_i) key_q <= 1'b0;
        if (req_valid_i) begin
          p_end_q     <= 5'(p_bits_i);
          q_end_q     <= 5'(q_bits_i);
          p_words_q   <= words32(bits_t'(p_bits_i));
          q_words_q   <= words32(bits_t'(q_bits_i));
          key_bits_q  <= bits_t'(p_bits_i) + bits_t'(q_bits_i);
          exponent_q  <= (exponent_i != '0) ? exponent_i : exponent_t'(3);
          given_q     <= exponent_i != '0;
          key_q       <= 1'b0;
          {p_q, q_q, differ_q} <= '0;
          error_q     <= lengths_good ? ErrNone : ErrLength;
          pass_q      <= lengths_good;
          state_q     <= lengths_good ? StJudge : StRespond;
        end
      end
      StJudge: begin
        key_words_q <= p_words_q + q_words_q;
        if (word_valid_q) begin
          p_q <= judged(p_q, p_word, word_first_q, word_place_q == p_words_q - index_t'(1),
                        p_end_q);
          q_q <= judged(q_q, q_word, word_first_q, word_place_q == q_words_q - index_t'(1),
                        q_end_q);
          if (p_word != q_word) differ_q <= 1'b1;
          if (word_last_q) state_q <= StVerdict;
        end
      end
      StVerdict: begin
        multiply_start_q <= 1'b1;
        state_q          <= StMultiply;
        if (p_q.above || q_q.above) error_q <= ErrLength;
        else if (!good) error_q <= ErrPrime;
        else if (!exponent_q[0] || exponent_q == exponent_t'(1)) error_q <= ErrPublicExponent;
        if (p_q.above || q_q.above || !good || !exponent_q[0] || exponent_q == exponent_t'(1)) begin
          multiply_start_q <= 1'b0;
          state_q          <= StRespond;
        end
      end
      StMultiply: if (product_end) begin
        pass_q  <= 1'b1;
        state_q <= StTotient;
      end
      StTotient: if (totient_write_q && !word_valid_q) begin
        divide_start_q <= 1'b1;
        state_q        <= StDivide;
      end
      StDivide: if (divide_end) begin
        invert_start_q <= 1'b1;
        state_q        <= StInvert;
      end
      StInvert: if (invert_end) begin
        factor_q <= exponent_q - inverse;
        pass_q   <= coprime;
        state_q  <= StScale;
        if (!coprime && given_q) begin
          error_q <= ErrPublicExponent;
          state_q <= StRespond;
        end else if (!coprime) begin
          exponent_q     <= exponent_q + exponent_t'(2);
          divide_start_q <= 1'b1;
          state_q        <= StDivide;
        end
      end
      StScale: if (scaled_valid_q && scaled_last_q) begin
        divide_start_q <= 1'b1;
        state_q        <= StDivideLast;
      end
      StDivideLast: if (divide_end) begin
        key_q   <= 1'b1;
        state_q <= StRespond;
      end
      default: if (rsp_ready_i) state_q <= StIdle;  // StRespond
    endcase
    if (!rst_ni || clear_i) begin
      state_q <= StWipe;
      pass_q  <= 1'b1;
      place_q <= '0;
      key_q   <= 1'b0;
      error_q <= ErrNone;
      {multiply_start_q, divide_start_q, invert_start_q, given_q, cycles_q} <= '0;
      {p_end_q, q_end_q, key_bits_q, scaled_bits_q} <= '0;
      {p_words_q, q_words_q, key_words_q, scaled_words_q} <= '0;
      {exponent_q, length_q, factor_q, p_q, q_q, differ_q} <= '0;
    end
  end

  `TOTIENT_ASSERT_STABLE_UNLESS(ResponseStable, rsp_valid_o, rsp_ready_i,
                                {rsp_error_o, rsp_cycles_o, exponent_o}, clear_i)
  `TOTIENT_ASSERT(Divides, !(divide_end && state_q == StDivideLast && remainder != '0),
                  "k t + 1 is no multiple of e")
endmodule

`default_nettype wire
