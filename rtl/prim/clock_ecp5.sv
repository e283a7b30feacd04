// SPDX-License-Identifier: Apache-2.0
// A clock from the phase-locked loop of an ECP5:
//
//   clk_o = clk_i FeedbackDivider / InputDivider
//   oscillator: clk_o OutputDivider, 400 to 800 MHz
//
// Bounds: clk_i / InputDivider is 3.125 to 400 MHz (the datasheet's range of the phase detector).
// Source: Lattice FPGA-TN-02200, "ECP5 sysCLOCK PLL/DLL".
`include "totient_assert.svh"
`default_nettype none

module clock_ecp5 #(
  parameter int unsigned PeriodPs        = 40000,  // of clk_i
  parameter int unsigned InputDivider    = 1,      // divider of clk_i, 1 to 128
  parameter int unsigned FeedbackDivider = 2,      // divider of the feedback, 1 to 80
  parameter int unsigned OutputDivider   = 12      // divider of the oscillator, 1 to 128
) (
  input  logic clk_i,
  output logic clk_o,
  output logic locked_o
);
  localparam bit InputFits    = InputDivider >= 1 && InputDivider <= 128;
  localparam bit FeedbackFits = FeedbackDivider >= 1 && FeedbackDivider <= 80;
  localparam bit OutputFits   = OutputDivider >= 1 && OutputDivider <= 128;
  localparam bit DividersFit  = InputFits && FeedbackFits && OutputFits;
  `TOTIENT_REQUIRE(InputDivider, InputFits, "InputDivider must be 1 to 128")
  `TOTIENT_REQUIRE(FeedbackDivider, FeedbackFits, "FeedbackDivider must be 1 to 80")
  `TOTIENT_REQUIRE(OutputDivider, OutputFits, "OutputDivider must be 1 to 128")

  // Periods in picoseconds, and 10^6 of them: a megahertz.
  localparam longint unsigned Divided = 64'(PeriodPs) * 64'(InputDivider);
  localparam longint unsigned Mega    = 64'd1_000_000;
  localparam longint unsigned Made    = Mega * FeedbackDivider * OutputDivider;
  `TOTIENT_REQUIRE(Detector, !DividersFit
                   || (3125 * Divided <= 1000 * Mega && 400 * Divided >= Mega),
                   "clk_i / InputDivider must be 3.125 to 400 MHz")
  `TOTIENT_REQUIRE(Oscillator, !DividersFit
                   || (400 * Divided <= Made && 800 * Divided >= Made),
                   "clk_i FeedbackDivider OutputDivider / InputDivider must be 400 to 800 MHz")

  // The loop's filter and its charge pump, as set by Lattice's tools and Trellis' ecppll. Without
  // these attributes nextpnr writes zeros, and the loop may not lock.
  (* ICP_CURRENT = "12", LPF_RESISTOR = "8", MFG_ENABLE_FILTEROPAMP = "1", MFG_GMCREF_SEL = "2" *)
  EHXPLLL #(
    .CLKI_DIV(int'(InputDivider)), .CLKFB_DIV(int'(FeedbackDivider)),
    .CLKOP_DIV(int'(OutputDivider)), .CLKOP_CPHASE(int'(OutputDivider / 2)), .CLKOP_FPHASE(0),
    .CLKOP_ENABLE("ENABLED"),
    // nextpnr enables unspecified outputs.
    .CLKOS_ENABLE("DISABLED"), .CLKOS2_ENABLE("DISABLED"), .CLKOS3_ENABLE("DISABLED"),
    .FEEDBK_PATH("CLKOP"), .OUTDIVIDER_MUXA("DIVA")
  ) u_pll (
    .CLKI(clk_i), .CLKFB(clk_o), .CLKOP(clk_o), .LOCK(locked_o), .RST(1'b0), .STDBY(1'b0),
    .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1),
    .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0)
  );
endmodule

`default_nettype wire
