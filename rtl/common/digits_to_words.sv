// SPDX-License-Identifier: Apache-2.0
// Joins the digits of a number, least significant first, to words of 32 bits. Bits that do not fill
// the last word are not output: send digits of 0 after them if required.
//
// Timing: a word is output 2 cycles after the digit that fills it, for one cycle. `soon_o`
//         announces it in the cycle before.
`include "totient_assert.svh"
`default_nettype none

module digits_to_words #(
  parameter int unsigned DigitBits = 1  // 1 to 16
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 valid_i,
  input  logic                 first_i,  // the digit is the first one of a number
  input  logic [DigitBits-1:0] digit_i,
  output logic                 soon_o,   // a word is output in the next cycle
  output logic                 valid_o,
  output logic [31:0]          word_o
);
  localparam int unsigned BufferBits = 32 + DigitBits - 1;

  `TOTIENT_REQUIRE(Digit, DigitBits >= 1 && DigitBits <= 16, "DigitBits must be 1 to 16")

  // Position of the digit.
  logic [4:0] place, place_q;
  logic       valid_q, first_q, full_q;
  assign place  = first_i ? '0 : place_q;
  assign soon_o = valid_q && full_q;
  always_ff @(posedge clk_i) begin
    valid_q <= valid_i;
    first_q <= first_i;
    full_q  <= 32'(place) + DigitBits >= 32;
    if (valid_i) place_q <= place + 5'(DigitBits);
    if (!rst_ni) begin
      valid_q <= 1'b0;
      first_q <= 1'b0;
      full_q  <= 1'b0;
      place_q <= '0;
    end
  end

  if (32 % DigitBits == 0) begin : gen_aligned
    // Digits enter at the top. The last one of a word moves the first one to the bottom.
    logic [DigitBits-1:0] digit_q;
    logic [31:0]          buffer_q;
    logic                 unused_first;
    assign unused_first = first_q;
    assign word_o = buffer_q;
    always_ff @(posedge clk_i) begin
      digit_q <= digit_i;
      valid_o <= soon_o;
      if (valid_q) buffer_q <= 32'({digit_q, buffer_q} >> DigitBits);
      if (!rst_ni) begin
        digit_q  <= '0;
        valid_o  <= 1'b0;
        buffer_q <= '0;
      end
    end
  end else begin : gen_across
    logic [BufferBits-1:0] placed_q, joined;
    logic [31:0]           buffer_q;  // bits that have not filled a word
    assign joined = placed_q | (first_q ? '0 : BufferBits'(buffer_q));
    always_ff @(posedge clk_i) begin
      placed_q <= BufferBits'(digit_i) << place;
      valid_o  <= soon_o;
      if (valid_q) begin
        word_o   <= joined[31:0];
        buffer_q <= full_q ? 32'(joined >> 32) : joined[31:0];
      end
      if (!rst_ni) begin
        placed_q <= '0;
        valid_o  <= 1'b0;
        word_o   <= '0;
        buffer_q <= '0;
      end
    end
  end
endmodule

`default_nettype wire
