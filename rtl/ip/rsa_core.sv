// SPDX-License-Identifier: Apache-2.0
// Any core of the catalog, chosen by parameter, behind packets of 32-bit words on AXI4-Stream
// (docs/contracts.md): what the faces and the boards are built around.
//
// Bounds, cycles and what the parameters mean: the chosen IP's own file, rtl/ip/rsa_*.sv. Those
// that a design does not have are without effect.
// Reset is synchronous and active low; hold it for one cycle of `aclk` at least.
`include "totient_assert.svh"
`default_nettype none

module rsa_core #(
  parameter logic [127:0] Design       = "montgomery",  // name in the catalog
  parameter int unsigned  Width        = 1024,          // largest modulus, in bits: 8 to 4096
  parameter int unsigned  WordBits     = 16,            // montgomery
  parameter bit           FixedTime    = 1'b1,          // montgomery, binary
  parameter int unsigned  Multiplier   = 0,             // montgomery
  parameter int unsigned  BitsPerCycle = 1,             // binary, repeated
  parameter bit           EarlyEnd     = 1'b0,          // binary, repeated
  parameter int unsigned  DigitBits    = 1,             // digit_serial, and all below
  parameter int unsigned  Slots        = 1,
  parameter int unsigned  Links        = 0,
  parameter int unsigned  Multipliers  = 2,
  parameter bit           Separated    = 1'b1,
  parameter int unsigned  Lanes        = 1
) (
  input  wire logic         aclk,
  input  wire logic         aresetn,

  input  wire logic [31:0]  s_axis_tdata,
  input  wire logic         s_axis_tvalid,
  output logic              s_axis_tready,
  input  wire logic         s_axis_tlast,

  output logic [31:0]       m_axis_tdata,
  output logic              m_axis_tvalid,
  input  wire logic         m_axis_tready,
  output logic              m_axis_tlast
);
  `TOTIENT_REQUIRE(Design, Design inside {"montgomery", "binary", "repeated", "digit_serial"},
                   "Design must be montgomery, binary, repeated or digit_serial")

  if (Design == "montgomery") begin : gen_montgomery
    rsa_montgomery #(
      .Width(Width), .WordBits(WordBits), .FixedTime(FixedTime), .Multiplier(Multiplier)
    ) u_core (
      .aclk, .aresetn,
      .s_axis_tdata, .s_axis_tvalid, .s_axis_tready, .s_axis_tlast,
      .m_axis_tdata, .m_axis_tvalid, .m_axis_tready, .m_axis_tlast
    );
  end else if (Design == "binary") begin : gen_binary
    rsa_binary #(
      .Width(Width), .BitsPerCycle(BitsPerCycle), .EarlyEnd(EarlyEnd), .FixedTime(FixedTime)
    ) u_core (
      .aclk, .aresetn,
      .s_axis_tdata, .s_axis_tvalid, .s_axis_tready, .s_axis_tlast,
      .m_axis_tdata, .m_axis_tvalid, .m_axis_tready, .m_axis_tlast
    );
  end else if (Design == "repeated") begin : gen_repeated
    rsa_repeated #(
      .Width(Width), .BitsPerCycle(BitsPerCycle), .EarlyEnd(EarlyEnd)
    ) u_core (
      .aclk, .aresetn,
      .s_axis_tdata, .s_axis_tvalid, .s_axis_tready, .s_axis_tlast,
      .m_axis_tdata, .m_axis_tvalid, .m_axis_tready, .m_axis_tlast
    );
  end else if (Design == "digit_serial") begin : gen_digit_serial
    rsa_digit_serial #(
      .Width(Width), .DigitBits(DigitBits), .Slots(Slots), .Links(Links),
      .Multipliers(Multipliers), .Separated(Separated), .Lanes(Lanes)
    ) u_core (
      .aclk, .aresetn,
      .s_axis_tdata, .s_axis_tvalid, .s_axis_tready, .s_axis_tlast,
      .m_axis_tdata, .m_axis_tvalid, .m_axis_tready, .m_axis_tlast
    );
  end
endmodule

`default_nettype wire
