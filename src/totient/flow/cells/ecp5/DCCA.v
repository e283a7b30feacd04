// SPDX-License-Identifier: Apache-2.0
// The buffer of a global clock of ECP5 devices, for the simulation of netlists:
//
//   CLKO = CLKI while CE is high, else 0
//
// A CE that changes while CLKI is high cuts a pulse here; what the device does then is not modelled.
// An open CE is 1: nextpnr leaves the gate out then (ecp5/bitstream.cc, write_dcc).
//
// Source: Lattice FPGA-TN-02200, "ECP5 and ECP5-5G sysCLOCK PLL/DLL Design and Usage Guide".

module DCCA (
  input
    CLKI, CE,
  output
    CLKO
);
  assign CLKO = CLKI && CE;
endmodule
