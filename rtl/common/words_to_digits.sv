// SPDX-License-Identifier: Apache-2.0
// Reads a number in words of 32 bits from a memory and outputs its digits, both from the least
// significant one. Digits of 0 follow the last word.
//
// Timing: digit 0 is output 7 cycles after `start_i`, the next digit in the cycle after each
//         `next_i`. Words are read ahead, and placed after the remaining bits of the previous word
//         before they are needed.
`include "totient_assert.svh"
`default_nettype none

module words_to_digits #(
  parameter int unsigned Words     = 33,
  parameter int unsigned DigitBits = 1,  // 1 to 16
  localparam int unsigned IndexBits = totient_pkg::index_bits(Words)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 start_i,   // from word 0 on
  input  logic                 next_i,    // the digit has been taken
  output logic [IndexBits-1:0] index_o,
  input  logic [31:0]          word_i,    // of the index of 3 cycles ago
  output logic [DigitBits-1:0] digit_o
);
  // Bits of a word beyond its whole digits. They stay for the next word's first digit.
  localparam int unsigned Left       = 32 % DigitBits;
  localparam int unsigned Digits     = 32 / DigitBits;  // of a word, one more with remaining bits
  localparam int unsigned LeftBits   = totient_pkg::index_bits(DigitBits);
  localparam int unsigned CountBits  = totient_pkg::count_bits(Digits + 1);
  localparam int unsigned BufferBits = 32 + DigitBits - 1;

  `TOTIENT_REQUIRE(Digit, DigitBits >= 1 && DigitBits <= 16, "DigitBits must be 1 to 16")

  // Arrived words wait in `word_q`, the first one at 0. There is room for all words in transit.
  localparam int unsigned Room = 2;
  typedef struct packed {
    logic ask;
    logic zero;  // the number has no such word
  } asked_t;
  logic [IndexBits-1:0]  index_q;
  logic                  end_q, started_q;
  asked_t [2:0]          asked_q;
  asked_t                come;
  logic [1:0]            room_q;
  logic                  ask, head_free;
  logic [Room-1:0]       word_valid_q;
  logic [Room-1:0][31:0] word_q;
  logic [31:0]           word_come;
  logic                  placed_valid_q;
  logic [BufferBits-1:0] placed_q, buffer_q;
  logic [CountBits-1:0]  placed_digits_q, digits_q;  // digits_q: of the buffer, 0 before the first
  logic                  empty_q, last_q;            // it is 0, it is 1
  logic [LeftBits-1:0]   left_q;                     // remaining bits before `word_q`
  logic                  word_take, placed_take, more_left;

  assign index_o     = index_q;
  assign digit_o     = buffer_q[DigitBits-1:0];
  assign placed_take = placed_valid_q && (empty_q || (next_i && last_q));
  assign word_take   = word_valid_q[0] && !placed_valid_q;
  assign ask         = started_q && (room_q != '0 || word_take);
  assign come        = asked_q[2];
  assign word_come   = come.zero ? '0 : word_i;
  assign head_free   = !word_valid_q[0] || (word_take && !word_valid_q[1]);
  assign more_left   = 32'(left_q) + Left >= DigitBits;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) begin
      index_q         <= '0;
      end_q           <= 1'b0;
      started_q       <= rst_ni && start_i;
      asked_q         <= '0;
      room_q          <= 2'(Room);
      word_valid_q    <= '0;
      word_q          <= '0;
      placed_valid_q  <= 1'b0;
      placed_q        <= '0;
      placed_digits_q <= '0;
      buffer_q        <= '0;
      digits_q        <= '0;
      empty_q         <= 1'b1;
      last_q          <= 1'b0;
      left_q          <= '0;
    end else if (started_q) begin
      asked_q <= {asked_q[1:0], {ask, end_q}};
      room_q  <= room_q - 2'(ask) + 2'(word_take);
      if (ask) begin
        if (index_q == IndexBits'(Words - 1)) end_q <= 1'b1;
        else index_q <= index_q + IndexBits'(1);
      end
      if (word_take) begin
        word_valid_q[0] <= word_valid_q[1];
        word_valid_q[1] <= 1'b0;
        word_q[0]       <= word_q[1];
      end
      if (come.ask && head_free) begin
        word_valid_q[0] <= 1'b1;
        word_q[0]       <= word_come;
      end
      if (come.ask && !head_free) begin
        word_valid_q[1] <= 1'b1;
        word_q[1]       <= word_come;
      end
      if (placed_take) placed_valid_q <= 1'b0;
      if (word_take) begin
        placed_valid_q <= 1'b1;
        if (Left == 0) begin
          placed_q        <= BufferBits'(word_q[0]);
          placed_digits_q <= CountBits'(Digits);
        end else begin
          placed_q        <= BufferBits'(word_q[0]) << left_q;
          placed_digits_q <= CountBits'(Digits) + CountBits'(more_left);
          left_q          <= LeftBits'(32'(left_q) + Left - (more_left ? DigitBits : 0));
        end
      end
      if (next_i) begin
        buffer_q <= buffer_q >> DigitBits;
        digits_q <= digits_q - CountBits'(1);
        empty_q  <= last_q;
        last_q   <= digits_q == CountBits'(2);
      end
      if (placed_take) begin
        buffer_q <= placed_q | (next_i ? buffer_q >> DigitBits : '0);
        digits_q <= placed_digits_q;
        empty_q  <= 1'b0;
        last_q   <= 1'b0;  // a word has at least two digits
      end
    end
  end

  `TOTIENT_ASSERT(DigitThere, !next_i || !empty_q, "a digit is taken before it is there")
  `TOTIENT_ASSERT(WordThere, !(next_i && last_q) || placed_valid_q,
                  "digits are taken faster than words are fetched")
endmodule

`default_nettype wire
