// SPDX-License-Identifier: Apache-2.0
// Read-only memory with an output register: the word of `index_i` is output two cycles later.
// Forms (the results are equal, which the tests check):
//   RegisteredInferred  for a tool that infers block RAM and its output register
//   RegisteredEcp5      DP16KD of Lattice ECP5, side by side; at most 1024 words
//   RegisteredSeries7   RAMB18E1 of AMD 7-series, side by side; at most 1024 words
`include "totient_assert.svh"
`default_nettype none

module rom_registered #(
  parameter int unsigned Bits  = 18,  // of a word, >= 1
  parameter int unsigned Depth = 2,   // words, >= 2
  parameter int unsigned Form  = registered_pkg::RegisteredInferred,
  parameter logic [Depth-1:0][Bits-1:0] Content = '0,
  localparam int unsigned IndexBits = totient_pkg::index_bits(Depth)
) (
  input  logic                 clk_i,
  input  logic [IndexBits-1:0] index_i,
  output logic [Bits-1:0]      data_o
);
  `TOTIENT_REQUIRE(Size, Bits >= 1 && Depth >= 2, "Bits must be at least 1, Depth at least 2")
  `TOTIENT_REQUIRE(Form, Form <= registered_pkg::RegisteredSeries7, "Form must be 0, 1 or 2")

  if (Form != registered_pkg::RegisteredInferred) begin : gen_blocks
    `TOTIENT_REQUIRE(Most, Depth <= 1024, "Depth must be at most 1024")
    localparam int unsigned BlockBits = 18;
    localparam int unsigned Blocks = totient_pkg::words_of(Bits, BlockBits);
    logic [Blocks*BlockBits-1:0] read;
    logic unused;
    logic [13:0] address;
    assign address = 14'(index_i) << 4;
    assign data_o = read[Bits-1:0];
    assign unused = ^read;  // the last block may be wider than the remaining bits

    for (genvar b = 0; b < Blocks; b++) begin : gen_block
      logic [17:0] out;
      assign read[b*BlockBits+:BlockBits] = out;
      if (Form == registered_pkg::RegisteredEcp5) begin : gen_ecp5
        // Port B reads. Pins and settings as in ram_registered.sv, except for port A:
        //   WEA, CEA     constant 0: port A has no accesses, so the content stays.
        //   ADA, DIA     constant 0, including ADA1:0: no byte is enabled.
        DP16KD #(
          .INITVAL_00(words(b, 0)), .INITVAL_01(words(b, 16)), .INITVAL_02(words(b, 32)),
          .INITVAL_03(words(b, 48)), .INITVAL_04(words(b, 64)), .INITVAL_05(words(b, 80)),
          .INITVAL_06(words(b, 96)), .INITVAL_07(words(b, 112)), .INITVAL_08(words(b, 128)),
          .INITVAL_09(words(b, 144)), .INITVAL_0A(words(b, 160)), .INITVAL_0B(words(b, 176)),
          .INITVAL_0C(words(b, 192)), .INITVAL_0D(words(b, 208)), .INITVAL_0E(words(b, 224)),
          .INITVAL_0F(words(b, 240)), .INITVAL_10(words(b, 256)), .INITVAL_11(words(b, 272)),
          .INITVAL_12(words(b, 288)), .INITVAL_13(words(b, 304)), .INITVAL_14(words(b, 320)),
          .INITVAL_15(words(b, 336)), .INITVAL_16(words(b, 352)), .INITVAL_17(words(b, 368)),
          .INITVAL_18(words(b, 384)), .INITVAL_19(words(b, 400)), .INITVAL_1A(words(b, 416)),
          .INITVAL_1B(words(b, 432)), .INITVAL_1C(words(b, 448)), .INITVAL_1D(words(b, 464)),
          .INITVAL_1E(words(b, 480)), .INITVAL_1F(words(b, 496)), .INITVAL_20(words(b, 512)),
          .INITVAL_21(words(b, 528)), .INITVAL_22(words(b, 544)), .INITVAL_23(words(b, 560)),
          .INITVAL_24(words(b, 576)), .INITVAL_25(words(b, 592)), .INITVAL_26(words(b, 608)),
          .INITVAL_27(words(b, 624)), .INITVAL_28(words(b, 640)), .INITVAL_29(words(b, 656)),
          .INITVAL_2A(words(b, 672)), .INITVAL_2B(words(b, 688)), .INITVAL_2C(words(b, 704)),
          .INITVAL_2D(words(b, 720)), .INITVAL_2E(words(b, 736)), .INITVAL_2F(words(b, 752)),
          .INITVAL_30(words(b, 768)), .INITVAL_31(words(b, 784)), .INITVAL_32(words(b, 800)),
          .INITVAL_33(words(b, 816)), .INITVAL_34(words(b, 832)), .INITVAL_35(words(b, 848)),
          .INITVAL_36(words(b, 864)), .INITVAL_37(words(b, 880)), .INITVAL_38(words(b, 896)),
          .INITVAL_39(words(b, 912)), .INITVAL_3A(words(b, 928)), .INITVAL_3B(words(b, 944)),
          .INITVAL_3C(words(b, 960)), .INITVAL_3D(words(b, 976)), .INITVAL_3E(words(b, 992)),
          .INITVAL_3F(words(b, 1008)),
          .DATA_WIDTH_A(BlockBits), .DATA_WIDTH_B(BlockBits), .REGMODE_A("NOREG"),
          .REGMODE_B("OUTREG"), .RESETMODE("SYNC"), .ASYNC_RESET_RELEASE("SYNC"),
          .CSDECODE_A("0b000"), .CSDECODE_B("0b000"), .WRITEMODE_A("NORMAL"),
          .WRITEMODE_B("NORMAL"), .GSR("DISABLED")
        ) u_cell (
          .CLKA(clk_i), .WEA(1'b0), .CEA(1'b0), .OCEA(1'b0), .RSTA(1'b0), .CSA0(1'b0), .CSA1(1'b0),
          .CSA2(1'b0), .CLKB(clk_i), .WEB(1'b0), .CEB(1'b1), .OCEB(1'b1), .RSTB(1'b0), .CSB0(1'b0),
          .CSB1(1'b0), .CSB2(1'b0),
          .ADA0(1'b0), .ADA1(1'b0), .ADA2(1'b0), .ADA3(1'b0), .ADA4(1'b0), .ADA5(1'b0), .ADA6(1'b0),
          .ADA7(1'b0), .ADA8(1'b0), .ADA9(1'b0), .ADA10(1'b0), .ADA11(1'b0), .ADA12(1'b0),
          .ADA13(1'b0), .ADB0(address[0]), .ADB1(address[1]), .ADB2(address[2]), .ADB3(address[3]),
          .ADB4(address[4]), .ADB5(address[5]), .ADB6(address[6]), .ADB7(address[7]),
          .ADB8(address[8]), .ADB9(address[9]), .ADB10(address[10]), .ADB11(address[11]),
          .ADB12(address[12]), .ADB13(address[13]), .DIA0(1'b0), .DIA1(1'b0), .DIA2(1'b0),
          .DIA3(1'b0), .DIA4(1'b0), .DIA5(1'b0), .DIA6(1'b0), .DIA7(1'b0), .DIA8(1'b0), .DIA9(1'b0),
          .DIA10(1'b0), .DIA11(1'b0), .DIA12(1'b0), .DIA13(1'b0), .DIA14(1'b0), .DIA15(1'b0),
          .DIA16(1'b0), .DIA17(1'b0), .DOB0(out[0]), .DOB1(out[1]), .DOB2(out[2]), .DOB3(out[3]),
          .DOB4(out[4]), .DOB5(out[5]), .DOB6(out[6]), .DOB7(out[7]), .DOB8(out[8]), .DOB9(out[9]),
          .DOB10(out[10]), .DOB11(out[11]), .DOB12(out[12]), .DOB13(out[13]), .DOB14(out[14]),
          .DOB15(out[15]), .DOB16(out[16]), .DOB17(out[17])
        );
      end else begin : gen_series7
        // Port A reads. Pins and settings as in ram_registered.sv, except for port B:
        //   ENBWREN, WEBWE   constant 0 and WRITE_WIDTH_B = 0: port B has no accesses.
        //   ADDRBWRADDR, DIBDI, DIPBDIP   constant 1, the datasheet's value for unused inputs.
        RAMB18E1 #(
          .INIT_00(bytes(b, 0)), .INIT_01(bytes(b, 16)), .INIT_02(bytes(b, 32)),
          .INIT_03(bytes(b, 48)), .INIT_04(bytes(b, 64)), .INIT_05(bytes(b, 80)),
          .INIT_06(bytes(b, 96)), .INIT_07(bytes(b, 112)), .INIT_08(bytes(b, 128)),
          .INIT_09(bytes(b, 144)), .INIT_0A(bytes(b, 160)), .INIT_0B(bytes(b, 176)),
          .INIT_0C(bytes(b, 192)), .INIT_0D(bytes(b, 208)), .INIT_0E(bytes(b, 224)),
          .INIT_0F(bytes(b, 240)), .INIT_10(bytes(b, 256)), .INIT_11(bytes(b, 272)),
          .INIT_12(bytes(b, 288)), .INIT_13(bytes(b, 304)), .INIT_14(bytes(b, 320)),
          .INIT_15(bytes(b, 336)), .INIT_16(bytes(b, 352)), .INIT_17(bytes(b, 368)),
          .INIT_18(bytes(b, 384)), .INIT_19(bytes(b, 400)), .INIT_1A(bytes(b, 416)),
          .INIT_1B(bytes(b, 432)), .INIT_1C(bytes(b, 448)), .INIT_1D(bytes(b, 464)),
          .INIT_1E(bytes(b, 480)), .INIT_1F(bytes(b, 496)), .INIT_20(bytes(b, 512)),
          .INIT_21(bytes(b, 528)), .INIT_22(bytes(b, 544)), .INIT_23(bytes(b, 560)),
          .INIT_24(bytes(b, 576)), .INIT_25(bytes(b, 592)), .INIT_26(bytes(b, 608)),
          .INIT_27(bytes(b, 624)), .INIT_28(bytes(b, 640)), .INIT_29(bytes(b, 656)),
          .INIT_2A(bytes(b, 672)), .INIT_2B(bytes(b, 688)), .INIT_2C(bytes(b, 704)),
          .INIT_2D(bytes(b, 720)), .INIT_2E(bytes(b, 736)), .INIT_2F(bytes(b, 752)),
          .INIT_30(bytes(b, 768)), .INIT_31(bytes(b, 784)), .INIT_32(bytes(b, 800)),
          .INIT_33(bytes(b, 816)), .INIT_34(bytes(b, 832)), .INIT_35(bytes(b, 848)),
          .INIT_36(bytes(b, 864)), .INIT_37(bytes(b, 880)), .INIT_38(bytes(b, 896)),
          .INIT_39(bytes(b, 912)), .INIT_3A(bytes(b, 928)), .INIT_3B(bytes(b, 944)),
          .INIT_3C(bytes(b, 960)), .INIT_3D(bytes(b, 976)), .INIT_3E(bytes(b, 992)),
          .INIT_3F(bytes(b, 1008)), .INITP_00(ninths(b, 0)), .INITP_01(ninths(b, 128)),
          .INITP_02(ninths(b, 256)), .INITP_03(ninths(b, 384)), .INITP_04(ninths(b, 512)),
          .INITP_05(ninths(b, 640)), .INITP_06(ninths(b, 768)), .INITP_07(ninths(b, 896)),
          .RAM_MODE("TDP"), .READ_WIDTH_A(BlockBits), .READ_WIDTH_B(0), .WRITE_WIDTH_A(0),
          .WRITE_WIDTH_B(0), .DOA_REG(1), .DOB_REG(0), .WRITE_MODE_A("READ_FIRST"),
          .WRITE_MODE_B("READ_FIRST"), .RDADDR_COLLISION_HWCONFIG("DELAYED_WRITE"),
          .SIM_DEVICE("7SERIES")
        ) u_cell (
          .CLKARDCLK(clk_i), .ENARDEN(1'b1), .REGCEAREGCE(1'b1), .RSTRAMARSTRAM(1'b0),
          .RSTREGARSTREG(1'b0), .ADDRARDADDR(address | 14'd15), .DIADI('1), .DIPADIP('1),
          .WEA(2'd0), .DOADO({out[16:9], out[7:0]}), .DOPADOP({out[17], out[8]}),
          .CLKBWRCLK(clk_i), .ENBWREN(1'b0), .REGCEB(1'b0), .RSTRAMB(1'b0), .RSTREGB(1'b0),
          .ADDRBWRADDR('1), .DIBDI('1), .DIPBDIP('1), .WEBWE(4'd0)
        );
      end
    end
  end else begin : gen_inferred
    (* rom_style = "block" *)
    logic [Bits-1:0] latch_q, data_q;
    always_ff @(posedge clk_i) begin
      latch_q <= Content[index_i];
      data_q  <= latch_q;
    end
    assign data_o = data_q;
  end

  // A block's part of a word; 0 without one.
  function automatic logic [17:0] part(int unsigned block, int unsigned word);
    part = '0;
    if (word < Depth) part = 18'((Bits + 18)'(Content[word]) >> (18 * block));
  endfunction

  // DP16KD: 16 words from one on, 18 bits at bit 20 i.
  function automatic logic [319:0] words(int unsigned block, int unsigned from);
    words = '0;
    for (int unsigned w = 0; w < 16; w++) words[20*w+:18] = part(block, from + w);
  endfunction

  // RAMB18E1: the bytes of 16 words from one on, and the ninth bits of the bytes of 128.
  function automatic logic [255:0] bytes(int unsigned block, int unsigned from);
    for (int unsigned w = 0; w < 16; w++) begin
      bytes[16*w+:8]   = 8'(part(block, from + w));
      bytes[16*w+8+:8] = 8'(part(block, from + w) >> 9);
    end
  endfunction
  function automatic logic [255:0] ninths(int unsigned block, int unsigned from);
    for (int unsigned w = 0; w < 128; w++) begin
      ninths[2*w]   = 1'(part(block, from + w) >> 8);
      ninths[2*w+1] = 1'(part(block, from + w) >> 17);
    end
  endfunction
endmodule

`default_nettype wire
