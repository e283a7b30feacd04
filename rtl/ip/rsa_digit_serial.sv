// SPDX-License-Identifier: Apache-2.0
// RSA by Montgomery exponentiation on digit-serial multipliers: result = base ^ exponent mod
// modulus, requested and answered in packets of 32-bit words on AXI4-Stream (docs/contracts.md).
//
// Bounds and cycles: rtl/modexp/modexp_digit_serial.sv for the operation, rtl/bus/modexp_axis.sv
// for packets.
// Reset is synchronous and active low; hold it for one cycle of `aclk` at least.
`include "totient_assert.svh"
`default_nettype none

module rsa_digit_serial
  import contract_pkg::*;
  import digit_serial_pkg::*;
  import modexp_pkg::*;
#(
  parameter int unsigned Width       = 1024,  // largest modulus, in bits: 16 to 4096
  parameter int unsigned DigitBits   = 1,     // bits of a digit, 1 to 16
  parameter int unsigned Slots       = 1,     // operations that share an array's cells
  parameter int unsigned Links       = 0,     // columns between registers on a digit's way; 0: none
  parameter int unsigned Multipliers = 2,     // 1: one array that squares and multiplies in turn
  parameter int unsigned Separated   = 1,     // 0: the conventional bit-serial multiplier
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

  // A refused value is not passed on: its consequences would hide the reason. A rule is
  // applied only where those before it are kept.
  localparam bit WidthFits  = Width >= 16 && Width <= MaxBits;
  localparam bit DigitFits  = digit_fits(DigitBits);
  localparam bit SlotsFit   = !DigitFits || slots_fit(Slots, DigitBits);
  localparam bit ArrayFits  = DigitFits && SlotsFit;
  localparam bit LinksFit   = !ArrayFits || links_fit(Links, Slots, DigitBits);
  localparam bit ArraysFit  = !ArrayFits || multipliers_fit(Multipliers, Slots);
  localparam bit LanesFit   = !ArrayFits || !ArraysFit || lanes_fit(Lanes, Slots, Multipliers);
  localparam bit PlainFits  = Separated <= 1;
  localparam bit FormFits   = !ArrayFits || !LinksFit || Separated != 0
                           || conventional_fits(DigitBits, Slots, Links);
  `TOTIENT_REQUIRE(Width, WidthFits, "Width must be 16 to 4096")
  `TOTIENT_REQUIRE(DigitBits, DigitFits, "DigitBits must be 1 to 16")
  `TOTIENT_REQUIRE(Slots, SlotsFit, "Slots must be 1 to 3 DigitBits")
  `TOTIENT_REQUIRE(Links, LinksFit,
    "Links must be 0, or 2 to 16 with Slots >= DigitBits, or 1 with Slots > DigitBits")
  `TOTIENT_REQUIRE(Multipliers, ArraysFit, "Multipliers must be 2, or 1 with Slots >= 2")
  `TOTIENT_REQUIRE(Lanes, LanesFit,
                   "Lanes must be 1 to Slots, to half of it with Multipliers = 1")
  `TOTIENT_REQUIRE(Separated, PlainFits, "Separated must be 0 or 1")
  `TOTIENT_REQUIRE(Conventional, FormFits,
                   "Separated = 0 needs DigitBits = 1, Slots = 1, Links = 0")
  localparam bit          Fits       = WidthFits && ArrayFits && LinksFit && ArraysFit && LanesFit
                                    && PlainFits && FormFits;
  localparam int unsigned Bits       = Fits ? Width : 16;
  localparam int unsigned Digit      = Fits ? DigitBits : 1;
  localparam int unsigned Operations = Fits ? Slots : 1;
  localparam int unsigned Columns    = Fits ? Links : 0;
  localparam int unsigned Arrays     = Fits ? Multipliers : 2;
  localparam bit          Plain      = !Fits || Separated == 1;
  localparam int unsigned Bases      = Fits ? Lanes : 1;

  logic             clear;
  modexp_request_t  request;
  modexp_response_t response;

  modexp_axis #(
    .Width(Bits), .Name("digit_serial"), .Timing(TimeExponentLength), .Lanes(Bases)
  ) u_stream (
    .clk_i(aclk), .rst_ni(aresetn),
    .s_axis_tdata, .s_axis_tvalid, .s_axis_tready, .s_axis_tlast,
    .m_axis_tdata, .m_axis_tvalid, .m_axis_tready, .m_axis_tlast,
    .modexp_clear_o(clear), .modexp_request_o(request), .modexp_response_i(response)
  );

  modexp_digit_serial #(
    .Width(Bits), .DigitBits(Digit), .Slots(Operations), .Links(Columns),
    .Multipliers(Arrays), .Separated(Plain), .Lanes(Bases)
  ) u_modexp (
    .clk_i(aclk), .rst_ni(aresetn), .clear_i(clear), .request_i(request), .response_o(response)
  );

endmodule

`default_nettype wire
