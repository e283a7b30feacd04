// SPDX-License-Identifier: Apache-2.0
// Proof that the engine's control unit shows nothing of the numbers but by a jump, by
// self-composition: two copies run the same program, any one, with the same lengths and packets.
// Signs and zeros of results and the bits of windows may differ, in every cycle but those in which
// a jump on one of them is decided.
//
//   SameCourse      both are in the same state at the same place of the program
//   SameScalars     both write the same scalars
//   SameOperations, SameWindows, SamePackets
//                   both ask the datapath, the window unit and the packet unit for the same, in the
//                   same cycles
//
// totient.prove shows which jumps the program has on them.
`default_nettype none

module engine_control_formal
  import engine_instruction_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Slots = 1
) (
  input wire logic             clk_i,
  input wire logic             reset_ni,
  input wire logic             ready_i,
  input wire datapath_status_t datapath_i,
  input wire datapath_status_t other_datapath_i,
  input wire window_status_t   window_i,
  input wire window_status_t   other_window_i,
  input wire packet_status_t   packet_status_i
);
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  // What may differ: signs, zeros, windows; not while a jump on them is decided.
  logic             decides;
  datapath_status_t other_datapath;
  window_status_t   other_window;
  always_comb begin
    other_datapath      = decides ? datapath_i : other_datapath_i;
    other_datapath.idle = datapath_i.idle;
    other_window        = decides ? window_i : other_window_i;
    other_window.busy   = window_i.busy;
    other_window.buffer = window_i.buffer;
  end

  logic            first_rst_n, second_rst_n, first_valid, second_valid, first_clear, second_clear;
  logic            first_public, second_public;
  operation_t      first_operation, second_operation;
  window_request_t first_window, second_window;
  packet_request_t first_packet, second_packet;
  engine_control #(.Slots(Slots)) u_first (
    .clk_i, .rst_ni, .datapath_rst_no(first_rst_n), .valid_o(first_valid),
    .operation_o(first_operation), .ready_i, .clear_signs_o(first_clear),
    .public_only_o(first_public),
    .datapath_status_i(datapath_i), .window_request_o(first_window), .window_status_i(window_i),
    .packet_request_o(first_packet), .packet_status_i
  );
  engine_control #(.Slots(Slots)) u_second (
    .clk_i, .rst_ni, .datapath_rst_no(second_rst_n), .valid_o(second_valid),
    .operation_o(second_operation), .ready_i, .clear_signs_o(second_clear),
    .public_only_o(second_public),
    .datapath_status_i(other_datapath), .window_request_o(second_window),
    .window_status_i(other_window), .packet_request_o(second_packet), .packet_status_i
  );

  localparam int unsigned Jump = 11;  // state StJump
  cond_e condition;
  assign condition = u_first.immediate.condition;
  assign decides = u_first.state_q[Jump] && u_first.scalar
                   && (condition == CondBit || condition == CondSign0 || condition == CondSign1
                       || condition == CondEqual);
  // Both read the same program, any one: an instruction stays once it is fetched, until the program
  // begins anew. They read the same scalars, as both have written the same (SameScalars).
  localparam int unsigned Stop = 0, Fetch = 1;  // states
  instruction_t read_q;
  always_ff @(posedge clk_i) read_q <= u_first.read_instruction;
  always_comb begin
    assume (u_first.read_instruction == u_second.read_instruction);
    assume (u_first.state_q[Fetch] || u_first.state_q[Stop]
            || u_first.read_instruction == read_q);
    assume (u_first.u_scalars.read_o == u_second.u_scalars.read_o);
  end

  // All registers, but for the choice of a jump.
  logic same_course, same_scalars;
  assign same_course =
      u_first.state_q == u_second.state_q &&
      u_first.step_q == u_second.step_q &&
      u_first.place_q == u_second.place_q &&
      u_first.next_q == u_second.next_q &&
      u_first.inverted_q == u_second.inverted_q &&
      u_first.next_inverted_q == u_second.next_inverted_q &&
      u_first.instruction == u_second.instruction &&
      u_first.page_q == u_second.page_q &&
      u_first.cause_q == u_second.cause_q &&
      u_first.reason_q == u_second.reason_q &&
      u_first.watch_q == u_second.watch_q &&
      u_first.stops_q == u_second.stops_q &&
      u_first.astray_q == u_second.astray_q &&
      u_first.outside_q == u_second.outside_q &&
      u_first.is_value_q == u_second.is_value_q &&
      u_first.is_restart_cause_q == u_second.is_restart_cause_q &&
      u_first.is_slot_q == u_second.is_slot_q &&
      u_first.is_scan_load_q == u_second.is_scan_load_q &&
      u_first.is_scan_q == u_second.is_scan_q &&
      u_first.is_gather_q == u_second.is_gather_q &&
      u_first.is_clear_signs_q == u_second.is_clear_signs_q &&
      u_first.needs_idle_q == u_second.needs_idle_q &&
      u_first.unit_op_q == u_second.unit_op_q &&
      u_first.for_idle_q == u_second.for_idle_q &&
      u_first.for_window_q == u_second.for_window_q &&
      u_first.waits_q == u_second.waits_q &&
      u_first.scan_load_q == u_second.scan_load_q &&
      u_first.scan_q == u_second.scan_q &&
      u_first.gather_q == u_second.gather_q &&
      u_first.scan_bits_q == u_second.scan_bits_q &&
      u_first.built == u_second.built;
  assign same_scalars =
      u_first.u_scalars.write_q == u_second.u_scalars.write_q &&
      u_first.u_scalars.low_q == u_second.u_scalars.low_q &&
      u_first.u_scalars.high_q == u_second.u_scalars.high_q &&
      u_first.u_scalars.index_q == u_second.u_scalars.index_q &&
      u_first.u_scalars.part_q == u_second.u_scalars.part_q &&
      u_first.u_scalars.counts_q == u_second.u_scalars.counts_q &&
      u_first.u_scalars.x_q == u_second.u_scalars.x_q &&
      u_first.u_scalars.y_q == u_second.u_scalars.y_q &&
      u_first.u_scalars.add_q == u_second.u_scalars.add_q &&
      u_first.u_scalars.value_q == u_second.u_scalars.value_q &&
      u_first.u_scalars.carry_q == u_second.u_scalars.carry_q &&
      u_first.u_scalars.common_q == u_second.u_scalars.common_q &&
      u_first.u_scalars.sum_q == u_second.u_scalars.sum_q &&
      u_first.u_scalars.zero_o == u_second.u_scalars.zero_o;

  localparam int unsigned Offer = 4, Decide = 12, Next = 13;  // states
  logic [1:0] group;
  assign group = condition[3:2];
  always_ff @(posedge clk_i) begin
    if (begun_q) begin
      SameCourse : assert (same_course);
      SameScalars : assert (same_scalars);
      SameChoice : assert (!(u_first.state_q[Decide] && u_first.scalar)
                           || u_first.group_q[group] == u_second.group_q[group]);
      SameJump : assert (!u_first.state_q[Next] || u_first.jumps_q == u_second.jumps_q);
      NoJump : assert (!u_first.state_q[Offer]
                       || (u_first.operation && !u_first.jumps_q && !u_second.jumps_q));
      OneState : assert ($onehot(u_first.state_q));
      SameOperations : assert (first_valid == second_valid && first_operation == second_operation
                               && first_clear == second_clear && first_rst_n == second_rst_n
                               && first_public == second_public);
      SameWindows : assert (first_window == second_window);
      SamePackets : assert (first_packet == second_packet);
    end
  end
endmodule

`default_nettype wire
