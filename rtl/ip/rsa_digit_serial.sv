// SPDX-License-Identifier: Apache-2.0
// RSA by Montgomery exponentiation on digit-serial multipliers: result = base ^ exponent mod
// modulus, requested and answered in packets of 32-bit words on AXI4-Stream (docs/contracts.md).
//
// Bounds and cycles: rtl/modexp/modexp_digit_serial.sv for the operation, rtl/bus/modexp_axis.sv
// for packets.
// Reset is synchronous and active low; hold it for one cycle of `aclk` at least.
`default_nettype none

module rsa_digit_serial
  import totient_pkg::*;
#(
  parameter int unsigned Width       = 1024,  // largest modulus, in bits: 16 to 4096
  parameter int unsigned DigitBits   = 1,     // bits of a digit, 1 to 16
  parameter int unsigned Slots       = 1,     // operations that share an array's cells
  parameter int unsigned Links       = 0,     // columns between registers on a digit's way; 0: none
  parameter int unsigned Multipliers = 2,     // 1: one array that squares and multiplies in turn
  parameter bit          Separated   = 1'b1,  // 0: the conventional bit-serial multiplier
  parameter int unsigned Lanes       = 1      // exponentiations at once
) (
  input  wire logic        aclk,
  input  wire logic        aresetn,

  input  wire logic [31:0] s_axis_tdata,
  input  wire logic        s_axis_tvalid,
  output logic             s_axis_tready,
  input  wire logic        s_axis_tlast,

  output logic [31:0]      m_axis_tdata,
  output logic             m_axis_tvalid,
  input  wire logic        m_axis_tready,
  output logic             m_axis_tlast
);

  logic                                 clear, write, req_valid, req_ready, rsp_valid, rsp_ready;
  operand_e                             operand;
  logic [index_bits(Lanes)-1:0]         write_lane, last_lane, result_lane;
  request_e                             req_op;
  error_e                               rsp_error;
  logic [operand_index_bits(Width)-1:0] write_index, result_index;
  logic [31:0]                          write_word, result_word;
  logic [count_bits(Width)-1:0]         exponent_bits;
  logic [63:0]                          cycles;

  modexp_axis #(
    .Width(Width), .Name("digit_serial"), .Timing(TimeExponentLength), .Lanes(Lanes)
  ) u_stream (
    .clk_i(aclk), .rst_ni(aresetn),
    .s_axis_tdata, .s_axis_tvalid, .s_axis_tready, .s_axis_tlast,
    .m_axis_tdata, .m_axis_tvalid, .m_axis_tready, .m_axis_tlast,
    .modexp_clear_o(clear), .modexp_write_o(write), .modexp_write_operand_o(operand),
    .modexp_write_lane_o(write_lane), .modexp_last_lane_o(last_lane),
    .modexp_result_lane_o(result_lane),
    .modexp_write_index_o(write_index), .modexp_write_word_o(write_word),
    .modexp_req_valid_o(req_valid), .modexp_req_ready_i(req_ready), .modexp_req_op_o(req_op),
    .modexp_exponent_bits_o(exponent_bits),
    .modexp_rsp_valid_i(rsp_valid), .modexp_rsp_ready_o(rsp_ready),
    .modexp_rsp_error_i(rsp_error), .modexp_rsp_cycles_i(cycles),
    .modexp_result_index_o(result_index), .modexp_result_word_i(result_word)
  );

  modexp_digit_serial #(
    .Width(Width), .DigitBits(DigitBits), .Slots(Slots), .Links(Links),
    .Multipliers(Multipliers), .Separated(Separated), .Lanes(Lanes)
  ) u_modexp (
    .clk_i(aclk), .rst_ni(aresetn), .clear_i(clear),
    .write_i(write), .write_operand_i(operand), .write_lane_i(write_lane),
    .write_index_i(write_index),
    .write_word_i(write_word),
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_op_i(req_op),
    .exponent_bits_i(exponent_bits), .last_lane_i(last_lane),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready),
    .rsp_error_o(rsp_error), .rsp_cycles_o(cycles),
    .result_lane_i(result_lane), .result_index_i(result_index), .result_word_o(result_word)
  );

endmodule

`default_nettype wire
