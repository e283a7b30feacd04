// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite face of a core with packets on AXI4-Stream (docs/contracts.md). A processor writes
// request packets and reads response packets word by word through registers. The register map is
// contract/stream_registers.rdl, which also generates the block that decodes it.
//
// Every access is answered. SLVERR: the address has no register, or the register is only readable
// or only writable. A word that cannot be accepted or delivered sets an event bit. A word counts
// only if it is written whole (all byte lanes).
//
// `clear` resets the core (`core_rst_no`), which then wipes itself, and wipes both FIFOs. This
// takes the larger depth in cycles here, plus the core's own time.
//
// Bandwidth: one access every two cycles. A word reaches the core 4 cycles after its write was
// accepted on both channels.
`include "totient_assert.svh"
`default_nettype none

module axil_stream
  import contract_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned RequestDepth  = 32,  // words, a power of two, 2 to 32768
  parameter int unsigned ResponseDepth = 32   // words, a power of two, 2 to 32768
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        interrupt_o,

  input  logic        s_axil_awvalid,
  output logic        s_axil_awready,
  input  logic [5:0]  s_axil_awaddr,   // bytes
  input  logic [2:0]  s_axil_awprot,   // ignored
  input  logic        s_axil_wvalid,
  output logic        s_axil_wready,
  input  logic [31:0] s_axil_wdata,
  input  logic [3:0]  s_axil_wstrb,
  output logic        s_axil_bvalid,
  input  logic        s_axil_bready,
  output logic [1:0]  s_axil_bresp,
  input  logic        s_axil_arvalid,
  output logic        s_axil_arready,
  input  logic [5:0]  s_axil_araddr,
  input  logic [2:0]  s_axil_arprot,
  output logic        s_axil_rvalid,
  input  logic        s_axil_rready,
  output logic [31:0] s_axil_rdata,
  output logic [1:0]  s_axil_rresp,

  // Core
  output logic        core_rst_no,
  output logic [31:0] m_axis_tdata,
  output logic        m_axis_tvalid,
  input  logic        m_axis_tready,
  output logic        m_axis_tlast,
  input  logic [31:0] s_axis_tdata,
  input  logic        s_axis_tvalid,
  output logic        s_axis_tready,
  input  logic        s_axis_tlast
);
  `TOTIENT_REQUIRE(Depths, RequestDepth <= 32768 && ResponseDepth <= 32768,
                   "RequestDepth and ResponseDepth must be at most 32768")

  stream_registers_pkg::stream_registers__in_t  status;
  stream_registers_pkg::stream_registers__out_t control;
  stream_registers u_registers (
    .clk(clk_i), .rst_n(rst_ni),
    .s_axil_awready, .s_axil_awvalid, .s_axil_awaddr, .s_axil_awprot,
    .s_axil_wready, .s_axil_wvalid, .s_axil_wdata, .s_axil_wstrb,
    .s_axil_bready, .s_axil_bvalid, .s_axil_bresp,
    .s_axil_arready, .s_axil_arvalid, .s_axil_araddr, .s_axil_arprot,
    .s_axil_rready, .s_axil_rvalid, .s_axil_rdata, .s_axil_rresp,
    .hwif_in(status), .hwif_out(control)
  );

  // The core is held in reset until both FIFOs are empty and wiped.
  logic clear, clearing, clearing_request, clearing_response;
  assign clear    = control.CONTROL.clear.value;
  assign clearing = clear || clearing_request || clearing_response;
  always_ff @(posedge clk_i) core_rst_no <= rst_ni && !clearing;

  localparam int unsigned RequestBits  = count_bits(RequestDepth + 1);
  localparam int unsigned ResponseBits = count_bits(ResponseDepth + 1);
  logic                    write, write_last, whole, request_ready, response_valid, response_last;
  logic                    read, response_end;
  logic [31:0]             write_word, response_word;
  logic [RequestBits-1:0]  request_room;
  logic [ResponseBits-1:0] response_level;
  assign write      = control.REQUEST.req || control.REQUEST_LAST.req;
  assign write_last = control.REQUEST_LAST.req;
  assign write_word = write_last ? control.REQUEST_LAST.wr_data : control.REQUEST.wr_data;
  assign whole      = write_last ? &control.REQUEST_LAST.wr_biten : &control.REQUEST.wr_biten;
  assign read       = control.RESPONSE.req;
  packet_fifo #(.Bits(32), .Depth(RequestDepth)) u_request (
    .clk_i, .rst_ni, .wipe_i(clear), .wiping_o(clearing_request),
    .valid_i(write && whole && !clearing), .ready_o(request_ready),
    .data_i(write_word), .last_i(write_last),
    .valid_o(m_axis_tvalid), .ready_i(m_axis_tready), .data_o(m_axis_tdata),
    .last_o(m_axis_tlast),
    .room_o(request_room),
    /* verilator lint_off PINCONNECTEMPTY */
    .level_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  packet_fifo #(.Bits(32), .Depth(ResponseDepth)) u_response (
    .clk_i, .rst_ni, .wipe_i(clear), .wiping_o(clearing_response),
    .valid_i(s_axis_tvalid && core_rst_no), .ready_o(s_axis_tready),
    .data_i(s_axis_tdata), .last_i(s_axis_tlast),
    .valid_o(response_valid), .ready_i(read), .data_o(response_word),
    .last_o(response_last), .level_o(response_level),
    /* verilator lint_off PINCONNECTEMPTY */
    .room_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  assign response_end = s_axis_tvalid && s_axis_tready && s_axis_tlast;

  // Requests with at least one written word that have not been answered.
  localparam int unsigned PendingBits = count_bits(RequestDepth + 4);
  logic                   open_q;  // the last word of the current packet has not been written yet
  logic [PendingBits-1:0] pending_q;
  logic                   taken, begins;
  assign taken  = write && whole && !clearing && request_ready;
  assign begins = taken && !open_q;
  always_ff @(posedge clk_i) begin
    if (taken) open_q <= !write_last;
    pending_q <= pending_q + PendingBits'(begins) - PendingBits'(response_end);
    if (!rst_ni || clearing) begin
      open_q    <= 1'b0;
      pending_q <= '0;
    end
  end

  // Cycles of a request, from its first word's handshake to that of its response's first word.
  logic        inside_request_q, inside_response_q, counting_q;
  logic [63:0] cycles_q;
  always_ff @(posedge clk_i) begin
    if (counting_q) cycles_q <= cycles_q + 64'd1;
    if (m_axis_tvalid && m_axis_tready) begin
      inside_request_q <= !m_axis_tlast;
      if (!inside_request_q) begin
        cycles_q   <= 64'd1;
        counting_q <= 1'b1;
      end
    end
    if (s_axis_tvalid && s_axis_tready) begin
      inside_response_q <= !s_axis_tlast;
      if (!inside_response_q) counting_q <= 1'b0;
    end
    if (!rst_ni || clearing) begin
      inside_request_q  <= 1'b0;
      inside_response_q <= 1'b0;
      counting_q        <= 1'b0;
      cycles_q          <= '0;
    end
  end

  always_comb begin
    status.VERSION.patch.next             = Version[7:0];
    status.VERSION.minor.next             = Version[15:8];
    status.VERSION.major.next             = Version[23:16];
    status.CAPABILITY.request_words.next  = 16'(RequestDepth);
    status.CAPABILITY.response_words.next = 16'(ResponseDepth);
    status.STATUS.response_valid.next     = response_valid;
    status.STATUS.response_last.next      = response_last;
    status.STATUS.request_ready.next      = request_ready && !clearing;
    status.STATUS.busy.next               = pending_q != '0;
    status.STATUS.clearing.next           = clearing;
    status.EVENTS.response.hwset          = response_end;
    status.EVENTS.request_lost.hwset      = write && !taken;
    status.EVENTS.response_missing.hwset  = read && !response_valid;
    status.WORDS.request_free.next        = 16'(request_room);
    status.WORDS.response_held.next       = 16'(response_level);
    status.CYCLES_LOW.cycles.next         = cycles_q[31:0];
    status.CYCLES_HIGH.cycles.next        = cycles_q[63:32];
    status.REQUEST.wr_ack                 = control.REQUEST.req;
    status.REQUEST_LAST.wr_ack            = control.REQUEST_LAST.req;
    status.RESPONSE.rd_ack                = control.RESPONSE.req;
    status.RESPONSE.rd_data.word          = response_valid ? response_word : '0;
  end
  assign interrupt_o =
      (control.EVENTS.response.value && control.INTERRUPT_ENABLE.response.value)
      || (control.EVENTS.request_lost.value && control.INTERRUPT_ENABLE.request_lost.value)
      || (control.EVENTS.response_missing.value && control.INTERRUPT_ENABLE.response_missing.value);

  `TOTIENT_ASSERT_STABLE_UNLESS(WriteResponse, s_axil_bvalid, s_axil_bready, s_axil_bresp, 1'b0)
  `TOTIENT_ASSERT_STABLE_UNLESS(ReadResponse, s_axil_rvalid, s_axil_rready,
                                {s_axil_rresp, s_axil_rdata}, 1'b0)
endmodule

`default_nettype wire
