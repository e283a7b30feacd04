// SPDX-License-Identifier: Apache-2.0
// The contract's numbers, written by `make contract` from contract/contract.toml: do not
// edit.
`default_nettype none

package contract_pkg;

  // What became of a request: 0 to 10 of every core, the others of keys and the engine.
  typedef enum logic [3:0] {
    // done
    ErrNone           = 4'd0,
    // the core does not know the command
    ErrCommand        = 4'd1,
    // the request ended before its last word
    ErrPacketShort    = 4'd2,
    // the request went on after its last word
    ErrPacketLong     = 4'd3,
    // a number is longer than the core or the modulus allows, or has bits above its length
    ErrLength         = 4'd4,
    // the exponent has no bits
    ErrExponentEmpty  = 4'd5,
    // the modulus is even
    ErrModulusEven    = 4'd6,
    // the modulus is 0 or 1
    ErrModulusSmall   = 4'd7,
    // the message is not below the modulus
    ErrBaseNotBelow   = 4'd8,
    // no key is loaded
    ErrNoKey          = 4'd9,
    // a clear ended the operation
    ErrAborted        = 4'd10,
    // a prime is even or below 3, both are the same, or they are not of the modulus
    ErrPrime          = 4'd11,
    // the public exponent is 1, even or not coprime to the totient
    ErrPublicExponent = 4'd12,
    // the core did not receive random words in time
    ErrRandom         = 4'd13,
    // a check in the core failed, and it released nothing
    ErrFault          = 4'd14,
    // the random words repeat: their source has failed
    ErrRandomRepeats  = 4'd15
  } error_e;

  // First byte of a request packet, and of its response.
  typedef enum logic [7:0] {
    CmdInfo         = 8'd1,  // the core's identity, limits and timing class
    CmdLoadKey      = 8'd2,  // a modulus and an exponent
    CmdExponentiate = 8'd3,  // exponentiate one or more bases with the loaded key
    CmdClear        = 8'd4,  // clear all keys and all data derived from them
    CmdLoadRsaKey   = 8'd5,  // an RSA key: public, with d, or with its primes
    CmdPrivate      = 8'd6,  // a private operation, blinded and checked
    CmdPublic       = 8'd7,  // a public operation
    CmdLoadPair     = 8'd8,  // two moduli with an exponent each
    CmdSelfTest     = 8'd9,  // an exponentiation with a known result
    CmdRandomWords  = 8'd10  // random words for an engine behind registers or a serial line
  } command_e;

  // What a core's time depends on: the info packet reports it.
  typedef enum logic [1:0] {
    TimeExponentValue  = 2'd0,  // depends on the exponent's value
    TimeExponentLength = 2'd1,  // depends on the exponent's length only
    TimeOperands       = 2'd2   // depends on the exponent and on the operands
  } timing_e;

  /* verilator lint_off UNUSEDPARAM */  // no design uses all constants
  // Hardware version, as the info packet has it: major, minor, patch in a byte each.
  localparam logic [23:0] Version = 24'h00_01_00;
  localparam int unsigned MaxBits = 4096;  // of a modulus
  /* verilator lint_on UNUSEDPARAM */

endpackage

`default_nettype wire
