// SPDX-License-Identifier: Apache-2.0
// Repeated modular multiplication (modexp contract, docs/contracts.md):
//
//   c = m;  (e - 1) times:  c = c m mod n
//
// on two interleaved multipliers: one forms the first product m m, the other all that follow. The
// time is the exponent's value times a product, so only small exponents ever finish; `clear_i`
// ends an operation that takes too long.
//
// Cycles (e exponent, s cycles of a product, W = words of 32 bits; formula in the catalog):
//   load key  W + 8;   exponentiate  W + 9 + s (e - 1),  for e = 0:  W + 9
// Source: C. M. Ledgard, MS thesis, Texas A&M University, 2023, section 4.1.
`include "totient_assert.svh"
`default_nettype none

module modexp_repeated
  import modexp_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned Width        = 1024,  // 8 to 4096
  parameter int unsigned BitsPerCycle = 1,     // of the multipliers: 1 or 2
  parameter bit          EarlyEnd     = 1'b0,  // multipliers skip leading zeros
  localparam int unsigned OperandBits  = operand_index_bits(Width)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,
  input  modexp_request_t  request_i,
  output modexp_response_t response_o
);
  localparam int unsigned WordBits  = 32;
  localparam int unsigned Words     = words_of(Width, WordBits);
  localparam int unsigned CountBits = Words * WordBits;

  logic                start_key, start, done, key_word, base_word, result_valid;
  logic [WordBits-1:0] modulus_word, exponent_word, base_word_data;
  logic [31:0]         read_word;
  /* verilator lint_off PINCONNECTEMPTY */
  modexp_frontend #(.Width(Width), .WordBits(WordBits), .Words(Words)) u_frontend (
    .clk_i, .rst_ni, .clear_i,
    .request_i(single_lane(request_i)), .response_o,
    .result_valid_o(result_valid), .result_word_i(read_word),
    .wiping_o(), .key_word_o(key_word), .base_word_o(base_word), .word_index_o(),
    .modulus_word_o(modulus_word), .exponent_word_o(exponent_word),
    .base_word_data_o(base_word_data), .start_key_o(start_key), .start_o(start), .done_i(done),
    .modulus_index_i('0), .base_lane_i('0), .base_index_i('0), .exponent_index_i('0),
    .exponent_memory_word_o(), .exponent_bit_o(), .exponent_bits_o(), .last_lane_o()
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
    StKey,     // nothing to compute for a key
    StLook,    // exponent 0 and 1 need no product
    StFirst,   // the first multiplier forms m m
    StFurther, // the second forms all further products
    StDone
  } state_e;

  typedef enum logic [1:0] {CurrentOne, CurrentBase, CurrentFirst, CurrentFurther} current_e;

  state_e               state_q, state_d;
  current_e             current_q, current_d;
  logic [Width-1:0]     current, first, further;
  logic                 first_start, first_valid, further_start, further_valid;
  logic [CountBits-1:0] count_q;  // factors of m that are still to come
  logic                 factor;   // one more is in

  always_comb begin
    unique case (current_d)
      CurrentOne:   current = Width'(1);
      CurrentBase:  current = m_q;
      CurrentFirst: current = first;
      default:      current = further;
    endcase
  end
  result_reader #(.Width(Width)) u_result (
    .clk_i, .rst_ni, .clear_i, .valid_i(result_valid), .result_i(current),
    .index_i(OperandBits'(request_i.result_index)), .word_o(read_word)
  );

  // The multipliers are ready whenever they are started; the FSM below sees to that. The operand
  // that is scanned is the base: it may be short, and EarlyEnd then pays off in every product.
  logic first_ready, further_ready;
  modmul_interleaved #(
    .Width(Width), .BitsPerCycle(BitsPerCycle), .EarlyEnd(EarlyEnd)
  ) u_first (
    .clk_i, .rst_ni, .clear_i,
    .valid_i(first_start), .ready_o(first_ready), .a_i(m_q), .b_i(m_q), .n_i(n_q),
    .valid_o(first_valid), .ready_i(further_start || first_start), .product_o(first)
  );
  modmul_interleaved #(
    .Width(Width), .BitsPerCycle(BitsPerCycle), .EarlyEnd(EarlyEnd)
  ) u_further (
    .clk_i, .rst_ni, .clear_i,
    .valid_i(further_start), .ready_o(further_ready), .a_i(m_q), .b_i(current), .n_i(n_q),
    .valid_o(further_valid), .ready_i(further_start), .product_o(further)
  );

  always_comb begin
    state_d       = state_q;
    current_d     = current_q;
    first_start   = 1'b0;
    further_start = 1'b0;
    factor        = 1'b0;
    unique case (state_q)
      StIdle: begin
        if (start_key) state_d = StKey;
        if (start) state_d = StLook;
      end
      StKey: state_d = StIdle;
      StLook: begin
        current_d = (count_q == '0) ? CurrentOne : CurrentBase;
        factor    = 1'b1;
        if (count_q <= CountBits'(1)) begin
          state_d = StDone;
        end else begin
          first_start = 1'b1;
          state_d     = StFirst;
        end
      end
      StFirst: begin
        if (first_valid) begin
          current_d = CurrentFirst;
          factor    = 1'b1;
          if (count_q == CountBits'(1)) begin
            state_d = StDone;
          end else begin
            further_start = 1'b1;
            state_d       = StFurther;
          end
        end
      end
      StFurther: begin
        if (further_valid) begin
          current_d = CurrentFurther;
          factor    = 1'b1;
          if (count_q == CountBits'(1)) state_d = StDone;
          else further_start = 1'b1;
        end
      end
      default: begin  // StDone
        state_d = StIdle;
      end
    endcase
  end

  assign done = state_q == StDone || state_q == StKey;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q   <= StIdle;
      current_q <= CurrentOne;
      count_q   <= '0;
    end else begin
      state_q   <= state_d;
      current_q <= current_d;
      if (base_word) count_q <= CountBits'({count_q, exponent_word});
      else if (factor) count_q <= count_q - CountBits'(1);
    end
  end

  `TOTIENT_ASSERT(FirstReady, !first_start || first_ready, "first multiplier started while busy")
  `TOTIENT_ASSERT(FurtherReady, !further_start || further_ready,
                  "second multiplier started while busy")
  `TOTIENT_ASSERT(ResultBelowModulus, !result_valid || current < n_q,
                  "result not below the modulus")
endmodule

`default_nettype wire
