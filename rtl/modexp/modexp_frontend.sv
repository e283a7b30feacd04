// SPDX-License-Identifier: Apache-2.0
// The face that every exponentiator shares: keeps the operands that are written to it, takes
// requests of the modexp contract, checks them, counts cycles and answers. The exponentiator behind
// it sees only good operands, word by word from the most significant one, and two start pulses; it
// may read modulus, base and exponent bits as long as it works.
//
// Operands lie in words of 32 bits, whatever the exponentiator's words are.
//
// Cycles, from the handshake of a request to the first cycle of `rsp_valid_o`:
//   accepted load key or exponentiate:  Words + 3 + (cycles from the start pulse to `done_i`)
//   refused after its operands were read:  Words + 3;  refused before:  1
// After reset and after `clear_i` the memories are wiped in Words cycles.
`include "totient_assert.svh"
`default_nettype none

module modexp_frontend
  import totient_pkg::*;
#(
  parameter int unsigned Width    = 1024,
  parameter int unsigned WordBits = 32,                          // 8, 16 or 32
  parameter int unsigned Words    = words_of(Width, WordBits),   // at least this many
  localparam int unsigned LengthBits = count_bits(Width),
  localparam int unsigned IndexBits  = index_bits(Words),
  localparam int unsigned OperandBits  = operand_index_bits(Width)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   clear_i,
  // Operands, request and response (modexp contract; the result is the exponentiator's own)
  input  logic                   write_i,
  input  operand_e               write_operand_i,
  input  logic [OperandBits-1:0] write_index_i,
  input  logic [31:0]            write_word_i,
  input  logic                   req_valid_i,
  output logic                   req_ready_o,
  input  request_e               req_op_i,
  input  logic [LengthBits-1:0]  exponent_bits_i,
  output logic                   rsp_valid_o,
  input  logic                   rsp_ready_i,
  output error_e                 rsp_error_o,
  output logic [63:0]            rsp_cycles_o,
  output logic                   rsp_result_valid_o,  // the response has a result
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
  // Operands, readable from a start pulse until `done_i`. The exponent's bit comes in the cycle
  // after its index, the others' words with theirs.
  input  logic [IndexBits-1:0]   modulus_index_i,
  input  logic [IndexBits-1:0]   base_index_i,
  input  logic [LengthBits-1:0]  exponent_index_i,
  output logic                   exponent_bit_o,
  output logic [LengthBits-1:0]  exponent_bits_o
);
  localparam int unsigned Ratio       = 32 / WordBits;  // of the exponentiator's words in one
  localparam int unsigned RatioShift  = $clog2(Ratio);
  localparam int unsigned MemoryWords = words_of(Words * WordBits, 32);
  localparam int unsigned MemoryBits  = index_bits(MemoryWords);
  localparam int unsigned BitBits     = count_bits(Words * WordBits);  // of a bit's place

  `TOTIENT_REQUIRE(Width, Width >= 8 && Width <= 4096, "Width must be 8 to 4096")
  `TOTIENT_REQUIRE(Word, WordBits == 8 || WordBits == 16 || WordBits == 32,
                   "WordBits must be 8, 16 or 32")
  `TOTIENT_REQUIRE(Words, Words * WordBits >= Width, "Words is too small for Width")

  typedef enum logic [2:0] {
    StWipe,     // overwrite the memories
    StIdle,     // operands are written, a request is taken
    StScan,     // one operand word a cycle out of the memories
    StDrain,    // the last word is in the second stage
    StJudge,    // all words seen: start, or refuse
    StRun,
    StRespond
  } state_e;

  state_e                state_q;
  request_e              op_q;
  error_e                error_q;
  logic                  key_valid_q;
  logic [LengthBits-1:0] exponent_bits_q;
  logic [IndexBits-1:0]  index_q;
  logic [63:0]           cycles_q;

  // The operands: written while idle, wiped, read by the scan and by the exponentiator.
  function automatic logic [MemoryBits-1:0] memory_index(logic [IndexBits-1:0] index);
    return MemoryBits'(index >> RatioShift);
  endfunction
  function automatic logic [WordBits-1:0] part(logic [31:0] word, logic [IndexBits-1:0] index);
    return WordBits'(word >> (32'(index) % Ratio * WordBits));
  endfunction

  logic                  running;
  logic [IndexBits-1:0]  modulus_index, base_index;
  logic [MemoryBits-1:0] exponent_index, write_index;
  logic [BitBits-1:0]    exponent_place;
  logic [31:0]           write_word, modulus_read, exponent_read, base_read;
  assign running        = state_q == StRun || state_q == StJudge;
  assign modulus_index  = running ? modulus_index_i : index_q;
  assign base_index     = running ? base_index_i : index_q;
  assign exponent_place = BitBits'(exponent_index_i);
  assign exponent_index = running ? MemoryBits'(exponent_place >> 5) : memory_index(index_q);
  assign write_index    = wiping_o ? MemoryBits'(index_q) : MemoryBits'(write_index_i);
  assign write_word     = wiping_o ? '0 : write_word_i;

  logic write;
  assign write = write_i && req_ready_o;
  ram_distributed #(.Bits(32), .Depth(MemoryWords)) u_modulus (
    .clk_i, .write_i(wiping_o || (write && write_operand_i == OperandModulus)),
    .write_index_i(write_index), .write_data_i(write_word),
    .read_index_i(memory_index(modulus_index)), .read_data_o(modulus_read)
  );
  ram_distributed #(.Bits(32), .Depth(MemoryWords)) u_exponent (
    .clk_i, .write_i(wiping_o || (write && write_operand_i == OperandExponent)),
    .write_index_i(write_index), .write_data_i(write_word),
    .read_index_i(exponent_index), .read_data_o(exponent_read)
  );
  ram_distributed #(.Bits(32), .Depth(MemoryWords)) u_base (
    .clk_i, .write_i(wiping_o || (write && write_operand_i == OperandBase)),
    .write_index_i(write_index), .write_data_i(write_word),
    .read_index_i(memory_index(base_index)), .read_data_o(base_read)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) exponent_bit_o <= 1'b0;
    else exponent_bit_o <= exponent_read[5'(exponent_place)];
  end

  // Bits of an exponent word that lie below the stated length.
  localparam int unsigned WordShift = $clog2(WordBits);
  logic [BitBits-1:0]  length, whole_words;
  logic [WordBits-1:0] exponent_mask;
  assign length      = BitBits'(exponent_bits_q);
  assign whole_words = length >> WordShift;
  always_comb begin
    if (BitBits'(index_q) < whole_words) exponent_mask = '1;
    else if (BitBits'(index_q) > whole_words) exponent_mask = '0;
    else exponent_mask = ~(WordBits'({WordBits{1'b1}}) << length[WordShift-1:0]);
  end

  // Second stage of the scan: words, registered.
  logic                 word_q;
  logic [IndexBits-1:0] word_index_q;
  logic [WordBits-1:0]  modulus_q, exponent_q, base_q;

  always_ff @(posedge clk_i) begin
    word_index_q <= index_q;
    modulus_q    <= part(modulus_read, index_q);
    exponent_q   <= part(exponent_read, index_q) & exponent_mask;
    base_q       <= part(base_read, index_q);
    if (!rst_ni || clear_i || state_q == StWipe) begin
      modulus_q  <= '0;
      exponent_q <= '0;
      base_q     <= '0;
    end
    word_q <= rst_ni && !clear_i && state_q == StScan;
  end

  assign wiping_o         = state_q == StWipe;
  assign key_word_o       = word_q && op_q == ReqLoadKey;
  assign base_word_o      = word_q && op_q == ReqExponentiate;
  assign word_index_o     = wiping_o ? index_q : word_index_q;
  assign modulus_word_o   = running ? part(modulus_read, modulus_index_i) : modulus_q;
  assign base_word_data_o = running ? part(base_read, base_index_i) : base_q;
  assign exponent_word_o  = exponent_q;
  assign exponent_bits_o  = exponent_bits_q;

  // What the words say, most significant first.
  logic high_q;            // a word above the lowest one is not 0
  logic small_q, even_q;
  logic differs_q, less_q; // base against modulus
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || state_q == StIdle) begin
      high_q    <= 1'b0;
      small_q   <= 1'b0;
      even_q    <= 1'b0;
      differs_q <= 1'b0;
      less_q    <= 1'b0;
    end else if (word_q) begin
      high_q  <= high_q || modulus_q != '0;
      small_q <= !high_q && modulus_q <= WordBits'(1);
      even_q  <= !modulus_q[0];
      if (!differs_q) begin
        differs_q <= base_q != modulus_q;
        less_q    <= base_q < modulus_q;
      end
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
    if (req_op_i == ReqExponentiate) begin
      if (!key_valid_q) refusal = ErrNoKey;
    end else if (exponent_bits_i == '0) begin
      refusal = ErrExponentEmpty;
    end else if (BitBits'(exponent_bits_i) > BitBits'(Width)) begin
      refusal = ErrLength;
    end
  end

  assign req_ready_o  = state_q == StIdle;
  assign start_key_o  = state_q == StJudge && judgement == ErrNone && op_q == ReqLoadKey;
  assign start_o      = state_q == StJudge && judgement == ErrNone && op_q == ReqExponentiate;
  assign rsp_valid_o  = state_q == StRespond;
  assign rsp_error_o  = error_q;
  assign rsp_cycles_o = cycles_q;
  assign rsp_result_valid_o = rsp_valid_o && op_q == ReqExponentiate && error_q == ErrNone;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q         <= StWipe;
      op_q            <= ReqLoadKey;
      error_q         <= ErrNone;
      key_valid_q     <= 1'b0;
      exponent_bits_q <= '0;
      index_q         <= IndexBits'(Words - 1);
      cycles_q        <= '0;
    end else begin
      if (state_q != StIdle && state_q != StRespond) cycles_q <= cycles_q + 64'd1;
      unique case (state_q)
        StWipe: begin
          index_q <= index_q - IndexBits'(1);
          if (index_q == '0) begin
            index_q <= IndexBits'(Words - 1);
            state_q <= StIdle;
          end
        end
        StIdle: begin
          cycles_q <= 64'd1;
          error_q  <= refusal;
          op_q     <= req_op_i;
          // A key whose modulus or exponent is being replaced is none.
          if (write_i && write_operand_i != OperandBase) key_valid_q <= 1'b0;
          if (req_valid_i) begin
            state_q <= (refusal != ErrNone) ? StRespond : StScan;
            if (req_op_i == ReqLoadKey) begin
              key_valid_q     <= 1'b0;
              exponent_bits_q <= exponent_bits_i;
            end
          end
        end
        StScan: begin
          index_q <= index_q - IndexBits'(1);
          if (index_q == '0) begin
            index_q <= IndexBits'(Words - 1);
            state_q <= StDrain;
          end
        end
        StDrain: state_q <= StJudge;
        StJudge: begin
          error_q <= judgement;
          state_q <= (judgement == ErrNone) ? StRun : StRespond;
        end
        StRun: begin
          if (done_i) begin
            if (op_q == ReqLoadKey) key_valid_q <= 1'b1;
            state_q <= StRespond;
          end
        end
        default: begin  // StRespond
          if (rsp_ready_i) state_q <= StIdle;
        end
      endcase
    end
  end

  `TOTIENT_ASSERT(DoneWhileRunning, !done_i || state_q == StRun,
                  "done outside of an operation")
  `TOTIENT_ASSERT(WriteWhileIdle, !write_i || req_ready_o, "operand written to a busy core")
  `TOTIENT_ASSERT_STABLE_UNLESS(RequestStable, req_valid_i, req_ready_o, req_op_i, clear_i)
  `TOTIENT_ASSERT_STABLE_UNLESS(ResponseStable, rsp_valid_o, rsp_ready_i,
                                {rsp_error_o, rsp_cycles_o}, clear_i)
endmodule

`default_nettype wire
