// SPDX-License-Identifier: Apache-2.0
// RSA as a published IP computes it: a product, then the modulus by restoring division.
//
//   n = p q,   t = (p - 1) (q - 1)
//   e = the first of 3, 5, 7, ... with gcd(e, t) = 1, by Euclid; d = e^-1 mod t by the extended
//       Euclid, whose products follow the divisions of the same run
//   result = message ^ exponent mod n: binary, from the exponent's lowest bit; square and product
//       at the same time, in two multipliers and two dividers
//
// Every step of Euclid and every bit of an exponent is a product and a division of 2 Width bits, in
// s = 2 Width + Stages + 2 cycles. Any modulus above 1 is allowed, an even one too. Whether p and q
// are prime is not looked at: if they are not, the key is wrong.
//
// Timing: making a key depends on the number of Euclid's divisions, and so on the secret totient; a
//         message on the length of its exponent only.
// Bounds: p, q odd, >= 3, different, p q < 2^Width; message < n; exponent >= 1.
// Cycles: from the request's handshake to the first cycle of `rsp_valid_o`, with D divisions until
//         a remainder is 0, for all e that are tried, and an exponent of k bits:
//           key_cycles_o      D s + Stages + 3; 0 with a given key
//           message_cycles_o  k s + 1; k s + 2 with a given key
//           all               their sum
// Source: Becannon et al., figures 1 to 5.
`include "totient_assert.svh"
`default_nettype none

module rsa_restoring
  import contract_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned Width  = 32,  // longest modulus: 8 to 64
  parameter int unsigned Stages = 14   // registers of a multiplier: 2 to 32
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,  // abort, overwrite everything
  // With the handshake: `given_i` uses key and modulus, else a key is made from the primes, and
  // `decrypt_i` takes d of it in place of e
  input  logic        req_valid_i,
  output logic        req_ready_o,
  input  logic        given_i,
  input  logic        decrypt_i,
  input  logic [31:0] p_i,
  input  logic [31:0] q_i,
  input  logic [63:0] message_i,
  input  logic [63:0] exponent_i,
  input  logic [63:0] modulus_i,
  // From `rsp_valid_o` to its handshake: zero where there is an error or no such number
  output logic        rsp_valid_o,
  input  logic        rsp_ready_i,
  output error_e      rsp_error_o,
  output logic [63:0] result_o,
  output logic [63:0] modulus_o,
  output logic [63:0] public_o,
  output logic [63:0] private_o,
  output logic [31:0] key_cycles_o,
  output logic [31:0] message_cycles_o
);
  `TOTIENT_REQUIRE(Width, Width >= 8 && Width <= 64, "Width must be 8 to 64")
  // The multiplier checks Stages.
  localparam int unsigned Bits = Width <= 64 ? Width : 64;  // a wrong Width is refused once
  typedef logic [Bits-1:0] number_t;
  typedef logic [2*Bits-1:0] product_t;

  function automatic logic is_long(logic [63:0] number);
    return 64'(number_t'(number)) != number;
  endfunction

  typedef enum logic [2:0] {StIdle, StMultiply, StDivide, StScale, StJudge, StRaise, StRespond}
      state_e;
  state_e  state_q;
  logic    start_q;  // first cycle of a state that starts a multiplier or a divider
  logic    given_q, decrypt_q, primes_good_q, long_q, negative_q, has_modulus_q;
  error_e  error_q;
  number_t p_q, q_q, modulus_q, totient_q, public_q, private_q, exponent_q, power_q, result_q;
  number_t before_q, divisor_q, factor_before_q, factor_q;  // of Euclid
  logic [31:0] key_cycles_q, message_cycles_q;

  // Multiplier and divider 0 work for both parts, 1 squares.
  logic     [1:0] multiply, multiplied, divide, divided;
  number_t        factor_x, factor_y, divisor;
  product_t [1:0] product, quotient;
  number_t  [1:0] remainder;
  product_t       dividend;
  logic           is_raising;
  assign is_raising = state_q == StRaise;
  for (genvar i = 0; i < 2; i++) begin : gen_units
    pipelined_multiplier #(.Width(Bits), .Stages(Stages)) u_multiplier (
      .clk_i, .rst_ni, .clear_i, .valid_i(multiply[i]),
      .x_i(i == 0 ? factor_x : power_q), .y_i(i == 0 ? factor_y : power_q),
      .valid_o(multiplied[i]), .product_o(product[i])
    );
    restoring_modulo #(.DividendBits(2 * Bits), .DivisorBits(Bits)) u_divider (
      .clk_i, .rst_ni, .clear_i, .start_i(divide[i]),
      .dividend_i(i == 0 ? dividend : product[1]), .divisor_i(divisor),
      .valid_o(divided[i]), .quotient_o(quotient[i]), .remainder_o(remainder[i])
    );
  end
  logic second_q;  // the second of two products in one multiplier
  always_comb begin
    factor_x = result_q;
    factor_y = power_q;
    dividend = product[0];
    divisor  = modulus_q;
    multiply = {2{is_raising && start_q}};
    divide   = {2{is_raising}} & multiplied;
    unique case (state_q)
      StMultiply: begin
        factor_x    = second_q ? p_q - number_t'(1) : p_q;
        factor_y    = second_q ? q_q - number_t'(1) : q_q;
        multiply[0] = start_q || second_q;
      end
      StDivide: begin
        // The product of the quotient starts with the quotient's first cycle.
        factor_x    = number_t'(quotient[0]);
        factor_y    = factor_q;
        dividend    = product_t'(before_q);
        divisor     = divisor_q;
        multiply[0] = divided[0];
        divide[0]   = start_q;
      end
      default: ;
    endcase
  end

  number_t next_factor, next_public;
  logic    is_last;  // the remainder is 0: the divisor is the greatest common one
  assign next_factor = factor_before_q + number_t'(product[0]);
  assign next_public = public_q + number_t'(2);
  assign is_last     = remainder[0] == '0;

  error_e refusal;  // of what is raised
  always_comb begin
    refusal = ErrNone;
    if (long_q) refusal = ErrLength;
    else if (modulus_q <= number_t'(1)) refusal = ErrModulusSmall;
    else if (exponent_q == '0) refusal = ErrExponentEmpty;
    else if (power_q >= modulus_q) refusal = ErrBaseNotBelow;
  end

  assign req_ready_o      = state_q == StIdle;
  assign rsp_valid_o      = state_q == StRespond;
  assign rsp_error_o      = error_q;
  assign result_o         = rsp_valid_o && error_q == ErrNone ? 64'(result_q) : '0;
  assign modulus_o        = rsp_valid_o && error_q == ErrNone ? 64'(modulus_q) : '0;
  assign public_o         = rsp_valid_o && error_q == ErrNone && !given_q ? 64'(public_q) : '0;
  assign private_o        = rsp_valid_o && error_q == ErrNone && !given_q ? 64'(private_q) : '0;
  assign key_cycles_o     = key_cycles_q;
  assign message_cycles_o = message_cycles_q;

  always_ff @(posedge clk_i) begin
    start_q  <= 1'b0;
    second_q <= 1'b0;
    if (state_q == StMultiply || state_q == StDivide || state_q == StScale) begin
      key_cycles_q <= key_cycles_q + 32'd1;
    end
    if (state_q == StJudge || is_raising) message_cycles_q <= message_cycles_q + 32'd1;

    unique case (state_q)
      StIdle: if (req_valid_i) begin
        state_q          <= given_i ? StJudge : StMultiply;
        start_q          <= !given_i;
        given_q          <= given_i;
        decrypt_q        <= decrypt_i;
        error_q          <= ErrNone;
        has_modulus_q    <= 1'b0;
        long_q           <= is_long(message_i)
                            || (given_i ? is_long(exponent_i) || is_long(modulus_i)
                                        : is_long(64'(p_i)) || is_long(64'(q_i)));
        primes_good_q    <= p_i[0] && q_i[0] && p_i[31:1] != '0 && q_i[31:1] != '0 && p_i != q_i;
        p_q              <= number_t'(p_i);
        q_q              <= number_t'(q_i);
        power_q          <= number_t'(message_i);
        result_q         <= number_t'(1);
        exponent_q       <= number_t'(exponent_i);
        modulus_q        <= number_t'(modulus_i);
        key_cycles_q     <= given_i ? '0 : 32'd1;
        message_cycles_q <= given_i ? 32'd1 : '0;
      end
      StMultiply: begin
        second_q <= start_q;
        if (multiplied[0] && !has_modulus_q) begin
          has_modulus_q <= 1'b1;
          modulus_q     <= number_t'(product[0]);
          if (product[0] >> Bits != '0) long_q <= 1'b1;
        end
        if (multiplied[0] && has_modulus_q) begin
          totient_q       <= number_t'(product[0]);
          before_q        <= number_t'(product[0]);
          divisor_q       <= number_t'(3);
          public_q        <= number_t'(3);
          factor_before_q <= '0;
          factor_q        <= number_t'(1);
          negative_q      <= 1'b0;
          state_q         <= StDivide;
          start_q         <= 1'b1;
          if (long_q || !primes_good_q) begin
            state_q <= StRespond;
            start_q <= 1'b0;
            error_q <= primes_good_q ? ErrLength : ErrPrime;
          end
        end
      end
      StDivide: if (divided[0]) state_q <= StScale;
      StScale: if (multiplied[0]) begin
        state_q         <= StDivide;
        start_q         <= 1'b1;
        before_q        <= divisor_q;
        divisor_q       <= remainder[0];
        factor_before_q <= factor_q;
        factor_q        <= next_factor;
        negative_q      <= !negative_q;
        if (is_last && divisor_q != number_t'(1)) begin
          public_q        <= next_public;
          before_q        <= totient_q;
          divisor_q       <= next_public;
          factor_before_q <= '0;
          factor_q        <= number_t'(1);
          negative_q      <= 1'b0;
        end else if (is_last) begin
          state_q    <= StJudge;
          start_q    <= 1'b0;
          private_q  <= negative_q ? totient_q - factor_q : factor_q;
          exponent_q <= !decrypt_q ? public_q : negative_q ? totient_q - factor_q : factor_q;
        end
      end
      StJudge: begin
        state_q <= refusal == ErrNone ? StRaise : StRespond;
        start_q <= refusal == ErrNone;
        error_q <= refusal;
      end
      StRaise: if (divided[0]) begin
        if (exponent_q[0]) result_q <= remainder[0];
        power_q    <= remainder[1];
        exponent_q <= exponent_q >> 1;
        if (exponent_q >> 1 == '0) state_q <= StRespond;
        else start_q <= 1'b1;
      end
      default: if (rsp_ready_i) begin  // StRespond
        state_q <= StIdle;
        {p_q, q_q, modulus_q, totient_q, public_q, private_q, exponent_q} <= '0;
        {power_q, result_q, before_q, divisor_q, factor_before_q, factor_q} <= '0;
      end
    endcase
    if (!rst_ni || clear_i) begin
      state_q <= StIdle;
      error_q <= ErrNone;
      {start_q, second_q, given_q, decrypt_q, primes_good_q, long_q, negative_q} <= '0;
      {has_modulus_q, key_cycles_q, message_cycles_q} <= '0;
      {p_q, q_q, modulus_q, totient_q, public_q, private_q, exponent_q} <= '0;
      {power_q, result_q, before_q, divisor_q, factor_before_q, factor_q} <= '0;
    end
  end

  // The square has its own units, which keep pace.
  logic unused;
  assign unused = ^{quotient[1], multiplied[1], divided[1]};
  `TOTIENT_ASSERT(Together, !(is_raising && divided[0] != divided[1]), "the two do not keep pace")
endmodule

`default_nettype wire
