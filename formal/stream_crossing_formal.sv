// SPDX-License-Identifier: Apache-2.0
// Proof of stream_crossing for any ratio and phase of its clocks, which are free, as are both resets
// after the first cycles: the n-th word that leaves after a connection is the n-th that has come
// since; a word is taken over from a register that has stood still for a cycle of the destination;
// after a reset of either side both come back to empty, and connect again; words pass, and come out.
//
// Time is told by a token that goes around: each turn has an edge of either clock after the other.
`default_nettype none

module stream_crossing_formal #(
  parameter int unsigned Bits     = 2,
  parameter bit          Progress = 1'b0,  // prove that words pass, or else all other properties
  parameter int unsigned Turns    = 40     // half turns to connect, or to pass a word, at most
) (
  input wire logic s_clk_i,
  input wire logic m_clk_i,
  input wire logic s_reset_ni,
  input wire logic m_reset_ni,
  input wire logic calm_i,     // free: from now on no reset, a word is offered, and one is taken
  input wire logic s_valid_i,
  input wire logic m_ready_i
);
  // Turns of the token: each has an edge of either clock after one of the other.
  logic s_token_q = 1'b0;
  logic m_token_q = 1'b0;
  always_ff @(posedge s_clk_i) s_token_q <= m_token_q;
  always_ff @(posedge m_clk_i) m_token_q <= !s_token_q;

  // Power-up: both resets for so many half turns.
  localparam int unsigned Start = 16;
  logic [4:0] begin_q = '0;
  logic       s_begun_q = 1'b0;
  logic       m_begun_q = 1'b0;
  logic       s_rst_n, m_rst_n, begun;
  always_ff @(posedge s_clk_i) begin
    if (s_token_q != m_token_q && !begun) begin_q <= begin_q + 5'd1;
    s_begun_q <= begun;
  end
  always_ff @(posedge m_clk_i) m_begun_q <= begun;
  assign begun = 32'(begin_q) == Start;

  logic calm_q = 1'b0;
  always_ff @(posedge s_clk_i) calm_q <= Progress && begun && (calm_q || calm_i);
  assign s_rst_n = begun && (s_reset_ni || calm_q);
  assign m_rst_n = begun && (m_reset_ni || calm_q);

  logic            s_valid, s_ready, m_valid, m_ready;
  logic [Bits-1:0] s_data, m_data;
  assign s_valid = s_valid_i || calm_q;
  assign m_ready = m_ready_i || calm_q;
  stream_crossing #(.Bits(Bits)) u_dut (
    .s_clk_i, .s_rst_ni(s_rst_n), .s_valid_i(s_valid), .s_ready_o(s_ready), .s_data_i(s_data),
    .m_clk_i, .m_rst_ni(m_rst_n), .m_valid_o(m_valid), .m_ready_i(m_ready), .m_data_o(m_data)
  );

  // Words are their own numbers since the last connection, from 1: 0 is what is overwritten.
  logic [Bits-1:0] s_count_q, m_count_q, next;
  logic [Bits-1:0] m_before_q;  // the source's register at the edge before
  logic            s_down_q, m_down_q, m_waits_q;
  assign s_data = s_count_q;
  assign next   = (m_count_q == '1) ? Bits'(1) : m_count_q + Bits'(1);
  always_ff @(posedge s_clk_i) begin
    if (!u_dut.s_up_q) s_count_q <= Bits'(1);
    else if (s_valid && s_ready) s_count_q <= (s_count_q == '1) ? Bits'(1) : s_count_q + Bits'(1);
    s_down_q <= !s_rst_n;
    if (!Progress && s_begun_q && s_down_q) SourceDisconnected : assert (!s_ready);
  end
  always_ff @(posedge m_clk_i) begin
    if (!u_dut.m_live) m_count_q <= Bits'(1);
    else if (m_valid && m_ready) m_count_q <= next;
    m_before_q <= u_dut.data_q;
    m_waits_q  <= u_dut.m_live && m_valid && !m_ready;
    m_down_q   <= !m_rst_n || !u_dut.m_sees_up;
    if (!Progress && m_begun_q) begin
      if (m_valid) InOrder : assert (m_data == m_count_q);
      if (u_dut.m_live && u_dut.m_take) StoodStill : assert (u_dut.data_q == m_before_q);
      if (m_waits_q) Holds : assert (m_valid);
      if (m_down_q) DestinationEmpty : assert (!m_valid && m_data == '0);
      if (!m_valid) Overwritten : assert (m_data == '0);
    end
  end

  // Half turns of it since calm or the last word.
  localparam int unsigned TurnBits = totient_pkg::count_bits(Turns + 1);
  logic [TurnBits-1:0] s_turns_q, m_turns_q;
  always_ff @(posedge s_clk_i) begin
    if (!calm_q || (s_valid && s_ready)) s_turns_q <= '0;
    else if (s_token_q != m_token_q && 32'(s_turns_q) <= Turns) s_turns_q <= s_turns_q + TurnBits'(1);
    if (Progress && calm_q) Taken : assert (32'(s_turns_q) <= Turns);
  end
  always_ff @(posedge m_clk_i) begin
    if (!calm_q || (m_valid && m_ready)) m_turns_q <= '0;
    else if (s_token_q == m_token_q && 32'(m_turns_q) <= Turns) m_turns_q <= m_turns_q + TurnBits'(1);
    if (Progress && calm_q && m_begun_q) Given : assert (32'(m_turns_q) <= Turns);
  end

  // A source that is down and has seen the destination go has nothing left.
  logic s_gone_q;
  always_ff @(posedge s_clk_i) begin
    s_gone_q <= !u_dut.s_up_q && !u_dut.s_sees_up;
    if (!Progress && s_begun_q && s_gone_q) SourceEmpty : assert (u_dut.data_q == '0);
  end
endmodule

`default_nettype wire
