// SPDX-License-Identifier: Apache-2.0
// A clock from the phase-locked loop of a 7-series device, on a global clock net:
//
//   oscillator: clk_i FeedbackDivider / InputDivider, 800 to 1600 MHz
//   clk_o = oscillator / OutputDivider
//
// Bounds: clk_i / InputDivider is 19 to 450 MHz. They are the datasheet's for the slowest speed
// grade.
// Source: Xilinx UG472, "7 Series FPGAs Clocking Resources", and DS181, "PLL Specification".
`include "totient_assert.svh"
`default_nettype none

module clock_7series #(
  parameter int unsigned PeriodPs        = 10000,  // of clk_i
  parameter int unsigned InputDivider    = 1,      // divider of clk_i, 1 to 56
  parameter int unsigned FeedbackDivider = 10,     // divider of the feedback, 2 to 64
  parameter int unsigned OutputDivider   = 20      // divider of the oscillator, 1 to 128
) (
  input  logic clk_i,
  output logic clk_o,
  output logic locked_o
);
  localparam bit InputFits    = InputDivider >= 1 && InputDivider <= 56;
  localparam bit FeedbackFits = FeedbackDivider >= 2 && FeedbackDivider <= 64;
  localparam bit OutputFits   = OutputDivider >= 1 && OutputDivider <= 128;
  localparam bit DividersFit  = InputFits && FeedbackFits && OutputFits;
  `TOTIENT_REQUIRE(InputDivider, InputFits, "InputDivider must be 1 to 56")
  `TOTIENT_REQUIRE(FeedbackDivider, FeedbackFits, "FeedbackDivider must be 2 to 64")
  `TOTIENT_REQUIRE(OutputDivider, OutputFits, "OutputDivider must be 1 to 128")

  // Periods in picoseconds, and 10^6 of them: a megahertz.
  localparam longint unsigned Divided    = 64'(PeriodPs) * 64'(InputDivider);
  localparam longint unsigned Mega       = 64'd1_000_000;
  localparam longint unsigned Multiplied = Mega * FeedbackDivider;
  `TOTIENT_REQUIRE(Detector, !DividersFit
                   || (19 * Divided <= Mega && 450 * Divided >= Mega),
                   "clk_i / InputDivider must be 19 to 450 MHz")
  `TOTIENT_REQUIRE(Oscillator, !DividersFit
                   || (800 * Divided <= Multiplied && 1600 * Divided >= Multiplied),
                   "clk_i FeedbackDivider / InputDivider must be 800 to 1600 MHz")

  logic feedback, divided;
  PLLE2_BASE #(
    .CLKIN1_PERIOD(real'(PeriodPs) / 1000.0), .DIVCLK_DIVIDE(int'(InputDivider)),
    .CLKFBOUT_MULT(int'(FeedbackDivider)), .CLKOUT0_DIVIDE(int'(OutputDivider))
  ) u_pll (
    .CLKIN1(clk_i), .CLKFBIN(feedback), .CLKFBOUT(feedback), .CLKOUT0(divided),
    .LOCKED(locked_o), .PWRDWN(1'b0), .RST(1'b0)
  );
  BUFG u_buffer (.I(divided), .O(clk_o));
endmodule

`default_nettype wire
