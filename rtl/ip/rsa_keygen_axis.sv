// SPDX-License-Identifier: Apache-2.0
// RSA with key generation on streams of messages: every message of ceil(l / 32) words, least
// significant first, is answered by its result in as many words, where l is the length of both
// primes together. Primes, public exponent and direction are registers behind AXI4-Lite
// (contract/rsa_stream_registers.rdl). The first message after one of the first three was written
// makes a new key.
//
// `tlast` of a message's last word comes with the last word of its result. A message that is not
// below the modulus, that ends before its last word, or for which there is no key is answered with
// zeros and counted; the register STATUS tells why. Without a key a message has one word.
//
// Exponentiator: modexp_montgomery, whose time depends on stated lengths only, 2 PrimeBits wide, at
// least 32. Cycles: with W = ceil(width / 32) words, w of a message's,
//         a key:               those of key_generator, 2 ceil(PrimeBits / 32) and 2
//         loading an exponent: those of modexp_montgomery, 2 W and 5
//         a message, from its last word to the result's first one: those of modexp_montgomery,
//                              W - w and 5; then the next one's last word can come after 4 w
// Source: the stream IP of Evantash (primes, direction, 32-bit words), for any length.
`include "totient_assert.svh"
`include "totient_assert.svh"
`default_nettype none

module rsa_keygen_axis
  import contract_pkg::*;
  import modexp_pkg::*;
  import totient_pkg::*;
  import keygen_pkg::*;
#(
  parameter int unsigned PrimeBits = 32,  // longest prime: 4 to 1024
  parameter int unsigned WordBits  = 16   // of the exponentiator's elements: 8, 16 or 32
) (
  input  wire logic        aclk,
  input  wire logic        aresetn,

  input  wire logic        s_axil_awvalid,
  output logic             s_axil_awready,
  input  wire logic [10:0] s_axil_awaddr,
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
  input  wire logic [10:0] s_axil_araddr,
  input  wire logic [2:0]  s_axil_arprot,
  output logic             s_axil_rvalid,
  input  wire logic        s_axil_rready,
  output logic [31:0]      s_axil_rdata,
  output logic [1:0]       s_axil_rresp,

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
  localparam bit PrimeFits = PrimeBits >= 4 && PrimeBits <= 1024;
  localparam bit WordFits  = WordBits == 8 || WordBits == 16 || WordBits == 32;
  `TOTIENT_REQUIRE(PrimeBits, PrimeFits, "PrimeBits must be 4 to 1024")
  `TOTIENT_REQUIRE(WordBits, WordFits, "WordBits must be 8, 16 or 32")
  localparam int unsigned Longest = PrimeFits ? PrimeBits : 32;
  localparam int unsigned Word    = WordFits ? WordBits : 16;

  // Any public exponent fits, also one that is longer than the modulus.
  localparam int unsigned ExponentBits = 32;
  localparam int unsigned Width        = (2 * Longest < ExponentBits) ? ExponentBits
                                         : 2 * Longest;
  localparam int unsigned Words        = words_of(Width, 32);
  localparam int unsigned PrimeWords   = words_of(Longest, 32);
  localparam int unsigned IndexBits    = operand_index_bits(Width);
  localparam int unsigned LengthBits   = count_bits(Longest);
  localparam int unsigned CountBits    = count_bits(Words);
  typedef logic [IndexBits-1:0] index_t;
  typedef logic [CountBits-1:0] count_t;

  rsa_stream_registers_pkg::rsa_stream_registers__in_t  status;
  rsa_stream_registers_pkg::rsa_stream_registers__out_t control;
  rsa_stream_registers u_registers (
    .clk(aclk), .rst_n(aresetn),
    .s_axil_awready, .s_axil_awvalid, .s_axil_awaddr, .s_axil_awprot,
    .s_axil_wready, .s_axil_wvalid, .s_axil_wdata, .s_axil_wstrb,
    .s_axil_bready, .s_axil_bvalid, .s_axil_bresp,
    .s_axil_arready, .s_axil_arvalid, .s_axil_araddr, .s_axil_arprot,
    .s_axil_rready, .s_axil_rvalid, .s_axil_rdata, .s_axil_rresp,
    .hwif_in(status), .hwif_out(control)
  );
  logic clear;
  assign clear = control.CONTROL.clear.value;

  typedef enum logic [3:0] {
    StIdle, StCopy, StGenerate, StLoad, StCollect, StFill, StMessage, StFetch, StTake, StSend,
    StEnd
  } state_e;
  state_e      state_q;
  logic        waits_q;        // a step was begun
  logic        changed_q;      // the key is not of the numbers as they are
  logic        key_q, loaded_q, decrypt_q;
  logic        last_q;         // the message was its packet's last one
  logic        refused_q;      // zeros are sent
  logic        held_q;         // the sequencer holds a result
  logic [3:0]  error_q;
  logic [15:0] refusals_q;
  count_t      words_q, place_q;
  logic [31:0] key_cycles_q, cycles_q, message_cycles_q;
  logic        counting_q;

  // The primes as they were written; the sequencer gets them when a key is made. The length of one
  // is that of its words since word 0 was written.
  localparam int unsigned ShadowIndexBits = index_bits(2 * PrimeWords);
  typedef logic [ShadowIndexBits-1:0] shadow_t;
  logic        wiping_q, prime_write, prime_take, second, shadow_write;
  logic [2*PrimeWords-1:0] written_q;  // since the last clear
  logic [4:0]  prime_place;
  logic [31:0] prime_word, shadow_word;
  logic [10:0] word_end, p_length_q, q_length_q;
  shadow_t     copy_q, shadow_index;
  function automatic logic [5:0] length_of(logic [31:0] word);
    logic [5:0] length;
    length = '0;
    for (int unsigned i = 0; i < 32; i++) if (word[i]) length = 6'(i + 1);
    return length;
  endfunction
  assign second      = control.PRIME2.req;
  assign prime_write = second ? control.PRIME2.req_is_wr && &control.PRIME2.wr_biten
                       : control.PRIME1.req && control.PRIME1.req_is_wr && &control.PRIME1.wr_biten;
  assign prime_place = second ? control.PRIME2.addr[6:2] : control.PRIME1.addr[6:2];
  assign prime_word  = second ? control.PRIME2.wr_data : control.PRIME1.wr_data;
  assign word_end    = (prime_word == '0) ? '0
                       : {1'b0, prime_place, 5'b0} + 11'(length_of(prime_word));
  // A word that is written while the memory is being wiped stays.
  assign prime_take   = prime_write && 32'(prime_place) < PrimeWords;
  assign shadow_write = prime_take || (wiping_q && !written_q[copy_q]);
  assign shadow_index = prime_take ? shadow_t'(prime_place) + (second ? shadow_t'(PrimeWords) : '0)
                        : copy_q;
  ram_distributed #(.Bits(32), .Depth(2 * PrimeWords)) u_primes (
    .clk_i(aclk), .write_i(shadow_write), .write_index_i(shadow_index),
    .write_data_i(prime_take ? prime_word : '0),
    .read_index_i(copy_q), .read_data_o(shadow_word)
  );
  always_ff @(posedge aclk) begin
    if (prime_write && !second)
      p_length_q <= (prime_place == '0 || word_end > p_length_q) ? word_end : p_length_q;
    if (prime_write && second)
      q_length_q <= (prime_place == '0 || word_end > q_length_q) ? word_end : q_length_q;
    if (prime_take) written_q[shadow_index] <= 1'b1;
    if (!aresetn || clear) {p_length_q, q_length_q, written_q} <= '0;
  end

  // Words of the key for the bus, whenever the sequencer's port is free.
  logic       number_wait_q, number_ack_q, number_private_q, number_take;
  logic [5:0] number_place_q;
  assign number_take = number_wait_q && state_q != StFetch;
  always_ff @(posedge aclk) begin
    if (control.MODULUS.req || control.PRIVATE.req) begin
      number_wait_q    <= 1'b1;
      number_private_q <= control.PRIVATE.req;
      number_place_q   <= control.PRIVATE.req ? control.PRIVATE.addr[7:2]
                                              : control.MODULUS.addr[7:2];
    end else if (number_take) begin
      number_wait_q <= 1'b0;
    end
    number_ack_q <= number_take;
    if (!aresetn) {number_wait_q, number_ack_q, number_private_q, number_place_q} <= '0;
  end

  logic        write, step_valid, step_ready, rsp_valid, rsp_ready, begins, ended;
  written_e    written;
  step_e       step;
  read_e       read;
  index_t      write_index, read_index;
  logic [31:0] word, read_word;
  logic [3:0]  rsp_error;
  logic [63:0] rsp_cycles;
  logic [ExponentBits-1:0] exponent;
  assign s_axis_tready = state_q == StCollect && step_ready && !clear;
  assign begins        = step_valid && step_ready;
  assign ended         = waits_q && rsp_valid;
  always_comb begin
    write       = 1'b0;
    written     = WriteMessage;
    write_index = index_t'(place_q);
    word        = s_axis_tdata;
    step        = StepMessage;
    unique case (state_q)
      StCopy: begin
        write       = 1'b1;
        written     = (32'(copy_q) < PrimeWords) ? WriteP : WriteQ;
        write_index = index_t'((32'(copy_q) < PrimeWords) ? 32'(copy_q) : 32'(copy_q) - PrimeWords);
        word        = shadow_word;
      end
      StGenerate: step = StepGenerate;
      StLoad:     step = decrypt_q ? StepPrivate : StepPublic;
      StCollect:  write = s_axis_tvalid && s_axis_tready;
      StFill: begin
        write = 1'b1;
        word  = '0;
      end
      default: ;
    endcase
    step_valid = !waits_q && (state_q == StGenerate || state_q == StLoad
                              || (state_q == StMessage && !refused_q));
    // A result is read while its response waits.
    rsp_ready  = (ended && (state_q != StMessage || rsp_error != '0))
                 || (state_q == StEnd && held_q);
    read       = (state_q == StFetch) ? ReadResult : number_private_q ? ReadPrivate : ReadModulus;
    read_index = (state_q == StFetch) ? index_t'(place_q) : index_t'(number_place_q);
  end

  always_ff @(posedge aclk) begin
    if (waits_q || state_q == StCopy) key_cycles_q <= key_cycles_q + 32'(state_q == StCopy
                                                                        || state_q == StGenerate);
    if (counting_q) cycles_q <= cycles_q + 32'd1;
    if (begins) waits_q <= 1'b1;
    if (ended) waits_q <= 1'b0;
    if (prime_write || control.EXPONENT.e.swmod) begin
      changed_q <= 1'b1;
      key_q     <= 1'b0;
    end
    unique case (state_q)
      StIdle: begin
        place_q   <= '0;
        refused_q <= 1'b0;
        held_q    <= 1'b0;
        copy_q    <= '0;
        if (wiping_q) begin
          copy_q <= prime_take ? copy_q : copy_q + shadow_t'(1);
          if (32'(copy_q) == 2 * PrimeWords - 1 && !prime_take) begin
            copy_q   <= '0;
            wiping_q <= 1'b0;
          end
        end else if (s_axis_tvalid && step_ready) begin
          if (changed_q) begin
            changed_q    <= prime_write || control.EXPONENT.e.swmod;
            loaded_q     <= 1'b0;
            key_cycles_q <= '0;
            words_q      <= count_t'(1);
            state_q      <= StCopy;
          end else if (key_q && (!loaded_q || decrypt_q != control.DIRECTION.decrypt.value)) begin
            decrypt_q <= control.DIRECTION.decrypt.value;
            state_q   <= StLoad;
          end else begin
            state_q   <= StCollect;
            refused_q <= !key_q;
          end
        end
      end
      StCopy: begin
        copy_q <= copy_q + shadow_t'(1);
        if (32'(copy_q) == 2 * PrimeWords - 1) state_q <= StGenerate;
      end
      StGenerate: if (ended) begin
        error_q <= rsp_error;
        // A number that was written meanwhile makes another key.
        key_q   <= rsp_error == '0 && !changed_q && !prime_write && !control.EXPONENT.e.swmod;
        words_q <= (rsp_error == '0) ? count_t'((32'(p_length_q) + 32'(q_length_q) + 31) >> 5)
                                     : count_t'(1);
        state_q <= StIdle;
      end
      StLoad: if (ended) begin
        loaded_q <= 1'b1;
        state_q  <= StIdle;
      end
      StCollect: if (write) begin
        cycles_q   <= 32'd1;
        counting_q <= 1'b1;
        last_q     <= s_axis_tlast;
        place_q    <= place_q + count_t'(1);
        if (s_axis_tlast || place_q == words_q - count_t'(1)) begin
          if (place_q != words_q - count_t'(1)) begin
            refused_q <= 1'b1;
            error_q   <= ErrPacketShort;
          end
          state_q <= (32'(place_q) == Words - 1) ? StMessage : StFill;
        end
      end
      StFill: begin
        place_q <= place_q + count_t'(1);
        if (32'(place_q) == Words - 1) state_q <= StMessage;
      end
      StMessage: begin
        place_q <= '0;
        if (refused_q || (ended && rsp_error != '0)) begin
          refused_q <= 1'b1;
          if (refusals_q != '1) refusals_q <= refusals_q + 16'd1;
          if (!refused_q) error_q <= rsp_error;
          state_q <= StFetch;
        end else if (ended) begin
          held_q  <= 1'b1;
          error_q <= '0;
          state_q <= StFetch;
        end
      end
      StFetch: state_q <= StTake;
      StTake: begin
        m_axis_tdata  <= refused_q ? '0 : read_word;
        m_axis_tvalid <= 1'b1;
        m_axis_tlast  <= last_q && place_q == words_q - count_t'(1);
        place_q       <= place_q + count_t'(1);
        if (counting_q) message_cycles_q <= cycles_q;
        counting_q    <= 1'b0;
        state_q       <= StSend;
      end
      StSend: if (m_axis_tready) begin
        m_axis_tvalid <= 1'b0;
        m_axis_tdata  <= '0;
        m_axis_tlast  <= 1'b0;
        state_q       <= (place_q == words_q) ? StEnd : StFetch;
      end
      default: state_q <= StIdle;  // StEnd
    endcase
    if (!aresetn || clear) begin
      state_q   <= StIdle;
      wiping_q  <= 1'b1;
      changed_q <= 1'b1;
      words_q   <= count_t'(1);
      {waits_q, key_q, loaded_q, decrypt_q, last_q, refused_q, held_q, counting_q} <= '0;
      {error_q, refusals_q, place_q, copy_q, key_cycles_q, cycles_q, message_cycles_q} <= '0;
      {m_axis_tvalid, m_axis_tdata, m_axis_tlast} <= '0;
    end
  end

  logic [LengthBits-1:0] p_bits, q_bits;  // 0, which is refused, for a prime that is too long
  assign p_bits = (32'(p_length_q) <= Longest) ? LengthBits'(p_length_q) : '0;
  assign q_bits = (32'(q_length_q) <= Longest) ? LengthBits'(q_length_q) : '0;

  modexp_request_t  modexp_request;
  modexp_response_t modexp_response;
  rsa_sequencer #(
    .PrimeBits(Longest), .ExponentBits(ExponentBits), .Width(Width)
  ) u_sequencer (
    .clk_i(aclk), .rst_ni(aresetn), .clear_i(clear),
    .write_i(write), .written_i(written), .write_index_i(write_index), .write_word_i(word),
    .step_valid_i(step_valid), .step_ready_o(step_ready), .step_i(step),
    .p_bits_i(p_bits), .q_bits_i(q_bits), .exponent_i(control.EXPONENT.e.value),
    .exponent_bits_i('0),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_error_o(rsp_error),
    .rsp_cycles_o(rsp_cycles), .exponent_o(exponent),
    .read_i(read), .read_index_i(read_index), .read_word_o(read_word),
    .modexp_request_o(modexp_request), .modexp_response_i(modexp_response)
  );
  modexp_montgomery #(.Width(Width), .WordBits(Word)) u_modexp (
    .clk_i(aclk), .rst_ni(aresetn), .clear_i(clear),
    .request_i(modexp_request), .response_o(modexp_response)
  );
  logic unused;
  assign unused = ^rsp_cycles;

  always_comb begin
    status.STATUS.busy.next            = state_q != StIdle || wiping_q || !step_ready;
    status.STATUS.key.next             = key_q;
    status.STATUS.error.next           = error_q;
    status.STATUS.words.next           = 8'(words_q);
    status.STATUS.refused.next         = refusals_q;
    status.KEY_EXPONENT.e.next         = key_q ? exponent : '0;
    status.KEY_CYCLES.cycles.next      = key_cycles_q;
    status.MESSAGE_CYCLES.cycles.next  = message_cycles_q;
    status.PRIME1                      = '{wr_ack: control.PRIME1.req, default: '0};
    status.PRIME2                      = '{wr_ack: control.PRIME2.req, default: '0};
    status.MODULUS.wr_ack              = 1'b0;
    status.PRIVATE.wr_ack              = 1'b0;
    status.MODULUS.rd_ack              = number_ack_q && !number_private_q;
    status.PRIVATE.rd_ack              = number_ack_q && number_private_q;
    status.MODULUS.rd_data             = (32'(number_place_q) < 32'(words_q) && key_q)
                                         ? read_word : '0;
    status.PRIVATE.rd_data             = status.MODULUS.rd_data;
  end
endmodule

`default_nettype wire
