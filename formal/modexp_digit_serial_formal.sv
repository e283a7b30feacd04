// SPDX-License-Identifier: Apache-2.0
// Proof of the results of modexp_digit_serial, for all keys, bases and orders of requests, with
// products that may be any numbers below 2 n:
//
//   Error             each request is answered with the error of the contract, or none
//   Factor, Square    the first operation of an exponentiation is the product of R^2 and the base,
//                     that of a key the square of 2 R mod n; in each other one the last square is
//                     squared
//   Multiply          and multiplied by p, which is 1 before the first exponent bit, and the last
//                     product after one that is 1
//   Word              the result is p, less n if that fits
//   Squared           R^2 is p after the key's exponentiation, whose exponent is 2 log2 R
//   Doubled           2 R mod n is asked for with the right numbers
//   First .. Clean    the multipliers' inputs are as their header wants them
//
// The multipliers are cut off. What modular_doubling does is proved there.
`include "doubling_rests.svh"
`default_nettype none

module modexp_digit_serial_formal
  import contract_pkg::*;
  import digit_serial_pkg::*;
  import modexp_pkg::*;
  import modexp_stretch_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned Width       = 16,  // at most 30
  parameter int unsigned DigitBits   = 9,
  parameter int unsigned Start       = StartAny,
  parameter int unsigned MostBits    = 4,    // of the exponent, with StartExponentiate
  parameter int unsigned Longest     = 119,  // cycles of a stretch
  localparam int unsigned Bits      = serial_digits(Width, DigitBits) * DigitBits,  // of R
  localparam int unsigned OwnBits   = parallel_digits(Width, DigitBits) * DigitBits,
  localparam int unsigned PlaceBits = count_bits(2 * Bits + 1)
) (
  input wire logic                             clk_i,
  input wire logic                             reset_ni,
  input wire logic                             clear_i,
  input wire modexp_request_t                  request_i,
  input wire logic [1:0][Bits-1:0] value_i    // free: products
);
  typedef logic [Bits-1:0]      number_t;
  typedef logic [PlaceBits-1:0] place_t;
  localparam bit          Chosen     = Start inside {StartKey, StartExponentiate};
  localparam int unsigned Squarer    = 0;
  localparam int unsigned Multiplier = 1;

  // A stretch from one rest to the next one, or from a reset or clear: `modexp_stretch.svh`.
  logic first_q = 1'b1;
  always_ff @(posedge clk_i) first_q <= 1'b0;
  logic        rst_ni, stopped, active, ended, finished, settled, cleared, clear;
  assign clear   = clear_i && !Chosen;
  logic [15:0] cycle_q = '0;
  assign rst_ni  = reset_ni || Chosen;
  assign stopped = !rst_ni || clear;
  logic [2:0] stopped_q;
  logic [3:0] flushing_q;  // an operation on zeros was under way
  always_ff @(posedge clk_i) begin
    stopped_q  <= {stopped_q[1:0], stopped};
    flushing_q <= {flushing_q[2:0], u_dut.flushing_q};
  end
  assign settled = flushing_q == '0;
  assign cleared = stopped_q[0];  // the word that was being read may still be there

  modexp_request_t  request;
  modexp_response_t response;
  assign request = begun(single_lane(request_i), first_q, Start);
  modexp_digit_serial #(.Width(Width), .DigitBits(DigitBits)) u_dut (
    .clk_i, .rst_ni, .clear_i(clear), .request_i(request), .response_o(response)
  );

  logic             accept, working, key, exponentiates;
  logic [Width-1:0] modulus, exponent, base, n, e, m;
  logic [5:0]       length;
  error_e           error;
  modexp_requests #(.Width(Width)) u_requests (
    .clk_i, .rst_ni, .clear_i(clear), .request_i(request), .response_i(response), .accept_o(accept),
    .working_o(working), .modulus_o(modulus), .exponent_o(exponent), .base_o(base), .key_o(key),
    .exponentiates_o(exponentiates), .n_o(n), .e_o(e), .length_o(length), .m_o(m),
    .error_o(error)
  );

  // Squarer and multiplier get their operands in the same cycle.
  logic [1:0]              operands, array_idle;
  logic [1:0][Bits-1:0]    a, product;
  logic [1:0][OwnBits-1:0] b, m_there;
  for (genvar i = 0; i < 2; i++) begin : gen_multiplier
    digit_serial_products #(.Width(Width), .DigitBits(DigitBits)) u_products (
      .clk_i, .stop_i(stopped || stopped_q != '0), .active_i(active), .n_i(number_t'(n)),
      .value_i(value_i[i]), .first_i(u_dut.first_late_q), .low_i(u_dut.low_late_q),
      .shift_i(u_dut.shift_late_q[i]), .load_modulus_i(u_dut.load_late_q), .a_i(u_dut.a_q),
      .chain_i(u_dut.chain[i]),
      .product_i(u_dut.gen_multiplier[i].gen_separated.u_modmul.product_o),
      .operands_o(operands[i]), .a_o(a[i]), .b_o(b[i]), .modulus_o(m_there[i]),
      .product_o(product[i]), .idle_o(array_idle[i])
    );
  end
  // Operations: the first one of an exponentiation is before its exponent bits.
  logic [2**PlaceBits-1:0] bits;
  place_t                  operation_q, place, places;
  number_t                 s_q, p_q, constant_q, two_q;
  assign bits   = exponentiates ? (2 ** PlaceBits)'(e) : (2 ** PlaceBits)'(2 * Bits);
  assign places = exponentiates ? place_t'(length) : place_t'(count_bits(2 * Bits));
  assign place  = exponentiates ? operation_q - place_t'(1) : operation_q;
  number_t memory;  // the doubled number, once it is there; then R^2
  assign memory = number_t'(u_dut.u_doubling.reduced_q ? u_dut.u_doubling.u_difference.memory[0]
                                                       : u_dut.u_doubling.u_double.memory[0]);
  logic memory_fits;
  assign memory_fits = (u_dut.u_doubling.reduced_q
      ? {u_dut.u_doubling.u_difference.memory[1], u_dut.u_doubling.u_difference.memory[0]}
      : {u_dut.u_doubling.u_double.memory[1], u_dut.u_doubling.u_double.memory[0]}) >> Bits == '0;
  logic            doubling_q, started_q;
  logic [2:0][0:0] doubling_index_q;
  always_ff @(posedge clk_i) begin
    doubling_q       <= u_dut.doubling;
    started_q        <= u_dut.start_key && !stopped;
    doubling_index_q <= {doubling_index_q[1:0], u_dut.doubling_index};
    if (doubling_q && !u_dut.doubling) two_q <= memory;
    if (operands[Squarer]) begin
      operation_q <= operation_q + place_t'(1);
      s_q         <= product[Squarer];
      if (place < places && bits[place]) p_q <= product[Multiplier];
    end
    if (accept) {operation_q, p_q} <= {place_t'(0), number_t'(1)};
    if (response.rsp_valid && !exponentiates && error == ErrNone) constant_q <= p_q;

    if (active && !stopped) begin
      if (operands[Squarer]) begin
        Factor : assert (working && error == ErrNone && m_there[Squarer] == OwnBits'(n)
            && a[Squarer] == ((operation_q != '0) ? s_q : exponentiates ? constant_q : two_q));
        Square : assert (number_t'(b[Squarer]) == ((operation_q != '0) ? s_q
                                                  : exponentiates ? number_t'(m) : two_q));
      end
      Both : assert (operands[Multiplier] == operands[Squarer]);
      if (operands[Multiplier] && place < places) begin
        Multiply : assert (m_there[Multiplier] == OwnBits'(n) && number_t'(b[Multiplier]) == p_q
            && a[Multiplier] == ((operation_q != '0) ? s_q : two_q));
      end
      if (u_dut.start_key) begin
        Count : assert (32'(u_dut.u_doubling.count_i) == Bits + 1 - top_of(64'(n)));
      end
      if (started_q && !first_q) begin
        Doubled : assert (u_dut.doubling && memory_fits
                          && memory == number_t'(1) << top_of(64'(n)));
      end
      if (u_dut.doubling && cycle_q > 16'd3) begin
        Modulus : assert (u_dut.modulus_word == (doubling_index_q[2] == '0 ? 32'(n) : '0));
      end
      if (response.rsp_valid) begin
        Error : assert (response.rsp_error == error);
        if (error == ErrNone) begin
          Ended : assert (finished && array_idle == '1);
          if (!exponentiates) Squared : assert (memory == p_q);
        end
      end
    end
  end

  logic digits_come;  // of the result
  always_comb begin
    digits_come = u_dut.gen_lane[0].digit;
    foreach (u_dut.gen_lane[0].u_digit.gen_registers.stage_q[i])
      digits_come |= u_dut.gen_lane[0].u_digit.gen_registers.stage_q[i][3];
  end

  // At rest: no operation runs, and the constants of a key are there.
  logic        units_rest, constants, top_there;
  number_t     p;
  logic [31:0] shown;
  assign finished  = operation_q == places + place_t'(exponentiates);
  assign p         = p_q;
  assign shown     = u_dut.gen_lane[0].u_result.read_word_o;
  assign top_there = 1'b1;
  assign constants = m_there == {2{OwnBits'(n)}}
      && memory == ((ended && !exponentiates) ? p_q : constant_q);
  assign units_rest = 32'(u_dut.state_q) == 1 && array_idle == '1
      && `DOUBLING_RESTS(u_dut.u_doubling) && !u_dut.u_doubling.given_q && !doubling_q
      && {u_dut.u_leading.valid_q, u_dut.u_leading.seen_q, u_dut.u_leading.valid_o,
          u_dut.u_leading.first_q, u_dut.u_leading.found_q} == '0
      && {u_dut.first_q, u_dut.low_q, u_dut.load_q, u_dut.first_late_q, u_dut.low_late_q,
          u_dut.load_late_q, u_dut.shift_square_q, u_dut.shift_multiply_q, u_dut.shift_late_q,
          u_dut.a_q}
         == '0
      && {u_dut.gen_lane[0].left_q, u_dut.gen_lane[0].begins_q, digits_come,
          u_dut.gen_lane[0].u_result.wait_q.valid, u_dut.gen_lane[0].u_result.word_q.valid,
          u_dut.gen_lane[0].u_result.done_q.valid, u_dut.gen_lane[0].u_result.joined.valid,
          u_dut.gen_lane[0].u_result.u_join.valid_q, u_dut.gen_lane[0].u_result.borrow_q,
          u_dut.gen_lane[0].u_result.index_o} == '0
      && !u_dut.restart_q && !u_dut.flushing_q && !u_dut.result_end_q
      && !u_dut.end_step_q && !started_q && stopped_q == '0
      && {u_dut.u_frontend.u_modulus.memory[1], u_dut.u_frontend.u_exponent.memory[1],
          u_dut.u_frontend.u_base.memory[1]} == '0
      && (response.rsp_valid || !working);

`include "modexp_stretch.svh"
endmodule

`default_nettype wire
