// SPDX-License-Identifier: Apache-2.0
// What holds of a packet_fifo in every cycle, for proofs by induction of a module that contains
// one and has order_properties for its words: the pointers, the level, and the followed word's
// place.
`default_nettype none

module packet_fifo_invariant #(
  parameter int unsigned Bits  = 33,  // of a word with its `last`
  parameter int unsigned Depth = 2,
  localparam int unsigned PlaceBits = totient_pkg::index_bits(Depth),
  localparam int unsigned LevelBits = totient_pkg::count_bits(Depth + 2)
) (
  input wire logic                  clk_i,
  input wire logic                  rst_ni,
  input wire logic                  clear_i,
  // Of order_properties.
  input wire logic [LevelBits-1:0]  level_i,
  input wire logic                  marked_i,
  input wire logic [LevelBits-1:0]  ahead_i,
  input wire logic [Bits-1:0]       data_i,
  // Of the FIFO.
  input wire logic [PlaceBits:0]    write_i,
  input wire logic [PlaceBits:0]    read_i,
  input wire logic [PlaceBits:0]    wiped_i,
  input wire logic                  wiping_i,
  input wire logic                  valid_i,
  input wire logic [Bits-1:0]       word_i,
  output logic [PlaceBits-1:0]      place_o,  // of the followed word, if the memory holds it
  input wire logic [Bits-1:0]       stored_i  // in that place
);
  typedef logic [PlaceBits:0] pointer_t;
  pointer_t held, stale;
  logic     offered;
  assign held    = write_i - read_i;
  assign stale   = write_i - wiped_i;
  assign offered = valid_i && ahead_i == '0;
  assign place_o = PlaceBits'(read_i + pointer_t'(ahead_i) - pointer_t'(valid_i));
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      Empty : assert (!clear_i || (held == '0 && !valid_i));
      Wiping : assert (!wiping_i || (clear_i && 32'(write_i) == Depth && 32'(wiped_i) < Depth));
      Pointers : assert (wiping_i || (32'(stale) <= Depth && held <= stale));
      if (!clear_i) begin
        Level : assert (32'(level_i) == 32'(held) + 32'(valid_i));
        Followed : assert (!marked_i || (ahead_i < level_i
                                         && data_i == (offered ? word_i : stored_i)));
      end
    end
  end
endmodule

`default_nettype wire
