// SPDX-License-Identifier: Apache-2.0
// Proof of frame_decoder against the definition of a frame. It passes on the words of whole frames
// with the right checksum, each frame once, and no word of any other frame. The sender of any other
// frame gets the reason.
//
// The proof has two parts, which are easier than the whole. Checksum = 1: the decoder accepts
// exactly the checksums that are right by the definition of CRC-32; by induction, with auxiliary
// relations. Checksum = 0: the rest, with the decoder's CRC cut off: right or wrong at will.
`default_nettype none

module frame_decoder_formal
  import packet_pkg::*;
  import serial_frame_pkg::*;
#(
  parameter int unsigned FrameWords = 2,
  parameter bit          Checksum   = 1'b0,
  localparam int unsigned IndexBits = totient_pkg::index_bits(FrameWords)
) (
  input wire logic                 clk_i,
  input wire logic                 reset_ni,
  input wire logic [IndexBits-1:0] index_i,  // free: the word that is followed
  input wire logic [4:0]           place_i,  // free: the bit of it
  input wire logic                 valid_i,
  input wire logic [7:0]           data_i,
  input wire logic                 error_i,
  input wire logic                 refusal_ready_i,
  input wire logic                 m_axis_tready
);
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  logic        refusal_valid_o, m_axis_tvalid, m_axis_tlast;
  verdict_e    refusal_o;
  logic [31:0] m_axis_tdata;
  frame_decoder #(.FrameWords(FrameWords)) u_dut (.*);

  localparam int unsigned Longest   = 4 * (FrameWords + 1);
  localparam int unsigned CountBits = totient_pkg::count_bits(Longest + 1);
  logic                 ends, counts, bad_escape, some, escape;
  logic [7:0]           plain;
  logic [CountBits-1:0] count;
  logic [31:0]          last, crc[5];
  frame_reader #(.Longest(Longest)) u_reader (
    .clk_i, .rst_ni, .valid_i, .error_i, .data_i, .end_o(ends), .byte_o(counts),
    .bad_escape_o(bad_escape), .plain_o(plain), .some_o(some), .escape_o(escape),
    .count_o(count), .last_o(last), .crc_o(crc)
  );

  if (Checksum) begin : gen_checksum
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        SameBytes : assert (u_dut.escape_q == escape && u_dut.crc_q == crc[0]);
        // The register goes from byte to byte.
        if (32'(count) >= 1) Step1 : assert (crc[0] == u_reader.stepped(crc[1], last[31:24]));
        if (32'(count) >= 2) Step2 : assert (crc[1] == u_reader.stepped(crc[2], last[23:16]));
        if (32'(count) >= 3) Step3 : assert (crc[2] == u_reader.stepped(crc[3], last[15:8]));
        if (32'(count) >= 4) Step4 : assert (crc[3] == u_reader.stepped(crc[4], last[7:0]));
        if (32'(count) >= 4)
          RightChecksum : assert ((last == ~crc[4]) == (u_dut.crc_q == u_dut.CrcResidue));
      end
    end
  end else begin : gen_frames
    stream_properties #(.Bits(33)) u_out (
      .clk_i, .rst_ni, .drop_i(1'b0), .valid_i(m_axis_tvalid), .ready_i(m_axis_tready),
      .data_i({m_axis_tlast, m_axis_tdata})
    );
    stream_properties #(.Bits(2)) u_refusal (
      .clk_i, .rst_ni, .drop_i(1'b0), .valid_i(refusal_valid_o), .ready_i(refusal_ready_i),
      .data_i(refusal_o)
    );

    // Error of a frame: the first one of several.
    logic   idle, good;
    verdict_e wrong_q, wrong;
    assign idle  = u_dut.state_q == 2'd0;  // StReceive: the frame before has gone on
    assign wrong = (wrong_q != VerdictGood) ? wrong_q
                   : (escape || count[1:0] != 2'd0 || 32'(count) < 8
                      || u_dut.crc_q != u_dut.CrcResidue) ? VerdictDamaged : VerdictGood;
    assign good  = ends && some && wrong == VerdictGood;

    // The followed bit, and the frame to be passed on.
    logic                 bit_q, owed_q, owed_bit_q;
    logic [IndexBits-1:0] index_q;
    logic [4:0]           place_q;
    logic [CountBits-1:0] words_q, given_q;
    logic [1:0]           wait_q;
    logic                 refused_q = 1'b0, refusal_free_q;  // the cycle before
    verdict_e             why_q;
    always_ff @(posedge clk_i) begin
      if (!begun_q) {index_q, place_q} <= {index_i, place_i};
      if (counts) begin
        if (32'(count) == 32'({index_q, place_q[4:3]})) bit_q <= plain[place_q[2:0]];
        if (wrong_q == VerdictGood) begin
          if (!idle) wrong_q <= VerdictBusy;
          else if (error_i || bad_escape) wrong_q <= VerdictDamaged;
          else if (32'(count) == Longest) wrong_q <= VerdictTooLong;
        end
      end
      if (ends || !rst_ni) wrong_q <= VerdictGood;
      if (m_axis_tvalid && m_axis_tready) begin
        given_q <= given_q + CountBits'(1);
        if (m_axis_tlast) owed_q <= 1'b0;
      end
      wait_q <= (owed_q && !m_axis_tvalid) ? wait_q + 2'd1 : '0;
      if (good) begin
        owed_q     <= 1'b1;
        owed_bit_q <= bit_q;
        words_q    <= (count >> 2) - CountBits'(1);
        given_q    <= '0;
      end
      if (!rst_ni) {owed_q, wait_q} <= '0;

      refused_q   <= rst_ni && ends && some && !good;
      why_q       <= wrong;
      refusal_free_q <= !refusal_valid_o || refusal_ready_i;

      if (rst_ni) begin
        OneAtATime : assert (!(good && owed_q));
        OnlyGoodFrames : assert (!m_axis_tvalid || owed_q);
        InTime : assert (wait_q < 2'd2);
        LastWord : assert (!m_axis_tvalid
                           || m_axis_tlast == (given_q + CountBits'(1) == words_q));
        Unchanged : assert (!(m_axis_tvalid && given_q == CountBits'(index_q))
                            || m_axis_tdata[place_q] == owed_bit_q);
        Refusal : assert (!(refused_q && refusal_free_q)
                          || (refusal_valid_o && refusal_o == why_q));
        RefusalOnlyThen : assert (refused_q || !refusal_free_q || !refusal_valid_o);
      end
    end
  end
endmodule

`default_nettype wire
