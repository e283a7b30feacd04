// SPDX-License-Identifier: Apache-2.0
// The block RAM of ECP5 devices, for the simulation of netlists. It shares nothing with rtl/prim.
//
// 2048 bytes of nine bits. Port A and port B each read or write words of 1, 2, 4, 9 or 18 bits,
// DATA_WIDTH_A and DATA_WIDTH_B; words of less than nine bits leave the ninth ones out. Port A also
// writes words of 36 bits, data from DIB and DIA, and port B reads them, to DOB and DOA: a pseudo
// dual port (PDPW16KD).
//
// Where each pin and setting acts, x is A or B; [1] to [4] are the sources below.
//   ADx13 to ADx0   words of 1, 2, 4, 9, 18, 36 bits: from bit 0, 1, 2, 3, 4, 5 up [1]. Below, 18
//                   and 36 bits have byte enables of writes in ADx1:0 and ADA3:0 [1]; nine bits
//                   have none: a board writes with ADx0 = 0 [5].
//   CLKx            rising edge; the block takes all inputs there [1].
//   CEx             high: there is an access [1].
//   CSx2 to CSx0    an access only where they are CSDECODE_x [1].
//   WEx             high: a write, else a read [1]. A pseudo dual port has none: it writes where a
//                   byte is enabled [3].
//   WRITEMODE_x     what a write does to the port's own output: NORMAL nothing, WRITETHROUGH the
//                   new word, READBEFOREWRITE the old one [1].
//   RSTx            high at the edge: the output becomes 0 whether CEx is high or not, and there is
//                   no access [4]; the output register as far as OCEx is high [4]. RESETMODE = ASYNC
//                   does not wait for the edge, looks at no enable, and stops no write [4].
//   REGMODE_x       OUTREG: there is a register behind the output; OCEx high loads it [1].
//   xMUX            of a pin: itself, INV, or a constant [2]; data and addresses have no INV [3].
//   INITVAL_n       words of 18 bits at bit 20 i, the byte at the lower place first [3]. If all are
//                   0 the memory begins with what the simulator puts there, as registers do.
//   GSR             looked at by nobody: the global reset is over before the first clock edge.
//   WID, INIT_DATA  where a bitstream keeps the content; nothing in the block.
//   ASYNC_RESET_RELEASE = SYNC together with RESETMODE = ASYNC is not modelled: simulation stops.
// A bit that is read while the other port writes it, at the same clock edge, is random, and so is
// one that both write [1].
// An open pin: CEx and OCEx are 1, all others 0 [3].
//
// Sources: [1] Lattice FPGA-TN-02204, "ECP5 and ECP5-5G Memory Usage Guide". [2] Project Trellis,
//          database of MIB_EBR tiles. [3] nextpnr, ecp5/bitstream.cc (write_bram) and Yosys'
//          lattice/brams_map_16kd.v. [4] Lattice's simulation library of the block before this one,
//          DP8KC. [5] Project Trellis, issue 256.

module DP16KD #(
  parameter DATA_WIDTH_A = 18,
  parameter DATA_WIDTH_B = 18,
  parameter REGMODE_A = "NOREG",
  parameter REGMODE_B = "NOREG",
  parameter RESETMODE = "SYNC",
  parameter ASYNC_RESET_RELEASE = "SYNC",
  parameter CSDECODE_A = "0b000",
  parameter CSDECODE_B = "0b000",
  parameter WRITEMODE_A = "NORMAL",
  parameter WRITEMODE_B = "NORMAL",
  // The multiplexer in front of each pin: the pin, the pin inverted, or a constant.
  parameter
    DIA0MUX = "DIA0", DIA1MUX = "DIA1", DIA2MUX = "DIA2", DIA3MUX = "DIA3", DIA4MUX = "DIA4",
    DIA5MUX = "DIA5", DIA6MUX = "DIA6", DIA7MUX = "DIA7", DIA8MUX = "DIA8", DIA9MUX = "DIA9",
    DIA10MUX = "DIA10", DIA11MUX = "DIA11", DIA12MUX = "DIA12", DIA13MUX = "DIA13",
    DIA14MUX = "DIA14", DIA15MUX = "DIA15", DIA16MUX = "DIA16", DIA17MUX = "DIA17",
    ADA0MUX = "ADA0", ADA1MUX = "ADA1", ADA2MUX = "ADA2", ADA3MUX = "ADA3", ADA4MUX = "ADA4",
    ADA5MUX = "ADA5", ADA6MUX = "ADA6", ADA7MUX = "ADA7", ADA8MUX = "ADA8", ADA9MUX = "ADA9",
    ADA10MUX = "ADA10", ADA11MUX = "ADA11", ADA12MUX = "ADA12", ADA13MUX = "ADA13", CEAMUX = "CEA",
    OCEAMUX = "OCEA", CLKAMUX = "CLKA", WEAMUX = "WEA", RSTAMUX = "RSTA", CSA0MUX = "CSA0",
    CSA1MUX = "CSA1", CSA2MUX = "CSA2", DOA0MUX = "DOA0", DOA1MUX = "DOA1", DOA2MUX = "DOA2",
    DOA3MUX = "DOA3", DOA4MUX = "DOA4", DOA5MUX = "DOA5", DOA6MUX = "DOA6", DOA7MUX = "DOA7",
    DOA8MUX = "DOA8", DOA9MUX = "DOA9", DOA10MUX = "DOA10", DOA11MUX = "DOA11", DOA12MUX = "DOA12",
    DOA13MUX = "DOA13", DOA14MUX = "DOA14", DOA15MUX = "DOA15", DOA16MUX = "DOA16",
    DOA17MUX = "DOA17", DIB0MUX = "DIB0", DIB1MUX = "DIB1", DIB2MUX = "DIB2", DIB3MUX = "DIB3",
    DIB4MUX = "DIB4", DIB5MUX = "DIB5", DIB6MUX = "DIB6", DIB7MUX = "DIB7", DIB8MUX = "DIB8",
    DIB9MUX = "DIB9", DIB10MUX = "DIB10", DIB11MUX = "DIB11", DIB12MUX = "DIB12",
    DIB13MUX = "DIB13", DIB14MUX = "DIB14", DIB15MUX = "DIB15", DIB16MUX = "DIB16",
    DIB17MUX = "DIB17", ADB0MUX = "ADB0", ADB1MUX = "ADB1", ADB2MUX = "ADB2", ADB3MUX = "ADB3",
    ADB4MUX = "ADB4", ADB5MUX = "ADB5", ADB6MUX = "ADB6", ADB7MUX = "ADB7", ADB8MUX = "ADB8",
    ADB9MUX = "ADB9", ADB10MUX = "ADB10", ADB11MUX = "ADB11", ADB12MUX = "ADB12",
    ADB13MUX = "ADB13", CEBMUX = "CEB", OCEBMUX = "OCEB", CLKBMUX = "CLKB", WEBMUX = "WEB",
    RSTBMUX = "RSTB", CSB0MUX = "CSB0", CSB1MUX = "CSB1", CSB2MUX = "CSB2", DOB0MUX = "DOB0",
    DOB1MUX = "DOB1", DOB2MUX = "DOB2", DOB3MUX = "DOB3", DOB4MUX = "DOB4", DOB5MUX = "DOB5",
    DOB6MUX = "DOB6", DOB7MUX = "DOB7", DOB8MUX = "DOB8", DOB9MUX = "DOB9", DOB10MUX = "DOB10",
    DOB11MUX = "DOB11", DOB12MUX = "DOB12", DOB13MUX = "DOB13", DOB14MUX = "DOB14",
    DOB15MUX = "DOB15", DOB16MUX = "DOB16", DOB17MUX = "DOB17",
  parameter WID = 0,
  parameter GSR = "ENABLED",
  parameter INIT_DATA = "STATIC",
  // Content, each with 16 words of 18 bits at bit 20 i.
  parameter [319:0]
    INITVAL_00 = 320'd0, INITVAL_01 = 320'd0, INITVAL_02 = 320'd0, INITVAL_03 = 320'd0,
    INITVAL_04 = 320'd0, INITVAL_05 = 320'd0, INITVAL_06 = 320'd0, INITVAL_07 = 320'd0,
    INITVAL_08 = 320'd0, INITVAL_09 = 320'd0, INITVAL_0A = 320'd0, INITVAL_0B = 320'd0,
    INITVAL_0C = 320'd0, INITVAL_0D = 320'd0, INITVAL_0E = 320'd0, INITVAL_0F = 320'd0,
    INITVAL_10 = 320'd0, INITVAL_11 = 320'd0, INITVAL_12 = 320'd0, INITVAL_13 = 320'd0,
    INITVAL_14 = 320'd0, INITVAL_15 = 320'd0, INITVAL_16 = 320'd0, INITVAL_17 = 320'd0,
    INITVAL_18 = 320'd0, INITVAL_19 = 320'd0, INITVAL_1A = 320'd0, INITVAL_1B = 320'd0,
    INITVAL_1C = 320'd0, INITVAL_1D = 320'd0, INITVAL_1E = 320'd0, INITVAL_1F = 320'd0,
    INITVAL_20 = 320'd0, INITVAL_21 = 320'd0, INITVAL_22 = 320'd0, INITVAL_23 = 320'd0,
    INITVAL_24 = 320'd0, INITVAL_25 = 320'd0, INITVAL_26 = 320'd0, INITVAL_27 = 320'd0,
    INITVAL_28 = 320'd0, INITVAL_29 = 320'd0, INITVAL_2A = 320'd0, INITVAL_2B = 320'd0,
    INITVAL_2C = 320'd0, INITVAL_2D = 320'd0, INITVAL_2E = 320'd0, INITVAL_2F = 320'd0,
    INITVAL_30 = 320'd0, INITVAL_31 = 320'd0, INITVAL_32 = 320'd0, INITVAL_33 = 320'd0,
    INITVAL_34 = 320'd0, INITVAL_35 = 320'd0, INITVAL_36 = 320'd0, INITVAL_37 = 320'd0,
    INITVAL_38 = 320'd0, INITVAL_39 = 320'd0, INITVAL_3A = 320'd0, INITVAL_3B = 320'd0,
    INITVAL_3C = 320'd0, INITVAL_3D = 320'd0, INITVAL_3E = 320'd0, INITVAL_3F = 320'd0
) (
  input
    DIA0, DIA1, DIA2, DIA3, DIA4, DIA5, DIA6, DIA7, DIA8, DIA9, DIA10, DIA11, DIA12, DIA13, DIA14,
    DIA15, DIA16, DIA17, ADA0, ADA1, ADA2, ADA3, ADA4, ADA5, ADA6, ADA7, ADA8, ADA9, ADA10, ADA11,
    ADA12, ADA13, CEA, OCEA, CLKA, WEA, RSTA, CSA0, CSA1, CSA2, DIB0, DIB1, DIB2, DIB3, DIB4, DIB5,
    DIB6, DIB7, DIB8, DIB9, DIB10, DIB11, DIB12, DIB13, DIB14, DIB15, DIB16, DIB17, ADB0, ADB1,
    ADB2, ADB3, ADB4, ADB5, ADB6, ADB7, ADB8, ADB9, ADB10, ADB11, ADB12, ADB13, CEB, OCEB, CLKB,
    WEB, RSTB, CSB0, CSB1, CSB2,
  output
    DOA0, DOA1, DOA2, DOA3, DOA4, DOA5, DOA6, DOA7, DOA8, DOA9, DOA10, DOA11, DOA12, DOA13, DOA14,
    DOA15, DOA16, DOA17, DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7, DOB8, DOB9, DOB10, DOB11,
    DOB12, DOB13, DOB14, DOB15, DOB16, DOB17
);

  `define PIN(pin) \
    ((pin``MUX == "INV") ? ~pin : (pin``MUX == "1") ? 1'b1 : (pin``MUX == "0") ? 1'b0 : pin)
  `define ONLY(setting, allowed) \
    if (!(allowed)) $fatal(1, "%m: DP16KD has no model for %s = %s", `"setting`", setting);
  `define PLAIN(pin) `ONLY(pin``MUX, pin``MUX == `"pin`")
  `define TIED(pin) `ONLY(pin``MUX, pin``MUX == `"pin`" || pin``MUX == "0" || pin``MUX == "1")
  `define MUXED(pin) \
    `ONLY(pin``MUX, pin``MUX == `"pin`" || pin``MUX == "INV" || pin``MUX == "0" || pin``MUX == "1")
  `define WIDTH(setting) \
    if (!(setting == 1 || setting == 2 || setting == 4 || setting == 9 || setting == 18 \
          || setting == 36)) \
      $fatal(1, "%m: DP16KD has no model for %s = %0d", `"setting`", setting);
  `define PORT(x) \
    `WIDTH(DATA_WIDTH_``x) \
    `ONLY(REGMODE_``x, REGMODE_``x == "NOREG" || REGMODE_``x == "OUTREG") \
    `ONLY(WRITEMODE_``x, WRITEMODE_``x == "NORMAL" || WRITEMODE_``x == "WRITETHROUGH" \
                         || WRITEMODE_``x == "READBEFOREWRITE") \
    `ONLY(CSDECODE_``x, code(CSDECODE_``x) < 8)

  initial begin
    `PORT(A)
    `PORT(B)
    `ONLY(RESETMODE, RESETMODE == "SYNC" || RESETMODE == "ASYNC")
    `ONLY(ASYNC_RESET_RELEASE, RESETMODE == "SYNC" || ASYNC_RESET_RELEASE == "ASYNC")
    `ONLY(INIT_DATA, INIT_DATA == "STATIC")
    `TIED(DIA0) `TIED(DIA1) `TIED(DIA2) `TIED(DIA3) `TIED(DIA4) `TIED(DIA5) `TIED(DIA6) `TIED(DIA7)
    `TIED(DIA8) `TIED(DIA9) `TIED(DIA10) `TIED(DIA11) `TIED(DIA12) `TIED(DIA13) `TIED(DIA14)
    `TIED(DIA15) `TIED(DIA16) `TIED(DIA17) `TIED(DIB0) `TIED(DIB1) `TIED(DIB2) `TIED(DIB3)
    `TIED(DIB4) `TIED(DIB5) `TIED(DIB6) `TIED(DIB7) `TIED(DIB8) `TIED(DIB9) `TIED(DIB10)
    `TIED(DIB11) `TIED(DIB12) `TIED(DIB13) `TIED(DIB14) `TIED(DIB15) `TIED(DIB16) `TIED(DIB17)
    `TIED(ADA0) `TIED(ADA1) `TIED(ADA2) `TIED(ADA3) `TIED(ADA4) `TIED(ADA5) `TIED(ADA6) `TIED(ADA7)
    `TIED(ADA8) `TIED(ADA9) `TIED(ADA10) `TIED(ADA11) `TIED(ADA12) `TIED(ADA13) `TIED(ADB0)
    `TIED(ADB1) `TIED(ADB2) `TIED(ADB3) `TIED(ADB4) `TIED(ADB5) `TIED(ADB6) `TIED(ADB7) `TIED(ADB8)
    `TIED(ADB9) `TIED(ADB10) `TIED(ADB11) `TIED(ADB12) `TIED(ADB13)
    `MUXED(CEA) `MUXED(OCEA) `MUXED(CLKA) `MUXED(WEA) `MUXED(RSTA) `MUXED(CSA0) `MUXED(CSA1)
    `MUXED(CSA2) `MUXED(CEB) `MUXED(OCEB) `MUXED(CLKB) `MUXED(WEB) `MUXED(RSTB) `MUXED(CSB0)
    `MUXED(CSB1) `MUXED(CSB2)
    `PLAIN(DOA0) `PLAIN(DOA1) `PLAIN(DOA2) `PLAIN(DOA3) `PLAIN(DOA4) `PLAIN(DOA5) `PLAIN(DOA6)
    `PLAIN(DOA7) `PLAIN(DOA8) `PLAIN(DOA9) `PLAIN(DOA10) `PLAIN(DOA11) `PLAIN(DOA12) `PLAIN(DOA13)
    `PLAIN(DOA14) `PLAIN(DOA15) `PLAIN(DOA16) `PLAIN(DOA17) `PLAIN(DOB0) `PLAIN(DOB1) `PLAIN(DOB2)
    `PLAIN(DOB3) `PLAIN(DOB4) `PLAIN(DOB5) `PLAIN(DOB6) `PLAIN(DOB7) `PLAIN(DOB8) `PLAIN(DOB9)
    `PLAIN(DOB10) `PLAIN(DOB11) `PLAIN(DOB12) `PLAIN(DOB13) `PLAIN(DOB14) `PLAIN(DOB15)
    `PLAIN(DOB16) `PLAIN(DOB17)
  end

  wire [17:0] data_a = {
    `PIN(DIA17), `PIN(DIA16), `PIN(DIA15), `PIN(DIA14), `PIN(DIA13), `PIN(DIA12), `PIN(DIA11),
    `PIN(DIA10), `PIN(DIA9), `PIN(DIA8), `PIN(DIA7), `PIN(DIA6), `PIN(DIA5), `PIN(DIA4),
    `PIN(DIA3), `PIN(DIA2), `PIN(DIA1), `PIN(DIA0)
  };
  wire [13:0] address_a = {
    `PIN(ADA13), `PIN(ADA12), `PIN(ADA11), `PIN(ADA10), `PIN(ADA9), `PIN(ADA8), `PIN(ADA7),
    `PIN(ADA6), `PIN(ADA5), `PIN(ADA4), `PIN(ADA3), `PIN(ADA2), `PIN(ADA1), `PIN(ADA0)
  };
  wire [17:0] data_b = {
    `PIN(DIB17), `PIN(DIB16), `PIN(DIB15), `PIN(DIB14), `PIN(DIB13), `PIN(DIB12), `PIN(DIB11),
    `PIN(DIB10), `PIN(DIB9), `PIN(DIB8), `PIN(DIB7), `PIN(DIB6), `PIN(DIB5), `PIN(DIB4),
    `PIN(DIB3), `PIN(DIB2), `PIN(DIB1), `PIN(DIB0)
  };
  wire [13:0] address_b = {
    `PIN(ADB13), `PIN(ADB12), `PIN(ADB11), `PIN(ADB10), `PIN(ADB9), `PIN(ADB8), `PIN(ADB7),
    `PIN(ADB6), `PIN(ADB5), `PIN(ADB4), `PIN(ADB3), `PIN(ADB2), `PIN(ADB1), `PIN(ADB0)
  };
  localparam [64*320-1:0] Content = {
    INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39, INITVAL_38,
    INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31, INITVAL_30,
    INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29, INITVAL_28,
    INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20,
    INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18,
    INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10,
    INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08,
    INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01, INITVAL_00
  };

  localparam AtOnce = RESETMODE == "ASYNC";  // resets do not wait for the clock
  localparam Pseudo = DATA_WIDTH_A == 36 || DATA_WIDTH_B == 36;  // A writes, B reads
  wire clock_a = `PIN(CLKA);
  wire clock_b = `PIN(CLKB);
  wire select_a = `PIN(CEA) && {`PIN(CSA2), `PIN(CSA1), `PIN(CSA0)} == code(CSDECODE_A);
  wire select_b = `PIN(CEB) && {`PIN(CSB2), `PIN(CSB1), `PIN(CSB0)} == code(CSDECODE_B);
  wire write_pin_a = `PIN(WEA) || DATA_WIDTH_A == 36;
  wire write_pin_b = `PIN(WEB) && !Pseudo;
  wire reset_a = `PIN(RSTA);
  wire reset_b = `PIN(RSTB);
  wire load_a = `PIN(OCEA);
  wire load_b = `PIN(OCEB);

  // The number that a text such as 0b101 stands for; 8 for any other text.
  function automatic [3:0] code(input [39:0] text);
    code = 4'd8;
    if (text[39:24] == "0b" && text[23:17] == 7'h18 && text[15:9] == 7'h18 && text[7:1] == 7'h18)
      code = {1'b0, text[16], text[8], text[0]};
  endfunction

  // A row is four bytes; no word crosses its end. From which bit on a word lies in it, and which
  // of the bits a write with these byte enables reaches.
  function automatic [5:0] offset(input integer bits, input [4:0] address);
    offset = 6'd9 * address[4:3];
    if (bits == 1) offset = offset + address[2:0];
    if (bits == 2) offset = offset + {address[2:1], 1'b0};
    if (bits == 4) offset = offset + {address[2], 2'd0};
    if (bits == 18) offset = address[4] ? 6'd18 : 6'd0;
    if (bits == 36) offset = 6'd0;
  endfunction
  function automatic [35:0] reach(input integer bits, input [3:0] enables);
    reach = (36'd1 << bits) - 36'd1;
    if (bits == 18) reach = {18'd0, {9{enables[1]}}, {9{enables[0]}}};
    if (bits == 36)
      reach = {{9{enables[3]}}, {9{enables[2]}}, {9{enables[1]}}, {9{enables[0]}}};
  endfunction

  reg [35:0] memory[0:511];
  integer i;
  initial begin
    if (|Content) begin
      for (i = 0; i < 512; i = i + 1) memory[i] = {Content[40*i+20+:18], Content[40*i+:18]};
    end
  end

  // Edges of both clocks are looked at in one place, so that those at the same time are known.
  reg last_a = 1'b0, last_b = 1'b0;
  always @(clock_a) last_a <= clock_a;
  always @(clock_b) last_b <= clock_b;

  reg [35:0] latch_a, latch_b, output_a, output_b;
  wire now_a = reset_a && AtOnce;
  wire now_b = reset_b && AtOnce;
  always @(posedge clock_a or posedge clock_b or posedge now_a or posedge now_b) begin : access
    reg edge_a, edge_b, access_a, access_b, write_a, write_b;
    reg [5:0] offset_a, offset_b;
    reg [35:0] row_a, row_b, mask_a, mask_b, changed_a, changed_b, random;
    edge_a    = clock_a && !last_a;
    edge_b    = clock_b && !last_b;
    access_a  = edge_a && select_a && (AtOnce || !reset_a);
    access_b  = edge_b && select_b && (AtOnce || !reset_b);
    write_a   = access_a && write_pin_a;
    write_b   = access_b && write_pin_b;
    offset_a  = offset(DATA_WIDTH_A, address_a[4:0]);
    offset_b  = offset(DATA_WIDTH_B, address_b[4:0]);
    mask_a    = write_a ? reach(DATA_WIDTH_A, address_a[3:0]) << offset_a : 36'd0;
    mask_b    = write_b ? reach(DATA_WIDTH_B, address_b[3:0]) << offset_b : 36'd0;
    row_a     = memory[address_a[13:5]];
    row_b     = memory[address_b[13:5]];
    changed_a = (row_a & ~mask_a) | (({data_b, data_a} << offset_a) & mask_a);
    changed_b = (row_b & ~mask_b) | (({18'd0, data_b} << offset_b) & mask_b);
    if (access_a && access_b && (write_a || write_b) && address_a[13:5] == address_b[13:5]) begin
      random    = {$urandom, $urandom};
      row_a     = row_a ^ (random & mask_b);
      row_b     = row_b ^ (random & mask_a);
      changed_a = (changed_a & ~mask_b) | ((changed_b ^ (random & mask_a)) & mask_b);
      changed_b = changed_a;
    end
    if (write_a) memory[address_a[13:5]] = changed_a;
    if (write_b) memory[address_b[13:5]] = changed_b;

    if (now_a || edge_a && reset_a) latch_a <= 36'd0;
    else if (access_a && !(write_a && WRITEMODE_A == "NORMAL"))
      latch_a <= ((write_a && WRITEMODE_A == "WRITETHROUGH") ? changed_a : row_a) >> offset_a
                 & ((36'd1 << DATA_WIDTH_A) - 36'd1);
    if (now_b || edge_b && reset_b) latch_b <= 36'd0;
    else if (access_b && !(write_b && WRITEMODE_B == "NORMAL"))
      latch_b <= ((write_b && WRITEMODE_B == "WRITETHROUGH") ? changed_b : row_b) >> offset_b
                 & ((36'd1 << DATA_WIDTH_B) - 36'd1);
    if (now_a) output_a <= 36'd0;
    else if (edge_a && load_a) output_a <= reset_a ? 36'd0 : latch_a;
    if (now_b) output_b <= 36'd0;
    else if (edge_b && load_b) output_b <= reset_b ? 36'd0 : latch_b;
  end

  // Of 36 bits, port A's outputs have the lower half.
  localparam Wide = DATA_WIDTH_B == 36;
  wire [35:0] behind_a = (REGMODE_A == "OUTREG") ? (Wide ? output_b : output_a)
                         : Wide ? latch_b : latch_a;
  wire [35:0] behind_b = (REGMODE_B == "OUTREG") ? output_b : latch_b;
  wire [17:0] read_a = behind_a[17:0];
  wire [17:0] read_b = Wide ? behind_b[35:18] : behind_b[17:0];
  assign {
    DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4,
    DOA3, DOA2, DOA1, DOA0
  } = read_a;
  assign {
    DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4,
    DOB3, DOB2, DOB1, DOB0
  } = read_b;
  `undef PIN
  `undef ONLY
  `undef PLAIN
  `undef TIED
  `undef MUXED
  `undef WIDTH
  `undef PORT
endmodule
