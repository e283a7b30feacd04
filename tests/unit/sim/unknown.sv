// SPDX-License-Identifier: Apache-2.0
// Answers word i with the i-th 32 bits of state that is never written: a register of each length
// for which the simulator has a function of its own, a memory, and open pins.
`default_nettype none

module unknown (
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

  logic [31:0]  short_q;
  logic [63:0]  long_q;
  logic [95:0]  wide_q;
  logic [31:0]  memory [2];
  wire  [31:0]  open_bits = {32{1'bx}};
  wire  [255:0] all = {open_bits, memory[1], memory[0], wide_q, long_q};

  assign s_axis_tready = m_axis_tready;
  assign m_axis_tvalid = s_axis_tvalid;
  assign m_axis_tlast  = s_axis_tlast;
  assign m_axis_tdata  = s_axis_tdata == 8 ? short_q : all[32 * s_axis_tdata[2:0] +: 32];

  // No value is ever kept: without this, the registers would be constants.
  always_ff @(posedge aclk) begin
    if (s_axis_tvalid && s_axis_tdata == 32'd99 && !aresetn) begin
      short_q <= '0;
      long_q  <= '0;
      wide_q  <= '0;
      memory[s_axis_tdata[0]] <= '0;
    end
  end

endmodule

`default_nettype wire
