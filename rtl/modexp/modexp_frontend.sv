// SPDX-License-Identifier: Apache-2.0
// The face that every exponentiator shares: takes requests of the modexp contract, checks them,
// keeps modulus and exponent in memory, counts cycles and answers. The exponentiator behind it
// sees only good operands, word by word from the most significant one, and two start pulses.
//
// Reading a request takes one cycle a word; operands wider than the memory word are read through
// a multiplexer, so they are never stored twice.
//
// Cycles, from the first cycle of `req_valid_i` to the first of `rsp_valid_o`:
//   accepted load key or exponentiate:  Words + 3 + (cycles from the start pulse to `done_i`)
//   refused after its operands were read:  Words + 3;  refused before:  1
// After reset and after `clear_i` the memories are wiped in Words cycles.
`include "totient_assert.svh"
`default_nettype none

module modexp_frontend
  import totient_pkg::*;
#(
  parameter int unsigned Width    = 1024,
  parameter int unsigned WordBits = 32,                          // power of two
  parameter int unsigned Words    = words_of(Width, WordBits),   // at least this many
  localparam int unsigned LengthBits = count_bits(Width),
  localparam int unsigned IndexBits  = index_bits(Words)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,
  // Request and response (modexp contract; the result port is the exponentiator's own)
  input  logic                  req_valid_i,
  output logic                  req_ready_o,
  input  request_e              req_op_i,
  input  logic [Width-1:0]      modulus_i,
  input  logic [Width-1:0]      exponent_i,
  input  logic [LengthBits-1:0] exponent_bits_i,
  input  logic [Width-1:0]      base_i,
  output logic                  rsp_valid_o,
  input  logic                  rsp_ready_i,
  output error_e                rsp_error_o,
  output logic [63:0]           rsp_cycles_o,
  output logic                  rsp_result_valid_o,  // the response has a result
  // Operands as they are read, most significant word first
  output logic                  wiping_o,         // overwrite word `word_index_o` of any memory
  output logic                  key_word_o,       // a word of a new key is there
  output logic                  base_word_o,      // a word of a base is there
  output logic [IndexBits-1:0]  word_index_o,
  output logic [WordBits-1:0]   modulus_word_o,
  output logic [WordBits-1:0]   exponent_word_o,  // bits above the stated length are 0
  output logic [WordBits-1:0]   base_word_data_o,
  // Exponentiator
  output logic                  start_key_o,      // a good key has been read
  output logic                  start_o,          // a good base has been read
  input  logic                  done_i,           // one cycle: constants or result are ready
  // Key memory, readable from a start pulse until `done_i`. The exponent's bit comes in the cycle
  // after its index.
  input  logic [IndexBits-1:0]  modulus_index_i,
  input  logic [LengthBits-1:0] exponent_index_i,
  output logic                  exponent_bit_o,
  output logic [LengthBits-1:0] exponent_bits_o
);
  localparam int unsigned WordShift = $clog2(WordBits);
  localparam int unsigned PadBits = Words * WordBits;
  localparam int unsigned PlaceBits = count_bits(PadBits);  // of a bit's place in the memory

  `TOTIENT_REQUIRE(Width, Width >= 8 && Width <= 4096, "Width must be 8 to 4096")
  `TOTIENT_REQUIRE(Word, WordBits >= 8 && (1 << WordShift) == WordBits,
                   "WordBits must be 8, 16, 32, ...")
  `TOTIENT_REQUIRE(Words, PadBits >= Width, "Words is too small for Width")

  typedef enum logic [2:0] {
    StWipe,     // overwrite the memories
    StIdle,
    StScan,     // one operand word a cycle out of the multiplexers
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

  // First stage: pick a word of each wide operand.
  logic [PadBits-1:0] modulus_pad, exponent_pad, base_pad;
  assign modulus_pad  = PadBits'(modulus_i);
  assign exponent_pad = PadBits'(exponent_i);
  assign base_pad     = PadBits'(base_i);

  // Bits of an exponent word that lie below the stated length.
  logic [PlaceBits-1:0] length, full_words;
  logic [WordBits-1:0]  exponent_mask;
  assign length = PlaceBits'(exponent_bits_q);
  assign full_words = length >> WordShift;
  always_comb begin
    if (PlaceBits'(index_q) < full_words) exponent_mask = '1;
    else if (PlaceBits'(index_q) > full_words) exponent_mask = '0;
    else exponent_mask = ~(WordBits'({WordBits{1'b1}}) << length[WordShift-1:0]);
  end

  // Second stage: words, registered.
  logic                 word_q;
  logic [IndexBits-1:0] word_index_q;
  logic [WordBits-1:0]  new_modulus_q, new_exponent_q, base_q;

  always_ff @(posedge clk_i) begin
    word_index_q   <= index_q;
    new_modulus_q  <= modulus_pad[index_q * WordBits +: WordBits];
    new_exponent_q <= exponent_pad[index_q * WordBits +: WordBits] & exponent_mask;
    base_q         <= base_pad[index_q * WordBits +: WordBits];
    if (!rst_ni || clear_i || state_q == StWipe) begin
      new_modulus_q  <= '0;
      new_exponent_q <= '0;
      base_q         <= '0;
    end
    word_q <= rst_ni && !clear_i && state_q == StScan;
  end

  // Key memory: written by a new key and by the wipe, read beside a base and by the exponentiator.
  logic                 loading, running;
  logic [IndexBits-1:0] read_index;
  logic [WordBits-1:0]  modulus_read, exponent_read;
  logic [IndexBits-1:0] exponent_read_index;
  logic [PlaceBits-1:0] exponent_place;
  assign exponent_place = PlaceBits'(exponent_index_i);
  assign loading = word_q && op_q == ReqLoadKey;
  assign running = state_q == StRun || state_q == StJudge;
  assign read_index = running ? modulus_index_i : word_index_q;
  assign exponent_read_index = running ? IndexBits'(exponent_place >> WordShift) : word_index_q;

  ram_distributed #(.Bits(WordBits), .Depth(Words)) u_modulus (
    .clk_i, .write_i(loading || wiping_o), .write_index_i(word_index_o),
    .write_data_i(new_modulus_q), .read_index_i(read_index), .read_data_o(modulus_read)
  );
  ram_distributed #(.Bits(WordBits), .Depth(Words)) u_exponent (
    .clk_i, .write_i(loading || wiping_o), .write_index_i(word_index_o),
    .write_data_i(new_exponent_q), .read_index_i(exponent_read_index), .read_data_o(exponent_read)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) exponent_bit_o <= 1'b0;
    else exponent_bit_o <= exponent_read[exponent_place[WordShift-1:0]];
  end

  assign wiping_o         = state_q == StWipe;
  assign key_word_o       = loading;
  assign base_word_o      = word_q && op_q == ReqExponentiate;
  assign word_index_o     = wiping_o ? index_q : word_index_q;
  assign modulus_word_o   = key_word_o ? new_modulus_q : modulus_read;
  assign exponent_word_o  = key_word_o ? new_exponent_q : exponent_read;
  assign base_word_data_o = base_q;
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
      high_q  <= high_q || new_modulus_q != '0;
      small_q <= !high_q && new_modulus_q <= WordBits'(1);
      even_q  <= !new_modulus_q[0];
      if (!differs_q) begin
        differs_q <= base_q != modulus_read;
        less_q    <= base_q < modulus_read;
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
    end else if (PlaceBits'(exponent_bits_i) > PlaceBits'(Width)) begin
      refusal = ErrLength;
    end
  end

  assign req_ready_o  = (state_q == StIdle && refusal != ErrNone)
                     || (state_q == StScan && index_q == '0);
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
  `TOTIENT_ASSERT_STABLE_UNLESS(RequestStable, req_valid_i, req_ready_o, req_op_i, clear_i)
  `TOTIENT_ASSERT_STABLE_UNLESS(ResponseStable, rsp_valid_o, rsp_ready_i,
                                {rsp_error_o, rsp_cycles_o}, clear_i)
endmodule

`default_nettype wire
