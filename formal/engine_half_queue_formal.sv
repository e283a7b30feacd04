// SPDX-License-Identifier: Apache-2.0
// Proof of the queue of halves between the digits and the packet:
//
//   InOrder   every half leaves once, in order, unchanged
//   Room      no more are due than it has places for (in the RTL)
//   Some      none is taken that is not there (in the RTL)
//
// Steps follow `go_o` by a cycle. Each may bring a half, at any time later. Halves are taken when
// the queue says so, at any time.
`default_nettype none

module engine_half_queue_formal
  import engine_packet_pkg::*;
(
  input wire logic  clk_i,
  input wire logic  clear_i,
  input wire logic  wants_i,  // a step is wanted
  input wire logic  write_i,
  input wire logic  take_i,
  input wire logic  mark_i,   // follow the half that is written now
  input wire half_t half_i
);
  logic begun_q = 1'b0;  // every run begins empty
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni, clear, go_o, some_o, pop, popped_o, soon_o, some_q = 1'b0, step_q = 1'b0;
  half_t half_o;
  assign rst_ni = begun_q;
  assign clear  = clear_i || !begun_q;
  assign pop    = take_i && some_q && !clear;
  always_ff @(posedge clk_i) some_q <= soon_o && !clear;
  engine_half_queue u_dut (
    .clk_i, .rst_ni, .clear_i(clear), .wipe_i(1'b0), .step_i(step_q), .go_o,
    .write_i, .half_i, .soon_o, .some_o, .pop_i(pop), .popped_o, .half_o
  );

  logic [4:0] coming_q = '0;  // halves of steps that have not come
  always_ff @(posedge clk_i) begin
    step_q   <= wants_i && go_o && !clear;
    coming_q <= clear ? '0 : coming_q + 5'(step_q) - 5'(write_i);
    if (write_i) OfSteps : assume (coming_q != '0 && !clear);
  end

  logic [4:0] held;  // without the half that is counted now
  assign held = u_dut.held_q - 5'(popped_o);
  logic       marked_q = 1'b0;
  half_t      mark_q;
  logic [4:0] ahead_q;        // halves before it
  always_ff @(posedge clk_i) begin
    if (marked_q && pop) begin
      ahead_q <= ahead_q - 5'd1;
      if (ahead_q == '0) marked_q <= 1'b0;
    end else if (!marked_q && mark_i && write_i) begin
      marked_q <= 1'b1;
      mark_q   <= half_i;
      ahead_q  <= held - 5'(pop);
    end
    if (clear) marked_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (begun_q) begin
      if (marked_q && pop && ahead_q == '0) InOrder : assert (half_o == mark_q);
      // By induction.
      Counts : assert (held == {1'b0, 4'(u_dut.in_q - u_dut.out_q)}
                       && u_dut.due_q == u_dut.held_q + coming_q && u_dut.due_q <= 5'd15
                       && coming_q <= u_dut.due_q);
      Spare : assert (6'(u_dut.due_q) + 6'(step_q) <= 6'd15);
      Same : assert (some_o == some_q);
      if (some_q) There : assert (held != '0);
      if (marked_q) begin
        Kept : assert (ahead_q < held
                       && u_dut.u_halves.memory[4'(u_dut.out_q + ahead_q[3:0])] == mark_q);
      end
    end
  end
endmodule

`default_nettype wire
