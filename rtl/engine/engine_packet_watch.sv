// SPDX-License-Identifier: Apache-2.0
// What is known of packets: whether the one that is read has ended, whether more was asked for than
// it has, whether a request lacks its answer, and whether a clear packet waits outside while an
// operation is under way.
//
// Whether the packet has ended is there three times, and a majority holds: a flipped bit makes no
// two requests of one, and no one of two. The copies differ by their reset and by inversion, so
// that synthesis does not merge them.
//
// An operation is under way from the datapath's first work on a whole packet, or a long time after
// the packet, until it is answered or gives way to wiping. Before that it is not known what would
// have to be answered: the program has not read it. From an
// answer's first word to the next packet a register of its own excludes it: one flipped bit does
// not end an answer that has begun.
`default_nettype none

module engine_packet_watch
  import engine_packet_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [2:0]  open_rst_ni,    // of each copy
  input  logic        stop_i,         // what is under way is given up
  input  logic        work_i,         // the datapath has something to do
  input  logic        late_i,         // 2^20 cycles after the packet
  /* verilator lint_off UNUSEDSIGNAL */  // not all of it concerns packets
  input  packet_op_t  op_i,
  input  state_t      state_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic        word_wanted_i,  // by a number, two cycles after it has taken one
  // Packets.
  input  logic        s_axis_tvalid,
  input  logic        s_axis_tready,
  input  logic [31:0] s_axis_tdata,
  input  logic        s_axis_tlast,
  input  logic        answered_i,     // the last word of an answer is taken
  output logic        open_o,         // the packet has not ended
  output logic        unanswered_o,   // a word of a request was taken, its answer has not ended
  output logic        short_o,        // more was asked for than it has
  output logic        clear_waits_o,  // a clear packet does, while an operation is under way
  output logic        took_o,         // a cycle ago a word was taken,
  output logic        took_last_o     // a packet's last one
);
  logic clear_low_q, clear_high_q, offered_q, disarm_q, renew_q, lacks_q, ended_q, armed_q, took_q;
  logic waits_q, answers_q, take;
  assign take = s_axis_tvalid && s_axis_tready;

  logic [2:0] open_q;
  logic       open, next_open;
  assign open      = (open_q[0] && !open_q[1]) || (open_q[0] && open_q[2])
                  || (!open_q[1] && open_q[2]);
  assign next_open = take ? !s_axis_tlast : open;
  always_ff @(posedge clk_i) begin
    open_q <= {next_open, !next_open, next_open};
    if (take) unanswered_o <= 1'b1;
    else if (answered_i) unanswered_o <= 1'b0;
    for (int unsigned i = 0; i < 3; i++) if (!open_rst_ni[i]) open_q[i] <= i != 0;
    if (!rst_ni) unanswered_o <= 1'b0;
  end
  assign open_o = open;

  always_ff @(posedge clk_i) begin
    took_q        <= take;
    took_last_o   <= take && s_axis_tlast;
    clear_low_q   <= s_axis_tdata[15:0] == 16'(contract_pkg::CmdClear);
    clear_high_q  <= s_axis_tdata[31:16] == '0;
    offered_q     <= s_axis_tvalid && s_axis_tlast && !s_axis_tready;
    waits_q       <= armed_q && offered_q && clear_low_q && clear_high_q;
    disarm_q      <= op_i.puts || state_i[StWipe] || stop_i;
    if (took_q) begin
      ended_q <= took_last_o;
    end else if (work_i || late_i) begin
      armed_q <= ended_q;
    end
    if (took_q) armed_q <= 1'b0;
    if (took_q) answers_q <= 1'b0;
    else if (op_i.puts) answers_q <= 1'b1;
    if (disarm_q) begin
      ended_q <= 1'b0;
      armed_q <= 1'b0;
    end
    renew_q <= state_i[StBegin] && op_i.get && op_i.pair;
    lacks_q <= !open
            && (word_wanted_i || (state_i[StBegin] && ((op_i.number && !op_i.no_bits)
                                                       || (op_i.get && !op_i.pair))));
    if (renew_q) short_o <= 1'b0;
    else if (lacks_q) short_o <= 1'b1;
    if (!rst_ni) begin
      ended_q       <= 1'b0;
      armed_q       <= 1'b0;
      waits_q       <= 1'b0;
      answers_q     <= 1'b0;
      took_q        <= 1'b0;
      took_last_o   <= 1'b0;
    end
  end
  assign took_o        = took_q;
  assign clear_waits_o = waits_q && !answers_q;
endmodule

`default_nettype wire
