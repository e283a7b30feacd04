// SPDX-License-Identifier: Apache-2.0
// The block RAM of 36 Kbit of 7-series devices, for the simulation of netlists. It shares nothing
// with rtl/prim. What its pins and settings do is in RAMB_blocks.v; here is what is its own:
//   RAM_MODE        TDP, two ports of words of up to 36 bits; SDP, port A reads, port B writes 72.
//   WEA, WEBWE      byte enables of port A and B; as a simple dual port all of WEBWE's.
//   SRVAL_A, SRVAL_B   a word of the port's width, its ninth bits above its data bits; both are one
//                   word where that takes the pins of both.
//   CASCADE*, RAM_EXTENSION_x (but NONE), EN_ECC_* (but FALSE), INJECT*, ECCPARITY, RDADDRECC,
//   SBITERR, DBITERR
//                   chains of two blocks and error correction have no model: simulation stops.
//   ADDRx bit 15    belongs to such a chain; not looked at.
//   SIM_DEVICE, SIM_COLLISION_CHECK, INIT_FILE
//                   are for Xilinx' own simulation; INIT_FILE has to be NONE.
//
// Source: Xilinx UG473, "7 Series FPGAs Memory Resources".

module RAMB36E1 #(
  parameter
    DOA_REG = 0, DOB_REG = 0, EN_ECC_READ = "FALSE", EN_ECC_WRITE = "FALSE", INIT_A = 36'd0,
    INIT_B = 36'd0, INIT_FILE = "NONE", RAM_EXTENSION_A = "NONE", RAM_EXTENSION_B = "NONE",
    RAM_MODE = "TDP", RDADDR_COLLISION_HWCONFIG = "DELAYED_WRITE", READ_WIDTH_A = 0,
    READ_WIDTH_B = 0, RSTREG_PRIORITY_A = "RSTREG", RSTREG_PRIORITY_B = "RSTREG",
    SIM_COLLISION_CHECK = "ALL", SIM_DEVICE = "7SERIES", SRVAL_A = 36'd0, SRVAL_B = 36'd0,
    WRITE_MODE_A = "WRITE_FIRST", WRITE_MODE_B = "WRITE_FIRST", WRITE_WIDTH_A = 0,
    WRITE_WIDTH_B = 0, IS_CLKARDCLK_INVERTED = 1'b0, IS_CLKBWRCLK_INVERTED = 1'b0,
    IS_ENARDEN_INVERTED = 1'b0, IS_ENBWREN_INVERTED = 1'b0, IS_RSTRAMARSTRAM_INVERTED = 1'b0,
    IS_RSTRAMB_INVERTED = 1'b0, IS_RSTREGARSTREG_INVERTED = 1'b0, IS_RSTREGB_INVERTED = 1'b0,
  parameter [255:0]
    INIT_00 = 256'd0, INIT_01 = 256'd0, INIT_02 = 256'd0, INIT_03 = 256'd0, INIT_04 = 256'd0,
    INIT_05 = 256'd0, INIT_06 = 256'd0, INIT_07 = 256'd0, INIT_08 = 256'd0, INIT_09 = 256'd0,
    INIT_0A = 256'd0, INIT_0B = 256'd0, INIT_0C = 256'd0, INIT_0D = 256'd0, INIT_0E = 256'd0,
    INIT_0F = 256'd0, INIT_10 = 256'd0, INIT_11 = 256'd0, INIT_12 = 256'd0, INIT_13 = 256'd0,
    INIT_14 = 256'd0, INIT_15 = 256'd0, INIT_16 = 256'd0, INIT_17 = 256'd0, INIT_18 = 256'd0,
    INIT_19 = 256'd0, INIT_1A = 256'd0, INIT_1B = 256'd0, INIT_1C = 256'd0, INIT_1D = 256'd0,
    INIT_1E = 256'd0, INIT_1F = 256'd0, INIT_20 = 256'd0, INIT_21 = 256'd0, INIT_22 = 256'd0,
    INIT_23 = 256'd0, INIT_24 = 256'd0, INIT_25 = 256'd0, INIT_26 = 256'd0, INIT_27 = 256'd0,
    INIT_28 = 256'd0, INIT_29 = 256'd0, INIT_2A = 256'd0, INIT_2B = 256'd0, INIT_2C = 256'd0,
    INIT_2D = 256'd0, INIT_2E = 256'd0, INIT_2F = 256'd0, INIT_30 = 256'd0, INIT_31 = 256'd0,
    INIT_32 = 256'd0, INIT_33 = 256'd0, INIT_34 = 256'd0, INIT_35 = 256'd0, INIT_36 = 256'd0,
    INIT_37 = 256'd0, INIT_38 = 256'd0, INIT_39 = 256'd0, INIT_3A = 256'd0, INIT_3B = 256'd0,
    INIT_3C = 256'd0, INIT_3D = 256'd0, INIT_3E = 256'd0, INIT_3F = 256'd0, INIT_40 = 256'd0,
    INIT_41 = 256'd0, INIT_42 = 256'd0, INIT_43 = 256'd0, INIT_44 = 256'd0, INIT_45 = 256'd0,
    INIT_46 = 256'd0, INIT_47 = 256'd0, INIT_48 = 256'd0, INIT_49 = 256'd0, INIT_4A = 256'd0,
    INIT_4B = 256'd0, INIT_4C = 256'd0, INIT_4D = 256'd0, INIT_4E = 256'd0, INIT_4F = 256'd0,
    INIT_50 = 256'd0, INIT_51 = 256'd0, INIT_52 = 256'd0, INIT_53 = 256'd0, INIT_54 = 256'd0,
    INIT_55 = 256'd0, INIT_56 = 256'd0, INIT_57 = 256'd0, INIT_58 = 256'd0, INIT_59 = 256'd0,
    INIT_5A = 256'd0, INIT_5B = 256'd0, INIT_5C = 256'd0, INIT_5D = 256'd0, INIT_5E = 256'd0,
    INIT_5F = 256'd0, INIT_60 = 256'd0, INIT_61 = 256'd0, INIT_62 = 256'd0, INIT_63 = 256'd0,
    INIT_64 = 256'd0, INIT_65 = 256'd0, INIT_66 = 256'd0, INIT_67 = 256'd0, INIT_68 = 256'd0,
    INIT_69 = 256'd0, INIT_6A = 256'd0, INIT_6B = 256'd0, INIT_6C = 256'd0, INIT_6D = 256'd0,
    INIT_6E = 256'd0, INIT_6F = 256'd0, INIT_70 = 256'd0, INIT_71 = 256'd0, INIT_72 = 256'd0,
    INIT_73 = 256'd0, INIT_74 = 256'd0, INIT_75 = 256'd0, INIT_76 = 256'd0, INIT_77 = 256'd0,
    INIT_78 = 256'd0, INIT_79 = 256'd0, INIT_7A = 256'd0, INIT_7B = 256'd0, INIT_7C = 256'd0,
    INIT_7D = 256'd0, INIT_7E = 256'd0, INIT_7F = 256'd0, INITP_00 = 256'd0, INITP_01 = 256'd0,
    INITP_02 = 256'd0, INITP_03 = 256'd0, INITP_04 = 256'd0, INITP_05 = 256'd0, INITP_06 = 256'd0,
    INITP_07 = 256'd0, INITP_08 = 256'd0, INITP_09 = 256'd0, INITP_0A = 256'd0, INITP_0B = 256'd0,
    INITP_0C = 256'd0, INITP_0D = 256'd0, INITP_0E = 256'd0, INITP_0F = 256'd0
) (
  input
    CLKARDCLK, CLKBWRCLK, ENARDEN, ENBWREN, REGCEAREGCE, REGCEB, RSTRAMARSTRAM, RSTRAMB,
    RSTREGARSTREG, RSTREGB, CASCADEINA, CASCADEINB, INJECTDBITERR, INJECTSBITERR,
  input [15:0] ADDRARDADDR, ADDRBWRADDR,
  input [31:0] DIADI, DIBDI,
  input [3:0] DIPADIP, DIPBDIP,
  input [3:0] WEA,
  input [7:0] WEBWE,
  output CASCADEOUTA, CASCADEOUTB, SBITERR, DBITERR,
  output [7:0] ECCPARITY,
  output [8:0] RDADDRECC,
  output [31:0] DOADO, DOBDO,
  output [3:0] DOPADOP, DOPBDOP
);
  localparam SimpleDual = RAM_MODE == "SDP";
  initial begin
    if (RAM_MODE != "TDP" && RAM_MODE != "SDP")
      $fatal(1, "%m: RAMB36E1 has no model for RAM_MODE = %s", RAM_MODE);
    if (INIT_FILE != "NONE") $fatal(1, "%m: RAMB36E1 has no model for INIT_FILE = %s", INIT_FILE);
    if (EN_ECC_READ != "FALSE" || EN_ECC_WRITE != "FALSE")
      $fatal(1, "%m: RAMB36E1 has no model for EN_ECC_READ or EN_ECC_WRITE = TRUE");
    if (RAM_EXTENSION_A != "NONE" || RAM_EXTENSION_B != "NONE")
      $fatal(1, "%m: RAMB36E1 has no model for RAM_EXTENSION_A or RAM_EXTENSION_B");
  end

  wire [63:0] read_a, read_b;
  wire [7:0] ninths_a, ninths_b;
  // The word that a reset makes: its ninth bits are those above the data bits of its width.
  localparam [35:0] ClearA = SRVAL_A, ClearB = SRVAL_B;
  localparam Whole = SimpleDual && READ_WIDTH_A == 72;
  localparam ClearBitsA = (READ_WIDTH_A >= 9) ? READ_WIDTH_A / 9 * 8 : READ_WIDTH_A;
  localparam ClearBitsB = (READ_WIDTH_B >= 9) ? READ_WIDTH_B / 9 * 8 : READ_WIDTH_B;
  localparam [63:0] ClearDataA = Whole ? {ClearB[31:0], ClearA[31:0]} : {32'd0, ClearA[31:0]};
  localparam [7:0] ClearNinthsA = Whole ? {ClearB[35:32], ClearA[35:32]}
    : 8'(ClearA >> ClearBitsA);
  localparam [7:0] ClearNinthsB = 8'(ClearB >> ClearBitsB);
  RAMB_blocks #(
    .Bytes(8), .AddressBits(15), .SimpleDual(SimpleDual),
    .ReadWidthA(READ_WIDTH_A), .ReadWidthB(READ_WIDTH_B),
    .WriteWidthA(WRITE_WIDTH_A), .WriteWidthB(WRITE_WIDTH_B),
    .RegisterA(DOA_REG), .RegisterB(DOB_REG), .WriteModeA(WRITE_MODE_A), .WriteModeB(WRITE_MODE_B),
    .PriorityA(RSTREG_PRIORITY_A), .PriorityB(RSTREG_PRIORITY_B),
    .Collision(RDADDR_COLLISION_HWCONFIG), .ResetA({ClearNinthsA, ClearDataA}),
    .ResetB({ClearNinthsB, 32'd0, ClearB[31:0]}),
    .Data({
      INIT_7F, INIT_7E, INIT_7D, INIT_7C, INIT_7B, INIT_7A, INIT_79, INIT_78, INIT_77, INIT_76,
      INIT_75, INIT_74, INIT_73, INIT_72, INIT_71, INIT_70, INIT_6F, INIT_6E, INIT_6D, INIT_6C,
      INIT_6B, INIT_6A, INIT_69, INIT_68, INIT_67, INIT_66, INIT_65, INIT_64, INIT_63, INIT_62,
      INIT_61, INIT_60, INIT_5F, INIT_5E, INIT_5D, INIT_5C, INIT_5B, INIT_5A, INIT_59, INIT_58,
      INIT_57, INIT_56, INIT_55, INIT_54, INIT_53, INIT_52, INIT_51, INIT_50, INIT_4F, INIT_4E,
      INIT_4D, INIT_4C, INIT_4B, INIT_4A, INIT_49, INIT_48, INIT_47, INIT_46, INIT_45, INIT_44,
      INIT_43, INIT_42, INIT_41, INIT_40, INIT_3F, INIT_3E, INIT_3D, INIT_3C, INIT_3B, INIT_3A,
      INIT_39, INIT_38, INIT_37, INIT_36, INIT_35, INIT_34, INIT_33, INIT_32, INIT_31, INIT_30,
      INIT_2F, INIT_2E, INIT_2D, INIT_2C, INIT_2B, INIT_2A, INIT_29, INIT_28, INIT_27, INIT_26,
      INIT_25, INIT_24, INIT_23, INIT_22, INIT_21, INIT_20, INIT_1F, INIT_1E, INIT_1D, INIT_1C,
      INIT_1B, INIT_1A, INIT_19, INIT_18, INIT_17, INIT_16, INIT_15, INIT_14, INIT_13, INIT_12,
      INIT_11, INIT_10, INIT_0F, INIT_0E, INIT_0D, INIT_0C, INIT_0B, INIT_0A, INIT_09, INIT_08,
      INIT_07, INIT_06, INIT_05, INIT_04, INIT_03, INIT_02, INIT_01, INIT_00
    }),
    .Ninths({
      INITP_0F, INITP_0E, INITP_0D, INITP_0C, INITP_0B, INITP_0A, INITP_09, INITP_08, INITP_07,
      INITP_06, INITP_05, INITP_04, INITP_03, INITP_02, INITP_01, INITP_00
    })
  ) u_blocks (
    .clock_a(CLKARDCLK ^ IS_CLKARDCLK_INVERTED), .clock_b(CLKBWRCLK ^ IS_CLKBWRCLK_INVERTED),
    .enable_a(ENARDEN ^ IS_ENARDEN_INVERTED), .enable_b(ENBWREN ^ IS_ENBWREN_INVERTED),
    .reset_latch_a(RSTRAMARSTRAM ^ IS_RSTRAMARSTRAM_INVERTED),
    .reset_latch_b(RSTRAMB ^ IS_RSTRAMB_INVERTED),
    .reset_register_a(RSTREGARSTREG ^ IS_RSTREGARSTREG_INVERTED),
    .reset_register_b(RSTREGB ^ IS_RSTREGB_INVERTED), .load_a(REGCEAREGCE), .load_b(REGCEB),
    .address_a(ADDRARDADDR[14:0]), .address_b(ADDRBWRADDR[14:0]),
    .data_a({32'd0, DIADI}), .ninths_a({4'd0, DIPADIP}), .bytes_a({4'd0, WEA}),
    .data_b(SimpleDual ? {DIBDI, DIADI} : {32'd0, DIBDI}),
    .ninths_b(SimpleDual ? {DIPBDIP, DIPADIP} : {4'd0, DIPBDIP}), .bytes_b(WEBWE),
    .read_data_a(read_a), .read_ninths_a(ninths_a), .read_data_b(read_b), .read_ninths_b(ninths_b)
  );
  assign DOADO   = read_a[31:0];
  assign DOPADOP = ninths_a[3:0];
  assign DOBDO   = SimpleDual ? read_a[63:32] : read_b[31:0];
  assign DOPBDOP = SimpleDual ? ninths_a[7:4] : ninths_b[3:0];
  assign {CASCADEOUTA, CASCADEOUTB, SBITERR, DBITERR} = 4'd0;
  assign ECCPARITY = 8'd0;
  assign RDADDRECC = 9'd0;
endmodule
