// SPDX-License-Identifier: Apache-2.0
// Words on their way to the packet. The halves of a number leave the queue, and each second one
// makes a word with the one before. Other words are loaded whole.
//
// The register of the offered word is there three times, and a majority of them is offered: a bit
// may flip in the very cycle in which the word is taken. The copies differ by their reset, so that
// synthesis does not merge them.
//
//   m_axis_tdata = at least two of copy 0, copy 1, copy 2
//
// A word of a number is offered only if the request and a register that has recorded it say that
// the number is sent. The last word of a packet with a number waits for StPut.
`default_nettype none

module engine_word_offer
  import engine_packet_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        stop_i,     // the operation in progress is given up
  /* verilator lint_off UNUSEDSIGNAL */  // not all of it concerns it
  input  packet_op_t  op_i,
  input  state_t      state_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic        run_i,      // halves may leave in the next cycle
  // Halves of a number.
  input  logic        soon_i,     // there will be one in the next cycle
  input  logic        some_i,     // there is one
  input  half_t       half_i,
  input  logic        last_i,     // of the number's last word
  output logic        pop_o,
  output logic        pair_o,     // and it is a high half, and here is the low one:
  output half_t       low_o,
  output logic        done_o,     // it is the last one
  input  logic [31:0] cycles_i,   // the word of UnitPutCycles
  // The packet.
  output logic        m_axis_tvalid,
  input  logic        m_axis_tready,
  output logic [31:0] m_axis_tdata,
  output logic        m_axis_tlast,
  output logic        astray_o    // a word is there in a state that offers none
);
  logic             may_q;  // a half may leave, and no word is in its way: known a cycle before
  logic             high_q, sends_q, valid_q, last_q, load, hold, stays;
  (* keep *) logic  sends, puts;  // two levels of logic: `load` enables many registers
  half_t            low_q;
  logic [31:0]      put_q, put_cycles_q, word;
  logic [2:0][31:0] offer_q;
  assign sends  = sends_q && op_i.send;
  assign pop_o  = some_i && may_q;  // no flipped bit takes one that is not there
  assign pair_o = pop_o && high_q;
  assign stays  = valid_q && !m_axis_tready;
  assign done_o = pair_o && last_i;
  assign puts   = state_i[StPut] && op_i.puts && !op_i.send;  // a number's last word stays
  assign load   = (pair_o && sends) || puts;
  assign hold   = op_i.pair && last_i;  // until StPut
  // `load` of a number's word implies op_i.send. Each of the others is 0 unless it is wanted.
  assign word = op_i.send ? {half_i, low_q} : put_q | put_cycles_q;
  always_ff @(posedge clk_i) begin
    put_q        <= op_i.put ? {op_i.second, op_i.first} : '0;
    put_cycles_q <= op_i.put_cycles ? cycles_i : '0;
    if (pop_o) high_q <= !high_q;
    if (pop_o && !high_q) low_q <= half_i;
    if (state_i[StBegin]) sends_q <= op_i.send;
    if (load) begin
      offer_q <= {3{word}};
      last_q  <= op_i.pair && (last_i || op_i.puts);
    end
    valid_q <= (pair_o && sends && !hold) || state_i[StPut]
            || stays;
    may_q   <= run_i && soon_i && !(stays && high_q != pop_o);
    if (state_i[StIdle]) begin
      high_q  <= 1'b0;
      low_q   <= '0;
      sends_q <= 1'b0;
      last_q  <= 1'b0;
    end
    if (!rst_ni || stop_i) {valid_q, may_q} <= '0;
    if (!rst_ni) {offer_q[2], offer_q[0]} <= {32'hFFFF_FFFF, 32'h0};
    if (!rst_ni || stop_i) offer_q[1] <= '0;
  end
  assign low_o         = low_q;
  logic offers;  // no flipped bit offers a word after the last one
  assign offers        = state_i[StOut] || state_i[StOffer];
  assign m_axis_tvalid = valid_q && offers;
  assign astray_o      = valid_q && !offers;
  assign m_axis_tlast  = last_q;
  assign m_axis_tdata  = (offer_q[0] & offer_q[1]) | (offer_q[0] & offer_q[2])
                       | (offer_q[1] & offer_q[2]);
endmodule

`default_nettype wire
