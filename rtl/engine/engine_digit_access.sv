// SPDX-License-Identifier: Apache-2.0
// The packet unit's access to the digit memory, digit after digit of a number or of a page:
//
//   address = 2^PlaceBits block + index
//
// A digit is written in the cycle of written_o[0]. Its address stays until it is read again, `Seen`
// cycles later. What is read then is compared with the second copy of what was written; at the end,
// the index with the number of digits.
`default_nettype none

module engine_digit_access
  import engine_packet_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Bits        = 18,  // of a digit, at least 16
  parameter int unsigned PlaceBits   = 7,   // of a word's place in a block
  parameter int unsigned AddressBits = 13,  // of the digit memory
  parameter int unsigned Seen        = 7,   // cycles from a write to the word read again
  localparam int unsigned PageBits   = PlaceBits + engine_instruction_pkg::PageBlockBits
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   stop_i,        // what is under way is given up
  /* verilator lint_off UNUSEDSIGNAL */  // not all of it concerns the memory
  input  packet_op_t             op_i,
  input  state_t                 state_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  block_t                 block_i,       // in which it begins
  input  logic                   decide_i,      // a digit is written in the next cycle
  input  logic                   next_digit_i,  // the one that was read is taken
  input  logic                   ahead_done_i,  // the first one that was read is there
  input  logic [Bits-1:0]        digit_again_i, // second copy of what is written
  // The memory.
  output logic                   write_o,
  output logic                   wipe_o,
  output logic                   read_o,        // the address of the next cycle is one to read
  output logic [AddressBits-1:0] address_o,
  input  logic [Bits-1:0]        data_i,        // four cycles after its address
  // What has been done.
  output logic [PageBits-1:0]    index_o,
  output logic [1:0]             written_o,     // a digit is written; it was a cycle ago
  output logic                   moved_on_o,    // two cycles later: the index has moved on
  output logic                   writes_done_o, // nothing is being written or read again
  output logic                   wipe_done_o,   // all of the page but the word of this cycle
  output logic                   wrong_o        // a digit or the number of digits
);
  logic                wipes_q;
  logic [PageBits-1:0] index_q;
  logic [Seen+1:0]     written_q;  // written_q[i]: i cycles after a write
  // Only for what writes, so that no flipped bit changes a number that was read again before, or
  // one that is being sent.
  assign wipe_o  = wipes_q && op_i.wipe;
  assign write_o = (written_q[0] && (op_i.number || op_i.random)) || wipe_o;
  always_ff @(posedge clk_i) begin
    wipes_q   <= state_i[StWipe];
    read_o    <= written_q[1] || (op_i.send && (op_i.starts || !state_i[StIdle]));
    address_o <= (AddressBits'(block_i) << PlaceBits) | AddressBits'(index_q);
    if (written_q[2] || state_i[StWipe] || next_digit_i || ahead_done_i) begin
      index_q <= index_q + PageBits'(1);
    end
    if (state_i[StIdle]) index_q <= '0;
    written_q     <= {written_q[Seen:0], decide_i};
    writes_done_o <= written_q[Seen:0] == '0 && !decide_i;  // written_q is 0
    wipe_done_o   <= state_i[StWipe] && index_q == ~PageBits'(1);
    if (!rst_ni || stop_i) begin
      written_q   <= '0;
      wipe_done_o <= 1'b0;
    end
    if (!rst_ni) wipes_q <= 1'b0;
  end
  assign index_o    = index_q;
  assign written_o  = written_q[1:0];
  assign moved_on_o = written_q[3];

  logic [Bits-1:0] kept_q;
  logic [2:0]      differs_q;     // by parts of a digit
  logic [1:0]      miscounted_q;  // by parts of the index
  always_ff @(posedge clk_i) begin
    if (written_q[0]) kept_q <= digit_again_i;
    if (!rst_ni) kept_q <= '0;
    differs_q    <= {data_i[Bits-1:12] != kept_q[Bits-1:12], data_i[11:6] != kept_q[11:6],
                     data_i[5:0] != kept_q[5:0]};
    miscounted_q <= {index_q[PageBits-1:6] != op_i.second[PageBits-1:6],
                     index_q[5:0] != op_i.second[5:0]};
    wrong_o      <= (written_q[Seen+1] && differs_q != '0)
                 || (state_i[StPause] && writes_done_o && miscounted_q != '0);
    if (!rst_ni || stop_i) wrong_o <= 1'b0;
  end
endmodule

`default_nettype wire
