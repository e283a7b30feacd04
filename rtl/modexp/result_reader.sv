// SPDX-License-Identifier: Apache-2.0
// Reads a whole result word by word: word `index_i` is there in the next cycle, and 0 while there
// is none.
`default_nettype none

module result_reader
  import totient_pkg::*;
#(
  parameter int unsigned Width = 1024,
  localparam int unsigned IndexBits = operand_index_bits(Width)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 clear_i,
  input  logic                 valid_i,   // there is a result
  input  logic [Width-1:0]     result_i,
  input  logic [IndexBits-1:0] index_i,
  output logic [31:0]          word_o
);
  localparam int unsigned PadBits = 32 * words_of(Width, 32);

  logic [PadBits-1:0] result;
  assign result = PadBits'(result_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || !valid_i) word_o <= '0;
    else word_o <= result[32*index_i +: 32];
  end
endmodule

`default_nettype wire
