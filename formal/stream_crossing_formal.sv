// SPDX-License-Identifier: Apache-2.0
// Proof of stream_crossing for any ratio and phase of its clocks, which are free, as are both
// resets after power-up. The n-th word that leaves after the sides have connected is the n-th that
// has arrived since. A word is taken from a register that has been stable for a cycle of the
// destination. After a reset of either side both return to empty.
`default_nettype none

module stream_crossing_formal #(
  parameter int unsigned Bits = 2  // words are their own numbers, from 1 on
) (
  input wire logic s_clk_i,
  input wire logic m_clk_i,
  input wire logic s_reset_ni,
  input wire logic m_reset_ni,
  input wire logic s_valid_i,
  input wire logic m_ready_i
);
  logic begun, s_begun_q, m_begun_q, s_rst_n, m_rst_n;
  power_up u_power_up (
    .a_clk_i(s_clk_i), .b_clk_i(m_clk_i), .begun_o(begun), .a_begun_o(s_begun_q),
    .b_begun_o(m_begun_q)
  );
  assign s_rst_n = begun && s_reset_ni;
  assign m_rst_n = begun && m_reset_ni;

  logic            s_ready, m_valid;
  logic [Bits-1:0] s_count_q, m_count_q, m_data;
  stream_crossing #(.Bits(Bits)) u_dut (
    .s_clk_i, .s_rst_ni(s_rst_n), .s_valid_i, .s_ready_o(s_ready), .s_data_i(s_count_q),
    .m_clk_i, .m_rst_ni(m_rst_n), .m_valid_o(m_valid), .m_ready_i, .m_data_o(m_data)
  );

  // 0 is the value that overwrites words.
  function automatic logic [Bits-1:0] after(logic [Bits-1:0] count);
    return (count == '1) ? Bits'(1) : count + Bits'(1);
  endfunction

  logic s_reset_q, s_apart_q;
  always_ff @(posedge s_clk_i) begin
    if (!u_dut.s_up_q) s_count_q <= Bits'(1);
    else if (s_valid_i && s_ready) s_count_q <= after(s_count_q);
    s_reset_q <= !s_rst_n;
    s_apart_q <= !u_dut.s_up_q && !u_dut.s_sees_up;
    if (s_begun_q) begin
      if (s_reset_q) SourceTakesNone : assert (!s_ready);
      if (s_apart_q) SourceEmpty : assert (u_dut.data_q == '0);
    end
  end

  logic            m_apart_q, m_waits_q;
  logic [Bits-1:0] m_before_q;  // the source's register at the edge before
  always_ff @(posedge m_clk_i) begin
    if (!u_dut.m_live) m_count_q <= Bits'(1);
    else if (m_valid && m_ready_i) m_count_q <= after(m_count_q);
    m_before_q <= u_dut.data_q;
    m_waits_q  <= u_dut.m_live && m_valid && !m_ready_i;
    m_apart_q  <= !m_rst_n || !u_dut.m_sees_up;
    if (m_begun_q) begin
      if (m_valid) InOrder : assert (m_data == m_count_q);
      else Overwritten : assert (m_data == '0);
      if (u_dut.m_live && u_dut.m_take) StoodStill : assert (u_dut.data_q == m_before_q);
      if (m_waits_q) Holds : assert (m_valid);
      if (m_apart_q) DestinationEmpty : assert (!m_valid);
    end
  end
endmodule

`default_nettype wire
