// SPDX-License-Identifier: Apache-2.0
// The phase-locked loop of 7-series devices, limited to our use. Yosys takes its ports and
// parameters from here, and the cell from the device; Vivado has its own. In simulation the output
// is the input's clock, locked from the start, and parameters are ignored.
//
// Source: Xilinx UG472, "7 Series FPGAs Clocking Resources".
`default_nettype none
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNUSEDSIGNAL */

(* blackbox *)
module PLLE2_BASE #(
  parameter int CLKIN1_PERIOD  = 0,
  parameter int DIVCLK_DIVIDE  = 1,
  parameter int CLKFBOUT_MULT  = 5,
  parameter int CLKOUT0_DIVIDE = 1
) (
  input  logic CLKIN1,
  input  logic CLKFBIN,
  input  logic PWRDWN,
  input  logic RST,
  output logic CLKFBOUT,
  output logic CLKOUT0,
  output logic LOCKED
);
`ifndef SYNTHESIS
  assign CLKFBOUT = CLKIN1;
  assign CLKOUT0  = CLKIN1;
  assign LOCKED   = 1'b1;
`endif
endmodule

`default_nettype wire
