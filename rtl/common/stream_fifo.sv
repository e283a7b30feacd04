// SPDX-License-Identifier: Apache-2.0
// FIFO between two streams. A word is offered from the cycle after it was accepted. Words are
// accepted while there is room, independently of the other side in that cycle.
`include "totient_assert.svh"
`default_nettype none

module stream_fifo #(
  parameter int unsigned Bits  = 16,  // of a word, >= 1
  parameter int unsigned Depth = 4    // words, a power of two, >= 2
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            clear_i,  // empty it and overwrite its words
  input  logic            valid_i,
  output logic            ready_o,
  input  logic [Bits-1:0] data_i,
  output logic            valid_o,
  input  logic            ready_i,
  output logic [Bits-1:0] data_o
);
  localparam int unsigned IndexBits = totient_pkg::index_bits(Depth);
  `TOTIENT_REQUIRE(Depth, Depth >= 2 && (1 << IndexBits) == Depth,
                   "Depth must be a power of two and at least 2")
  `TOTIENT_REQUIRE(Bits, Bits >= 1, "Bits must be at least 1")

  logic [Bits-1:0]    memory[Depth];
  logic [IndexBits:0] write_q, read_q;  // one bit more than an index distinguishes full from empty

  assign ready_o = (write_q - read_q) != (IndexBits + 1)'(Depth);
  assign valid_o = write_q != read_q;
  assign data_o  = memory[read_q[IndexBits-1:0]];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      write_q <= '0;
      read_q  <= '0;
      for (int unsigned i = 0; i < Depth; i++) memory[i] <= '0;
    end else begin
      if (valid_i && ready_o) begin
        memory[write_q[IndexBits-1:0]] <= data_i;
        write_q <= write_q + (IndexBits + 1)'(1);
      end
      if (valid_o && ready_i) read_q <= read_q + (IndexBits + 1)'(1);
    end
  end

  `TOTIENT_ASSERT_STABLE_UNLESS(OutputStable, valid_o, ready_i, data_o, clear_i)
endmodule

`default_nettype wire
