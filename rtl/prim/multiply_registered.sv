// SPDX-License-Identifier: Apache-2.0
// Multiplier with registers at its inputs, inside and at its output:
//
//   product(t + 3) = x(last t' <= t with x_enable) y(t)
//
// Bounds: any x, y below 2^Bits, unsigned. Registers are 0 after reset, except in forms whose block
//         has no reset of its own: the first three products after reset then use old contents.
// Forms (the results are equal, which the tests check):
//   RegisteredInferred  `*` and plain registers
//   RegisteredEcp5      MULT18X18D of Lattice ECP5 with its own registers; Bits at most 18
//   RegisteredSeries7   DSP48E1 of AMD 7-series with its own registers; Bits at most 17, as its
//                       factors are signed
// A row of connected multipliers can be placed as a row: `Chain` names the generate loop whose
// index is the position in it, `ChainFolded` states that its two ends are connected. They become
// attributes of the device's block (src/totient/flow/floorplan.py reads them).
`include "totient_assert.svh"
`default_nettype none

module multiply_registered #(
  parameter int unsigned Bits = 18,                              // of a factor, >= 2
  parameter int unsigned Form = registered_pkg::RegisteredInferred,
  /* verilator lint_off UNUSEDPARAM */
  parameter string       Chain       = "",  // "": none
  parameter bit          ChainFolded = 1'b0
  /* verilator lint_on UNUSEDPARAM */
) (
  input  logic              clk_i,
  input  logic              x_enable_i,  // take x; else keep the last one
  input  logic [Bits-1:0]   x_i,
  input  logic [Bits-1:0]   y_i,
  output logic [2*Bits-1:0] product_o
);
  `TOTIENT_REQUIRE(Form, Form <= registered_pkg::RegisteredSeries7, "Form must be 0, 1 or 2")
  `TOTIENT_REQUIRE(Bits, Bits >= 2, "Bits must be at least 2")

  if (Form == registered_pkg::RegisteredEcp5) begin : gen_ecp5
    `TOTIENT_REQUIRE(Width, Bits <= 18, "Bits must be at most 18 in form 1")
    logic [17:0] x, y;
    logic [35:0] product;
    logic unused;
    assign unused = ^product;
    assign x = 18'(x_i);
    assign y = 18'(y_i);
    assign product_o = (2*Bits)'(product);
    // Every pin named in a setting is driven. The four multipliers of a block share CE0 to CE3, and
    // nextpnr renumbers them by net: an open CE1 became a neighbour's enable.
    //   CE0    constant 1: B, pipeline and output registers always load. It is CE0, in every
    //          multiplier, because no open tool writes REG_OUTPUT_CE: the bits that switch the
    //          output register on look like those of CE0 (docs/measuring.md), so CE0 must be right.
    //   CE1    x_enable_i: the A register holds.
    //   RST0   constant 0: no register is ever reset. Its value when open is not documented.
    //   CLK0   the clock, of all four registers.
    //   GSR    DISABLED: the device's global reset reaches none of the four registers.
    //   SOURCEA, SOURCEB, SIGNEDA, SIGNEDB   0: factors from A and B, unsigned.
    // CE2, CE3, RST1 to RST3, CLK1 to CLK3, C and the shift inputs are in none of our settings and
    // stay open: if tied, enables, resets and clocks would become wires of the fabric.
    (* chain = Chain, chain_folded = ChainFolded *)
    MULT18X18D #(
      .REG_INPUTA_CLK("CLK0"), .REG_INPUTA_CE("CE1"), .REG_INPUTA_RST("RST0"),
      .REG_INPUTB_CLK("CLK0"), .REG_INPUTB_CE("CE0"), .REG_INPUTB_RST("RST0"),
      .REG_PIPELINE_CLK("CLK0"), .REG_PIPELINE_CE("CE0"), .REG_PIPELINE_RST("RST0"),
      .REG_OUTPUT_CLK("CLK0"), .REG_OUTPUT_CE("CE0"), .REG_OUTPUT_RST("RST0"),
      .CLK0_DIV("ENABLED"), .GSR("DISABLED"), .SOURCEB_MODE("B_SHIFT"),
      .MULT_BYPASS("DISABLED"), .RESETMODE("SYNC")
    ) u_cell (
      .CLK0(clk_i), .CE0(1'b1), .CE1(x_enable_i), .RST0(1'b0), .SIGNEDA(1'b0), .SIGNEDB(1'b0),
      .SOURCEA(1'b0), .SOURCEB(1'b0),
      .A0(x[0]), .A1(x[1]), .A2(x[2]), .A3(x[3]), .A4(x[4]), .A5(x[5]), .A6(x[6]), .A7(x[7]),
      .A8(x[8]), .A9(x[9]), .A10(x[10]), .A11(x[11]), .A12(x[12]), .A13(x[13]), .A14(x[14]),
      .A15(x[15]), .A16(x[16]), .A17(x[17]),
      .B0(y[0]), .B1(y[1]), .B2(y[2]), .B3(y[3]), .B4(y[4]), .B5(y[5]), .B6(y[6]), .B7(y[7]),
      .B8(y[8]), .B9(y[9]), .B10(y[10]), .B11(y[11]), .B12(y[12]), .B13(y[13]), .B14(y[14]),
      .B15(y[15]), .B16(y[16]), .B17(y[17]),
      .P0(product[0]), .P1(product[1]), .P2(product[2]), .P3(product[3]), .P4(product[4]),
      .P5(product[5]), .P6(product[6]), .P7(product[7]), .P8(product[8]), .P9(product[9]),
      .P10(product[10]), .P11(product[11]), .P12(product[12]), .P13(product[13]),
      .P14(product[14]), .P15(product[15]), .P16(product[16]), .P17(product[17]),
      .P18(product[18]), .P19(product[19]), .P20(product[20]), .P21(product[21]),
      .P22(product[22]), .P23(product[23]), .P24(product[24]), .P25(product[25]),
      .P26(product[26]), .P27(product[27]), .P28(product[28]), .P29(product[29]),
      .P30(product[30]), .P31(product[31]), .P32(product[32]), .P33(product[33]),
      .P34(product[34]), .P35(product[35])
    );
  end else if (Form == registered_pkg::RegisteredSeries7) begin : gen_series7
    `TOTIENT_REQUIRE(Width, Bits <= 17, "Bits must be at most 17 in form 2")
    logic [47:0] product;
    logic unused;
    assign unused = ^product;
    assign product_o = product[2*Bits-1:0];
    // One register each at A, B, inside and at P.
    //   CEA2, CEB2   x_enable_i, and constant 1. AREG = BREG = 1 uses the second register of
    //                the two, and INMODE = 0 takes the factors from there.
    //   CEA1, CEB1   constant 0: the first registers, used only by AREG = BREG = 2 or INMODE.
    //   CEM, CEP     constant 1: MREG = 1 and PREG = 1 always load.
    //   RSTA, RSTB, RSTM, RSTP   constant 0: no register is ever cleared.
    //   OPMODE, ALUMODE, CARRYINSEL, CARRYIN, INMODE   constant, for P = A B + 0: X and Y are the
    //                product, Z is 0. Their registers are left out (...REG = 0), so their enables
    //   CEALUMODE, CECARRYIN, CECTRL, CEINMODE, RSTALUMODE, RSTALLCARRYIN, RSTCTRL, RSTINMODE
    //                have no effect: constant 0.
    //   A, B         A[29:25] are beyond the multiplier. Bit 17 of both is 0: factors are signed.
    //   C, D         constant 1 with CREG = DREG = ADREG = 1, CEC, CED, CEAD, RSTC, RSTD = 0: the
    //                datasheet's values for unused inputs, for the least power.
    //   ACIN, BCIN, PCIN, CARRYCASCIN, MULTSIGNIN   from the block below, not used with A_INPUT =
    //                B_INPUT = DIRECT and this OPMODE: constant 0.
    DSP48E1 #(
      .AREG(1), .ACASCREG(1), .BREG(1), .BCASCREG(1), .CREG(1), .DREG(1), .ADREG(1), .MREG(1),
      .PREG(1), .ALUMODEREG(0), .CARRYINREG(0), .CARRYINSELREG(0), .INMODEREG(0), .OPMODEREG(0),
      .A_INPUT("DIRECT"), .B_INPUT("DIRECT"), .USE_DPORT("FALSE"), .USE_MULT("MULTIPLY"),
      .USE_SIMD("ONE48")
    ) u_cell (
      .CLK(clk_i), .A(30'(x_i)), .B(18'(y_i)), .C('1), .D('1), .P(product),
      .OPMODE(7'b0000101), .ALUMODE(4'd0), .INMODE(5'd0), .CARRYINSEL(3'd0), .CARRYIN(1'b0),
      .ACIN(30'd0), .BCIN(18'd0), .PCIN(48'd0), .CARRYCASCIN(1'b0), .MULTSIGNIN(1'b0),
      .CEA1(1'b0), .CEA2(x_enable_i), .CEB1(1'b0), .CEB2(1'b1), .CEC(1'b0), .CED(1'b0),
      .CEAD(1'b0), .CEM(1'b1), .CEP(1'b1), .CEALUMODE(1'b0), .CECARRYIN(1'b0), .CECTRL(1'b0),
      .CEINMODE(1'b0), .RSTA(1'b0), .RSTB(1'b0), .RSTC(1'b0), .RSTD(1'b0), .RSTM(1'b0),
      .RSTP(1'b0), .RSTALUMODE(1'b0), .RSTALLCARRYIN(1'b0), .RSTCTRL(1'b0), .RSTINMODE(1'b0)
    );
  end else begin : gen_inferred
    logic [Bits-1:0] x_q, y_q;
    logic [2*Bits-1:0] inside_q, product_q;
    always_ff @(posedge clk_i) begin
      if (x_enable_i) x_q <= x_i;
      y_q       <= y_i;
      inside_q  <= (2*Bits)'(x_q) * (2*Bits)'(y_q);
      product_q <= inside_q;
    end
    assign product_o = product_q;
  end
endmodule

`default_nettype wire
