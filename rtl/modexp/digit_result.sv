// SPDX-License-Identifier: Apache-2.0
// Keeps the result of an exponentiation whose products come in digits, reduced below the modulus:
//
//   result = p - n  if that is not negative, else p
//
// The digits are joined to words of 32 bits; p and p - n lie in a memory each, and the borrow of
// the last word tells which of them counts.
//
// Bounds:  p < 2 n, in Words words; n odd.
// Timing:  word `index_o` of the modulus is asked for in the cycle of `ask_o` and comes 3 cycles
//          later; `write_o` is in the cycle after that. A number is complete (`end_o`, if it was
//          marked as the last one) 5 cycles after the digit that fills its last word.
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
  input  logic                 elsewhere_i,   // p goes to `word_o` only; there is no result then
  // The modulus
  output logic                 ask_o,
  output logic [IndexBits-1:0] index_o,
  input  logic [31:0]          modulus_word_i,  // of the index of 3 cycles ago
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

  // A joined word waits for that of the modulus.
  typedef struct packed {
    logic                 valid;
    logic [IndexBits-1:0] index;
    logic [31:0]          data;
  } word_t;
  word_t       joined, wait_q, word_q, done_q;
  logic        kept_q, last_q, kept, last, write_kept_q, write_last_q;  // what is said of the words
  logic        borrow, borrow_q, less_q, last_word;
  logic [31:0] difference, difference_q;
  digits_to_words #(.DigitBits(DigitBits)) u_join (
    .clk_i, .rst_ni, .valid_i, .first_i, .digit_i,
    .soon_o(ask_o), .valid_o(joined.valid), .word_o(joined.data)
  );
  delay_line #(.Bits(2), .Cycles(3)) u_said (
    .clk_i, .data_i({kept_q, last_q}), .data_o({kept, last})
  );
  word_subtract #(.Bits(32)) u_subtract (
    .minuend_i(word_q.data), .subtrahend_i(modulus_word_i), .borrow_i(borrow_q),
    .difference_o(difference), .borrow_o(borrow)
  );
  assign last_word     = word_q.index == LastWord;
  assign write_o       = done_q.valid && !write_kept_q;
  assign write_index_o = done_q.index;
  assign word_o        = done_q.data;
  assign end_o         = done_q.valid && write_last_q && done_q.index == LastWord;
  always_ff @(posedge clk_i) begin
    if (valid_i && first_i) begin
      kept_q <= keep_i;
      last_q <= last_i;
    end
    joined.index <= index_o;
    if (ask_o) index_o <= (index_o == LastWord) ? '0 : index_o + IndexBits'(1);
    wait_q <= joined;
    word_q <= wait_q;
    if (word_q.valid) begin
      borrow_q <= !last_word && borrow;
      if (last_word && !kept) less_q <= borrow;
    end
    done_q       <= word_q;
    difference_q <= difference;
    write_kept_q   <= kept;
    write_last_q   <= last;
    if (!rst_ni) begin
      {kept_q, last_q, borrow_q, less_q, write_kept_q, write_last_q} <= '0;
      {joined.index, index_o, difference_q} <= '0;
      {wait_q, word_q, done_q} <= '0;
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
    .write_data_i(wipe_i ? '0 : difference_q),
    .read_index_i, .read_data_o(reduced_word)
  );
  assign read_word_o = less_q ? p_word : reduced_word;
endmodule

`default_nettype wire
