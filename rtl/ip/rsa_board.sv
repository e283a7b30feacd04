// SPDX-License-Identifier: Apache-2.0
// Any core of the catalog on a board that has a clock, a button and a serial port: a complete top.
// The core's clock comes from the board's by the device's phase-locked loop; reset is the button,
// and lasts until the clock is stable.
//
//   led[0]  beats about once a second: the clock runs
//   led[1]  the core works on a request, or answers it
//   led[2]  on for about a sixteenth of a second after each byte that has come or gone
//
// Parameters: rtl/ip/rsa_core.sv, and those of the board below.
`include "totient_assert.svh"
`default_nettype none

module rsa_board #(
  parameter int unsigned  Family       = 0,             // of the device: 0 ECP5, 1 7-series
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
  parameter int unsigned  BitCycles    = 434,           // of the core's clock: 50 MHz, 115,200 baud
  parameter int unsigned  PeriodPs        = 40000,      // of the board's clock
  parameter int unsigned  InputDivider    = 1,          // of the clock: rtl/prim/clock_ecp5.sv,
  parameter int unsigned  FeedbackDivider = 2,          // rtl/prim/clock_7series.sv
  parameter int unsigned  OutputDivider   = 12,
  parameter bit           ButtonActive    = 1'b1,       // level of a button that is pressed
  parameter bit           LedActive       = 1'b1        // level of a LED that is on
) (
  input  wire logic       clk,
  input  wire logic       button,
  input  wire logic       uart_rx,
  output logic            uart_tx,
  output logic      [2:0] led
);
  `TOTIENT_REQUIRE(Family, Family <= 1, "Family must be 0 or 1")

  logic clk_core, locked;
  if (Family == 1) begin : gen_7series
    clock_7series #(
      .PeriodPs(PeriodPs), .Input(InputDivider), .Feedback(FeedbackDivider), .Output(OutputDivider)
    ) u_clock (
      .clk_i(clk), .clk_o(clk_core), .locked_o(locked)
    );
  end else begin : gen_ecp5
    clock_ecp5 #(
      .PeriodPs(PeriodPs), .Input(InputDivider), .Feedback(FeedbackDivider), .Output(OutputDivider)
    ) u_clock (
      .clk_i(clk), .clk_o(clk_core), .locked_o(locked)
    );
  end

  // Out of reset 16 cycles after the clock is stable and the button is released.
  logic [1:0]  asks_q;
  logic [3:0]  left_q;
  logic        aresetn;
  always_ff @(posedge clk_core) begin
    asks_q  <= {asks_q[0], !locked || button == ButtonActive};
    left_q  <= asks_q[1] ? '1 : (left_q != '0) ? left_q - 4'd1 : left_q;
    aresetn <= !asks_q[1] && left_q == '0;
  end

  // A request has begun with the first edge on the line, and is answered with the last one.
  localparam int unsigned BeatBits = 26;
  logic [BeatBits-1:0] beat_q;
  logic [21:0]         traffic_q;
  logic [1:0]          rx_q;
  logic                tx_before_q, asked_q;
  always_ff @(posedge clk_core) begin
    rx_q        <= {rx_q[0], uart_rx};
    tx_before_q <= uart_tx;
    beat_q      <= beat_q + BeatBits'(1);
    traffic_q   <= (!rx_q[1] || !uart_tx) ? '1 : (traffic_q != '0) ? traffic_q - 22'd1 : traffic_q;
    if (!rx_q[1]) asked_q <= 1'b1;
    else if (tx_before_q && !uart_tx) asked_q <= 1'b0;
    led <= {traffic_q != '0, asked_q, beat_q[BeatBits-1]} ^ {3{!LedActive}};
    if (!aresetn) begin
      {beat_q, traffic_q, asked_q} <= '0;
      {rx_q, tx_before_q} <= '1;
    end
  end

  rsa_uart #(
    .Design(Design), .Width(Width), .WordBits(WordBits), .FixedTime(FixedTime),
    .Multiplier(Multiplier), .BitsPerCycle(BitsPerCycle), .EarlyEnd(EarlyEnd),
    .DigitBits(DigitBits), .Slots(Slots), .Elements(Elements), .Form(Form), .Links(Links),
    .Multipliers(Multipliers), .Separated(Separated), .Lanes(Lanes),
    .BitCycles(BitCycles)
  ) u_rsa (
    .aclk(clk_core), .aresetn, .uart_rx, .uart_tx
  );
endmodule

`default_nettype wire
