// SPDX-License-Identifier: Apache-2.0
// The carry cell of 7-series devices, for simulation only (synthesis has its own):
//
//   O[i] = S[i] ^ c[i],   CO[i] = c[i+1] = S[i] ? c[i] : DI[i],   c[0] = CI | CYINIT
//
// Source: Xilinx UG474, "Carry Logic".
`default_nettype none

module CARRY4 (
  input  logic       CI,
  input  logic       CYINIT,
  input  logic [3:0] DI,
  input  logic [3:0] S,
  output logic [3:0] O,
  output logic [3:0] CO
);
  always_comb begin
    logic carry;
    carry = CI | CYINIT;
    for (int i = 0; i < 4; i++) begin
      O[i]  = S[i] ^ carry;
      carry = S[i] ? carry : DI[i];
      CO[i] = carry;
    end
  end
endmodule

`default_nettype wire
