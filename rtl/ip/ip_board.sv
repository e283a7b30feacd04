// SPDX-License-Identifier: Apache-2.0
// Any IP of the catalog on a board that has a clock, a button and a serial port: a complete top.
// Its registers and its stream are reached by packets on the serial line (rtl/bus/packet_axil.sv).
// Clocks, reset, lights and timing: rtl/bus/board_port.sv.
//
// Parameters: those of the IP, and of the board.
`include "totient_assert.svh"
`default_nettype none

module ip_board #(
  parameter int unsigned      Family       = 0,    // 0 ECP5, 1 7-series, 2 Gowin, 3 iCE40
  parameter logic [255:0]     Ip           = "rsa_keygen",  // its name, or rsa_axil
  parameter int unsigned      Width        = 32,   // all but rsa_keygen and rsa_stream
  // verilog_lint: waive-start explicit-parameter-storage-type
  parameter                   Modulus      = 32'd6103297,   // rsa_fixed, and the next one
  parameter                   Exponent     = 32'd65537,
  // verilog_lint: waive-stop explicit-parameter-storage-type
  parameter int unsigned      PrimeBits    = 32,            // rsa_stream
  parameter int unsigned      WordBits     = 16,            // rsa_fixed, rsa_stream, rsa_axil
  parameter int unsigned      BitsPerCycle = 1,             // modmul_montgomery, rsa_axil
  parameter logic [127:0]     Design       = "montgomery",  // rsa_axil, and all below
  parameter int unsigned      FixedTime    = 1,
  parameter int unsigned      Multiplier   = 0,
  parameter int unsigned      EarlyEnd     = 0,
  parameter int unsigned      DigitBits    = 0,
  parameter int unsigned      Slots        = 1,
  parameter int unsigned      Elements     = 8,
  parameter int unsigned      Form         = (Family == 0) ? 1 : (Family == 1) ? 2 : 0,
  parameter int unsigned      Links        = 0,
  parameter int unsigned      Multipliers  = 2,
  parameter int unsigned      Separated    = 1,
  parameter int unsigned      Lanes        = 1,
  parameter int unsigned      FrameWords      = 512,    // of the longest request
  parameter int unsigned      BitCycles       = 217,    // of the board: rtl/bus/board_port.sv
  parameter int unsigned      BitSixteenths   = 0,
  parameter int unsigned      PeriodPs        = 40000,
  parameter int unsigned      InputDivider    = 1,
  parameter int unsigned      FeedbackDivider = 2,
  parameter int unsigned      OutputDivider   = 12,
  parameter int unsigned      Leds            = 3,
  parameter int unsigned      ButtonActive    = 1,
  parameter int unsigned      LedActive       = 1
) (
  input  wire logic       clk,
  input  wire logic       button,
  input  wire logic       uart_rx,
  output logic            uart_tx,
  output logic [((Leds >= 1 && Leds <= 3) ? Leds : 3)-1:0] led
);
  localparam bit Keygen = Ip == "rsa_keygen", Fixed = Ip == "rsa_fixed";
  localparam bit Stream = Ip == "rsa_stream", Product = Ip == "modmul_montgomery";
  localparam bit Core = Ip == "rsa_axil";
  `TOTIENT_REQUIRE(Ip, Keygen || Fixed || Stream || Product || Core,
                   "Ip must be rsa_keygen, rsa_fixed, rsa_stream, modmul_montgomery or rsa_axil")
  localparam int unsigned AddressBits = Stream ? 11 : 6;

  logic clk_core, aresetn;
  logic [31:0] request_data, response_data;
  logic        request_valid, request_ready, request_last;
  logic        response_valid, response_ready, response_last;

  board_port #(
    .Family(Family), .FrameWords(FrameWords),
    .BitCycles(BitCycles), .BitSixteenths(BitSixteenths), .PeriodPs(PeriodPs),
    .InputDivider(InputDivider), .FeedbackDivider(FeedbackDivider), .OutputDivider(OutputDivider),
    .Leds(Leds), .ButtonActive(ButtonActive), .LedActive(LedActive)
  ) u_port (
    .clk_i(clk), .button_i(button), .uart_rx_i(uart_rx), .uart_tx_o(uart_tx), .led_o(led),
    .core_clk_o(clk_core), .core_rst_no(aresetn),
    .m_axis_tdata(request_data), .m_axis_tvalid(request_valid), .m_axis_tready(request_ready),
    .m_axis_tlast(request_last),
    .s_axis_tdata(response_data), .s_axis_tvalid(response_valid), .s_axis_tready(response_ready),
    .s_axis_tlast(response_last)
  );

  /* verilator lint_off UNUSEDSIGNAL */  // no IP has all of them
  logic                   irq;
  logic                   reg_awvalid, reg_awready, reg_wvalid, reg_wready, reg_bvalid, reg_bready;
  logic                   reg_arvalid, reg_arready, reg_rvalid, reg_rready;
  logic [AddressBits-1:0] reg_awaddr, reg_araddr;
  logic [2:0]             reg_awprot, reg_arprot;
  logic [31:0]            reg_wdata, reg_rdata;
  logic [3:0]             reg_wstrb;
  logic [1:0]             reg_bresp, reg_rresp;
  logic [31:0]            to_data, from_data;
  logic                   to_valid, to_ready, to_last, from_valid, from_ready, from_last;
  /* verilator lint_on UNUSEDSIGNAL */

  packet_axil #(
    .HasRegisters(!Fixed), .HasStream(Fixed || Stream), .AddressBits(AddressBits)
  ) u_packets (
    .clk_i(clk_core), .rst_ni(aresetn), .interrupt_i(irq),
    .s_axis_tdata(request_data), .s_axis_tvalid(request_valid), .s_axis_tready(request_ready),
    .s_axis_tlast(request_last),
    .m_axis_tdata(response_data), .m_axis_tvalid(response_valid), .m_axis_tready(response_ready),
    .m_axis_tlast(response_last),
    .m_axil_awvalid(reg_awvalid), .m_axil_awready(reg_awready), .m_axil_awaddr(reg_awaddr),
    .m_axil_awprot(reg_awprot), .m_axil_wvalid(reg_wvalid), .m_axil_wready(reg_wready),
    .m_axil_wdata(reg_wdata), .m_axil_wstrb(reg_wstrb), .m_axil_bvalid(reg_bvalid),
    .m_axil_bready(reg_bready), .m_axil_bresp(reg_bresp), .m_axil_arvalid(reg_arvalid),
    .m_axil_arready(reg_arready), .m_axil_araddr(reg_araddr), .m_axil_arprot(reg_arprot),
    .m_axil_rvalid(reg_rvalid), .m_axil_rready(reg_rready), .m_axil_rdata(reg_rdata),
    .m_axil_rresp(reg_rresp),
    .to_stream_tdata(to_data), .to_stream_tvalid(to_valid), .to_stream_tready(to_ready),
    .to_stream_tlast(to_last),
    .from_stream_tdata(from_data), .from_stream_tvalid(from_valid),
    .from_stream_tready(from_ready), .from_stream_tlast(from_last)
  );

  if (Fixed) begin : gen_fixed
    rsa_fixed_axis #(
      .Width(Width), .Modulus(Modulus), .Exponent(Exponent), .WordBits(WordBits)
    ) u_ip (
      .aclk(clk_core), .aresetn,
      .s_axis_tdata(to_data), .s_axis_tvalid(to_valid), .s_axis_tready(to_ready),
      .s_axis_tlast(to_last),
      .m_axis_tdata(from_data), .m_axis_tvalid(from_valid), .m_axis_tready(from_ready),
      .m_axis_tlast(from_last)
    );
  end else if (Stream) begin : gen_stream
    rsa_keygen_axis #(.PrimeBits(PrimeBits), .WordBits(WordBits)) u_ip (
      .aclk(clk_core), .aresetn,
      .s_axil_awvalid(reg_awvalid), .s_axil_awready(reg_awready), .s_axil_awaddr(reg_awaddr),
      .s_axil_awprot(reg_awprot), .s_axil_wvalid(reg_wvalid), .s_axil_wready(reg_wready),
      .s_axil_wdata(reg_wdata), .s_axil_wstrb(reg_wstrb), .s_axil_bvalid(reg_bvalid),
      .s_axil_bready(reg_bready), .s_axil_bresp(reg_bresp), .s_axil_arvalid(reg_arvalid),
      .s_axil_arready(reg_arready), .s_axil_araddr(reg_araddr), .s_axil_arprot(reg_arprot),
      .s_axil_rvalid(reg_rvalid), .s_axil_rready(reg_rready), .s_axil_rdata(reg_rdata),
      .s_axil_rresp(reg_rresp),
      .s_axis_tdata(to_data), .s_axis_tvalid(to_valid), .s_axis_tready(to_ready),
      .s_axis_tlast(to_last),
      .m_axis_tdata(from_data), .m_axis_tvalid(from_valid), .m_axis_tready(from_ready),
      .m_axis_tlast(from_last)
    );
  end else if (Product) begin : gen_product
    modmul_montgomery_axil #(.Width(Width), .BitsPerCycle(BitsPerCycle)) u_ip (
      .aclk(clk_core), .aresetn, .irq(irq),
      .s_axil_awvalid(reg_awvalid), .s_axil_awready(reg_awready), .s_axil_awaddr(reg_awaddr),
      .s_axil_awprot(reg_awprot), .s_axil_wvalid(reg_wvalid), .s_axil_wready(reg_wready),
      .s_axil_wdata(reg_wdata), .s_axil_wstrb(reg_wstrb), .s_axil_bvalid(reg_bvalid),
      .s_axil_bready(reg_bready), .s_axil_bresp(reg_bresp), .s_axil_arvalid(reg_arvalid),
      .s_axil_arready(reg_arready), .s_axil_araddr(reg_araddr), .s_axil_arprot(reg_arprot),
      .s_axil_rvalid(reg_rvalid), .s_axil_rready(reg_rready), .s_axil_rdata(reg_rdata),
      .s_axil_rresp(reg_rresp)
    );
  end else if (Core) begin : gen_core
    rsa_axil #(
      .Design(Design), .Width(Width), .WordBits(WordBits), .FixedTime(FixedTime),
      .Multiplier(Multiplier), .BitsPerCycle(BitsPerCycle), .EarlyEnd(EarlyEnd),
      .DigitBits(DigitBits), .Slots(Slots), .Elements(Elements), .Form(Form), .Links(Links),
      .Multipliers(Multipliers), .Separated(Separated), .Lanes(Lanes)
    ) u_ip (
      .aclk(clk_core), .aresetn, .irq(irq),
      .s_axil_awvalid(reg_awvalid), .s_axil_awready(reg_awready), .s_axil_awaddr(reg_awaddr),
      .s_axil_awprot(reg_awprot), .s_axil_wvalid(reg_wvalid), .s_axil_wready(reg_wready),
      .s_axil_wdata(reg_wdata), .s_axil_wstrb(reg_wstrb), .s_axil_bvalid(reg_bvalid),
      .s_axil_bready(reg_bready), .s_axil_bresp(reg_bresp), .s_axil_arvalid(reg_arvalid),
      .s_axil_arready(reg_arready), .s_axil_araddr(reg_araddr), .s_axil_arprot(reg_arprot),
      .s_axil_rvalid(reg_rvalid), .s_axil_rready(reg_rready), .s_axil_rdata(reg_rdata),
      .s_axil_rresp(reg_rresp)
    );
  end else begin : gen_keygen
    rsa_keygen_axil u_ip (
      .aclk(clk_core), .aresetn,
      .s_axil_awvalid(reg_awvalid), .s_axil_awready(reg_awready), .s_axil_awaddr(reg_awaddr),
      .s_axil_awprot(reg_awprot), .s_axil_wvalid(reg_wvalid), .s_axil_wready(reg_wready),
      .s_axil_wdata(reg_wdata), .s_axil_wstrb(reg_wstrb), .s_axil_bvalid(reg_bvalid),
      .s_axil_bready(reg_bready), .s_axil_bresp(reg_bresp), .s_axil_arvalid(reg_arvalid),
      .s_axil_arready(reg_arready), .s_axil_araddr(reg_araddr), .s_axil_arprot(reg_arprot),
      .s_axil_rvalid(reg_rvalid), .s_axil_rready(reg_rready), .s_axil_rdata(reg_rdata),
      .s_axil_rresp(reg_rresp)
    );
  end

  // What an IP does not have.
  if (!Product && !Core) begin : gen_no_interrupt
    assign irq = 1'b0;
  end
  if (Fixed) begin : gen_no_registers
    assign {reg_awready, reg_wready, reg_bvalid, reg_arready, reg_rvalid} = '0;
    assign {reg_bresp, reg_rresp, reg_rdata} = '0;
  end
  if (!Fixed && !Stream) begin : gen_no_stream
    assign {to_ready, from_valid, from_last} = '0;
    assign from_data = '0;
  end
endmodule

`default_nettype wire
