// SPDX-License-Identifier: Apache-2.0
// Words of 32 bits between the packets of the stream contract and the digit memory, `Step` bits
// a cycle; random digits; wiping. What it is asked for (unit_op_e, from UnitGet on):
//
//   UnitGet     the next word of the packet, of a new one with `pair`: `value`, at most 32767
//   UnitByte    `value`: the lowest byte of that word, which is moved down by one byte
//   UnitNumber  a number of `first` bits to `second` digits from `block` on; `value`: how many
//               digits hold it with two bits to spare
//   UnitDrain   the rest of the packet
//   UnitPut     the word {second, first} is sent, the last one of a packet with `pair`
//   UnitPutCycles  the same of the clock cycles from the request's last word to UnitStopTimer
//   UnitSend    ceil(first / 32) words of a number from `block` on; with `pair` the last one ends
//               the packet
//   UnitRandom  `second` random digits from `block` on
//   UnitWipe    zeros in the page that begins at `block`, and in the window unit
//
// Against a flipped bit: words and digits are kept twice, the word inverted the second time; what
// has been written is read again and compared; what is sent comes from two copies of the memory,
// and no word is offered whose two copies differ; exactly one bit of the state is set; nothing
// takes 2^31 cycles. `fault` tells of all that. What is offered is the majority of three copies.
//
// Cycles, with everybody outside ready: UnitNumber 18 for each word, 9 for a digit of zeros behind
// them (Bits 18); UnitSend 19 a word; UnitRandom 5 a digit; UnitWipe one a word of memory.
`include "totient_assert.svh"
`default_nettype none

module engine_packet_io
  import engine_packet_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Bits        = 18,  // of a digit, at least 16
  parameter int unsigned PlaceBits   = 7,   // of a word's place in a block
  parameter int unsigned AddressBits = 13   // of the digit memory
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  // The control unit.
  input  logic            work_i,     // the datapath has something to do
  input  packet_request_t request_i,
  output packet_status_t  status_o,
  // Packets.
  input  logic        s_axis_tvalid,
  output logic        s_axis_tready,
  input  logic [31:0] s_axis_tdata,
  input  logic        s_axis_tlast,
  output logic        m_axis_tvalid,
  input  logic        m_axis_tready,
  output logic [31:0] m_axis_tdata,
  output logic        m_axis_tlast,
  // Random words.
  input  logic            random_valid_i,
  output logic            random_ready_o,
  input  logic [Bits-1:0] random_i,
  // The digit memory; a word that is read is there four cycles after its address.
  output logic                   write_o,
  output logic                   wipe_o,
  output logic                   read_o,     // the address of the next cycle is one to read
  output logic [AddressBits-1:0] address_o,
  output logic [Bits-1:0]        data_o,
  input  logic [Bits-1:0]        data_i,
  input  logic [Bits-1:0]        again_i
);
  localparam int unsigned Step       = (Bits % 2 == 0) ? 2 : 1;
  localparam int unsigned WordSteps  = 32 / Step;
  localparam int unsigned DigitSteps = Bits / Step;
  localparam int unsigned ByteSteps  = 8 / Step;
  localparam int unsigned WordBits   = $clog2(WordSteps);
  localparam int unsigned DigitBits  = $clog2(DigitSteps);
  localparam int unsigned Ahead      = 6;   // cycles from a word's index to its digit
  localparam int unsigned Seen       = 7;   // cycles from a write to the word read again
  localparam int unsigned PageBits   = PlaceBits + engine_instruction_pkg::PageBlockBits;
  `TOTIENT_REQUIRE(Digit, Bits >= 16 && DigitSteps > Seen + 1,
                   "a digit takes longer than to read it again")

  // State and counters; what the pieces below say of each other.
  state_t               state_q, next;
  logic [WordBits-1:0]  word_steps_q;   // done of the word
  logic [DigitBits-1:0] digit_steps_q;  // done of the digit
  left_t                left_q;         // bits to come after this step, less one
  count_minus_one_t     digits_q;       // to be written, less one
  logic                 zeros_q;        // no word of the number is left
  logic                 past_q;         // the number has ended
  logic                 last_q;         // the word that is offered ends the packet
  logic                 more_words_q;   // the packet has more, and so has the number
  logic                 away_q;         // no word is waited for
  logic                 ready_q;        // one is taken
  logic                 moves_q;        // the digit is shifted, filled or set to 0
  logic                 rests_again_q;  // its second copy is not
  logic                 word_end_q, byte_end_q, digit_end_q;  // with this step
  logic                 prefetch_done_q;
  logic                 moves;          // in the next cycle
  logic                 shift, ends, decide, all_written, next_digit, next_word, word_wanted, draws;
  logic                 agree, writes_done, wipe_done;
  logic                 endless, wrong_word, wrong_digit, astray_q, fault_q;
  logic [31:0]          word, word_again;
  logic [Bits-1:0]      digit, digit_again;
  logic [Step-1:0]      in;             // bits that go from the word to the digit
  logic [PageBits-1:0]  index;          // the digit's
  logic [1:0]           written;        // a digit is written; it was a cycle ago
  logic                 moved_on;       // two cycles later
  assign shift       = state_q[StIn] || state_q[StOut] || state_q[StByte];
  assign ends        = left_q[LeftBits-1];  // the number, with this step
  assign all_written = digits_q[$bits(digits_q)-1];
  assign next_digit  = state_q[StOut] && digit_end_q;
  assign word_wanted = state_q[StIn] && word_end_q && !zeros_q && !ends;
  assign decide      = (state_q[StIn] && digit_end_q && !all_written) || state_q[StDigit];

  // The request and its packet.
  packet_op_t    op;
  packet_entry_t entry;
  logic          is_open, is_short, clear_waits, took_last;
  logic [31:0]   cycles;
  assign s_axis_tready = ready_q;
  engine_packet_decoder u_decoder (
    .clk_i, .rst_ni, .request_i, .open_i(is_open), .op_o(op), .entry_o(entry)
  );
  engine_packet_watch u_watch (
    .clk_i, .rst_ni, .stop_i(request_i.stop), .work_i, .op_i(op), .state_i(state_q),
    .word_wanted_i(word_wanted), .s_axis_tvalid, .s_axis_tready, .s_axis_tdata, .s_axis_tlast,
    .open_o(is_open), .short_o(is_short), .clear_waits_o(clear_waits), .took_last_o(took_last)
  );
  engine_packet_timer u_timer (
    .clk_i, .rst_ni, .stop_i(request_i.stop), .op_i(op), .state_i(state_q),
    .took_last_i(took_last), .cycles_o(cycles), .endless_o(endless)
  );

  // Words and digits.
  assign random_ready_o = state_q[StRandom];
  assign data_o         = digit;
  engine_digit_ring #(.Bits(Bits)) u_ring (
    .clk_i, .rst_ni, .op_i(op), .state_i(state_q), .shift_i(shift), .moves_i(moves_q),
    .rests_again_i(rests_again_q), .refill_i(state_q[StAhead] || next_digit), .zeros_i(zeros_q),
    .word_end_i(word_end_q), .away_i(away_q), .s_axis_tready, .s_axis_tdata, .cycles_i(cycles),
    .random_i, .data_i, .again_i, .word_o(word), .word_again_o(word_again), .digit_o(digit),
    .digit_again_o(digit_again), .in_o(in)
  );
  engine_digit_access #(
    .Bits(Bits), .PlaceBits(PlaceBits), .AddressBits(AddressBits), .Seen(Seen)
  ) u_access (
    .clk_i, .rst_ni, .stop_i(request_i.stop), .op_i(op), .state_i(state_q),
    .block_i(request_i.block), .decide_i(decide), .next_digit_i(next_digit),
    .ahead_done_i(prefetch_done_q), .digit_again_i(digit_again), .write_o, .wipe_o, .read_o,
    .address_o, .data_i, .index_o(index), .written_o(written), .moved_on_o(moved_on),
    .writes_done_o(writes_done), .wipe_done_o(wipe_done), .wrong_o(wrong_digit)
  );
  assign m_axis_tvalid = state_q[StOffer];
  assign m_axis_tlast  = last_q;
  engine_word_offer u_offer (
    .clk_i, .rst_ni, .stop_i(request_i.stop), .state_i(state_q), .word_i(word),
    .again_i(word_again), .agree_o(agree), .wrong_o(wrong_word), .m_axis_tdata
  );

  // What is told.
  scalar_t value;
  logic    is_even, is_small, msb_clear, length_exceeded;
  engine_number_status #(.Bits(Bits), .IndexBits(PageBits)) u_number (
    .clk_i, .op_i(op), .state_i(state_q), .word_i(word), .digit_i(digit), .index_i(index),
    .was_written_i(written[1]), .moved_on_i(moved_on), .in_i(in), .ends_i(ends),
    .past_i(past_q), .odd_i(left_q[0]), .value_o(value), .even_o(is_even), .small_o(is_small),
    .msb_clear_o(msb_clear), .length_exceeded_o(length_exceeded)
  );
  always_ff @(posedge clk_i) begin
    astray_q <= !(^state_q) || (state_q[StIdle] && written[0])
             || ready_q != (state_q[StGet] || state_q[StWord] || state_q[StDrain]);
    fault_q  <= (wrong_digit && op.number) || wrong_word || astray_q || endless;
    if (!rst_ni || request_i.stop) begin
      astray_q <= 1'b0;
      fault_q  <= 1'b0;
    end
  end
  assign status_o = '{
    busy:            op.starts || !state_q[StIdle],
    outside:         state_q[StGet] || state_q[StWord] || state_q[StDrain] || state_q[StOffer],
    random:          op.random && !state_q[StIdle],
    clear_waits:     clear_waits,
    fault:           fault_q,
    value:           value,
    is_even:         is_even,
    is_small:        is_small,
    msb_clear:       msb_clear,
    length_exceeded: length_exceeded,
    is_open:         is_open,
    is_short:        is_short
  };

  // States.
  assign draws = state_q[StPause] && op.random && written[1:0] == '0 && !all_written;
  // `ends` of the next cycle: at a word's last step, the cycle before was one, too.
  always_ff @(posedge clk_i) begin
    more_words_q <= is_open && !zeros_q && !ends && left_q[LeftBits-2:Step-1] != '0;
  end
  assign next_word = state_q[StIn] && more_words_q && word_end_q;
  always_comb begin
    next            = '0;
    next[StBegin]   = state_q[StIdle] && op.starts_own;
    next[StGet]     = (state_q[StBegin] && entry.get)
                   || (state_q[StGet] && !s_axis_tvalid);
    next[StWord]    = (state_q[StBegin] && entry.word)
                   || next_word
                   || (state_q[StWord] && !s_axis_tvalid);
    next[StFill]    = (state_q[StBegin] && op.puts)
                   || ((state_q[StGet] || state_q[StWord]) && s_axis_tvalid);
    next[StLook]    = state_q[StFill] && op.get;
    next[StWeigh]   = state_q[StLook];
    next[StTell]    = state_q[StWeigh];
    next[StByte]    = (state_q[StBegin] && op.next_byte)
                   || (state_q[StByte] && !byte_end_q);
    // Behind the number's last word come zeros, until all digits are written.
    next[StIn]      = (state_q[StBegin] && entry.in)
                   || (state_q[StFill] && op.number)
                   || (state_q[StIn] && !(more_words_q && word_end_q) && !(zeros_q && all_written));
    next[StDrain]   = (state_q[StBegin] && entry.drain)
                   || (state_q[StDrain] && !(s_axis_tvalid && s_axis_tlast));
    next[StAhead]   = (state_q[StBegin] && op.send)
                   || (state_q[StAhead] && !prefetch_done_q);
    next[StOut]     = (state_q[StAhead] && prefetch_done_q) || (state_q[StOut] && !word_end_q)
                   || (state_q[StOffer] && m_axis_tready && op.send && !past_q);
    next[StCheck]   = (state_q[StFill] && op.puts) || (state_q[StOut] && word_end_q);
    next[StSure]    = state_q[StCheck] || (state_q[StSure] && !agree);
    next[StOffer]   = (state_q[StSure] && agree) || (state_q[StOffer] && !m_axis_tready);
    next[StRandom]  = (state_q[StBegin] && op.random) || (state_q[StRandom] && !random_valid_i)
                   || draws;
    next[StDigit]   = state_q[StRandom] && random_valid_i;
    next[StPause]   = state_q[StDigit] || (state_q[StIn] && zeros_q && all_written)
                   || (state_q[StPause] && !draws && !writes_done);
    next[StWipe]    = (state_q[StBegin] && op.wipe) || (state_q[StWipe] && !wipe_done);
    next[StIdle]    = (state_q[StIdle] && !op.starts_own) || state_q[StTell]
                   || (state_q[StBegin] && entry.idle)
                   || (state_q[StByte] && byte_end_q)
                   || (state_q[StDrain] && s_axis_tvalid && s_axis_tlast)
                   || (state_q[StOffer] && m_axis_tready && !(op.send && !past_q))
                   || (state_q[StPause] && writes_done && !draws)
                   || (state_q[StWipe] && wipe_done);
  end

  assign moves = next[StIn] || next[StOut] || next[StByte] || next[StAhead] || next[StRandom]
              || next[StDigit];
  // A register a copy of the digit, inverted like the word: a flipped one is seen as a difference.
  always_ff @(posedge clk_i) begin
    state_q       <= next;
    away_q        <= !(next[StGet] || next[StWord]);
    moves_q       <= moves;
    rests_again_q <= !moves;
    // Of the three states in which a word is taken one comes next.
    ready_q <= (state_q[StBegin] && entry.take) || next_word
            || ((state_q[StGet] || state_q[StWord] || state_q[StDrain])
                && !(s_axis_tvalid && (!state_q[StDrain] || s_axis_tlast)));
    if (!rst_ni || request_i.stop) begin
      state_q         <= '0;
      state_q[StIdle] <= 1'b1;
      away_q          <= 1'b1;
      ready_q         <= 1'b0;
      moves_q         <= 1'b0;
      rests_again_q   <= 1'b1;
    end
    if (state_q[StIdle]) begin
      word_steps_q    <= '0;
      word_end_q      <= 1'b0;
      byte_end_q      <= 1'b0;
      digit_steps_q   <= '0;
      digit_end_q     <= 1'b0;
      prefetch_done_q <= 1'b0;
      left_q          <= left_t'(op.first);
      digits_q        <= count_minus_one_t'(op.second);
      past_q          <= 1'b0;
    end else begin
      if (shift) begin
        word_steps_q <= word_steps_q + WordBits'(1);
        word_end_q   <= word_steps_q == WordBits'(WordSteps - 2);
        byte_end_q   <= word_steps_q == WordBits'(ByteSteps - 2);
      end
      prefetch_done_q <= state_q[StAhead] && digit_steps_q == DigitBits'(Ahead - 1);
      if (shift || state_q[StAhead]) begin
        digit_end_q   <= digit_steps_q == DigitBits'(DigitSteps - 2);
        digit_steps_q <= (digit_end_q || prefetch_done_q) ? '0 : digit_steps_q + DigitBits'(1);
      end
      // One less, and a step ahead.
      if (state_q[StBegin] || shift) begin
        left_q <= left_q - (state_q[StBegin] ? left_t'(Step + 1) : left_t'(Step));
      end
      if (shift) past_q <= ends;
      if (state_q[StBegin] || decide) digits_q <= digits_q - count_minus_one_t'(1);
    end
    if (state_q[StBegin]) zeros_q <= op.no_bits || op.random;
    else if (state_q[StIn] && word_end_q && ends) zeros_q <= 1'b1;
    if (state_q[StBegin]) last_q <= op.pair && op.puts;
    else if (state_q[StOut] && word_end_q) last_q <= ends && op.pair;
  end
endmodule

`default_nettype wire
