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
`include "core.svh"
`default_nettype none

module modexp_timing
  import modexp_pkg::*;
#(
  parameter int unsigned Width = 8
) (
  input wire logic            clk_i,
  input wire logic            reset_ni,
  input wire logic            clear_i,
  input wire modexp_request_t request_i
);
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  modexp_request_t  request;
  modexp_response_t first, second;
  assign request = single_lane(request_i);
  `CORE u_first (.clk_i, .rst_ni, .clear_i, .request_i(request), .response_o(first));
  `CORE u_second (.clk_i, .rst_ni, .clear_i, .request_i(request), .response_o(second));

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
