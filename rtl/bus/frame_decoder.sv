// SPDX-License-Identifier: Apache-2.0
// Decodes frames into packets of 32-bit words, least significant byte first. A frame is stored
// until its checksum has been verified. Only then its words are passed on, as one packet. No word
// of a damaged frame is passed on; the sender gets a notice.
//
// Words are overwritten after they are passed on or dropped, so that no operand stays here. After a
// reset, and after a dropped frame, this takes one cycle per word.
`include "totient_assert.svh"
`default_nettype none

module frame_decoder
  import packet_pkg::*;
  import serial_frame_pkg::*;
#(
  parameter int unsigned FrameWords = 512  // words of the longest packet, >= 1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,   // a byte, for one cycle
  input  logic [7:0]  data_i,
  input  logic        error_i,   // the byte is damaged
  // Notice to the sender; dropped if the previous one has not been taken
  output logic        refusal_valid_o,
  input  logic        refusal_ready_i,
  output verdict_e    refusal_o,
  output logic [31:0] m_axis_tdata,
  output logic        m_axis_tvalid,
  input  logic        m_axis_tready,
  output logic        m_axis_tlast
);
  // The checksum is in the memory, too.
  localparam int unsigned Depth     = FrameWords + 1;
  localparam int unsigned IndexBits = totient_pkg::index_bits(Depth);
  localparam int unsigned CountBits = totient_pkg::count_bits(Depth);
  `TOTIENT_REQUIRE(Words, FrameWords >= 1, "FrameWords must be at least 1")

  // Content of the CRC register after a number's bytes and their CRC.
  localparam logic [31:0] CrcResidue = 32'hDEBB_20E3;

  // Unescaping of a byte.
  logic       end_of_frame, payload, escape_q;
  logic [7:0] plain;
  assign end_of_frame = valid_i && !error_i && data_i == FrameEnd;
  assign payload      = valid_i && (error_i || escape_q || data_i != FrameEscape) && !end_of_frame;
  assign plain        = !escape_q ? data_i : (data_i == FrameEscapedEnd) ? FrameEnd : FrameEscape;

  typedef enum logic [1:0] {StReceive, StRead, StGive, StDrop} state_e;
  state_e               state_q;
  verdict_e             verdict_q;       // of the incoming frame
  logic                 begun_q;         // the frame has a byte
  logic [1:0]           place_q;         // of the next byte in its word
  logic [23:0]          bytes_q;
  logic [31:0]          crc_q;
  logic [CountBits-1:0] count_q;         // words in the memory
  logic [IndexBits-1:0] index_q;         // word to pass on
  logic                 write, whole, full;
  logic [IndexBits-1:0] write_index;
  logic [31:0]          word;
  assign full  = count_q == CountBits'(Depth);
  assign whole = payload && place_q == 2'd3;
  assign write = (state_q == StReceive && whole && verdict_q == VerdictGood && !full)
                 || (state_q == StGive && m_axis_tready) || state_q == StDrop;
  assign write_index = (state_q == StReceive) ? IndexBits'(count_q) : index_q;
  ram_block #(.Bits(32), .Depth(Depth)) u_words (
    .clk_i, .write_i(write), .write_index_i(write_index),
    .write_data_i((state_q == StReceive) ? {plain, bytes_q} : '0),
    .read_index_i(index_q), .read_data_o(word)
  );
  assign m_axis_tvalid = state_q == StGive;
  assign m_axis_tdata  = m_axis_tvalid ? word : '0;
  assign m_axis_tlast  = m_axis_tvalid && CountBits'(index_q) + CountBits'(2) == count_q;

  verdict_e verdict;  // at the end of the frame
  assign verdict = (verdict_q != VerdictGood) ? verdict_q
                   : (place_q != 2'd0 || escape_q || crc_q != CrcResidue || count_q < CountBits'(2))
                   ? VerdictDamaged : VerdictGood;

  always_ff @(posedge clk_i) begin
    if (valid_i) escape_q <= !error_i && !escape_q && data_i == FrameEscape;
    if (valid_i) begun_q <= 1'b1;
    if (payload) begin
      place_q <= place_q + 2'd1;
      bytes_q <= {plain, bytes_q[23:8]};
      crc_q   <= crc_next(crc_q, plain);
      // The first error counts.
      if (verdict_q == VerdictGood) begin
        if (state_q != StReceive) verdict_q <= VerdictBusy;
        else if (error_i || (escape_q && data_i != FrameEscapedEnd && data_i != FrameEscapedEscape))
          verdict_q <= VerdictDamaged;
        else if (full) verdict_q <= VerdictTooLong;
      end
    end
    if (end_of_frame) begin
      begun_q   <= 1'b0;
      place_q   <= '0;
      bytes_q   <= '0;
      crc_q     <= CrcStart;
      verdict_q <= VerdictGood;
    end
    if (refusal_ready_i) refusal_valid_o <= 1'b0;
    if (end_of_frame && begun_q && verdict != VerdictGood
        && (!refusal_valid_o || refusal_ready_i)) begin
      refusal_valid_o <= 1'b1;
      refusal_o       <= verdict;
    end

    unique case (state_q)
      StReceive: begin
        index_q <= '0;
        if (write) count_q <= count_q + CountBits'(1);
        if (end_of_frame && begun_q) begin
          if (verdict == VerdictGood) state_q <= StRead;
          else if (count_q != '0) state_q <= StDrop;
        end
      end
      StRead: state_q <= StGive;
      StGive: if (m_axis_tready) begin
        index_q <= index_q + IndexBits'(1);
        state_q <= m_axis_tlast ? StDrop : StRead;
      end
      default: begin  // StDrop: the rest, or all
        index_q <= index_q + IndexBits'(1);
        if (CountBits'(index_q) + CountBits'(1) == count_q) begin
          index_q <= '0;
          count_q <= '0;
          state_q <= StReceive;
        end
      end
    endcase
    if (!rst_ni) begin
      state_q      <= StDrop;
      count_q      <= CountBits'(Depth);
      index_q      <= '0;
      verdict_q    <= VerdictGood;
      {escape_q, begun_q, place_q, bytes_q, refusal_valid_o} <= '0;
      refusal_o    <= VerdictGood;
      crc_q        <= CrcStart;
    end
  end

  `TOTIENT_ASSERT_STABLE(OutputStable, m_axis_tvalid, m_axis_tready, {m_axis_tdata, m_axis_tlast})
endmodule

`default_nettype wire
