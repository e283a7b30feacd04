// SPDX-License-Identifier: Apache-2.0
// Any core of the catalog at the end of a serial line: 8 data bits, no parity, 1 stop bit; packets
// in frames with a checksum (docs/contracts.md). Two pins are all that a board needs.
//
// Parameters: rtl/ip/rsa_core.sv. Framing and timing: rtl/bus/uart_stream.sv.
// Reset is synchronous and active low; hold it for one cycle of `aclk` at least.
`include "totient_assert.svh"
`default_nettype none

module rsa_uart #(
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
  parameter int unsigned  Lanes        = 1,
  parameter int unsigned  BitCycles    = 217,           // of aclk, >= 4: 25 MHz / 115,200 baud
  parameter int unsigned  BitSixteenths = 0             // and sixteenths of one
) (
  input  wire logic aclk,
  input  wire logic aresetn,
  input  wire logic uart_rx,
  output logic      uart_tx
);
  localparam int unsigned FrameWords =
      serial_frame_pkg::request_words(Design == "engine", Width, Lanes);

  logic [31:0] request_data, response_data;
  logic        request_valid, request_ready, request_last;
  logic        response_valid, response_ready, response_last;

  uart_stream #(
    .BitCycles(BitCycles), .BitSixteenths(BitSixteenths), .FrameWords(FrameWords)
  ) u_face (
    .clk_i(aclk), .rst_ni(aresetn), .rx_i(uart_rx), .tx_o(uart_tx),
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
    .aclk, .aresetn,
    .s_axis_tdata(request_data), .s_axis_tvalid(request_valid), .s_axis_tready(request_ready),
    .s_axis_tlast(request_last),
    .m_axis_tdata(response_data), .m_axis_tvalid(response_valid), .m_axis_tready(response_ready),
    .m_axis_tlast(response_last)
  );
endmodule

`default_nettype wire
