// SPDX-License-Identifier: Apache-2.0
// What is known of the word or the number that was read last:
//
//   value_o            UnitGet: min(word, 32767); UnitByte: word mod 256; UnitNumber: how many of
//                      its digits hold the number with two bits to spare; else 0
//   even_o             number mod 2 = 0
//   small_o            number < 2
//   msb_clear_o        number < 2^(length - 1)
//   length_exceeded_o  a number of the packet is 2^length or more
//
// Parts of a digit are compared with 0. When the index has moved on, it says how many digits there
// are so far, and with the next digit where two bits are not spare.
`default_nettype none

module engine_number_status
  import engine_packet_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Bits      = 18,  // of a digit, at least 16
  parameter int unsigned IndexBits = 12,  // of a digit's place in a page
  localparam int unsigned Step     = (Bits % 2 == 0) ? 2 : 1
) (
  input  logic                 clk_i,
  /* verilator lint_off UNUSEDSIGNAL */  // not all of it concerns numbers
  input  packet_op_t           op_i,
  input  state_t               state_i,
  input  logic [31:0]          word_i,    // at hand; in StTell the one that was read
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [Bits-1:0]      digit_i,   // at hand
  input  logic [IndexBits-1:0] index_i,   // its place in the number
  input  logic                 was_written_i,  // it was written a cycle ago
  input  logic                 moved_on_i,     // two cycles after that: the index, too
  input  logic [Step-1:0]      in_i,      // bits that go from the word to the digit in StIn
  input  logic                 ends_i,    // the number's length, with these bits
  input  logic                 past_i,    // they are above it
  input  logic                 odd_i,     // where it ends with them: all of them are within it
  output scalar_t              value_o,
  output logic                 even_o,
  output logic                 small_o,
  output logic                 msb_clear_o,
  output logic                 length_exceeded_o
);
  logic [3:0] nonzero_q;
  logic [1:0] large_q;
  logic       low_q, more_q, counted_q, full_q, larger_q, above_q;
  always_ff @(posedge clk_i) begin
    low_q     <= digit_i[0];
    nonzero_q <= {|digit_i[Bits-1:Bits-2], |digit_i[Bits-3:11], |digit_i[10:6], |digit_i[5:1]};
    if (state_i[StIdle]) full_q <= 1'b0;
    else if (was_written_i) full_q <= nonzero_q[3];
    if (was_written_i) counted_q <= low_q || nonzero_q != '0 || full_q;
    if (state_i[StBegin] && op_i.number) begin
      more_q      <= 1'b0;
      even_o      <= 1'b1;
      msb_clear_o <= 1'b1;
    end else begin
      if (was_written_i) begin
        if (nonzero_q != '0 || (low_q && index_i != '0)) more_q <= 1'b1;
        if (index_i == '0) even_o <= !low_q;
      end
      if (state_i[StIn] && ends_i && !past_i) msb_clear_o <= !in_i[odd_i ? Step - 1 : 0];
    end
    // A bit above the length; the highest bit within it is the only one valid where none is left.
    above_q <= state_i[StIn]
            && ((past_i && in_i != '0) || (Step == 2 && ends_i && !odd_i && in_i[Step-1]));
    if (state_i[StBegin] && op_i.get && op_i.pair) length_exceeded_o <= 1'b0;
    else if (above_q) length_exceeded_o <= 1'b1;
    large_q  <= {word_i[31:23] != '0, word_i[22:15] != '0};
    larger_q <= large_q != '0;
    if (state_i[StTell] || (moved_on_i && counted_q && op_i.number)) begin
      value_o <= op_i.number ? scalar_t'(index_i) : {1'b0, word_i[14:0] | {15{larger_q}}};
    end else if (state_i[StBegin] && op_i.next_byte) begin
      value_o <= scalar_t'(word_i[7:0]);
    end
    if (op_i.starts) value_o <= '0;
  end
  assign small_o = !more_q;
endmodule

`default_nettype wire
