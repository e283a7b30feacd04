// SPDX-License-Identifier: Apache-2.0
// RSA by Montgomery exponentiation on two word-systolic multipliers: result = base ^ exponent mod
// modulus, requested and answered in packets of 32-bit words on AXI4-Stream (docs/contracts.md).
//
// Bounds and cycles: rtl/modexp/modexp_montgomery.sv for the operation, rtl/bus/modexp_axis.sv for
// packets.
// Reset is synchronous and active low; hold it for one cycle of `aclk` at least.
`include "totient_assert.svh"
`default_nettype none

module rsa_montgomery
  import contract_pkg::*;
  import modexp_pkg::*;
#(
  parameter int unsigned Width        = 1024,  // largest modulus, in bits: 8 to 4096
  parameter int unsigned WordBits     = 16,    // of a processing element: 8, 16 or 32
  parameter int unsigned FixedTime    = 1,     // 1: same time for every exponent of a length
  parameter int unsigned Multiplier   = 0      // 0: of any device, 1: of 7-series LUTs
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

  // A refused value is not passed on: its consequences would hide the reason.
  localparam bit WidthFits = Width >= 8 && Width <= MaxBits;
  localparam bit WordFits  = WordBits == 8 || WordBits == 16 || WordBits == 32;
  `TOTIENT_REQUIRE(Width, WidthFits, "Width must be 8 to 4096")
  `TOTIENT_REQUIRE(WordBits, WordFits, "WordBits must be 8, 16 or 32")
  `TOTIENT_REQUIRE(FixedTime, FixedTime <= 1, "FixedTime must be 0 or 1")
  `TOTIENT_REQUIRE(Multiplier, Multiplier <= 1, "Multiplier must be 0 or 1")
  localparam int unsigned Bits = WidthFits ? Width : 8;
  localparam int unsigned Word = WordFits ? WordBits : 16;
  localparam int unsigned Form = (Multiplier <= 1) ? Multiplier : 0;

  localparam timing_e Timing =
      (FixedTime == 1) ? TimeExponentLength : TimeExponentValue;

  logic             clear;
  modexp_request_t  request;
  modexp_response_t response;

  modexp_axis #(
    .Width(Bits), .Name("montgomery"), .Timing(Timing)
  ) u_stream (
    .clk_i(aclk), .rst_ni(aresetn),
    .s_axis_tdata, .s_axis_tvalid, .s_axis_tready, .s_axis_tlast,
    .m_axis_tdata, .m_axis_tvalid, .m_axis_tready, .m_axis_tlast,
    .modexp_clear_o(clear), .modexp_request_o(request), .modexp_response_i(response)
  );

  modexp_montgomery #(
    .Width(Bits), .WordBits(Word), .FixedTime(FixedTime == 1), .Multiplier(Form)
  ) u_modexp (
    .clk_i(aclk), .rst_ni(aresetn), .clear_i(clear), .request_i(request), .response_o(response)
  );

endmodule

`default_nettype wire
