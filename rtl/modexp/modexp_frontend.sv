// SPDX-License-Identifier: Apache-2.0
// The face that every exponentiator shares: keeps the operands that are written to it, takes
// requests of the modexp contract, checks them, counts cycles and answers. The exponentiator behind
// it sees only good operands, word by word from the most significant one, and two start pulses; it
// may read modulus, base and exponent bits as long as it works.
//
// Operands lie in words of 32 bits, whatever the exponentiator's words are. There are as many bases
// as the exponentiator works on at once, one a lane.
//
// Cycles, from the handshake of a request to the first cycle of `rsp_valid`:
//   accepted load key or exponentiate:  Words + 7 + (cycles from the start pulse to `done_i`)
//   refused after its operands were read:  Words + 7;  refused before:  2
//   each base after the first:  Words + 5 more
// After reset and after `clear_i` the memories are wiped in Lanes Words + 1 cycles.
// Reading, judging and counting go in short steps, so that this face is no slower in clock than
// the exponentiator behind it.
`include "totient_assert.svh"
`default_nettype none

module modexp_frontend
  import contract_pkg::*;
  import modexp_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned Width    = 1024,
  parameter int unsigned WordBits = 32,                          // 8, 16 or 32
  parameter int unsigned Words    = words_of(Width, WordBits),   // at least this many
  parameter int unsigned Lanes    = 1,                           // bases of a request, at most
  localparam int unsigned LaneBits   = index_bits(Lanes),
  localparam int unsigned LengthBits = count_bits(Width),
  localparam int unsigned IndexBits  = index_bits(Words),
  localparam int unsigned OperandBits  = operand_index_bits(Width)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   clear_i,
  // Operands, request and response (modexp contract)
  input  modexp_request_t        request_i,
  output modexp_response_t       response_o,
  output logic                   result_valid_o,      // the response has a result
  input  logic [31:0]            result_word_i,       // the chosen word of that
  // Operands as they are read, most significant word first
  output logic                   wiping_o,         // overwrite word `word_index_o` of any memory
  output logic                   key_word_o,       // a word of a new key is there
  output logic                   base_word_o,      // a word of a base is there
  output logic [IndexBits-1:0]   word_index_o,
  output logic [WordBits-1:0]    modulus_word_o,
  output logic [WordBits-1:0]    exponent_word_o,  // bits above the stated length are 0
  output logic [WordBits-1:0]    base_word_data_o,
  // Exponentiator
  output logic                   start_key_o,      // a good key has been read
  output logic                   start_o,          // a good base has been read
  input  logic                   done_i,           // one cycle: constants or result are ready
  // Operands, readable from a start pulse until `done_i`: words of modulus and base 3 cycles after
  // their indices; the word that holds an exponent bit, and the bit, in the cycle after its index.
  input  logic [IndexBits-1:0]   modulus_index_i,
  input  logic [LaneBits-1:0]    base_lane_i,
  input  logic [IndexBits-1:0]   base_index_i,
  input  logic [LengthBits-1:0]  exponent_index_i,
  output logic [31:0]            exponent_memory_word_o,
  output logic                   exponent_bit_o,
  output logic [LaneBits-1:0]    last_lane_o,
  output logic [LengthBits-1:0]  exponent_bits_o
);
  localparam int unsigned Ratio       = 32 / WordBits;  // of the exponentiator's words in one
  localparam int unsigned RatioShift  = $clog2(Ratio);
  localparam int unsigned MemoryWords = words_of(Words * WordBits, 32);
  localparam int unsigned MemoryBits  = index_bits(MemoryWords);
  localparam int unsigned BitBits     = count_bits(Words * WordBits);  // of a bit's place
  localparam int unsigned BaseWords   = (Lanes == 1) ? MemoryWords : Lanes << MemoryBits;
  localparam int unsigned BaseBits    = index_bits(BaseWords);

  `TOTIENT_REQUIRE(Width, Width >= 8 && Width <= MaxBits, "Width must be 8 to 4096")
  `TOTIENT_REQUIRE(Word, WordBits == 8 || WordBits == 16 || WordBits == 32,
                   "WordBits must be 8, 16 or 32")
  `TOTIENT_REQUIRE(Lanes, Lanes >= 1 && Lanes <= MaxLanes, "Lanes must be 1 to 256")
  `TOTIENT_REQUIRE(Words, Words * WordBits >= Width, "Words is too small for Width")

  // Fields of the request in this core's own widths.
  logic                   req_ready, rsp_valid;
  logic [OperandBits-1:0] write_index;
  logic [LaneBits-1:0]    write_lane, last_lane;
  logic [LengthBits-1:0]  exponent_bits;
  assign write_index   = OperandBits'(request_i.write_index);
  assign write_lane    = LaneBits'(request_i.write_lane);
  assign last_lane     = LaneBits'(request_i.last_lane);
  assign exponent_bits = LengthBits'(request_i.exponent_bits);
  logic unused;  // bits beyond these widths; the fields that choose a word of the result
  assign unused = ^request_i;

  typedef enum logic [3:0] {
    StWipe,     // overwrite the memories
    StIdle,     // operands are written, a request is taken
    StScan,     // one operand word a cycle out of the memories
    StDrain,    // the last word is on its way
    StJudge,    // all words seen
    StNext,     // another base
    StStart,    // start, or refuse
    StRun,
    StSettle,   // the count is complete
    StRespond,
    StWiped     // the last word is overwritten
  } state_e;

  state_e                state_q;
  request_e              op_q;
  error_e                error_q;
  logic                  good_q;  // the operands are
  logic                  key_valid_q;
  logic [LengthBits-1:0] exponent_bits_q;
  logic [IndexBits-1:0]  index_q, base_index_q;  // of the words that are read
  logic [LaneBits-1:0]   lane_q, last_lane_q, base_lane_q;

  // The operands: written while idle, wiped, read by the scan and by the exponentiator.
  function automatic logic [MemoryBits-1:0] memory_index(logic [IndexBits-1:0] index);
    return MemoryBits'(index >> RatioShift);
  endfunction
  function automatic logic [WordBits-1:0] part(logic [31:0] word, logic [IndexBits-1:0] index);
    return WordBits'(word >> (32'(index) % Ratio * WordBits));
  endfunction

  function automatic logic [BaseBits-1:0] base_index(logic [LaneBits-1:0] lane,
                                                     logic [MemoryBits-1:0] index);
    return (Lanes == 1) ? BaseBits'(index) : BaseBits'({lane, index});
  endfunction

  // The exponentiator's indices count once the scan has its words.
  logic                  running_q;
  logic                  wiping;  // a word may still have to be overwritten
  logic [MemoryBits-1:0] exponent_index, write_index_q;
  logic [LaneBits-1:0]   write_lane_q;
  logic [31:0]           write_word_q, modulus_read, exponent_read, base_read;
  assign wiping = state_q == StWipe || state_q == StWiped;
  always_ff @(posedge clk_i) running_q <= !(state_q inside {StIdle, StScan, StNext});
  assign exponent_index = running_q ? MemoryBits'(exponent_index_i >> 5) : memory_index(index_q);

  logic write_modulus_q, write_exponent_q, write_base_q;
  always_ff @(posedge clk_i) begin
    write_index_q    <= wiping_o ? MemoryBits'(index_q) : MemoryBits'(write_index);
    write_lane_q     <= wiping_o ? lane_q : write_lane;
    write_word_q     <= wiping_o ? '0 : request_i.write_word;
    write_modulus_q  <= wiping_o || (request_i.write && request_i.write_operand == OperandModulus);
    write_exponent_q <= wiping_o || (request_i.write && request_i.write_operand == OperandExponent);
    write_base_q     <= wiping_o || (request_i.write && request_i.write_operand == OperandBase);
  end
  ram_distributed #(.Bits(32), .Depth(MemoryWords)) u_modulus (
    .clk_i, .write_i(write_modulus_q), .write_index_i(write_index_q), .write_data_i(write_word_q),
    .read_index_i(memory_index(index_q)), .read_data_o(modulus_read)
  );
  ram_distributed #(.Bits(32), .Depth(MemoryWords)) u_exponent (
    .clk_i, .write_i(write_exponent_q), .write_index_i(write_index_q), .write_data_i(write_word_q),
    .read_index_i(exponent_index), .read_data_o(exponent_read)
  );
  ram_distributed #(.Bits(32), .Depth(BaseWords)) u_base (
    .clk_i, .write_i(write_base_q), .write_index_i(base_index(write_lane_q, write_index_q)),
    .write_data_i(write_word_q),
    .read_index_i(base_index(base_lane_q, memory_index(base_index_q))), .read_data_o(base_read)
  );

  // What has been read is wiped while the memories are, and so needs no reset of its own.
  always_ff @(posedge clk_i) begin
    if (wiping) exponent_bit_o <= 1'b0;
    else exponent_bit_o <= exponent_read[5'(exponent_index_i)];
  end

  // First stage of reading: words of 32 bits.
  localparam int unsigned WordShift = $clog2(WordBits);
  logic [BitBits-1:0]   length, whole_words_q;
  logic [WordBits-1:0]  partial_q;      // bits that count of the word that the length ends in
  logic                 raw_valid_q;
  logic [IndexBits-1:0] raw_index_q, raw_base_index_q;
  logic [31:0]          raw_modulus_q, raw_exponent_q, raw_base_q;
  assign length = BitBits'(exponent_bits_q);
  always_ff @(posedge clk_i) begin
    whole_words_q  <= length >> WordShift;
    partial_q      <= ~(WordBits'({WordBits{1'b1}}) << length[WordShift-1:0]);
    raw_valid_q    <= state_q == StScan;
    raw_index_q    <= index_q;
    raw_base_index_q <= base_index_q;
    raw_modulus_q  <= modulus_read;
    raw_exponent_q <= exponent_read;
    raw_base_q     <= base_read;
    if (wiping) begin
      raw_valid_q    <= 1'b0;
      raw_modulus_q  <= '0;
      raw_exponent_q <= '0;
      raw_base_q     <= '0;
    end
  end

  // Second stage: the exponentiator's words, without the exponent's bits that do not count.
  logic [WordBits-1:0]  exponent_mask;
  always_comb begin
    if (BitBits'(raw_index_q) < whole_words_q) exponent_mask = '1;
    else if (BitBits'(raw_index_q) > whole_words_q) exponent_mask = '0;
    else exponent_mask = partial_q;
  end
  logic                 word_q;
  logic [IndexBits-1:0] word_index_q;
  logic [WordBits-1:0]  modulus_q, exponent_q, base_q;
  logic [WordBits/8-1:0] unequal_byte_q;  // of base and modulus
  always_ff @(posedge clk_i) begin
    word_q       <= raw_valid_q;
    word_index_q <= raw_index_q;
    modulus_q    <= part(raw_modulus_q, raw_index_q);
    exponent_q   <= part(raw_exponent_q, raw_index_q) & exponent_mask;
    base_q       <= part(raw_base_q, raw_base_index_q);
    for (int unsigned i = 0; i < WordBits / 8; i++) begin
      unequal_byte_q[i] <= 8'(part(raw_base_q, raw_base_index_q) >> (8 * i))
                           != 8'(part(raw_modulus_q, raw_index_q) >> (8 * i));
    end
    if (!rst_ni || clear_i || wiping) word_q <= 1'b0;
    if (wiping) begin
      modulus_q      <= '0;
      exponent_q     <= '0;
      base_q         <= '0;
      unequal_byte_q <= '0;
    end
  end

  assign wiping_o         = state_q == StWipe;
  assign key_word_o       = word_q && op_q == ReqLoadKey;
  assign base_word_o      = word_q && op_q == ReqExponentiate;
  assign word_index_o     = wiping_o ? index_q : word_index_q;
  assign modulus_word_o   = modulus_q;
  assign base_word_data_o = base_q;
  assign exponent_word_o  = exponent_q;
  assign exponent_memory_word_o = raw_exponent_q;
  assign exponent_bits_o  = exponent_bits_q;
  assign last_lane_o      = last_lane_q;

  // What a word says, and what all of them do, most significant first.
  logic fact_q, last_fact_q;  // a word's facts are there; the last one's
  logic zero_q, one_q, odd_q, unequal_q, below_modulus_q;
  logic high_q;               // a word above the lowest one is not 0
  logic small_q, even_q;
  logic differs_q, less_q;    // base against modulus
  always_ff @(posedge clk_i) begin
    fact_q          <= word_q;
    last_fact_q     <= word_q && word_index_q == '0;
    zero_q          <= modulus_q == '0;
    one_q           <= modulus_q == WordBits'(1);
    odd_q           <= modulus_q[0];
    unequal_q       <= unequal_byte_q != '0;
    below_modulus_q <= base_q < modulus_q;
    if (fact_q) begin
      high_q  <= high_q || !zero_q;
      small_q <= !high_q && (zero_q || one_q);
      even_q  <= !odd_q;
      if (!differs_q) begin
        differs_q <= unequal_q;
        less_q    <= below_modulus_q;
      end
    end
    if (wiping || state_q == StIdle || state_q == StJudge) begin
      {fact_q, last_fact_q} <= '0;
      {zero_q, one_q, odd_q, unequal_q, below_modulus_q} <= '0;
      {high_q, small_q, even_q, differs_q, less_q} <= '0;
    end
  end

  error_e judgement;
  always_comb begin
    judgement = ErrNone;
    if (op_q == ReqLoadKey) begin
      if (small_q) judgement = ErrModulusSmall;
      else if (even_q) judgement = ErrModulusEven;
    end else if (!less_q) begin
      judgement = ErrBaseNotBelow;
    end
  end

  // What can be refused before any word is read.
  error_e refusal;
  always_comb begin
    refusal = ErrNone;
    if (request_i.req_op == ReqExponentiate) begin
      if (!key_valid_q) refusal = ErrNoKey;
    end else if (exponent_bits == '0) begin
      refusal = ErrExponentEmpty;
    end else if (BitBits'(exponent_bits) > BitBits'(Width)) begin
      refusal = ErrLength;
    end
  end

  assign req_ready = state_q == StIdle;
  assign rsp_valid = state_q == StRespond;

  // Cycles: the upper half follows a cycle after the lower one. The first count is for this cycle
  // and for StSettle, in which the upper half is complete.
  logic [31:0] low_q, high_cycles_q;
  logic        top_q;  // of the lower half, a cycle ago
  always_ff @(posedge clk_i) begin
    top_q <= low_q[31];
    if (top_q && !low_q[31]) high_cycles_q <= high_cycles_q + 32'd1;
    if (state_q != StSettle && state_q != StRespond) low_q <= low_q + 32'd1;
    if (state_q == StIdle || wiping) begin
      low_q         <= 32'd2;
      high_cycles_q <= '0;
      top_q         <= 1'b0;
    end
  end

  assign response_o = '{
    req_ready:   req_ready,
    rsp_valid:   rsp_valid,
    rsp_error:   error_q,
    rsp_cycles:  {high_cycles_q, low_q},
    result_word: result_word_i
  };
  assign result_valid_o = rsp_valid && op_q == ReqExponentiate && error_q == ErrNone;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q         <= StWipe;
      op_q            <= ReqLoadKey;
      error_q         <= ErrNone;
      good_q          <= 1'b0;
      start_key_o     <= 1'b0;
      start_o         <= 1'b0;
      key_valid_q     <= 1'b0;
      exponent_bits_q <= '0;
      index_q         <= IndexBits'(Words - 1);
      base_index_q    <= IndexBits'(Words - 1);
      lane_q          <= '0;
      base_lane_q     <= '0;
      last_lane_q     <= '0;
    end else begin
      start_key_o  <= 1'b0;
      start_o      <= 1'b0;
      index_q      <= modulus_index_i;
      base_index_q <= base_index_i;
      base_lane_q  <= base_lane_i;
      unique case (state_q)
        StWipe: begin
          index_q <= index_q - IndexBits'(1);
          if (index_q == '0) begin
            index_q <= IndexBits'(Words - 1);
            lane_q  <= lane_q + LaneBits'(1);
            if (lane_q == LaneBits'(Lanes - 1)) state_q <= StWiped;
          end
        end
        StIdle: begin
          index_q      <= IndexBits'(Words - 1);
          base_index_q <= IndexBits'(Words - 1);
          lane_q       <= '0;
          base_lane_q  <= '0;
          last_lane_q  <= (request_i.req_op == ReqExponentiate) ? last_lane : '0;
          error_q      <= refusal;
          op_q         <= request_i.req_op;
          // A key whose modulus or exponent is being replaced is none.
          if (request_i.write && request_i.write_operand != OperandBase) key_valid_q <= 1'b0;
          if (request_i.req_valid) begin
            state_q <= (refusal != ErrNone) ? StSettle : StScan;
            if (request_i.req_op == ReqLoadKey) begin
              key_valid_q     <= 1'b0;
              exponent_bits_q <= exponent_bits;
            end
          end
        end
        StScan: begin
          index_q      <= index_q - IndexBits'(1);
          base_index_q <= index_q - IndexBits'(1);
          base_lane_q  <= lane_q;
          if (index_q == '0) state_q <= StDrain;
        end
        StDrain: if (last_fact_q) state_q <= StJudge;
        StJudge: begin
          error_q <= judgement;
          good_q  <= judgement == ErrNone;
          lane_q  <= lane_q + LaneBits'(1);
          state_q <= (judgement != ErrNone || lane_q == last_lane_q) ? StStart : StNext;
          start_key_o <= judgement == ErrNone && op_q == ReqLoadKey;
          start_o     <= judgement == ErrNone && op_q == ReqExponentiate
                         && lane_q == last_lane_q;
        end
        StNext: begin
          index_q      <= IndexBits'(Words - 1);
          base_index_q <= IndexBits'(Words - 1);
          base_lane_q  <= lane_q;
          state_q      <= StScan;
        end
        StStart: state_q <= good_q ? StRun : StSettle;
        StRun: begin
          if (done_i) begin
            if (op_q == ReqLoadKey) key_valid_q <= 1'b1;
            state_q <= StSettle;
          end
        end
        StSettle: state_q <= StRespond;
        StRespond: if (request_i.rsp_ready) state_q <= StIdle;
        default: state_q <= StIdle;  // StWiped
      endcase
    end
  end

  `TOTIENT_ASSERT(DoneWhileRunning, !done_i || state_q == StRun,
                  "done outside of an operation")
  logic req_taken;
  assign req_taken = request_i.req_valid && req_ready;
  `TOTIENT_ASSERT(WriteBeforeRequest, !(request_i.write && req_taken),
                  "operand written while it is being requested")
  `TOTIENT_ASSERT(LaneThere, !req_taken || 32'(request_i.last_lane) < Lanes,
                  "more bases than lanes")
  `TOTIENT_ASSERT(LengthFits,
                  !req_taken || modexp_length_t'(exponent_bits) == request_i.exponent_bits,
                  "the exponent's length is cut off")
  `TOTIENT_ASSERT(WriteWhileIdle, !request_i.write || req_ready, "operand written to a busy core")
  `TOTIENT_ASSERT(WriteFits, !request_i.write || 32'(request_i.write_index) < words_of(Width, 32),
                  "no operand has this word")
  `TOTIENT_ASSERT_STABLE_UNLESS(RequestStable, request_i.req_valid, req_ready, request_i.req_op,
                                clear_i)
  `TOTIENT_ASSERT_STABLE_UNLESS(ResponseStable, rsp_valid, request_i.rsp_ready,
                                {error_q, high_cycles_q, low_q}, clear_i)
endmodule

`default_nettype wire
