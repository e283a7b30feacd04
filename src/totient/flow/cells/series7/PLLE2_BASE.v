// SPDX-License-Identifier: Apache-2.0
// The phase-locked loop of 7-series devices, for the simulation of netlists, as a buffer: CLKOUT0 is
// CLKIN1. Its frequency is not modelled: a netlist with one clock does the same at any. So no
// divider, phase, duty cycle, jitter, bandwidth or start-up setting is looked at.
//   RST, PWRDWN     high: no clock, and LOCKED is low.
//   LOCKED          else high from the start.
//   CLKFBIN         has to be CLKFBOUT, which is CLKIN1 as well: LOCKED is low while they differ.
//   CLKOUT1 to CLKOUT5   second clocks are not modelled: the outputs are unknown.
//
// Source: Xilinx UG472, "7 Series FPGAs Clocking Resources", and UG953, PLLE2_BASE.

module PLLE2_BASE #(
  parameter
    BANDWIDTH = "OPTIMIZED", STARTUP_WAIT = "FALSE", CLKIN1_PERIOD = 0, REF_JITTER1 = 0,
    DIVCLK_DIVIDE = 1, CLKFBOUT_MULT = 5, CLKFBOUT_PHASE = 0,
    CLKOUT0_DIVIDE = 1, CLKOUT0_DUTY_CYCLE = 0, CLKOUT0_PHASE = 0,
    CLKOUT1_DIVIDE = 1, CLKOUT1_DUTY_CYCLE = 0, CLKOUT1_PHASE = 0,
    CLKOUT2_DIVIDE = 1, CLKOUT2_DUTY_CYCLE = 0, CLKOUT2_PHASE = 0,
    CLKOUT3_DIVIDE = 1, CLKOUT3_DUTY_CYCLE = 0, CLKOUT3_PHASE = 0,
    CLKOUT4_DIVIDE = 1, CLKOUT4_DUTY_CYCLE = 0, CLKOUT4_PHASE = 0,
    CLKOUT5_DIVIDE = 1, CLKOUT5_DUTY_CYCLE = 0, CLKOUT5_PHASE = 0
) (
  input
    CLKIN1, CLKFBIN, RST, PWRDWN,
  output
    CLKOUT0, CLKOUT1, CLKOUT2, CLKOUT3, CLKOUT4, CLKOUT5, CLKFBOUT, LOCKED
);
  wire runs = !RST && !PWRDWN;
  assign CLKFBOUT = CLKIN1;
  assign CLKOUT0 = CLKIN1 && runs;
  assign LOCKED = runs && CLKFBIN == CLKIN1;
  assign {CLKOUT1, CLKOUT2, CLKOUT3, CLKOUT4, CLKOUT5} = 5'bx;
endmodule
