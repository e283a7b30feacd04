// SPDX-License-Identifier: Apache-2.0
// RSA with a key that is part of the hardware, on streams of messages:
//
//   result = message ^ Exponent mod Modulus
//
// A message of ceil(Width / 32) words, least significant first, is answered by its result in as
// many words; `tlast` of a message's last word comes with the last word of its result. A message
// that is not below the modulus, or that ends before its last word, is answered with zeros. There
// are no registers: whoever needs more takes rsa_keygen_axis or a core with packets.
//
// Exponentiator: modexp_montgomery, right to left. The key is loaded after reset; nothing is taken
// until then. Cycles of a message, from its last word to the first one of its result: those of
// modexp_montgomery and 4; from a message to the next one 4 ceil(Width / 32) - 3 more.
// Source: the first stream IP of Evantash (fixed keys, 32-bit words), for any length.
`include "totient_assert.svh"
`default_nettype none

module rsa_fixed_axis
  import contract_pkg::*;
  import modexp_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned Width    = 32,  // 8 to 4096
  // Numbers of any type that have up to Width bits, for instance 64'h8000_0000_0000_0001. They take
  // the type of their value: a longer number is refused and not cut.
  // verilog_lint: waive-start explicit-parameter-storage-type
  parameter Modulus  = 32'd6103297,  // odd, at least 3
  parameter Exponent = 32'd65537,    // at least 1
  // verilog_lint: waive-stop explicit-parameter-storage-type
  parameter int unsigned WordBits = 16   // of the exponentiator's elements: 8, 16 or 32
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
  output logic             m_axis_tlast
);
  // A refused value is not passed on: its consequences would hide the reason.
  localparam bit WidthFits = Width >= 8 && Width <= MaxBits;
  localparam bit WordFits  = WordBits == 8 || WordBits == 16 || WordBits == 32;
  `TOTIENT_REQUIRE(Width, WidthFits, "Width must be 8 to 4096")
  `TOTIENT_REQUIRE(WordBits, WordFits, "WordBits must be 8, 16 or 32")
  localparam int unsigned Bits = WidthFits ? Width : 32;
  localparam int unsigned Word = WordFits ? WordBits : 16;
  localparam int unsigned ModulusBits  = Bits + $bits(Modulus);
  localparam int unsigned ExponentBits = Bits + $bits(Exponent);
  localparam bit ModulusFits  = !WidthFits || (ModulusBits'(Modulus) >> Bits) == 0;
  localparam bit ExponentFits = !WidthFits || (ExponentBits'(Exponent) >> Bits) == 0;
  `TOTIENT_REQUIRE(Modulus, ModulusFits, "Modulus must have at most Width bits")
  `TOTIENT_REQUIRE(ModulusOdd, Modulus % 2 == 1 && Modulus > 1, "Modulus must be odd, at least 3")
  `TOTIENT_REQUIRE(Exponent, ExponentFits, "Exponent must have at most Width bits")
  `TOTIENT_REQUIRE(ExponentZero, Exponent != 0, "Exponent must be at least 1")

  localparam logic [Bits-1:0] KeyModulus  = Bits'(Modulus);
  localparam logic [Bits-1:0] KeyExponent = Bits'(Exponent);
  localparam int unsigned Words      = words_of(Bits, 32);
  localparam int unsigned IndexBits  = operand_index_bits(Bits);
  typedef logic [IndexBits-1:0] index_t;

  // Bits of the exponent up to its highest 1.
  function automatic int unsigned exponent_length();
    int unsigned length;
    length = 0;
    for (int unsigned i = 0; i < Bits; i++) if (KeyExponent[i]) length = i + 1;
    return length;
  endfunction

  typedef enum logic [3:0] {
    StModulus, StExponent, StLoad, StLoaded, StCollect, StFill, StRun, StRan, StFetch, StTake,
    StSend
  } state_e;
  state_e state_q;
  index_t place_q;
  logic   last_q;      // the message was its packet's last one
  logic   refused_q;   // zeros are sent
  logic   place_last;
  assign place_last = 32'(place_q) == Words - 1;

  modexp_request_t  request;
  modexp_response_t response;
  logic [32*Words-1:0] modulus, exponent;
  assign modulus  = (32 * Words)'(KeyModulus);
  assign exponent = (32 * Words)'(KeyExponent);
  assign s_axis_tready = state_q == StCollect && response.req_ready;
  always_comb begin
    request = '{
      write_operand: OperandBase,
      write_index:   modexp_index_t'(place_q),
      write_word:    s_axis_tdata,
      req_valid:     state_q == StLoad || (state_q == StRun && !refused_q),
      req_op:        (state_q == StLoad) ? ReqLoadKey : ReqExponentiate,
      exponent_bits: modexp_length_t'(exponent_length()),
      // A result is read while its response waits.
      rsp_ready:     state_q == StLoaded || (state_q == StRan && response.rsp_error != ErrNone)
                     || (state_q == StSend && place_last && m_axis_tready && !refused_q),
      result_index:  modexp_index_t'(place_q),
      default:       '0
    };
    unique case (state_q)
      StModulus: begin
        request.write         = response.req_ready;
        request.write_operand = OperandModulus;
        request.write_word    = modulus[32*place_q +: 32];
      end
      StExponent: begin
        request.write         = response.req_ready;
        request.write_operand = OperandExponent;
        request.write_word    = exponent[32*place_q +: 32];
      end
      StCollect: request.write = s_axis_tvalid && s_axis_tready;
      StFill: begin
        request.write      = 1'b1;
        request.write_word = '0;
      end
      default: ;
    endcase
  end

  always_ff @(posedge aclk) begin
    unique case (state_q)
      StModulus: if (response.req_ready) begin
        place_q <= place_last ? '0 : place_q + index_t'(1);
        if (place_last) state_q <= StExponent;
      end
      StExponent: if (response.req_ready) begin
        place_q <= place_last ? '0 : place_q + index_t'(1);
        if (place_last) state_q <= StLoad;
      end
      StLoad: if (response.req_ready) state_q <= StLoaded;
      StLoaded: if (response.rsp_valid) state_q <= StCollect;
      StCollect: begin
        if (request.write) begin
          last_q    <= s_axis_tlast;
          refused_q <= s_axis_tlast && !place_last;
          place_q   <= place_last ? '0 : place_q + index_t'(1);
          if (place_last) state_q <= StRun;
          else if (s_axis_tlast) state_q <= StFill;
        end
      end
      // What is left of the message before is overwritten.
      StFill: begin
        place_q <= place_last ? '0 : place_q + index_t'(1);
        if (place_last) state_q <= StRun;
      end
      StRun: if (refused_q) state_q <= StFetch;
        else if (response.req_ready) state_q <= StRan;
      StRan: if (response.rsp_valid) begin
        refused_q <= response.rsp_error != ErrNone;
        state_q   <= StFetch;
      end
      StFetch: state_q <= StTake;
      StTake: begin
        m_axis_tdata  <= refused_q ? '0 : response.result_word;
        m_axis_tvalid <= 1'b1;
        m_axis_tlast  <= last_q && place_last;
        state_q       <= StSend;
      end
      default: if (m_axis_tready) begin  // StSend
        m_axis_tdata  <= '0;
        m_axis_tvalid <= 1'b0;
        m_axis_tlast  <= 1'b0;
        place_q       <= place_last ? '0 : place_q + index_t'(1);
        state_q       <= place_last ? StCollect : StFetch;
        if (place_last) refused_q <= 1'b0;
      end
    endcase
    if (!aresetn) begin
      state_q <= StModulus;
      {place_q, last_q, refused_q} <= '0;
      {m_axis_tvalid, m_axis_tdata, m_axis_tlast} <= '0;
    end
  end

  modexp_montgomery #(.Width(Bits), .WordBits(Word)) u_modexp (
    .clk_i(aclk), .rst_ni(aresetn), .clear_i(1'b0),
    .request_i(request), .response_o(response)
  );
  logic unused;
  assign unused = ^response.rsp_cycles;
endmodule

`default_nettype wire
