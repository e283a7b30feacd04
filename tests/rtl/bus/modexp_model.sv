// SPDX-License-Identifier: Apache-2.0
// A modexp core for tests of what stands in front of one: the contract's behaviour, computed with
// plain multiplications, one exponent bit a cycle. Looks at its operands for ReadCycles, and wipes
// for WipeCycles.
`default_nettype none

module modexp_model
  import totient_pkg::*;
#(
  parameter int unsigned Width      = 32,
  parameter int unsigned ReadCycles = 3,
  parameter int unsigned WipeCycles = 5,
  parameter int unsigned Lanes      = 1,
  localparam int unsigned LaneBits    = index_bits(Lanes),
  localparam int unsigned CountBits   = count_bits(Width),
  localparam int unsigned OperandBits = operand_index_bits(Width)
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic                 clear_i,
  input  wire logic                   write_i,
  input  wire operand_e               write_operand_i,
  input  wire logic [LaneBits-1:0]    write_lane_i,
  input  wire logic [OperandBits-1:0] write_index_i,
  input  wire logic [31:0]            write_word_i,
  input  wire logic                   req_valid_i,
  output logic                        req_ready_o,
  input  wire request_e               req_op_i,
  input  wire logic [CountBits-1:0]   exponent_bits_i,
  input  wire logic [LaneBits-1:0]    last_lane_i,
  output logic                        rsp_valid_o,
  input  wire logic                   rsp_ready_i,
  output error_e                      rsp_error_o,
  output logic [63:0]                 rsp_cycles_o,
  input  wire logic [LaneBits-1:0]    result_lane_i,
  input  wire logic [OperandBits-1:0] result_index_i,
  output logic [31:0]                 result_word_o
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

  assign req_ready_o = waiting == 0 && !reading && !running && !rsp_valid_o;

  always_ff @(posedge clk_i) begin
    result_word_o <= (rsp_valid_o && rsp_error_o == ErrNone)
        ? 32'((PadBits)'(result[result_lane_i]) >> (32 * result_index_i)) : '0;
    rsp_cycles_o <= rsp_cycles_o + 1;
    if (!rst_ni || clear_i) begin
      {modulus, exponent, base, result, key_bits, left, last_lane} <= '0;
      {key_loaded, running, reading, rsp_valid_o} <= '0;
      rsp_error_o <= ErrNone;
      waiting     <= WipeCycles;
    end else if (waiting != 0) begin
      waiting <= waiting - 1;
    end else if (rsp_valid_o) begin
      rsp_cycles_o <= rsp_cycles_o;
      rsp_valid_o  <= !rsp_ready_i;
    end else if (running) begin
      if (left == 0) begin
        running     <= 1'b0;
        rsp_valid_o <= 1'b1;
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
      rsp_error_o <= check();
      result      <= {Lanes{Width'(op == ReqExponentiate)}};
      left        <= (op == ReqExponentiate && check() == ErrNone) ? key_bits : '0;
      if (op == ReqLoadKey) key_loaded <= check() == ErrNone;
    end else begin
      if (write_i) begin
        unique case (write_operand_i)
          OperandModulus:  modulus[32*write_index_i+:32] <= write_word_i;
          OperandExponent: exponent[32*write_index_i+:32] <= write_word_i;
          default:         base[write_lane_i][32*write_index_i+:32] <= write_word_i;
        endcase
        if (write_operand_i != OperandBase) key_loaded <= 1'b0;
      end
      if (req_valid_i) begin
        op           <= req_op_i;
        last_lane    <= last_lane_i;
        reading      <= 1'b1;
        waiting      <= ReadCycles;
        rsp_cycles_o <= 1;
        if (req_op_i == ReqLoadKey) key_bits <= exponent_bits_i;
      end
    end
  end

endmodule

`default_nettype wire
