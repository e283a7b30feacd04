// SPDX-License-Identifier: Apache-2.0
// Words of 32 bits between the packets of the stream contract and the digit memory, half a word
// per cycle; random digits; wiping. Requests (unit_op_e, from UnitGet on):
//
//   UnitGet     the next word of the packet, of a new one with `pair`: `value`, at most 32767
//   UnitByte    `value`: the next byte of that word, from the lowest one on
//   UnitNumber  a number of `first` bits to `second` digits from `block` on; `value`: how many
//               digits hold it with two bits to spare
//   UnitDigest  a number of `first` bits is read from `block` on, for the digest. With `pair`, the
//               digest must be that of the packet's last number, and `second` digits hold it,
//               but for the highest bits of the last one
//   UnitDrain   the rest of the packet
//   UnitPut     the word {second, first} is sent, the last one of a packet with `pair`
//   UnitPutCycles  the same of the clock cycles from the request's last word to UnitStopTimer
//   UnitSend    ceil(first / 32) words of the result, from its even or odd block on; with `pair`
//               the last one ends the packet, and the digest must be that of UnitDigest
//   UnitRandom  `second` random digits from `block` on
//   UnitWipe    zeros in the page that begins at `block`, and in the window unit; with `pair` in
//               the pool, too
//
// Against a flipped bit: a number that is read comes from two copies of the memory, each with its
// own address and index. They are compared before a half of a word leaves. While a number is sent,
// its block is a constant. What comes in is read again by UnitDigest. What is sent has the digest
// that UnitDigest found. Exactly one bit of the state is set. No packet begins within another one.
// No request takes 2^31 cycles. `fault` reports all that. What is offered is the majority of three
// copies.
//
// Cycles without back-pressure: UnitNumber 2 a word, Bits / 16 for each digit of zeros behind them;
// UnitDigest and UnitSend 2 a word; UnitRandom Bits / 16 a digit; UnitWipe one a word of memory.
`include "totient_assert.svh"
`default_nettype none

module engine_packet_io
  import engine_packet_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Bits        = 18,  // of a digit: 17 or 18
  parameter int unsigned PlaceBits   = 7,   // of a word's place in a block
  parameter int unsigned AddressBits = 13,  // of the digit memory
  parameter int unsigned Result      = 18,  // block that is sent, even
  parameter int unsigned Form        = registered_pkg::RegisteredInferred
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [2:0]      watch_rst_ni,  // the same from three registers
  // The control unit.
  input  logic            work_i,     // the datapath has work
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
  input  logic        random_valid_i,
  output logic        random_ready_o,
  input  logic [31:0] random_i,
  // The digit memory: writes, and reads from two copies. A digit comes four cycles after its
  // address.
  output logic                        write_o,
  output logic                        wipe_o,
  output logic [AddressBits-1:0]      address_o,
  output logic [Bits-1:0]             data_o,
  output logic [1:0]                  read_o,          // in the next cycle there is an address
  output logic [1:0][AddressBits-1:0] read_address_o,
  input  logic [Bits-1:0]             data_i,
  input  logic [Bits-1:0]             again_i
);
  localparam int unsigned PageBits = PlaceBits + engine_instruction_pkg::PageBlockBits;
  localparam int unsigned TickBits = 3;
  `TOTIENT_REQUIRE(Digit, Bits == 17 || Bits == 18, "a digit has 17 or 18 bits")

  state_t               state_q, next;
  left_t                left_q;         // bits less one; above the lowest 5, words to come less one
  count_minus_one_t     digits_q;       // to be made, less one
  logic [TickBits-1:0]  ticks_q;        // of StPause and StSure
  logic                 ready_q, halt_q, halts, astray_q, fault_q, no_more, idle;
  logic                 ticked_q, fails_q, digits_done;
  logic                 digits_one_q, digits_two_q;
  logic                 kept_q;         // the next half makes no digit
  logic                 wrong_copy, wrong_digest, endless, wipe_done, word_done, out_done, pop;
  assign idle    = state_q[StIdle];
  assign no_more = left_q[LeftBits-1];

  // The request and its packet.
  packet_op_t    op;
  packet_entry_t entry;
  logic          is_open, is_short, unanswered, clear_waits, took, took_last, wants_q;
  logic [31:0]   cycles;
  assign s_axis_tready = ready_q;
  engine_packet_decoder u_decoder (
    .clk_i, .rst_ni, .request_i, .open_i(is_open), .op_o(op), .entry_o(entry)
  );
  engine_packet_watch u_watch (
    .clk_i, .rst_ni, .open_rst_ni(watch_rst_ni), .stop_i(request_i.stop), .work_i,
    .late_i(cycles[20]), .op_i(op),
    .state_i(state_q), .word_wanted_i(wants_q), .s_axis_tvalid, .s_axis_tready, .s_axis_tdata,
    .s_axis_tlast, .answered_i(m_axis_tvalid && m_axis_tready && m_axis_tlast),
    .open_o(is_open), .unanswered_o(unanswered), .short_o(is_short), .clear_waits_o(clear_waits),
    .took_o(took), .took_last_o(took_last)
  );
  engine_packet_timer u_timer (
    .clk_i, .rst_ni, .stop_i(request_i.stop), .op_i(op), .state_i(state_q),
    .took_last_i(took_last), .cycles_o(cycles), .endless_o(endless)
  );

  // Halves that come in: of a word in the two cycles after it was taken, then zeros; or random
  // ones, which come three cycles after they are drawn.
  logic [31:0] word_q;
  logic        low_q, high_q, end_q, zeros_q, draws_q, draw, some_random, words_end_q, repeats;
  logic [2:0]  drawn_q, wanted_q;
  half_t       half_q, random, random_q;
  logic        given_q, half_valid_q, half_wanted_q, half_high_q, half_end_q;
  assign draw = draws_q && some_random && !digits_done;
  always_ff @(posedge clk_i) begin
    if (ready_q) word_q <= s_axis_tdata;
    if (op.random || state_q[StPause]) word_q <= '0;  // UnitByte reads no number's word
    low_q   <= ready_q && s_axis_tvalid && state_q[StIn] && op.number;
    high_q  <= low_q;
    end_q   <= low_q && (took_last || no_more);
    wants_q <= low_q && !no_more;
    if (low_q) words_end_q <= no_more;
    if (state_q[StBegin]) zeros_q <= op.number && (op.no_bits || !is_open);
    else if (end_q) zeros_q <= 1'b1;
    draws_q  <= next[StIn] && op.random && !request_i.stop;
    drawn_q  <= {drawn_q[1:0], draw};
    wanted_q <= {wanted_q[1:0], draw && !kept_q};
    random_q <= drawn_q[1] ? random : '0;
    given_q       <= low_q || high_q || zeros_q;
    half_valid_q  <= low_q || high_q || zeros_q || drawn_q[2];
    half_wanted_q <= wanted_q[2];
    half_high_q   <= high_q;
    half_end_q    <= (low_q && no_more) || (high_q && words_end_q);
    half_q        <= random_q | (high_q ? word_q[31:16] : word_q[15:0]);
    if (!(low_q || high_q || drawn_q[2])) half_q <= '0;
    if (idle || !rst_ni) begin
      {low_q, high_q, end_q, zeros_q, draws_q, drawn_q, wanted_q, given_q, half_valid_q} <= '0;
    end
  end

  // Digits are counted: of random ones when a half is drawn, of a packet's number when it is there,
  // of a number that is read when it has left. The first one of N halves makes no digit.
  localparam int unsigned TurnBits = $clog2(Bits / (Bits - HalfBits));  // N - 1 is a power of two
  logic [TurnBits-1:0] turn_q;
  logic                popped, turns;
  assign digits_done = digits_q[$bits(digits_q)-1];
  assign turns       = draw || given_q || popped;
  always_ff @(posedge clk_i) begin
    if (turns) begin
      turn_q <= turn_q[TurnBits-1] ? '0 : turn_q + 1'b1;
      kept_q <= turn_q[TurnBits-1];
    end
    if (idle || !rst_ni) begin
      turn_q <= '0;
      kept_q <= 1'b1;
    end
  end
  logic fills_q;  // from the first packet after a wipe, until words repeat
  logic wipes_pool;
  assign wipes_pool = state_q[StWipe] && op.pair;
  always_ff @(posedge clk_i) begin
    if (took) fills_q <= 1'b1;
    if (wipes_pool || repeats || !rst_ni) fills_q <= 1'b0;
  end
  engine_random_pool #(.Form(Form)) u_pool (
    .clk_i, .rst_ni, .fill_i(fills_q), .wipe_i(wipes_pool), .random_valid_i, .random_ready_o,
    .random_i, .some_o(some_random), .draw_i(draw), .half_o(random), .failed_o(repeats)
  );
  logic soon;
  engine_halves_in #(.Bits(Bits)) u_in (
    .clk_i, .clear_i(idle), .valid_i(half_valid_q),
    .digit_i(half_wanted_q || (given_q && !kept_q && !digits_done)), .half_i(half_q),
    .soon_o(soon), .digit_o(data_o)
  );

  // The memory, and halves that go out.
  logic                written, first, step, tag, half_valid, next_some, some, pairs, word_astray;
  logic [PageBits-1:0] count;
  logic [Bits-1:0]     read;
  half_t               half_out, queued, low_half;
  logic                room, last_q;  // the number's last word leaves
  always_ff @(posedge clk_i) last_q <= no_more && (digits_done || !(op.digest && op.pair));
  engine_digit_access #(
    .Bits(Bits), .PlaceBits(PlaceBits), .AddressBits(AddressBits), .Result(Result)
  ) u_access (
    .clk_i, .rst_ni, .stop_i(request_i.stop), .op_i(op), .state_i(state_q),
    .block_i(request_i.block), .soon_i(soon), .go_i(state_q[StOut] && room), .write_o, .wipe_o,
    .address_o, .read_o, .read_address_o, .data_i, .again_i, .first_o(first), .count_o(count),
    .written_o(written), .step_o(step), .tag_o(tag), .digit_o(read), .wipe_done_o(wipe_done),
    .wrong_o(wrong_copy)
  );
  engine_halves_out #(.Bits(Bits)) u_out (
    .clk_i, .clear_i(idle || state_q[StWipe]), .valid_i(tag), .digit_i(read),
    .valid_o(half_valid), .half_o(half_out)
  );
  engine_half_queue u_queue (
    .clk_i, .rst_ni, .clear_i(idle), .wipe_i(state_q[StWipe]), .step_i(step), .go_o(room),
    .write_i(half_valid), .half_i(half_out), .soon_o(next_some),
    .some_o(some), .pop_i(pop), .popped_o(popped), .half_o(queued)
  );
  engine_word_offer u_offer (
    .clk_i, .rst_ni, .stop_i(request_i.stop), .op_i(op), .state_i(state_q),
    .run_i(next[StOut] && !halts),
    .soon_i(next_some), .some_i(some), .half_i(queued), .last_i(last_q), .pop_o(pop),
    .pair_o(pairs), .low_o(low_half),
    .done_o(out_done), .cycles_i(cycles), .m_axis_tvalid, .m_axis_tready, .m_axis_tdata,
    .m_axis_tlast, .astray_o(word_astray)
  );
  // The digest: of words that come in, then of those that are read with `pair`; or of the result,
  // then of what is sent.
  logic differs, sent_q, tail_q, keeps_q, clears_q;
  always_ff @(posedge clk_i) begin
    clears_q <= request_i.stop || !rst_ni || (state_q[StBegin] && op.get && op.pair)
             || (state_q[StSure] && ticked_q && op.pair);
    keeps_q  <= state_q[StBegin] && ((op.digest && op.pair) || (op.send && !sent_q));
    if (clears_q) sent_q <= 1'b0;
    else if (state_q[StBegin] && op.send) sent_q <= 1'b1;
  end
  engine_packet_digest u_digest (
    .clk_i, .clear_i(clears_q), .keep_i(keeps_q), .s_axis_tready, .s_axis_tdata, .took_i(low_q),
    .read_i(pairs && !tail_q), .low_i(low_half), .high_i(queued), .differs_o(differs)
  );
  // Behind the words, digits that are read with `pair` must be 0. The last half that is looked at
  // completes the last digit but one.
  logic [3:0] tail_wrong_q;
  logic       wrong_tail;
  assign wrong_tail = tail_wrong_q != '0 && !digits_done;
  always_ff @(posedge clk_i) begin
    if (pairs && no_more) tail_q <= 1'b1;
    for (int unsigned i = 0; i < 4; i++) begin
      tail_wrong_q[i] <= tail_q && pop && queued[4*i+:4] != '0;
    end
    if (idle) begin
      tail_q       <= 1'b0;
      tail_wrong_q <= '0;
    end
  end

  // Status.
  scalar_t value;
  logic    is_even, is_small, msb_clear, length_exceeded;
  engine_number_status #(.Bits(Bits), .IndexBits(PageBits)) u_number (
    .clk_i, .op_i(op), .state_i(state_q), .word_i(word_q), .end_i(half_end_q),
    .high_i(half_high_q), .half_i(half_q), .top_i(left_q[4:0]), .written_i(written),
    .first_i(first), .digit_i(data_o), .count_i(count), .value_o(value), .even_o(is_even),
    .small_o(is_small), .msb_clear_o(msb_clear), .length_exceeded_o(length_exceeded)
  );
  assign wrong_digest = state_q[StSure] && ticked_q && fails_q;
  assign halts        = halt_q || wrong_copy || astray_q;
  always_ff @(posedge clk_i) begin
    astray_q <= !(^state_q) || (idle && written)
             || (state_q[StBegin] && op.get && op.pair && is_open)
             || (ready_q && !(state_q[StGet] || state_q[StIn] || state_q[StDrain]))
             || word_astray;
    fault_q  <= wrong_copy || wrong_digest || (wrong_tail && !is_short) || astray_q || endless;
    halt_q   <= halts || wrong_digest;
    if (!rst_ni || request_i.stop) begin
      astray_q <= 1'b0;
      fault_q  <= 1'b0;
      halt_q   <= 1'b0;
    end
  end
  assign status_o = '{
    busy:            op.starts || !idle,
    outside:         ready_q || m_axis_tvalid,
    random:          op.random && !idle,
    random_repeats:  op.random && !idle && repeats,
    clear_waits:     clear_waits,
    fault:           fault_q,
    value:           value,
    is_even:         is_even,
    is_small:        is_small,
    msb_clear:       msb_clear,
    length_exceeded: length_exceeded,
    is_open:         is_open,
    is_short:        is_short,
    unanswered:      unanswered
  };

  // States.
  assign word_done = s_axis_tvalid && (!state_q[StDrain] || s_axis_tlast);
  always_comb begin
    next          = '0;
    next[StBegin] = idle && op.starts_own;
    next[StGet]   = (state_q[StBegin] && entry.get) || (state_q[StGet] && !s_axis_tvalid);
    next[StLook]  = state_q[StGet] && s_axis_tvalid;
    next[StTell]  = state_q[StLook] || (state_q[StBegin] && op.next_byte)
                 || (state_q[StDrain] && word_done) || (state_q[StPause] && ticked_q)
                 || (state_q[StSure] && ticked_q && !fails_q && !op.send)
                 || (state_q[StOffer] && m_axis_tready) || (state_q[StWipe] && wipe_done);
    next[StDrain] = (state_q[StBegin] && entry.drain) || (state_q[StDrain] && !word_done);
    next[StIn]    = (state_q[StBegin] && (op.number || op.random))
                 || (state_q[StIn] && !(digits_done && (zeros_q || op.random)));
    next[StPause] = (state_q[StIn] && digits_done && (zeros_q || op.random))
                 || (state_q[StPause] && !ticked_q);
    next[StOut]   = (state_q[StBegin] && entry.out) || (state_q[StOut] && !out_done);
    next[StSure]  = (state_q[StOut] && out_done && (op.pair || !op.send))
                 || (state_q[StSure] && (!ticked_q || fails_q));
    next[StPut]   = (state_q[StBegin] && op.puts)
                 || (state_q[StSure] && ticked_q && !fails_q && op.send);
    next[StOffer] = state_q[StPut] || (state_q[StOut] && out_done && !op.pair && op.send)
                 || (state_q[StOffer] && !m_axis_tready);
    next[StWipe]  = (state_q[StBegin] && op.wipe) || (state_q[StWipe] && !wipe_done);
    next[StIdle]  = (idle && !op.starts_own) || state_q[StTell]
                 || (state_q[StBegin] && entry.idle);
  end

  // A word was taken a cycle ago, or the high half of one leaves. Words that come are not counted
  // by `low_q`: a flipped bit there would take one twice, and the digest would agree.
  logic counted_q, counts_word;
  assign counts_word = counted_q || pairs;
  always_ff @(posedge clk_i) begin
    state_q   <= next;
    counted_q <= ready_q && s_axis_tvalid && state_q[StIn] && rst_ni;
    ready_q   <= (state_q[StBegin] && entry.take)
              || (state_q[StIn] && low_q && !took_last && !no_more)
              || (ready_q && !word_done);
    ticks_q  <= (state_q[StPause] || state_q[StSure]) ? ticks_q + 1'b1 : '0;
    ticked_q <= ticks_q == TickBits'((1 << TickBits) - 2);
    // A number of a packet that has ended early is refused, whatever its digest.
    fails_q  <= differs && op.pair && !(is_short && op.digest);
    if (!rst_ni || request_i.stop) begin
      state_q         <= '0;
      state_q[StIdle] <= 1'b1;
      ready_q         <= 1'b0;
    end
    digits_one_q <= !(idle && op.digest);
    digits_two_q <= idle && op.digest;
    if (idle) left_q <= left_t'(op.first);
    else if (state_q[StBegin] || counts_word) begin
      // At the begin one word less: the last one is known while it is counted.
      left_q <= left_q - left_t'({1'b1, 4'b0, state_q[StBegin]});
    end
    if (idle) digits_q <= count_minus_one_t'(op.second);
    else if (state_q[StBegin] || (turns && !kept_q && !digits_done)) begin
      digits_q <= digits_q - count_minus_one_t'({digits_two_q, digits_one_q});
    end
  end
endmodule

`default_nettype wire
