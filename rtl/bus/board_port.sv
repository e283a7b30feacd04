// SPDX-License-Identifier: Apache-2.0
// A board's clock, button, LEDs and serial port around an IP with packets: the whole top without
// the IP. The serial port runs on the board's clock, the IP on a clock from the device's
// phase-locked loop. Streams cross by handshakes, one word at a time. The button resets both sides
// or none; the reset lasts until the IP's clock is stable.
//
//   led[0]  blinks about once a second, faster with an IP's clock above 134 MHz: the clock runs
//   led[1]  the IP processes or answers a request
//   led[2]  on for about a sixteenth of a second after each byte in either direction
//
// Timing: the two clocks are unrelated. The words and levels of rtl/common/stream_crossing.sv cross
// between them; its header states their bound. The levels of rtl/common/reset_pair.sv go through
// synchronisers.
`include "totient_assert.svh"
`default_nettype none

module board_port #(
  parameter int unsigned Family          = 0,      // 0 ECP5, 1 7-series, 2 Gowin, 3 iCE40
  parameter int unsigned FrameWords      = 512,    // words of the longest request, >= 1
  parameter int unsigned BitCycles       = 217,    // of the board's clock: 25 MHz, 115,200 Bd
  parameter int unsigned BitSixteenths   = 0,      // and sixteenths of one
  parameter int unsigned PeriodPs        = 40000,  // of the board's clock
  parameter int unsigned InputDivider    = 1,      // of the clock: rtl/prim/clock_ecp5.sv,
  parameter int unsigned FeedbackDivider = 2,      // rtl/prim/clock_7series.sv
  parameter int unsigned OutputDivider   = 12,
  parameter int unsigned Leds            = 3,      // on the board, 1 to 3
  parameter int unsigned ButtonActive    = 1,      // level of a pressed button, 0 or 1
  parameter int unsigned LedActive       = 1,      // level of a lit LED, 0 or 1
  // A refused value is not passed on: its consequences would hide the reason.
  localparam bit          LedsFit        = Leds >= 1 && Leds <= 3,
  localparam int unsigned Lights         = LedsFit ? Leds : 3
) (
  // Board
  input  logic              clk_i,
  input  logic              button_i,
  input  logic              uart_rx_i,
  output logic              uart_tx_o,
  output logic [Lights-1:0] led_o,
  // IP
  output logic              core_clk_o,
  output logic              core_rst_no,
  output logic [31:0]       m_axis_tdata,   // requests
  output logic              m_axis_tvalid,
  input  logic              m_axis_tready,
  output logic              m_axis_tlast,
  input  logic [31:0]       s_axis_tdata,   // responses
  input  logic              s_axis_tvalid,
  output logic              s_axis_tready,
  input  logic              s_axis_tlast
);
  `TOTIENT_REQUIRE(Family, Family <= 3, "Family must be 0 to 3")
  `TOTIENT_REQUIRE(Leds, LedsFit, "Leds must be 1 to 3")
  `TOTIENT_REQUIRE(ButtonActive, ButtonActive <= 1, "ButtonActive must be 0 or 1")
  `TOTIENT_REQUIRE(LedActive, LedActive <= 1, "LedActive must be 0 or 1")
  localparam bit PeriodFits = PeriodPs >= 1_000 && PeriodPs <= 1_000_000;
  `TOTIENT_REQUIRE(PeriodPs, PeriodFits, "PeriodPs must be 1000 to 1000000")
  localparam int unsigned Period  = PeriodFits ? PeriodPs : 40_000;
  localparam bit          Pressed = ButtonActive == 1;
  localparam bit          Lit     = LedActive == 1;

  logic locked;
  if (Family == 1) begin : gen_7series
    clock_7series #(
      .PeriodPs(Period), .InputDivider(InputDivider), .FeedbackDivider(FeedbackDivider),
      .OutputDivider(OutputDivider)
    ) u_clock (
      .clk_i, .clk_o(core_clk_o), .locked_o(locked)
    );
  end else if (Family == 2) begin : gen_gowin
    clock_gowin #(
      .PeriodPs(Period), .InputDivider(InputDivider), .FeedbackDivider(FeedbackDivider),
      .OutputDivider(OutputDivider)
    ) u_clock (
      .clk_i, .clk_o(core_clk_o), .locked_o(locked)
    );
  end else if (Family == 3) begin : gen_ice40
    // The device's only loop occupies the clock's pin: the core has the same clock.
    assign core_clk_o = clk_i;
    assign locked     = 1'b1;
  end else begin : gen_ecp5
    clock_ecp5 #(
      .PeriodPs(Period), .InputDivider(InputDivider), .FeedbackDivider(FeedbackDivider),
      .OutputDivider(OutputDivider)
    ) u_clock (
      .clk_i, .clk_o(core_clk_o), .locked_o(locked)
    );
  end

  logic rst_n;
  reset_pair u_reset (
    .request_i(!locked || button_i == Pressed), .lead_clk_i(clk_i), .lead_rst_no(rst_n),
    .follow_clk_i(core_clk_o), .follow_rst_no(core_rst_no)
  );

  localparam int unsigned BeatBits = 27;
  logic [BeatBits-1:0] beat_q;
  logic                beat_led_q;
  always_ff @(posedge core_clk_o) begin
    beat_q     <= core_rst_no ? beat_q + BeatBits'(1) : '0;
    beat_led_q <= beat_q[BeatBits-1] ^ !Lit;
  end

  // A request begins with the first edge on the line, and is answered with the last one.
  localparam int unsigned TrafficBits = $clog2(64'd1_000_000_000_000 / 64'd16 / 64'(Period));
  logic [TrafficBits-1:0] traffic_q;
  logic                   rx, tx_before_q, asked_q;
  logic [1:0]             line_leds_q;
  synchroniser #(.Bits(1)) u_rx (.clk_i, .data_i(uart_rx_i), .data_o(rx));
  always_ff @(posedge clk_i) begin
    tx_before_q <= uart_tx_o;
    if (!rx || !uart_tx_o) traffic_q <= '1;
    else if (traffic_q != '0) traffic_q <= traffic_q - TrafficBits'(1);
    if (!rx) asked_q <= 1'b1;
    else if (tx_before_q && !uart_tx_o) asked_q <= 1'b0;
    line_leds_q <= {traffic_q != '0, asked_q} ^ {2{!Lit}};
    if (!rst_n) begin
      {traffic_q, asked_q} <= '0;
      tx_before_q          <= 1'b1;
    end
  end
  assign led_o = Lights'({line_leds_q, beat_led_q});

  // `line_` signals are on the board's clock, `core_` signals on the IP's.
  typedef struct packed {
    logic        last;
    logic [31:0] data;
  } word_t;
  word_t line_request, line_response, core_request, core_response;
  logic  line_request_valid, line_request_ready, line_response_valid, line_response_ready;
  assign {m_axis_tlast, m_axis_tdata} = core_request;
  assign core_response = '{last: s_axis_tlast, data: s_axis_tdata};

  uart_stream #(
    .BitCycles(BitCycles), .BitSixteenths(BitSixteenths),
    .FrameWords(FrameWords)
  ) u_face (
    .clk_i, .rst_ni(rst_n), .rx_i(uart_rx_i), .tx_o(uart_tx_o),
    .m_axis_tdata(line_request.data), .m_axis_tvalid(line_request_valid),
    .m_axis_tready(line_request_ready), .m_axis_tlast(line_request.last),
    .s_axis_tdata(line_response.data), .s_axis_tvalid(line_response_valid),
    .s_axis_tready(line_response_ready), .s_axis_tlast(line_response.last)
  );
  stream_crossing #(.Bits($bits(word_t))) u_requests (
    .s_clk_i(clk_i), .s_rst_ni(rst_n), .s_valid_i(line_request_valid),
    .s_ready_o(line_request_ready), .s_data_i(line_request),
    .m_clk_i(core_clk_o), .m_rst_ni(core_rst_no), .m_valid_o(m_axis_tvalid),
    .m_ready_i(m_axis_tready), .m_data_o(core_request)
  );
  stream_crossing #(.Bits($bits(word_t))) u_responses (
    .s_clk_i(core_clk_o), .s_rst_ni(core_rst_no), .s_valid_i(s_axis_tvalid),
    .s_ready_o(s_axis_tready), .s_data_i(core_response),
    .m_clk_i(clk_i), .m_rst_ni(rst_n), .m_valid_o(line_response_valid),
    .m_ready_i(line_response_ready), .m_data_o(line_response)
  );
endmodule

`default_nettype wire
