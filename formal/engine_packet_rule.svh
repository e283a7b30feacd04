// SPDX-License-Identifier: Apache-2.0
// How the control unit asks the engine's packet unit, for proofs that include it.

  // The rule of requests: the arguments are there two cycles before `start`, and stay until the
  // unit is no longer busy. `start` is one cycle, and not while the unit is busy.
  // engine_requests_formal.sv is the proof that the control unit follows it.
  logic [1:0] same_q = '0;  // for how many cycles the arguments have been the same
  logic       started_q = 1'b0, started_qq = 1'b0;
  logic       same, working;
  packet_request_t before_q;
  always_ff @(posedge clk_i) before_q <= request_i;
  assign same = begun_q && request_i.unit_op == before_q.unit_op
                && request_i.pair == before_q.pair && request_i.first == before_q.first
                && request_i.second == before_q.second && request_i.block == before_q.block;
  assign working = started_q || started_qq || status.busy;
  always_ff @(posedge clk_i) begin
    same_q     <= !same ? '0 : same_q == 2'd3 ? same_q : same_q + 2'd1;
    started_q  <= request_i.start && rst_ni && !request_i.stop;
    started_qq <= started_q && rst_ni && !request_i.stop;
    if (begun_q) begin
      if (request_i.start) Early : assume (same && same_q != '0 && !working);
      if (working) Stays : assume (same);
      Known : assume (request_i.unit_op <= UnitDigest);
    end
  end
