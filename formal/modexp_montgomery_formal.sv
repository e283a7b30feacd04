// SPDX-License-Identifier: Apache-2.0
// Proof of the results of modexp_montgomery, for all keys, bases and orders of requests, with
// products that may be any numbers below 2 n:
//
//   Error             each request is answered with the error of the contract, or none
//   Factor, Square    the squarer's first product is that of R^2 and the base (of 2 R mod n and
//                     R mod n for a key); each other one is of the last one with itself
//   Second, Multiply  the multiplier's first B is 1 (R mod n for a key), then its last product; its
//                     A is s[i] for each exponent bit i that is 1, from the lowest on, and R mod n
//                     for one that is 0, or no product
//   Word              the result is the last product, less n if that fits
//   Squared           R^2 is the last product of the key's exponentiation, whose exponent is
//                     log2 R
//   Doubled, Inverse  2 R mod n and n' are asked for with the right numbers
//   Loaded, Constant  B is loaded while no product is computed; modulus and n' stay during one
//
// The multipliers are cut off: what they do is proved in modmul_montgomery_systolic, what
// modular_doubling and montgomery_inverse do in those.
`include "doubling_rests.svh"
`default_nettype none

module modexp_montgomery_formal
  import contract_pkg::*;
  import modexp_pkg::*;
  import modexp_stretch_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned Width     = 8,  // at most 30
  parameter int unsigned WordBits  = 8,
  parameter bit          FixedTime = 1'b1,
  localparam int unsigned Words     = words_of(Width + 2, WordBits),
  localparam int unsigned Bits      = Words * WordBits,  // of R
  localparam int unsigned IndexBits = index_bits(Words),
  localparam int unsigned PlaceBits = count_bits(Bits + 1),
  localparam int unsigned Start     = StartAny,
  localparam int unsigned MostBits  = Width,
  localparam int unsigned Longest   = 130
) (
  input wire logic                 clk_i,
  input wire logic                 reset_ni,
  input wire logic                 clear_i,
  input wire modexp_request_t      request_i,
  input wire logic [Bits-1:0]      square_i,      // free: the squarer's product
  input wire logic [Bits-1:0]      product_i,     // free: the multiplier's
  input wire logic [PlaceBits-1:0] watch_place_i, // free: a word of an s[i]
  input wire logic [IndexBits-1:0] watch_index_i
);
  typedef logic [Bits-1:0]      number_t;
  typedef logic [PlaceBits-1:0] place_t;

  // A stretch from one rest to the next one, or from a reset or clear: `modexp_stretch.svh`.
  logic first_q = 1'b1;
  always_ff @(posedge clk_i) first_q <= 1'b0;
  logic rst_ni, stopped, active, ended, finished, settled, cleared;
  assign settled = 1'b1;
  assign cleared = 1'b0;
  logic [15:0] cycle_q = '0;
  assign rst_ni  = reset_ni;
  assign stopped = !rst_ni || clear_i;

  modexp_request_t  request;
  modexp_response_t response;
  assign request = single_lane(request_i);
  modexp_montgomery #(.Width(Width), .WordBits(WordBits), .FixedTime(FixedTime)) u_dut (
    .clk_i, .rst_ni, .clear_i, .request_i(request), .response_o(response)
  );

  logic             accept, working, key, exponentiates;
  logic [Width-1:0] modulus, exponent, base, n, e, m;
  logic [5:0]       length;
  error_e           error;
  modexp_requests #(.Width(Width)) u_requests (
    .clk_i, .rst_ni, .clear_i, .request_i(request), .response_i(response), .accept_o(accept),
    .working_o(working), .modulus_o(modulus), .exponent_o(exponent), .base_o(base), .key_o(key),
    .exponentiates_o(exponentiates), .n_o(n), .e_o(e), .length_o(length), .m_o(m),
    .error_o(error)
  );
  logic good;
  assign good = working && error == ErrNone;

  // Multipliers.
  logic                 square_take, square_last, square_idle;
  logic                 multiply_take, multiply_last, multiply_idle;
  logic [IndexBits-1:0] square_index, square_out, multiply_index, multiply_out;
  number_t              square_b, multiply_b;
  systolic_products #(.Words(Words), .WordBits(WordBits)) u_squares (
    .clk_i, .stop_i(stopped), .n_i(number_t'(n)), .value_i(square_i),
    .load_i(u_dut.load), .load_word_i(u_dut.u_square.load_word_i),
    .a_valid_i(u_dut.square_valid), .a_ready_i(u_dut.square_ready),
    .product_valid_i(u_dut.square_out), .product_word_i(u_dut.square_word),
    .whole_i(u_dut.square_whole), .take_o(square_take), .index_o(square_index),
    .last_o(square_last), .b_o(square_b), .idle_o(square_idle), .out_o(square_out)
  );
  systolic_products #(.Words(Words), .WordBits(WordBits)) u_products (
    .clk_i, .stop_i(stopped), .n_i(number_t'(n)), .value_i(product_i),
    .load_i(u_dut.load), .load_word_i(u_dut.u_multiply.load_word_i),
    .a_valid_i(u_dut.multiply_valid), .a_ready_i(u_dut.multiply_ready),
    .product_valid_i(u_dut.multiply_out), .product_word_i(u_dut.result_word),
    .whole_i(u_dut.product_whole), .take_o(multiply_take), .index_o(multiply_index),
    .last_o(multiply_last), .b_o(multiply_b), .idle_o(multiply_idle), .out_o(multiply_out)
  );

  // The exponent: log2 R for a key. Places that are multiplied, and the last one.
  logic [2**PlaceBits-1:0] bits, taken;
  place_t                  last;
  always_comb begin
    bits = exponentiates ? (2 ** PlaceBits)'(e) : (2 ** PlaceBits)'(Bits);
    last = place_t'(top_of(64'(bits)));
    if (exponentiates && FixedTime) last = place_t'(length - 6'd1);
    taken = bits;
    if (exponentiates && FixedTime) taken = '1;
    taken[last] = 1'b1;
  end
  function automatic place_t next(logic [2**PlaceBits-1:0] among, logic [PlaceBits:0] first);
    next = '1;
    for (int unsigned i = 2 ** PlaceBits - 1; i < 2 ** PlaceBits; i--)
      if (among[i] && i >= 32'(first)) next = place_t'(i);
  endfunction

  // Numbers: constants of the key, a word of s[i], and where the products are.
  number_t              one_q, two_q, squared_q;  // R mod n, 2 R mod n, R^2 mod n (below 2 n)
  place_t               square_q;                 // squares taken
  place_t               multiply_q;               // place of the product that is taken next
  logic                 ended_q;                  // the last place is taken
  place_t               watch_place_q;
  logic [IndexBits-1:0] watch_index_q;
  logic [WordBits-1:0]  watch_q;
  logic                 watched_q;
  function automatic logic [WordBits-1:0] word(number_t number, logic [IndexBits-1:0] index);
    return WordBits'(number >> (WordBits * index));
  endfunction
  number_t memory;  // the doubled number, once it is there
  for (genvar k = 0; k < Words; k++) begin : gen_memory
    assign memory[WordBits*k+:WordBits] = u_dut.u_doubling.reduced_q
        ? u_dut.u_doubling.u_difference.memory[k] : u_dut.u_doubling.u_double.memory[k];
  end
  logic                      doubling_q, started_q;
  logic [2:0][IndexBits-1:0] doubling_index_q;
  always_ff @(posedge clk_i) begin
    if (first_q) {watch_place_q, watch_index_q} <= {watch_place_i, watch_index_i};
    doubling_q       <= u_dut.doubling;
    started_q        <= u_dut.start_key && !stopped;
    doubling_index_q <= {doubling_index_q[1:0], u_dut.doubling_index};
    if (doubling_q && !u_dut.doubling) two_q <= memory;
    for (int unsigned k = 0; k < Words; k++) begin
      if (u_dut.half_valid && 32'(u_dut.half_index) == k)
        one_q[WordBits*k+:WordBits] <= u_dut.half_word;
    end
    if (square_take && square_last) square_q <= square_q + place_t'(1);
    if (u_dut.square_out && square_q - place_t'(1) == watch_place_q
        && square_out == watch_index_q) begin
      watch_q   <= u_dut.square_word;
      watched_q <= 1'b1;
    end
    if (multiply_take && multiply_last) begin
      multiply_q <= next(taken, (PlaceBits + 1)'(multiply_q) + (PlaceBits + 1)'(1));
      if (multiply_q == last) ended_q <= 1'b1;
    end
    if (accept) begin
      {square_q, watched_q, ended_q} <= '0;
      multiply_q <= '1;  // until the exponent is known
    end
    if (working && !ended_q && multiply_q == '1) multiply_q <= next(taken, '0);
    if (response.rsp_valid && !exponentiates && error == ErrNone) squared_q <= multiply_b;

    if (active && !stopped) begin
      if (square_take) begin
        Factor : assert (good && square_q <= last
            && u_dut.square_a == word((square_q != '0) ? square_b
                                      : exponentiates ? squared_q : two_q, square_index));
        Square : assert (square_q != '0 || square_b == (exponentiates ? number_t'(m) : one_q));
      end
      if (multiply_take) begin
        Second : assert (good && !ended_q
            && (multiply_q != next(taken, '0)
                || multiply_b == (exponentiates ? number_t'(1) : one_q)));
        if (!bits[multiply_q]) begin
          Skip : assert (u_dut.operand_word == word(one_q, multiply_index));
        end else if (multiply_q == watch_place_q && multiply_index == watch_index_q) begin
          Multiply : assert (watched_q && u_dut.operand_word == watch_q);
        end
      end
      if (u_dut.load) Loaded : assert (square_idle && multiply_idle && square_q == '0);
      if (square_take || !square_idle || multiply_take || !multiply_idle) begin
        Constant : assert (u_dut.n_q == number_t'(n) && u_dut.inverse_done);
      end
      if (u_dut.start_key) begin
        Inverse : assert (u_dut.n_q == number_t'(n) && good && !exponentiates);
        Count : assert (u_dut.doublings == place_t'(Bits + 1 - top_of(64'(n))));
      end
      if (started_q && !first_q)
        Doubled : assert (u_dut.doubling && memory == number_t'(1) << top_of(64'(n)));
      if (u_dut.doubling && cycle_q > 16'd3) begin
        Modulus : assert (u_dut.modulus_word == word(number_t'(n), doubling_index_q[2]));
      end
      if (response.rsp_valid) begin
        Error : assert (response.rsp_error == error);
        if (error == ErrNone) begin
          Ended : assert (ended_q && multiply_idle && square_idle);
          if (!exponentiates) Squared : assert (memory == multiply_b);
        end
      end
    end
  end

  logic lengths_rest;
  if (FixedTime) begin : gen_lengths
    assign lengths_rest = 1'b1;
  end else begin : gen_short_lengths
    assign lengths_rest = {u_dut.gen_short_time.u_exponent_length.valid_q,
        u_dut.gen_short_time.u_exponent_length.seen_q,
        u_dut.gen_short_time.u_exponent_length.valid_o,
        u_dut.gen_short_time.u_exponent_length.first_q,
        u_dut.gen_short_time.u_exponent_length.found_q} == '0;
  end

  // At rest: no operation runs, and the constants of a key are there.
  logic        units_rest, constants;
  number_t     p;
  logic [31:0] shown;
  assign p     = multiply_b;
  assign shown = 32'(u_dut.result);
  assign finished = ended_q;
  assign units_rest = u_dut.state_q == '0 && !u_dut.first_q && u_dut.late_q[0].valid == 1'b0
      && u_dut.late_q[1].valid == 1'b0 && u_dut.late_q[2].valid == 1'b0
      && u_dut.u_fifo.write_q == u_dut.u_fifo.read_q
      && `DOUBLING_RESTS(u_dut.u_doubling) && !u_dut.u_doubling.given_q && !doubling_q
      && {u_dut.u_modulus_length.valid_q, u_dut.u_modulus_length.seen_q,
          u_dut.u_modulus_length.valid_o, u_dut.u_modulus_length.first_q,
          u_dut.u_modulus_length.found_q} == '0
      && u_dut.inverse_done && lengths_rest && square_idle && multiply_idle
      && (response.rsp_valid || !working);
  assign constants = u_dut.n_q == number_t'(n)
      && memory == ((ended && !exponentiates) ? multiply_b : squared_q)
      && {u_dut.u_one.memory[1], u_dut.u_one.memory[0]} == one_q;
  logic top_there;
  if (FixedTime) begin : gen_fixed_time
    assign top_there = 1'b1;
  end else begin : gen_short_time
    assign top_there = 32'(u_dut.gen_short_time.exponent_top) == top_of(64'(e));
  end

`include "modexp_stretch.svh"
endmodule

`default_nettype wire
