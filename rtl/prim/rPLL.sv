// SPDX-License-Identifier: Apache-2.0
// The phase-locked loop of Gowin GW1N devices. Synthesis takes its ports and parameters from here,
// and the cell from the device. In simulation the output is the input's clock, locked from the
// start, and parameters are ignored.
//
// Source: Gowin UG286, "Gowin Clock User Guide".
`default_nettype none
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNUSEDSIGNAL */

(* blackbox *)
module rPLL #(
  parameter string FCLKIN        = "27",
  parameter int    IDIV_SEL      = 0,
  parameter int    FBDIV_SEL     = 0,
  parameter int    ODIV_SEL      = 8,
  parameter string DYN_IDIV_SEL  = "false",
  parameter string DYN_FBDIV_SEL = "false",
  parameter string DYN_ODIV_SEL  = "false",
  parameter string CLKFB_SEL     = "internal",
  parameter string DEVICE        = "GW1NR-9C"
) (
  input  logic       CLKIN,
  input  logic       CLKFB,
  input  logic       RESET,
  input  logic       RESET_P,
  input  logic [5:0] FBDSEL,
  input  logic [5:0] IDSEL,
  input  logic [5:0] ODSEL,
  input  logic [3:0] PSDA,
  input  logic [3:0] DUTYDA,
  input  logic [3:0] FDLY,
  output logic       CLKOUT,
  output logic       LOCK
);
`ifndef SYNTHESIS
  assign CLKOUT = CLKIN;
  assign LOCK   = 1'b1;
`endif
endmodule

`default_nettype wire
