// SPDX-License-Identifier: Apache-2.0
// The buffer of a global clock of 7-series devices, for simulation only (synthesis has its own).
//
// Source: Xilinx UG472, "7 Series FPGAs Clocking Resources".
`default_nettype none

module BUFG (
  input  logic I,
  output logic O
);
  assign O = I;
endmodule

`default_nettype wire
