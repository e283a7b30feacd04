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
//   DoesRandom  `first_i` random digits from `address_i` on
//   DoesWipe    zeros in the page that begins at `address_i`, and in the window unit
//
// Against a flipped bit: words and digits are kept twice, the word inverted the second time; what
// has been written is read again and compared; what is sent comes from two copies of the memory,
// and no word is offered whose two copies differ. `fault_o` tells of all that.
//
// Cycles, with everybody outside ready: DoesNumber 17 for each word, 9 for a digit of zeros behind
// them (Bits 18); DoesSend 17 a word; DoesRandom 6 a digit; DoesWipe one a word of memory.
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
  // What is to be done; the arguments stay until `busy_o` has fallen.
  input  logic    do_i,
  input  does_e   does_i,
  input  logic    pair_i,
  input  scalar_t first_i,
  input  scalar_t second_i,
  input  logic [AddressBits-1:0] address_i,
  output logic    busy_o,
  output logic    outside_o,   // it waits for somebody outside
  output scalar_t value_o,
  output logic    even_o,      // of the last number
  output logic    small_o,     // the last number is 0 or 1
  output logic    loose_o,     // the last number's highest bit is 0
  output logic    over_o,      // a number of this packet has bits set above its length
  output logic    open_o,      // the packet has not ended
  output logic    short_o,     // more was wanted than the packet had
  output logic    abort_o,     // a clear packet waits while an operation is under way
  output logic    random_o,    // it waits for a random word
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
  output logic                   read_o,
  output logic [AddressBits-1:0] address_o,
  output logic [Bits-1:0]        data_o,
  input  logic [Bits-1:0]        data_i,
  input  logic [Bits-1:0]        again_i
);
  localparam int unsigned Step       = (Bits % 2 == 0) ? 2 : 1;
  localparam int unsigned WordSteps  = 32 / Step;
  localparam int unsigned DigitSteps = Bits / Step;
  localparam int unsigned ByteSteps  = 8 / Step;
  localparam int unsigned Ahead      = 5;   // cycles from a word's index to its digit
  localparam int unsigned Seen       = 6;   // cycles from a write to the word read again
  localparam int unsigned PageBits   = PlaceBits + PageBlockBits;
  localparam int unsigned LeftBits   = 14;  // of a number's length, with a sign
  `TOTIENT_REQUIRE(Digit, Bits >= 16 && DigitSteps > Seen + 1,
                   "a digit takes longer than to read it again")
  typedef logic [LeftBits-1:0] left_t;

  typedef enum logic [3:0] {
    StIdle, StGet, StByte, StWord, StIn, StDrain, StAhead, StOut, StOffer, StRandom, StPause, StWipe
  } state_e;
  state_e              state_q;
  logic [31:0]         word_q, again_q, source, cycles_q;
  logic [Bits-1:0]     digit_q, digit_again_q, kept_q;
  logic [Step-1:0]     in, in_again;
  logic [5:0]          word_steps_q;     // done of the word
  logic [4:0]          digit_steps_q;    // done of the digit
  left_t               left_q, left;     // bits to come, less one; and after this step
  less_t               digits_q;         // to be written, less one
  logic [PageBits-1:0] index_q;
  logic [Seen:0]       written_q;        // written_q[i]: i cycles after a write
  logic                zeros_q, counts_q, open_q, ended_q, armed_q, last_q;
  logic                in_take, shift, word_end, digit_end, past, ends, put, decide, agree;
  logic                all_written;

  assign busy_o    = state_q != StIdle || written_q != '0;
  assign outside_o = state_q == StGet || state_q == StWord || state_q == StDrain
                  || state_q == StOffer;
  assign open_o    = open_q;
  assign in_take   = s_axis_tvalid && s_axis_tready;
  assign s_axis_tready = (state_q == StGet && (open_q || pair_i))
                      || ((state_q == StWord || state_q == StDrain) && open_q);
  assign random_o       = state_q == StRandom;
  assign random_ready_o = state_q == StRandom;
  assign abort_o = armed_q && s_axis_tvalid && s_axis_tlast
                && s_axis_tdata == 32'(totient_pkg::CmdClear);
  assign agree       = word_q == ~again_q;
  assign m_axis_tvalid = state_q == StOffer && agree;
  assign m_axis_tdata  = word_q;
  assign m_axis_tlast  = last_q;

  assign shift     = state_q == StIn || state_q == StOut || state_q == StByte;
  assign word_end  = word_steps_q == 6'(WordSteps - 1);
  assign digit_end = digit_steps_q == 5'(DigitSteps - 1);
  assign left        = left_q - left_t'(Step);
  assign past        = left_q[LeftBits-1];
  assign ends        = left[LeftBits-1];  // the number, with this step
  assign all_written = digits_q[CountBits];
  assign put       = state_q == StIdle && (does_i == DoesPut || does_i == DoesPutCycles);
  assign source    = (state_q != StIdle) ? s_axis_tdata
                   : (does_i == DoesPut) ? {second_i, first_i} : cycles_q;
  assign in        = zeros_q ? '0 : word_q[Step-1:0];
  assign in_again  = zeros_q ? '0 : ~again_q[Step-1:0];

  // Word and digit are one ring of bits, whichever of them is read.
  always_ff @(posedge clk_i) begin
    if (put || in_take) begin
      word_q  <= source;
      again_q <= ~source;
    end else if (shift) begin
      word_q  <= {digit_q[Step-1:0], word_q[31:Step]};
      again_q <= {~digit_again_q[Step-1:0], again_q[31:Step]};
    end
    if (state_q == StAhead || (state_q == StOut && digit_end)) begin
      digit_q       <= data_i;
      digit_again_q <= again_i;
    end else if (state_q == StRandom) begin
      digit_q       <= random_i;
    end else if (shift) begin
      digit_q       <= {in, digit_q[Bits-1:Step]};
      digit_again_q <= {in_again, digit_again_q[Bits-1:Step]};
    end
    if (written_q[0]) kept_q <= digit_again_q;
    if (!rst_ni) begin
      word_q        <= '0;
      again_q       <= '1;
      digit_q       <= '0;
      digit_again_q <= '0;
      kept_q        <= '0;
    end
  end

  // The memory. A word is written in the cycle of written_q[0], and its address stays until it is
  // read again.
  assign write_o   = written_q[0] || state_q == StWipe;
  assign wipe_o    = state_q == StWipe;
  assign read_o    = written_q[2] || state_q == StAhead || state_q == StOut || state_q == StOffer;
  assign address_o = address_i | AddressBits'(index_q);
  assign data_o    = digit_q;
  assign decide    = (state_q == StIn && digit_end && !all_written)
                  || (state_q == StRandom && random_valid_i);

  // What is known of a number: which parts of a digit are not 0. When the index has moved on, it
  // says how many digits there are so far, and with the next digit where two bits are not spare.
  logic [3:0] nonzero_q;
  logic       low_q, more_q, counted_q, full_q;
  always_ff @(posedge clk_i) begin
    low_q     <= digit_q[0];
    nonzero_q <= {|digit_q[Bits-1:Bits-2], |digit_q[Bits-3:11], |digit_q[10:6], |digit_q[5:1]};
    if (state_q == StIdle) full_q <= 1'b0;
    else if (written_q[1]) full_q <= nonzero_q[3];
    if (written_q[1]) counted_q <= low_q || nonzero_q != '0 || full_q;
    if (state_q == StIdle && do_i && does_i == DoesNumber) begin
      more_q  <= 1'b0;
      even_o  <= 1'b1;
      loose_o <= 1'b1;
    end else begin
      if (written_q[1]) begin
        if (nonzero_q != '0 || (low_q && index_q != '0)) more_q <= 1'b1;
        if (index_q == '0) even_o <= !low_q;
      end
      if (state_q == StIn && ends && !past) loose_o <= !in[left_q[0] ? Step - 1 : 0];
    end
    // A bit above the length; the highest bit within it is the only one valid where none is left.
    if (state_q == StIdle && do_i && does_i == DoesGet && pair_i) over_o <= 1'b0;
    else if (state_q == StIn
             && ((past && in != '0) || (Step == 2 && ends && !left_q[0] && in[Step-1])))
      over_o <= 1'b1;
    if (state_q == StIdle && do_i) value_o <= (does_i == DoesByte) ? scalar_t'(word_q[7:0]) : '0;
    else if (state_q == StGet)
      value_o <= (source[31:15] != '0) ? scalar_t'(32767) : scalar_t'(source[15:0]);
    else if (written_q[3] && counted_q && does_i == DoesNumber) value_o <= scalar_t'(index_q);
  end
  assign small_o = !more_q;

  always_ff @(posedge clk_i) begin
    written_q <= {written_q[Seen-1:0], decide};
    fault_o   <= (written_q[Seen] && does_i == DoesNumber && data_i != kept_q)
              || (state_q == StPause && written_q == '0 && does_i == DoesNumber
                  && index_q != PageBits'(second_i))
              || (state_q == StOffer && !agree);
    // An operation is under way from the datapath's first work on a whole packet, until it is
    // answered or gives way to wiping. Before that it is not known what would have to be answered.
    if (in_take) begin
      open_q  <= !s_axis_tlast;
      ended_q <= s_axis_tlast;
      armed_q <= 1'b0;
    end else if ((do_i && put) || stop_i || state_q == StWipe) begin
      ended_q <= 1'b0;
      armed_q <= 1'b0;
    end else if (work_i) begin
      armed_q <= ended_q;
    end
    if (in_take && s_axis_tlast) begin
      counts_q <= 1'b1;
      cycles_q <= 32'd1;
    end else if (counts_q) begin
      counts_q <= !(do_i && does_i == DoesHold);
      cycles_q <= cycles_q + 32'd1;
    end
    if (state_q == StIdle && do_i && does_i == DoesGet && pair_i) short_o <= 1'b0;
    else if ((state_q == StGet || state_q == StWord) && !s_axis_tready) short_o <= 1'b1;

    if (shift) begin
      word_steps_q  <= word_end ? '0 : word_steps_q + 6'd1;
      digit_steps_q <= digit_end ? '0 : digit_steps_q + 5'd1;
      left_q        <= left;
    end
    if (decide) digits_q <= digits_q - less_t'(1);
    if (written_q[2]) index_q <= index_q + PageBits'(1);

    unique case (state_q)
      StIdle: begin
        index_q       <= '0;
        word_steps_q  <= '0;
        digit_steps_q <= '0;
        if (do_i) begin
          left_q   <= left_t'(first_i) - left_t'(1);
          digits_q <= less(count_t'((does_i == DoesRandom) ? first_i : second_i));
          zeros_q  <= first_i == '0;
          last_q   <= pair_i && does_i != DoesSend;
          unique case (does_i)
            DoesGet:       state_q <= StGet;
            DoesByte:      state_q <= StByte;
            DoesNumber:    state_q <= (first_i == '0) ? StIn : StWord;
            DoesDrain:     state_q <= StDrain;
            DoesPut,
            DoesPutCycles: state_q <= StOffer;
            DoesSend:      state_q <= StAhead;
            DoesRandom:    state_q <= StRandom;
            DoesWipe:      state_q <= StWipe;
            default:       state_q <= StIdle;
          endcase
        end
      end
      StGet:  if (in_take || !s_axis_tready) state_q <= StIdle;
      StByte: if (word_steps_q == 6'(ByteSteps - 1)) state_q <= StIdle;
      StWord: if (in_take || !s_axis_tready) state_q <= StIn;
      StIn: begin
        // Behind the number's last word come zeros, until all digits are written.
        if (word_end && !zeros_q) begin
          if (ends) zeros_q <= 1'b1;
          else state_q <= StWord;
        end
        if (zeros_q && all_written) state_q <= StPause;
      end
      StDrain: if (!open_q) state_q <= StIdle;
      StAhead: begin
        digit_steps_q <= digit_steps_q + 5'd1;
        if (digit_steps_q == 5'(Ahead)) begin
          digit_steps_q <= '0;
          index_q       <= PageBits'(1);
          state_q       <= StOut;
        end
      end
      StOut: begin
        if (digit_end) index_q <= index_q + PageBits'(1);
        if (word_end) begin
          last_q  <= ends && pair_i;
          state_q <= StOffer;
        end
      end
      StOffer: if (m_axis_tready && agree) begin
        state_q <= (does_i == DoesSend && !past) ? StOut : StIdle;
      end
      StRandom: if (random_valid_i) state_q <= StPause;
      StPause: begin
        if (does_i == DoesRandom && written_q[3:0] == '0 && !all_written) state_q <= StRandom;
        else if (written_q == '0) state_q <= StIdle;
      end
      StWipe: begin
        index_q <= index_q + PageBits'(1);
        if (index_q == '1) state_q <= StIdle;
      end
      default: state_q <= StIdle;
    endcase
    if (!rst_ni || stop_i) begin
      state_q   <= StIdle;
      written_q <= '0;
    end
    if (!rst_ni) begin
      open_q   <= 1'b0;
      ended_q  <= 1'b0;
      armed_q  <= 1'b0;
      counts_q <= 1'b0;
      cycles_q <= '0;
    end
  end
endmodule

`default_nettype wire
