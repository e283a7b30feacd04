// SPDX-License-Identifier: Apache-2.0
// Proof of axil_stream and its register block, for any behaviour of master and core: the slave
// follows the rules of AXI4-Lite, answers every access in bounded time, and refuses every access
// that contract/stream_registers.rdl does not allow. With `Words`: words pass between registers and
// core in order.
`default_nettype none

module axil_stream_formal #(
  parameter int unsigned RequestDepth  = 32,
  parameter int unsigned ResponseDepth = 32,
  parameter bit          Words         = 1'b0
) (
  input wire logic        clk_i,
  input wire logic        reset_ni,
  input wire logic        mark_i,
  output logic            interrupt_o,
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
  output logic [1:0]      s_axil_rresp,
  output logic            core_rst_no,
  output logic [31:0]     m_axis_tdata,
  output logic            m_axis_tvalid,
  input wire logic        m_axis_tready,
  output logic            m_axis_tlast,
  input wire logic [31:0] s_axis_tdata,
  input wire logic        s_axis_tvalid,
  output logic            s_axis_tready,
  input wire logic        s_axis_tlast
);
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  axil_stream #(.RequestDepth(RequestDepth), .ResponseDepth(ResponseDepth)) u_dut (.*);

  if (Words) begin : g_words
    // Word addresses, from contract/stream_registers.rdl.
    localparam logic [3:0] Request     = 4'hC;
    localparam logic [3:0] RequestLast = 4'hD;
    localparam logic [3:0] Response    = 4'hE;
    logic clearing, wiping;
    assign clearing = u_dut.status.STATUS.clearing.next;
    assign wiping   = u_dut.u_request.wiping_q || u_dut.u_response.wiping_q;

    // Each half of a write waits in a register for the other, a read's address for its turn.
    logic        address_q, data_q, read_address_q;  // there is one
    logic [5:0]  write_to_q, read_from_q;
    logic [31:0] word_q;
    logic [3:0]  lanes_q;
    logic        written, is_read;  // the slave carries out a write, a read
    assign written = u_dut.u_registers.axil_aw_accept;
    assign is_read = u_dut.u_registers.axil_ar_accept;
    always_ff @(posedge clk_i) begin
      if (written) {address_q, data_q} <= '0;
      if (is_read) read_address_q <= 1'b0;
      if (s_axil_awvalid && s_axil_awready) {address_q, write_to_q} <= {1'b1, s_axil_awaddr};
      if (s_axil_wvalid && s_axil_wready)
        {data_q, word_q, lanes_q} <= {1'b1, s_axil_wdata, s_axil_wstrb};
      if (s_axil_arvalid && s_axil_arready) {read_address_q, read_from_q} <= {1'b1, s_axil_araddr};
      if (!rst_ni) {address_q, data_q, read_address_q} <= '0;
      if (rst_ni) begin
        WholeWrite : assert (!written || (address_q && data_q));
        OneAddress : assert (!s_axil_awready || !address_q || written);
        OneWord : assert (!s_axil_wready || !data_q || written);
        OneRead : assert (!s_axil_arready || !read_address_q || is_read);
        ReadAsked : assert (!is_read || read_address_q);
        Once : assert (!written || !is_read);
      end
    end

    // Requests: words that are written whole, until they leave to the core.
    localparam int unsigned RequestBits = totient_pkg::count_bits(RequestDepth + 2);
    logic word_written, request_last, request_taken;
    logic [RequestBits-1:0] request_level;
    logic [totient_pkg::index_bits(RequestDepth)-1:0] request_place;
    assign request_last  = write_to_q[5:2] == RequestLast;
    assign word_written  = written && (write_to_q[5:2] == Request || request_last)
                                   && lanes_q == '1;
    assign request_taken = u_dut.status.STATUS.request_ready.next;
    order_properties #(.Bits(33), .Capacity(RequestDepth + 1), .Latency(2)) u_order_in (
      .clk_i, .rst_ni, .clear_i(clearing), .mark_i,
      .in_valid_i(word_written), .in_ready_i(request_taken), .in_data_i({request_last, word_q}),
      .out_valid_i(m_axis_tvalid), .out_ready_i(m_axis_tready),
      .out_data_i({m_axis_tlast, m_axis_tdata}), .level_o(request_level)
    );
    packet_fifo_invariant #(.Bits(33), .Depth(RequestDepth)) u_request (
      .clk_i, .rst_ni, .clear_i(wiping), .level_i(request_level),
      .marked_i(u_order_in.marked_q), .ahead_i(u_order_in.ahead_q), .data_i(u_order_in.data_q),
      .write_i(u_dut.u_request.write_q), .read_i(u_dut.u_request.read_q),
      .wiped_i(u_dut.u_request.wiped_q),
      .wiping_i(u_dut.u_request.wiping_q), .place_o(request_place),
      .stored_i(u_dut.u_request.u_words.memory[request_place]),
      .valid_i(m_axis_tvalid), .word_i({m_axis_tlast, m_axis_tdata})
    );

    // Responses: words of the core, until a read takes one from the FIFO ...
    localparam int unsigned ResponseBits = totient_pkg::count_bits(ResponseDepth + 2);
    logic word_read;
    logic [ResponseBits-1:0] response_level;
    logic [totient_pkg::index_bits(ResponseDepth)-1:0] response_place;
    assign word_read = is_read && read_from_q[5:2] == Response;
    order_properties #(.Bits(33), .Capacity(ResponseDepth + 1), .Latency(2)) u_order_out (
      .clk_i, .rst_ni, .clear_i(clearing), .mark_i,
      .in_valid_i(s_axis_tvalid && core_rst_no), .in_ready_i(s_axis_tready),
      .in_data_i({s_axis_tlast, s_axis_tdata}),
      .out_valid_i(u_dut.response_valid), .out_ready_i(word_read),
      .out_data_i({u_dut.response_last, u_dut.response_word}), .level_o(response_level)
    );
    packet_fifo_invariant #(.Bits(33), .Depth(ResponseDepth)) u_response (
      .clk_i, .rst_ni, .clear_i(wiping), .level_i(response_level),
      .marked_i(u_order_out.marked_q), .ahead_i(u_order_out.ahead_q), .data_i(u_order_out.data_q),
      .write_i(u_dut.u_response.write_q), .read_i(u_dut.u_response.read_q),
      .wiped_i(u_dut.u_response.wiped_q),
      .wiping_i(u_dut.u_response.wiping_q), .place_o(response_place),
      .stored_i(u_dut.u_response.u_words.memory[response_place]),
      .valid_i(u_dut.response_valid), .word_i({u_dut.response_last, u_dut.response_word})
    );

    // ... and from there until its answer. A read without a word answers 0.
    logic [1:0] answers;  // of reads that wait
    order_properties #(.Bits(32), .Capacity(2), .Latency(0)) u_answers (
      .clk_i, .rst_ni, .clear_i(1'b0), .mark_i(mark_i && word_read),
      .in_valid_i(is_read), .in_ready_i(1'b1),
      .in_data_i(u_dut.response_valid ? u_dut.response_word : 32'd0),
      .out_valid_i(s_axil_rvalid), .out_ready_i(s_axil_rready), .out_data_i(s_axil_rdata),
      .level_o(answers)
    );

    // What else holds in every cycle, for the induction.
    logic [1:0] waiting;  // answers, of writes too: the first one and the second one
    logic       first, first_is_read, second_is_read, followed;
    assign waiting        = u_dut.u_registers.axil_resp_wptr - u_dut.u_registers.axil_resp_rptr;
    assign first          = u_dut.u_registers.axil_resp_rptr[0];
    assign first_is_read  = waiting != 2'd0 && !u_dut.u_registers.axil_resp_buffer_is_wr[first];
    assign second_is_read = waiting == 2'd2 && !u_dut.u_registers.axil_resp_buffer_is_wr[!first];
    assign followed       = (u_answers.ahead_q == 2'd0 && first_is_read) ? first : !first;
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        Waiting : assert (waiting == u_dut.u_registers.axil_n_in_flight && waiting <= 2'd2);
        Lost : assert (!word_written || request_taken
                       || u_dut.status.EVENTS.request_lost.hwset);
        Missing : assert (!word_read || u_dut.response_valid
                          || u_dut.status.EVENTS.response_missing.hwset);
        CoreInReset : assert (!(core_rst_no && wiping));
        NotPending : assert (!u_dut.u_registers.external_pending);
        Answers : assert (answers == 2'(first_is_read) + 2'(second_is_read));
        Answer : assert (!u_answers.marked_q
                         || (u_answers.ahead_q < answers
                             && u_answers.data_q
                                == u_dut.u_registers.axil_resp_buffer_rdata[followed]));
        WriteHalves : assert (address_q == u_dut.u_registers.axil_awvalid
                              && data_q == u_dut.u_registers.axil_wvalid);
        WriteAddress : assert (!address_q || write_to_q == u_dut.u_registers.axil_awaddr);
        WriteWord : assert (!data_q || (word_q == u_dut.u_registers.axil_wdata
                                        && lanes_q == u_dut.u_registers.axil_wstrb));
        ReadAddress : assert (read_address_q == u_dut.u_registers.axil_arvalid
                              && (!read_address_q
                                  || read_from_q == u_dut.u_registers.axil_araddr));
      end
    end
  end else begin : g_rules
    axil_properties #(
      .AddressBits(6),
      .Readable(stream_registers_map::Readable), .Writable(stream_registers_map::Writable)
    ) u_axil (.*);

    stream_properties #(.Bits(33)) u_request (
      .clk_i, .rst_ni, .drop_i(!core_rst_no), .valid_i(m_axis_tvalid), .ready_i(m_axis_tready),
      .data_i({m_axis_tlast, m_axis_tdata})
    );
  end
endmodule

`default_nettype wire
