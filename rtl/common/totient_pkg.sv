// SPDX-License-Identifier: Apache-2.0
// Types and width functions that every core shares; docs/contracts.md explains them.
`default_nettype none

package totient_pkg;

  // What a modexp core is asked to do.
  typedef enum logic {
    ReqLoadKey      = 1'b0,  // take modulus and exponent, compute the key's constants
    ReqExponentiate = 1'b1   // result = base ^ exponent mod modulus, with the key held
  } request_e;

  // Error codes of the modexp and of the stream contract. The numbers are part of the contract.
  typedef enum logic [3:0] {
    ErrNone             = 4'd0,
    ErrCommand          = 4'd1,   // unknown command, reserved bits set, too many bases
    ErrPacketShort      = 4'd2,   // the packet ended before its last word
    ErrPacketLong       = 4'd3,   // the packet went on after its last word
    ErrLength           = 4'd4,   // a stated length beyond the core, or bits set above it
    ErrExponentEmpty    = 4'd5,   // exponent length 0 (an exponent of value 0 is allowed)
    ErrModulusEven      = 4'd6,
    ErrModulusSmall     = 4'd7,   // modulus 0 or 1
    ErrBaseNotBelow     = 4'd8,   // base >= modulus
    ErrNoKey            = 4'd9,   // exponentiate before a key was loaded
    ErrAborted          = 4'd10   // a clear request ended the operation
  } error_e;

  // Operands of the modexp contract.
  typedef enum logic [1:0] {
    OperandModulus  = 2'd0,
    OperandExponent = 2'd1,
    OperandBase     = 2'd2
  } operand_e;

  // What a core's time depends on (reported by the info packet, promised by the catalog).
  typedef enum logic [1:0] {
    TimeExponentValue  = 2'd0,  // on the exponent's value
    TimeExponentLength = 2'd1,  // on the exponent's stated length only
    TimeOperands       = 2'd2   // on the exponent and on the values of the products
  } timing_e;

  // Commands of the stream contract (first byte of a request packet).
  typedef enum logic [7:0] {
    CmdInfo         = 8'd1,
    CmdLoadKey      = 8'd2,
    CmdExponentiate = 8'd3,
    CmdClear        = 8'd4
  } command_e;

  /* verilator lint_off UNUSEDPARAM */  // no design uses all constants

  // Hardware version, reported by the info packet: major, minor, patch in a byte each.
  localparam logic [23:0] Version = 24'h00_01_00;

  // Forms of the word multipliers (rtl/prim/multiply_add.sv).
  localparam int unsigned MultiplyInferred = 0;
  localparam int unsigned MultiplyRows7    = 1;

  /* verilator lint_on UNUSEDPARAM */

  // Bits of an index into `depth` entries; never 0.
  function automatic int unsigned index_bits(int unsigned depth);
    return (depth > 1) ? unsigned'($clog2(depth)) : 1;
  endfunction

  // Bits of a counter that holds 0 .. `most` inclusive; never 0.
  function automatic int unsigned count_bits(int unsigned most);
    return (most > 0) ? unsigned'($clog2(most + 1)) : 1;
  endfunction

  // Words of `word_bits` needed for `bits`.
  function automatic int unsigned words_of(int unsigned bits, int unsigned word_bits);
    return (bits + word_bits - 1) / word_bits;
  endfunction

  // Bits of the index of an operand's word of 32 bits.
  function automatic int unsigned operand_index_bits(int unsigned width);
    return index_bits(words_of(width, 32));
  endfunction

endpackage

`default_nettype wire
