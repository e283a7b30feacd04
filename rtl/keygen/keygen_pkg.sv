// SPDX-License-Identifier: Apache-2.0
// Types of the key generator; docs/contracts.md explains them.
`default_nettype none

package keygen_pkg;

  // What a prime's words are written to.
  typedef enum logic {
    PrimeP = 1'b0,
    PrimeQ = 1'b1
  } prime_e;

  // Numbers that can be read when a key is there.
  typedef enum logic [1:0] {
    NumberModulus  = 2'd0,  // n = p q
    NumberPrivate  = 2'd1,  // d
    NumberTotient  = 2'd2   // (p - 1) (q - 1)
  } number_e;

  // Steps of rsa_sequencer, the numbers that are written for them, and those that can be read.
  typedef enum logic [2:0] {
    StepGenerate = 3'd0, StepPublic = 3'd1, StepPrivate = 3'd2, StepGiven = 3'd3, StepMessage = 3'd4
  } step_e;
  typedef enum logic [2:0] {
    WriteP = 3'd0, WriteQ = 3'd1, WriteModulus = 3'd2, WriteExponent = 3'd3, WriteMessage = 3'd4
  } written_e;
  typedef enum logic [1:0] {
    ReadModulus = 2'd0, ReadPrivate = 2'd1, ReadTotient = 2'd2, ReadResult = 2'd3
  } read_e;

endpackage

`default_nettype wire
