// SPDX-License-Identifier: Apache-2.0
// Read-only memory whose output has a register of its own: the word of `index_i` is there two
// cycles later.
// Forms (all give the same result; the tests hold them to it):
//   RegisteredInferred  for a tool that finds block RAM and its output register by itself
//   RegisteredEcp5      DP16KD of Lattice ECP5, side by side; at most 1024 words
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
  `TOTIENT_REQUIRE(Form, Form <= registered_pkg::RegisteredEcp5, "Form must be 0 or 1")

  if (Form == registered_pkg::RegisteredEcp5) begin : gen_ecp5
    `TOTIENT_REQUIRE(Most, Depth <= 1024, "Depth must be at most 1024")
    localparam int unsigned BlockBits = 18;
    localparam int unsigned Blocks = totient_pkg::words_of(Bits, BlockBits);
    logic [Blocks*BlockBits-1:0] read;
    logic [13:0] address;
    assign address = 14'(index_i) << 4;
    assign data_o = read[Bits-1:0];

    for (genvar b = 0; b < Blocks; b++) begin : gen_block
      logic [17:0] out;
      assign read[b*BlockBits+:BlockBits] = out;
      DP16KD #(
        .INITVAL_00(part(b, 0)), .INITVAL_01(part(b, 16)), .INITVAL_02(part(b, 32)),
        .INITVAL_03(part(b, 48)), .INITVAL_04(part(b, 64)), .INITVAL_05(part(b, 80)),
        .INITVAL_06(part(b, 96)), .INITVAL_07(part(b, 112)), .INITVAL_08(part(b, 128)),
        .INITVAL_09(part(b, 144)), .INITVAL_0A(part(b, 160)), .INITVAL_0B(part(b, 176)),
        .INITVAL_0C(part(b, 192)), .INITVAL_0D(part(b, 208)), .INITVAL_0E(part(b, 224)),
        .INITVAL_0F(part(b, 240)), .INITVAL_10(part(b, 256)), .INITVAL_11(part(b, 272)),
        .INITVAL_12(part(b, 288)), .INITVAL_13(part(b, 304)), .INITVAL_14(part(b, 320)),
        .INITVAL_15(part(b, 336)), .INITVAL_16(part(b, 352)), .INITVAL_17(part(b, 368)),
        .INITVAL_18(part(b, 384)), .INITVAL_19(part(b, 400)), .INITVAL_1A(part(b, 416)),
        .INITVAL_1B(part(b, 432)), .INITVAL_1C(part(b, 448)), .INITVAL_1D(part(b, 464)),
        .INITVAL_1E(part(b, 480)), .INITVAL_1F(part(b, 496)), .INITVAL_20(part(b, 512)),
        .INITVAL_21(part(b, 528)), .INITVAL_22(part(b, 544)), .INITVAL_23(part(b, 560)),
        .INITVAL_24(part(b, 576)), .INITVAL_25(part(b, 592)), .INITVAL_26(part(b, 608)),
        .INITVAL_27(part(b, 624)), .INITVAL_28(part(b, 640)), .INITVAL_29(part(b, 656)),
        .INITVAL_2A(part(b, 672)), .INITVAL_2B(part(b, 688)), .INITVAL_2C(part(b, 704)),
        .INITVAL_2D(part(b, 720)), .INITVAL_2E(part(b, 736)), .INITVAL_2F(part(b, 752)),
        .INITVAL_30(part(b, 768)), .INITVAL_31(part(b, 784)), .INITVAL_32(part(b, 800)),
        .INITVAL_33(part(b, 816)), .INITVAL_34(part(b, 832)), .INITVAL_35(part(b, 848)),
        .INITVAL_36(part(b, 864)), .INITVAL_37(part(b, 880)), .INITVAL_38(part(b, 896)),
        .INITVAL_39(part(b, 912)), .INITVAL_3A(part(b, 928)), .INITVAL_3B(part(b, 944)),
        .INITVAL_3C(part(b, 960)), .INITVAL_3D(part(b, 976)), .INITVAL_3E(part(b, 992)),
        .INITVAL_3F(part(b, 1008)),
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

  // 16 words of a block's part of the content, from a word on: 18 bits at bit 20 i.
  function automatic logic [319:0] part(int unsigned block, int unsigned from);
    part = '0;
    for (int unsigned w = 0; w < 16; w++) begin
      for (int unsigned i = 0; i < 18; i++) begin
        if (from + w < Depth && block * 18 + i < Bits) part[20*w+i] = Content[from+w][block*18+i];
      end
    end
  endfunction
endmodule

`default_nettype wire
