// SPDX-License-Identifier: Apache-2.0
// Time that tells no secret, by self-composition: two copies of a modexp core (docs/contracts.md)
// get the same requests, lengths and modulus in the same cycles, but different exponents and bases.
// Their handshakes, error codes and cycle counts are the same in every cycle.
//
// modexp_timing.ys cuts off what the memories of exponent and base give in both copies, so that it
// is anything, and something else at every read; the same words may then be written to both. Both
// are judged alike where the operands are checked, for an error code is told to everybody.
//
// core.svh, in the .sby file, defines CORE, the module with its parameters, and LANES if it has
// ports for lanes.
`include "core.svh"
`default_nettype none

module modexp_timing
  import totient_pkg::*;
#(
  parameter int unsigned Width = 8,
  localparam int unsigned LengthBits  = count_bits(Width),
  localparam int unsigned OperandBits = operand_index_bits(Width)
) (
  input wire logic                   clk_i,
  input wire logic                   reset_ni,
  input wire logic                   clear_i,
  input wire logic                   write_i,
  input wire operand_e               write_operand_i,
  input wire logic [OperandBits-1:0] write_index_i,
  input wire logic [31:0]            write_word_i,
  input wire logic                   req_valid_i,
  input wire request_e               req_op_i,
  input wire logic [LengthBits-1:0]  exponent_bits_i,
  input wire logic                   rsp_ready_i,
  input wire logic [OperandBits-1:0] result_index_i
);
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  logic        req_ready[2], rsp_valid[2];
  error_e      rsp_error[2];
  logic [63:0] rsp_cycles[2];
  logic [31:0] unused_word[2];
  `CORE u_first (
`ifdef LANES
    .write_lane_i('0), .last_lane_i('0), .result_lane_i('0),
`endif
    .clk_i, .rst_ni, .clear_i, .write_i, .write_operand_i, .write_index_i, .write_word_i,
    .req_valid_i, .req_ready_o(req_ready[0]), .req_op_i, .exponent_bits_i,
    .rsp_valid_o(rsp_valid[0]), .rsp_ready_i, .rsp_error_o(rsp_error[0]),
    .rsp_cycles_o(rsp_cycles[0]), .result_index_i, .result_word_o(unused_word[0])
  );
  `CORE u_second (
`ifdef LANES
    .write_lane_i('0), .last_lane_i('0), .result_lane_i('0),
`endif
    .clk_i, .rst_ni, .clear_i, .write_i, .write_operand_i, .write_index_i, .write_word_i,
    .req_valid_i, .req_ready_o(req_ready[1]), .req_op_i, .exponent_bits_i,
    .rsp_valid_o(rsp_valid[1]), .rsp_ready_i, .rsp_error_o(rsp_error[1]),
    .rsp_cycles_o(rsp_cycles[1]), .result_index_i, .result_word_o(unused_word[1])
  );

  always_ff @(posedge clk_i) begin
    if (begun_q) begin
      SameReady : assert (req_ready[0] == req_ready[1]);
      SameValid : assert (rsp_valid[0] == rsp_valid[1]);
      SameError : assert (!rsp_valid[0] || rsp_error[0] == rsp_error[1]);
      SameCycles : assert (!rsp_valid[0] || rsp_cycles[0] == rsp_cycles[1]);
    end
  end
endmodule

`default_nettype wire
