// SPDX-License-Identifier: Apache-2.0
// The engine's packet unit never waits for itself: for any requests that follow their rule, and any
// digits, while words come and are taken and random words come,
//
//   Progress   in `Most` cycles of a request a word is taken, offered or drawn, a digit is read or
//              written, a half leaves, or the state changes; else a fault is reported, for which
//              the control unit stops the request
//
// Each of these is counted by the request, but for words of a packet that has no end. What the unit
// finds (digests, differences of the memory's copies) is cut off, and may be anything. Random words
// do not repeat: after four equal ones the unit reports that, and gives none until a wipe.
`default_nettype none

module engine_packet_progress_formal
  import engine_packet_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Bits        = 18,
  parameter int unsigned PlaceBits   = 5,
  parameter int unsigned AddressBits = 11,
  parameter int unsigned Most        = 24
) (
  input wire logic            clk_i,
  input wire logic            reset_ni,
  input wire logic            work_i,
  input wire packet_request_t request_i,
  input wire logic [31:0]     s_axis_tdata,
  input wire logic            s_axis_tlast,
  input wire logic [31:0]     random_i,
  input wire logic [Bits-1:0] data_i,
  input wire logic [Bits-1:0] again_i
);
  import engine_instruction_pkg::*;
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  packet_status_t              status;
  logic                        takes, offers, last, draws, write, wipe;
  logic [31:0]                 unused_word;
  logic [AddressBits-1:0]      unused_address;
  logic [Bits-1:0]             unused_digit;
  logic [1:0]                  read;
  logic [1:0][AddressBits-1:0] unused_read;
  engine_packet_io #(.Bits(Bits), .PlaceBits(PlaceBits), .AddressBits(AddressBits)) u_dut (
    .clk_i, .rst_ni, .watch_rst_ni({3{rst_ni}}), .work_i, .request_i, .status_o(status),
    .s_axis_tvalid(1'b1), .s_axis_tready(takes), .s_axis_tdata, .s_axis_tlast,
    .m_axis_tvalid(offers), .m_axis_tready(1'b1), .m_axis_tdata(unused_word),
    .m_axis_tlast(last), .random_valid_i(1'b1), .random_ready_o(draws), .random_i,
    .write_o(write), .wipe_o(wipe), .address_o(unused_address), .data_o(unused_digit),
    .read_o(read), .read_address_o(unused_read), .data_i, .again_i
  );

`include "engine_packet_rule.svh"

  // Random words are fetched once a packet has been there.
  logic packet_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (takes) packet_q <= 1'b1;
    if (!rst_ni || (u_dut.state_q[StWipe] && request_i.pair)) packet_q <= 1'b0;
    if (begun_q && request_i.start && request_i.unit_op == UnitRandom) assume (packet_q);
    assume (!u_dut.u_pool.failed_q);
  end

  logic       progress;
  state_t     state_q;
  logic       fault_q = 1'b0;  // one is reported, and the request is not stopped yet
  logic [5:0] stall_q = '0;
  assign progress = takes || offers || draws || write || wipe || read != '0 || u_dut.pop
                    || u_dut.draw || u_dut.state_q != state_q || !status.busy;
  always_ff @(posedge clk_i) begin
    state_q <= u_dut.state_q;
    fault_q <= (fault_q || status.fault) && rst_ni && !request_i.stop;
    stall_q <= (progress || status.fault || fault_q || request_i.stop || !rst_ni)
               ? '0 : stall_q + 6'd1;
    if (begun_q && rst_ni) Progress : assert (32'(stall_q) < Most);
  end
endmodule

`default_nettype wire
