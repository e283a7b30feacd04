// SPDX-License-Identifier: Apache-2.0
// Resets of two clocks from one asynchronous request, always of both: a request too short for one
// of the clocks, such as that of a bouncing contact, resets both or none.
//
// The leading side samples the request, resets itself, and requests the reset of the following side
// until it has seen that reset. The following side's reset therefore lies within the leading one's:
//
//   lead_rst_no    --\_________________________/--
//   follow_rst_no  -------\_______________/-------
//
// Each lasts at least 16 cycles of its own clock. Both last while the following clock stands still.
// Both begin active if registers are 0 at power-up, or with a request for 16 cycles of the slower
// clock. formal/reset_pair.sby proves it for any two clocks.
`default_nettype none

module reset_pair (
  input  logic request_i,      // asynchronous, active high, of any length
  input  logic lead_clk_i,     // always runs
  output logic lead_rst_no,
  input  logic follow_clk_i,
  output logic follow_rst_no
);
  logic       request, follows, want_q, ask_q;
  logic [3:0] left_q;
  synchroniser #(.Bits(2)) u_to_lead (
    .clk_i(lead_clk_i), .data_i({request_i, !follow_rst_no}), .data_o({request, follows})
  );

  always_ff @(posedge lead_clk_i) begin
    if (request) want_q <= 1'b1;
    else if (ask_q && follows) want_q <= 1'b0;
    // Requested again only after the previous reset: each sampled request has one.
    if (!want_q) ask_q <= 1'b0;
    else if (!follows) ask_q <= 1'b1;
    if (request || want_q || ask_q || follows) left_q <= '1;
    else if (left_q != '0) left_q <= left_q - 4'd1;
    lead_rst_no <= !(request || want_q || ask_q || follows) && left_q == '0;
  end

  reset_synchroniser u_follow (
    .clk_i(follow_clk_i), .request_i(ask_q), .rst_no(follow_rst_no)
  );
endmodule

`default_nettype wire
