// SPDX-License-Identifier: Apache-2.0
// RSA by Montgomery exponentiation on two word-systolic multipliers: result = base ^ exponent mod
// modulus, requested and answered in packets of 32-bit words on AXI4-Stream (docs/contracts.md).
//
// Bounds and cycles: rtl/modexp/modexp_montgomery.sv for the operation, rtl/bus/modexp_axis.sv for
// packets.
// Reset is synchronous and active low; hold it for one cycle of `aclk` at least.
`default_nettype none

module rsa_montgomery
  import totient_pkg::*;
#(
  parameter int unsigned Width        = 1024,  // largest modulus, in bits: 8 to 4096
  parameter int unsigned WordBits     = 16,    // bits of a processing element
  parameter bit          FixedTime    = 1'b1,  // same time for every exponent of a length
  parameter int unsigned Multiplier   = 0      // form of the word multipliers (totient_pkg)
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

  localparam timing_e Timing =
      FixedTime ? TimeExponentLength : TimeExponentValue;

  logic                                 clear, write, req_valid, req_ready, rsp_valid, rsp_ready;
  operand_e                             operand;
  request_e                             req_op;
  error_e                               rsp_error;
  logic [operand_index_bits(Width)-1:0] write_index, result_index;
  logic [31:0]                          write_word, result_word;
  logic [count_bits(Width)-1:0]         exponent_bits;
  logic [63:0]                          cycles;

  modexp_axis #(
    .Width(Width), .Name("montgomery"), .Timing(Timing)
  ) u_stream (
    .clk_i(aclk), .rst_ni(aresetn),
    .s_axis_tdata, .s_axis_tvalid, .s_axis_tready, .s_axis_tlast,
    .m_axis_tdata, .m_axis_tvalid, .m_axis_tready, .m_axis_tlast,
    .modexp_clear_o(clear), .modexp_write_o(write), .modexp_write_operand_o(operand),
    /* verilator lint_off PINCONNECTEMPTY */
    .modexp_write_lane_o(), .modexp_last_lane_o(), .modexp_result_lane_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .modexp_write_index_o(write_index), .modexp_write_word_o(write_word),
    .modexp_req_valid_o(req_valid), .modexp_req_ready_i(req_ready), .modexp_req_op_o(req_op),
    .modexp_exponent_bits_o(exponent_bits),
    .modexp_rsp_valid_i(rsp_valid), .modexp_rsp_ready_o(rsp_ready),
    .modexp_rsp_error_i(rsp_error), .modexp_rsp_cycles_i(cycles),
    .modexp_result_index_o(result_index), .modexp_result_word_i(result_word)
  );

  modexp_montgomery #(
    .Width(Width), .WordBits(WordBits), .FixedTime(FixedTime), .Multiplier(Multiplier)
  ) u_modexp (
    .clk_i(aclk), .rst_ni(aresetn), .clear_i(clear),
    .write_i(write), .write_operand_i(operand), .write_index_i(write_index),
    .write_word_i(write_word),
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_op_i(req_op),
    .exponent_bits_i(exponent_bits),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready),
    .rsp_error_o(rsp_error), .rsp_cycles_o(cycles),
    .result_index_i(result_index), .result_word_o(result_word)
  );

endmodule

`default_nettype wire
