// SPDX-License-Identifier: Apache-2.0
// Serial face of a core with packets on AXI4-Stream (docs/contracts.md): the same packets over two
// wires, in frames with a checksum. A damaged frame is answered with a frame of one byte. The next
// END synchronises the line again.
`include "totient_assert.svh"
`default_nettype none

module uart_stream
  import packet_pkg::*;
#(
  parameter int unsigned BitCycles     = 217,  // clock cycles per bit, >= 4: 25 MHz / 115,200 baud
  parameter int unsigned BitSixteenths = 0,    // and sixteenths of one
  parameter int unsigned FrameWords    = 512   // words of the longest request, >= 1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        rx_i,
  output logic        tx_o,
  output logic [31:0] m_axis_tdata,
  output logic        m_axis_tvalid,
  input  logic        m_axis_tready,
  output logic        m_axis_tlast,
  input  logic [31:0] s_axis_tdata,
  input  logic        s_axis_tvalid,
  output logic        s_axis_tready,
  input  logic        s_axis_tlast
);
  // A refused value is not passed on: its consequences would hide the reason.
  localparam bit CyclesFit     = BitCycles >= 4;
  localparam bit SixteenthsFit = BitSixteenths <= 15;
  `TOTIENT_REQUIRE(BitCycles, CyclesFit, "BitCycles must be at least 4")
  `TOTIENT_REQUIRE(BitSixteenths, SixteenthsFit, "BitSixteenths must be at most 15")
  localparam bit WordsFit      = FrameWords >= 1;
  `TOTIENT_REQUIRE(FrameWords, WordsFit, "FrameWords must be at least 1")
  localparam int unsigned Cycles     = CyclesFit ? BitCycles : 4;
  localparam int unsigned Sixteenths = SixteenthsFit ? BitSixteenths : 0;
  localparam int unsigned Words      = WordsFit ? FrameWords : 1;

  logic       in_valid, in_error, out_valid, out_ready, refusal_valid, refusal_ready;
  logic [7:0] in_data, out_data;
  verdict_e   refusal;

  uart_receiver #(.BitCycles(Cycles), .BitSixteenths(Sixteenths)) u_receiver (
    .clk_i, .rst_ni, .rx_i, .valid_o(in_valid), .data_o(in_data), .error_o(in_error)
  );
  frame_decoder #(.FrameWords(Words)) u_decoder (
    .clk_i, .rst_ni, .valid_i(in_valid), .data_i(in_data), .error_i(in_error),
    .refusal_valid_o(refusal_valid), .refusal_ready_i(refusal_ready), .refusal_o(refusal),
    .m_axis_tdata, .m_axis_tvalid, .m_axis_tready, .m_axis_tlast
  );
  frame_encoder u_encoder (
    .clk_i, .rst_ni, .s_axis_tdata, .s_axis_tvalid, .s_axis_tready, .s_axis_tlast,
    .refusal_valid_i(refusal_valid), .refusal_ready_o(refusal_ready), .refusal_i(refusal),
    .valid_o(out_valid), .ready_i(out_ready), .data_o(out_data)
  );
  uart_transmitter #(.BitCycles(Cycles), .BitSixteenths(Sixteenths)) u_transmitter (
    .clk_i, .rst_ni, .valid_i(out_valid), .ready_o(out_ready), .data_i(out_data), .tx_o
  );
endmodule

`default_nettype wire
