// SPDX-License-Identifier: Apache-2.0
// Time and addresses of the engine's packet unit do not depend on what it moves, by
// self-composition: two copies get the same requests and pauses, but other words of packets, other
// random words and other digits of the memory, in each cycle. In every cycle they are both busy or
// not, take and offer words, draw random ones, and read and write the same addresses.
//
// What the unit finds is the same in both: a digest that differs, digits that are not 0 behind a
// number, a difference of the memory's copies, random words that repeat. An error is public. What
// it finds is cut off, and is any value in each cycle (engine_packet_io.sby).
`default_nettype none

module engine_packet_time_formal
  import engine_pkg::*;
#(
  parameter int unsigned Bits        = 18,
  parameter int unsigned PlaceBits   = 5,
  parameter int unsigned AddressBits = 11
) (
  input wire logic                 clk_i,
  input wire logic                 reset_ni,
  input wire logic                 work_i,
  input wire packet_request_t      request_i,
  input wire logic                 s_axis_tvalid,
  input wire logic [1:0][31:0]     s_axis_tdata,
  input wire logic                 s_axis_tlast,
  input wire logic                 m_axis_tready,
  input wire logic                 random_valid_i,
  input wire logic [1:0][31:0]     random_i,
  input wire logic [1:0][Bits-1:0] data_i,
  input wire logic [1:0][Bits-1:0] again_i
);
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  packet_status_t [1:0]                  status;
  logic [1:0]                            takes, offers, last, draws, write, wipe;
  logic [1:0][31:0]                      unused_word;
  logic [1:0][AddressBits-1:0]           address;
  logic [1:0][Bits-1:0]                  unused_digit;
  logic [1:0][1:0]                       read;
  logic [1:0][1:0][AddressBits-1:0]      read_address;
  engine_packet_io #(.Bits(Bits), .PlaceBits(PlaceBits), .AddressBits(AddressBits)) u_first (
    .clk_i, .rst_ni, .watch_rst_ni({3{rst_ni}}), .work_i, .request_i, .status_o(status[0]),
    .s_axis_tvalid, .s_axis_tready(takes[0]), .s_axis_tdata(s_axis_tdata[0]), .s_axis_tlast,
    .m_axis_tvalid(offers[0]), .m_axis_tready, .m_axis_tdata(unused_word[0]),
    .m_axis_tlast(last[0]), .random_valid_i, .random_ready_o(draws[0]), .random_i(random_i[0]),
    .write_o(write[0]), .wipe_o(wipe[0]), .address_o(address[0]), .data_o(unused_digit[0]),
    .read_o(read[0]), .read_address_o(read_address[0]), .data_i(data_i[0]), .again_i(again_i[0])
  );
  engine_packet_io #(.Bits(Bits), .PlaceBits(PlaceBits), .AddressBits(AddressBits)) u_second (
    .clk_i, .rst_ni, .watch_rst_ni({3{rst_ni}}), .work_i, .request_i, .status_o(status[1]),
    .s_axis_tvalid, .s_axis_tready(takes[1]), .s_axis_tdata(s_axis_tdata[1]), .s_axis_tlast,
    .m_axis_tvalid(offers[1]), .m_axis_tready, .m_axis_tdata(unused_word[1]),
    .m_axis_tlast(last[1]), .random_valid_i, .random_ready_o(draws[1]), .random_i(random_i[1]),
    .write_o(write[1]), .wipe_o(wipe[1]), .address_o(address[1]), .data_o(unused_digit[1]),
    .read_o(read[1]), .read_address_o(read_address[1]), .data_i(data_i[1]), .again_i(again_i[1])
  );

  always_ff @(posedge clk_i) begin
    if (begun_q && rst_ni) begin
      SameBusy : assert (status[0].busy == status[1].busy);
      SameFault : assert (status[0].fault == status[1].fault
                          && status[0].random_repeats == status[1].random_repeats);
      SamePacket : assert (status[0].is_open == status[1].is_open
                           && status[0].is_short == status[1].is_short
                           && status[0].unanswered == status[1].unanswered
                           && status[0].outside == status[1].outside
                           && status[0].random == status[1].random);
      SameTakes : assert (takes[0] == takes[1]);
      SameOffers : assert (offers[0] == offers[1] && (!offers[0] || last[0] == last[1]));
      SameDraws : assert (draws[0] == draws[1]);
      SameWrites : assert (write[0] == write[1] && wipe[0] == wipe[1]
                           && (!(write[0] || wipe[0]) || address[0] == address[1]));
      SameReads : assert (read[0] == read[1] && read_address[0] == read_address[1]);
    end
  end
endmodule

`default_nettype wire
