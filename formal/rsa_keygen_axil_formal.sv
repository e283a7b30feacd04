// SPDX-License-Identifier: Apache-2.0
// Proof of rsa_keygen_axil and its register block, for any behaviour of the master, and of key
// generator and exponentiator, which are cut off: the slave follows the rules of AXI4-Lite, answers
// every access in bounded time, and refuses every access that contract/rsa_keygen_registers.rdl
// does not allow.
`default_nettype none

module rsa_keygen_axil_formal (
  input wire logic        clk_i,
  input wire logic        reset_ni,
  input wire logic        mark_i,
  input wire logic        s_axil_awvalid,
  output logic            s_axil_awready,
  input wire logic [5:0]  s_axil_awaddr,
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
  input wire logic [5:0]  s_axil_araddr,
  input wire logic [2:0]  s_axil_arprot,
  output logic            s_axil_rvalid,
  input wire logic        s_axil_rready,
  output logic [31:0]     s_axil_rdata,
  output logic [1:0]      s_axil_rresp
);
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  rsa_keygen_axil u_dut (.aclk(clk_i), .aresetn(rst_ni), .*);

  axil_properties #(
    .AddressBits(6),
    .Readable(rsa_keygen_registers_map::Readable), .Writable(rsa_keygen_registers_map::Writable)
  ) u_axil (.*);
endmodule

`default_nettype wire
