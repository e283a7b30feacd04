// SPDX-License-Identifier: Apache-2.0
// The sequencer in front of the behavioural model of a core (tests only).
`default_nettype none

module rsa_sequencer_bench
  import modexp_pkg::*;
  import totient_pkg::*;
  import keygen_pkg::*;
#(
  parameter int unsigned PrimeBits    = 32,
  parameter int unsigned ExponentBits = 32,
  parameter int unsigned Width        = 64,
  localparam int unsigned IndexBits   = operand_index_bits(Width),
  localparam int unsigned LengthBits  = count_bits(PrimeBits)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         clear_i,
  input  logic                         write_i,
  input  written_e                     written_i,
  input  logic [IndexBits-1:0]         write_index_i,
  input  logic [31:0]                  write_word_i,
  input  logic                         step_valid_i,
  output logic                         step_ready_o,
  input  step_e                        step_i,
  input  logic [LengthBits-1:0]        p_bits_i,
  input  logic [LengthBits-1:0]        q_bits_i,
  input  logic [ExponentBits-1:0]      exponent_i,
  input  logic [count_bits(Width)-1:0] exponent_bits_i,
  output logic                         rsp_valid_o,
  input  logic                         rsp_ready_i,
  output logic [3:0]                   rsp_error_o,
  output logic [63:0]                  rsp_cycles_o,
  output logic [ExponentBits-1:0]      exponent_o,
  input  read_e                        read_i,
  input  logic [IndexBits-1:0]         read_index_i,
  output logic [31:0]                  read_word_o,
  output logic [63:0]                  core_cycles_o  // of the model, for its last response
);

  modexp_request_t  request;
  modexp_response_t response;

  rsa_sequencer #(
    .PrimeBits(PrimeBits), .ExponentBits(ExponentBits), .Width(Width)
  ) dut (
    .clk_i, .rst_ni, .clear_i,
    .write_i, .written_i, .write_index_i, .write_word_i,
    .step_valid_i, .step_ready_o, .step_i,
    .p_bits_i, .q_bits_i, .exponent_i, .exponent_bits_i,
    .rsp_valid_o, .rsp_ready_i, .rsp_error_o, .rsp_cycles_o, .exponent_o,
    .read_i, .read_index_i, .read_word_o,
    .modexp_request_o(request), .modexp_response_i(response)
  );

  modexp_model #(.Width(Width)) model (
    .clk_i, .rst_ni, .clear_i, .request_i(request), .response_o(response)
  );
  always_ff @(posedge clk_i) if (response.rsp_valid) core_cycles_o <= response.rsp_cycles;

endmodule

`default_nettype wire
