// SPDX-License-Identifier: Apache-2.0
// The engine's instruction set, written by `make contract` from
// contract/instruction_set.toml: do not edit.
`default_nettype none

package engine_instruction_pkg;

  /* verilator lint_off UNUSEDPARAM */  // no module uses all of them
  localparam int unsigned QuotientDelay = 5;  // words from a quotient digit to its product
  localparam int unsigned CountBits     = 10;  // of a number of words or of passes
  localparam int unsigned BlockBits     = 7;  // of a block's number
  localparam int unsigned PageBlockBits = 5;  // of a block's number in its page
  localparam int unsigned WindowBits    = 5;  // of an exponent's window
  localparam int unsigned ScalarBits    = 16;  // of a scalar: a length, a counter
  localparam int unsigned IndexBits     = 7;  // of a scalar's number; a key has the upper half
  localparam int unsigned Counts        = 9;  // scalars of an operation
  localparam int unsigned TargetBits    = 10;  // of an instruction's place
  /* verilator lint_on UNUSEDPARAM */

  typedef logic [IndexBits-1:0] index_t;

  typedef enum logic [1:0] {
    KindProduct = 2'd0,  // an operation of the datapath
    KindWords   = 2'd1,  // an operation of the datapath on words
    KindScalar  = 2'd2,  // d = a + b + add or a - b + add; then perhaps a jump
    KindUnit    = 2'd3   // of another unit with scalars a and b and block t; its value goes to d
  } kind_e;

  typedef enum logic [2:0] {
    WordAdd      = 3'd0,  // u + v
    WordSubtract = 3'd1,  // u - v
    WordDouble   = 3'd2,  // 2 u - v, or 2 u + v where the last result was negative
    WordRestore  = 3'd3,  // u + v where the last result was negative, else u
    WordPower    = 3'd4,  // 1 as the word that the length of A names, else 0
    WordQuarter  = 3'd5   // r/4 as the word that the length of A names, else 0
  } word_op_e;

  typedef enum logic [1:0] {
    SumPlus   = 2'd0,  // a + b
    SumMinus  = 2'd1,  // a - b
    SumCommon = 2'd2   // a + b; 0 if the lowest 4 bits of a and b have no 1 in common
  } sum_e;

  typedef enum logic [3:0] {
    CondNever          = 4'd0,   // no jump
    CondAlways         = 4'd1,   // in any case
    CondZero           = 4'd2,   // the scalar that was computed is 0
    CondNotZero        = 4'd3,   // the scalar is not 0
    CondNegative       = 4'd4,   // the scalar is negative
    CondNotNegative    = 4'd5,   // the scalar is not negative
    CondBit            = 4'd6,   // the lowest bit of stream 0's window is 1
    CondSign0          = 4'd7,   // stream 0's last operation on words gave a negative number
    CondSign1          = 4'd8,   // the same of stream 1
    CondEqual          = 4'd9,   // stream 0's last operation on words gave 0
    CondEven           = 4'd10,  // the number that was read last is even
    CondSmall          = 4'd11,  // the number that was read last is 0 or 1
    CondLengthExceeded = 4'd12,  // a number of the packet has bits above its length
    CondMsbClear       = 4'd13,  // the highest bit of the number that was read last is 0
    CondOpen           = 4'd14,  // the packet has not ended
    CondShort          = 4'd15   // more was asked for than the packet has
  } cond_e;

  typedef enum logic [4:0] {
    // wait until everything is written
    UnitWaitIdle         = 5'd0,
    // the exponents from bit b of word a on, downwards
    UnitScanLoad         = 5'd1,
    // their next a bits
    UnitScan             = 5'd2,
    // what the windows choose, a words
    UnitTableGather      = 5'd3,
    // the signs of operations on words
    UnitClearSigns       = 5'd4,
    // number a of what the engine was built with
    UnitValue            = 5'd5,
    // elements of ring a: 1 is the shortest, 0 and what is not there the whole one
    UnitRing             = 5'd6,
    // a is the key slot from now on; with pair its secret numbers are read as 0
    UnitSlot             = 5'd7,
    // why the program began anew, an error; with pair whether a request lacks its answer
    UnitReadRestartCause = 5'd8,
    // the next word of the packet; with pair of a new one
    UnitGet              = 5'd9,
    // the next byte of that word, from the lowest one on
    UnitByte             = 5'd10,
    // a number of a bits to a block, as b digits; gives its digits
    UnitNumber           = 5'd11,
    // the rest of the packet
    UnitDrain            = 5'd12,
    // the word {b, a} is sent; with pair it is the packet's last one
    UnitPut              = 5'd13,
    // the same of the clock cycles
    UnitPutCycles        = 5'd14,
    // no more clock cycles are counted
    UnitStopTimer        = 5'd15,
    // a number of a bits, of the result; with pair it ends the packet, and has the digest
    UnitSend             = 5'd16,
    // b random digits to a block
    UnitRandom           = 5'd17,
    // the page that begins with the block; with pair the random words, too
    UnitWipe             = 5'd18,
    // a number of a bits is read for the digest; with pair it is compared, as b digits
    UnitDigest           = 5'd19
  } unit_op_e;

  typedef enum logic [3:0] {
    BuildDigitBits      = 4'd0,  // of a digit
    BuildMaxBits        = 4'd1,  // of a modulus
    BuildSlots          = 4'd2,  // for keys
    BuildRound          = 4'd3,  // 16 / gcd(16, digit bits)
    BuildRoundDoublings = 4'd4,  // digit bits round / 16
    BuildVersion        = 4'd5,  // of the hardware, the lowest 16 bits
    BuildVersionHigh    = 4'd6,  // the other ones
    BuildBlockWords     = 4'd7,  // of a block of the digit memory
    BuildHalfBits       = 4'd8   // of a modulus of a pair
  } build_parameter_e;

  typedef struct packed {
    kind_e               kind;         // what it is
    logic                pair;         // of both streams; of other units, a packet ends or begins
    logic                common;       // both streams have the same A
    logic                sync;         // not before all operations before it are done
    logic                window;       // A is what was gathered; of words: scan the result
    logic                table_write;  // the result is also an entry of the table
    logic                add;          // T is added, else 0
    logic                reduce;       // q M is added
    word_op_e            action;       // of an operation on words
    logic [6:0]          d;            // block or scalar of the result
    logic [6:0]          a;            // block or scalar
    logic [6:0]          b;            // block or scalar
    logic [5:0]          t;            // block in a page, and whether that is the key's
    logic [5:0]          x;            // block in a page, and whether that is the key's
    index_t [Counts-1:0] counts;       // of an operation; or an immediate
  } instruction_t;

  typedef struct packed {
    sum_e                sum;          // how scalars are added
    cond_e               condition;    // of the jump
    logic [9:0]          target;       // of the jump
    logic [15:0]         add;          // what is added; of other units, what they do
  } immediate_t;

endpackage

`default_nettype wire
