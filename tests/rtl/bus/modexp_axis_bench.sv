// SPDX-License-Identifier: Apache-2.0
// The stream adapter in front of the behavioural model of a core (tests only).
`default_nettype none

module modexp_axis_bench
  import contract_pkg::*;
  import modexp_pkg::*;
#(
  parameter int unsigned Width = 32,
  parameter int unsigned Lanes = 1
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic [31:0] s_axis_tdata,
  input  wire logic        s_axis_tvalid,
  output logic             s_axis_tready,
  input  wire logic        s_axis_tlast,
  output logic [31:0]      m_axis_tdata,
  output logic             m_axis_tvalid,
  input  wire logic        m_axis_tready,
  output logic             m_axis_tlast
);

  logic             clear;
  modexp_request_t  request;
  modexp_response_t response;

  modexp_axis #(
    .Width(Width), .Name("sixteen_letters!"), .Timing(TimeExponentLength), .Lanes(Lanes)
  ) dut (
    .clk_i, .rst_ni,
    .s_axis_tdata, .s_axis_tvalid, .s_axis_tready, .s_axis_tlast,
    .m_axis_tdata, .m_axis_tvalid, .m_axis_tready, .m_axis_tlast,
    .modexp_clear_o(clear), .modexp_request_o(request), .modexp_response_i(response)
  );

  modexp_model #(.Width(Width), .Lanes(Lanes)) model (
    .clk_i, .rst_ni, .clear_i(clear), .request_i(request), .response_o(response)
  );

endmodule

`default_nettype wire
