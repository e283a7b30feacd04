// SPDX-License-Identifier: Apache-2.0
// Results of the last word or number that was read:
//
//   value_o            UnitGet: min(word, 32767); UnitByte: the next byte of the word; UnitNumber:
//                      how many of its digits hold the number with two bits to spare; else 0
//   even_o             number mod 2 = 0
//   small_o            number < 2
//   msb_clear_o        number < 2^(length - 1)
//   length_exceeded_o  a number of the packet is 2^length or more
//
// Digits are looked at in the cycle after they are written: by then, `count_i` includes the digit.
`default_nettype none

module engine_number_status
  import engine_packet_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Bits      = 18,  // of a digit, at least 16
  parameter int unsigned IndexBits = 12   // of a digit's place in a page
) (
  input  logic                 clk_i,
  /* verilator lint_off UNUSEDSIGNAL */  // not all of it concerns numbers
  input  packet_op_t           op_i,
  input  state_t               state_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [31:0]          word_i,     // the word that was taken last
  // The packet's number.
  input  logic                 end_i,      // `half_i` is of the number's last word
  input  logic                 high_i,     // its high half
  input  half_t                half_i,
  input  logic [4:0]           top_i,      // place of the length's highest bit in the last word
  // The memory's digits.
  input  logic                 written_i,
  input  logic                 first_i,    // it is the first one
  input  logic [Bits-1:0]      digit_i,
  input  logic [IndexBits-1:0] count_i,    // with the digit that was written a cycle ago
  output scalar_t              value_o,
  output logic                 even_o,
  output logic                 small_o,
  output logic                 msb_clear_o,
  output logic                 length_exceeded_o
);
  // Halves, in groups of four bits: those above the group with the length's highest bit, and the
  // bits of that group.
  logic [3:0] group_q, any_q;
  logic       same_q, behind_q;  // the half has the length's highest bit, or is above it
  logic       above_q, from_q, same_qq, behind_qq, any_qq;
  always_ff @(posedge clk_i) begin
    same_q   <= end_i && high_i == top_i[4];
    behind_q <= end_i && high_i && !top_i[4];
    group_q  <= half_i[4*top_i[3:2]+:4];
    for (int unsigned i = 0; i < 4; i++) any_q[i] <= half_i[4*i+:4] != '0;
    same_qq   <= same_q;
    behind_qq <= behind_q;
    any_qq    <= any_q != '0;
    above_q   <= (group_q >> top_i[1:0]) > 4'd1 || (any_q >> top_i[3:2]) > 4'd1;
    from_q    <= (group_q >> top_i[1:0]) != '0 || (any_q >> top_i[3:2]) > 4'd1;
    if (state_i[StBegin] && op_i.get && op_i.pair) length_exceeded_o <= 1'b0;
    else if ((same_qq && above_q) || (behind_qq && any_qq)) length_exceeded_o <= 1'b1;
    if (state_i[StBegin] && op_i.number) msb_clear_o <= 1'b1;
    else if ((same_qq && from_q) || (behind_qq && any_qq)) msb_clear_o <= 1'b0;
  end

  // Digits.
  logic written_q, first_q, low_q, rest_q, top_q, full_q, more_q;
  always_ff @(posedge clk_i) begin
    written_q <= written_i && op_i.number;
    first_q   <= first_i;
    low_q     <= digit_i[0];
    rest_q    <= digit_i[Bits-1:1] != '0;
    top_q     <= digit_i[Bits-1:Bits-2] != '0;
    if (written_q) full_q <= top_q;
    if (written_q && (rest_q || (low_q && !first_q))) more_q <= 1'b1;
    if (written_q && first_q) even_o <= !low_q;
    if (state_i[StBegin] && op_i.number) begin
      full_q <= 1'b0;
      more_q <= 1'b0;
      even_o <= 1'b1;
    end
  end
  assign small_o = !more_q;

  // The value.
  logic [1:0] place_q;
  logic [7:0] byte_q;
  logic [14:0] word_q;
  logic [1:0] large_q;
  logic       larger;
  assign larger = large_q != '0;
  always_ff @(posedge clk_i) begin
    // Each of these is 0 unless it is wanted.
    large_q <= state_i[StLook] ? {word_i[31:23] != '0, word_i[22:15] != '0} : '0;
    word_q  <= state_i[StLook] ? word_i[14:0] : '0;
    byte_q  <= op_i.next_byte ? word_i[8*place_q+:8] : '0;
    if (state_i[StGet]) place_q <= '0;
    else if (state_i[StTell] && op_i.next_byte) place_q <= place_q + 2'd1;
    if ((state_i[StTell] && (op_i.get || op_i.next_byte))
        || (written_q && (low_q || rest_q || full_q))) begin
      value_o <= {1'b0, word_q | {15{larger}}} | scalar_t'(byte_q) | scalar_t'(count_i);
    end
    if (op_i.starts) value_o <= '0;
  end
endmodule

`default_nettype wire
