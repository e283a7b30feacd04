// SPDX-License-Identifier: Apache-2.0
// Types inside the packet unit (engine_packet_io.sv): its states, and what it is asked for.
`default_nettype none

package engine_packet_pkg;
  import engine_pkg::*;

  // Numbers of the state's bits: exactly one of them is set.
  typedef enum int unsigned {
    StIdle,    // nothing is asked for
    StBegin,   // what is asked for is decoded
    StGet,     // UnitGet waits for a word
    StWord,    // UnitNumber waits for one
    StFill,    // the word goes into the ring
    StLook,    // its value is found, three cycles:
    StWeigh,
    StTell,
    StByte,    // a byte is moved down
    StIn,      // bits go from the word to the digit
    StDrain,   // the rest of a packet is taken
    StAhead,   // the first digits are read
    StOut,     // bits go from the digit to the word
    StCheck,   // the word's copies are compared, two cycles:
    StSure,
    StOffer,   // a word is offered
    StRandom,  // a random word is waited for
    StDigit,   // it is a digit
    StPause,   // digits are written, and read again
    StWipe,    // zeros are written
    States
  } state_e;
  typedef logic [States-1:0] state_t;

  // What is asked for, in the cycle after.
  typedef struct packed {
    logic starts;       // now
    logic starts_own;   // now, and it is for this unit
    logic starts_put;   // now, UnitPut or UnitPutCycles
    logic get;          // which of unit_op_e it is
    logic next_byte;
    logic number;
    logic put;
    logic put_cycles;
    logic stop_timer;
    logic send;
    logic random;
    logic wipe;
    logic puts;         // UnitPut or UnitPutCycles
    logic no_bits;      // `first` is 0
    logic pair;         // its arguments
    scalar_t first;
    scalar_t second;
  } packet_op_t;

  // The state behind StBegin, where it hangs on more than the operation.
  typedef struct packed {
    logic get;
    logic word;
    logic in;
    logic drain;
    logic idle;
    logic take;  // one in which a word is taken
  } packet_entry_t;

  // What is left of a number: bits, with a sign.
  localparam int unsigned LeftBits = 14;
  typedef logic [LeftBits-1:0] left_t;
endpackage

`default_nettype wire
