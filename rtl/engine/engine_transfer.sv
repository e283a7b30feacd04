// SPDX-License-Identifier: Apache-2.0
// Words of 32 bits between the packets of the stream contract and the digit memory, `Step` bits
// a cycle; random digits; wiping. What it is asked for (engine_pkg::does_e, from DoesGet on):
//
//   DoesGet     the next word of the packet, of a new one with `pair_i`: `value_o`, at most 32767
//   DoesByte    `value_o`: the lowest byte of that word, which is moved down by one byte
//   DoesNumber  a number of `first_i` bits to `second_i` digits from `address_i` on; `value_o`: how
//               many digits hold it with two bits to spare
//   DoesDrain   the rest of the packet
//   DoesPut     the word {second_i, first_i} is sent, the last one of a packet with `pair_i`
//   DoesPutCycles  the same of the clock cycles from the request's last word to DoesHold
//   DoesSend    ceil(first_i / 32) words of a number from `address_i` on; with `pair_i` the last
//               one ends the packet
//   DoesRandom  `second_i` random digits from `address_i` on
//   DoesWipe    zeros in the page that begins at `address_i`, and in the window unit
//
// Against a flipped bit: words and digits are kept twice, the word inverted the second time; what
// has been written is read again and compared; what is sent comes from two copies of the memory,
// and no word is offered whose two copies differ; exactly one bit of the state is set; nothing
// takes 2^31 cycles. `fault_o` tells of all that. What is offered is the majority of three copies.
//
// Cycles, with everybody outside ready: DoesNumber 18 for each word, 9 for a digit of zeros behind
// them (Bits 18); DoesSend 19 a word; DoesRandom 5 a digit; DoesWipe one a word of memory.
`include "totient_assert.svh"
`default_nettype none

module engine_transfer
  import engine_pkg::*;
#(
  parameter int unsigned Bits        = 18,  // of a digit, at least 16
  parameter int unsigned PlaceBits   = 7,   // of a word's place in a block
  parameter int unsigned AddressBits = 13   // of the digit memory
) (
  input  logic    clk_i,
  input  logic    rst_ni,
  input  logic    stop_i,      // give up what is under way
  input  logic    work_i,      // the datapath has something to do
  // What is to be done. The arguments are there four cycles before `do_i`, and stay until `busy_o`
  // has fallen.
  input  logic    do_i,
  input  does_e   does_i,
  input  logic    pair_i,
  input  scalar_t first_i,
  input  scalar_t second_i,
  input  logic [AddressBits-1:0] address_i,
  output logic    busy_o,
  output logic    outside_o,   // it waits for somebody outside
  output scalar_t value_o,     // 0 where nothing is said above
  output logic    even_o,      // of the last number
  output logic    small_o,     // the last number is 0 or 1
  output logic    loose_o,     // the last number's highest bit is 0
  output logic    over_o,      // a number of this packet has bits set above its length
  output logic    open_o,      // the packet has not ended
  output logic    short_o,     // more was wanted than the packet had
  output logic    abort_o,     // a clear packet waits while an operation is under way
  output logic    random_o,    // it waits for random words, or has just got one
  output logic    fault_o,
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
  localparam int unsigned PageBits   = PlaceBits + PageBlockBits;
  localparam int unsigned LeftBits   = 14;  // of a number's length, with a sign
  `TOTIENT_REQUIRE(Digit, Bits >= 16 && DigitSteps > Seen + 1,
                   "a digit takes longer than to read it again")
  typedef logic [LeftBits-1:0] left_t;

  // One bit for each, exactly one of them set.
  typedef enum int unsigned {
    StIdle, StBegin, StGet, StWord, StFill, StLook, StWeigh, StTell, StByte, StIn, StDrain, StAhead,
    StOut, StCheck, StSure, StOffer, StRandom, StDigit, StPause, StWipe, States
  } state_e;
  logic [States-1:0] state_q, next;

  // What is to be done, decoded while the control unit still reads its arguments.
  logic do_q, get_q, byte_q, number_q, drain_q, put_q, put_cycles_q, hold_q, send_q, random_q;
  logic wipe_q, none_q, own_q, pair_q, puts_q, do_own_q, do_puts_q;
  scalar_t first_q, second_q;
  always_ff @(posedge clk_i) begin
    do_q         <= do_i && !stop_i && rst_ni;
    do_own_q     <= do_i && !stop_i && rst_ni && own_q;
    do_puts_q    <= do_i && !stop_i && rst_ni && (put_q || put_cycles_q);
    get_q        <= does_i == DoesGet;
    byte_q       <= does_i == DoesByte;
    number_q     <= does_i == DoesNumber;
    drain_q      <= does_i == DoesDrain;
    put_q        <= does_i == DoesPut;
    put_cycles_q <= does_i == DoesPutCycles;
    hold_q       <= does_i == DoesHold;
    send_q       <= does_i == DoesSend;
    random_q     <= does_i == DoesRandom;
    wipe_q       <= does_i == DoesWipe;
    none_q       <= first_i == '0;
    own_q        <= does_i >= DoesGet;
    puts_q       <= put_q || put_cycles_q;
    pair_q       <= pair_i;
    first_q      <= first_i;
    second_q     <= second_i;
  end

  // The state behind StBegin, where it hangs on more than one register.
  logic open_q, to_get_q, to_word_q, to_in_q, to_drain_q, to_idle_q, to_take_q;
  always_ff @(posedge clk_i) begin
    to_get_q   <= get_q && (open_q || pair_q);
    to_word_q  <= number_q && !none_q && open_q;
    to_in_q    <= number_q && (none_q || !open_q);
    to_drain_q <= drain_q && open_q;
    to_take_q  <= (get_q && pair_q) || ((get_q || (number_q && !none_q) || drain_q) && open_q);
    to_idle_q  <= hold_q || (get_q && !open_q && !pair_q) || (drain_q && !open_q);
  end

  logic [31:0]         word_q, again_q;        // bits go out below and come in above
  logic [2:0][31:0]    offer_q;                // what is offered, the third one inverted
  logic [Bits-1:0]     digit_q, digit_again_q, kept_q;
  logic [WordBits-1:0]  word_steps_q;          // done of the word
  logic [DigitBits-1:0] digit_steps_q;         // done of the digit
  left_t               left_q;                 // bits to come after this step, less one
  less_t               digits_q;               // to be written, less one
  logic [PageBits-1:0] index_q;
  logic [Seen+1:0]     written_q;              // written_q[i]: i cycles after a write
  logic                zeros_q, past_q, counts_q, ended_q, armed_q, last_q;
  logic                in_take, shift, ends, decide, all_written, agree;
  logic                next_digit, next_word, word_wanted, draws;
  logic                more_words_q;           // the packet has more, and so has the number
  logic                away_q, ready_q;        // no word is waited for; one is taken
  logic                word_end, byte_end, digit_end, there, quiet, wiped;  // registers

  assign busy_o        = do_q || !state_q[StIdle];
  assign outside_o     = state_q[StGet] || state_q[StWord] || state_q[StDrain] || state_q[StOffer];
  assign open_o        = open_q;
  assign s_axis_tready = ready_q;
  assign in_take       = s_axis_tvalid && s_axis_tready;
  assign random_o       = random_q && !state_q[StIdle];
  assign random_ready_o = state_q[StRandom];
  assign m_axis_tvalid = state_q[StOffer];
  // Of three copies what two of them say: a bit may flip in the very cycle in which it is taken.
  assign m_axis_tdata  = (offer_q[0] & offer_q[1]) | (offer_q[0] & ~offer_q[2])
                       | (offer_q[1] & ~offer_q[2]);
  assign m_axis_tlast  = last_q;

  assign shift       = state_q[StIn] || state_q[StOut] || state_q[StByte];
  assign ends        = left_q[LeftBits-1];  // the number, with this step
  assign all_written = digits_q[CountBits];
  assign next_digit  = state_q[StOut] && digit_end;
  assign word_wanted = state_q[StIn] && word_end && !zeros_q && !ends;

  // What a word is filled with: each of these is 0 unless it is wanted, and so is the word before.
  // Its two copies come each from a register of its own.
  logic [31:0] in_q, in_again_q, put_word_q, put_again_q, cycles_q, put_cycles_word_q;
  logic        took_q, took_last_q, endless_q;
  always_ff @(posedge clk_i) begin
    in_q        <= away_q ? '0 : s_axis_tdata;
    in_again_q  <= ready_q ? s_axis_tdata : '0;
    put_word_q  <= put_q ? {second_q, first_q} : '0;
    put_again_q <= (put_q && state_q[StBegin]) ? {second_q, first_q} : '0;
    put_cycles_word_q <= put_cycles_q ? cycles_q : '0;
    took_q      <= in_take;
    took_last_q <= in_take && s_axis_tlast;
    if (took_last_q) begin
      counts_q <= 1'b1;
      cycles_q <= 32'd2;
    end else if (counts_q) begin
      counts_q <= !(state_q[StBegin] && hold_q) && !stop_i;
      cycles_q <= cycles_q + 32'd1;
    end
    endless_q <= counts_q && cycles_q[31] && !state_q[StGet];
    if (!rst_ni) begin
      counts_q    <= 1'b0;
      endless_q   <= 1'b0;
      cycles_q    <= '0;
      took_q      <= 1'b0;
      took_last_q <= 1'b0;
    end
  end

  // Word and digit are one ring of bits, whichever of them is read.
  logic [Step-1:0] in, in_again, out, out_again;
  logic [Bits-1:0] random_word_q;
  logic            refill, clears, clear_q, clear_again_q;
  assign clears = (state_q[StBegin] && (get_q || number_q)) || (state_q[StIn] && word_end);
  assign in        = zeros_q ? '0 : word_q[Step-1:0];
  assign in_again  = zeros_q ? '0 : ~again_q[Step-1:0];
  assign out       = state_q[StFill] ? '0 : digit_q[Step-1:0];
  assign out_again = state_q[StFill] ? '0 : digit_again_q[Step-1:0];
  assign refill    = state_q[StAhead] || next_digit;
  always_ff @(posedge clk_i) begin
    random_word_q <= state_q[StRandom] ? random_i : '0;
    if (shift || state_q[StFill]) begin
      word_q  <= {out, word_q[31:Step]} | in_q | put_word_q | put_cycles_word_q;
      again_q <= ~({out_again, ~again_q[31:Step]} | in_again_q | put_again_q | put_cycles_word_q);
    end
    if (shift || refill || state_q[StDigit]) begin
      digit_q       <= refill ? data_i : {in, digit_q[Bits-1:Step]} | random_word_q;
      digit_again_q <= refill ? again_i : {in_again, digit_again_q[Bits-1:Step]};
    end
    if (written_q[0]) kept_q <= digit_again_q;
    // In the cycle before it is filled. Each copy has a register of its own for that.
    clear_q       <= clears || !rst_ni || (state_q[StIdle] && do_puts_q);
    clear_again_q <= clears || !rst_ni || (state_q[StIdle] && do_q && puts_q) || state_q[StDrain];
    if (clear_q) word_q <= '0;
    if (clear_again_q) again_q <= '1;
    if (!rst_ni || state_q[StRandom]) begin
      digit_q       <= '0;
      digit_again_q <= '0;
    end
    if (!rst_ni) kept_q <= '0;
  end

  // The memory. A word is written in the cycle of written_q[0], and its address stays until it is
  // read again.
  logic wipes_q;
  // Only for what writes, so that no flipped bit changes a number that was read again before, or
  // one that is being sent.
  assign wipe_o  = wipes_q && wipe_q;
  assign write_o = (written_q[0] && (number_q || random_q)) || wipe_o;
  assign data_o  = digit_q;
  assign decide  = (state_q[StIn] && digit_end && !all_written) || state_q[StDigit];
  always_ff @(posedge clk_i) begin
    wipes_q   <= state_q[StWipe];
    read_o    <= written_q[1] || (send_q && (do_q || !state_q[StIdle]));
    address_o <= address_i | AddressBits'(index_q);
    if (written_q[2] || state_q[StWipe] || next_digit || there) begin
      index_q <= index_q + PageBits'(1);
    end
    if (state_q[StIdle]) index_q <= '0;
    written_q <= {written_q[Seen:0], decide};
    quiet     <= written_q[Seen:0] == '0 && !decide;  // written_q is 0
    wiped     <= state_q[StWipe] && index_q == ~PageBits'(1);  // all but this word
    if (!rst_ni || stop_i) begin
      written_q <= '0;
      wiped     <= 1'b0;
    end
    if (!rst_ni) wipes_q <= 1'b0;
  end

  // What is known of a number: which parts of a digit are not 0. When the index has moved on, it
  // says how many digits there are so far, and with the next digit where two bits are not spare.
  logic [3:0] nonzero_q;
  logic [1:0] large_q;
  logic       low_q, more_q, counted_q, full_q, larger_q, above_q;
  always_ff @(posedge clk_i) begin
    low_q     <= digit_q[0];
    nonzero_q <= {|digit_q[Bits-1:Bits-2], |digit_q[Bits-3:11], |digit_q[10:6], |digit_q[5:1]};
    if (state_q[StIdle]) full_q <= 1'b0;
    else if (written_q[1]) full_q <= nonzero_q[3];
    if (written_q[1]) counted_q <= low_q || nonzero_q != '0 || full_q;
    if (state_q[StBegin] && number_q) begin
      more_q  <= 1'b0;
      even_o  <= 1'b1;
      loose_o <= 1'b1;
    end else begin
      if (written_q[1]) begin
        if (nonzero_q != '0 || (low_q && index_q != '0)) more_q <= 1'b1;
        if (index_q == '0) even_o <= !low_q;
      end
      if (state_q[StIn] && ends && !past_q) loose_o <= !in[left_q[0] ? Step - 1 : 0];
    end
    // A bit above the length; the highest bit within it is the only one valid where none is left.
    above_q <= state_q[StIn]
            && ((past_q && in != '0) || (Step == 2 && ends && !left_q[0] && in[Step-1]));
    if (state_q[StBegin] && get_q && pair_q) over_o <= 1'b0;
    else if (above_q) over_o <= 1'b1;
    large_q  <= {word_q[31:23] != '0, word_q[22:15] != '0};
    larger_q <= large_q != '0;
    if (state_q[StTell] || (written_q[3] && counted_q && number_q)) begin
      value_o <= number_q ? scalar_t'(index_q) : {1'b0, word_q[14:0] | {15{larger_q}}};
    end else if (state_q[StBegin] && byte_q) begin
      value_o <= scalar_t'(word_q[7:0]);
    end
    if (do_q) value_o <= '0;
  end
  assign small_o = !more_q;

  // A clear packet, waiting outside. An operation is under way from the datapath's first work on a
  // whole packet, until it is answered or gives way to wiping. Before that it is not known what
  // would have to be answered.
  logic clear_low_q, clear_high_q, offered_q, disarm_q, renew_q, lacks_q;
  always_ff @(posedge clk_i) begin
    clear_low_q  <= s_axis_tdata[15:0] == 16'(totient_pkg::CmdClear);
    clear_high_q <= s_axis_tdata[31:16] == '0;
    offered_q    <= s_axis_tvalid && s_axis_tlast && !s_axis_tready;
    abort_o      <= armed_q && offered_q && clear_low_q && clear_high_q;
    disarm_q     <= puts_q || state_q[StWipe] || stop_i;
    if (took_q) begin
      open_q  <= !took_last_q;
      ended_q <= took_last_q;
    end else if (work_i) begin
      armed_q <= ended_q;
    end
    if (took_q) armed_q <= 1'b0;
    if (disarm_q) begin
      ended_q <= 1'b0;
      armed_q <= 1'b0;
    end
    renew_q <= state_q[StBegin] && get_q && pair_q;
    lacks_q <= !open_q && (word_wanted || (state_q[StBegin] && ((number_q && !none_q)
                                                                || (get_q && !pair_q))));
    if (renew_q) short_o <= 1'b0;
    else if (lacks_q) short_o <= 1'b1;
    if (!rst_ni) begin
      open_q  <= 1'b0;
      ended_q <= 1'b0;
      armed_q <= 1'b0;
      abort_o <= 1'b0;
    end
  end

  // Checks. The copies of a word are compared before it is offered.
  logic [2:0] differs_q;
  logic [3:0] equal_q;
  logic [1:0] miscounted_q;
  logic       wrong_digit_q, wrong_word_q, astray_q;
  assign agree = equal_q == '1;
  always_ff @(posedge clk_i) begin
    differs_q    <= {data_i[Bits-1:12] != kept_q[Bits-1:12], data_i[11:6] != kept_q[11:6],
                     data_i[5:0] != kept_q[5:0]};
    miscounted_q <= {index_q[PageBits-1:6] != second_q[PageBits-1:6],
                     index_q[5:0] != second_q[5:0]};
    wrong_digit_q <= (written_q[Seen+1] && differs_q != '0)
                  || (state_q[StPause] && quiet && miscounted_q != '0);
    wrong_word_q  <= state_q[StSure] && !agree;
    astray_q      <= !(^state_q) || (state_q[StIdle] && written_q[0])
                  || ready_q != (state_q[StGet] || state_q[StWord] || state_q[StDrain]);
    fault_o       <= (wrong_digit_q && number_q) || wrong_word_q || astray_q || endless_q;
    for (int unsigned i = 0; i < 4; i++) equal_q[i] <= word_q[8*i+:8] == ~again_q[8*i+:8];
    if (state_q[StCheck]) offer_q[0] <= word_q;
    if (state_q[StSure]) offer_q[2:1] <= {again_q, word_q};
    if (!rst_ni) offer_q <= '0;
    if (!rst_ni || stop_i) begin
      wrong_digit_q <= 1'b0;
      wrong_word_q  <= 1'b0;
      astray_q      <= 1'b0;
      fault_o       <= 1'b0;
    end
  end

  // States.
  assign draws = state_q[StPause] && random_q && written_q[1:0] == '0 && !all_written;
  // `ends` of the next cycle: at a word's last step, the cycle before was one, too.
  always_ff @(posedge clk_i) begin
    more_words_q <= open_q && !zeros_q && !ends && left_q[LeftBits-2:Step-1] != '0;
  end
  assign next_word = state_q[StIn] && more_words_q && word_end;
  always_comb begin
    next            = '0;
    next[StBegin]   = state_q[StIdle] && do_own_q;
    next[StGet]     = (state_q[StBegin] && to_get_q)
                   || (state_q[StGet] && !s_axis_tvalid);
    next[StWord]    = (state_q[StBegin] && to_word_q)
                   || next_word
                   || (state_q[StWord] && !s_axis_tvalid);
    next[StFill]    = (state_q[StBegin] && puts_q)
                   || ((state_q[StGet] || state_q[StWord]) && s_axis_tvalid);
    next[StLook]    = state_q[StFill] && get_q;
    next[StWeigh]   = state_q[StLook];
    next[StTell]    = state_q[StWeigh];
    next[StByte]    = (state_q[StBegin] && byte_q)
                   || (state_q[StByte] && !byte_end);
    // Behind the number's last word come zeros, until all digits are written.
    next[StIn]      = (state_q[StBegin] && to_in_q)
                   || (state_q[StFill] && number_q)
                   || (state_q[StIn] && !(more_words_q && word_end) && !(zeros_q && all_written));
    next[StDrain]   = (state_q[StBegin] && to_drain_q)
                   || (state_q[StDrain] && !(s_axis_tvalid && s_axis_tlast));
    next[StAhead]   = (state_q[StBegin] && send_q)
                   || (state_q[StAhead] && !there);
    next[StOut]     = (state_q[StAhead] && there) || (state_q[StOut] && !word_end)
                   || (state_q[StOffer] && m_axis_tready && send_q && !past_q);
    next[StCheck]   = (state_q[StFill] && puts_q) || (state_q[StOut] && word_end);
    next[StSure]    = state_q[StCheck] || (state_q[StSure] && !agree);
    next[StOffer]   = (state_q[StSure] && agree) || (state_q[StOffer] && !m_axis_tready);
    next[StRandom]  = (state_q[StBegin] && random_q) || (state_q[StRandom] && !random_valid_i)
                   || draws;
    next[StDigit]   = state_q[StRandom] && random_valid_i;
    next[StPause]   = state_q[StDigit] || (state_q[StIn] && zeros_q && all_written)
                   || (state_q[StPause] && !draws && !quiet);
    next[StWipe]    = (state_q[StBegin] && wipe_q) || (state_q[StWipe] && !wiped);
    next[StIdle]    = (state_q[StIdle] && !do_own_q) || state_q[StTell]
                   || (state_q[StBegin] && to_idle_q)
                   || (state_q[StByte] && byte_end)
                   || (state_q[StDrain] && s_axis_tvalid && s_axis_tlast)
                   || (state_q[StOffer] && m_axis_tready && !(send_q && !past_q))
                   || (state_q[StPause] && quiet && !draws)
                   || (state_q[StWipe] && wiped);
  end

  always_ff @(posedge clk_i) begin
    state_q <= next;
    away_q  <= !(next[StGet] || next[StWord]);
    // Of the three states in which a word is taken one comes next.
    ready_q <= (state_q[StBegin] && to_take_q) || next_word
            || ((state_q[StGet] || state_q[StWord] || state_q[StDrain])
                && !(s_axis_tvalid && (!state_q[StDrain] || s_axis_tlast)));
    if (!rst_ni || stop_i) begin
      state_q         <= '0;
      state_q[StIdle] <= 1'b1;
      away_q          <= 1'b1;
      ready_q         <= 1'b0;
    end
    if (state_q[StIdle]) begin
      word_steps_q  <= '0;
      word_end      <= 1'b0;
      byte_end      <= 1'b0;
      digit_steps_q <= '0;
      digit_end     <= 1'b0;
      there         <= 1'b0;
      left_q        <= left_t'(first_q);
      digits_q      <= less_t'(second_q);
      past_q        <= 1'b0;
    end else begin
      if (shift) begin
        word_steps_q <= word_steps_q + WordBits'(1);
        word_end     <= word_steps_q == WordBits'(WordSteps - 2);
        byte_end     <= word_steps_q == WordBits'(ByteSteps - 2);
      end
      there <= state_q[StAhead] && digit_steps_q == DigitBits'(Ahead - 1);
      if (shift || state_q[StAhead]) begin
        digit_end     <= digit_steps_q == DigitBits'(DigitSteps - 2);
        digit_steps_q <= (digit_end || there) ? '0 : digit_steps_q + DigitBits'(1);
      end
      // One less, and a step ahead.
      if (state_q[StBegin] || shift) begin
        left_q <= left_q - (state_q[StBegin] ? left_t'(Step + 1) : left_t'(Step));
      end
      if (shift) past_q <= ends;
      if (state_q[StBegin] || decide) digits_q <= digits_q - less_t'(1);
    end
    if (state_q[StBegin]) zeros_q <= none_q || random_q;
    else if (state_q[StIn] && word_end && ends) zeros_q <= 1'b1;
    if (state_q[StBegin]) last_q <= pair_q && puts_q;
    else if (state_q[StOut] && word_end) last_q <= ends && pair_q;
  end
endmodule

`default_nettype wire
