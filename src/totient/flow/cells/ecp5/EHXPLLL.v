// SPDX-License-Identifier: Apache-2.0
// The phase-locked loop of ECP5 devices, for the simulation of netlists, as a buffer: CLKOP is CLKI,
// and LOCK is high from the start. Its frequency is not modelled: a netlist with one clock does the
// same at any. So no divider, phase, delay or mode setting is looked at, and no input but CLKI.
//   CLKOS to CLKOS3, REFCLK, CLKINTFB, INTLOCK   second clocks are not modelled: simulation stops
//                   where one is enabled; the outputs are 0.
//   CLKOP_ENABLE    ENABLED; else simulation stops.
//
// Source: Lattice FPGA-TN-02200, "ECP5 and ECP5-5G sysCLOCK PLL/DLL Design and Usage Guide".

module EHXPLLL #(
  parameter
    CLKI_DIV = 1, CLKFB_DIV = 1, CLKOP_DIV = 8, CLKOS_DIV = 8, CLKOS2_DIV = 8, CLKOS3_DIV = 8,
    CLKOP_ENABLE = "ENABLED", CLKOS_ENABLE = "DISABLED", CLKOS2_ENABLE = "DISABLED",
    CLKOS3_ENABLE = "DISABLED", CLKOP_CPHASE = 0, CLKOS_CPHASE = 0, CLKOS2_CPHASE = 0,
    CLKOS3_CPHASE = 0, CLKOP_FPHASE = 0, CLKOS_FPHASE = 0, CLKOS2_FPHASE = 0, CLKOS3_FPHASE = 0,
    FEEDBK_PATH = "CLKOP", CLKOP_TRIM_POL = "RISING", CLKOP_TRIM_DELAY = 0,
    CLKOS_TRIM_POL = "RISING", CLKOS_TRIM_DELAY = 0, OUTDIVIDER_MUXA = "DIVA",
    OUTDIVIDER_MUXB = "DIVB", OUTDIVIDER_MUXC = "DIVC", OUTDIVIDER_MUXD = "DIVD",
    PLL_LOCK_MODE = 0, PLL_LOCK_DELAY = 200, STDBY_ENABLE = "DISABLED", REFIN_RESET = "DISABLED",
    SYNC_ENABLE = "DISABLED", INT_LOCK_STICKY = "ENABLED", DPHASE_SOURCE = "DISABLED",
    PLLRST_ENA = "DISABLED", INTFB_WAKE = "DISABLED"
) (
  input
    CLKI, CLKFB, PHASESEL1, PHASESEL0, PHASEDIR, PHASESTEP, PHASELOADREG, STDBY, PLLWAKESYNC, RST,
    ENCLKOP, ENCLKOS, ENCLKOS2, ENCLKOS3,
  output
    CLKOP, CLKOS, CLKOS2, CLKOS3, LOCK, INTLOCK, REFCLK, CLKINTFB
);
  initial begin
    if (CLKOP_ENABLE != "ENABLED" || CLKOS_ENABLE != "DISABLED" || CLKOS2_ENABLE != "DISABLED"
        || CLKOS3_ENABLE != "DISABLED")
      $fatal(1, "%m: EHXPLLL has a model for CLKOP alone");
  end
  assign CLKOP = CLKI;
  assign LOCK = 1'b1;
  assign {CLKOS, CLKOS2, CLKOS3, INTLOCK, REFCLK, CLKINTFB} = 6'd0;
endmodule
