// SPDX-License-Identifier: Apache-2.0
// Types of the engine. Numbers are digits (words) of `Bits`, least significant first, in blocks of
// the digit memory. A number modulo a prime has one block. A number modulo n, or a pair of numbers
// modulo two primes, has two adjacent blocks, the first one even.
`default_nettype none

package engine_pkg;
  import engine_instruction_pkg::*;

  /* verilator lint_off UNUSEDPARAM */  // no design uses all constants
  typedef logic [CountBits-1:0] count_t;
  typedef logic [BlockBits-1:0] block_t;

  // Rings shorter than the whole one (engine_array.sv), and the number of a ring. The whole one has
  // the number 0, and all numbers that no shorter one has.
  localparam int unsigned MostTaps = 15;
  typedef logic [3:0] ring_t;
  typedef logic [8*MostTaps-1:0] taps_t;

  // Steps of the shorter rings of an engine, 8 bits each; 0: none. A pass of each has just the words
  // of primes of 256, 384, .. 2048 bits.
  function automatic taps_t taps(int unsigned bits, int unsigned elements);
    int unsigned steps;
    taps = '0;
    for (int unsigned n = 0; n < MostTaps; n++) begin
      steps = (128 * (n + 2) + 2 + bits - 1) / bits + QuotientDelay;
      if (steps < elements) taps[8*n+:8] = 8'(steps);
    end
  endfunction

  // Elements of a ring by its number.
  function automatic logic [7:0] ring_elements(ring_t ring, taps_t shorter, logic [7:0] elements);
    ring_elements = elements;
    for (int unsigned n = 0; n < MostTaps; n++) begin
      if (ring == ring_t'(n + 1) && shorter[8*n+:8] != '0) ring_elements = shorter[8*n+:8];
    end
  endfunction

  // Its number, 0 if it is the whole one.
  function automatic ring_t ring_number(ring_t ring, taps_t shorter);
    ring_number = '0;
    for (int unsigned n = 0; n < MostTaps; n++) begin
      if (ring == ring_t'(n + 1) && shorter[8*n+:8] != '0) ring_number = ring;
    end
  endfunction

  // A count minus one: a negative sign marks the end of a count.
  typedef logic [CountBits:0] count_minus_one_t;
  function automatic count_minus_one_t less(count_t count);
    return {1'b0, count} - count_minus_one_t'(1);
  endfunction

  // A product, T = (T r^lead + A B r^lead + q M) / r^(steps) in passes of the ring's length each,
  // or a word operation. For one stream, or for both, with the operands of stream 1 in the adjacent
  // blocks.
  typedef struct packed {
    logic   word;        // a word operation
    word_op_e  action;      // of a word operation
    logic   pair;        // both streams
    logic   common;      // both have the same A
    logic   sync;        // wait until all earlier operations are done
    block_t d;           // destination of the result
    block_t a;           // multiplier; v of a word operation
    block_t b;           // multiplicand; u of a word operation
    block_t t;           // addend
    block_t x;           // modulus
    logic   add;         // T is added, else 0
    logic   reduce;      // q M is added
    logic   window;      // A is the power gathered by the window unit
    logic   table_write;    // the result is also an entry of the table
    logic   exponent;    // the result is also scanned for windows
    logic [WindowBits-1:0] entry;
    ring_t  ring;        // its number
    count_t passes;      // minus one
    count_t words;       // positions of a pass: one more than words of the result
    count_t lead;        // words of 0 before B, and before T in the first pass
    count_t a_words;     // words of A, followed by zeros
    count_t b_words;
    count_t t_words;
    count_t d_words;     // words to write
  } operation_t;

  // Destination of a job's result.
  typedef struct packed {
    logic   word;      // of a word operation
    logic   stream;
    block_t block;     // destination
    count_minus_one_t  less;      // words to write, minus one
    logic   table_write;
    logic   exponent;
    logic [WindowBits-1:0] entry;
  } result_t;

  typedef logic [ScalarBits-1:0] scalar_t;
  typedef logic [PageBlockBits:0] paged_t;  // a block; the highest bit selects those of the key

  // Between the control unit and its neighbours. What the datapath tells:
  typedef struct packed {
    logic       idle;      // all operations are done and written
    logic [1:0] negative;  // each stream's last word operation gave a negative number
    logic [1:0] zero;      // the same: 0
  } datapath_status_t;

  // What the window unit is asked for, for one cycle.
  typedef struct packed {
    logic       scan_load;   // go to a place of the exponents
    logic       scan;        // take the next bits as the new windows
    logic       gather;      // collect the words that the windows choose
    count_t     scan_place;  // with `scan_load`: the word in which it begins
    logic [4:0] scan_bits;   // with `scan_load`: bits of that word that count; with `scan`: to take
    logic       pair;        // with `gather`: for both streams
    count_t     words;       // with `gather`: of a number
  } window_request_t;

  // What it tells.
  typedef struct packed {
    logic busy;
    logic buffer;                        // what was gathered last
    logic [1:0][WindowBits-1:0] window;  // of each stream
  } window_status_t;

  // What the packet unit is asked for (engine_packet_io.sv). The arguments are there four cycles
  // before `start`, and stay until the unit is no longer busy.
  typedef struct packed {
    logic     stop;     // give up what is under way
    logic     start;
    unit_op_e unit_op;  // what is to be done; those before UnitGet are for others
    logic     pair;     // its arguments
    scalar_t  first;
    scalar_t  second;
    block_t   block;
  } packet_request_t;

  // What it tells.
  typedef struct packed {
    logic    busy;
    logic    outside;          // it waits for the sender or the receiver of packets
    logic    random;           // it makes a random number
    logic    random_repeats;   // it does, and random words have failed their test
    logic    clear_waits;      // a clear packet does, while an operation runs
    logic    fault;            // a check has failed
    scalar_t value;            // what came of the last request; 0 where nothing did
    logic    is_even;          // the last number
    logic    is_small;         // the last number is 0 or 1
    logic    msb_clear;        // the last number's highest bit is 0
    logic    length_exceeded;  // a number of the packet has bits above its length
    logic    is_open;          // the packet has not ended
    logic    is_short;         // more was asked for than the packet has
    logic    unanswered;       // a word of a request was taken, its answer has not ended
  } packet_status_t;

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
