// SPDX-License-Identifier: Apache-2.0
// A queue of halves that go out, first in first out, and how many may be fetched for it:
//
//   due = steps of the fetch - halves that have left <= 15
//
// A half that leaves is counted a cycle later. A half that is due has a place in the queue. `go_o`
// looks at the count of the cycle before, and two more steps may be on their way to the count. One
// half stays: halves are fetched beyond the end of a number.
`include "totient_assert.svh"
`default_nettype none

module engine_half_queue
  import engine_packet_pkg::*;
(
  input  logic  clk_i,
  /* verilator lint_off UNUSEDSIGNAL */  // of the assertions
  input  logic  rst_ni,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic  clear_i,   // it is empty
  input  logic  wipe_i,    // a word is overwritten in each cycle, all of them in 16
  input  logic  step_i,    // of the fetch
  output logic  go_o,      // there is room for another step
  input  logic  write_i,
  input  half_t half_i,    // 0 with `wipe_i`
  output logic  soon_o,    // a half may be taken in the next cycle, whether one is taken now or not
  output logic  some_o,    // the same of the cycle before
  input  logic  pop_i,
  output logic  popped_o,  // a half has left in the cycle before
  output half_t half_o
);
  logic [3:0] in_q, out_q;
  logic [4:0] due_q, held_q;
  logic       popped_q, some_q;
  always_ff @(posedge clk_i) begin
    if (write_i || wipe_i) in_q <= in_q + 4'd1;
    if (pop_i) out_q <= out_q + 4'd1;
    popped_q <= pop_i;
    some_q   <= soon_o;
    due_q    <= due_q + 5'(step_i) - 5'(popped_q);
    held_q   <= held_q + 5'(write_i) - 5'(popped_q);
    if (clear_i) begin
      in_q     <= '0;
      out_q    <= '0;
      popped_q <= 1'b0;
      due_q    <= '0;
      held_q   <= '0;
      some_q   <= 1'b0;
    end
  end
  assign go_o     = !due_q[4] && due_q[3:1] != 3'b111;
  assign some_o   = some_q;
  assign soon_o   = held_q[4:2] != '0 || (held_q[1] && (held_q[0] || !popped_q));
  assign popped_o = popped_q;
  ram_distributed #(.Bits(HalfBits), .Depth(16)) u_halves (
    .clk_i, .write_i(write_i || wipe_i), .write_index_i(in_q), .write_data_i(half_i),
    .read_index_i(out_q), .read_data_o(half_o)
  );
  `TOTIENT_ASSERT(Room, clear_i || due_q <= 5'd15, "more halves are due than there is room")
  `TOTIENT_ASSERT(Some, !pop_i || held_q > 5'(popped_q), "a half is taken that is not there")
endmodule

`default_nettype wire
