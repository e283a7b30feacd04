// SPDX-License-Identifier: Apache-2.0
// Words of 32 bits to digits and back, `Step` bits a cycle: word and digit are one ring of bits,
// whichever of them is read. Bits go out below and come in above. With zeros for the word, the
// digit gets zeros.
//
// All of it is there twice, the word inverted the second time, and each copy is filled from
// registers of its own, so that no flipped bit is in both.
`default_nettype none

module engine_digit_ring
  import engine_packet_pkg::*;
#(
  parameter int unsigned Bits  = 18,  // of a digit, at least 16
  localparam int unsigned Step = (Bits % 2 == 0) ? 2 : 1
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */  // not all of it concerns the ring
  input  packet_op_t      op_i,
  input  state_t          state_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic            shift_i,         // the ring moves by `Step` bits
  input  logic            moves_i,         // the digit moves, is filled or set to 0
  input  logic            rests_again_i,   // its second copy does not
  input  logic            refill_i,        // the digit is one of the memory
  input  logic            zeros_i,         // no word is left: zeros instead
  input  logic            word_end_i,      // of the word, with this step
  // What the word is filled with: the packet's, the clock cycles, or the operation's arguments.
  input  logic            away_i,          // no word is waited for
  input  logic            s_axis_tready,   // one is taken
  input  logic [31:0]     s_axis_tdata,
  input  logic [31:0]     cycles_i,
  // What the digit is filled with: a random word's bits, or two copies of the memory.
  input  logic [Bits-1:0] random_i,
  input  logic [Bits-1:0] data_i,
  input  logic [Bits-1:0] again_i,
  output logic [31:0]     word_o,
  output logic [31:0]     word_again_o,    // inverted
  output logic [Bits-1:0] digit_o,
  output logic [Bits-1:0] digit_again_o,
  output logic [Step-1:0] in_o             // bits that go from the word to the digit
);
  logic [31:0]     word_q, again_q;
  logic [Bits-1:0] digit_q, digit_again_q;

  // Each of these is 0 unless it is wanted, and so is the word before.
  logic [31:0]     in_q, in_again_q, put_word_q, put_again_q, put_cycles_word_q;
  logic [Bits-1:0] random_word_q;
  always_ff @(posedge clk_i) begin
    in_q              <= away_i ? '0 : s_axis_tdata;
    in_again_q        <= s_axis_tready ? s_axis_tdata : '0;
    put_word_q        <= op_i.put ? {op_i.second, op_i.first} : '0;
    put_again_q       <= (op_i.put && state_i[StBegin]) ? {op_i.second, op_i.first} : '0;
    put_cycles_word_q <= op_i.put_cycles ? cycles_i : '0;
    random_word_q     <= state_i[StRandom] ? random_i : '0;
  end

  logic [Step-1:0] in, in_again, out, out_again;
  logic            clears, clear_q, clear_again_q;
  assign clears = (state_i[StBegin] && (op_i.get || op_i.number))
               || (state_i[StIn] && word_end_i);
  assign in        = zeros_i ? '0 : word_q[Step-1:0];
  assign in_again  = zeros_i ? '0 : ~again_q[Step-1:0];
  assign out       = state_i[StFill] ? '0 : digit_q[Step-1:0];
  assign out_again = state_i[StFill] ? '0 : digit_again_q[Step-1:0];
  always_ff @(posedge clk_i) begin
    if (shift_i || state_i[StFill]) begin
      word_q  <= {out, word_q[31:Step]} | in_q | put_word_q | put_cycles_word_q;
      again_q <= ~({out_again, ~again_q[31:Step]} | in_again_q | put_again_q | put_cycles_word_q);
    end
    if (moves_i) digit_q <= refill_i ? data_i : {in, digit_q[Bits-1:Step]} | random_word_q;
    if (!rests_again_i) begin
      digit_again_q <= refill_i ? again_i : {in_again, digit_again_q[Bits-1:Step]};
    end
    // In the cycle before it is filled. Each copy has a register of its own for that.
    clear_q       <= clears || !rst_ni || (state_i[StIdle] && op_i.starts_put);
    clear_again_q <= clears || !rst_ni || (state_i[StIdle] && op_i.starts && op_i.puts)
                  || state_i[StDrain];
    if (clear_q) word_q <= '0;
    if (clear_again_q) again_q <= '1;
    if (!rst_ni || state_i[StRandom]) begin
      digit_q       <= '0;
      digit_again_q <= '0;
    end
  end
  assign word_o        = word_q;
  assign word_again_o  = again_q;
  assign digit_o       = digit_q;
  assign digit_again_o = digit_again_q;
  assign in_o          = in;
endmodule

`default_nettype wire
