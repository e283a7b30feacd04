// SPDX-License-Identifier: Apache-2.0
// Encodes packets of 32-bit words as bytes of frames, least significant byte first. Each frame has
// a checksum and stands between two ENDs. Also sends frames of one byte, which report refused
// frames.
`include "totient_assert.svh"
`default_nettype none

module frame_encoder
  import packet_pkg::*;
  import serial_frame_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] s_axis_tdata,
  input  logic        s_axis_tvalid,
  output logic        s_axis_tready,
  input  logic        s_axis_tlast,
  // A notice is sent between two packets
  input  logic        refusal_valid_i,
  output logic        refusal_ready_o,
  input  verdict_e    refusal_i,
  output logic        valid_o,
  input  logic        ready_i,
  output logic [7:0]  data_o
);
  typedef enum logic [2:0] {StIdle, StOpen, StWord, StRefusal, StWait, StChecksum, StClose} state_e;
  state_e      state_q;
  logic [31:0] word_q;   // bytes still to be sent, the next one lowest
  logic [1:0]  left_q;   // bytes after it
  logic        last_q, refuses_q, escaped_q;
  logic [31:0] crc_q;
  logic        marks, special, sent;
  assign marks   = state_q == StOpen || state_q == StClose;
  assign special = !marks && (word_q[7:0] == FrameEnd || word_q[7:0] == FrameEscape);
  assign valid_o = state_q != StIdle && state_q != StWait;
  assign data_o  = marks ? FrameEnd : !special ? word_q[7:0] : !escaped_q ? FrameEscape
                   : (word_q[7:0] == FrameEnd) ? FrameEscapedEnd : FrameEscapedEscape;
  assign sent    = valid_o && ready_i && (!special || escaped_q);

  assign refusal_ready_o = state_q == StIdle;
  assign s_axis_tready = state_q == StWait || (state_q == StIdle && !refusal_valid_i);

  always_ff @(posedge clk_i) begin
    if (valid_o && ready_i) escaped_q <= special && !escaped_q;
    if (s_axis_tvalid && s_axis_tready) begin
      word_q <= s_axis_tdata;
      last_q <= s_axis_tlast;
      left_q <= 2'd3;
    end
    if (sent && !marks) begin
      word_q <= {8'b0, word_q[31:8]};
      left_q <= left_q - 2'd1;
      crc_q  <= crc_next(crc_q, word_q[7:0]);
    end
    unique case (state_q)
      StIdle: begin
        crc_q  <= CrcStart;
        refuses_q <= refusal_valid_i;
        if (refusal_valid_i) word_q <= {30'b0, refusal_i};
        if (refusal_valid_i || s_axis_tvalid) state_q <= StOpen;
      end
      StOpen: if (sent) state_q <= refuses_q ? StRefusal : StWord;
      StWord: if (sent && left_q == 2'd0) begin
        state_q <= last_q ? StChecksum : StWait;
        if (last_q) begin
          word_q <= ~crc_next(crc_q, word_q[7:0]);
          left_q <= 2'd3;
        end
      end
      StRefusal: if (sent) begin
        word_q  <= ~crc_next(crc_q, word_q[7:0]);
        left_q  <= 2'd3;
        state_q <= StChecksum;
      end
      StWait: if (s_axis_tvalid) state_q <= StWord;
      StChecksum: if (sent && left_q == 2'd0) state_q <= StClose;
      default: if (sent) state_q <= StIdle;  // StClose
    endcase
    if (!rst_ni) begin
      state_q <= StIdle;
      {word_q, left_q, last_q, refuses_q, escaped_q} <= '0;
      crc_q   <= CrcStart;
    end
  end

  `TOTIENT_ASSERT_STABLE(InputStable, s_axis_tvalid, s_axis_tready, {s_axis_tdata, s_axis_tlast})
  `TOTIENT_ASSERT_STABLE(OutputStable, valid_o, ready_i, data_o)
endmodule

`default_nettype wire
