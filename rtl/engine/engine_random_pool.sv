// SPDX-License-Identifier: Apache-2.0
// A pool of random words, fetched ahead and used to the last bit, as halves in a block RAM. A test
// of the words that come in (NIST SP 800-90B, 4.4.1, repetition count):
//
//   failed = six halves in a row, each equal to the half two before: four equal words in a row
//
// Words that are uniformly distributed fail it with probability 2^-96 for each half, which is below
// 2^-86 for the halves of the longest operation. After a failure the pool is empty until a wipe.
//
// A half is given only if at least three whole words that came after it are in the pool. So each
// half that is given has passed the test with the words behind it.
//
// Timing: `draw_i` in cycle 0, the half in cycle 2. Two cycles for a word that comes in.
`include "totient_assert.svh"
`default_nettype none

module engine_random_pool
  import engine_packet_pkg::*;
#(
  parameter int unsigned Form = registered_pkg::RegisteredInferred,
  localparam int unsigned Depth     = 512,  // halves
  localparam int unsigned IndexBits = $clog2(Depth)
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        fill_i,    // words are fetched
  input  logic        wipe_i,    // a half is overwritten in each cycle, all of them in `Depth`
  input  logic        random_valid_i,
  output logic        random_ready_o,
  input  logic [31:0] random_i,
  output logic        some_o,    // a half may be drawn in this cycle and in the next one
  input  logic        draw_i,
  output half_t       half_o,
  output logic        failed_o   // words have repeated, until a wipe
);
  localparam logic [2:0] Cutoff = 3'd6;

  // A word's low half is taken in one cycle, and its high half with the handshake in the next one.
  logic        high_q, room_q, take, write_q, wrote_q, some_q, failed_q, wipe_q, empties_q, drew_q;
  logic [2:0]  run_q;
  logic [1:0]  same_q;     // by parts: as the half two before
  half_t [2:0] half_q;     // the last one first
  logic [IndexBits-1:0] in_q, out_q;
  logic [IndexBits:0]   count_q;
  assign take = (random_valid_i && room_q && fill_i) || high_q;
  always_ff @(posedge clk_i) begin
    empties_q <= !rst_ni || wipe_i || wipe_q || failed_q;
    high_q  <= take && !high_q;
    write_q <= take;
    wrote_q <= write_q;
    if (take) half_q <= {half_q[1:0], high_q ? random_i[31:16] : random_i[15:0]};
    same_q <= {half_q[0][15:8] == half_q[2][15:8], half_q[0][7:0] == half_q[2][7:0]};
    if (wrote_q) run_q <= (same_q == 2'b11) ? run_q + 3'd1 : '0;
    if (run_q == Cutoff) failed_q <= 1'b1;
    wipe_q  <= wipe_i;
    if (write_q || wipe_q) in_q <= in_q + IndexBits'(1);
    if (draw_i) out_q <= out_q + IndexBits'(1);
    drew_q  <= draw_i;
    count_q <= count_q + (IndexBits+1)'(write_q) - (IndexBits+1)'(drew_q);
    room_q  <= count_q[IndexBits:3] < (IndexBits-2)'(Depth / 8 - 1);
    some_q  <= count_q[IndexBits:3] != '0 && !failed_q;
    if (empties_q) begin
      high_q  <= 1'b0;
      write_q <= 1'b0;
      wrote_q <= 1'b0;
      run_q   <= '0;
      out_q   <= '0;
      count_q <= '0;
      drew_q  <= 1'b0;
      some_q  <= 1'b0;
    end
    if (!rst_ni || failed_q || (wipe_q && !wipe_i)) in_q <= '0;
    if (!rst_ni || wipe_i) failed_q <= 1'b0;
    if (wipe_i || wipe_q) half_q <= '0;
  end
  assign random_ready_o = high_q;
  assign some_o  = some_q;
  assign failed_o = failed_q;
  ram_registered #(.Bits(HalfBits), .Depth(Depth), .Form(Form)) u_halves (
    .clk_i, .write_i(write_q || wipe_q), .write_index_i(in_q), .write_data_i(half_q[0]),
    .read_index_i(out_q), .read_data_o(half_o)
  );
  // `count_q` has the last draw in the next cycle.
  `TOTIENT_ASSERT(Fits, count_q < (IndexBits+1)'(Depth), "more halves than there is room for")
  // By the indices, not by the count that decides.
  `TOTIENT_ASSERT(Some, !draw_i || in_q - out_q > IndexBits'(5), "a half that is not yet tested")
endmodule

`default_nettype wire
