// SPDX-License-Identifier: Apache-2.0
// Proof of rsa_keygen_axis and its register block, for any behaviour of the master, and of key
// generator and exponentiator, which are cut off: the slave follows the rules of AXI4-Lite, answers
// every access in bounded time, and refuses every access that contract/rsa_stream_registers.rdl
// does not allow. The stream follows its rule.
`default_nettype none

module rsa_keygen_axis_formal #(
  parameter int unsigned PrimeBits = 32
) (
  input wire logic        clk_i,
  input wire logic        reset_ni,
  input wire logic        mark_i,
  input wire logic        s_axil_awvalid,
  output logic            s_axil_awready,
  input wire logic [10:0]  s_axil_awaddr,
  input wire logic [2:0]  s_axil_awprot,
  input wire logic        s_axil_wvalid,
  output logic            s_axil_wready,
  input wire logic [31:0] s_axil_wdata,
  input wire logic [3:0]  s_axil_wstrb,
  output logic            s_axil_bvalid,
  input wire logic        s_axil_bready,
  output logic [1:0]      s_axil_bresp,
  input wire logic        s_axil_arvalid,
  output logic            s_axil_arready,
  input wire logic [10:0]  s_axil_araddr,
  input wire logic [2:0]  s_axil_arprot,
  output logic            s_axil_rvalid,
  input wire logic        s_axil_rready,
  output logic [31:0]     s_axil_rdata,
  output logic [1:0]      s_axil_rresp,
  input wire logic [31:0] s_axis_tdata,
  input wire logic        s_axis_tvalid,
  output logic            s_axis_tready,
  input wire logic        s_axis_tlast,
  output logic [31:0]     m_axis_tdata,
  output logic            m_axis_tvalid,
  input wire logic        m_axis_tready,
  output logic            m_axis_tlast
);
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  rsa_keygen_axis #(.PrimeBits(PrimeBits)) u_dut (.aclk(clk_i), .aresetn(rst_ni), .*);

  axil_properties #(
    .AddressBits(11), .Wait(5),  // the numbers are read through the sequencer
    .Readable(rsa_stream_registers_map::Readable), .Writable(rsa_stream_registers_map::Writable)
  ) u_axil (.*);

  stream_properties #(.Bits(33)) u_result (
    .clk_i, .rst_ni, .drop_i(u_dut.clear), .valid_i(m_axis_tvalid), .ready_i(m_axis_tready),
    .data_i({m_axis_tlast, m_axis_tdata})
  );
endmodule

`default_nettype wire
