// SPDX-License-Identifier: Apache-2.0
// Puts a modexp core behind packets of 32-bit words on AXI4-Stream, after the stream contract
// (docs/contracts.md): info, load key, exponentiate, clear.
//
// Bounds: 8 <= Width <= 4096; a number of up to Width bits travels in ceil(bits / 32) words.
// Cycles: one a word in either direction, and one for each word by which an operand is shorter than
// Width; a request reaches the core two cycles after that, and the response's first word leaves two
// cycles after the core's answer.
//
// The first fault in a packet, word by word, is the one that is reported; the rest is read and
// dropped. Within one word a bad length goes before a packet that ends early or goes on.
//
// Operands go word by word into the core's memory, filled up with words of 0. The result is read
// from the core, which holds it until the last word has left.
`include "totient_assert.svh"
`default_nettype none

module modexp_axis
  import totient_pkg::*;
#(
  parameter int unsigned  Width  = 32,        // largest modulus, in bits
  parameter logic [127:0] Name   = "modexp",  // design name, 1 to 16 ASCII characters
  parameter timing_e      Timing = TimeExponentValue,
  localparam int unsigned CountBits   = count_bits(Width),
  localparam int unsigned OperandBits = operand_index_bits(Width)
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,

  // Requests.
  input  wire logic [31:0]          s_axis_tdata,
  input  wire logic                 s_axis_tvalid,
  output logic                      s_axis_tready,
  input  wire logic                 s_axis_tlast,

  // Responses.
  output logic [31:0]               m_axis_tdata,
  output logic                      m_axis_tvalid,
  input  wire logic                 m_axis_tready,
  output logic                      m_axis_tlast,

  // The core.
  output logic                      modexp_clear_o,
  output logic                      modexp_write_o,
  output operand_e                  modexp_write_operand_o,
  output logic [OperandBits-1:0]    modexp_write_index_o,
  output logic [31:0]               modexp_write_word_o,
  output logic                      modexp_req_valid_o,
  input  wire logic                 modexp_req_ready_i,
  output request_e                  modexp_req_op_o,
  output logic [CountBits-1:0]      modexp_exponent_bits_o,
  input  wire logic                 modexp_rsp_valid_i,
  output logic                      modexp_rsp_ready_o,
  input  wire error_e               modexp_rsp_error_i,
  input  wire logic [63:0]          modexp_rsp_cycles_i,
  output logic [OperandBits-1:0]    modexp_result_index_o,
  input  wire logic [31:0]          modexp_result_word_i
);

  `TOTIENT_REQUIRE(Width, Width >= 8 && Width <= 4096, "Width must be 8 to 4096")
  `TOTIENT_REQUIRE(Name, Name != '0, "Name must be 1 to 16 characters")

  localparam int unsigned Words = words_of(Width, 32);
  localparam int unsigned IndexBits = count_bits(Words > 7 ? Words : 7);  // 7 words of info
  typedef logic [IndexBits-1:0] index_t;

  // A literal has its last character in the lowest byte; on the wire the first comes first.
  function automatic logic [127:0] first_character_lowest(logic [127:0] text);
    logic [127:0] bytes = '0;
    int unsigned count = 0;
    for (int i = 15; i >= 0; i--) begin
      if (text[8*i+:8] != 8'h00) begin
        bytes[8*count+:8] = text[8*i+:8];
        count++;
      end
    end
    return bytes;
  endfunction

  localparam int unsigned InfoWords = 7;
  localparam logic [32*InfoWords-1:0] Info =
      {30'd0, Timing, Width, 8'd0, Version, first_character_lowest(Name)};

  typedef enum logic [3:0] {
    StCommand,         // wait for a request's first word
    StLength,          // take the number of bits of the modulus or of the base
    StExponentLength,
    StNumber,          // take the words of the modulus or of the base
    StNumberRest,      // fill it up
    StExponent,
    StExponentRest,
    StDrain,           // drop the rest of a refused packet
    StRequest,         // hand the operation to the core
    StRun,             // wait for the core
    StHeader,          // send a response's first word
    StInfo,
    StCyclesLow,
    StCyclesHigh,
    StResult
  } state_e;

  state_e               state_d, state_q;
  logic [7:0]           command_d, command_q;
  error_e               error_d, error_q;
  logic                 clear_d, clear_q;          // wipe the core in this cycle
  logic                 clearing_d, clearing_q;    // the response to a clear is still to come
  logic [CountBits-1:0] bits_d, bits_q;            // stated length of the modulus or the base
  logic [CountBits-1:0] exponent_bits_d, exponent_bits_q;
  index_t               key_words_d, key_words_q;  // words of a result
  index_t               index_d, index_q;          // word of a number, of info or of the result

  // Requests: what the word at the input means in the present state ---------------------------

  wire running = state_q inside {StRequest, StRun};
  wire is_clear_packet = s_axis_tlast && s_axis_tdata == 32'(CmdClear);

  // While the core works, only a clear is taken.
  wire number_words = state_q inside {StNumber, StExponent};
  assign s_axis_tready = running ? is_clear_packet && !clear_q
      : number_words ? modexp_req_ready_i && !clear_q
      : state_q inside {StCommand, StLength, StExponentLength, StDrain};
  wire take = s_axis_tvalid && s_axis_tready;

  wire [7:0] command = (state_q == StCommand) ? s_axis_tdata[7:0] : command_q;
  wire is_load = command == CmdLoadKey;

  function automatic index_t words_for(logic [CountBits-1:0] bits);
    return index_t'((32'(bits) + 32'd31) >> 5);
  endfunction

  wire [CountBits-1:0] number_bits = (state_q == StExponent) ? exponent_bits_q : bits_q;
  wire number_end = index_q + 1'b1 == words_for(number_bits);
  wire [4:0] end_bits = 5'(number_bits);  // bits of the last word, 0 for all 32
  wire [31:0] above_length = (end_bits == '0) ? '0 : ~32'd0 << end_bits;

  error_e fault;        // what is wrong with the word itself
  logic   packet_end;   // the packet is complete with it
  always_comb begin
    fault      = ErrNone;
    packet_end = 1'b0;
    unique case (state_q)
      StCommand: begin
        if (s_axis_tdata[31:8] != '0 || !(command inside {[CmdInfo:CmdClear]})) fault = ErrCommand;
        packet_end = command inside {CmdInfo, CmdClear};
      end
      StLength: begin
        if (s_axis_tdata > Width) fault = ErrLength;
        packet_end = !is_load && s_axis_tdata == '0;
      end
      StExponentLength: begin
        if (s_axis_tdata > Width) fault = ErrLength;
        packet_end = bits_q == '0 && s_axis_tdata == '0;
      end
      StNumber: begin
        if (number_end && (s_axis_tdata & above_length) != '0) fault = ErrLength;
        packet_end = number_end && (!is_load || exponent_bits_q == '0);
      end
      StExponent: begin
        if (number_end && (s_axis_tdata & above_length) != '0) fault = ErrLength;
        packet_end = number_end;
      end
      default: ;
    endcase
    if (fault == ErrNone && s_axis_tlast && !packet_end) fault = ErrPacketShort;
    if (fault == ErrNone && !s_axis_tlast && packet_end) fault = ErrPacketLong;
  end

  // The core ----------------------------------------------------------------------------------

  // Words of 0 behind an operand's last one.
  wire rest     = state_q inside {StNumberRest, StExponentRest};
  wire rest_end = index_q == index_t'(Words);
  wire fill     = rest && !rest_end && modexp_req_ready_i && !clear_q;

  assign modexp_clear_o = clear_q;
  assign modexp_write_o = fill || (take && number_words);
  assign modexp_write_operand_o = !is_load ? OperandBase
      : state_q inside {StNumber, StNumberRest} ? OperandModulus : OperandExponent;
  assign modexp_write_index_o   = OperandBits'(index_q);
  assign modexp_write_word_o    = rest ? '0 : s_axis_tdata;
  assign modexp_req_valid_o     = state_q == StRequest;
  assign modexp_req_op_o        = is_load ? ReqLoadKey : ReqExponentiate;
  assign modexp_exponent_bits_o = exponent_bits_q;
  assign modexp_result_index_o  = OperandBits'(index_d);

  // Responses ---------------------------------------------------------------------------------

  logic [31:0] send_data;
  logic        send, send_last;  // a word is offered to the output register; it ends the response
  logic [7:0]  answer_words;     // words after the first
  wire         sent = send && (!m_axis_tvalid || m_axis_tready);

  always_comb begin
    answer_words = '0;
    if (error_q == ErrNone) begin
      unique case (command_q)
        CmdInfo:         answer_words = 8'(InfoWords);
        CmdLoadKey:      answer_words = 8'd2;
        CmdExponentiate: answer_words = 8'd2 + 8'(key_words_q);
        default: ;
      endcase
    end

    send      = 1'b1;
    send_last = 1'b0;
    send_data = '0;
    unique case (state_q)
      StHeader: begin
        // A clear is answered when the wipe has ended.
        send      = command_q != CmdClear || (modexp_req_ready_i && !clear_q);
        send_data = {8'd0, answer_words, 4'd0, error_q, command_q};
        send_last = answer_words == '0;
      end
      StInfo: begin
        send_data = Info[32*index_q+:32];
        send_last = index_q == index_t'(InfoWords - 1);
      end
      StCyclesLow: send_data = modexp_rsp_cycles_i[31:0];
      StCyclesHigh: begin
        send_data = modexp_rsp_cycles_i[63:32];
        send_last = is_load;
      end
      StResult: begin
        send_data = modexp_result_word_i;
        send_last = index_q + 1'b1 == key_words_q;
      end
      default: send = 1'b0;
    endcase
  end

  // The core's answer is held until all of it has been sent.
  assign modexp_rsp_ready_o = sent && send_last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      m_axis_tvalid <= 1'b0;
      m_axis_tlast  <= 1'b0;
      m_axis_tdata  <= '0;
    end else if (sent) begin
      m_axis_tvalid <= 1'b1;
      m_axis_tlast  <= send_last;
      m_axis_tdata  <= send_data;
    end else if (m_axis_tready) begin
      m_axis_tvalid <= 1'b0;
    end
  end

  // What comes next ---------------------------------------------------------------------------

  always_comb begin
    state_d         = state_q;
    command_d       = command_q;
    error_d         = error_q;
    clear_d         = 1'b0;
    clearing_d      = clearing_q;
    bits_d          = bits_q;
    exponent_bits_d = exponent_bits_q;
    key_words_d     = key_words_q;
    index_d         = index_q;

    unique case (state_q)
      StCommand, StLength, StExponentLength, StNumber, StExponent: begin
        if (state_q == StCommand) begin
          command_d = command;
          index_d   = '0;
        end
        if (take) begin
          if (state_q == StLength) bits_d = s_axis_tdata[CountBits-1:0];
          if (state_q == StExponentLength) exponent_bits_d = s_axis_tdata[CountBits-1:0];
          if (number_words) index_d = index_q + 1'b1;

          if (fault != ErrNone) begin
            error_d = fault;
            clear_d = is_load;  // a refused key leaves none
            state_d = s_axis_tlast ? StHeader : StDrain;
          end else if (packet_end) begin
            clear_d = command == CmdClear;
            state_d = (command inside {CmdInfo, CmdClear}) ? StHeader
                : (state_q == StExponent) ? StExponentRest : StNumberRest;
          end else begin
            unique case (state_q)
              StCommand:        state_d = StLength;
              StLength:         state_d = is_load ? StExponentLength : StNumber;
              StExponentLength: state_d = (bits_q != '0) ? StNumber : StNumberRest;
              StNumber:         if (number_end) state_d = StNumberRest;
              default: ;
            endcase
          end
        end
      end

      StNumberRest, StExponentRest: begin
        if (fill) index_d = index_q + 1'b1;
        if (rest_end) begin
          index_d = '0;
          state_d = (state_q == StNumberRest && is_load && exponent_bits_q != '0)
              ? StExponent : StRequest;
        end
      end

      StDrain: if (take && s_axis_tlast) state_d = StHeader;

      StRequest, StRun: begin
        clear_d = take;
        if (clear_q) begin
          error_d    = ErrAborted;
          clearing_d = 1'b1;
          state_d    = StHeader;
        end else if (state_q == StRequest) begin
          if (is_load) key_words_d = words_for(bits_q);
          if (modexp_req_ready_i) state_d = StRun;
        end else if (modexp_rsp_valid_i && !take) begin
          error_d = modexp_rsp_error_i;
          state_d = StHeader;
        end
      end

      StHeader, StInfo, StCyclesLow, StCyclesHigh, StResult: begin
        if (sent) begin
          if (send_last) begin
            // An aborted operation has had its answer; now the clear has its own.
            clearing_d = 1'b0;
            error_d    = ErrNone;
            command_d  = CmdClear;
            state_d    = clearing_q ? StHeader : StCommand;
          end else begin
            unique case (state_q)
              StHeader:     state_d = (command_q == CmdInfo) ? StInfo : StCyclesLow;
              StCyclesLow:  state_d = StCyclesHigh;
              StCyclesHigh: state_d = StResult;
              default:      index_d = index_q + 1'b1;
            endcase
          end
        end
      end

      default: state_d = StCommand;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q         <= StCommand;
      command_q       <= '0;
      error_q         <= ErrNone;
      clear_q         <= 1'b0;
      clearing_q      <= 1'b0;
      bits_q          <= '0;
      exponent_bits_q <= '0;
      key_words_q     <= '0;
      index_q         <= '0;
    end else begin
      state_q         <= state_d;
      command_q       <= command_d;
      error_q         <= error_d;
      clear_q         <= clear_d;
      clearing_q      <= clearing_d;
      bits_q          <= bits_d;
      exponent_bits_q <= exponent_bits_d;
      key_words_q     <= key_words_d;
      index_q         <= index_d;
      if (clear_q) begin  // lengths tell of a key too
        bits_q          <= '0;
        exponent_bits_q <= '0;
        key_words_q     <= '0;
      end
    end
  end

  `TOTIENT_ASSERT_STABLE(ResponseStable, m_axis_tvalid, m_axis_tready,
                         ({m_axis_tdata, m_axis_tlast}))
  `TOTIENT_ASSERT_STABLE(RequestStable, modexp_req_valid_o, modexp_req_ready_i || modexp_clear_o,
                         ({modexp_req_op_o, modexp_exponent_bits_o}))
  `TOTIENT_ASSERT(AnswerHolds, state_q inside {StCyclesLow, StCyclesHigh, StResult} |->
                               modexp_rsp_valid_i, "the core dropped its answer")
  `TOTIENT_ASSERT(NoStrayAnswer, state_q inside {StCommand, StRequest} |-> !modexp_rsp_valid_i,
                  "the core answers without a request")

endmodule

`default_nettype wire
