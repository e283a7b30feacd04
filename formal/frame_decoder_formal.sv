// SPDX-License-Identifier: Apache-2.0
// Proof of frame_decoder against a frame's definition (docs/contracts.md): what goes on are the words
// of whole frames whose checksum is right, each frame once, no word of any other; and who sent
// another one is told why.
//
// In two parts, which a solver finds easier than the whole. Checksum = 1: the decoder finds a checksum
// right exactly when it is, by the definition of CRC-32; proved by induction, with the relations that
// lead to it. Checksum = 0: the rest, with the decoder's checksum cut off: right or wrong at will.
`default_nettype none

module frame_decoder_formal
  import serial_frame_pkg::*;
#(
  parameter int unsigned FrameWords = 2,
  parameter bit          Checksum   = 1'b0
) (
  input wire logic        clk_i,
  input wire logic        reset_ni,
  input wire logic [totient_pkg::index_bits(FrameWords)-1:0] index_i,  // free: word to follow
  input wire logic [4:0]  bit_i,                                       // free: bit of it
  input wire logic        valid_i,
  input wire logic [7:0]  data_i,
  input wire logic        error_i,
  input wire logic        told_ready_i,
  input wire logic        m_axis_tready
);
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  logic        told_valid_o, m_axis_tvalid, m_axis_tlast;
  frame_e      told_o;
  logic [31:0] m_axis_tdata;
  frame_decoder #(.FrameWords(FrameWords)) u_dut (.*);

  // A frame's bytes without what is only for the line, and what is wrong with them. Damage is told
  // before length and business only if it came first.
  localparam int unsigned Longest   = 4 * (FrameWords + 1);
  localparam int unsigned CountBits = totient_pkg::count_bits(Longest + 1);
  logic                 ends, escape, counts, some_q, escape_q, idle;
  logic [7:0]           plain;
  logic [CountBits-1:0] count_q;
  frame_e               wrong_q;
  assign ends   = valid_i && !error_i && data_i == 8'hC0;
  assign escape = valid_i && !error_i && !escape_q && data_i == 8'hDB;
  assign counts = valid_i && !ends && !escape;
  assign plain  = !escape_q ? data_i : (data_i == 8'hDC) ? 8'hC0 : 8'hDB;
  assign idle   = u_dut.state_q == 2'd0;  // StReceive: the frame before has gone on

  // Checksum by its definition: what the register holds before the last four bytes, inverted.
  logic [31:0] crc_q[5], last_q;
  function automatic logic [31:0] shifted(logic [31:0] crc, logic [7:0] data);
    logic [31:0] state;
    state = crc;
    for (int unsigned i = 0; i < 8; i++)
      state = {1'b0, state[31:1]} ^ ((state[0] ^ data[i]) ? 32'hEDB88320 : 32'h0);
    return state;
  endfunction

  logic sums_up, whole, good;
  assign sums_up = Checksum ? last_q == ~crc_q[4] : u_dut.crc_q == u_dut.CrcResidue;
  assign whole   = !escape_q && count_q[1:0] == 2'd0 && 32'(count_q) >= 8 && sums_up;
  assign good    = ends && some_q && wrong_q == FrameGood && whole;

  // The bit of the frame that is followed, and the frame that is owed.
  logic                                           bit_q, owed_q, owed_bit_q;
  logic [totient_pkg::index_bits(FrameWords)-1:0] index_q = '0;
  logic [4:0]                                     place_q = '0;
  logic [CountBits-1:0]                           words_q, given_q;
  logic [1:0]                                     wait_q;
  always_ff @(posedge clk_i) begin
    index_q <= index_q;
    place_q <= place_q;
    if (!begun_q) {index_q, place_q} <= {index_i, bit_i};
    if (valid_i) begin
      some_q   <= 1'b1;
      escape_q <= escape;
    end
    if (counts) begin
      crc_q[0] <= shifted(crc_q[0], plain);
      for (int unsigned i = 1; i < 5; i++) crc_q[i] <= crc_q[i-1];
      last_q <= {plain, last_q[31:8]};
      if (32'(count_q) < Longest) count_q <= count_q + CountBits'(1);
      if (32'(count_q) == 32'({index_q, place_q[4:3]})) bit_q <= plain[place_q[2:0]];
      if (wrong_q == FrameGood) begin
        if (!idle) wrong_q <= FrameBusy;
        else if (error_i || (escape_q && data_i != 8'hDC && data_i != 8'hDD))
          wrong_q <= FrameDamaged;
        else if (32'(count_q) == Longest) wrong_q <= FrameLong;
      end
    end
    if (ends || !rst_ni) begin
      {some_q, escape_q, count_q} <= '0;
      wrong_q  <= FrameGood;
      crc_q[0] <= 32'hFFFF_FFFF;
    end
    if (m_axis_tvalid && m_axis_tready) begin
      given_q <= given_q + CountBits'(1);
      if (m_axis_tlast) owed_q <= 1'b0;
    end
    wait_q <= (owed_q && !m_axis_tvalid) ? wait_q + 2'd1 : '0;
    if (good && idle) begin
      owed_q     <= 1'b1;
      owed_bit_q <= bit_q;
      words_q    <= (count_q >> 2) - CountBits'(1);
      given_q    <= '0;
    end
    if (!rst_ni) {owed_q, wait_q} <= '0;
  end

  if (Checksum) begin : gen_checksum
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        SameBytes : assert (u_dut.escape_q == escape_q && u_dut.crc_q == crc_q[0]);
        // The register is stepped by one byte after the other.
        if (32'(count_q) >= 1) Step1 : assert (crc_q[0] == shifted(crc_q[1], last_q[31:24]));
        if (32'(count_q) >= 2) Step2 : assert (crc_q[1] == shifted(crc_q[2], last_q[23:16]));
        if (32'(count_q) >= 3) Step3 : assert (crc_q[2] == shifted(crc_q[3], last_q[15:8]));
        if (32'(count_q) >= 4) Step4 : assert (crc_q[3] == shifted(crc_q[4], last_q[7:0]));
        if (32'(count_q) >= 4)
          RightChecksum : assert (sums_up == (u_dut.crc_q == u_dut.CrcResidue));
      end
    end
  end else begin : gen_frames
    stream_properties #(.Bits(33)) u_out (
      .clk_i, .rst_ni, .drop_i(1'b0), .valid_i(m_axis_tvalid), .ready_i(m_axis_tready),
      .data_i({m_axis_tlast, m_axis_tdata})
    );
    stream_properties #(.Bits(2)) u_told (
      .clk_i, .rst_ni, .drop_i(1'b0), .valid_i(told_valid_o), .ready_i(told_ready_i),
      .data_i(told_o)
    );
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        GoodWhenIdle : assert (!good || idle);
        OnlyGoodFrames : assert (!m_axis_tvalid || owed_q);
        InTime : assert (wait_q < 2'd2);
        LastWord : assert (!m_axis_tvalid || m_axis_tlast == (given_q + CountBits'(1) == words_q));
        Unchanged : assert (!(m_axis_tvalid && given_q == CountBits'(index_q))
                            || m_axis_tdata[place_q] == owed_bit_q);
        if ($past(rst_ni && ends && some_q && !good && (!told_valid_o || told_ready_i)))
          Told : assert (told_valid_o
                         && told_o == (($past(wrong_q) == FrameGood) ? FrameDamaged : $past(wrong_q)));
        ToldOfBad : assert (!told_valid_o || told_o != FrameGood);
        if (!$past(rst_ni && ends && some_q && !good) && !$past(told_valid_o))
          ToldOnlyThen : assert (!told_valid_o);
      end
    end
  end
endmodule

`default_nettype wire
