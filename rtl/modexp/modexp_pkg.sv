// SPDX-License-Identifier: Apache-2.0
// Request and response of an exponentiator (modexp contract, docs/contracts.md). The fields are
// wide enough for every configuration. A core reads only the low bits of a field, as many as its
// own operands and lanes need.
`default_nettype none

package modexp_pkg;
  import contract_pkg::*;
  import totient_pkg::*;

  /* verilator lint_off UNUSEDPARAM */  // not every design uses MaxLanes
  localparam int unsigned MaxLanes = 256;  // bases of a request
  /* verilator lint_on UNUSEDPARAM */

  // Requests to a modexp core.
  typedef enum logic {
    ReqLoadKey      = 1'b0,  // take modulus and exponent, compute the key's constants
    ReqExponentiate = 1'b1   // result = base ^ exponent mod modulus, with the loaded key
  } request_e;

  // Operands of the modexp contract.
  typedef enum logic [1:0] {
    OperandModulus  = 2'd0,
    OperandExponent = 2'd1,
    OperandBase     = 2'd2
  } operand_e;

  typedef logic [index_bits(MaxLanes)-1:0]         modexp_lane_t;
  typedef logic [operand_index_bits(MaxBits)-1:0]  modexp_index_t;   // of a word of 32 bits
  typedef logic [count_bits(MaxBits)-1:0]          modexp_length_t;  // in bits

  // Inputs of a core, besides clock, reset and clear.
  typedef struct packed {
    // A word of an operand
    logic           write;
    operand_e       write_operand;
    modexp_lane_t   write_lane;     // of a base
    modexp_index_t  write_index;
    logic [31:0]    write_word;
    // A request
    logic           req_valid;
    request_e       req_op;
    modexp_length_t exponent_bits;  // ReqLoadKey
    modexp_lane_t   last_lane;      // ReqExponentiate: bases, less one
    // Its response, and the word of a result to be read
    logic           rsp_ready;
    modexp_lane_t   result_lane;
    modexp_index_t  result_index;
  } modexp_request_t;

  // Outputs of a core.
  typedef struct packed {
    logic        req_ready;
    logic        rsp_valid;
    error_e      rsp_error;
    logic [63:0] rsp_cycles;
    logic [31:0] result_word;  // of the index a cycle ago
  } modexp_response_t;

  // The same request with all fields for lanes 0, for a core of one lane.
  function automatic modexp_request_t single_lane(modexp_request_t request);
    modexp_request_t single;
    single             = request;
    single.write_lane  = '0;
    single.last_lane   = '0;
    single.result_lane = '0;
    return single;
  endfunction

endpackage

`default_nettype wire
