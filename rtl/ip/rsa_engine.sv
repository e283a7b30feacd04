// SPDX-License-Identifier: Apache-2.0
// The engine: whole RSA operations and modular exponentiations for any odd modulus up to `MaxBits`,
// requested and answered in packets of 32-bit words on AXI4-Stream (docs/contracts.md, "engine").
//
// docs/engine.md tells how it works; `totient.engine.timing` how many cycles it takes.
// `random_*` is a stream of words of 32 fresh, independent, uniformly distributed bits; some may be
// taken at any time of a private operation.
// Reset is synchronous and active low; hold it for one cycle of `aclk` at least. Keys and memories
// are wiped after it before the first packet is taken.
`include "totient_assert.svh"
`default_nettype none

module rsa_engine
  import engine_instruction_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned MaxBits       = 4096,  // largest modulus: 1024, 2048, 3072, 4096, 8192
  parameter int unsigned Elements      = 8,     // of the array: 1 to 64; from 4096 bits on to 128
  // Multipliers and memories: 0 for any device, 1 of Lattice ECP5, 2 of AMD 7-series.
  parameter int unsigned Form          = registered_pkg::RegisteredInferred,
  // Of a digit: 17 or 18, with Form = 2 only 17.
  parameter int unsigned Bits          = (Form == registered_pkg::RegisteredSeries7) ? 17 : 18,
  parameter int unsigned Slots         = 1,     // for keys: 1 to 3
  parameter bit [127:0]  FarLinks      = '0     // registers between elements (engine_array.sv)
) (
  input  wire logic        aclk,
  input  wire logic        aresetn,

  input  wire logic [31:0] s_axis_tdata,
  input  wire logic        s_axis_tvalid,
  output logic             s_axis_tready,
  input  wire logic        s_axis_tlast,

  output logic [31:0]      m_axis_tdata,
  output logic             m_axis_tvalid,
  input  wire logic        m_axis_tready,
  output logic             m_axis_tlast,

  input  wire logic [31:0] random_tdata,
  input  wire logic        random_tvalid,
  output logic             random_tready
);
  // A refused value is not passed on: its consequences would hide the reason.
  localparam bit LengthFits  = MaxBits inside {1024, 2048, 3072, 4096, 8192};
  localparam int unsigned Length       = LengthFits ? MaxBits : 4096;
  localparam int unsigned MostElements  = (Length >= 4096) ? 128 : 64;
  // Fewer would need more cycles than the engine allows an operation (engine_packet_timer.sv).
  localparam int unsigned LeastElements = (Length > 4096) ? 5 : 1;
  localparam bit ElementsFit = Elements >= LeastElements && Elements <= MostElements;
  localparam bit FormFits    = Form <= registered_pkg::RegisteredSeries7;
  localparam bit SlotsFit    = Slots >= 1 && Slots <= 3;
  localparam bit BitsFit     = !FormFits || Bits == 17
                            || (Bits == 18 && Form != registered_pkg::RegisteredSeries7);
  localparam int unsigned Array     = ElementsFit ? Elements : 64;
  localparam int unsigned Digit     = (FormFits && BitsFit) ? Bits : 17;
  localparam taps_t       Rings     = taps(Digit, Array);
  localparam int unsigned BlockForm = FormFits ? Form : registered_pkg::RegisteredInferred;
  localparam int unsigned KeySlots  = SlotsFit ? Slots : 1;
  `TOTIENT_REQUIRE(MaxBits, LengthFits, "MaxBits must be 1024, 2048, 3072, 4096 or 8192")
  `TOTIENT_REQUIRE(Elements, ElementsFit,
                   "Elements must be 1 to 64, from 4096 bits on to 128, with 8192 bits from 5 on")
  `TOTIENT_REQUIRE(Form, FormFits,
                   "Form must be 0 (any device), 1 (Lattice ECP5) or 2 (AMD 7-series)")
  `TOTIENT_REQUIRE(Bits, BitsFit, "Bits must be 17 or 18, with Form = 2 (AMD 7-series) 17")
  `TOTIENT_REQUIRE(Slots, SlotsFit, "Slots must be 1 to 3")

  // A block holds the words of a number modulo a prime, which may be 8 bits longer than half; with
  // the words before it that the shortest products have between passes; as many words as a pass has
  // steps; and half of those of a number modulo n with a word for each step.
  localparam int unsigned HalfBits    = Length / 2 + 8;
  localparam int unsigned Least       = QuotientDelay + 1;
  localparam int unsigned HalfWords   = totient_pkg::words_of(HalfBits + 2, Digit) + QuotientDelay;
  localparam int unsigned BeforeWords = (Array < Least)
                                      ? (Least + Array - 1) / Array * Array - QuotientDelay : 0;
  localparam int unsigned WholeWords  = totient_pkg::words_of(Length + 2, Digit) + QuotientDelay;
  localparam int unsigned WholeSteps  = (WholeWords + Array - 1) / Array * Array;
  localparam int unsigned StepWords   = (Array > (WholeSteps + 1) / 2) ? Array
                                                                       : (WholeSteps + 1) / 2;
  localparam int unsigned PlaceBits   = $clog2(HalfWords + BeforeWords > StepWords
                                               ? HalfWords + BeforeWords : StepWords);
  // As many as are needed to gather a power before the squarings have ended.
  localparam int unsigned Banks       = (Array <= 8) ? 2 : (Array <= 16) ? 4 : 8;
  localparam int unsigned AddressBits = PlaceBits + PageBlockBits + $clog2(KeySlots + 1);

  logic             datapath_rst_n, valid, ready, clear_signs, public_only, write, wipe;
  logic [1:0]       read;
  operation_t       operation;
  datapath_status_t datapath_status;
  window_request_t  window_request;
  window_status_t   window_status;
  packet_request_t  packet_request;
  packet_status_t   packet_status;
  logic [AddressBits-1:0] address;
  logic [1:0][AddressBits-1:0] read_address;
  logic [Digit-1:0] data_in, data_out, again_out;

  // The reset goes far: each unit has a register for it. What is known of packets has three, of
  // which one is inverted and one later: one flipped bit resets no majority of it.
  logic       datapath_rst_nq, packet_rst_nq, rst_nq, reset_q, reset_done;
  logic [1:0] done_q;
  always_ff @(posedge aclk) begin
    rst_nq          <= aresetn;
    reset_q         <= !aresetn;
    packet_rst_nq   <= rst_nq;
    datapath_rst_nq <= rst_nq && datapath_rst_n;
    done_q          <= {!(aresetn && rst_nq), aresetn && rst_nq};
  end
  // Until it has come, nothing is taken or given.
  assign reset_done = done_q[0] || !done_q[1];
  logic word_ready, word_valid;
  assign s_axis_tready = word_ready && reset_done;
  assign m_axis_tvalid = word_valid && reset_done;

  engine_control #(
    .Bits(Digit), .Elements(Array), .Taps(Rings), .PlaceBits(PlaceBits), .MaxBits(Length),
    .HalfBits(HalfBits), .Slots(KeySlots), .Form(BlockForm)
  ) u_control (
    .clk_i(aclk), .rst_ni(rst_nq), .datapath_rst_no(datapath_rst_n), .valid_o(valid),
    .operation_o(operation), .ready_i(ready), .clear_signs_o(clear_signs),
    .public_only_o(public_only),
    .datapath_status_i(datapath_status), .window_request_o(window_request),
    .window_status_i(window_status), .packet_request_o(packet_request),
    .packet_status_i(packet_status)
  );

  engine_packet_io #(
    .Bits(Digit), .PlaceBits(PlaceBits), .AddressBits(AddressBits),
    .Result(engine_program_pkg::Result), .Form(BlockForm)
  ) u_packet_io (
    .clk_i(aclk), .rst_ni(packet_rst_nq), .watch_rst_ni({packet_rst_nq, !reset_q, rst_nq}),
    .work_i(valid), .request_i(packet_request), .status_o(packet_status),
    .s_axis_tvalid, .s_axis_tready(word_ready), .s_axis_tdata, .s_axis_tlast,
    .m_axis_tvalid(word_valid), .m_axis_tready,
    .m_axis_tdata, .m_axis_tlast, .random_valid_i(random_tvalid), .random_ready_o(random_tready),
    .random_i(random_tdata), .write_o(write), .wipe_o(wipe), .address_o(address),
    .data_o(data_in), .read_o(read), .read_address_o(read_address), .data_i(data_out),
    .again_i(again_out)
  );

  engine_datapath #(
    .Bits(Digit), .Elements(Array), .Taps(Rings), .FarLinks(FarLinks),
    .PlaceBits(PlaceBits), .AddressBits(AddressBits), .Partial(engine_program_pkg::Partial),
    .Banks(Banks), .Form(BlockForm)
  ) u_datapath (
    .clk_i(aclk), .rst_ni(datapath_rst_nq), .valid_i(valid), .operation_i(operation),
    .ready_o(ready), .clear_signs_i(clear_signs), .public_only_i(public_only),
    .status_o(datapath_status),
    .window_request_i(window_request), .window_status_o(window_status), .write_i(write),
    .wipe_i(wipe), .address_i(address), .data_i(data_in), .read_i(read),
    .read_address_i(read_address), .data_o(data_out), .again_o(again_out)
  );
endmodule

`default_nettype wire
