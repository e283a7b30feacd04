// SPDX-License-Identifier: Apache-2.0
// Any core of the catalog on a board that has a clock, a button and a serial port: a complete top.
// The serial port is on the board's clock, the core on one that the device's phase-locked loop
// makes of it; streams go over by handshakes, one word at a time. Reset is the button, for both
// sides, and lasts until the core's clock is stable.
//
//   led[0]  beats about once a second, more often with a core's clock above 134 MHz: it runs
//   led[1]  the core works on a request, or answers it
//   led[2]  on for about a sixteenth of a second after each byte that has come or gone
//
// Timing: the two clocks count as unrelated. Between them there are the words and the levels of
// rtl/common/stream_crossing.sv, whose header has their bound, and LOCK of the loop, which a
// synchroniser takes.
//
// Parameters: rtl/ip/rsa_core.sv, and those of the board below.
`include "totient_assert.svh"
`default_nettype none

module rsa_board #(
  parameter int unsigned  Family       = 0,             // 0 ECP5, 1 7-series, 2 Gowin, 3 iCE40
  parameter logic [127:0] Design       = "montgomery",  // name in the catalog
  parameter int unsigned  Width        = 1024,          // largest modulus, in bits: 8 to 4096
  parameter int unsigned  WordBits     = 16,            // montgomery
  parameter bit           FixedTime    = 1'b1,          // montgomery, binary
  parameter int unsigned  Multiplier   = 0,             // montgomery
  parameter int unsigned  BitsPerCycle = 1,             // binary, repeated
  parameter bit           EarlyEnd     = 1'b0,          // binary, repeated
  parameter int unsigned  DigitBits    = 0,             // digit_serial, engine; 0: its own default
  parameter int unsigned  Slots        = 1,             // digit_serial; engine: for keys
  parameter int unsigned  Elements     = 8,             // engine, and the next one
  parameter int unsigned  Form         = (Family == 1) ? 2 : 1,  // of the device
  parameter int unsigned  Links        = 0,             // digit_serial, and all below
  parameter int unsigned  Multipliers  = 2,
  parameter bit           Separated    = 1'b1,
  parameter int unsigned  Lanes        = 1,
  parameter int unsigned  BitCycles     = 217,          // of the board's clock: 25 MHz, 115,200 Bd
  parameter int unsigned  BitSixteenths = 0,            // and sixteenths of one
  parameter int unsigned  PeriodPs        = 40000,      // of the board's clock
  parameter int unsigned  InputDivider    = 1,          // of the clock: rtl/prim/clock_ecp5.sv,
  parameter int unsigned  FeedbackDivider = 2,          // rtl/prim/clock_7series.sv
  parameter int unsigned  OutputDivider   = 12,
  parameter int unsigned  Leds            = 3,          // that the board has, 1 to 3
  parameter bit           ButtonActive    = 1'b1,       // level of a button that is pressed
  parameter bit           LedActive       = 1'b1        // level of a LED that is on
) (
  input  wire logic       clk,
  input  wire logic       button,
  input  wire logic       uart_rx,
  output logic            uart_tx,
  output logic [Leds-1:0] led
);
  `TOTIENT_REQUIRE(Family, Family <= 3, "Family must be 0 to 3")
  `TOTIENT_REQUIRE(Leds, Leds >= 1 && Leds <= 3, "Leds must be 1 to 3")

  logic clk_core, locked;
  if (Family == 1) begin : gen_7series
    clock_7series #(
      .PeriodPs(PeriodPs), .Input(InputDivider), .Feedback(FeedbackDivider), .Output(OutputDivider)
    ) u_clock (
      .clk_i(clk), .clk_o(clk_core), .locked_o(locked)
    );
  end else if (Family == 2) begin : gen_gowin
    clock_gowin #(
      .PeriodPs(PeriodPs), .Input(InputDivider), .Feedback(FeedbackDivider), .Output(OutputDivider)
    ) u_clock (
      .clk_i(clk), .clk_o(clk_core), .locked_o(locked)
    );
  end else if (Family == 3) begin : gen_ice40
    // The device's only loop takes the pin of the clock for itself: the core has the same clock.
    assign clk_core = clk;
    assign locked   = 1'b1;
  end else begin : gen_ecp5
    clock_ecp5 #(
      .PeriodPs(PeriodPs), .Input(InputDivider), .Feedback(FeedbackDivider), .Output(OutputDivider)
    ) u_clock (
      .clk_i(clk), .clk_o(clk_core), .locked_o(locked)
    );
  end

  logic request, rst_n, aresetn;
  assign request = !locked || button == ButtonActive;
  reset_synchroniser u_board_reset (.clk_i(clk), .request_i(request), .rst_no(rst_n));
  reset_synchroniser u_core_reset (.clk_i(clk_core), .request_i(request), .rst_no(aresetn));

  localparam int unsigned BeatBits = 27;
  logic [BeatBits-1:0] beat_q;
  logic                beat_led_q;
  always_ff @(posedge clk_core) begin
    beat_q     <= aresetn ? beat_q + BeatBits'(1) : '0;
    beat_led_q <= beat_q[BeatBits-1] ^ !LedActive;
  end

  // A request has begun with the first edge on the line, and is answered with the last one.
  localparam int unsigned TrafficBits = $clog2(64'd1_000_000_000_000 / 64'd16 / 64'(PeriodPs));
  logic [TrafficBits-1:0] traffic_q;
  logic                   rx, tx_before_q, asked_q;
  logic [1:0]             line_leds_q;
  synchroniser #(.Bits(1)) u_rx (.clk_i(clk), .data_i(uart_rx), .data_o(rx));
  always_ff @(posedge clk) begin
    tx_before_q <= uart_tx;
    if (!rx || !uart_tx) traffic_q <= '1;
    else if (traffic_q != '0) traffic_q <= traffic_q - TrafficBits'(1);
    if (!rx) asked_q <= 1'b1;
    else if (tx_before_q && !uart_tx) asked_q <= 1'b0;
    line_leds_q <= {traffic_q != '0, asked_q} ^ {2{!LedActive}};
    if (!rst_n) begin
      {traffic_q, asked_q} <= '0;
      tx_before_q          <= 1'b1;
    end
  end
  assign led = Leds'({line_leds_q, beat_led_q});

  // On the board's clock `line_`, on the core's `core_`.
  typedef struct packed {
    logic        last;
    logic [31:0] data;
  } word_t;
  word_t line_request, line_response, core_request, core_response;
  logic  line_request_valid, line_request_ready, line_response_valid, line_response_ready;
  logic  core_request_valid, core_request_ready, core_response_valid, core_response_ready;

  uart_stream #(
    .BitCycles(BitCycles), .BitSixteenths(BitSixteenths),
    .FrameWords(serial_frame_pkg::request_words(Design == "engine", Width, Lanes))
  ) u_face (
    .clk_i(clk), .rst_ni(rst_n), .rx_i(uart_rx), .tx_o(uart_tx),
    .m_axis_tdata(line_request.data), .m_axis_tvalid(line_request_valid),
    .m_axis_tready(line_request_ready), .m_axis_tlast(line_request.last),
    .s_axis_tdata(line_response.data), .s_axis_tvalid(line_response_valid),
    .s_axis_tready(line_response_ready), .s_axis_tlast(line_response.last)
  );
  stream_crossing #(.Bits($bits(word_t))) u_requests (
    .s_clk_i(clk), .s_rst_ni(rst_n), .s_valid_i(line_request_valid),
    .s_ready_o(line_request_ready), .s_data_i(line_request),
    .m_clk_i(clk_core), .m_rst_ni(aresetn), .m_valid_o(core_request_valid),
    .m_ready_i(core_request_ready), .m_data_o(core_request)
  );
  stream_crossing #(.Bits($bits(word_t))) u_responses (
    .s_clk_i(clk_core), .s_rst_ni(aresetn), .s_valid_i(core_response_valid),
    .s_ready_o(core_response_ready), .s_data_i(core_response),
    .m_clk_i(clk), .m_rst_ni(rst_n), .m_valid_o(line_response_valid),
    .m_ready_i(line_response_ready), .m_data_o(line_response)
  );

  rsa_core #(
    .Design(Design), .Width(Width), .WordBits(WordBits), .FixedTime(FixedTime),
    .Multiplier(Multiplier), .BitsPerCycle(BitsPerCycle), .EarlyEnd(EarlyEnd),
    .DigitBits(DigitBits), .Slots(Slots), .Elements(Elements), .Form(Form), .Links(Links),
    .Multipliers(Multipliers), .Separated(Separated), .Lanes(Lanes)
  ) u_core (
    .aclk(clk_core), .aresetn,
    .s_axis_tdata(core_request.data), .s_axis_tvalid(core_request_valid),
    .s_axis_tready(core_request_ready), .s_axis_tlast(core_request.last),
    .m_axis_tdata(core_response.data), .m_axis_tvalid(core_response_valid),
    .m_axis_tready(core_response_ready), .m_axis_tlast(core_response.last)
  );
endmodule

`default_nettype wire
