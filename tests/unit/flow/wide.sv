// SPDX-License-Identifier: Apache-2.0
// A memory with words of 36 bits, for tests. A request is a word: bit 31 says whether to write, bits
// 30 to 22 where, the others what, repeated; the answer is what was there before, folded.
`default_nettype none
module wide (
  input  wire logic        aclk,
  input  wire logic        aresetn,
  input  wire logic [31:0] s_axis_tdata,
  input  wire logic        s_axis_tvalid,
  output logic             s_axis_tready,
  input  wire logic        s_axis_tlast,
  output logic      [31:0] m_axis_tdata,
  output logic             m_axis_tvalid,
  input  wire logic        m_axis_tready,
  output logic             m_axis_tlast
);
  logic [35:0] ram[512];
  logic [35:0] read_q;
  logic [31:0] request_q;
  logic [2:0]  step_q;
  always_ff @(posedge aclk) begin
    read_q <= ram[request_q[30:22]];
    if (step_q[1] && request_q[31]) ram[request_q[30:22]] <= {request_q[21:0], request_q[13:0]};
  end
  always_ff @(posedge aclk) begin
    if (!aresetn) step_q <= 3'd0;
    else if (step_q == 0) step_q <= {2'd0, s_axis_tvalid};
    else if (step_q[2]) step_q <= m_axis_tready ? 3'd0 : 3'd4;
    else step_q <= step_q << 1;
    if (step_q == 0 && s_axis_tvalid) request_q <= s_axis_tdata;
    if (step_q[1]) m_axis_tdata <= read_q[35:4] ^ {28'd0, read_q[3:0]};
  end
  assign s_axis_tready = step_q == 0;
  assign m_axis_tvalid = step_q[2];
  assign m_axis_tlast = 1'b1;
  logic unused;
  assign unused = s_axis_tlast;
endmodule
`default_nettype wire
