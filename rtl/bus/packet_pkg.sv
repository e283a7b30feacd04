// SPDX-License-Identifier: Apache-2.0
// Packets and frames, written by `make contract` from contract/contract.toml: do not edit.
`default_nettype none

package packet_pkg;

  typedef struct packed {
    logic [7:0]          zero_24;      // 0
    logic [7:0]          slot;         // the key slot of the engine
    logic [7:0]          option;       // bases less one, or the option of a command of the engine
    logic [7:0]          command;      // the command
  } request_word_t;

  typedef struct packed {
    logic [15:0]         words;        // the number of words that follow
    logic [7:0]          error;        // the result code
    logic [7:0]          command;      // the command of the request
  } response_word_t;

  typedef struct packed {
    logic                write;        // the next word is written
    logic                stream;       // the words that follow are for the stream
    logic [9:0]          zero_20;      // 0
    logic [3:0]          lanes;        // byte lanes to write
    logic [15:0]         address;      // address in bytes
  } access_word_t;

  typedef struct packed {
    logic [22:0]         zero_9;       // 0
    logic                interrupt_level;  // level of the interrupt
    logic [5:0]          zero_2;       // 0
    logic [1:0]          response;     // the response of the bus
  } access_status_word_t;

  // Responses of AXI.
  typedef enum logic [1:0] {
    BusOkay        = 2'd0,  // the access was done
    BusSlaveError  = 2'd2,  // the register refused the access
    BusDecodeError = 2'd3   // there is no register or no stream
  } bus_response_e;

  /* verilator lint_off UNUSEDPARAM */  // no module uses all of them
  localparam logic [7:0] FrameEnd           = 8'hC0;  // before and after a frame
  localparam logic [7:0] FrameEscape        = 8'hDB;  // the next byte stands for another one
  localparam logic [7:0] FrameEscapedEnd    = 8'hDC;  // after an escape: the byte C0
  localparam logic [7:0] FrameEscapedEscape = 8'hDD;  // after an escape: the byte DB
  /* verilator lint_on UNUSEDPARAM */

  // What became of a frame. A frame of this one byte tells its sender.
  typedef enum logic [1:0] {
    VerdictGood    = 2'd0,  // taken
    VerdictDamaged = 2'd1,  // checksum, stop bit, escape, or not whole words
    VerdictTooLong = 2'd2,  // longer than the frame memory
    VerdictBusy    = 2'd3   // the core has not taken the previous frame
  } verdict_e;

endpackage

`default_nettype wire
