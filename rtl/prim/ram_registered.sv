// SPDX-License-Identifier: Apache-2.0
// Memory with one write port and one read port with an output register: the word of `read_index_i`
// is output two cycles later. A write is visible to reads from the next cycle on. A read of a word
// that is being written returns the old or the new word. Content is not reset.
// Forms (the results are equal, which the tests check):
//   RegisteredInferred  for a tool that infers block RAM and its output register
//   RegisteredEcp5      DP16KD of Lattice ECP5
//   RegisteredSeries7   RAMB18E1 of AMD 7-series
// The last two are placed side by side if the depth requires narrow ones; at most 16384 words.
`include "totient_assert.svh"
`default_nettype none

module ram_registered #(
  parameter int unsigned Bits  = 18,    // of a word, >= 1
  parameter int unsigned Depth = 1024,  // words, >= 2
  parameter int unsigned Form  = registered_pkg::RegisteredInferred,
  localparam int unsigned IndexBits = totient_pkg::index_bits(Depth)
) (
  input  logic                 clk_i,
  input  logic                 write_i,
  input  logic [IndexBits-1:0] write_index_i,
  input  logic [Bits-1:0]      write_data_i,
  input  logic [IndexBits-1:0] read_index_i,
  output logic [Bits-1:0]      read_data_o
);
  `TOTIENT_REQUIRE(Size, Bits >= 1 && Depth >= 2, "Bits must be at least 1, Depth at least 2")
  `TOTIENT_REQUIRE(Form, Form <= registered_pkg::RegisteredSeries7, "Form must be 0, 1 or 2")

  if (Form != registered_pkg::RegisteredInferred) begin : gen_blocks
    `TOTIENT_REQUIRE(Most, Depth <= 16384, "Depth must be at most 16384")
    // The widest form of the block that is deep enough. The forms are the same in both families.
    localparam int unsigned BlockBits = (Depth <= 1024) ? 18 : (Depth <= 2048) ? 9
                                      : (Depth <= 4096) ? 4 : (Depth <= 8192) ? 2 : 1;
    localparam int unsigned Skip = (BlockBits == 18) ? 4 : (BlockBits == 9) ? 3
                                 : (BlockBits == 4) ? 2 : BlockBits - 1;
    localparam int unsigned Blocks = (Bits + BlockBits - 1) / BlockBits;
    localparam int unsigned AllBits = Blocks * BlockBits;

    logic [AllBits-1:0] written, read;
    logic unused;
    logic [13:0] write_address, read_address;
    assign written = AllBits'(write_data_i);
    assign write_address = 14'(write_index_i) << Skip;
    assign read_address = 14'(read_index_i) << Skip;
    assign read_data_o = read[Bits-1:0];
    assign unused = ^read;  // the last block may be wider than the remaining bits

    for (genvar i = 0; i < Blocks; i++) begin : gen_block
      logic [17:0] in;
      /* verilator lint_off UNUSEDSIGNAL */  // narrow forms have fewer
      logic [17:0] out;
      /* verilator lint_on UNUSEDSIGNAL */
      assign in = 18'(written[i*BlockBits+:BlockBits]);
      assign read[i*BlockBits+:BlockBits] = out[BlockBits-1:0];
      if (Form == registered_pkg::RegisteredEcp5) begin : gen_ecp5
        // Port A writes, port B reads.
        //   CLKA, CLKB   the clock, of both: a read of a word that is being written is undefined.
        //   WEA, CEA     write_i, and constant 1: an access of port A in each cycle.
        //   WEB, CEB     constant 0 and 1: port B reads in each cycle.
        //   OCEB         constant 1: the output register, REGMODE_B = OUTREG, always loads.
        //   OCEA         no effect, as REGMODE_A = NOREG; constant, as an open pin is set to 1.
        //   RSTA, RSTB   constant 0: no output is ever cleared. RESETMODE and ASYNC_RESET_RELEASE
        //                have no effect, and GSR = DISABLED disconnects the device's global reset.
        //   CSA, CSB     constant 0, as selected by CSDECODE_A and CSDECODE_B = 0b000.
        //   ADA1, ADA0   with 18 bits the byte enables: both bytes are written. With 9 bits no
        //                effect: a board writes with 0 (Project Trellis, issue 256). ADB1 and ADB0
        //                have no effect in reads of 18 and 9 bits.
        //   WRITEMODE_A  effect of a write on port A's own output, which is open. So is
        //   DIB          of the port that only reads; nextpnr ties it to 0.
        // INITVAL is left out: no word is read before it is written.
        localparam logic BothBytes = BlockBits == 18;
        DP16KD #(
          .DATA_WIDTH_A(BlockBits), .DATA_WIDTH_B(BlockBits), .REGMODE_A("NOREG"),
          .REGMODE_B("OUTREG"), .RESETMODE("SYNC"), .ASYNC_RESET_RELEASE("SYNC"),
          .CSDECODE_A("0b000"), .CSDECODE_B("0b000"), .WRITEMODE_A("NORMAL"),
          .WRITEMODE_B("NORMAL"), .GSR("DISABLED")
        ) u_cell (
          .CLKA(clk_i), .WEA(write_i), .CEA(1'b1), .OCEA(1'b1), .RSTA(1'b0),
          .CSA0(1'b0), .CSA1(1'b0), .CSA2(1'b0),
          .CLKB(clk_i), .WEB(1'b0), .CEB(1'b1), .OCEB(1'b1), .RSTB(1'b0),
          .CSB0(1'b0), .CSB1(1'b0), .CSB2(1'b0),
          .ADA0(BothBytes | write_address[0]), .ADA1(BothBytes | write_address[1]),
          .ADA2(write_address[2]),
          .ADA3(write_address[3]), .ADA4(write_address[4]), .ADA5(write_address[5]),
          .ADA6(write_address[6]), .ADA7(write_address[7]), .ADA8(write_address[8]),
          .ADA9(write_address[9]), .ADA10(write_address[10]), .ADA11(write_address[11]),
          .ADA12(write_address[12]), .ADA13(write_address[13]), .ADB0(read_address[0]),
          .ADB1(read_address[1]), .ADB2(read_address[2]), .ADB3(read_address[3]),
          .ADB4(read_address[4]), .ADB5(read_address[5]), .ADB6(read_address[6]),
          .ADB7(read_address[7]), .ADB8(read_address[8]), .ADB9(read_address[9]),
          .ADB10(read_address[10]), .ADB11(read_address[11]), .ADB12(read_address[12]),
          .ADB13(read_address[13]), .DIA0(in[0]), .DIA1(in[1]), .DIA2(in[2]), .DIA3(in[3]),
          .DIA4(in[4]), .DIA5(in[5]), .DIA6(in[6]), .DIA7(in[7]), .DIA8(in[8]), .DIA9(in[9]),
          .DIA10(in[10]), .DIA11(in[11]), .DIA12(in[12]), .DIA13(in[13]), .DIA14(in[14]),
          .DIA15(in[15]), .DIA16(in[16]), .DIA17(in[17]), .DOB0(out[0]), .DOB1(out[1]),
          .DOB2(out[2]), .DOB3(out[3]), .DOB4(out[4]), .DOB5(out[5]), .DOB6(out[6]), .DOB7(out[7]),
          .DOB8(out[8]), .DOB9(out[9]), .DOB10(out[10]), .DOB11(out[11]), .DOB12(out[12]),
          .DOB13(out[13]), .DOB14(out[14]), .DOB15(out[15]), .DOB16(out[16]), .DOB17(out[17])
        );
      end else begin : gen_series7
        // Port B writes, port A reads; words have the same width at both.
        //   CLKARDCLK, CLKBWRCLK   the clock, of both. WRITE_MODE_B = READ_FIRST and DELAYED_WRITE:
        //                a read of a word that is being written returns the old word.
        //   ENARDEN, WEA   constant 1 and 0: port A reads in each cycle.
        //   ENBWREN, WEBWE   write_i, and constant 1: a write is of all bytes. RAM_MODE = TDP has
        //                its byte enables in WEBWE[1:0], and requires the others to be the same.
        //   REGCEAREGCE  constant 1: the output register, DOA_REG = 1, always loads.
        //   REGCEB       constant 0: DOB_REG = 0 has no register.
        //   RSTRAMARSTRAM, RSTREGARSTREG, RSTRAMB, RSTREGB   constant 0: no output is ever set to
        //                SRVAL, which is left out, with RSTREG_PRIORITY.
        //   DIADI, DIPADIP   constant 1, the datasheet's value for unused inputs.
        // INIT is left out: no word is read before it is written. So is INIT_A, the initial value
        // of the output: it is gone after two cycles.
        // Address bits that the width does not use are high, as the datasheet requires.
        localparam logic [13:0] Unused = 14'((1 << Skip) - 1);
        RAMB18E1 #(
          .RAM_MODE("TDP"), .READ_WIDTH_A(BlockBits), .READ_WIDTH_B(0), .WRITE_WIDTH_A(0),
          .WRITE_WIDTH_B(BlockBits), .DOA_REG(1), .DOB_REG(0), .WRITE_MODE_A("READ_FIRST"),
          .WRITE_MODE_B("READ_FIRST"), .RDADDR_COLLISION_HWCONFIG("DELAYED_WRITE"),
          .SIM_DEVICE("7SERIES")
        ) u_cell (
          .CLKARDCLK(clk_i), .ENARDEN(1'b1), .REGCEAREGCE(1'b1), .RSTRAMARSTRAM(1'b0),
          .RSTREGARSTREG(1'b0), .ADDRARDADDR(read_address | Unused), .DIADI('1), .DIPADIP('1),
          .WEA(2'd0), .DOADO({out[16:9], out[7:0]}), .DOPADOP({out[17], out[8]}),
          .CLKBWRCLK(clk_i), .ENBWREN(write_i), .REGCEB(1'b0), .RSTRAMB(1'b0), .RSTREGB(1'b0),
          .ADDRBWRADDR(write_address | Unused), .DIBDI({in[16:9], in[7:0]}),
          .DIPBDIP({in[17], in[8]}), .WEBWE(4'b1111)
        );
      end
    end
  end else begin : gen_inferred
    (* ram_style = "block" *)
    logic [Bits-1:0] memory[Depth];
    logic [Bits-1:0] latch_q, read_q;
    always_ff @(posedge clk_i) begin
      if (write_i) memory[write_index_i] <= write_data_i;
      latch_q <= memory[read_index_i];
      read_q  <= latch_q;
    end
    assign read_data_o = read_q;
  end
endmodule

`default_nettype wire
