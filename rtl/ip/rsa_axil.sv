// SPDX-License-Identifier: Apache-2.0
// Any core of the catalog behind AXI4-Lite registers (contract/stream_registers.rdl), with an
// interrupt: a processor's peripheral of 64 bytes.
//
// Parameters: rtl/ip/rsa_core.sv. Registers and timing: rtl/bus/axil_stream.sv.
// Reset is synchronous and active low; hold it for one cycle of `aclk` at least.
`include "totient_assert.svh"
`default_nettype none

module rsa_axil #(
  parameter logic [127:0] Design       = "montgomery",  // name in the catalog
  parameter int unsigned  Width        = 1024,          // largest modulus, in bits: 8 to 4096
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
  parameter int unsigned  Lanes        = 1,
  parameter int unsigned  FifoWords    = 32             // a way, a power of two, 2 to 32768
) (
  input  wire logic        aclk,
  input  wire logic        aresetn,
  output logic             irq,

  input  wire logic        s_axil_awvalid,
  output logic             s_axil_awready,
  input  wire logic [5:0]  s_axil_awaddr,
  input  wire logic [2:0]  s_axil_awprot,
  input  wire logic        s_axil_wvalid,
  output logic             s_axil_wready,
  input  wire logic [31:0] s_axil_wdata,
  input  wire logic [3:0]  s_axil_wstrb,
  output logic             s_axil_bvalid,
  input  wire logic        s_axil_bready,
  output logic [1:0]       s_axil_bresp,
  input  wire logic        s_axil_arvalid,
  output logic             s_axil_arready,
  input  wire logic [5:0]  s_axil_araddr,
  input  wire logic [2:0]  s_axil_arprot,
  output logic             s_axil_rvalid,
  input  wire logic        s_axil_rready,
  output logic [31:0]      s_axil_rdata,
  output logic [1:0]       s_axil_rresp
);
  localparam bit FifoFits = FifoWords >= 2 && FifoWords <= 32768
                         && (FifoWords & (FifoWords - 1)) == 0;
  `TOTIENT_REQUIRE(FifoWords, FifoFits, "FifoWords must be a power of two, 2 to 32768")
  localparam int unsigned Depth = FifoFits ? FifoWords : 32;

  logic        core_aresetn;
  logic [31:0] request_data, response_data;
  logic        request_valid, request_ready, request_last;
  logic        response_valid, response_ready, response_last;

  axil_stream #(.RequestDepth(Depth), .ResponseDepth(Depth)) u_face (
    .clk_i(aclk), .rst_ni(aresetn), .interrupt_o(irq),
    .s_axil_awvalid, .s_axil_awready, .s_axil_awaddr, .s_axil_awprot,
    .s_axil_wvalid, .s_axil_wready, .s_axil_wdata, .s_axil_wstrb,
    .s_axil_bvalid, .s_axil_bready, .s_axil_bresp,
    .s_axil_arvalid, .s_axil_arready, .s_axil_araddr, .s_axil_arprot,
    .s_axil_rvalid, .s_axil_rready, .s_axil_rdata, .s_axil_rresp,
    .core_rst_no(core_aresetn),
    .m_axis_tdata(request_data), .m_axis_tvalid(request_valid), .m_axis_tready(request_ready),
    .m_axis_tlast(request_last),
    .s_axis_tdata(response_data), .s_axis_tvalid(response_valid), .s_axis_tready(response_ready),
    .s_axis_tlast(response_last)
  );

  rsa_core #(
    .Design(Design), .Width(Width), .WordBits(WordBits), .FixedTime(FixedTime),
    .Multiplier(Multiplier), .BitsPerCycle(BitsPerCycle), .EarlyEnd(EarlyEnd),
    .DigitBits(DigitBits), .Slots(Slots), .Elements(Elements), .Form(Form), .Links(Links),
    .Multipliers(Multipliers), .Separated(Separated), .Lanes(Lanes)
  ) u_core (
    .aclk, .aresetn(core_aresetn),
    .s_axis_tdata(request_data), .s_axis_tvalid(request_valid), .s_axis_tready(request_ready),
    .s_axis_tlast(request_last),
    .m_axis_tdata(response_data), .m_axis_tvalid(response_valid), .m_axis_tready(response_ready),
    .m_axis_tlast(response_last)
  );
endmodule

`default_nettype wire
