// SPDX-License-Identifier: Apache-2.0
// RSA with key generation by products and restoring division (rsa_restoring), behind the AXI4-Lite
// registers of rsa_keygen_axil. The register map is contract/rsa_keygen_registers.rdl. Every access
// is answered, with SLVERR where there is no register.
//
// Bounds: as of rsa_restoring. Even moduli are allowed.
// Cycles: the registers have those of rsa_restoring, whose sum is CLK_COUNT. Making a key depends
//         on the secret totient.
// Error codes: error_e (docs/contracts.md); the core is ready again.
// Source: the RSA IP of Becannon et al., its algorithm and its registers.
`default_nettype none

module rsa_restoring_axil
  import contract_pkg::*;
#(
  parameter int unsigned Width  = 32,
  parameter int unsigned Stages = 14
) (
  input  wire logic        aclk,
  input  wire logic        aresetn,

  input  wire logic        s_axil_awvalid,
  output logic             s_axil_awready,
  input  wire logic [5:0]  s_axil_awaddr,
  input  wire logic [2:0]  s_axil_awprot,
  input  wire logic        s_axil_wvalid,
  output logic             s_axil_wready,
  input  wire logic [31:0] s_axil_wdata,
  input  wire logic [3:0]  s_axil_wstrb,
  output logic             s_axil_bvalid,
  input  wire logic        s_axil_bready,
  output logic [1:0]       s_axil_bresp,
  input  wire logic        s_axil_arvalid,
  output logic             s_axil_arready,
  input  wire logic [5:0]  s_axil_araddr,
  input  wire logic [2:0]  s_axil_arprot,
  output logic             s_axil_rvalid,
  input  wire logic        s_axil_rready,
  output logic [31:0]      s_axil_rdata,
  output logic [1:0]       s_axil_rresp
);
  rsa_keygen_registers_pkg::rsa_keygen_registers__in_t  status;
  rsa_keygen_registers_pkg::rsa_keygen_registers__out_t control;
  rsa_keygen_registers u_registers (
    .clk(aclk), .rst_n(aresetn),
    .s_axil_awready, .s_axil_awvalid, .s_axil_awaddr, .s_axil_awprot,
    .s_axil_wready, .s_axil_wvalid, .s_axil_wdata, .s_axil_wstrb,
    .s_axil_bready, .s_axil_bvalid, .s_axil_bresp,
    .s_axil_arready, .s_axil_arvalid, .s_axil_araddr, .s_axil_arprot,
    .s_axil_rready, .s_axil_rvalid, .s_axil_rdata, .s_axil_rresp,
    .hwif_in(status), .hwif_out(control)
  );

  // The registers are wiped when software asks for a reset. Numbers that it writes while the core
  // is in reset count afterwards.
  logic clear, clear_q, wipe;
  assign clear = control.CONTROL.reset_mod.value != control.CONTROL.reset_invert.value;
  assign wipe  = clear && !clear_q;
  always_ff @(posedge aclk) clear_q <= aresetn && clear;

  logic        req_ready, rsp_valid, finished_q;
  error_e      rsp_error, error_q;
  logic [63:0] result, modulus, exponent, private_key, result_q, modulus_q, exponent_q, private_q;
  logic [31:0] key_cycles, message_cycles, key_cycles_q, message_cycles_q;
  rsa_restoring #(.Width(Width), .Stages(Stages)) u_core (
    .clk_i(aclk), .rst_ni(aresetn), .clear_i(clear),
    .req_valid_i(control.CONTROL.sp.value), .req_ready_o(req_ready),
    .given_i(control.MODE.l_mode.value), .decrypt_i(control.MODE.l_encrypt_decrypt.value),
    .p_i(control.P.prime.value), .q_i(control.Q.prime.value),
    .message_i({control.I_MSG.high.value, control.I_MSG.low.value}),
    .exponent_i({control.I_KEY.high.value, control.I_KEY.low.value}),
    .modulus_i({control.I_N.high.value, control.I_N.low.value}),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(1'b1), .rsp_error_o(rsp_error),
    .result_o(result), .modulus_o(modulus), .public_o(exponent), .private_o(private_key),
    .key_cycles_o(key_cycles), .message_cycles_o(message_cycles)
  );

  always_ff @(posedge aclk) begin
    if (req_ready && control.CONTROL.sp.value) begin
      finished_q <= 1'b0;
      error_q    <= ErrNone;
      {result_q, modulus_q, exponent_q, private_q, key_cycles_q, message_cycles_q} <= '0;
    end
    if (rsp_valid) begin
      finished_q       <= 1'b1;
      error_q          <= rsp_error;
      result_q         <= result;
      modulus_q        <= modulus;
      exponent_q       <= exponent;
      private_q        <= private_key;
      key_cycles_q     <= key_cycles;
      message_cycles_q <= message_cycles;
    end
    if (!aresetn || clear) begin
      finished_q <= 1'b0;
      error_q    <= ErrNone;
      {result_q, modulus_q, exponent_q, private_q, key_cycles_q, message_cycles_q} <= '0;
    end
  end

  always_comb begin
    status.P.prime.hwclr                      = wipe;
    status.Q.prime.hwclr                      = wipe;
    status.I_MSG.low.hwclr                    = wipe;
    status.I_MSG.high.hwclr                   = wipe;
    status.I_KEY.low.hwclr                    = wipe;
    status.I_KEY.high.hwclr                   = wipe;
    status.I_N.low.hwclr                      = wipe;
    status.I_N.high.hwclr                     = wipe;
    status.DATA_MSG.message.next              = result_q;
    status.DATA_ENCRYPT.key.next              = exponent_q;
    status.DATA_DECRYPT.key.next              = private_q;
    status.N_OUTPUT.modulus.next              = modulus_q;
    status.CLK_COUNT.cycles.next              = key_cycles_q + message_cycles_q;
    status.MOD_EXP_FINISH.mod_exp_finish.next = finished_q;
    status.MOD_EXP_FINISH.error.next          = error_q;
    status.MOD_EXP_FINISH.busy.next           = !req_ready;
    status.STEP_COUNTS.key_generation.next    = key_cycles_q;
    status.STEP_COUNTS.message.next           = message_cycles_q;
    status.IDENTIFICATION.version.next        = 32'(Version);
  end
endmodule

`default_nettype wire
