// SPDX-License-Identifier: Apache-2.0
// Connects packets to an IP with AXI4-Lite registers, a stream, or both: the link between a line
// and such an IP (docs/contracts.md, "An IP at the end of a line").
//
// A request packet is a list of accesses. An `access_word_t` begins each access. One packet answers
// all of them:
//   write:  the word to write follows; answered by one word
//   read:   answered by one word, and the word read
//   stream: the rest of the packet goes to the IP's stream; answered by one word, and the stream's
//           answer up to its `tlast`
// The word of an answer is an `access_status_word_t`.
//
// A write without its word is answered with SLVERR. An access that the IP does not support, and a
// stream without a word, are answered with DECERR; the rest of that packet is dropped. An IP that
// does not answer blocks the line until a reset.
//
// No word of a register or of a stream stays here after its packet has ended.
`include "totient_assert.svh"
`default_nettype none

module packet_axil
  import packet_pkg::*;
#(
  parameter bit          HasRegisters = 1'b1,
  parameter bit          HasStream    = 1'b0,
  parameter int unsigned AddressBits  = 6      // of the registers, in bytes: 2 to 16
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   interrupt_i,
  // Packets
  input  logic [31:0]            s_axis_tdata,
  input  logic                   s_axis_tvalid,
  output logic                   s_axis_tready,
  input  logic                   s_axis_tlast,
  output logic [31:0]            m_axis_tdata,
  output logic                   m_axis_tvalid,
  input  logic                   m_axis_tready,
  output logic                   m_axis_tlast,
  // The IP's registers
  output logic                   m_axil_awvalid,
  input  logic                   m_axil_awready,
  output logic [AddressBits-1:0] m_axil_awaddr,
  output logic [2:0]             m_axil_awprot,
  output logic                   m_axil_wvalid,
  input  logic                   m_axil_wready,
  output logic [31:0]            m_axil_wdata,
  output logic [3:0]             m_axil_wstrb,
  input  logic                   m_axil_bvalid,
  output logic                   m_axil_bready,
  input  logic [1:0]             m_axil_bresp,
  output logic                   m_axil_arvalid,
  input  logic                   m_axil_arready,
  output logic [AddressBits-1:0] m_axil_araddr,
  output logic [2:0]             m_axil_arprot,
  input  logic                   m_axil_rvalid,
  output logic                   m_axil_rready,
  input  logic [31:0]            m_axil_rdata,
  input  logic [1:0]             m_axil_rresp,
  // The IP's stream: input and output
  output logic [31:0]            to_stream_tdata,
  output logic                   to_stream_tvalid,
  input  logic                   to_stream_tready,
  output logic                   to_stream_tlast,
  input  logic [31:0]            from_stream_tdata,
  input  logic                   from_stream_tvalid,
  output logic                   from_stream_tready,
  input  logic                   from_stream_tlast
);
  `TOTIENT_REQUIRE(Address, AddressBits >= 2 && AddressBits <= 16, "AddressBits must be 2 to 16")

  typedef enum logic [3:0] {
    StAccess, StData, StOffer, StAnswer, StDrop, StStatus, StValue, StStream
  } state_e;
  state_e                 state_q;
  logic                   write_q, stream_q, last_q;
  logic                   follows_q;                    // more words follow the word of an answer
  logic                   interrupt_q;
  logic                   address_left_q, data_left_q;  // of an access: not taken yet
  logic                   sending_q, hearing_q;         // of a stream: not at its end yet
  logic [AddressBits-1:0] address_q;
  logic [3:0]             lanes_q;
  logic [31:0]            value_q;                      // written or read
  logic [1:0]             response_q;

  /* verilator lint_off UNUSEDSIGNAL */  // bits that no access uses
  access_word_t access;
  /* verilator lint_on UNUSEDSIGNAL */
  logic         there;
  assign access = s_axis_tdata;
  // An address with more bits than the IP's is not a register of it.
  localparam logic [15:0] Beyond = 16'(~((32'd1 << AddressBits) - 32'd1));
  assign there = access.stream ? HasStream && !access.write && !s_axis_tlast
                               : HasRegisters && (access.address & Beyond) == '0;

  logic taken, given;
  assign taken = s_axis_tvalid && s_axis_tready;
  assign given = m_axis_tvalid && m_axis_tready;

  assign m_axil_awvalid = write_q && address_left_q;
  assign m_axil_awaddr  = address_q;
  assign m_axil_awprot  = '0;
  assign m_axil_wvalid  = data_left_q;
  assign m_axil_wdata   = data_left_q ? value_q : '0;
  assign m_axil_wstrb   = lanes_q;
  assign m_axil_bready  = state_q == StAnswer && write_q;
  assign m_axil_arvalid = !write_q && address_left_q;
  assign m_axil_araddr  = address_q;
  assign m_axil_arprot  = '0;
  assign m_axil_rready  = state_q == StAnswer && !write_q;

  logic through, back;  // words to and from the IP's stream
  assign through = state_q == StStream && sending_q;
  assign back    = state_q == StStream && hearing_q;
  assign to_stream_tdata    = through ? s_axis_tdata : '0;
  assign to_stream_tvalid   = through && s_axis_tvalid;
  assign to_stream_tlast    = through && s_axis_tlast;
  assign from_stream_tready = back && m_axis_tready;

  assign s_axis_tready = state_q == StAccess || state_q == StData || state_q == StDrop
                         || (through && to_stream_tready);
  assign m_axis_tvalid = state_q == StStatus || state_q == StValue || (back && from_stream_tvalid);
  access_status_word_t status;
  assign status = '{interrupt_level: interrupt_q, response: response_q, default: '0};
  assign m_axis_tdata  = (state_q == StStatus) ? status
                       : (state_q == StValue)  ? value_q
                       : back                  ? from_stream_tdata : '0;
  assign m_axis_tlast  = (state_q == StStatus) ? last_q && !follows_q
                       : (state_q == StValue)  ? last_q
                                               : back && from_stream_tlast;

  always_ff @(posedge clk_i) begin
    if (state_q != StStatus) interrupt_q <= interrupt_i;
    case (state_q)
      StAccess: if (taken) begin
        write_q    <= access.write;
        stream_q   <= access.stream;
        address_q  <= access.address[AddressBits-1:0];
        lanes_q    <= access.lanes;
        last_q     <= s_axis_tlast;
        response_q <= BusOkay;
        follows_q  <= there && (access.stream || !access.write);
        if (!there) begin
          response_q <= BusDecodeError;
          last_q     <= 1'b1;
          state_q    <= s_axis_tlast ? StStatus : StDrop;
        end else if (access.stream) begin
          sending_q <= 1'b1;
          hearing_q <= 1'b1;
          last_q    <= 1'b0;
          state_q   <= StStatus;
        end else if (access.write && s_axis_tlast) begin
          response_q <= BusSlaveError;
          state_q    <= StStatus;
        end else begin
          address_left_q <= !access.write;
          state_q        <= access.write ? StData : StOffer;
        end
      end
      StData: if (taken) begin
        value_q        <= s_axis_tdata;
        last_q         <= s_axis_tlast;
        address_left_q <= 1'b1;
        data_left_q    <= 1'b1;
        state_q        <= StOffer;
      end
      StOffer: begin
        if (write_q ? m_axil_awready : m_axil_arready) address_left_q <= 1'b0;
        if (m_axil_wready) data_left_q <= 1'b0;
        if (!address_left_q && !data_left_q) state_q <= StAnswer;
      end
      StAnswer: if (write_q ? m_axil_bvalid : m_axil_rvalid) begin
        response_q <= write_q ? m_axil_bresp : m_axil_rresp;
        value_q    <= write_q ? '0 : m_axil_rdata;
        state_q    <= StStatus;
      end
      StDrop: if (taken && s_axis_tlast) state_q <= StStatus;
      StStatus: if (given) begin
        state_q <= !follows_q ? StAccess : stream_q ? StStream : StValue;
      end
      StValue: if (given) begin
        value_q <= '0;
        state_q <= StAccess;
      end
      StStream: begin
        if (taken && s_axis_tlast) sending_q <= 1'b0;
        if (given && m_axis_tlast) hearing_q <= 1'b0;
        if (!sending_q && !hearing_q) state_q <= StAccess;
      end
      default: state_q <= StAccess;
    endcase
    if (!rst_ni) begin
      state_q <= StAccess;
      {write_q, stream_q, last_q, address_left_q, data_left_q, sending_q, hearing_q} <= '0;
      {follows_q, interrupt_q} <= '0;
      {address_q, lanes_q, value_q, response_q} <= '0;
    end
  end

  `TOTIENT_ASSERT_STABLE(AnswerStable, m_axis_tvalid, m_axis_tready, {m_axis_tdata, m_axis_tlast})
  `TOTIENT_ASSERT_STABLE(WriteAddressStable, m_axil_awvalid, m_axil_awready, m_axil_awaddr)
  `TOTIENT_ASSERT_STABLE(WriteDataStable, m_axil_wvalid, m_axil_wready,
                         {m_axil_wdata, m_axil_wstrb})
  `TOTIENT_ASSERT_STABLE(ReadAddressStable, m_axil_arvalid, m_axil_arready, m_axil_araddr)
endmodule

`default_nettype wire
