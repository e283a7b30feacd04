// SPDX-License-Identifier: Apache-2.0
// Proof of the rule by which the engine's control unit asks the packet unit, for any program:
//
//   Early    arguments are there two cycles before `start`, and the unit is not busy then
//   Stays    they stay until the unit is no longer busy
//
// engine_packet_io_formal.sv assumes this rule of its requests.
`default_nettype none

module engine_requests_formal
  import engine_instruction_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Slots = 1
) (
  input wire logic             clk_i,
  input wire logic             reset_ni,
  input wire logic             ready_i,
  input wire datapath_status_t datapath_i,
  input wire window_status_t   window_i,
  input wire packet_status_t   packet_i,
  input wire logic             works_i  // a unit that is busy stays so
);
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  logic            datapath_rst_n, valid, clear_signs, public_only;
  operation_t      operation;
  window_request_t window_request;
  packet_request_t request, before_q;
  packet_status_t  packet_status;
  engine_control #(.Slots(Slots)) u_dut (
    .clk_i, .rst_ni, .datapath_rst_no(datapath_rst_n), .valid_o(valid), .operation_o(operation),
    .ready_i, .clear_signs_o(clear_signs), .public_only_o(public_only),
    .datapath_status_i(datapath_i), .window_request_o(window_request), .window_status_i(window_i),
    .packet_request_o(request), .packet_status_i(packet_status)
  );

  // The packet unit begins a cycle after `start`, and ends whenever it likes. What is asked of
  // another unit it ends at once.
  logic started_q = 1'b0, started_qq = 1'b0, worked_q = 1'b0, busy, working;
  assign busy    = started_q || (worked_q && works_i);
  assign working = started_q || started_qq || busy;
  always_comb begin
    packet_status      = packet_i;
    packet_status.busy = busy;
  end
  always_ff @(posedge clk_i) begin
    started_q  <= request.start && rst_ni && !request.stop;
    started_qq <= started_q && rst_ni && !request.stop;
    worked_q   <= busy && rst_ni && !request.stop && request.unit_op >= UnitGet;
  end

  // Any program: an instruction stays once it is fetched, until the program begins anew. One that
  // chooses a key's page has no block in it.
  localparam int unsigned Stop = 0, Fetch = 1, Read = 2, Busy = 6;  // states
  instruction_t read_q;
  always_ff @(posedge clk_i) read_q <= u_dut.read_instruction;
  always_comb begin
    assume (u_dut.state_q[Fetch] || u_dut.state_q[Stop] || u_dut.read_instruction == read_q);
    assume (!u_dut.is_slot_q || !u_dut.instruction.t[PageBlockBits]);
  end

  logic same, same_q;  // the arguments are those of a cycle ago
  always_ff @(posedge clk_i) begin
    before_q <= request;
    same_q   <= same;
  end
  assign same = begun_q && request.unit_op == before_q.unit_op && request.pair == before_q.pair
             && request.first == before_q.first && request.second == before_q.second
             && request.block == before_q.block;
  always_ff @(posedge clk_i) begin
    if (begun_q && rst_ni) begin
      if (request.start) Early : assert (same && same_q && !working);
      if (working) Stays : assert (same);
      // By induction: where the control unit is.
      OneState : assert ($onehot(u_dut.state_q));
      if (u_dut.state_q[Read]) Steps : assert (u_dut.step_q <= (u_dut.operation ? 4'd12 : 4'd5));
      if (u_dut.state_q[Fetch]) Fetches : assert (u_dut.step_q <= 4'd2);
      if (busy) Waits : assert (u_dut.state_q[Busy] || u_dut.state_q[Stop]);
      if (started_qq) Ends : assert (!u_dut.state_q[Fetch] && !u_dut.state_q[Read]);
    end
  end
endmodule

`default_nettype wire
