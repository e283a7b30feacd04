// SPDX-License-Identifier: Apache-2.0
// The packet unit's access to the digit memory, one digit per cycle:
//
//   write, wipe   address = 2^PlaceBits block + index
//   read          both copies, each with its own address (engine_digit_fetch.sv)
//
// The digits of both copies are compared. `wrong_o` comes before the half of a word that the digit
// is in can leave.
//
// Timing: `go_i` in cycle 0, `tag_o` and the digit in cycle 7, `wrong_o` in cycle 9.
`default_nettype none

module engine_digit_access
  import engine_packet_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Bits        = 18,  // of a digit, at least 16
  parameter int unsigned PlaceBits   = 7,   // of a word's place in a block
  parameter int unsigned AddressBits = 13,  // of the digit memory
  parameter int unsigned Result      = 18,  // block that is sent, even
  localparam int unsigned PageBits   = PlaceBits + engine_instruction_pkg::PageBlockBits
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   stop_i,     // the operation in progress is given up
  /* verilator lint_off UNUSEDSIGNAL */  // not all of it concerns the memory
  input  packet_op_t             op_i,
  input  state_t                 state_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  block_t                 block_i,    // in which it begins
  input  logic                   soon_i,     // a digit is written in the next cycle
  input  logic                   go_i,       // the next step of a fetch
  // The memory.
  output logic                   write_o,
  output logic                   wipe_o,
  output logic [AddressBits-1:0] address_o,
  output logic [1:0]                  read_o,          // of each copy: in the next cycle there is
  output logic [1:0][AddressBits-1:0] read_address_o,  // an address to read
  input  logic [Bits-1:0]        data_i,     // four cycles after its address
  input  logic [Bits-1:0]        again_i,    // the same from the other copy
  // What has been done.
  output logic                   first_o,    // with `written_o`: the number's first digit
  output logic [PageBits-1:0]    count_o,    // digits written, a cycle ago
  output logic                   written_o,
  output logic                   step_o,     // of the fetch
  output logic                   tag_o,      // of a step with its digit
  output logic [Bits-1:0]        digit_o,
  output logic                   wipe_done_o,  // the whole page but the word of this cycle
  output logic                   wrong_o     // the copies differ
);
  logic                wipes_q, write_q, first_q;
  logic [PageBits-1:0] index_q, count_q;
  // Only for what writes, so that no flipped bit changes a number that is read.
  assign wipe_o  = wipes_q && op_i.wipe;
  assign write_o = (write_q && (op_i.number || op_i.random)) || wipe_o;
  always_ff @(posedge clk_i) begin
    wipes_q   <= state_i[StWipe];
    write_q   <= soon_i && !state_i[StIdle];
    first_q   <= index_q == '0;
    count_q   <= index_q;
    address_o <= (AddressBits'(block_i) << PlaceBits) | AddressBits'(index_q);
    if (soon_i || state_i[StWipe]) index_q <= index_q + PageBits'(1);
    if (state_i[StIdle]) index_q <= '0;
    wipe_done_o <= state_i[StWipe] && index_q == ~PageBits'(1);
    if (!rst_ni || stop_i) begin
      write_q     <= 1'b0;
      wipe_done_o <= 1'b0;
    end
    if (!rst_ni) wipes_q <= 1'b0;
  end
  assign first_o   = first_q;
  assign count_o   = count_q;
  assign written_o = write_q;

  for (genvar i = 0; i < 2; i++) begin : gen_copy
    engine_digit_fetch #(
      .Bits(Bits), .PlaceBits(PlaceBits), .AddressBits(AddressBits), .Result(Result),
      .Inverted(i == 1)
    ) u_fetch (
      .clk_i, .load_i(state_i[StBegin]), .go_i, .sends_i(op_i.send), .block_i,
      .read_o(read_o[i]), .address_o(read_address_o[i])
    );
  end
  assign step_o = read_o[0];

  logic [Bits-1:0] digit_q, again_q;
  logic [6:0]      tag_q;      // tag_q[i]: i + 1 cycles after step_o
  logic [2:0]      differs_q;  // by parts of a digit
  logic            wrong_q;
  always_ff @(posedge clk_i) begin
    digit_q   <= data_i;
    again_q   <= again_i;
    differs_q <= {digit_q[Bits-1:12] != again_q[Bits-1:12], digit_q[11:6] != again_q[11:6],
                  digit_q[5:0] != again_q[5:0]};
    wrong_q   <= tag_q[6] && differs_q != '0;
    tag_q     <= {tag_q[5:0], step_o};
    // What a tag is for is empty in StIdle, and a stop leads there.
    if (!rst_ni || state_i[StIdle]) begin
      tag_q   <= '0;
      wrong_q <= 1'b0;
    end
  end
  assign wrong_o = wrong_q && !state_i[StIdle];
  assign tag_o   = tag_q[5];
  assign digit_o = digit_q;
endmodule

`default_nettype wire
