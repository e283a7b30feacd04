// SPDX-License-Identifier: Apache-2.0
// Types inside the packet unit (engine_packet_io.sv): its states, and its request.
`default_nettype none

package engine_packet_pkg;
  import engine_pkg::*;

  // Bits of the half of a packet's word.
  localparam int unsigned HalfBits = 16;
  typedef logic [HalfBits-1:0] half_t;

  // Numbers of the state's bits: exactly one of them is set.
  typedef enum int unsigned {
    StIdle,    // no request
    StBegin,   // the request is decoded
    StGet,     // UnitGet waits for a word
    StLook,    // its value is found, two cycles:
    StTell,
    StDrain,   // the rest of a packet is taken
    StIn,      // halves go to digits
    StPause,   // the last digits are written
    StOut,     // digits go to halves
    StSure,    // their digest is compared
    StPut,     // the word of UnitPut or UnitPutCycles is loaded
    StOffer,   // a word is offered
    StWipe,    // zeros are written
    States
  } state_e;
  typedef logic [States-1:0] state_t;

  // The request, in the cycle after.
  typedef struct packed {
    logic starts;       // now
    logic starts_own;   // now, and it is for this unit
    logic get;          // which of unit_op_e it is
    logic next_byte;
    logic number;
    logic put;
    logic put_cycles;
    logic stop_timer;
    logic send;
    logic digest;
    logic random;
    logic wipe;
    logic puts;         // UnitPut or UnitPutCycles
    logic no_bits;      // `first` is 0
    logic pair;         // its arguments
    scalar_t first;
    scalar_t second;
  } packet_op_t;

  // The state behind StBegin, if it depends on more than the operation.
  typedef struct packed {
    logic get;
    logic drain;
    logic out;
    logic idle;
    logic take;  // one in which a word is taken
  } packet_entry_t;

  // Bits of a number less one, with a sign: the higher part counts words.
  localparam int unsigned LeftBits = 15;
  typedef logic [LeftBits-1:0] left_t;
endpackage

`default_nettype wire
