// SPDX-License-Identifier: Apache-2.0
// Proof that time and addresses of the engine's window unit depend on no secret, by
// self-composition: two copies get the same requests, but different exponents and powers.
//
//   SameBusy      both are busy in the same cycles, and use the same buffer
//   SameExponent  both read the same word of the exponents
//   SameTable     both read the same row of the table, in each bank
//   SameKept      both write the same place of the same buffer
//
// The data of exponents and table are cut off in both copies: they may have any value, a different
// one at every read. Both copies begin with the same content of their registers.
`default_nettype none

module engine_window_formal
  import engine_instruction_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Bits      = 18,
  parameter int unsigned PlaceBits = 2,
  parameter int unsigned Banks     = 8,
  localparam int unsigned SideBits = PlaceBits + 1
) (
  input wire logic                  clk_i,
  input wire logic                  reset_ni,
  input wire logic                  wipe_i,
  input wire logic [SideBits+$clog2((1<<WindowBits)/Banks)-1:0] wipe_index_i,
  input wire logic                  table_write_i,
  input wire logic                  exponent_write_i,
  input wire logic [WindowBits-1:0] entry_i,
  input wire logic [SideBits-1:0]   place_i,
  input wire logic [Bits-1:0]       first_data_i,
  input wire logic [Bits-1:0]       second_data_i,
  input wire window_request_t       request_i,
  input wire logic [SideBits:0]     read_i
);
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  window_status_t first, second;
  logic [Bits-1:0] first_word, second_word;
  engine_window #(.Bits(Bits), .PlaceBits(PlaceBits), .Banks(Banks)) u_first (
    .clk_i, .rst_ni, .wipe_i, .wipe_index_i, .table_write_i, .exponent_write_i, .entry_i, .place_i,
    .data_i(first_data_i), .request_i, .status_o(first), .read_i, .word_o(first_word)
  );
  engine_window #(.Bits(Bits), .PlaceBits(PlaceBits), .Banks(Banks)) u_second (
    .clk_i, .rst_ni, .wipe_i, .wipe_index_i, .table_write_i, .exponent_write_i, .entry_i, .place_i,
    .data_i(second_data_i), .request_i, .status_o(second), .read_i, .word_o(second_word)
  );
  logic unused;
  assign unused = ^{first_word, second_word, first.window, second.window};

  always_ff @(posedge clk_i) begin
    if (begun_q) begin
      SameBusy : assert (first.busy == second.busy && first.buffer == second.buffer);
      SameExponent : assert (u_first.place_q == u_second.place_q
                             && u_first.read_q[1] == u_second.read_q[1]
                             && u_first.exponent_write_q == u_second.exponent_write_q
                             && u_first.write_place_q == u_second.write_place_q);
      SameTable : assert (u_first.row_q == u_second.row_q && u_first.here == u_second.here
                          && u_first.bank_write_q == u_second.bank_write_q
                          && u_first.write_row_q == u_second.write_row_q);
      SameKept : assert (u_first.keep_q == u_second.keep_q && u_first.index_q == u_second.index_q);
    end
  end
endmodule

`default_nettype wire
