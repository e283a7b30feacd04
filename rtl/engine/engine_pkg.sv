// SPDX-License-Identifier: Apache-2.0
// Types of the engine. Numbers are digits (words) of `Bits`, least significant first; they live in
// blocks of the digit memory, a block for a number modulo a prime, two after each other, the first
// one even, for a number modulo n or for a pair of numbers modulo two primes.
`default_nettype none

package engine_pkg;

  localparam int unsigned QuotientDelay = 6;  // words from a quotient digit to its product's first
  localparam int unsigned CountBits = 10;     // of a number of words or of passes
  localparam int unsigned BlockBits = 7;      // of a block's number
  localparam int unsigned WindowBits = 5;     // of an exponent's window

  typedef logic [CountBits-1:0] count_t;
  typedef logic [BlockBits-1:0] block_t;

  // A count less one, so that its sign tells that there is nothing (left) to count.
  typedef logic [CountBits:0] less_t;
  function automatic less_t less(count_t count);
    return {1'b0, count} - less_t'(1);
  endfunction

  // What a word operation does with words u of B and v of A: w = u' + v' with carry.
  typedef enum logic [2:0] {
    WordAdd      = 3'd0,  // u + v
    WordSubtract = 3'd1,  // u - v
    WordDouble   = 3'd2,  // 2 u - v, or 2 u + v where the last result was negative
    WordRestore  = 3'd3,  // u + v where the last result was negative, else u
    WordPower    = 3'd4,  // 1 as word a_words, 0 else
    WordQuarter  = 3'd5   // r/4 as word a_words, 0 else
  } word_e;

  // A product, T = (T r^lead + A B r^lead + q M) / r^(steps) in passes of the ring's length each,
  // or a word operation; for one stream or for both, whose operands are in the blocks beside.
  typedef struct packed {
    logic   word;        // a word operation
    word_e  action;      // of a word operation
    logic   pair;        // both streams
    logic   common;      // both have the same A
    logic   sync;        // not before all operations before it are done
    block_t d;           // where the result goes
    block_t a;           // multiplier; v of a word operation
    block_t b;           // multiplicand; u of a word operation
    block_t t;           // what is added
    block_t x;           // modulus
    logic   add;         // T is added, else 0
    logic   reduce;      // q M is added
    logic   window;      // A is what the window unit has collected
    logic   tabulate;    // the result is also an entry of the table
    logic   exponent;    // the result is also what is scanned for windows
    logic [WindowBits-1:0] entry;
    logic   short_ring;  // only the ring's short part
    count_t passes;      // less one
    count_t words;       // positions of a pass: one more than words of the result
    count_t lead;        // words of 0 before B, and before T in the first pass
    count_t a_words;     // words of A; those behind them are 0
    count_t b_words;
    count_t t_words;
    count_t d_words;     // words that are written
  } operation_t;

  // What becomes of a job's result.
  typedef struct packed {
    logic   word;      // of a word operation
    logic   stream;
    block_t block;     // where it goes
    less_t  less;      // words that are written, less one
    logic   tabulate;
    logic   exponent;
    logic [WindowBits-1:0] entry;
  } result_t;

  // Address of a number's word: a number of more than 2^word_bits words goes on in the next block.
  function automatic logic [BlockBits+CountBits-1:0] place(block_t block, count_t word,
                                                           int unsigned word_bits);
    logic [BlockBits+CountBits-1:0] low;
    low = {{BlockBits{1'b0}}, word} & ((BlockBits + CountBits)'(2) << word_bits) - 1'b1;
    return ({{CountBits{1'b0}}, block} << word_bits) | low;
  endfunction

endpackage

`default_nettype wire
