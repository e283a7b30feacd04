// SPDX-License-Identifier: Apache-2.0
// A frame on a serial line by its definition (docs/contracts.md), for proofs. Takes the bytes of
// the line; outputs the frame's own bytes, their count, and the CRC-32 before each of the last
// four.
`default_nettype none

module frame_reader
  import packet_pkg::*;
#(
  parameter int unsigned Longest = 12,  // maximum count of bytes
  localparam int unsigned CountBits = totient_pkg::count_bits(Longest + 1)
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,
  input wire logic             valid_i,
  input wire logic             error_i,
  input wire logic [7:0]       data_i,
  output logic                 end_o,          // an END comes
  output logic                 byte_o,         // a byte of the frame comes
  output logic                 bad_escape_o,   // which was escaped without reason
  output logic [7:0]           plain_o,
  output logic                 some_o,         // there was a byte since the last END
  output logic                 escape_o,       // the last one was an ESC
  output logic [CountBits-1:0] count_o,        // of the frame's bytes until now
  output logic [31:0]          last_o,         // the last four, the latest highest
  output logic [31:0]          crc_o[5]        // register of the CRC, now and up to four bytes ago
);
  logic escape;
  assign end_o        = valid_i && !error_i && data_i == FrameEnd;
  assign escape       = valid_i && !error_i && !escape_o && data_i == FrameEscape;
  assign byte_o       = valid_i && !end_o && !escape;
  assign bad_escape_o = byte_o && escape_o
                        && data_i != FrameEscapedEnd && data_i != FrameEscapedEscape;
  assign plain_o      = !escape_o ? data_i : (data_i == FrameEscapedEnd) ? FrameEnd : FrameEscape;

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      some_o   <= 1'b1;
      escape_o <= escape;
    end
    if (byte_o) begin
      crc_o[0] <= stepped(crc_o[0], plain_o);
      for (int unsigned i = 1; i < 5; i++) crc_o[i] <= crc_o[i-1];
      last_o <= {plain_o, last_o[31:8]};
      if (32'(count_o) < Longest) count_o <= count_o + CountBits'(1);
    end
    if (end_o || !rst_ni) begin
      {some_o, escape_o, count_o} <= '0;
      crc_o[0] <= 32'hFFFF_FFFF;
    end
  end

  // A byte goes into the register of the CRC bit by bit, lowest first.
  function automatic logic [31:0] stepped(logic [31:0] crc, logic [7:0] data);
    logic [31:0] state;
    state = crc;
    for (int unsigned i = 0; i < 8; i++)
      state = {1'b0, state[31:1]} ^ ((state[0] ^ data[i]) ? 32'hEDB88320 : 32'h0);
    return state;
  endfunction
endmodule

`default_nettype wire
