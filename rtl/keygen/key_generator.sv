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
// Cycles: with the stated lengths b and c of p and q, w(x) = ceil(x / 32), l the length of e and `i`
//         candidates for e, from the request's handshake to the first cycle of `rsp_valid_o`:
//           w(b) w(c) + max(w(b), w(c)) + w(b) + w(c) + (i + 1) (b + c) + w(b + c + l) + l
//           + sum over the candidates (2 l + 8) + 26
//         They tell the lengths, and how many candidates there were, which e tells; nothing else.
`include "totient_assert.svh"
`default_nettype none

module key_generator
  import totient_pkg::*;
  import keygen_pkg::*;
#(
  parameter int unsigned PrimeBits    = 512,  // longest prime: 4 to 2048
  parameter int unsigned ExponentBits = 32,   // longest public exponent: 2 to 32
  localparam int unsigned PrimeWords  = words_of(PrimeBits, 32),
  localparam int unsigned IndexBits   = index_bits(2 * PrimeWords + 1),
  localparam int unsigned LengthBits  = count_bits(PrimeBits)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    clear_i,  // abort, overwrite everything
  // Primes, while `req_ready_o` is high: word 0 is the least significant
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
  output key_error_e              rsp_error_o,
  output logic [63:0]             rsp_cycles_o,
  output logic [ExponentBits-1:0] exponent_o,
  // Reading a key, from the response without an error on until the next request: a word comes in
  // the next cycle; words are there for as many bits as the primes' lengths together
  input  number_e                 number_i,
  input  logic [IndexBits-1:0]    number_index_i,
  output logic [31:0]             number_word_o
);
  `TOTIENT_REQUIRE(Primes, PrimeBits >= 4 && PrimeBits <= 2048, "PrimeBits must be 4 to 2048")
  `TOTIENT_REQUIRE(Exponent, ExponentBits >= 2 && ExponentBits <= 32, "ExponentBits must be 2 to 32")

  localparam int unsigned Words           = 2 * PrimeWords + 1;
  localparam int unsigned BitsBits        = count_bits(2 * PrimeBits + ExponentBits);
  localparam int unsigned ExponentLenBits = count_bits(ExponentBits);
  typedef logic [IndexBits-1:0] index_t;
  typedef logic [BitsBits-1:0]  bits_t;

  typedef enum logic [3:0] {
    StWipe, StIdle, StJudge, StMultiply, StTotient, StBegin, StDivide, StInvert, StScale, StRespond
  } state_e;
  state_e                  state_q;
  logic [LengthBits-1:0]   p_bits_q, q_bits_q;
  index_t                  p_words_q, q_words_q;
  bits_t                   totient_bits_q;
  logic                    given_q;      // the exponent is given
  logic [ExponentBits-1:0] exponent_q;
  logic                    ready_q;      // there is a key
  logic                    last_q;       // the division that gives d
  key_error_e              error_q;
  logic [63:0]             cycles_q;

  function automatic index_t words32(bits_t bits);
    return index_t'((bits + bits_t'(31)) >> 5);
  endfunction

  function automatic logic [ExponentLenBits-1:0] length_of(logic [ExponentBits-1:0] number);
    logic [ExponentLenBits-1:0] length;
    length = '0;
    for (int unsigned i = 0; i < ExponentBits; i++) begin
      if (number[i]) length = ExponentLenBits'(i + 1);
    end
    return length;
  endfunction
  logic [ExponentLenBits-1:0] exponent_length_q;

  // Memories. An index goes to all of them; words come a cycle later.
  index_t      place_q, q_place_q;       // index of the word, that of q apart
  index_t      read_index, write_index;
  logic        wiping, write_p, write_q_prime, write_n, write_t, write_d;
  logic [31:0] write_data;
  logic [31:0] p_read, q_read, n_read, t_read, d_read;
  logic [31:0] p_word_q, q_word_q, n_word_q, t_word_q, d_word_q;
  localparam int unsigned PrimeIndexBits = index_bits(PrimeWords);
  localparam int unsigned ModulusIndexBits = index_bits(2 * PrimeWords);
  ram_distributed #(.Bits(32), .Depth(PrimeWords)) u_p (
    .clk_i, .write_i(write_p), .write_index_i(PrimeIndexBits'(write_index)),
    .write_data_i(write_data),
    .read_index_i(PrimeIndexBits'(read_index)), .read_data_o(p_read)
  );
  ram_distributed #(.Bits(32), .Depth(PrimeWords)) u_q (
    .clk_i, .write_i(write_q_prime), .write_index_i(PrimeIndexBits'(write_index)),
    .write_data_i(write_data),
    .read_index_i(PrimeIndexBits'(q_place_q)), .read_data_o(q_read)
  );
  ram_distributed #(.Bits(32), .Depth(2 * PrimeWords)) u_n (
    .clk_i, .write_i(write_n), .write_index_i(ModulusIndexBits'(write_index)),
    .write_data_i(write_data),
    .read_index_i(ModulusIndexBits'(read_index)), .read_data_o(n_read)
  );
  ram_distributed #(.Bits(32), .Depth(2 * PrimeWords)) u_t (
    .clk_i, .write_i(write_t), .write_index_i(ModulusIndexBits'(write_index)),
    .write_data_i(write_data),
    .read_index_i(ModulusIndexBits'(read_index)), .read_data_o(t_read)
  );
  ram_distributed #(.Bits(32), .Depth(Words)) u_d (
    .clk_i, .write_i(write_d), .write_index_i(write_index), .write_data_i(write_data),
    .read_index_i(read_index), .read_data_o(d_read)
  );
  // What lies beyond a number's words is 0.
  logic within_t;
  assign within_t = 32'(read_index) < 32'(words32(totient_bits_q));
  always_ff @(posedge clk_i) begin
    p_word_q <= (read_index < p_words_q) ? p_read : '0;
    q_word_q <= (q_place_q < q_words_q) ? q_read : '0;
    n_word_q <= n_read;
    t_word_q <= within_t ? t_read : '0;
    d_word_q <= d_read;
    if (!rst_ni || wiping) {p_word_q, q_word_q, n_word_q, t_word_q, d_word_q} <= '0;
  end
  assign read_index = (state_q == StIdle || state_q == StRespond) ? number_index_i : place_q;
  number_e number_q;
  always_ff @(posedge clk_i) number_q <= number_i;
  assign number_word_o = !ready_q ? '0 : (number_q == NumberModulus) ? n_word_q
                         : (number_q == NumberPrivate) ? d_word_q : t_word_q;

  // Steps of words: index, word, product, result. `valid` and what goes with it, stage by stage.
  typedef struct packed {
    logic   valid;
    logic   last;    // of the pass
    logic   first;   // of the pass
    logic   column;  // last product of its column (StMultiply)
    logic   zero;    // no product: the column has none
    index_t index;   // of the result
  } step_t;
  step_t step, word_step_q, product_step_q, result_step_q;
  logic  work_q;        // steps are still to be made
  index_t column_q;     // of the product n
  logic   column_end;

  logic [63:0] product_q;
  logic [71:0] sum_q;
  logic signed [34:0] difference_q;
  logic [ExponentBits-1:0] factor_q;

  // StMultiply: products p[i] q[column - i], i from low to high.
  index_t low_next, high;
  assign high       = (column_q < p_words_q) ? column_q : p_words_q - index_t'(1);
  assign low_next   = (column_q + index_t'(1) < q_words_q) ? '0
                      : column_q + index_t'(2) - q_words_q;  // of the next column
  assign column_end = place_q >= high;
  always_comb begin
    step        = '0;
    step.valid  = work_q;
    step.first  = place_q == '0;
    step.index  = place_q;
    unique case (state_q)
      StMultiply: begin
        step.index  = column_q;
        step.column = column_end;
        step.zero   = place_q > high;
        step.last   = column_q == p_words_q + q_words_q - index_t'(1);
        step.first  = column_q == '0 && place_q == '0;
      end
      StJudge:   step.last = place_q + index_t'(1) >= p_words_q && place_q + index_t'(1) >= q_words_q;
      StTotient: step.last = place_q == p_words_q + q_words_q - index_t'(1);
      default:   step.last = place_q + index_t'(1) == words32(totient_bits_q
                                                              + bits_t'(exponent_length_q));
    endcase
  end
  assign q_place_q = (state_q == StMultiply) ? column_q - place_q : place_q;

  // Judging the primes.
  logic p_odd_q, q_odd_q, p_more_q, q_more_q, differ_q, above_q;
  function automatic logic bits_above(logic [31:0] word, logic [LengthBits-1:0] bits);
    // Of the word in which the number ends: bits from its length on.
    return bits[4:0] != 5'd0 && (word >> bits[4:0]) != '0;
  endfunction

  // Division: the word's bits leave at the top, those of the quotient come in at the bottom.
  localparam int unsigned RestBits = ExponentBits + 1;
  logic [31:0]             shift_q;
  logic [5:0]              shifts_q;       // bits of the word still to come
  logic [RestBits-1:0]     rest_q, rest, reduced;
  logic                    dividing_q, load_q, fits;
  bits_t                   dividend_bits_q;
  logic                    store_q;
  index_t                  store_index_q;
  assign rest    = {rest_q[RestBits-2:0], shift_q[31]};
  assign reduced = rest - {1'b0, exponent_q};
  assign fits    = rest >= {1'b0, exponent_q};

  logic                    inverse_start_q, inverse_valid, coprime;
  logic [ExponentBits-1:0] inverse, gcd;
  modular_inverse #(.Width(ExponentBits)) u_inverse (
    .clk_i, .rst_ni, .clear_i(clear_i || wiping), .start_i(inverse_start_q),
    .value_i(rest_q[ExponentBits-1:0]), .modulus_i(exponent_q),
    .modulus_bits_i(exponent_length_q), .valid_o(inverse_valid), .coprime_o(coprime),
    .gcd_o(gcd), .inverse_o(inverse)
  );
  logic unused_gcd;
  assign unused_gcd = ^gcd;

  // Where results go.
  logic [31:0] first_word;
  assign wiping     = state_q == StWipe;
  assign first_word = sum_q[31:0];
  always_comb begin
    {write_p, write_q_prime, write_n, write_t, write_d} = '0;
    write_index = result_step_q.index;
    write_data  = first_word;
    unique case (state_q)
      StWipe: begin
        {write_p, write_q_prime, write_n, write_t, write_d} = '1;
        write_index = place_q;
        write_data  = '0;
      end
      StIdle: begin
        write_p       = write_i && write_prime_i == PrimeP;
        write_q_prime = write_i && write_prime_i == PrimeQ;
        write_index   = write_index_i;
        write_data    = write_word_i;
      end
      StMultiply: write_n = result_step_q.valid && result_step_q.column;
      StTotient: begin
        write_t    = result_step_q.valid;
        write_data = difference_q[31:0];
      end
      StScale: write_d = result_step_q.valid;
      StDivide: begin
        write_d     = store_q && last_q;
        write_index = store_index_q;
        write_data  = shift_q;
      end
      default: ;
    endcase
  end

  assign req_ready_o  = state_q == StIdle;
  assign rsp_valid_o  = state_q == StRespond;
  assign rsp_error_o  = error_q;
  assign rsp_cycles_o = cycles_q;
  assign exponent_o   = ready_q ? exponent_q : '0;

  logic lengths_good;
  assign lengths_good = p_bits_i != '0 && q_bits_i != '0
                        && 32'(p_bits_i) <= PrimeBits && 32'(q_bits_i) <= PrimeBits;

  always_ff @(posedge clk_i) begin
    word_step_q    <= step;
    product_step_q <= word_step_q;
    result_step_q  <= product_step_q;
    inverse_start_q <= 1'b0;
    store_q         <= 1'b0;
    exponent_length_q <= length_of(exponent_q);
    if (state_q != StIdle && state_q != StRespond) cycles_q <= cycles_q + 64'd1;

    // Words become products, products sums.
    if (word_step_q.valid) begin
      product_q <= word_step_q.zero ? '0
                   : p_word_or_t * (state_q == StMultiply ? {32'b0, q_word_q}
                                                          : 64'(factor_q));
    end
    if (product_step_q.valid) begin
      // A column's sum begins with what the one before it left.
      sum_q <= (begins_q ? 72'(sum_q >> 32) : sum_q) + 72'(product_q)
               + 72'(state_q == StScale && product_step_q.first);
      begins_q <= product_step_q.column || state_q == StScale;
    end
    if (word_step_q.valid && state_q == StTotient) begin
      difference_q <= $signed({3'b0, n_word_q}) - $signed({3'b0, p_word_q})
                      - $signed({3'b0, q_word_q})
                      + (word_step_q.first ? 35'sd1 : (difference_q >>> 32));
    end

    unique case (state_q)
      StWipe: begin
        ready_q <= 1'b0;
        place_q <= place_q + index_t'(1);
        if (32'(place_q) == Words - 1) begin
          place_q <= '0;
          state_q <= StIdle;
        end
      end

      StIdle: begin
        cycles_q <= 64'd1;
        place_q  <= '0;
        column_q <= '0;
        last_q   <= 1'b0;
        {p_odd_q, q_odd_q, p_more_q, q_more_q, differ_q, above_q} <= '0;
        if (write_i) ready_q <= 1'b0;
        if (req_valid_i) begin
          p_bits_q       <= p_bits_i;
          q_bits_q       <= q_bits_i;
          p_words_q      <= words32(bits_t'(p_bits_i));
          q_words_q      <= words32(bits_t'(q_bits_i));
          totient_bits_q <= bits_t'(p_bits_i) + bits_t'(q_bits_i);
          given_q        <= exponent_i != '0;
          exponent_q     <= (exponent_i != '0) ? exponent_i : ExponentBits'(3);
          ready_q        <= 1'b0;
          error_q        <= KeyNone;
          work_q         <= lengths_good;
          state_q        <= lengths_good ? StJudge : StRespond;
          if (!lengths_good) error_q <= KeyLength;
        end
      end

      StJudge: begin
        place_q <= place_q + index_t'(1);
        if (step.last) work_q <= 1'b0;
        if (word_step_q.valid) begin
          if (word_step_q.first) begin
            p_odd_q <= p_word_q[0];
            q_odd_q <= q_word_q[0];
          end
          if ((word_step_q.first ? p_word_q[31:1] : p_word_q[31:1] | 31'(p_word_q[0])) != '0)
            p_more_q <= 1'b1;
          if ((word_step_q.first ? q_word_q[31:1] : q_word_q[31:1] | 31'(q_word_q[0])) != '0)
            q_more_q <= 1'b1;
          if (p_word_q != q_word_q) differ_q <= 1'b1;
          if ((word_step_q.index + index_t'(1) == p_words_q && bits_above(p_word_q, p_bits_q))
              || (word_step_q.index + index_t'(1) == q_words_q && bits_above(q_word_q, q_bits_q)))
            above_q <= 1'b1;
        end
        if (product_step_q.valid && product_step_q.last) begin
          place_q  <= '0;
          work_q   <= 1'b1;
          begins_q <= 1'b0;
          sum_q    <= '0;
          state_q  <= StMultiply;
          if (above_q || !(p_odd_q && q_odd_q && p_more_q && q_more_q && differ_q)
              || (given_q && (!exponent_q[0] || exponent_q == ExponentBits'(1)))) begin
            work_q  <= 1'b0;
            state_q <= StRespond;
            error_q <= above_q ? KeyLength
                       : !(p_odd_q && q_odd_q && p_more_q && q_more_q && differ_q) ? KeyPrime
                       : KeyExponent;
          end
        end
      end

      StMultiply: begin
        place_q <= place_q + index_t'(1);
        if (column_end) begin
          column_q <= column_q + index_t'(1);
          place_q  <= low_next;
          if (step.last) work_q <= 1'b0;
        end
        if (result_step_q.valid && result_step_q.last) begin
          place_q <= '0;
          work_q  <= 1'b1;
          state_q <= StTotient;
        end
      end

      StTotient: begin
        place_q <= place_q + index_t'(1);
        if (step.last) work_q <= 1'b0;
        if (result_step_q.valid && result_step_q.last) state_q <= StBegin;
      end

      StBegin: begin  // a division: first index
        dividend_bits_q <= totient_bits_q + (last_q ? bits_t'(exponent_length_q) : '0);
        place_q         <= words32(totient_bits_q + (last_q ? bits_t'(exponent_length_q) : '0))
                           - index_t'(1);
        rest_q          <= '0;
        dividing_q      <= 1'b0;
        load_q          <= 1'b0;
        state_q         <= StDivide;
      end

      StDivide: begin
        // Two cycles until the first word is there; from then on one lies ready.
        load_q <= 1'b1;
        if (!dividing_q && load_q) begin
          dividing_q <= 1'b1;
          shift_q    <= (last_q ? d_word_q : t_word_q)
                        << (5'd0 - 5'(dividend_bits_q));  // its top bit first
          shifts_q   <= (dividend_bits_q[4:0] == '0) ? 6'd32 : 6'(dividend_bits_q[4:0]);
          place_q    <= place_q - index_t'(1);
          store_index_q <= place_q;
        end
        if (dividing_q) begin
          rest_q   <= fits ? reduced : rest;
          shift_q  <= {shift_q[30:0], fits};
          shifts_q <= shifts_q - 6'd1;
          if (store_q) begin
            // The word is complete: the next one, whose first bit goes in this very cycle.
            store_index_q <= place_q;
          end
        end
      end

      default: ;
    endcase
  end
endmodule

`default_nettype wire
