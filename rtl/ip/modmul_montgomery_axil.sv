// SPDX-License-Identifier: Apache-2.0
// A Montgomery multiplier for moduli of up to 64 bits behind AXI4-Lite registers, a coprocessor for
// a program that exponentiates: product = A B / 2^L mod n, L the bits of n. The register map is
// contract/modmul_registers.rdl; every access is answered, with SLVERR where there is no register.
//
// Cycles: from the start to the product, those of modmul_montgomery_radix2: ceil(L / BitsPerCycle)
//         + 6. They depend on the modulus' length and on no other value. 1 where an operand has
//         bits above Width.
// Error codes: ErrLength, ErrModulusEven, ErrBaseNotBelow (docs/contracts.md); it is ready again.
// `irq` is high while a product, or an error, is there that no start has followed.
// Source: the 64-bit multiplier of S. Diemert et al., 2014, its operands, start and complete.
`include "totient_assert.svh"
`default_nettype none

module modmul_montgomery_axil
  import contract_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned Width        = 64,  // longest modulus, in bits, 8 to 64
  parameter int unsigned BitsPerCycle = 1    // 1 or 2 steps a cycle
) (
  input  wire logic        aclk,
  input  wire logic        aresetn,
  output logic             irq,

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
  // A refused value is not passed on: its consequences would hide the reason.
  localparam bit WidthFits = Width >= 8 && Width <= 64;
  localparam bit StepsFit  = BitsPerCycle == 1 || BitsPerCycle == 2;
  `TOTIENT_REQUIRE(Width, WidthFits, "Width must be 8 to 64")
  `TOTIENT_REQUIRE(BitsPerCycle, StepsFit, "BitsPerCycle must be 1 or 2")
  localparam int unsigned Bits      = WidthFits ? Width : 64;
  localparam int unsigned Steps     = StepsFit ? BitsPerCycle : 1;
  localparam int unsigned CycleBits = count_bits(Bits + 6);

  modmul_registers_pkg::modmul_registers__in_t  status;
  modmul_registers_pkg::modmul_registers__out_t control;
  modmul_registers u_registers (
    .clk(aclk), .rst_n(aresetn),
    .s_axil_awready, .s_axil_awvalid, .s_axil_awaddr, .s_axil_awprot,
    .s_axil_wready, .s_axil_wvalid, .s_axil_wdata, .s_axil_wstrb,
    .s_axil_bready, .s_axil_bvalid, .s_axil_bresp,
    .s_axil_arready, .s_axil_arvalid, .s_axil_araddr, .s_axil_arprot,
    .s_axil_rready, .s_axil_rvalid, .s_axil_rdata, .s_axil_rresp,
    .hwif_in(status), .hwif_out(control)
  );

  logic [63:0] a, b, n;
  assign a = {control.A.high.value, control.A.low.value};
  assign b = {control.B.high.value, control.B.low.value};
  assign n = {control.MODULUS.high.value, control.MODULUS.low.value};

  // A product stays in the multiplier until the next start takes it from there.
  logic                 start, clear, long, busy_q, long_q;
  logic [CycleBits-1:0] cycles_q;
  logic                 complete, product_valid, unused_ready;
  logic [Bits-1:0]      product;
  error_e               error;
  assign clear = control.CONTROL.clear.value;
  assign start = control.CONTROL.start.value && !(busy_q && !product_valid);
  assign long  = ((a | b | n) >> Bits) != '0;
  modmul_montgomery_radix2 #(.Width(Bits), .BitsPerCycle(Steps)) u_multiplier (
    .clk_i(aclk), .rst_ni(aresetn), .clear_i(clear),
    .valid_i(start && !long), .ready_o(unused_ready),
    .a_i(a[Bits-1:0]), .b_i(b[Bits-1:0]), .n_i(n[Bits-1:0]),
    .valid_o(product_valid), .ready_i(start), .product_o(product), .error_o(error)
  );
  assign complete = product_valid || long_q;
  assign irq      = complete;

  always_ff @(posedge aclk) begin
    if (product_valid) busy_q <= 1'b0;
    if (busy_q && !product_valid) cycles_q <= cycles_q + CycleBits'(1);
    if (start) begin
      busy_q   <= !long;
      long_q   <= long;
      cycles_q <= CycleBits'(1);
    end
    if (!aresetn || clear) {busy_q, long_q, cycles_q} <= '0;
  end

  always_comb begin
    status.A.low.hwclr                 = clear;
    status.A.high.hwclr                = clear;
    status.B.low.hwclr                 = clear;
    status.B.high.hwclr                = clear;
    status.MODULUS.low.hwclr           = clear;
    status.MODULUS.high.hwclr          = clear;
    status.PRODUCT.result.next         = product_valid ? 64'(product) : '0;
    status.STATUS.complete.next        = complete;
    status.STATUS.busy.next            = busy_q && !product_valid;
    status.STATUS.error.next           = long_q ? ErrLength : product_valid ? error : ErrNone;
    status.CYCLES.cycles.next          = 32'(cycles_q);
    status.WIDTH.bits.next             = Bits;
    status.IDENTIFICATION.version.next = 32'(Version);
  end
endmodule

`default_nettype wire
