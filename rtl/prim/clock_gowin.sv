// SPDX-License-Identifier: Apache-2.0
// A clock from the phase-locked loop of a Gowin GW1NR-9:
//
//   clk_o = clk_i FeedbackDivider / InputDivider
//   oscillator: clk_o OutputDivider, 400 to 1200 MHz
//
// Bounds: clk_i / InputDivider is 3 to 400 MHz, clk_i is 27 MHz: the cell requires it as a string.
// Source: Gowin DS117, "PLL Switching Characteristics"; Gowin UG286, "Gowin Clock User Guide".
`include "totient_assert.svh"
`default_nettype none

module clock_gowin #(
  parameter int unsigned PeriodPs        = 37037,  // of clk_i
  parameter int unsigned InputDivider    = 1,      // divider of clk_i, 1 to 64
  parameter int unsigned FeedbackDivider = 1,      // divider of the feedback, 1 to 64
  parameter int unsigned OutputDivider   = 32      // divider of the oscillator
) (
  input  logic clk_i,
  output logic clk_o,
  output logic locked_o
);
  localparam bit InputFits    = InputDivider >= 1 && InputDivider <= 64;
  localparam bit FeedbackFits = FeedbackDivider >= 1 && FeedbackDivider <= 64;
  localparam bit OutputFits   = OutputDivider inside {2, 4, 8, 16, 32, 48, 64, 80, 96, 112, 128};
  localparam bit DividersFit  = InputFits && FeedbackFits && OutputFits;
  `TOTIENT_REQUIRE(Period, PeriodPs == 37037, "PeriodPs must be 37037")
  `TOTIENT_REQUIRE(InputDivider, InputFits, "InputDivider must be 1 to 64")
  `TOTIENT_REQUIRE(FeedbackDivider, FeedbackFits, "FeedbackDivider must be 1 to 64")
  `TOTIENT_REQUIRE(OutputDivider, OutputFits,
                   "OutputDivider must be 2, 4, 8 or a multiple of 16 up to 128")

  // Periods in picoseconds, and 10^6 of them: a megahertz.
  localparam longint unsigned Divided = 64'(PeriodPs) * 64'(InputDivider);
  localparam longint unsigned Mega    = 64'd1_000_000;
  localparam longint unsigned Made    = Mega * FeedbackDivider * OutputDivider;
  `TOTIENT_REQUIRE(Detector, !DividersFit
                   || (3 * Divided <= Mega && 400 * Divided >= Mega),
                   "clk_i / InputDivider must be 3 to 400 MHz")
  `TOTIENT_REQUIRE(Oscillator, !DividersFit
                   || (400 * Divided <= Made && 1200 * Divided >= Made),
                   "clk_i FeedbackDivider OutputDivider / InputDivider must be 400 to 1200 MHz")

  // The cell counts to the divider minus one, except for ODIV_SEL.
  //   CLKFB            constant 0: CLKFB_SEL = internal takes the feedback from inside.
  //   RESET, RESET_P   constant 0: never reset, never switched off.
  //   FBDSEL, IDSEL, ODSEL   dividers at run time, which DYN_..._SEL = false leave out.
  //   PSDA, DUTYDA, FDLY     of the second output, which is open.
  rPLL #(
    .FCLKIN("27"), .IDIV_SEL(int'(InputDivider) - 1), .FBDIV_SEL(int'(FeedbackDivider) - 1),
    .ODIV_SEL(int'(OutputDivider)), .DYN_IDIV_SEL("false"), .DYN_FBDIV_SEL("false"),
    .DYN_ODIV_SEL("false"), .CLKFB_SEL("internal"), .DEVICE("GW1NR-9C")
  ) u_pll (
    .CLKIN(clk_i), .CLKFB(1'b0), .RESET(1'b0), .RESET_P(1'b0), .FBDSEL(6'd0), .IDSEL(6'd0),
    .ODSEL(6'd0), .PSDA(4'd0), .DUTYDA(4'd0), .FDLY(4'd0), .CLKOUT(clk_o), .LOCK(locked_o)
  );
endmodule

`default_nettype wire
