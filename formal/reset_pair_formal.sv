// SPDX-License-Identifier: Apache-2.0
// Proof of reset_pair for any ratio and phase of its clocks, and a request of any length at any
// moment after power-up: the following side's reset lies within the leading side's, and each reset
// of the leading side contains one.
`default_nettype none

module reset_pair_formal (
  input wire logic lead_clk_i,
  input wire logic follow_clk_i,
  input wire logic asked_i
);
  logic begun, lead_begun_q, follow_begun_q;
  power_up u_power_up (
    .a_clk_i(lead_clk_i), .b_clk_i(follow_clk_i), .begun_o(begun), .a_begun_o(lead_begun_q),
    .b_begun_o(follow_begun_q)
  );

  logic lead_rst_n, follow_rst_n;
  reset_pair u_dut (
    .request_i(asked_i || !begun), .lead_clk_i, .lead_rst_no(lead_rst_n), .follow_clk_i,
    .follow_rst_no(follow_rst_n)
  );

  // Registers change at edges only: the next edge of a clock samples each state.
  // `followed_q`: the following side has been reset since the leading one's reset began.
  logic before_q, followed_q, seen_q;
  always_ff @(posedge lead_clk_i) begin
    before_q   <= lead_rst_n;
    followed_q <= !lead_rst_n && (followed_q || !follow_rst_n);
    seen_q     <= u_dut.request;
    if (lead_begun_q) begin
      if (!follow_rst_n) WithinByLead : assert (!lead_rst_n);
      if (lead_rst_n && !before_q) Both : assert (followed_q);
      if (seen_q) Resets : assert (!lead_rst_n);
    end
  end
  always_ff @(posedge follow_clk_i) begin
    if (follow_begun_q && !follow_rst_n) WithinByFollow : assert (!lead_rst_n);
  end
endmodule

`default_nettype wire
