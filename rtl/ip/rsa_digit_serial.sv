// SPDX-License-Identifier: Apache-2.0
// RSA by Montgomery exponentiation on digit-serial multipliers: result = base ^ exponent mod
// modulus, requested and answered in packets of 32-bit words on AXI4-Stream (docs/contracts.md).
//
// Bounds and cycles: rtl/modexp/modexp_digit_serial.sv for the operation, rtl/bus/modexp_axis.sv
// for packets.
// Reset is synchronous and active low; hold it for one cycle of `aclk` at least.
`default_nettype none

module rsa_digit_serial
  import contract_pkg::*;
  import modexp_pkg::*;
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

  logic             clear;
  modexp_request_t  request;
  modexp_response_t response;

  modexp_axis #(
    .Width(Width), .Name("digit_serial"), .Timing(TimeExponentLength), .Lanes(Lanes)
  ) u_stream (
    .clk_i(aclk), .rst_ni(aresetn),
    .s_axis_tdata, .s_axis_tvalid, .s_axis_tready, .s_axis_tlast,
    .m_axis_tdata, .m_axis_tvalid, .m_axis_tready, .m_axis_tlast,
    .modexp_clear_o(clear), .modexp_request_o(request), .modexp_response_i(response)
  );

  modexp_digit_serial #(
    .Width(Width), .DigitBits(DigitBits), .Slots(Slots), .Links(Links),
    .Multipliers(Multipliers), .Separated(Separated), .Lanes(Lanes)
  ) u_modexp (
    .clk_i(aclk), .rst_ni(aresetn), .clear_i(clear), .request_i(request), .response_o(response)
  );

endmodule

`default_nettype wire
