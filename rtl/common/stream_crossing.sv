// SPDX-License-Identifier: Apache-2.0
// A stream between two clocks of any ratio and phase, by a two-phase handshake. The source holds a
// word in a register and toggles a request. The destination takes the word when it sees the toggle,
// and toggles an acknowledgement. Each level goes through a synchroniser. The word does not: it is
// stable while it may be sampled.
//
// Time: a word takes up to 3 cycles of `m_clk_i` from its register to its offer. The source accepts
// the next one up to 3 cycles of `s_clk_i` after the word before was taken.
//
// Reset: each side has its own, for at least one cycle and at any moment. It disconnects both
// sides: they drop and overwrite the word in transit, and connect again when both have seen it. The
// module behind the other side sees truncated packets: reset it too, if this matters. At power-up
// hold both for 16 cycles of the slower clock.
//
// Timing constraint: at most one period of `m_clk_i` between `data_q` and the destination,
// including clock skew. The levels require no other bound. Reason: `data_q` has been stable for a
// whole period before the edge that samples it (formal/stream_crossing.sby proves this), because
// the level that announces it has passed two flip-flops.
// Source: R. Ginosar, "Fourteen ways to fool your synchronizer", ASYNC 2003, for what not to do.
`include "totient_assert.svh"
`default_nettype none

module stream_crossing #(
  parameter int unsigned Bits = 33  // of a word, >= 1
) (
  input  logic            s_clk_i,
  input  logic            s_rst_ni,
  input  logic            s_valid_i,
  output logic            s_ready_o,
  input  logic [Bits-1:0] s_data_i,
  input  logic            m_clk_i,
  input  logic            m_rst_ni,
  output logic            m_valid_o,
  input  logic            m_ready_i,
  output logic [Bits-1:0] m_data_o
);
  `TOTIENT_REQUIRE(Bits, Bits >= 1, "Bits must be at least 1")

  // The source connects (`s_up_q`), and the destination repeats this (`m_up_q`). The source does
  // nothing else until it has seen it. Neither has a reset, which would lose half of the state.
  // `s_drop_q` and `m_cut_q` remember a reset until both have disconnected.
  logic            s_up_q, s_drop_q, request_q, m_up_q, m_cut_q, acknowledge_q;
  logic [Bits-1:0] data_q;

  // Levels on the source's clock.
  logic s_sees_up, s_sees_cut, s_sees_acknowledge, s_take;
  synchroniser #(.Bits(3)) u_to_source (
    .clk_i(s_clk_i), .data_i({m_up_q, m_cut_q, acknowledge_q}),
    .data_o({s_sees_up, s_sees_cut, s_sees_acknowledge})
  );
  assign s_ready_o = s_up_q && s_sees_up && !s_drop_q && request_q == s_sees_acknowledge;
  assign s_take    = s_valid_i && s_ready_o;

  always_ff @(posedge s_clk_i) begin
    if (s_up_q && s_sees_up) begin
      if (!s_rst_ni || s_drop_q || s_sees_cut) begin
        // The word stays unchanged: the destination may be sampling it.
        s_up_q <= 1'b0;
      end else if (request_q == s_sees_acknowledge) begin
        data_q <= s_take ? s_data_i : '0;
        if (s_take) request_q <= !request_q;
      end
    end
    if (!s_up_q && !s_sees_up) begin
      request_q <= 1'b0;
      data_q    <= '0;
      s_drop_q  <= 1'b0;
      s_up_q    <= s_rst_ni && !s_sees_cut;
    end
    if (!s_rst_ni) s_drop_q <= 1'b1;
  end

  // Levels on the destination's clock.
  logic m_sees_up, m_sees_request, m_live, m_take;
  synchroniser #(.Bits(2)) u_to_destination (
    .clk_i(m_clk_i), .data_i({s_up_q, request_q}), .data_o({m_sees_up, m_sees_request})
  );
  assign m_live = m_rst_ni && m_up_q && m_sees_up && !m_cut_q;
  assign m_take = m_sees_request != acknowledge_q && (!m_valid_o || m_ready_i);

  always_ff @(posedge m_clk_i) begin
    m_up_q <= m_sees_up;
    if (!m_rst_ni) m_cut_q <= 1'b1;
    else if (!m_sees_up) m_cut_q <= 1'b0;
    if (!m_live) begin
      m_valid_o     <= 1'b0;
      m_data_o      <= '0;
      acknowledge_q <= 1'b0;
    end else begin
      if (!m_valid_o || m_ready_i) begin
        m_valid_o <= m_take;
        m_data_o  <= m_take ? data_q : '0;
      end
      if (m_take) acknowledge_q <= !acknowledge_q;
    end
  end
endmodule

`default_nettype wire
