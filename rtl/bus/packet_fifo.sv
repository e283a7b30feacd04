// SPDX-License-Identifier: Apache-2.0
// FIFO for the words of packets, in distributed RAM. A word is offered two cycles after it was
// accepted. So that no operand stays here, a delivered word is overwritten: by 0 in the first cycle
// without an incoming word, unless a new word has replaced it before. After a reset or `wipe_i` all
// words are overwritten, which takes `Depth` cycles (`wiping_o`). During that time no word is
// accepted or offered.
`include "totient_assert.svh"
`default_nettype none

module packet_fifo #(
  parameter int unsigned Bits  = 32,  // of a word
  parameter int unsigned Depth = 32,  // words, a power of two, >= 2
  localparam int unsigned LevelBits = totient_pkg::count_bits(Depth + 1)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 wipe_i,
  output logic                 wiping_o,
  input  logic                 valid_i,
  output logic                 ready_o,
  input  logic [Bits-1:0]      data_i,
  input  logic                 last_i,
  output logic                 valid_o,
  input  logic                 ready_i,
  output logic [Bits-1:0]      data_o,
  output logic                 last_o,
  output logic [LevelBits-1:0] level_o,  // words inside, the offered one included
  output logic [LevelBits-1:0] room_o    // words that it accepts before any leaves
);
  localparam int unsigned IndexBits = totient_pkg::index_bits(Depth);
  `TOTIENT_REQUIRE(Depth, Depth >= 2 && (1 << IndexBits) == Depth,
                   "Depth must be a power of two and at least 2")
  `TOTIENT_REQUIRE(Bits, Bits >= 1, "Bits must be at least 1")

  // One bit more than an index distinguishes full from empty. Words from `wiped_q` to `read_q` have
  // been delivered, and are still in the memory.
  logic [IndexBits:0] write_q, read_q, wiped_q, held;
  logic               take, give, stale, replaced, wiping_q;
  logic [Bits:0]      word;
  assign wiping_o = wiping_q;
  assign held     = write_q - read_q;
  assign ready_o  = !wiping_q && held != (IndexBits + 1)'(Depth);
  assign take     = valid_i && ready_o;
  assign give     = !wiping_q && held != '0 && (!valid_o || ready_i);
  assign stale    = wiped_q != read_q;
  assign replaced = take && (write_q - wiped_q) == (IndexBits + 1)'(Depth);
  assign level_o  = wiping_q ? '0 : LevelBits'(held) + LevelBits'(valid_o);
  assign room_o   = wiping_q ? '0 : LevelBits'(Depth) - LevelBits'(held);

  ram_distributed #(.Bits(Bits + 1), .Depth(Depth)) u_words (
    .clk_i, .write_i(take || stale),
    .write_index_i(take ? write_q[IndexBits-1:0] : wiped_q[IndexBits-1:0]),
    .write_data_i(take ? {last_i, data_i} : '0),
    .read_index_i(read_q[IndexBits-1:0]), .read_data_o(word)
  );

  always_ff @(posedge clk_i) begin
    if (take) write_q <= write_q + (IndexBits + 1)'(1);
    if (give) read_q <= read_q + (IndexBits + 1)'(1);
    if (!valid_o || ready_i) begin
      valid_o          <= give;
      {last_o, data_o} <= give ? word : '0;
    end
    if (take ? replaced : stale) wiped_q <= wiped_q + (IndexBits + 1)'(1);
    if (wiped_q == (IndexBits + 1)'(Depth - 1)) wiping_q <= 1'b0;
    if (!rst_ni || wipe_i) begin
      // As if all words had just been delivered.
      write_q          <= (IndexBits + 1)'(Depth);
      read_q           <= (IndexBits + 1)'(Depth);
      wiped_q          <= '0;
      wiping_q         <= 1'b1;
      valid_o          <= 1'b0;
      {last_o, data_o} <= '0;
    end
  end

  `TOTIENT_ASSERT_STABLE_UNLESS(OutputStable, valid_o, ready_i, {data_o, last_o}, wipe_i)
endmodule

`default_nettype wire
