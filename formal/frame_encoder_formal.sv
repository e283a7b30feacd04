// SPDX-License-Identifier: Apache-2.0
// Proof of frame_encoder against the definition of a frame: it sends every packet as one frame with
// all its words and the right checksum, every notice as a frame of one byte, and nothing else.
//
// In two parts, as for frame_decoder. Checksum = 1: the checksum, by the definition of CRC-32; by
// induction. Checksum = 0: the rest, with the encoder's CRC cut off.
`default_nettype none

module frame_encoder_formal
  import packet_pkg::*;
  import serial_frame_pkg::*;
#(
  parameter bit Checksum = 1'b0
) (
  input wire logic        clk_i,
  input wire logic        reset_ni,
  input wire logic [31:0] s_axis_tdata,
  input wire logic        s_axis_tvalid,
  input wire logic        s_axis_tlast,
  input wire logic        refusal_valid_i,
  input wire verdict_e    refusal_i,
  input wire logic        ready_i
);
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  logic       s_axis_tready, refusal_ready_o, valid_o;
  logic [7:0] data_o;
  frame_encoder u_dut (.*);

  stream_properties #(.Bits(33), .Assume(1'b1)) u_in (
    .clk_i, .rst_ni, .drop_i(1'b0), .valid_i(s_axis_tvalid), .ready_i(s_axis_tready),
    .data_i({s_axis_tlast, s_axis_tdata})
  );

  logic        sent, ends, counts, bad_escape, unused_some, escape;
  logic [7:0]  plain;
  logic [3:0]  unused_count;
  logic [31:0] last, crc[5];
  assign sent = valid_o && ready_i;
  frame_reader u_reader (
    .clk_i, .rst_ni, .valid_i(sent), .error_i(1'b0), .data_i(data_o), .end_o(ends),
    .byte_o(counts), .bad_escape_o(bad_escape), .plain_o(plain), .some_o(unused_some),
    .escape_o(escape), .count_o(unused_count), .last_o(last), .crc_o(crc)
  );

  if (Checksum) begin : gen_checksum
    typedef enum logic [2:0] {
      StIdle, StOpen, StWord, StRefusal, StWait, StChecksum, StClose
    } state_e;
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        KnownState : assert (u_dut.state_q != 3'd7);
        SameEscape : assert (u_dut.escaped_q == escape && (!escape || (u_dut.special && valid_o)));
        if (u_dut.state_q == StOpen || u_dut.state_q == StWord || u_dut.state_q == StRefusal
            || u_dut.state_q == StWait)
          SameBytes : assert (u_dut.crc_q == crc[0]);
        // With each sent byte the sum of all before it moves back by one.
        if (u_dut.state_q == StChecksum) begin
          case (u_dut.left_q)
            2'd3: Sent0 : assert (u_dut.word_q == ~crc[0]);
            2'd2: Sent1 : assert ({u_dut.word_q[23:0], last[31:24]} == ~crc[1]);
            2'd1: Sent2 : assert ({u_dut.word_q[15:0], last[31:16]} == ~crc[2]);
            default: Sent3 : assert ({u_dut.word_q[7:0], last[31:8]} == ~crc[3]);
          endcase
        end
        if (u_dut.state_q == StClose) RightChecksum : assert (last == ~crc[4]);
        if (u_dut.state_q == StIdle || u_dut.state_q == StOpen)
          Fresh : assert (crc[0] == 32'hFFFF_FFFF);
      end
    end
  end else begin : gen_frames
    stream_properties #(.Bits(8)) u_out (
      .clk_i, .rst_ni, .drop_i(1'b0), .valid_i(valid_o), .ready_i, .data_i(data_o)
    );

    // To be sent: bytes of a word or of a notice, then, after the last one, four more.
    logic        inside_q, last_q, sum_q;
    logic [2:0]  left_q;
    logic [31:0] bytes_q;
    logic [1:0]  wait_q;
    logic        word, refusal;
    assign word = s_axis_tvalid && s_axis_tready;
    assign refusal = refusal_valid_i && refusal_ready_o;
    always_ff @(posedge clk_i) begin
      if (ends) inside_q <= !inside_q;
      if (counts) begin
        left_q  <= left_q - 3'd1;
        bytes_q <= {8'b0, bytes_q[31:8]};
        if (left_q == 3'd1) begin
          sum_q <= last_q && !sum_q;
          if (last_q && !sum_q) left_q <= 3'd4;
        end
      end
      if (word || refusal) begin
        left_q  <= refusal ? 3'd1 : 3'd4;
        last_q  <= refusal || s_axis_tlast;
        bytes_q <= refusal ? {30'b0, refusal_i} : s_axis_tdata;
      end
      wait_q <= ((left_q != '0 || (inside_q && last_q)) && !valid_o) ? wait_q + 2'd1 : '0;
      if (!rst_ni) {inside_q, last_q, sum_q, left_q, wait_q} <= '0;

      if (rst_ni) begin
        OneAtATime : assert (!(word && refusal) && (!(word || refusal) || left_q == '0));
        GoodEscapes : assert (!bad_escape && !(ends && escape));
        BetweenEnds : assert (!counts || (inside_q && left_q != '0));
        Unchanged : assert (!(counts && !sum_q) || plain == bytes_q[7:0]);
        Opens : assert (!(ends && !inside_q) || left_q != '0);
        Closes : assert (!(ends && inside_q) || (left_q == '0 && last_q && !sum_q));
        // A frame continues as long as there are bytes to send.
        NoStall : assert (wait_q == '0);
      end
    end
  end
endmodule

`default_nettype wire
