// SPDX-License-Identifier: Apache-2.0
// Proof of what leaves the engine by its packets, for any requests, digits, words and pauses:
//
//   Holds       an offered word stays until it is taken or the operation is stopped
//   OnlyAsked   a word is offered for UnitSend, UnitPut and UnitPutCycles alone
//   Words       it is the two halves of a number that have left last, or the word of UnitPut
//   Twice       a word of a number is loaded only if the request and what it has recorded say so
//   Agreed      a word of a number is offered only if both copies of the memory had the same digits
//   Checked     the last word of a packet with a number is offered only if the number's digest is
//               the one that was found before
//
// The comparison of the digits is cut off here: it may say anything. engine_digit_access is the
// proof that it is right, and that a number that is sent is that in the block of the result.
`default_nettype none

module engine_packet_io_formal
  import engine_packet_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Bits        = 18,
  parameter int unsigned PlaceBits   = 5,
  parameter int unsigned AddressBits = 11,
  parameter bit          Recorded    = 1'b1  // 0: what UnitSend has recorded may be anything
) (
  input wire logic                  clk_i,
  input wire logic                  reset_ni,
  input wire logic                  work_i,
  input wire packet_request_t       request_i,
  input wire logic                  s_axis_tvalid,
  input wire logic [31:0]           s_axis_tdata,
  input wire logic                  s_axis_tlast,
  input wire logic                  m_axis_tready,
  input wire logic                  random_valid_i,
  input wire logic [31:0]           random_i,
  input wire logic [Bits-1:0]       data_i,
  input wire logic [Bits-1:0]       again_i
);
  import engine_instruction_pkg::*;
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  packet_status_t                   status_o;
  logic                             s_axis_tready, m_axis_tvalid, m_axis_tlast, random_ready_o;
  logic [31:0]                      m_axis_tdata;
  logic                             write_o, wipe_o;
  logic [AddressBits-1:0]           address_o;
  logic [Bits-1:0]                  data_o;
  logic [1:0]                       read_o;
  logic [1:0][AddressBits-1:0]      read_address_o;
  engine_packet_io #(.Bits(Bits), .PlaceBits(PlaceBits), .AddressBits(AddressBits)) u_dut (
    .watch_rst_ni({3{rst_ni}}), .*
  );

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
  assign working = started_q || started_qq || status_o.busy;
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

  // A digit that differs between the copies has been found, in the cycle before.
  logic differed_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (u_dut.u_access.tag_q[6] && u_dut.u_access.differs_q != '0) differed_q <= 1'b1;
    if (!rst_ni || request_i.stop || u_dut.idle) differed_q <= 1'b0;
  end
  // The halves in the queue that have bits of such a digit, or of one behind it.
  logic [15:0] tainted_q = '0;
  logic        low_tainted_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (u_dut.half_valid) tainted_q[u_dut.u_queue.in_q] <= differed_q;
    if (u_dut.pop && !u_dut.u_offer.high_q) low_tainted_q <= tainted_q[u_dut.u_queue.out_q];
    if (u_dut.idle) begin
      tainted_q     <= '0;
      low_tainted_q <= 1'b0;
    end
  end

  logic is_put, is_send, is_digest;
  assign is_put    = request_i.unit_op == UnitPut || request_i.unit_op == UnitPutCycles;
  assign is_send   = request_i.unit_op == UnitSend;
  assign is_digest = request_i.unit_op == UnitDigest;

  // The half that has left before, and the word that is to be loaded.
  half_t       low_half_q;
  logic [31:0] loaded_q;
  always_ff @(posedge clk_i) begin
    if (u_dut.pop && !u_dut.u_offer.high_q) low_half_q <= u_dut.queued;
    loaded_q <= is_send ? {u_dut.queued, low_half_q} : {request_i.second, request_i.first};
  end

  // By induction: the request stays decoded, and states are those of the request.
  state_t state;
  assign state = u_dut.state_q;
  always_ff @(posedge clk_i) begin
    if (begun_q && rst_ni && $past(rst_ni)) begin
      OneState : assert (state != '0 && (state & (state - 1'b1)) == '0);
      if (!state[StIdle]) Settled : assert (same_q == 2'd3);
      if (started_q || u_dut.op.starts) Asked : assert (same_q >= 2'd2);
      if (same && same_q >= 2'd2) begin
        Decoded : assert (u_dut.op.send == is_send && u_dut.op.digest == is_digest
                          && u_dut.op.puts == is_put && u_dut.op.pair == request_i.pair);
        Arguments : assert (u_dut.op.put == (request_i.unit_op == UnitPut)
                            && u_dut.op.put_cycles == (request_i.unit_op == UnitPutCycles)
                            && u_dut.op.first == request_i.first
                            && u_dut.op.second == request_i.second);
      end
      if (state[StOut] || state[StSure]) Reads : assert (is_send || is_digest);
      if (state[StPut] || state[StOffer]) Offers : assert (is_send || is_put);
      if ((state[StSure] || state[StPut]) && is_send) Paired : assert (request_i.pair);
      if (Recorded && !state[StIdle] && !state[StBegin]) begin
        Sends : assert (u_dut.u_offer.sends_q == is_send);
      end
      if (u_dut.u_offer.valid_q) Offered : assert (state[StOffer] || (state[StOut] && is_send));
      if (differed_q && !u_dut.idle) Halts : assert (u_dut.halts);
      if (u_dut.u_access.wrong_o) Halted : assert (u_dut.halts);
      if (tainted_q != '0) Kept : assert ((differed_q || u_dut.idle) && !u_dut.u_offer.may_q);
      if (u_dut.u_offer.high_q) LowHalf : assert (u_dut.u_offer.low_q == low_half_q);
      if (state[StPut] && request_i.unit_op == UnitPut) begin
        Loads : assert (u_dut.u_offer.put_q == {request_i.second, request_i.first}
                        && u_dut.u_offer.put_cycles_q == '0);
      end
      NonePopped : assert (!low_tainted_q);
      if ($past(u_dut.halts)) NoneLeaves : assert (!u_dut.u_offer.may_q);
      if (u_dut.u_offer.load) Held : assert (!u_dut.u_offer.valid_q);
      if (u_dut.u_offer.may_q) Free : assert (!(u_dut.u_offer.high_q && u_dut.u_offer.valid_q));
    end
  end

  always_ff @(posedge clk_i) begin
    if (begun_q && $past(begun_q)) begin
      if ($past(m_axis_tvalid && !m_axis_tready && rst_ni && !request_i.stop)) begin
        Holds : assert (m_axis_tvalid && m_axis_tdata == $past(m_axis_tdata)
                        && m_axis_tlast == $past(m_axis_tlast));
      end
      if ($past(u_dut.u_offer.load && rst_ni && !request_i.stop
                && request_i.unit_op != UnitPutCycles)) begin
        Words : assert (m_axis_tdata == loaded_q);
      end
      if (m_axis_tvalid) OnlyAsked : assert (request_i.unit_op == UnitSend || is_put);
      if (u_dut.u_offer.load && !is_put) begin
        Twice  : assert (is_send && u_dut.u_offer.sends_q);
        Agreed : assert (!low_tainted_q && !tainted_q[u_dut.u_queue.out_q]);
      end
      if (m_axis_tvalid && m_axis_tlast && !$past(m_axis_tvalid) && !is_put) begin
        Checked : assert ($past(u_dut.state_q[StPut]) && $past(!u_dut.u_digest.differs_o, 3));
      end
    end
  end
endmodule

`default_nettype wire
