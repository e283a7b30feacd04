// SPDX-License-Identifier: Apache-2.0
// A word on its way to the packet: it is offered when its two copies agree, and what is offered is
// the majority of three copies. A bit may flip in the very cycle in which the word is taken.
//
//   m_axis_tdata = at least two of copy 0, copy 1, copy 2
`default_nettype none

module engine_word_offer
  import engine_packet_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        stop_i,   // what is under way is given up
  /* verilator lint_off UNUSEDSIGNAL */  // not all states concern it
  input  state_t      state_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [31:0] word_i,
  input  logic [31:0] again_i,  // the same word, inverted
  output logic        agree_o,  // they did, a cycle ago; wanted in StSure
  output logic        wrong_o,  // they did not, two cycles ago
  output logic [31:0] m_axis_tdata
);
  logic [2:0][31:0] offer_q;  // the third one inverted
  logic [3:0]       equal_q;  // by bytes
  always_ff @(posedge clk_i) begin
    wrong_o <= state_i[StSure] && !agree_o;
    for (int unsigned i = 0; i < 4; i++) equal_q[i] <= word_i[8*i+:8] == ~again_i[8*i+:8];
    if (state_i[StCheck]) offer_q[0] <= word_i;
    if (state_i[StSure]) offer_q[2:1] <= {again_i, word_i};
    if (!rst_ni) offer_q <= '0;
    if (!rst_ni || stop_i) wrong_o <= 1'b0;
  end
  assign agree_o      = equal_q == '1;
  assign m_axis_tdata = (offer_q[0] & offer_q[1]) | (offer_q[0] & ~offer_q[2])
                      | (offer_q[1] & ~offer_q[2]);
endmodule

`default_nettype wire
