// SPDX-License-Identifier: Apache-2.0
// Puts a modexp core behind packets of 32-bit words on AXI4-Stream, after the stream contract
// (docs/contracts.md): info, load key, exponentiate, clear.
//
// Bounds: 8 <= Width <= 4096; a number of up to Width bits travels in ceil(bits / 32) words.
// Cycles: six a word of a request's header, one a word of an operand and ten at its end, one for
//         each word by which it is shorter than Width; three a word of a response.
//
// The first fault in a packet, word by word, is the one that is reported; the rest is read and
// dropped. Within one word a bad length goes before a packet that ends early or goes on.
//
// Operands go word by word into the core's memory, filled up with words of 0. The result is read
// from the core, which holds it until the last word has left. A core that takes several bases at
// once has a lane for each; their results come one after another. What is said of a word is found
// in steps, each into registers, so that this face is no slower in clock than the core behind it.
`include "totient_assert.svh"
`default_nettype none

module modexp_axis
  import contract_pkg::*;
  import modexp_pkg::*;
  import packet_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned  Width  = 32,        // largest modulus, in bits
  parameter logic [127:0] Name   = "modexp",  // design name, 1 to 16 ASCII characters
  parameter timing_e      Timing = TimeExponentValue,
  parameter int unsigned  Lanes  = 1,         // bases of a request, at most; up to 256
  localparam int unsigned LaneBits    = index_bits(Lanes),
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
  output modexp_request_t           modexp_request_o,
  input  wire modexp_response_t     modexp_response_i
);

  `TOTIENT_REQUIRE(Width, Width >= 8 && Width <= MaxBits, "Width must be 8 to 4096")
  `TOTIENT_REQUIRE(Lanes, Lanes >= 1 && Lanes <= MaxLanes, "Lanes must be 1 to 256")
  `TOTIENT_REQUIRE(Name, Name != '0, "Name must be 1 to 16 characters")

  localparam int unsigned Words = words_of(Width, 32);
  localparam int unsigned IndexBits = count_bits(Words > 8 ? Words : 8);  // 8 words of info
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

  localparam int unsigned InfoWords = 8;
  localparam logic [32*InfoWords-1:0] Info =
      {Lanes, 30'd0, Timing, Width, 8'd0, Version, first_character_lowest(Name)};

  // Streams, cut from what is outside ----------------------------------------------------------

  logic        in_valid, in_last, take;
  logic [31:0] in_word;
  stream_register #(.Bits(33)) u_in (
    .clk_i, .rst_ni, .valid_i(s_axis_tvalid), .ready_o(s_axis_tready),
    .data_i({s_axis_tlast, s_axis_tdata}),
    .valid_o(in_valid), .ready_i(take), .data_o({in_last, in_word})
  );

  logic        out_valid, out_ready, out_last_q;
  logic [31:0] out_word_q;
  stream_register #(.Bits(33)) u_out (
    .clk_i, .rst_ni, .valid_i(out_valid), .ready_o(out_ready), .data_i({out_last_q, out_word_q}),
    .valid_o(m_axis_tvalid), .ready_i(m_axis_tready), .data_o({m_axis_tlast, m_axis_tdata})
  );

  // States -------------------------------------------------------------------------------------

  typedef enum logic [4:0] {
    StHeader,       // take a word of a request's header
    StLook,         // find out what it is, in two steps
    StLookOn,
    StDecide,       // is it allowed?
    StFault,        // what is wrong?
    StField,        // what does it ask for?
    StPrepare,      // the number's words are counted, in two steps
    StPrepareOn,
    StIdleCore,     // wait until the core takes operands
    StWords,        // take the words of a number
    StCheck,        // look at its last word, in two steps
    StCheckOn,
    StJudge,        // is it allowed?
    StNumber,
    StRest,         // fill the number up
    StFilled,
    StDrain,        // drop the rest of a refused packet
    StRequest,      // hand the operation to the core
    StRun,          // wait for the core
    StWipe,         // clear the core
    StWiping,       // wait for the end of its wipe
    StAnswer        // a response is being sent
  } state_e;
  state_e state_q;

  typedef enum logic [1:0] {FieldCommand, FieldBits, FieldExponentBits} field_e;
  field_e field_q;  // the word of the header that comes next or is looked at

  logic [31:0]          word_q;        // the word taken last
  /* verilator lint_off UNUSEDSIGNAL */  // a core has no slots
  request_word_t        in_header, header;  // words as the first one of a request
  /* verilator lint_on UNUSEDSIGNAL */
  assign in_header = in_word;
  assign header    = word_q;
  logic                 last_q;        // it ended its packet
  logic [7:0]           command_q;
  logic                 load_q;        // the command is load key
  logic                 info_q;        // it is info
  logic                 clear_q;       // it is clear
  error_e               error_q;       // of the request
  logic                 faulty_q;      // it is not ErrNone
  logic                 lost_q;        // a refused request loses the key
  logic                 clearing_q;    // a clear has aborted an operation: it has an answer, too
  logic [CountBits-1:0] bits_q, exponent_bits_q;  // stated lengths; of the modulus or the base
  logic                 empty_q, exponent_empty_q;  // they are 0
  logic                 exponent_q;    // the number is the exponent
  index_t               index_q;       // word of the number
  index_t               left_q;        // words of the number behind the one at the input
  logic                 whole_q;       // the word taken last is the number's last one
  index_t               key_words_q;   // words of a result
  logic [LaneBits-1:0]  lane_q;        // of the base
  logic [LaneBits-1:0]  last_lane_q;   // bases of the request, less one
  logic [15:0]          result_words_q;  // of all results

  // What words are ------------------------------------------------------------------------------

  // A clear packet at the input, while the core works: a whole one aborts it.
  logic [3:0] clear_part_q;
  logic       runs_q, clear_here_q;
  logic       drop_q;  // it has aborted the operation and is taken
  always_ff @(posedge clk_i) begin
    clear_part_q[0] <= in_valid && in_last;
    clear_part_q[1] <= in_header.command == CmdClear;
    clear_part_q[2] <= in_word[19:8] == '0;
    clear_part_q[3] <= in_word[31:20] == '0;
    clear_here_q    <= &clear_part_q;
    runs_q          <= state_q == StRun;
    if (!runs_q) begin
      clear_part_q <= '0;
      clear_here_q <= 1'b0;
    end
  end
  assign take = in_valid && (state_q == StHeader || state_q == StWords || state_q == StDrain
                             || drop_q);

  // Words of the number, less 1, in two steps; meaningless if it has none.
  logic [CountBits-1:0] number_bits_q;
  logic [CountBits-1:0] before_end;
  index_t               last_index_q;
  assign before_end = number_bits_q - CountBits'(1);
  always_ff @(posedge clk_i) begin
    number_bits_q <= exponent_q ? exponent_bits_q : bits_q;
    last_index_q  <= index_t'(before_end >> 5);
    if (!rst_ni) begin
      number_bits_q <= '0;
      last_index_q  <= '0;
    end
  end

  // The word taken last: as a command, as a length, as a number's last word.
  logic [3:0]  zero_part_q, above_part_q, high_part_q;
  logic        long_q, known_q, zero_q, high_q, above_q;
  logic        several_q;       // as a command: as many bases as there are lanes, at most
  logic [31:0] above_length_q;  // bits of a last word that have to be 0
  logic [4:0]  end_bits;        // bits of a last word, 0 for all 32
  assign end_bits = 5'(number_bits_q);
  always_ff @(posedge clk_i) begin
    above_length_q <= (end_bits == '0) ? '0 : ~32'd0 << end_bits;
    for (int unsigned i = 0; i < 4; i++) begin
      zero_part_q[i]  <= word_q[8*i+:8] == '0;
      above_part_q[i] <= (word_q[8*i+:8] & above_length_q[8*i+:8]) != '0;
    end
    high_part_q <= {word_q[31:28] != '0, word_q[27:23] != '0, word_q[22:18] != '0,
                    word_q[17:13] != '0};
    long_q  <= word_q[12:0] > 13'(Width);
    several_q <= header.command == CmdExponentiate && 32'(header.option) < Lanes;
    known_q <= &zero_part_q[3:2] && (zero_part_q[1] || several_q)
               && command_q inside {[CmdInfo:CmdClear]};
    zero_q  <= &zero_part_q;
    high_q  <= |high_part_q || long_q;
    above_q <= |above_part_q;
    if (!rst_ni) begin
      {zero_part_q, above_part_q, high_part_q} <= '0;
      {long_q, known_q, zero_q, high_q, above_q, several_q} <= '0;
      above_length_q <= '0;
    end
  end

  // What is wrong with it, in two steps.
  logic   last_lane_here_q;  // the base is the last one
  error_e bad;         // the word itself
  logic   packet_end;  // the packet is complete with it
  error_e bad_q;
  logic   packet_end_q, number_q;  // it is a number's last word
  always_comb begin
    bad = ErrNone;
    if (state_q == StJudge) begin
      if (whole_q && above_q) bad = ErrLength;
      packet_end = whole_q && (load_q ? exponent_q || exponent_empty_q : last_lane_here_q);
    end else begin
      unique case (field_q)
        FieldCommand: begin
          if (!known_q) bad = ErrCommand;
          packet_end = info_q || clear_q;
        end
        FieldBits: begin
          if (high_q) bad = ErrLength;
          packet_end = !load_q && zero_q;
        end
        default: begin
          if (high_q) bad = ErrLength;
          packet_end = empty_q && zero_q;
        end
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    last_lane_here_q <= lane_q == last_lane_q;
    bad_q        <= bad;
    packet_end_q <= packet_end;
    number_q     <= state_q == StJudge;
    if (!rst_ni) begin
      last_lane_here_q <= 1'b0;
      bad_q        <= ErrNone;
      packet_end_q <= 1'b0;
      number_q     <= 1'b0;
    end
  end

  // The core -----------------------------------------------------------------------------------

  logic                   write_q;  // `word_q` is word `write_index_q` of operand `operand_q`
  operand_e               operand_q;
  logic [LaneBits-1:0]    write_lane_q;
  logic [OperandBits-1:0] write_index_q;

  // Responses ----------------------------------------------------------------------------------

  typedef enum logic [1:0] {
    SendIdle,
    SendFetch,  // the core reads a word of its result
    SendPick,   // the response's next word is picked
    SendWord
  } send_e;
  typedef enum logic [2:0] {PartFirst, PartInfo, PartLow, PartHigh, PartResult} part_e;
  send_e       send_q;
  part_e       part_q;
  index_t      out_index_q;     // word of the part
  logic [LaneBits-1:0] out_lane_q;
  logic [15:0] answer_words_q;  // words after the first
  response_word_t answer_header;
  logic [31:0] info_word_q, cycles_word_q;
  logic        info_end_q, result_end_q;  // `out_index_q` is that of the last word
  logic        lane_end_q;                // `out_lane_q` is the last one
  logic        answer, answered_q;        // one cycle: send a response; it has left

  assign answer    = state_q == StAnswer && send_q == SendIdle && !answered_q;
  assign out_valid = send_q == SendWord;
  assign answer_header = '{words: answer_words_q, error: 8'(error_q), command: command_q};
  assign modexp_clear_o   = state_q == StWipe;
  assign modexp_request_o = '{
    write:         write_q,
    write_operand: operand_q,
    write_lane:    modexp_lane_t'(write_lane_q),
    write_index:   modexp_index_t'(write_index_q),
    write_word:    word_q,
    req_valid:     state_q == StRequest,
    req_op:        load_q ? ReqLoadKey : ReqExponentiate,
    exponent_bits: modexp_length_t'(exponent_bits_q),
    last_lane:     modexp_lane_t'(last_lane_q),
    rsp_ready:     answered_q,  // held until all of it has been sent
    result_lane:   modexp_lane_t'(out_lane_q),
    result_index:  modexp_index_t'(OperandBits'(out_index_q))
  };

  always_ff @(posedge clk_i) begin
    answered_q     <= 1'b0;
    answer_words_q <= (faulty_q || clear_q) ? 16'd0
                    : info_q ? 16'(InfoWords) : load_q ? 16'd2 : 16'd2 + result_words_q;
    info_word_q    <= 32'(Info >> {out_index_q[2:0], 5'd0});
    info_end_q     <= out_index_q == index_t'(InfoWords - 1);
    result_end_q   <= out_index_q + index_t'(1) == key_words_q;
    lane_end_q     <= out_lane_q == last_lane_q;
    cycles_word_q  <= (part_q == PartLow) ? modexp_response_i.rsp_cycles[31:0]
                                          : modexp_response_i.rsp_cycles[63:32];
    unique case (send_q)
      SendIdle: begin
        part_q      <= PartFirst;
        out_index_q <= '0;
        out_lane_q  <= '0;
        if (answer) send_q <= SendFetch;
      end
      SendFetch: send_q <= SendPick;
      SendPick: begin
        send_q <= SendWord;
        unique case (part_q)
          PartFirst: {out_last_q, out_word_q} <= {answer_words_q == '0, answer_header};
          PartInfo:  {out_last_q, out_word_q} <= {info_end_q, info_word_q};
          PartLow:   {out_last_q, out_word_q} <= {1'b0, cycles_word_q};
          PartHigh:  {out_last_q, out_word_q} <= {load_q, cycles_word_q};
          default:   {out_last_q, out_word_q} <= {result_end_q && lane_end_q,
                                                  modexp_response_i.result_word};
        endcase
      end
      default: begin  // SendWord
        if (out_ready) begin
          send_q     <= out_last_q ? SendIdle : SendFetch;
          answered_q <= out_last_q;
          unique case (part_q)
            PartFirst: part_q <= info_q ? PartInfo : PartLow;
            PartLow:   part_q <= PartHigh;
            PartHigh:  part_q <= PartResult;
            default: begin
              out_index_q <= out_index_q + index_t'(1);
              if (part_q == PartResult && result_end_q) begin
                out_index_q <= '0;
                out_lane_q  <= out_lane_q + LaneBits'(1);
              end
            end
          endcase
        end
      end
    endcase
    if (!rst_ni) begin
      send_q      <= SendIdle;
      part_q      <= PartFirst;
      answered_q  <= 1'b0;
      out_index_q <= '0;
      out_lane_q  <= '0;
      {out_last_q, out_word_q} <= '0;
    end
  end

  // What comes next ----------------------------------------------------------------------------

  always_ff @(posedge clk_i) begin
    write_q       <= 1'b0;
    drop_q        <= 1'b0;
    load_q        <= command_q == CmdLoadKey;
    info_q        <= command_q == CmdInfo;
    clear_q       <= command_q == CmdClear;
    write_lane_q  <= lane_q;
    write_index_q <= OperandBits'(index_q);
    operand_q     <= !load_q ? OperandBase : exponent_q ? OperandExponent : OperandModulus;
    if (take) begin
      word_q <= in_word;
      last_q <= in_last;
    end
    unique case (state_q)
      StHeader: begin
        index_q        <= '0;
        lane_q         <= '0;
        result_words_q <= '0;
        exponent_q     <= 1'b0;
        if (take) begin
          if (field_q == FieldCommand) command_q <= in_header.command;
          state_q <= StLook;
        end
      end
      StLook: state_q <= StLookOn;
      StLookOn: state_q <= StDecide;
      StDecide, StJudge: begin
        state_q <= StFault;
      end
      StFault: begin
        error_q  <= (bad_q != ErrNone) ? bad_q
                  : (last_q && !packet_end_q) ? ErrPacketShort
                  : (!last_q && packet_end_q) ? ErrPacketLong : ErrNone;
        faulty_q <= bad_q != ErrNone || last_q != packet_end_q;
        // A refused command is no load key, whatever its lowest byte says.
        lost_q   <= load_q && bad_q != ErrCommand;
        state_q  <= number_q ? StNumber : StField;
      end
      StField: begin
        field_q <= FieldCommand;
        if (faulty_q) begin
          state_q <= !last_q ? StDrain : lost_q ? StWipe : StAnswer;
        end else begin
          unique case (field_q)
            FieldCommand: begin
              if (!info_q && !clear_q) field_q <= FieldBits;
              last_lane_q <= LaneBits'(header.option);
              state_q <= clear_q ? StWipe : info_q ? StAnswer : StHeader;
            end
            FieldBits: begin
              if (load_q) field_q <= FieldExponentBits;
              bits_q  <= word_q[CountBits-1:0];
              empty_q <= zero_q;
              state_q <= load_q ? StHeader : StPrepare;
            end
            default: begin
              exponent_bits_q  <= word_q[CountBits-1:0];
              exponent_empty_q <= zero_q;
              state_q          <= StPrepare;
            end
          endcase
        end
      end
      StPrepare: state_q <= StPrepareOn;
      StPrepareOn: state_q <= StIdleCore;
      StIdleCore: begin
        if (load_q && !exponent_q) key_words_q <= empty_q ? '0 : last_index_q + index_t'(1);
        left_q <= last_index_q;
        word_q <= '0;
        if (modexp_response_i.req_ready) begin
          state_q <= (exponent_q ? exponent_empty_q : empty_q) ? StRest : StWords;
        end
      end
      StWords: begin
        if (take) begin
          write_q <= 1'b1;
          index_q <= index_q + index_t'(1);
          left_q  <= left_q - index_t'(1);
          whole_q <= left_q == '0;
          if (left_q == '0 || in_last) state_q <= StCheck;
        end
      end
      StCheck: state_q <= StCheckOn;
      StCheckOn: state_q <= StJudge;
      StNumber: begin
        word_q  <= '0;
        state_q <= !faulty_q ? StRest : !last_q ? StDrain : lost_q ? StWipe : StAnswer;
      end
      StRest: begin
        if (index_q == index_t'(Words)) begin
          state_q <= StFilled;
        end else begin
          write_q <= 1'b1;
          index_q <= index_q + index_t'(1);
        end
      end
      StFilled: begin
        index_q        <= '0;
        result_words_q <= result_words_q + 16'(key_words_q);
        if (load_q && !exponent_q && !exponent_empty_q) begin
          exponent_q <= 1'b1;
          state_q    <= StPrepare;
        end else if (!load_q && !last_lane_here_q) begin
          lane_q  <= lane_q + LaneBits'(1);
          state_q <= StPrepare;
        end else begin
          state_q <= StRequest;
        end
      end
      StDrain: if (take && in_last) state_q <= lost_q ? StWipe : StAnswer;

      StRequest: if (modexp_response_i.req_ready) state_q <= StRun;
      StRun: begin
        if (clear_here_q) begin
          drop_q     <= 1'b1;
          error_q    <= ErrAborted;
          faulty_q   <= 1'b1;
          clearing_q <= 1'b1;
          state_q    <= StWipe;
        end else if (modexp_response_i.rsp_valid) begin
          error_q  <= modexp_response_i.rsp_error;
          faulty_q <= modexp_response_i.rsp_error != ErrNone;
          state_q  <= StAnswer;
        end
      end
      StWipe: begin
        // Lengths tell of a key, too.
        bits_q          <= '0;
        exponent_bits_q <= '0;
        key_words_q     <= '0;
        result_words_q  <= '0;
        word_q          <= '0;
        state_q         <= clear_q ? StWiping : StAnswer;
      end
      StWiping: if (modexp_response_i.req_ready) state_q <= StAnswer;

      default: begin  // StAnswer
        if (answered_q) begin
          state_q <= StHeader;
          if (clearing_q) begin
            // An aborted operation has had its answer; now the clear has its own.
            clearing_q <= 1'b0;
            error_q    <= ErrNone;
            faulty_q   <= 1'b0;
            command_q  <= CmdClear;
            state_q    <= StWiping;
          end
        end
      end
    endcase
    if (!rst_ni) begin
      state_q          <= StHeader;
      write_q          <= 1'b0;
      drop_q           <= 1'b0;
      field_q          <= FieldCommand;
      word_q           <= '0;
      last_q           <= 1'b0;
      command_q        <= '0;
      load_q           <= 1'b0;
      info_q           <= 1'b0;
      clear_q          <= 1'b0;
      error_q          <= ErrNone;
      faulty_q         <= 1'b0;
      lost_q           <= 1'b0;
      clearing_q       <= 1'b0;
      bits_q           <= '0;
      exponent_bits_q  <= '0;
      empty_q          <= 1'b0;
      exponent_empty_q <= 1'b0;
      exponent_q       <= 1'b0;
      index_q          <= '0;
      left_q           <= '0;
      whole_q          <= 1'b0;
      key_words_q      <= '0;
      lane_q           <= '0;
      last_lane_q      <= '0;
      result_words_q   <= '0;
    end
  end

  `TOTIENT_ASSERT(WriteToIdleCore, !write_q || modexp_response_i.req_ready,
                  "an operand is written to a busy core")
  `TOTIENT_ASSERT(AnswerHolds, send_q == SendWord && part_q inside {PartLow, PartHigh, PartResult}
                               |-> modexp_response_i.rsp_valid, "the core dropped its answer")
  `TOTIENT_ASSERT(NoStrayAnswer,
                  state_q inside {StHeader, StRequest} |-> !modexp_response_i.rsp_valid,
                  "the core answers without a request")

endmodule

`default_nettype wire
