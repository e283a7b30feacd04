// SPDX-License-Identifier: Apache-2.0
// Timing independent of secrets, by self-composition: two copies of a modexp core
// (docs/contracts.md)
// get the same requests, lengths and modulus in the same cycles, but different exponents and bases.
// Their handshakes, error codes and cycle counts are the same in every cycle.
//
// modexp_timing.ys cuts off the read data of the exponent and base memories in both copies. They
// may have any value, a different one at every read. The same words may then be written to both.
// The operand checks have the same result in both, because an error code is public.
//
// core.svh, in the .sby file, defines CORE, the module with its parameters.
//
// Scripted = 1 is for faults deep in a core, which a search through all requests does not reach.
// One key of a fixed modulus is loaded, and one exponentiation follows. It assumes more, so that
// what it refutes is refuted.
`include "core.svh"
`default_nettype none

module modexp_timing
  import modexp_pkg::*;
#(
  parameter int unsigned Width    = 8,
  parameter bit          Scripted = 1'b0
) (
  input wire logic            clk_i,
  input wire logic            reset_ni,
  input wire logic            clear_i,
  input wire modexp_request_t request_i
);
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni, clear;

  modexp_request_t  request;
  modexp_response_t first, second;
  if (Scripted) begin : gen_script
    // Steps: write the modulus, load, take the answer, exponentiate.
    localparam logic [31:0] Modulus = 32'(2 ** Width - 5);
    logic [1:0] step_q = 2'd0;
    logic       next;
    assign rst_ni = begun_q;
    assign clear  = 1'b0;
    assign next   = (step_q == 2'd2) ? first.rsp_valid : first.req_ready;
    always_ff @(posedge clk_i) if (rst_ni && next && step_q != 2'd3) step_q <= step_q + 2'd1;
    always_comb begin
      request               = '0;
      request.write         = step_q == 2'd0 && first.req_ready;
      request.write_operand = OperandModulus;
      request.write_word    = Modulus;
      request.req_valid     = step_q[0];
      request.req_op        = (step_q == 2'd3) ? ReqExponentiate : ReqLoadKey;
      request.exponent_bits = modexp_length_t'(2);
      request.rsp_ready     = step_q == 2'd2;
    end
  end else begin : gen_free
    assign rst_ni  = reset_ni && begun_q;
    assign clear   = clear_i;
    assign request = single_lane(request_i);
  end
  `CORE u_first (.clk_i, .rst_ni, .clear_i(clear), .request_i(request), .response_o(first));
  `CORE u_second (.clk_i, .rst_ni, .clear_i(clear), .request_i(request), .response_o(second));

  always_ff @(posedge clk_i) begin
    if (begun_q) begin
      SameReady : assert (first.req_ready == second.req_ready);
      SameValid : assert (first.rsp_valid == second.rsp_valid);
      SameError : assert (!first.rsp_valid || first.rsp_error == second.rsp_error);
      SameCycles : assert (!first.rsp_valid || first.rsp_cycles == second.rsp_cycles);
    end
  end
endmodule

`default_nettype wire
