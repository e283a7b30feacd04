// SPDX-License-Identifier: Apache-2.0
// Proof of the engine's access to numbers that leave it: for any course of requests and steps,
//
//   Sent        while a number is sent, each copy is read in the block of the result alone
//   InOrder     each copy is read at the number's digits one after the other, from its first one on
//   SameSteps   both copies are read in the same cycles
//   Tagged      each step has a tag, with its digit
//   Compared    digits with a tag that differ between the copies are reported, and nothing else is
//
// A flipped bit in the address of one copy therefore gives a digit that differs, or the same digit.
// The memory may return anything at any time.
`default_nettype none

module engine_digit_access_formal
  import engine_packet_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Bits        = 18,
  parameter int unsigned PlaceBits   = 7,
  parameter int unsigned AddressBits = 13,
  parameter int unsigned Result      = 18
) (
  input wire logic             clk_i,
  input wire logic             reset_ni,
  input wire logic             stop_i,
  input wire packet_op_t       op_i,
  input wire state_t           state_i,
  input wire block_t           block_i,
  input wire logic             soon_i,
  input wire logic             go_i,
  input wire logic [Bits-1:0]  data_i,
  input wire logic [Bits-1:0]  again_i
);
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  logic                             write_o, wipe_o, first_o, written_o, step_o, tag_o;
  logic                             wipe_done_o, wrong_o;
  logic [AddressBits-1:0]           address_o;
  logic [1:0]                       read_o;
  logic [1:0][AddressBits-1:0]      read_address_o;
  logic [PlaceBits+engine_instruction_pkg::PageBlockBits-1:0] count_o;
  logic [Bits-1:0]                  digit_o;
  engine_digit_access #(
    .Bits(Bits), .PlaceBits(PlaceBits), .AddressBits(AddressBits), .Result(Result)
  ) u_dut (.*);

  // The definition: N - 1 steps take a digit each, the N-th takes none.
  localparam int unsigned HighBits = AddressBits - PlaceBits - 1;
  localparam int unsigned Steps = Bits / (Bits - HalfBits);
  typedef logic [PlaceBits:0] place_t;
  logic       loaded_q = 1'b0;
  logic [4:0] step_q;    // of N
  place_t     place_q;   // of the next digit in the pair of blocks
  logic       asked_q;   // a step was asked for
  always_ff @(posedge clk_i) begin
    asked_q <= go_i;
    if (state_i[StBegin]) begin
      loaded_q <= 1'b1;
      step_q   <= '0;
      place_q  <= {block_i[0], {PlaceBits{1'b0}}};
    end else if (asked_q) begin
      step_q <= (step_q == 5'(Steps - 1)) ? '0 : step_q + 5'd1;
      if (step_q != 5'(Steps - 1)) place_q <= place_q + place_t'(1);
    end
    if (!begun_q) loaded_q <= 1'b0;
  end

  logic [HighBits-1:0] high;
  assign high = op_i.send ? HighBits'(Result / 2) : HighBits'(block_i >> 1);
  for (genvar i = 0; i < 2; i++) begin : gen_copy
    always_ff @(posedge clk_i) begin
      if (begun_q && $past(begun_q)) begin
        Sent : assert (read_address_o[i][AddressBits-1:PlaceBits+1] == $past(high));
        SameSteps : assert (read_o[i] == asked_q);
        if ($past(loaded_q)) InOrder : assert (read_address_o[i][PlaceBits:0] == $past(place_q));
      end
    end
  end

  // By induction: the counters of both copies are those of the definition.
  always_ff @(posedge clk_i) begin
    if (begun_q && loaded_q) begin
      PlainCounters : assert (u_dut.gen_copy[0].u_fetch.gen_plain.index_q == place_q
                              && 5'(u_dut.gen_copy[0].u_fetch.gen_plain.step_q) == step_q
                              && step_q < 5'(Steps));
      InvertedCounters : assert (~u_dut.gen_copy[1].u_fetch.gen_inverted.index_q == place_q
                                 && 5'(u_dut.gen_copy[1].u_fetch.gen_inverted.step_q
                                       ^ {$clog2(Steps){1'b1}}) == step_q);
    end
  end

  // Digits that differ are reported two cycles behind the digit, unless the number has ended.
  logic ends, differ_q, due_q = 1'b0, due_qq = 1'b0;
  assign ends = !rst_ni || state_i[StIdle];
  always_ff @(posedge clk_i) begin
    differ_q <= data_i != again_i;  // with `digit_o`
    due_q    <= tag_o && differ_q && !ends;
    due_qq   <= due_q && !ends;
    if (begun_q && $past(begun_q)) Compared : assert (wrong_o == (due_qq && !state_i[StIdle]));
  end

  // Each step has a tag, six cycles behind `read_o`, unless the number has ended.
  logic [5:0] steps_q = '0;
  always_ff @(posedge clk_i) begin
    steps_q <= ends ? '0 : {steps_q[4:0], step_o};
    if (begun_q && $past(begun_q)) Tagged : assert (tag_o == steps_q[5]);
  end
endmodule

`default_nettype wire
