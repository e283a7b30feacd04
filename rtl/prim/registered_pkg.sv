// SPDX-License-Identifier: Apache-2.0
// Forms of multipliers and memories with their own registers (rtl/prim/*_registered.sv). All forms
// have equal results. One is plain SystemVerilog, the others use a vendor's blocks.
`default_nettype none

package registered_pkg;
  /* verilator lint_off UNUSEDPARAM */  // no design uses all constants
  localparam int unsigned RegisteredInferred = 0;
  localparam int unsigned RegisteredEcp5     = 1;  // Lattice ECP5
  localparam int unsigned RegisteredSeries7  = 2;  // AMD 7-series
  /* verilator lint_on UNUSEDPARAM */
endpackage

`default_nettype wire
