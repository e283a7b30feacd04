// SPDX-License-Identifier: Apache-2.0
// Stands in for an IP in tests of the simulation: returns each word plus Offset, and misbehaves on
// request: word 1 fails an assertion, 2 ends the simulation, 3 is never answered.
`include "totient_assert.svh"
`default_nettype none

module echo #(
  parameter int unsigned Offset = 0
) (
  input  wire logic        aclk,
  input  wire logic        aresetn,
  input  wire logic [31:0] s_axis_tdata,
  input  wire logic        s_axis_tvalid,
  output logic             s_axis_tready,
  input  wire logic        s_axis_tlast,
  output logic [31:0]      m_axis_tdata,
  output logic             m_axis_tvalid,
  input  wire logic        m_axis_tready,
  output logic             m_axis_tlast
);

  wire clk_i = aclk;
  wire rst_ni = aresetn;
  logic stuck;

  assign s_axis_tready = m_axis_tready && !stuck;
  assign m_axis_tvalid = s_axis_tvalid && !stuck && s_axis_tdata != 32'd3;
  assign m_axis_tdata  = s_axis_tdata + Offset;
  assign m_axis_tlast  = s_axis_tlast;

  always_ff @(posedge aclk) begin
    if (!aresetn) stuck <= 1'b0;
    else if (s_axis_tvalid && s_axis_tdata == 32'd3) stuck <= 1'b1;
    if (aresetn && s_axis_tvalid && s_axis_tdata == 32'd2) $finish;
  end

  `TOTIENT_ASSERT(NoOnes, !(s_axis_tvalid && s_axis_tdata == 32'd1), "a 1 came in")

endmodule

`default_nettype wire
