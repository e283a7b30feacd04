// SPDX-License-Identifier: Apache-2.0
// Left-to-right binary exponentiation on two interleaved multipliers, one that squares and one that
// multiplies by the base (modexp contract, docs/contracts.md):
//
//   c = 1;  for each exponent bit from the top:  c = c^2 mod n;  if the bit is 1:  c = c m mod n
//
// The first product is never computed: while c is 1 (FixedTime = 0), or at the first bit
// (FixedTime = 1), a 1 bit makes it the base.
//   FixedTime = 0: a squaring for each bit below the top 1, a multiplication for each 1 among them
//   FixedTime = 1: one squaring and one multiplication for each bit but the first; the product is
//                  dropped where the bit is 0
//
// Cycles (k stated exponent bits, t = bits up to the top 1, w = 1s, s = cycles of a product,
//         W = words of 32 bits; formula in the catalog, held by the tests):
//   load key           W + 8
//   FixedTime = 0      W + 9 + (k - t) + s ((t - 1) + (w - 1));  exponent 0:  W + 8 + k
//   FixedTime = 1      W + 9 + 2 s (k - 1)
// Source: C. M. Ledgard, MS thesis, Texas A&M University, 2023, section 4.2.
`include "totient_assert.svh"
`default_nettype none

module modexp_binary
  import modexp_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned Width        = 1024,  // 8 to 4096
  parameter int unsigned BitsPerCycle = 1,     // of the multipliers: 1 or 2
  parameter bit          EarlyEnd     = 1'b0,  // multipliers skip leading zeros
  parameter bit          FixedTime    = 1'b0,  // same time for every exponent of a length
  localparam int unsigned LengthBits   = count_bits(Width),
  localparam int unsigned OperandBits  = operand_index_bits(Width)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,
  input  modexp_request_t  request_i,
  output modexp_response_t response_o
);
  `TOTIENT_REQUIRE(Timing, !(FixedTime && EarlyEnd), "FixedTime needs EarlyEnd = 0")

  localparam int unsigned WordBits  = 32;
  localparam int unsigned Words     = words_of(Width, WordBits);

  logic                  start_key, start, done, key_word, base_word, result_valid;
  logic [WordBits-1:0]   modulus_word, base_word_data;
  logic [31:0]           read_word;
  logic                  exponent_bit;
  logic [LengthBits-1:0] exponent_bits, index_d, index_q;
  /* verilator lint_off PINCONNECTEMPTY */
  modexp_frontend #(.Width(Width), .WordBits(WordBits), .Words(Words)) u_frontend (
    .clk_i, .rst_ni, .clear_i,
    .request_i(single_lane(request_i)), .response_o,
    .result_valid_o(result_valid), .result_word_i(read_word),
    .wiping_o(), .key_word_o(key_word), .base_word_o(base_word), .word_index_o(),
    .modulus_word_o(modulus_word), .exponent_word_o(), .base_word_data_o(base_word_data),
    .start_key_o(start_key), .start_o(start), .done_i(done),
    .modulus_index_i('0), .base_lane_i('0), .base_index_i('0), .exponent_index_i(index_d),
    .exponent_memory_word_o(), .exponent_bit_o(exponent_bit),
    .exponent_bits_o(exponent_bits), .last_lane_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // Modulus and base, shifted in as they are read.
  logic [Width-1:0] n_q, m_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      n_q <= '0;
      m_q <= '0;
    end else begin
      if (key_word) n_q <= Width'({n_q, modulus_word});
      if (base_word) m_q <= Width'({m_q, base_word_data});
    end
  end

  typedef enum logic [2:0] {
    StIdle,
    StKey,       // nothing to compute for a key
    StLeading,   // no 1 seen yet: c is 1
    StSquare,    // the squarer works
    StMultiply,  // the multiplier works on the square
    StDone
  } state_e;

  // Where c is: the constant 1, the base, the last square, the last product.
  typedef enum logic [1:0] {CurrentOne, CurrentBase, CurrentSquare, CurrentProduct} current_e;

  state_e           state_q, state_d;
  current_e         current_q, current_d;
  logic [Width-1:0] current, square, product;
  logic             square_start, square_valid, square_take;
  logic             multiply_start, product_valid;
  logic             next_bit, last;

  always_comb begin
    unique case (current_d)
      CurrentOne:    current = Width'(1);
      CurrentBase:   current = m_q;
      CurrentSquare: current = square;
      default:       current = product;
    endcase
  end
  result_reader #(.Width(Width)) u_result (
    .clk_i, .rst_ni, .clear_i, .valid_i(result_valid), .result_i(current),
    .index_i(OperandBits'(request_i.result_index)), .word_o(read_word)
  );
  assign last = index_q == '0;

  // The multipliers are ready whenever they are started; the FSM below sees to that.
  logic square_ready, multiply_ready;
  modmul_interleaved #(
    .Width(Width), .BitsPerCycle(BitsPerCycle), .EarlyEnd(EarlyEnd)
  ) u_square (
    .clk_i, .rst_ni, .clear_i,
    .valid_i(square_start), .ready_o(square_ready), .a_i(current), .b_i(current), .n_i(n_q),
    .valid_o(square_valid), .ready_i(square_take), .product_o(square)
  );
  modmul_interleaved #(
    .Width(Width), .BitsPerCycle(BitsPerCycle), .EarlyEnd(EarlyEnd)
  ) u_multiply (
    .clk_i, .rst_ni, .clear_i,
    .valid_i(multiply_start), .ready_o(multiply_ready), .a_i(m_q), .b_i(square), .n_i(n_q),
    .valid_o(product_valid), .ready_i(square_start || multiply_start), .product_o(product)
  );

  always_comb begin
    state_d        = state_q;
    current_d      = current_q;
    next_bit       = 1'b0;
    square_start   = 1'b0;
    square_take    = 1'b0;
    multiply_start = 1'b0;
    unique case (state_q)
      StIdle: begin
        if (start_key) state_d = StKey;
        if (start) begin
          state_d   = StLeading;
          current_d = CurrentOne;
        end
      end
      StKey: state_d = StIdle;
      StLeading: begin
        if (exponent_bit) current_d = CurrentBase;
        if (last) begin
          state_d = StDone;
        end else begin
          next_bit = 1'b1;
          if (FixedTime || exponent_bit) begin
            square_start = 1'b1;
            state_d      = StSquare;
          end
        end
      end
      StSquare: begin
        // The square stays in the squarer while the multiplier works.
        if (square_valid) begin
          current_d = CurrentSquare;
          if (FixedTime || exponent_bit) begin
            multiply_start = 1'b1;
            state_d        = StMultiply;
          end else begin
            square_take = 1'b1;
            if (last) begin
              state_d = StDone;
            end else begin
              next_bit     = 1'b1;
              square_start = 1'b1;
            end
          end
        end
      end
      StMultiply: begin
        if (product_valid) begin
          if (exponent_bit) current_d = CurrentProduct;
          square_take = 1'b1;
          if (last) begin
            state_d = StDone;
          end else begin
            next_bit     = 1'b1;
            square_start = 1'b1;
            state_d      = StSquare;
          end
        end
      end
      default: begin  // StDone
        state_d = StIdle;
      end
    endcase
  end

  // The bit that `index_d` names is there in the next cycle, with `index_q`.
  assign index_d = start ? exponent_bits - LengthBits'(1)
                 : next_bit ? index_q - LengthBits'(1) : index_q;
  assign done    = state_q == StDone || state_q == StKey;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q   <= StIdle;
      current_q <= CurrentOne;
      index_q   <= '0;
    end else begin
      state_q   <= state_d;
      current_q <= current_d;
      index_q   <= index_d;
    end
  end

  `TOTIENT_ASSERT(SquarerReady, !square_start || square_ready, "squarer started while busy")
  `TOTIENT_ASSERT(MultiplierReady, !multiply_start || multiply_ready,
                  "multiplier started while busy")
  `TOTIENT_ASSERT(ResultBelowModulus, !result_valid || current < n_q,
                  "result not below the modulus")
endmodule

`default_nettype wire
