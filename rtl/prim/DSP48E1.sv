// SPDX-License-Identifier: Apache-2.0
// The multiplier block of 7-series devices, limited to our use: signed, with one register at both
// inputs, one inside and one at the output. Yosys takes its ports and parameters from here, and the
// cell from the device; Vivado has its own. In simulation it behaves as below:
//
//   P(t + 3) = A(last t' <= t with CEA2)[24:0] B(last t' <= t with CEB2)
//
// All other functions of the block are left out. Parameters and inputs that would use them are
// refused.
//
// Source: Xilinx UG479, "7 Series DSP48E1 Slice".
`include "totient_assert.svh"
`default_nettype none
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNUSEDSIGNAL */

(* blackbox *)
module DSP48E1 #(
  parameter int    AREG          = 1,
  parameter int    ACASCREG      = 1,
  parameter int    BREG          = 1,
  parameter int    BCASCREG      = 1,
  parameter int    CREG          = 1,
  parameter int    DREG          = 1,
  parameter int    ADREG         = 1,
  parameter int    MREG          = 1,
  parameter int    PREG          = 1,
  parameter int    ALUMODEREG    = 1,
  parameter int    CARRYINREG    = 1,
  parameter int    CARRYINSELREG = 1,
  parameter int    INMODEREG     = 1,
  parameter int    OPMODEREG     = 1,
  parameter string A_INPUT       = "DIRECT",
  parameter string B_INPUT       = "DIRECT",
  parameter string USE_DPORT     = "FALSE",
  parameter string USE_MULT      = "MULTIPLY",
  parameter string USE_SIMD      = "ONE48"
) (
  input  logic        CLK,
  input  logic [29:0] A,
  input  logic [17:0] B,
  input  logic [47:0] C,
  input  logic [24:0] D,
  input  logic [6:0]  OPMODE,
  input  logic [3:0]  ALUMODE,
  input  logic [4:0]  INMODE,
  input  logic [2:0]  CARRYINSEL,
  input  logic        CARRYIN,
  // From the block below.
  input  logic [29:0] ACIN,
  input  logic [17:0] BCIN,
  input  logic [47:0] PCIN,
  input  logic        CARRYCASCIN, MULTSIGNIN,
  input  logic        CEA1, CEA2, CEB1, CEB2, CEC, CED, CEAD, CEM, CEP,
  input  logic        CEALUMODE, CECARRYIN, CECTRL, CEINMODE,
  input  logic        RSTA, RSTB, RSTC, RSTD, RSTM, RSTP,
  input  logic        RSTALUMODE, RSTALLCARRYIN, RSTCTRL, RSTINMODE,
  output logic [47:0] P
);
`ifndef SYNTHESIS
  `TOTIENT_REQUIRE(Registers,
                   AREG == 1 && ACASCREG == 1 && BREG == 1 && BCASCREG == 1 && MREG == 1
                   && PREG == 1, "DSP48E1 is modelled with one register each of A, B, M and P")
  `TOTIENT_REQUIRE(Control,
                   ALUMODEREG == 0 && CARRYINREG == 0 && CARRYINSELREG == 0 && INMODEREG == 0
                   && OPMODEREG == 0, "DSP48E1 is modelled without registers of control inputs")
  `TOTIENT_REQUIRE(Inputs, A_INPUT == "DIRECT" && B_INPUT == "DIRECT" && USE_DPORT == "FALSE",
                   "DSP48E1 is modelled with factors from A and B alone")
  `TOTIENT_REQUIRE(Use, USE_MULT == "MULTIPLY" && USE_SIMD == "ONE48",
                   "DSP48E1 is modelled as a multiplier of 48 bits")
  // The product alone: X and Y are its two halves, Z is 0. The second registers of A and B are
  // used.
  Function : assert property (@(posedge CLK)
    OPMODE == 7'b0000101 && {ALUMODE, INMODE, CARRYINSEL, CARRYIN} == '0)
    else $error("%m: DSP48E1 is modelled for products alone");
  Clocked : assert property (@(posedge CLK) CEM && CEP && {RSTA, RSTB, RSTM, RSTP} == '0)
    else $error("%m: DSP48E1 is modelled with M and P always enabled, and without resets");

  logic signed [24:0] a_q;
  logic signed [17:0] b_q;
  logic signed [42:0] m_q;
  logic signed [47:0] p_q;
  always_ff @(posedge CLK) begin
    if (CEA2) a_q <= A[24:0];
    if (CEB2) b_q <= B;
    m_q <= 43'(a_q) * 43'(b_q);
    p_q <= 48'(m_q);
  end
  assign P = p_q;
`endif
endmodule

/* verilator lint_on UNUSEDSIGNAL */
/* verilator lint_on UNUSEDPARAM */
`default_nettype wire
