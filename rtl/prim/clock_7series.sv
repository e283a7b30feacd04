// SPDX-License-Identifier: Apache-2.0
// A clock from the phase-locked loop of a 7-series device, on a global clock net:
//
//   oscillator: clk_i Feedback / Input, 800 to 1600 MHz,   clk_o = oscillator / Output
//
// Bounds: clk_i / Input is 19 to 450 MHz. They are the datasheet's for the slowest speed grade.
// Source: Xilinx UG472, "7 Series FPGAs Clocking Resources", and DS181, "PLL Specification".
`include "totient_assert.svh"
`default_nettype none

module clock_7series #(
  parameter int unsigned PeriodPs = 10000,  // of clk_i
  parameter int unsigned Input    = 1,      // divider of clk_i, 1 to 56
  parameter int unsigned Feedback = 10,     // divider of the feedback, 2 to 64
  parameter int unsigned Output   = 20      // divider of the oscillator, 1 to 128
) (
  input  logic clk_i,
  output logic clk_o,
  output logic locked_o
);
  `TOTIENT_REQUIRE(Input, Input >= 1 && Input <= 56, "Input must be 1 to 56")
  `TOTIENT_REQUIRE(Feedback, Feedback >= 2 && Feedback <= 64, "Feedback must be 2 to 64")
  `TOTIENT_REQUIRE(Output, Output >= 1 && Output <= 128, "Output must be 1 to 128")

  // Periods in picoseconds, and 10^6 of them: a megahertz.
  localparam longint unsigned Divided = 64'(PeriodPs) * 64'(Input);
  localparam longint unsigned Mega    = 64'd1_000_000;
  `TOTIENT_REQUIRE(Detector, 19 * Divided <= Mega && 450 * Divided >= Mega,
                   "clk_i / Input must be 19 to 450 MHz")
  `TOTIENT_REQUIRE(Oscillator,
                   800 * Divided <= Mega * Feedback && 1600 * Divided >= Mega * Feedback,
                   "clk_i Feedback / Input must be 800 to 1600 MHz")

  logic feedback, divided;
  PLLE2_BASE #(
    .CLKIN1_PERIOD(real'(PeriodPs) / 1000.0), .DIVCLK_DIVIDE(int'(Input)),
    .CLKFBOUT_MULT(int'(Feedback)), .CLKOUT0_DIVIDE(int'(Output))
  ) u_pll (
    .CLKIN1(clk_i), .CLKFBIN(feedback), .CLKFBOUT(feedback), .CLKOUT0(divided),
    .LOCKED(locked_o), .PWRDWN(1'b0), .RST(1'b0)
  );
  BUFG u_buffer (.I(divided), .O(clk_o));
endmodule

`default_nettype wire
