// SPDX-License-Identifier: Apache-2.0
// RSA by repeated multiplication: result = base ^ exponent mod modulus, requested and answered in
// packets of 32-bit words on AXI4-Stream (docs/contracts.md). One multiplication for each unit of
// the exponent, so for teaching and for small exponents only.
//
// Bounds and cycles: rtl/modexp/modexp_repeated.sv for the operation, rtl/bus/modexp_axis.sv for
// packets.
// Reset is synchronous and active low; hold it for one cycle of `aclk` at least.
`include "totient_assert.svh"
`default_nettype none

module rsa_repeated
  import contract_pkg::*;
  import modexp_pkg::*;
#(
  parameter int unsigned Width        = 1024,  // largest modulus, in bits: 8 to 4096
  parameter int unsigned BitsPerCycle = 1,     // of the multipliers: 1 or 2
  parameter int unsigned EarlyEnd     = 0      // 1: multipliers skip leading zeros
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
  localparam bit StepsFit  = BitsPerCycle == 1 || BitsPerCycle == 2;
  `TOTIENT_REQUIRE(Width, WidthFits, "Width must be 8 to 4096")
  `TOTIENT_REQUIRE(BitsPerCycle, StepsFit, "BitsPerCycle must be 1 or 2")
  `TOTIENT_REQUIRE(EarlyEnd, EarlyEnd <= 1, "EarlyEnd must be 0 or 1")
  localparam int unsigned Bits  = WidthFits ? Width : 8;
  localparam int unsigned Steps = StepsFit ? BitsPerCycle : 1;
  localparam bit          Skips = EarlyEnd == 1;

  localparam timing_e Timing =
      Skips ? TimeOperands : TimeExponentValue;

  logic             clear;
  modexp_request_t  request;
  modexp_response_t response;

  modexp_axis #(
    .Width(Bits), .Name("repeated"), .Timing(Timing)
  ) u_stream (
    .clk_i(aclk), .rst_ni(aresetn),
    .s_axis_tdata, .s_axis_tvalid, .s_axis_tready, .s_axis_tlast,
    .m_axis_tdata, .m_axis_tvalid, .m_axis_tready, .m_axis_tlast,
    .modexp_clear_o(clear), .modexp_request_o(request), .modexp_response_i(response)
  );

  modexp_repeated #(
    .Width(Bits), .BitsPerCycle(Steps), .EarlyEnd(Skips)
  ) u_modexp (
    .clk_i(aclk), .rst_ni(aresetn), .clear_i(clear), .request_i(request), .response_o(response)
  );

endmodule

`default_nettype wire
