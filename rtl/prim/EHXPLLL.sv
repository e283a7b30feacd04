// SPDX-License-Identifier: Apache-2.0
// The phase-locked loop of ECP5 devices. Synthesis takes its ports and parameters from here, and
// the cell from the device. In simulation the output is the input's clock, locked from the start,
// and parameters are ignored.
//
// Source: Lattice FPGA-TN-02200, "ECP5 sysCLOCK PLL/DLL".
`default_nettype none
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNUSEDSIGNAL */

(* blackbox *)
module EHXPLLL #(
  parameter int    CLKI_DIV       = 1,
  parameter int    CLKFB_DIV      = 1,
  parameter int    CLKOP_DIV      = 8,
  parameter int    CLKOP_CPHASE   = 0,
  parameter int    CLKOP_FPHASE   = 0,
  parameter string CLKOP_ENABLE   = "ENABLED",
  parameter string CLKOS_ENABLE   = "DISABLED",
  parameter string CLKOS2_ENABLE  = "DISABLED",
  parameter string CLKOS3_ENABLE  = "DISABLED",
  parameter string FEEDBK_PATH    = "CLKOP",
  parameter string OUTDIVIDER_MUXA = "DIVA"
) (
  input  logic CLKI,
  input  logic CLKFB,
  input  logic RST,
  input  logic STDBY,
  input  logic PHASESEL0,
  input  logic PHASESEL1,
  input  logic PHASEDIR,
  input  logic PHASESTEP,
  input  logic PHASELOADREG,
  input  logic PLLWAKESYNC,
  input  logic ENCLKOP,
  output logic CLKOP,
  output logic LOCK
);
`ifndef SYNTHESIS
  assign CLKOP = CLKI;
  assign LOCK  = 1'b1;
`endif
endmodule

`default_nettype wire
