// SPDX-License-Identifier: Apache-2.0
// Any core of the catalog on a board that has a clock, a button and a serial port: a complete top.
// Clocks, reset, lights and timing: rtl/bus/board_port.sv.
//
// Parameters: rtl/ip/rsa_core.sv, and those of the board below.
`include "totient_assert.svh"
`default_nettype none

module rsa_board #(
  parameter int unsigned  Family       = 0,             // 0 ECP5, 1 7-series, 2 Gowin, 3 iCE40
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
  parameter int unsigned  Form         = (Family == 0) ? 1 : (Family == 1) ? 2 : 0,
  parameter int unsigned  Links        = 0,             // digit_serial, and all below
  parameter int unsigned  Multipliers  = 2,
  parameter int unsigned  Separated    = 1,
  parameter int unsigned  Lanes        = 1,
  parameter int unsigned  BitCycles     = 217,          // of the board's clock: 25 MHz, 115,200 Bd
  parameter int unsigned  BitSixteenths = 0,            // and sixteenths of one
  parameter int unsigned  PeriodPs        = 40000,      // of the board's clock
  parameter int unsigned  InputDivider    = 1,          // of the clock: rtl/prim/clock_ecp5.sv,
  parameter int unsigned  FeedbackDivider = 2,          // rtl/prim/clock_7series.sv
  parameter int unsigned  OutputDivider   = 12,
  parameter int unsigned  Leds            = 3,          // that the board has, 1 to 3
  parameter int unsigned  ButtonActive    = 1,          // level of a button that is pressed
  parameter int unsigned  LedActive       = 1           // level of a LED that is on
) (
  input  wire logic       clk,
  input  wire logic       button,
  input  wire logic       uart_rx,
  output logic            uart_tx,
  output logic [((Leds >= 1 && Leds <= 3) ? Leds : 3)-1:0] led
);
  logic clk_core, aresetn;
  logic [31:0] request_data, response_data;
  logic        request_valid, request_ready, request_last;
  logic        response_valid, response_ready, response_last;

  board_port #(
    .Family(Family), .FrameWords(serial_frame_pkg::request_words(Design == "engine", Width, Lanes)),
    .BitCycles(BitCycles), .BitSixteenths(BitSixteenths), .PeriodPs(PeriodPs),
    .InputDivider(InputDivider), .FeedbackDivider(FeedbackDivider), .OutputDivider(OutputDivider),
    .Leds(Leds), .ButtonActive(ButtonActive), .LedActive(LedActive)
  ) u_port (
    .clk_i(clk), .button_i(button), .uart_rx_i(uart_rx), .uart_tx_o(uart_tx), .led_o(led),
    .core_clk_o(clk_core), .core_rst_no(aresetn),
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
    .aclk(clk_core), .aresetn,
    .s_axis_tdata(request_data), .s_axis_tvalid(request_valid),
    .s_axis_tready(request_ready), .s_axis_tlast(request_last),
    .m_axis_tdata(response_data), .m_axis_tvalid(response_valid),
    .m_axis_tready(response_ready), .m_axis_tlast(response_last)
  );
endmodule

`default_nettype wire
