// SPDX-License-Identifier: Apache-2.0
// Keeps the result of an exponentiation whose products come in digits, reduced below the modulus:
//
//   result = p - n  if that is not negative, else p
//
// The digits are joined to words of 32 bits; p and p - n lie in a memory each, and the borrow of
// the last word tells which of them counts.
//
// Bounds:  p < 2 n, in Words words; n odd.
// Timing:  a word is read with `index_o` in the cycle of `joined_o`; it and its difference are in
//          memory two cycles later. A number is complete (`end_o`, if it was marked as the last one)
//          4 cycles after the digit that fills its last word.
`default_nettype none

module digit_result
  import totient_pkg::*;
#(
  parameter int unsigned Words     = 33,
  parameter int unsigned DigitBits = 1,
  localparam int unsigned IndexBits = index_bits(Words)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // Memories: overwrite word `wipe_index_i`
  input  logic                 wipe_i,
  input  logic [IndexBits-1:0] wipe_index_i,
  // Digits of p, least significant first, as many as fill all words
  input  logic                 valid_i,
  input  logic                 first_i,
  input  logic                 keep_i,        // with the first: this p is not to be kept
  input  logic                 last_i,        // with the first: it is the last p
  input  logic [DigitBits-1:0] digit_i,
  input  logic                 elsewhere_i,   // p goes to `word_o` only
  // The modulus
  output logic                 joined_o,
  output logic [IndexBits-1:0] index_o,
  input  logic [31:0]          modulus_word_i,  // word `index_o`, in the same cycle
  // p, word by word
  output logic                 write_o,
  output logic [IndexBits-1:0] write_index_o,
  output logic [31:0]          word_o,
  output logic                 end_o,
  // Reading the result
  input  logic [IndexBits-1:0] read_index_i,
  output logic [31:0]          read_word_o
);
  localparam logic [IndexBits-1:0] LastWord = IndexBits'(Words - 1);

  logic        joined_q, borrow_q, less_q, last_word;
  logic        kept_q, last_q, kept, last;  // what is said of the words that are joined
  logic [31:0] joined_word, n_word_q;
  logic [32:0] difference;
  digits_to_words #(.DigitBits(DigitBits)) u_join (
    .clk_i, .rst_ni, .valid_i, .first_i, .digit_i, .valid_o(joined_o), .word_o(joined_word)
  );
  delay_line #(.Bits(2), .Cycles(2)) u_said (
    .clk_i, .data_i({kept_q, last_q}), .data_o({kept, last})
  );
  assign last_word  = write_index_o == LastWord;
  assign difference = {1'b0, word_o} - {1'b0, n_word_q} - 33'(borrow_q);
  assign write_o    = joined_q && !kept;
  assign end_o      = joined_q && last && last_word;
  always_ff @(posedge clk_i) begin
    if (valid_i && first_i) begin
      kept_q <= keep_i;
      last_q <= last_i;
    end
    joined_q      <= joined_o;
    word_o        <= joined_word;
    write_index_o <= index_o;
    n_word_q      <= modulus_word_i;
    if (joined_o) index_o <= (index_o == LastWord) ? '0 : index_o + IndexBits'(1);
    if (joined_q) begin
      borrow_q <= !last_word && difference[32];
      if (last_word && write_o) less_q <= difference[32];
    end
    if (!rst_ni) begin
      kept_q        <= 1'b0;
      last_q        <= 1'b0;
      joined_q      <= 1'b0;
      word_o        <= '0;
      write_index_o <= '0;
      n_word_q      <= '0;
      index_o       <= '0;
      borrow_q      <= 1'b0;
      less_q        <= 1'b0;
    end
  end

  logic                 write;
  logic [IndexBits-1:0] write_index;
  logic [31:0]          p_word, reduced_word;
  assign write       = wipe_i || (write_o && !elsewhere_i);
  assign write_index = wipe_i ? wipe_index_i : write_index_o;
  ram_distributed #(.Bits(32), .Depth(Words)) u_p (
    .clk_i, .write_i(write), .write_index_i(write_index),
    .write_data_i(wipe_i ? '0 : word_o),
    .read_index_i, .read_data_o(p_word)
  );
  ram_distributed #(.Bits(32), .Depth(Words)) u_reduced (
    .clk_i, .write_i(write), .write_index_i(write_index),
    .write_data_i(wipe_i ? '0 : difference[31:0]),
    .read_index_i, .read_data_o(reduced_word)
  );
  assign read_word_o = less_q ? p_word : reduced_word;
endmodule

`default_nettype wire
