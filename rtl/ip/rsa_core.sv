// SPDX-License-Identifier: Apache-2.0
// Any core of the catalog, chosen by parameter, behind packets of 32-bit words on AXI4-Stream
// (docs/contracts.md): what the faces and the boards are built around. The engine gets its random
// words by packets, too (rtl/bus/random_words.sv).
//
// Bounds, cycles and what the parameters mean: the chosen IP's own file, rtl/ip/rsa_*.sv. Those
// that a design does not have are without effect.
// Reset is synchronous and active low; hold it for one cycle of `aclk` at least.
`include "totient_assert.svh"
`default_nettype none

module rsa_core #(
  parameter logic [127:0] Design       = "montgomery",  // name in the catalog
  parameter int unsigned  Width        = 1024,          // largest modulus, in bits: 8 to 8192
  parameter int unsigned  WordBits     = 16,            // montgomery
  parameter int unsigned  FixedTime    = 1,             // montgomery, binary
  parameter int unsigned  Multiplier   = 0,             // montgomery
  parameter int unsigned  BitsPerCycle = 1,             // binary, repeated
  parameter int unsigned  EarlyEnd     = 0,             // binary, repeated
  parameter int unsigned  DigitBits    = 0,             // digit_serial, engine; 0: its own default
  parameter int unsigned  Slots        = 1,             // digit_serial; engine: for keys
  parameter int unsigned  Elements     = 8,             // engine, and the next one
  parameter int unsigned  Form         = 0,             // 0 any device, 1 Lattice ECP5, 2 7-series
  parameter int unsigned  Links        = 0,             // digit_serial, and all below
  parameter int unsigned  Multipliers  = 2,
  parameter int unsigned  Separated    = 1,
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
  // The chosen IP refuses its own values. Here are the rules of those that it calls by other names.
  // A refused value is not passed on: its consequences would hide the reason.
  localparam bit IsEngine = Design == "engine";
  localparam int unsigned OwnDigit = !IsEngine ? 1 : (Form == 2) ? 17 : 18;
  localparam bit WidthFits = !IsEngine || Width inside {1024, 2048, 3072, 4096, 8192};
  localparam bit DigitFits = !IsEngine || DigitBits inside {0, 17, OwnDigit};
  `TOTIENT_REQUIRE(Design,
                   Design inside {"montgomery", "binary", "repeated", "digit_serial", "engine"},
                   "Design must be montgomery, binary, repeated, digit_serial or engine")
  `TOTIENT_REQUIRE(Width, WidthFits,
                   "Width must be 1024, 2048, 3072, 4096 or 8192 for the engine")
  `TOTIENT_REQUIRE(DigitBits, DigitFits,
                   "DigitBits must be 0, 17 or 18 for the engine, with Form = 2 not 18")
  localparam int unsigned Bits  = WidthFits ? Width : 1024;
  localparam int unsigned Digit = (DigitFits && DigitBits != 0) ? DigitBits : OwnDigit;

  if (Design == "binary") begin : gen_binary
    rsa_binary #(
      .Width(Bits), .BitsPerCycle(BitsPerCycle), .EarlyEnd(EarlyEnd), .FixedTime(FixedTime)
    ) u_core (
      .aclk, .aresetn,
      .s_axis_tdata, .s_axis_tvalid, .s_axis_tready, .s_axis_tlast,
      .m_axis_tdata, .m_axis_tvalid, .m_axis_tready, .m_axis_tlast
    );
  end else if (Design == "repeated") begin : gen_repeated
    rsa_repeated #(
      .Width(Bits), .BitsPerCycle(BitsPerCycle), .EarlyEnd(EarlyEnd)
    ) u_core (
      .aclk, .aresetn,
      .s_axis_tdata, .s_axis_tvalid, .s_axis_tready, .s_axis_tlast,
      .m_axis_tdata, .m_axis_tvalid, .m_axis_tready, .m_axis_tlast
    );
  end else if (Design == "digit_serial") begin : gen_digit_serial
    rsa_digit_serial #(
      .Width(Bits), .DigitBits(Digit), .Slots(Slots), .Links(Links),
      .Multipliers(Multipliers), .Separated(Separated), .Lanes(Lanes)
    ) u_core (
      .aclk, .aresetn,
      .s_axis_tdata, .s_axis_tvalid, .s_axis_tready, .s_axis_tlast,
      .m_axis_tdata, .m_axis_tvalid, .m_axis_tready, .m_axis_tlast
    );
  end else if (Design == "engine") begin : gen_engine
    logic [31:0] request_data, response_data, random_data;
    logic        request_valid, request_ready, request_last;
    logic        response_valid, response_ready, response_last;
    logic        random_valid, random_ready;
    random_words #(.Form((Form <= 2) ? Form : 0)) u_random (
      .clk_i(aclk), .rst_ni(aresetn),
      .s_axis_tdata, .s_axis_tvalid, .s_axis_tready, .s_axis_tlast,
      .m_axis_tdata, .m_axis_tvalid, .m_axis_tready, .m_axis_tlast,
      .request_tdata(request_data), .request_tvalid(request_valid),
      .request_tready(request_ready), .request_tlast(request_last),
      .response_tdata(response_data), .response_tvalid(response_valid),
      .response_tready(response_ready), .response_tlast(response_last),
      .random_tdata(random_data), .random_tvalid(random_valid), .random_tready(random_ready)
    );
    rsa_engine #(
      .MaxBits(Bits), .Elements(Elements), .Bits(Digit), .Slots(Slots), .Form(Form)
    ) u_core (
      .aclk, .aresetn,
      .s_axis_tdata(request_data), .s_axis_tvalid(request_valid), .s_axis_tready(request_ready),
      .s_axis_tlast(request_last),
      .m_axis_tdata(response_data), .m_axis_tvalid(response_valid),
      .m_axis_tready(response_ready), .m_axis_tlast(response_last),
      .random_tdata(random_data), .random_tvalid(random_valid), .random_tready(random_ready)
    );
  end else begin : gen_montgomery
    rsa_montgomery #(
      .Width(Bits), .WordBits(WordBits), .FixedTime(FixedTime), .Multiplier(Multiplier)
    ) u_core (
      .aclk, .aresetn,
      .s_axis_tdata, .s_axis_tvalid, .s_axis_tready, .s_axis_tlast,
      .m_axis_tdata, .m_axis_tvalid, .m_axis_tready, .m_axis_tlast
    );
  end
endmodule

`default_nettype wire
