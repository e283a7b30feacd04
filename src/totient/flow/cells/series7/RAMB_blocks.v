// SPDX-License-Identifier: Apache-2.0
// What RAMB18E1 and RAMB36E1 of 7-series devices have in common, for the simulation of netlists. It
// shares nothing with rtl/prim.
//
// 512 rows of Bytes bytes, each with a ninth bit. Words of 1, 2, 4 bits have no ninth bits; those
// of 9, 18, 36, 72 have one each 8. As a simple dual port (RAM_MODE = SDP) port A reads and port B
// writes, and words of a whole row take the data pins of both ports.
//
// Where each pin and setting acts, x is A or B; [1], [2] are the sources below.
//   CLKx            rising edge, falling where IS_CLKx_INVERTED; all inputs are taken there [1].
//   ENx             high: there is an access [1].
//   WEx             byte enables, of all of a narrow word bit 0; a write where any is high [1].
//   ADDRx           data bit that the word begins with; bits below the word's width are not looked
//                   at [1].
//   WRITE_MODE_x    what a write does to the port's own output: WRITE_FIRST the new word,
//                   READ_FIRST the old one, NO_CHANGE nothing [1].
//   RSTRAMx         high at an enabled access: the output latch becomes SRVAL_x; a write goes
//                   on [1].
//   DOx_REG         there is a register behind the output; REGCEx high loads it; RSTREGx makes it
//                   SRVAL_x, as far as REGCEx is high if RSTREG_PRIORITY_x is REGCE [1].
//   INIT_n, INITP_n the data bits, and the ninth bits, from the lowest address up [1]. If all are 0
//                   the memory begins with what the simulator puts there, as latches and registers
//                   always do: INIT_x is not looked at.
//   RDADDR_COLLISION_HWCONFIG, WRITE_MODE_x
//                   the bits that one port writes are for the other, at the same clock edge, the
//                   old ones if the writing port is READ_FIRST with DELAYED_WRITE, else random;
//                   those that both write are random [1].
// An open pin is unknown: no source says what an unconnected one reads.
//
// Sources: [1] Xilinx UG473, "7 Series FPGAs Memory Resources". [2] Xilinx UG953, the parameters.

module RAMB_blocks #(
  parameter Bytes = 4,
  parameter AddressBits = 14,
  parameter SimpleDual = 0,
  parameter ReadWidthA = 0, ReadWidthB = 0, WriteWidthA = 0, WriteWidthB = 0,
  parameter RegisterA = 0, RegisterB = 0,
  parameter WriteModeA = "WRITE_FIRST", WriteModeB = "WRITE_FIRST",
  parameter PriorityA = "RSTREG", PriorityB = "RSTREG",
  parameter Collision = "DELAYED_WRITE",
  parameter [9*Bytes-1:0] ResetA = 0, ResetB = 0,
  parameter [512*8*Bytes-1:0] Data = 0,
  parameter [512*Bytes-1:0] Ninths = 0
) (
  input clock_a, clock_b, enable_a, enable_b, reset_latch_a, reset_latch_b,
  input reset_register_a, reset_register_b, load_a, load_b,
  input [AddressBits-1:0] address_a, address_b,
  input [8*Bytes-1:0] data_a, data_b,  // written
  input [Bytes-1:0] ninths_a, ninths_b,
  input [Bytes-1:0] bytes_a, bytes_b,  // byte enables
  output [8*Bytes-1:0] read_data_a, read_data_b,
  output [Bytes-1:0] read_ninths_a, read_ninths_b
);
  localparam Bits = 8 * Bytes;  // of a row, without the ninth ones
  localparam RowBits = $clog2(Bits);

  `define WIDTH(setting) \
    if (!(setting == 0 || setting == 1 || setting == 2 || setting == 4 || setting == 9 \
          || setting == 18 || setting == 36 || setting == 72) || setting > 9 * Bytes \
        || (!SimpleDual && setting == 9 * Bytes)) \
      $fatal(1, "%m: no model of the block RAM for %s = %0d", `"setting`", setting);
  `define ONLY(setting, allowed) \
    if (!(allowed)) $fatal(1, "%m: no model of the block RAM for %s = %s", `"setting`", setting);
  initial begin
    `WIDTH(ReadWidthA)
    `WIDTH(ReadWidthB)
    `WIDTH(WriteWidthA)
    `WIDTH(WriteWidthB)
    if (SimpleDual && (ReadWidthB != 0 || WriteWidthA != 0 || WriteWidthB != 9 * Bytes))
      $fatal(1, "%m: no model of a simple dual port that writes less than a row");
    `ONLY(WriteModeA, WriteModeA == "WRITE_FIRST" || WriteModeA == "READ_FIRST"
                      || WriteModeA == "NO_CHANGE")
    `ONLY(WriteModeB, WriteModeB == "WRITE_FIRST" || WriteModeB == "READ_FIRST"
                      || WriteModeB == "NO_CHANGE")
    `ONLY(PriorityA, PriorityA == "RSTREG" || PriorityA == "REGCE")
    `ONLY(PriorityB, PriorityB == "RSTREG" || PriorityB == "REGCE")
    `ONLY(Collision, Collision == "DELAYED_WRITE" || Collision == "PERFORMANCE")
  end
  `undef WIDTH
  `undef ONLY

  // Data bits of a word.
  function automatic integer plain(input integer width);
    plain = (width >= 9) ? width / 9 * 8 : width;
  endfunction
  // The first data bit of a word in its row.
  function automatic [RowBits-1:0] first(input integer width, input [RowBits-1:0] address);
    first = (width == 0) ? 0 : address & ~(RowBits'(plain(width)) - RowBits'(1));
  endfunction
  function automatic [Bits-1:0] low_bits(input integer width);
    low_bits = (plain(width) == Bits) ? {Bits{1'b1}}
               : ({{Bits - 1{1'b0}}, 1'b1} << plain(width)) - 1;
  endfunction
  function automatic [Bytes-1:0] low_ninths(input integer width);
    low_ninths = (width / 9 == Bytes) ? {Bytes{1'b1}}
                 : ({{Bytes - 1{1'b0}}, 1'b1} << (width / 9)) - 1;
  endfunction
  // What a write reaches, at the bottom of a row: ninth bits, then data bits.
  function automatic [9*Bytes-1:0] reach(input integer width, input [Bytes-1:0] enables);
    integer i;
    reach = 0;
    if (width < 9) reach[Bits-1:0] = enables[0] ? low_bits(width) : 0;
    else
      for (i = 0; i < width / 9; i = i + 1) begin
        reach[8*i+:8] = {8{enables[i]}};
        reach[Bits+i] = enables[i];
      end
  endfunction
  // A row whose lowest bit goes to a place, and back.
  function automatic [9*Bytes-1:0] up(input [9*Bytes-1:0] word, input [RowBits-1:0] place);
    up = {word[9*Bytes-1:Bits] << (place >> 3), word[Bits-1:0] << place};
  endfunction
  function automatic [9*Bytes-1:0] down(
    input [9*Bytes-1:0] row, input [RowBits-1:0] place, input integer width
  );
    down = {(row[9*Bytes-1:Bits] >> (place >> 3)) & low_ninths(width),
            (row[Bits-1:0] >> place) & low_bits(width)};
  endfunction

  reg [9*Bytes-1:0] memory[0:511];
  integer row;
  initial begin
    if (|Data || |Ninths) begin
      for (row = 0; row < 512; row = row + 1)
        memory[row] = {Ninths[Bytes*row+:Bytes], Data[Bits*row+:Bits]};
    end
  end

  // Edges of both clocks are looked at in one place, so that those at the same time are known.
  reg last_a = 1'b0, last_b = 1'b0;
  always @(clock_a) last_a <= clock_a;
  always @(clock_b) last_b <= clock_b;

  reg [9*Bytes-1:0] latch_a, latch_b, output_a, output_b;
  always @(posedge clock_a or posedge clock_b) begin : access
    reg edge_a, edge_b, access_a, access_b, write_a, write_b;
    reg [8:0] place_a, place_b;
    reg [9*Bytes-1:0] row_a, row_b, mask_a, mask_b, changed_a, changed_b, random;
    edge_a    = clock_a && !last_a;
    edge_b    = clock_b && !last_b;
    access_a  = edge_a && enable_a;
    access_b  = edge_b && enable_b;
    place_a   = address_a[AddressBits-1-:9];
    place_b   = address_b[AddressBits-1-:9];
    mask_a    = up(reach(WriteWidthA, bytes_a), first(WriteWidthA, address_a[RowBits-1:0]));
    mask_b    = up(reach(WriteWidthB, bytes_b), first(WriteWidthB, address_b[RowBits-1:0]));
    write_a   = access_a && WriteWidthA != 0 && |mask_a;
    write_b   = access_b && WriteWidthB != 0 && |mask_b;
    if (!write_a) mask_a = 0;
    if (!write_b) mask_b = 0;
    row_a     = memory[place_a];
    row_b     = memory[place_b];
    changed_a = (row_a & ~mask_a)
                | (up({ninths_a, data_a}, first(WriteWidthA, address_a[RowBits-1:0])) & mask_a);
    changed_b = (row_b & ~mask_b)
                | (up({ninths_b, data_b}, first(WriteWidthB, address_b[RowBits-1:0])) & mask_b);
    if (access_a && access_b && (write_a || write_b) && place_a == place_b) begin
      random = {$urandom, $urandom, $urandom};
      if (WriteModeB != "READ_FIRST" || Collision != "DELAYED_WRITE")
        row_a = row_a ^ (random & mask_b);
      if (WriteModeA != "READ_FIRST" || Collision != "DELAYED_WRITE")
        row_b = row_b ^ (random & mask_a);
      changed_a = (changed_a & ~mask_b) | ((changed_b ^ (random & mask_a)) & mask_b);
      changed_b = changed_a;
    end
    if (write_a) memory[place_a] = changed_a;
    if (write_b) memory[place_b] = changed_b;

    if (access_a && ReadWidthA != 0) begin
      if (reset_latch_a) latch_a <= ResetA;
      else if (!(write_a && WriteModeA == "NO_CHANGE"))
        latch_a <= down((write_a && WriteModeA == "WRITE_FIRST") ? changed_a : row_a,
                        first(ReadWidthA, address_a[RowBits-1:0]), ReadWidthA);
    end
    if (access_b && ReadWidthB != 0) begin
      if (reset_latch_b) latch_b <= ResetB;
      else if (!(write_b && WriteModeB == "NO_CHANGE"))
        latch_b <= down((write_b && WriteModeB == "WRITE_FIRST") ? changed_b : row_b,
                        first(ReadWidthB, address_b[RowBits-1:0]), ReadWidthB);
    end
    if (edge_a) begin
      if (reset_register_a && (load_a || PriorityA == "RSTREG")) output_a <= ResetA;
      else if (load_a) output_a <= latch_a;
    end
    if (edge_b) begin
      if (reset_register_b && (load_b || PriorityB == "RSTREG")) output_b <= ResetB;
      else if (load_b) output_b <= latch_b;
    end
  end

  assign {read_ninths_a, read_data_a} = RegisterA ? output_a : latch_a;
  assign {read_ninths_b, read_data_b} = RegisterB ? output_b : latch_b;
endmodule
