// SPDX-License-Identifier: Apache-2.0
// What a user of a modexp core keeps to (assumed), and what the core has been asked for: operands
// as they were written, the key, the base in use, and the error that the contract wants. For a core
// of one lane whose operands are one word of 32 bits.
`default_nettype none

module modexp_requests
  import contract_pkg::*;
  import modexp_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned Width    = 8,     // of an operand, at most 31
  // For faults, which a search through all requests does not reach: one key, one exponentiation,
  // and another one after a new modulus. It assumes more, so that what it refutes is refuted.
  parameter bit          Scripted = 1'b0
) (
  input wire logic              clk_i,
  input wire logic              rst_ni,
  input wire logic              clear_i,
  input wire modexp_request_t   request_i,
  input wire modexp_response_t  response_i,
  output logic                  accept_o,        // a request is taken in this cycle
  output logic                  working_o,       // one was, and is not answered yet
  // Operands as they were written
  output logic [Width-1:0]      modulus_o,
  output logic [Width-1:0]      exponent_o,
  output logic [Width-1:0]      base_o,
  // Since the request was taken: numbers of the key and of the exponentiation in use
  output logic                  key_o,           // a key is loaded
  output logic                  exponentiates_o,
  output logic [Width-1:0]      n_o,
  output logic [Width-1:0]      e_o,             // without bits above the stated length
  output logic [5:0]            length_o,        // of e
  output logic [Width-1:0]      m_o,
  output error_e                error_o          // of the request
);
  typedef logic [Width-1:0] number_t;

  logic answered;
  assign accept_o = request_i.req_valid && response_i.req_ready;
  assign answered = response_i.rsp_valid && request_i.rsp_ready;

  if (Scripted) begin : gen_script
    logic [2:0] step_q = 3'd0;
    logic       request_step;
    assign request_step = step_q inside {3'd3, 3'd4, 3'd6};
    always_ff @(posedge clk_i) begin
      if (rst_ni && (request_step ? answered : response_i.req_ready) && step_q != '1)
        step_q <= step_q + 3'd1;
    end
    always_comb begin
      assume (!clear_i && request_i.rsp_ready);
      assume (request_i.write == (response_i.req_ready && !request_step));
      assume (request_i.req_valid == (response_i.req_ready && request_step));
      assume (request_i.req_op == ((step_q == 3'd3) ? ReqLoadKey : ReqExponentiate));
      assume (request_i.exponent_bits == modexp_length_t'(2));
      assume (request_i.write_operand == ((step_q == 3'd1) ? OperandExponent
                                          : (step_q == 3'd2) ? OperandBase : OperandModulus));
      assume (step_q[1:0] != '0 || request_i.write_word == 32'(2 ** Width - 5));
    end
  end

  always_comb begin
    if (request_i.write) begin
      assume (response_i.req_ready && !request_i.req_valid);
      assume (request_i.write_index == '0 && request_i.write_word >> Width == '0);
    end
    assume (32'(request_i.exponent_bits) < 2 ** count_bits(Width));
    assume (request_i.result_index == '0);
  end

  error_e error;
  always_comb begin
    error = ErrNone;
    if (request_i.req_op == ReqExponentiate) begin
      if (!key_o) error = ErrNoKey;
      else if (base_o >= n_o) error = ErrBaseNotBelow;
    end else if (request_i.exponent_bits == '0) begin
      error = ErrExponentEmpty;
    end else if (32'(request_i.exponent_bits) > Width) begin
      error = ErrLength;
    end else if (modulus_o < number_t'(2)) begin
      error = ErrModulusSmall;
    end else if (!modulus_o[0]) begin
      error = ErrModulusEven;
    end
  end
  always_ff @(posedge clk_i) begin
    if (request_i.write && response_i.req_ready) begin
      unique case (request_i.write_operand)
        OperandModulus:  modulus_o <= number_t'(request_i.write_word);
        OperandExponent: exponent_o <= number_t'(request_i.write_word);
        OperandBase:     base_o <= number_t'(request_i.write_word);
        default: ;
      endcase
      if (request_i.write_operand != OperandBase) key_o <= 1'b0;
    end
    if (accept_o) working_o <= 1'b1;
    if (response_i.rsp_valid || !rst_ni || clear_i) working_o <= 1'b0;
    if (accept_o) begin
      error_o         <= error;
      exponentiates_o <= request_i.req_op == ReqExponentiate;
      if (request_i.req_op == ReqLoadKey) begin
        key_o    <= 1'b0;
        n_o      <= modulus_o;
        e_o      <= exponent_o & ~(number_t'('1) << request_i.exponent_bits);
        length_o <= 6'(request_i.exponent_bits);
      end else begin
        m_o <= base_o;
      end
    end
    if (answered && !exponentiates_o && error_o == ErrNone) key_o <= 1'b1;
    if (!rst_ni || clear_i) begin
      key_o <= 1'b0;
      {modulus_o, exponent_o, base_o, length_o} <= '0;
    end
  end
endmodule

`default_nettype wire
