// SPDX-License-Identifier: Apache-2.0
// Memory with one write port and one registered read port: the word of `read_index_i` is output in
// the next cycle. A write is visible to reads from the next cycle on. A read of a word that is
// being written returns the old or the new word. Content is not reset. Block RAM if the device has
// it.
`include "totient_assert.svh"
`default_nettype none

module ram_block #(
  parameter int unsigned Bits  = 32,  // of a word, >= 1
  parameter int unsigned Depth = 512,  // words, >= 1
  localparam int unsigned IndexBits = totient_pkg::index_bits(Depth)
) (
  input  logic                 clk_i,
  input  logic                 write_i,
  input  logic [IndexBits-1:0] write_index_i,
  input  logic [Bits-1:0]      write_data_i,
  input  logic [IndexBits-1:0] read_index_i,
  output logic [Bits-1:0]      read_data_o
);
  `TOTIENT_REQUIRE(Size, Bits >= 1 && Depth >= 1, "Bits and Depth must be at least 1")

  (* ram_style = "block" *)
  logic [Bits-1:0] memory[Depth];

  always_ff @(posedge clk_i) begin
    if (write_i) memory[write_index_i] <= write_data_i;
    read_data_o <= memory[read_index_i];
  end
endmodule

`default_nettype wire
