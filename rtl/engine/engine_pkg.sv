// SPDX-License-Identifier: Apache-2.0
// Types of the engine. Numbers are digits (words) of `Bits`, least significant first; they live in
// blocks of the digit memory, a block for a number modulo a prime, two after each other, the first
// one even, for a number modulo n or for a pair of numbers modulo two primes.
`default_nettype none

package engine_pkg;

  /* verilator lint_off UNUSEDPARAM */  // no design uses all constants
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

  // Small numbers that the program computes with: lengths, counters.
  localparam int unsigned ScalarBits = 16;
  typedef logic [ScalarBits-1:0] scalar_t;
  localparam int unsigned IndexBits = 7;      // of a scalar's number; the upper half is a key's
  typedef logic [IndexBits-1:0] index_t;
  localparam int unsigned PageBlockBits = 5;  // of a block's number in its page
  typedef logic [PageBlockBits:0] paged_t;    // a block, the highest bit for those of the key

  // An instruction of the program (src/totient/engine/instructions.py).
  localparam int unsigned Counts = 9;  // scalars of an operation
  typedef enum logic [1:0] {
    KindOperation = 2'd0,   // of the datapath
    KindScalar    = 2'd1,   // d = a + b + add or a - b + add; then perhaps a jump
    KindOther     = 2'd2    // does_e with scalars a and b and block t; its value goes to d
  } kind_e;
  typedef struct packed {
    kind_e  kind;
    logic   word;
    logic   pair;
    logic   common;
    logic   sync;
    logic   window;
    logic   tabulate;
    logic   add;
    logic   reduce;
    logic   exponent;
    word_e  action;
    index_t d;       // block or scalar
    index_t a;
    index_t b;
    paged_t t;
    paged_t x;
    // Scalars: entry, short ring, passes, words, lead, words of a, b, t, d. Or a more_t.
    index_t [Counts-1:0] counts;
  } instruction_t;  // 2 + 9 + 3 + 3 * 7 + 2 * 6 + 9 * 7 = 110 bits
  typedef enum logic [1:0] {
    SumPlus   = 2'd0,
    SumMinus  = 2'd1,
    SumCommon = 2'd2  // as SumPlus, but it counts as 0 when the lowest 4 bits of a and b have no 1
                      // in common
  } sum_e;
  typedef enum logic [3:0] {
    WhenNever = 4'd0, WhenAlways = 4'd1,
    WhenZero = 4'd2, WhenNotZero = 4'd3, WhenNegative = 4'd4, WhenNotNegative = 4'd5,
    WhenBit = 4'd6,    // the lowest bit of stream 0's window is 1
    WhenSign0 = 4'd7,  // stream 0's last word operation gave a negative number
    WhenSign1 = 4'd8,
    WhenEqual = 4'd9,  // it gave 0
    WhenEven = 4'd10, WhenSmall = 4'd11, WhenOver = 4'd12, WhenLoose = 4'd13,
    WhenOpen = 4'd14, WhenShort = 4'd15  // as engine_transfer.sv has it
  } when_e;
  typedef struct packed {
    sum_e        sum;
    when_e       when;
    logic [9:0]  target;
    scalar_t     add;      // for other kinds, the lowest bits are a does_e
  } more_t;
  typedef enum logic [4:0] {
    DoesSettle    = 5'd0,   // wait until everything is written
    DoesScanLoad  = 5'd1,   // the exponents from bit b of word a on, downwards
    DoesScan      = 5'd2,   // their next a bits
    DoesCollect   = 5'd3,   // what the windows choose, a words
    DoesForget    = 5'd4,   // the signs of the word unit
    DoesValue     = 5'd5,   // number a of what the engine was built with
    DoesSlot      = 5'd6,   // a is the key slot from now on
    DoesReason    = 5'd7,   // why the program was begun anew, an error_e; 0 after reset
    // By engine_transfer.sv.
    DoesGet       = 5'd8,
    DoesByte      = 5'd9,
    DoesNumber    = 5'd10,
    DoesDrain     = 5'd11,
    DoesPut       = 5'd12,
    DoesPutCycles = 5'd13,
    DoesHold      = 5'd14,
    DoesSend      = 5'd15,
    DoesRandom    = 5'd16,
    DoesWipe      = 5'd17
  } does_e;

  // Error codes of its own (totient_pkg::error_e has the others, key_pkg those of keys).
  localparam logic [3:0] ErrRandom = 4'd13;  // no random word came in time
  localparam logic [3:0] ErrFault  = 4'd14;  // a check failed, nothing was released

  // Address of a number's word: a number of more than 2^word_bits words goes on in the next block.
  function automatic logic [BlockBits+CountBits-1:0] place(block_t block, count_t word,
                                                           int unsigned word_bits);
    logic [BlockBits+CountBits-1:0] low;
    low = {{BlockBits{1'b0}}, word} & ((BlockBits + CountBits)'(2) << word_bits) - 1'b1;
    return ({{CountBits{1'b0}}, block} << word_bits) | low;
  endfunction
  /* verilator lint_on UNUSEDPARAM */

endpackage

`default_nettype wire
