// SPDX-License-Identifier: Apache-2.0
// The multiplier of ECP5 devices, for the simulation of netlists. It shares nothing with rtl/prim.
//
//   P = A B, each factor signed where its SIGNED pin is high
//
// Where each pin and setting acts; [1] to [4] are the sources below.
//   A, B            the factors [1]. SOURCEA, SOURCEB high take the shift inputs SRIA, SRIB in their
//                   place, before the input register [1].
//   C               goes to ROC alone while SOURCEB_MODE is B_SHIFT [1].
//   SIGNEDA, B      taken together with A and B: into their registers, where there are any [1].
//   CLK0 to CLK3    rising edge. REG_*_CLK names the clock of a register, NONE leaves it out [1].
//   CE0 to CE3      high loads. REG_*_CE names the enable of a register [1]. A configuration says
//                   it of the inputs and of the pipeline [2]; of the output register nothing in
//                   nextpnr does [3], so who extracts a netlist from a configuration passes CE0.
//   RST0 to RST3    high clears, also while the enable is low. REG_*_RST names the reset of a
//                   register; RESETMODE = SYNC waits for the clock edge, ASYNC does not [1].
//   SROA, SROB      A and B behind their registers, as are ROA and ROB; ROC is C [1].
//   SIGNEDP         a factor is signed; passes the pipeline register, not the output register [1].
//   CLKn_DIV        ENABLED: a register loads at each rising edge of the clock [4].
//   GSR             looked at by nobody: the global reset is over before the first clock edge.
//   HIGHSPEED_CLK, CAS_MATCH_REG, MULT_BYPASS, a register for C, other values of SOURCEB_MODE, and
//   CLKn_DIV = DISABLED of a clock in use: not modelled, simulation stops.
// An open pin: A, B, C are 0 [3]; no source says what the others read.
// Registers begin with what the simulator puts there.
//
// Sources: [1] Lattice FPGA-TN-02205, "ECP5 and ECP5-5G sysDSP Usage Guide". [2] Project Trellis,
//          database of MIB_DSP tiles. [3] nextpnr, ecp5/bitstream.cc (write_mult18,
//          tieoff_dsp_ports). [4] Lattice's simulation library of the family.

module MULT18X18D #(
  parameter REG_INPUTA_CLK = "NONE",
  parameter REG_INPUTA_CE = "CE0",
  parameter REG_INPUTA_RST = "RST0",
  parameter REG_INPUTB_CLK = "NONE",
  parameter REG_INPUTB_CE = "CE0",
  parameter REG_INPUTB_RST = "RST0",
  parameter REG_INPUTC_CLK = "NONE",
  parameter REG_INPUTC_CE = "CE0",
  parameter REG_INPUTC_RST = "RST0",
  parameter REG_PIPELINE_CLK = "NONE",
  parameter REG_PIPELINE_CE = "CE0",
  parameter REG_PIPELINE_RST = "RST0",
  parameter REG_OUTPUT_CLK = "NONE",
  parameter REG_OUTPUT_CE = "CE0",
  parameter REG_OUTPUT_RST = "RST0",
  parameter CLK0_DIV = "ENABLED",
  parameter CLK1_DIV = "ENABLED",
  parameter CLK2_DIV = "ENABLED",
  parameter CLK3_DIV = "ENABLED",
  parameter HIGHSPEED_CLK = "NONE",
  parameter GSR = "ENABLED",
  parameter CAS_MATCH_REG = "FALSE",
  parameter SOURCEB_MODE = "B_SHIFT",
  parameter MULT_BYPASS = "DISABLED",
  parameter RESETMODE = "SYNC"
) (
  input
    A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17, B0, B1, B2, B3,
    B4, B5, B6, B7, B8, B9, B10, B11, B12, B13, B14, B15, B16, B17, C0, C1, C2, C3, C4, C5, C6, C7,
    C8, C9, C10, C11, C12, C13, C14, C15, C16, C17, SIGNEDA, SIGNEDB, SOURCEA, SOURCEB, CLK0, CLK1,
    CLK2, CLK3, CE0, CE1, CE2, CE3, RST0, RST1, RST2, RST3, SRIA0, SRIA1, SRIA2, SRIA3, SRIA4,
    SRIA5, SRIA6, SRIA7, SRIA8, SRIA9, SRIA10, SRIA11, SRIA12, SRIA13, SRIA14, SRIA15, SRIA16,
    SRIA17, SRIB0, SRIB1, SRIB2, SRIB3, SRIB4, SRIB5, SRIB6, SRIB7, SRIB8, SRIB9, SRIB10, SRIB11,
    SRIB12, SRIB13, SRIB14, SRIB15, SRIB16, SRIB17,
  output
    SROA0, SROA1, SROA2, SROA3, SROA4, SROA5, SROA6, SROA7, SROA8, SROA9, SROA10, SROA11, SROA12,
    SROA13, SROA14, SROA15, SROA16, SROA17, SROB0, SROB1, SROB2, SROB3, SROB4, SROB5, SROB6, SROB7,
    SROB8, SROB9, SROB10, SROB11, SROB12, SROB13, SROB14, SROB15, SROB16, SROB17, ROA0, ROA1, ROA2,
    ROA3, ROA4, ROA5, ROA6, ROA7, ROA8, ROA9, ROA10, ROA11, ROA12, ROA13, ROA14, ROA15, ROA16,
    ROA17, ROB0, ROB1, ROB2, ROB3, ROB4, ROB5, ROB6, ROB7, ROB8, ROB9, ROB10, ROB11, ROB12, ROB13,
    ROB14, ROB15, ROB16, ROB17, ROC0, ROC1, ROC2, ROC3, ROC4, ROC5, ROC6, ROC7, ROC8, ROC9, ROC10,
    ROC11, ROC12, ROC13, ROC14, ROC15, ROC16, ROC17, P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10,
    P11, P12, P13, P14, P15, P16, P17, P18, P19, P20, P21, P22, P23, P24, P25, P26, P27, P28, P29,
    P30, P31, P32, P33, P34, P35, SIGNEDP
);
  wire [17:0] a = {
    A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0
  };
  wire [17:0] b = {
    B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0
  };
  wire [17:0] c = {
    C17, C16, C15, C14, C13, C12, C11, C10, C9, C8, C7, C6, C5, C4, C3, C2, C1, C0
  };
  wire [17:0] sria = {
    SRIA17, SRIA16, SRIA15, SRIA14, SRIA13, SRIA12, SRIA11, SRIA10, SRIA9, SRIA8, SRIA7, SRIA6,
    SRIA5, SRIA4, SRIA3, SRIA2, SRIA1, SRIA0
  };
  wire [17:0] srib = {
    SRIB17, SRIB16, SRIB15, SRIB14, SRIB13, SRIB12, SRIB11, SRIB10, SRIB9, SRIB8, SRIB7, SRIB6,
    SRIB5, SRIB4, SRIB3, SRIB2, SRIB1, SRIB0
  };

  // The setting by which a register names one of four pins, as that pin.
  `define ONE_OF_FOUR(setting, pin) \
    ((setting == `"pin``3`") ? pin``3 : (setting == `"pin``2`") ? pin``2 \
     : (setting == `"pin``1`") ? pin``1 : pin``0)
  `define REGISTER(name, bits, from, to) \
    MULT18X18D_register #( \
      .Bits(bits), .Present(REG_``name``_CLK != "NONE"), .AtOnce(RESETMODE == "ASYNC") \
    ) u_``name ( \
      .clock(`ONE_OF_FOUR(REG_``name``_CLK, CLK)), .enable(`ONE_OF_FOUR(REG_``name``_CE, CE)), \
      .clear(`ONE_OF_FOUR(REG_``name``_RST, RST)), .data(from), .value(to) \
    );
  `define ALLOWED(setting, pin) \
    if (setting != `"pin``0`" && setting != `"pin``1`" && setting != `"pin``2`" \
        && setting != `"pin``3`") \
      $fatal(1, "%m: MULT18X18D has no model for %s = %s", `"setting`", setting);
  `define ALLOWED_CLOCK(name) \
    if (REG_``name``_CLK != "NONE") begin \
      `ALLOWED(REG_``name``_CLK, CLK) \
      if (`ONE_OF_FOUR_DIVIDERS(REG_``name``_CLK) != "ENABLED") \
        $fatal(1, "%m: MULT18X18D has no model for %s with CLKn_DIV = DISABLED", `"name`"); \
    end \
    `ALLOWED(REG_``name``_CE, CE) \
    `ALLOWED(REG_``name``_RST, RST)
  `define ONE_OF_FOUR_DIVIDERS(setting) \
    ((setting == "CLK3") ? CLK3_DIV : (setting == "CLK2") ? CLK2_DIV \
     : (setting == "CLK1") ? CLK1_DIV : CLK0_DIV)
  `define ONLY(setting, allowed) \
    if (setting != allowed) \
      $fatal(1, "%m: MULT18X18D has no model for %s = %s", `"setting`", setting);

  initial begin
    `ALLOWED_CLOCK(INPUTA)
    `ALLOWED_CLOCK(INPUTB)
    `ALLOWED_CLOCK(PIPELINE)
    `ALLOWED_CLOCK(OUTPUT)
    `ONLY(REG_INPUTC_CLK, "NONE")
    `ONLY(HIGHSPEED_CLK, "NONE")
    `ONLY(CAS_MATCH_REG, "FALSE")
    `ONLY(SOURCEB_MODE, "B_SHIFT")
    `ONLY(MULT_BYPASS, "DISABLED")
    if (RESETMODE != "ASYNC") `ONLY(RESETMODE, "SYNC")
  end

  wire [17:0] a_taken, b_taken;
  wire        a_signed, b_signed;
  wire [35:0] product_inside, product;
  `REGISTER(INPUTA, 19, ({SIGNEDA, SOURCEA ? sria : a}), ({a_signed, a_taken}))
  `REGISTER(INPUTB, 19, ({SIGNEDB, SOURCEB ? srib : b}), ({b_signed, b_taken}))
  // Of a product modulo 2^36, factors are as good modulo 2^36, with their signs extended.
  wire [35:0] a_wide = {{18{a_signed & a_taken[17]}}, a_taken};
  wire [35:0] b_wide = {{18{b_signed & b_taken[17]}}, b_taken};
  `REGISTER(PIPELINE, 37, ({a_signed | b_signed, a_wide * b_wide}), ({SIGNEDP, product_inside}))
  `REGISTER(OUTPUT, 36, product_inside, product)
  `undef ONE_OF_FOUR
  `undef ONE_OF_FOUR_DIVIDERS
  `undef REGISTER
  `undef ALLOWED
  `undef ALLOWED_CLOCK
  `undef ONLY

  assign {
    P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17,
    P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
  } = product;
  assign {
    ROA17, ROA16, ROA15, ROA14, ROA13, ROA12, ROA11, ROA10, ROA9, ROA8, ROA7, ROA6, ROA5, ROA4,
    ROA3, ROA2, ROA1, ROA0
  } = a_taken;
  assign {
    ROB17, ROB16, ROB15, ROB14, ROB13, ROB12, ROB11, ROB10, ROB9, ROB8, ROB7, ROB6, ROB5, ROB4,
    ROB3, ROB2, ROB1, ROB0
  } = b_taken;
  assign {
    ROC17, ROC16, ROC15, ROC14, ROC13, ROC12, ROC11, ROC10, ROC9, ROC8, ROC7, ROC6, ROC5, ROC4,
    ROC3, ROC2, ROC1, ROC0
  } = c;
  assign {
    SROA17, SROA16, SROA15, SROA14, SROA13, SROA12, SROA11, SROA10, SROA9, SROA8, SROA7, SROA6,
    SROA5, SROA4, SROA3, SROA2, SROA1, SROA0
  } = a_taken;
  assign {
    SROB17, SROB16, SROB15, SROB14, SROB13, SROB12, SROB11, SROB10, SROB9, SROB8, SROB7, SROB6,
    SROB5, SROB4, SROB3, SROB2, SROB1, SROB0
  } = b_taken;
endmodule

// A register of the block, or a wire.
module MULT18X18D_register #(
  parameter Bits = 1,
  parameter Present = 0,
  parameter AtOnce = 0  // the reset does not wait for the clock
) (
  input clock, enable, clear,
  input [Bits-1:0] data,
  output [Bits-1:0] value
);
  reg [Bits-1:0] value_q;
  generate
    if (!Present) begin : gen_none
      assign value = data;
    end else begin : gen_register
      assign value = value_q;
      if (AtOnce) begin : gen_at_once
        always @(posedge clock or posedge clear) begin
          if (clear) value_q <= {Bits{1'b0}};
          else if (enable) value_q <= data;
        end
      end else begin : gen_clocked
        always @(posedge clock) begin
          if (clear) value_q <= {Bits{1'b0}};
          else if (enable) value_q <= data;
        end
      end
    end
  endgenerate
endmodule
