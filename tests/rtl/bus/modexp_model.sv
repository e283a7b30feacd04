// SPDX-License-Identifier: Apache-2.0
// A modexp core for tests of what stands in front of one: the contract's behaviour, computed with
// plain multiplications, one exponent bit a cycle. Looks at its operands for ReadCycles, and wipes
// for WipeCycles.
`default_nettype none

module modexp_model
  import contract_pkg::*;
  import modexp_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned Width      = 32,
  parameter int unsigned ReadCycles = 3,
  parameter int unsigned WipeCycles = 5,
  parameter int unsigned Lanes      = 1,
  localparam int unsigned LaneBits  = index_bits(Lanes),
  localparam int unsigned CountBits = count_bits(Width)
) (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,
  input  wire logic            clear_i,
  input  wire modexp_request_t request_i,
  output modexp_response_t     response_o
);

  localparam int unsigned PadBits = 32 * words_of(Width, 32);
  logic [PadBits-1:0]             modulus, exponent;  // as they were written
  logic [Lanes-1:0][PadBits-1:0]  base;
  logic [Lanes-1:0][Width-1:0]    result;
  logic [LaneBits-1:0]            last_lane;
  logic [CountBits-1:0] key_bits, left;  // exponent bits, those still to do
  logic                 key_loaded, running, reading;
  request_e             op;
  int unsigned          waiting;  // cycles until operands are read or the wipe has ended

  function automatic logic [Width-1:0] times(logic [Width-1:0] a, logic [Width-1:0] b,
                                             logic [Width-1:0] n);
    return Width'(((2*Width)'(a) * (2*Width)'(b)) % (2*Width)'(n));
  endfunction

  function automatic error_e check();
    if (op == ReqExponentiate) begin
      if (!key_loaded) return ErrNoKey;
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (l <= 32'(last_lane) && base[l] >= modulus) return ErrBaseNotBelow;
      end
      return ErrNone;
    end
    if (key_bits == '0) return ErrExponentEmpty;
    if (32'(key_bits) > Width) return ErrLength;
    if (modulus <= 1) return ErrModulusSmall;
    return modulus[0] ? ErrNone : ErrModulusEven;
  endfunction

  logic        req_ready, rsp_valid;
  error_e      rsp_error;
  logic [63:0] rsp_cycles;
  logic [31:0] result_word;
  assign response_o = '{
    req_ready: req_ready, rsp_valid: rsp_valid, rsp_error: rsp_error, rsp_cycles: rsp_cycles,
    result_word: result_word
  };
  int unsigned         place;  // of a word's lowest bit
  logic [LaneBits-1:0] lane;
  assign place     = 32 * 32'(request_i.write_index);
  assign lane      = LaneBits'(request_i.write_lane);
  assign req_ready = waiting == 0 && !reading && !running && !rsp_valid;

  always_ff @(posedge clk_i) begin
    result_word <= (rsp_valid && rsp_error == ErrNone)
        ? 32'((PadBits)'(result[LaneBits'(request_i.result_lane)])
              >> (32 * request_i.result_index)) : '0;
    rsp_cycles <= rsp_cycles + 1;
    if (!rst_ni || clear_i) begin
      {modulus, exponent, base, result, key_bits, left, last_lane} <= '0;
      {key_loaded, running, reading, rsp_valid} <= '0;
      rsp_error <= ErrNone;
      waiting     <= WipeCycles;
    end else if (waiting != 0) begin
      waiting <= waiting - 1;
    end else if (rsp_valid) begin
      rsp_cycles <= rsp_cycles;
      rsp_valid  <= !request_i.rsp_ready;
    end else if (running) begin
      if (left == 0) begin
        running     <= 1'b0;
        rsp_valid <= 1'b1;
      end else begin
        left   <= left - 1'b1;
        for (int unsigned l = 0; l < Lanes; l++) begin
          result[l] <= times(times(result[l], result[l], Width'(modulus)),
                             exponent[32'(left) - 1] ? Width'(base[l]) : Width'(1),
                             Width'(modulus));
        end
      end
    end else if (reading) begin
      reading     <= 1'b0;
      running     <= 1'b1;
      rsp_error <= check();
      result      <= {Lanes{Width'(op == ReqExponentiate)}};
      left        <= (op == ReqExponentiate && check() == ErrNone) ? key_bits : '0;
      if (op == ReqLoadKey) key_loaded <= check() == ErrNone;
    end else begin
      if (request_i.write) begin
        unique case (request_i.write_operand)
          OperandModulus:  modulus[place+:32] <= request_i.write_word;
          OperandExponent: exponent[place+:32] <= request_i.write_word;
          default:         base[lane][place+:32] <= request_i.write_word;
        endcase
        if (request_i.write_operand != OperandBase) key_loaded <= 1'b0;
      end
      if (request_i.req_valid) begin
        op           <= request_i.req_op;
        last_lane    <= LaneBits'(request_i.last_lane);
        reading      <= 1'b1;
        waiting      <= ReadCycles;
        rsp_cycles <= 1;
        if (request_i.req_op == ReqLoadKey) key_bits <= CountBits'(request_i.exponent_bits);
      end
    end
  end

endmodule

`default_nettype wire
