// SPDX-License-Identifier: Apache-2.0
// Right-to-left Montgomery exponentiation on two systolic multipliers that work in parallel
// (modexp contract, docs/contracts.md). With R = 2^(Words WordBits) > 4 n, s[0] = m R mod n:
//
//   p = 1;  for each exponent bit i from the lowest:
//     squarer:     s[i+1] = s[i]^2 / R
//     multiplier:  p = p s[i] / R  where the bit is 1, else p = p R / R
//
// p stays out of the Montgomery domain, so no conversion back is needed; the result is p, less n
// if that fits. The words of s[i] go from the squarer through a FIFO to the multiplier while the
// squarer takes them in as its next operand: both run at the pace of one word every 2 cycles.
//
//   FixedTime = 1: all stated bits are squared and multiplied (by R mod n where the bit is 0)
//   FixedTime = 0: the exponent's leading zeros are left out, and 0 bits are not multiplied
//
// A new key's constants: n' bit by bit; R mod n by doubling the top power of two below n; then
// R^2 mod n = 2^(Words WordBits) in Montgomery form, with this exponentiation itself, base 2.
//
// Cycles (s = Words, w = WordBits, P = 2 s + 2, L = bits of the modulus, K = exponent bits, or
//         those up to the top 1 where FixedTime = 0, at least 1; formula in the catalog):
//   load key      max(w, (s w - L + 2) (s + 1) + 3) + P (bits of s w, plus 1) + 4 s + 12
//   exponentiate  P (K + 1) + 3 s + 11
// Source: C. M. Ledgard, MS thesis, Texas A&M University, 2023, section 4.3.
`include "totient_assert.svh"
`default_nettype none

module modexp_montgomery
  import modexp_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned Width      = 1024,  // 8 to 4096
  parameter int unsigned WordBits   = 16,    // of a processing element: 8, 16 or 32
  parameter bit          FixedTime  = 1'b1,  // same time for every exponent of a length
  parameter int unsigned Multiplier = MultiplyInferred,
  localparam int unsigned LengthBits   = count_bits(Width),
  localparam int unsigned OperandBits  = operand_index_bits(Width)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,
  input  modexp_request_t  request_i,
  output modexp_response_t response_o
);
  `TOTIENT_REQUIRE(Word, WordBits == 8 || WordBits == 16 || WordBits == 32,
                   "WordBits must be 8, 16 or 32")

  // R > 4 n needs two bits above the modulus; the array has at least two elements.
  localparam int unsigned NeededWords = words_of(Width + 2, WordBits);
  localparam int unsigned Words       = (NeededWords < 2) ? 2 : NeededWords;
  localparam int unsigned RadixBits   = Words * WordBits;          // R = 2^RadixBits
  localparam int unsigned IndexBits   = index_bits(Words);
  localparam int unsigned PlaceBits   = count_bits(RadixBits + 1);  // up to the doublings of a key

  localparam logic [IndexBits-1:0] LastWord = IndexBits'(Words - 1);

  logic                  key_word, base_word, start_key, start, done, result_valid, wiping;
  logic [IndexBits-1:0]  word_index, modulus_index;
  logic [WordBits-1:0]   modulus_word, exponent_word, base_word_data;
  logic [31:0]           read_word;
  logic                  exponent_bit;
  logic [LengthBits-1:0] exponent_bits, exponent_index;
  modexp_frontend #(.Width(Width), .WordBits(WordBits), .Words(Words)) u_frontend (
    .clk_i, .rst_ni, .clear_i,
    .request_i(single_lane(request_i)), .response_o,
    .result_valid_o(result_valid), .result_word_i(read_word),
    .wiping_o(wiping), .key_word_o(key_word), .base_word_o(base_word), .word_index_o(word_index),
    .modulus_word_o(modulus_word), .exponent_word_o(exponent_word),
    .base_word_data_o(base_word_data),
    .start_key_o(start_key), .start_o(start), .done_i(done),
    .modulus_index_i(modulus_index), .base_lane_i('0), .base_index_i('0),
    .exponent_index_i(exponent_index),
    .exponent_bit_o(exponent_bit), .exponent_bits_o(exponent_bits),
    /* verilator lint_off PINCONNECTEMPTY */
    .exponent_memory_word_o(), .last_lane_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  // The modulus, as every element needs its word of it all the time, and its highest 1.
  logic [RadixBits-1:0] n_q;
  localparam int unsigned TopBits = index_bits(RadixBits);
  logic [TopBits-1:0]      modulus_top;  // place of its highest 1
  logic                    power_valid;
  logic [IndexBits-1:0]    power_index;
  logic [WordBits-1:0]     top_power;
  leading_one #(.Words(Words), .WordBits(WordBits)) u_modulus_length (
    .clk_i, .rst_ni, .clear_i, .valid_i(key_word), .index_i(word_index), .word_i(modulus_word),
    .valid_o(power_valid), .index_o(power_index), .power_o(top_power), .place_o(modulus_top)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) n_q <= '0;
    else if (key_word) n_q <= {n_q[RadixBits-WordBits-1:0], modulus_word};
  end

  // Place of the last exponent bit to go through.
  logic [PlaceBits-1:0] last_exponent_place;
  if (FixedTime) begin : gen_fixed_time
    assign last_exponent_place = PlaceBits'(exponent_bits) - PlaceBits'(1);
  end else begin : gen_short_time
    logic [TopBits-1:0] exponent_top;
    /* verilator lint_off PINCONNECTEMPTY */
    leading_one #(.Words(Words), .WordBits(WordBits)) u_exponent_length (
      .clk_i, .rst_ni, .clear_i, .valid_i(key_word), .index_i(word_index),
      .word_i(exponent_word), .valid_o(), .index_o(), .power_o(), .place_o(exponent_top)
    );
    /* verilator lint_on PINCONNECTEMPTY */
    assign last_exponent_place = PlaceBits'(exponent_top);
  end

  typedef enum logic [2:0] {
    StIdle,
    StDouble,  // key: n' and 2 R mod n
    StLoad,    // key: R mod n becomes the first p and the squarer's first operand
    StStream,  // products run
    StDone
  } state_e;
  state_e state_q;
  logic   key_q;        // this is a key's set-up
  logic [IndexBits-1:0] index_q, index_d;  // word: of StLoad, then of the first product's a

  // n'
  logic                inverse_done;
  logic [WordBits-1:0] n_prime;
  montgomery_inverse #(.WordBits(WordBits)) u_inverse (
    .clk_i, .rst_ni, .clear_i, .start_i(start_key), .n_i(n_q[WordBits-1:0]),
    .done_o(inverse_done), .inverse_o(n_prime)
  );

  // 2 R mod n by doubling; afterwards the same memory keeps R^2 mod n.
  logic                 doubling, half_valid, squared_write;
  logic [IndexBits-1:0] doubling_index, half_index, result_index_q;
  logic [WordBits-1:0]  result_word, doubling_word, half_word;
  logic [PlaceBits-1:0] doublings;
  assign doublings = PlaceBits'(RadixBits + 1) - PlaceBits'(modulus_top);
  modular_doubling #(.Words(Words), .WordBits(WordBits), .CountBits(PlaceBits)) u_doubling (
    .clk_i, .rst_ni, .clear_i,
    .write_i(wiping || power_valid || squared_write),
    .write_index_i(squared_write ? result_index_q : power_valid ? power_index : word_index),
    .write_data_i(squared_write ? result_word : power_valid ? top_power : '0),
    .start_i(start_key), .count_i(doublings), .busy_o(doubling),
    .index_o(doubling_index), .modulus_word_i(modulus_word),
    .half_valid_o(half_valid), .half_index_o(half_index),
    .read_index_i(index_d), .word_o(doubling_word), .late_word_o(half_word)
  );

  // R mod n: what the multiplier takes where an exponent bit is 0.
  logic [IndexBits-1:0] product_index_q, one_index;
  logic [WordBits-1:0]  one_word;
  assign one_index = (state_q == StLoad) ? index_q : product_index_q;
  ram_distributed #(.Bits(WordBits), .Depth(Words)) u_one (
    .clk_i, .write_i(wiping || half_valid),
    .write_index_i(wiping ? word_index : half_index),
    .write_data_i(wiping ? '0 : half_word), .read_index_i(one_index), .read_data_o(one_word)
  );

  // Squarer. Its first a comes from memory (R^2 mod n; 2 R mod n for a key) and meets the base (R
  // for a key) as b; all further ones are its own products.
  localparam logic [PlaceBits-1:0] KeyExponent = PlaceBits'(RadixBits);
  localparam int unsigned KeyBits = count_bits(RadixBits);
  logic [PlaceBits-1:0] place_q;     // i of the s[i] that leaves the squarer
  logic [PlaceBits-1:0] last_place;
  logic                 first_q;     // the first product still takes words
  logic                 load, square_valid, square_ready, square_out;
  logic [WordBits-1:0]  square_a, square_word;
  logic                 last_square, bit_here;
  assign last_place  = key_q ? PlaceBits'(KeyBits - 1) : last_exponent_place;
  assign last_square = place_q == last_place;
  assign load         = base_word || state_q == StLoad;
  assign square_valid = first_q || (square_out && !last_square);
  assign square_a     = first_q ? doubling_word : square_word;

  logic [RadixBits-1:0] square_whole;
  modmul_montgomery_systolic #(
    .Words(Words), .WordBits(WordBits), .Multiplier(Multiplier)
  ) u_square (
    .clk_i, .rst_ni, .clear_i, .n_i(n_q), .n_prime_i(n_prime),
    .load_i(load), .load_word_i(base_word ? base_word_data : one_word),
    .a_valid_i(square_valid), .a_ready_o(square_ready), .a_word_i(square_a),
    .product_valid_o(square_out), .product_word_o(square_word), .b_o(square_whole)
  );

  // What the multiplier takes: s[i], R mod n, or (FixedTime = 0, and the key's public exponent)
  // nothing. The last place is always taken, so that there is a result to stream out.
  logic                push, push_ready, multiply_valid, multiply_ready, multiply_out;
  logic                operand_last, operand_last_q, result_last_q, result_now;
  logic [WordBits-1:0] operand_word;
  assign exponent_index = LengthBits'(place_q);
  assign bit_here = key_q ? KeyExponent[place_q[index_bits(PlaceBits)-1:0]] : exponent_bit;
  assign push     = square_out && (bit_here || last_square || (FixedTime && !key_q));
  stream_fifo #(.Bits(WordBits + 1), .Depth(4)) u_fifo (
    .clk_i, .rst_ni, .clear_i,
    .valid_i(push), .ready_o(push_ready),
    .data_i({last_square, bit_here ? square_word : one_word}),
    .valid_o(multiply_valid), .ready_i(multiply_ready), .data_o({operand_last, operand_word})
  );

  logic [RadixBits-1:0] product_whole;
  modmul_montgomery_systolic #(
    .Words(Words), .WordBits(WordBits), .Multiplier(Multiplier)
  ) u_multiply (
    .clk_i, .rst_ni, .clear_i, .n_i(n_q), .n_prime_i(n_prime),
    .load_i(load),
    .load_word_i(base_word ? WordBits'(word_index == '0) : one_word),
    .a_valid_i(multiply_valid), .a_ready_o(multiply_ready), .a_word_i(operand_word),
    .product_valid_o(multiply_out), .product_word_o(result_word), .b_o(product_whole)
  );

  // The last product is R^2 mod n, or the result: less n if that fits. Its words wait for those of
  // the modulus.
  localparam int unsigned ModulusLag = 3;
  typedef struct packed {
    logic                valid;
    logic                last;
    logic [WordBits-1:0] data;
  } result_word_t;
  result_word_t [ModulusLag-1:0] late_q;
  result_word_t                  late;
  logic [WordBits-1:0]  difference;
  logic [RadixBits-1:0] difference_q;
  logic                 borrow, borrow_q, result_end;
  assign result_now    = (result_index_q == '0) ? operand_last_q : result_last_q;
  assign squared_write = multiply_out && result_now && key_q;
  assign late          = late_q[ModulusLag-1];
  assign result_end    = late.valid && late.last;
  word_subtract #(.Bits(WordBits)) u_subtract (
    .minuend_i(late.data), .subtrahend_i(modulus_word), .borrow_i(borrow_q),
    .difference_o(difference), .borrow_o(borrow)
  );
  assign modulus_index = doubling ? doubling_index : result_index_q;
  logic [Width-1:0] result;
  assign result        = borrow_q ? product_whole[Width-1:0] : difference_q[Width-1:0];
  result_reader #(.Width(Width)) u_result (
    .clk_i, .rst_ni, .clear_i, .valid_i(result_valid), .result_i(result),
    .index_i(OperandBits'(request_i.result_index)), .word_o(read_word)
  );

  always_comb begin
    index_d = index_q;
    unique case (state_q)
      StIdle:   index_d = '0;
      StDouble: index_d = LastWord;
      StLoad:   index_d = (index_q == '0) ? '0 : index_q - IndexBits'(1);
      default:  if (first_q && square_ready) index_d = index_q + IndexBits'(1);
    endcase
  end

  always_ff @(posedge clk_i) begin
    index_q <= index_d;
    if (!rst_ni || clear_i) begin
      state_q         <= StIdle;
      key_q           <= 1'b0;
      index_q         <= '0;
      first_q         <= 1'b0;
      place_q         <= '0;
      product_index_q <= '0;
      operand_last_q  <= 1'b0;
      result_last_q   <= 1'b0;
      result_index_q  <= '0;
      late_q          <= '0;
      difference_q    <= '0;
      borrow_q        <= 1'b0;
    end else begin
      unique case (state_q)
        StIdle: begin
          place_q         <= '0;
          product_index_q <= '0;
          result_index_q  <= '0;
          if (start_key || start) begin
            key_q    <= start_key;
            borrow_q <= 1'b0;
            first_q  <= start;
            state_q  <= start ? StStream : StDouble;
          end
        end
        StDouble: if (!doubling && inverse_done) state_q <= StLoad;
        StLoad: begin
          if (index_q == '0) begin
            first_q <= 1'b1;
            state_q <= StStream;
          end
        end
        StStream: begin
          if (first_q && square_ready && index_q == LastWord) first_q <= 1'b0;
          if (square_out) begin
            product_index_q <= product_index_q + IndexBits'(1);
            if (product_index_q == LastWord) begin
              product_index_q <= '0;
              place_q         <= place_q + PlaceBits'(1);
            end
          end
          if (multiply_valid && multiply_ready) operand_last_q <= operand_last;
          if (multiply_out) begin
            result_last_q  <= result_now;
            result_index_q <= (result_index_q == LastWord) ? '0
                            : result_index_q + IndexBits'(1);
          end
          late_q <= {late_q[ModulusLag-2:0],
                     {multiply_out && result_now, result_index_q == LastWord, result_word}};
          if (late.valid && !key_q) begin
            borrow_q     <= borrow;
            difference_q <= {difference, difference_q[RadixBits-1:WordBits]};
          end
          if (result_end) state_q <= StDone;
        end
        default: begin  // StDone
          state_q <= StIdle;
        end
      endcase
    end
  end
  assign done = state_q == StDone;

  // Not all of these is needed in every configuration.
  logic unused;
  assign unused = ^{square_whole, product_whole, difference_q, exponent_word, exponent_bits};

  `TOTIENT_ASSERT(SquarerKeepsPace, !square_out || last_square || square_ready,
                  "the squarer cannot take its own product")
  `TOTIENT_ASSERT(FifoKeepsPace, !push || push_ready, "the multiplier has fallen behind")
  `TOTIENT_ASSERT(ResultBelowModulus, done && !key_q && !clear_i |->
                  RadixBits'(result) < n_q, "result not below the modulus")
endmodule

`default_nettype wire
