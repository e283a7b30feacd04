// SPDX-License-Identifier: Apache-2.0
// Scalars, and the one adder for all of them:
//
//   sum = a + b + add        (SumPlus, SumCommon)
//   sum = a - b + add        (SumMinus)
//   sum = value of a unit    (where a unit was asked)
//
// in two steps, x + y and then their sum + add, modulo 2^ScalarBits. They are in a memory: 64 for
// all, and 64 for each key slot, in pages.
//
// They are read one after the other: index and page have a register each, and the memory has two
// more, so that four cycles after its turn (`step_i`) a scalar is at `read_o`. An operation wants
// `Counts` of them, another instruction two, a and b.
`default_nettype none

module engine_scalars
  import engine_instruction_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Slots = 1,  // for keys
  parameter int unsigned Form  = registered_pkg::RegisteredInferred,
  localparam int unsigned SlotBits = totient_pkg::index_bits(Slots + 1)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */  // what is the datapath's alone
  input  instruction_t        instruction_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [SlotBits-1:0] page_i,   // of the key slot; 0 are the scalars for all
  // Steps of the instruction, at most one of them at a time (engine_control.sv).
  input  logic                reads_i,  // scalars are read, since so many cycles:
  input  logic [3:0]          step_i,
  input  logic                waits_i,  // x and y are there; `add` comes in the next cycle
  input  logic                adds_i,   // x + y is there; `add` is added to it
  input  logic                takes_i,  // instead of that sum a unit's value is taken
  input  logic                writes_i, // in the next cycle the sum goes to scalar d
  input  scalar_t             value_i,  // the unit's, in the cycle before `takes_i`; else 0
  // What was read.
  output scalar_t             read_o,   // last; at the end of reading b
  output count_t [Counts-1:0] counts_o, // an operation's
  output scalar_t             x_o,      // of other units: a
  // The sum: each a cycle after the one above it.
  output scalar_t             sum_o,
  output logic                zero_o    // it is 0; SumCommon: a and b have no 1 in common below
);
  localparam int unsigned IndexWidth = totient_pkg::index_bits((Slots + 1) << (IndexBits - 1));
  logic operation;
  assign operation = instruction_i.kind == KindProduct || instruction_i.kind == KindWords;
  /* verilator lint_off UNUSEDSIGNAL */  // condition and target of a jump
  immediate_t immediate;
  /* verilator lint_on UNUSEDSIGNAL */
  assign immediate = immediate_t'($bits(immediate_t)'(instruction_i.counts));

  // Reading.
  logic                write_q;
  index_t              low_q, high_q, index_q;
  logic [1:0]          part_q;
  scalar_t             sum_q;
  count_t [Counts-1:0] counts_q;
  index_t [Counts-1:0] wanted;
  function automatic logic [SlotBits+IndexBits-2:0] place(index_t index,
                                                          logic [SlotBits-1:0] page);
    return {index[IndexBits-1] ? page : SlotBits'(0), index[IndexBits-2:0]};
  endfunction
  ram_registered #(
    .Bits(ScalarBits), .Depth((Slots + 1) << (IndexBits - 1)), .Form(Form)
  ) u_memory (
    .clk_i, .write_i(write_q), .write_index_i(IndexWidth'(place(instruction_i.d, page_i))),
    .write_data_i(sum_q), .read_index_i(IndexWidth'(place(index_q, page_i))), .read_data_o(read_o)
  );
  assign wanted = instruction_i.counts;
  always_ff @(posedge clk_i) begin
    low_q  <= operation ? wanted[{2'b00, step_i[1:0]}]
                        : step_i[0] ? instruction_i.b : instruction_i.a;
    high_q <= wanted[{2'b01, step_i[1:0]}];
    part_q <= step_i[3:2];
    if (reads_i && (operation || step_i <= 4'd2)) begin
      index_q <= part_q[1] ? wanted[Counts-1] : part_q[0] ? high_q : low_q;
    end
    if (reads_i && step_i >= 4'd4) counts_q <= {count_t'(read_o), counts_q[Counts-1:1]};
    write_q <= writes_i;
    if (!rst_ni) write_q <= 1'b0;
  end

  // The adder: x + y + carry, where y is b, or what is below it, or the sum so far. A word that is
  // to be 0 in x is masked by its register's reset.
  scalar_t x_q, y_q, add_q, value_q;
  logic    carry_q, common_q, minus;
  assign minus = immediate.sum == SumMinus;
  always_ff @(posedge clk_i) begin
    add_q   <= waits_i ? immediate.add : '0;
    value_q <= value_i;
    if ((reads_i && step_i == 4'd4) || adds_i || takes_i) begin
      x_q <= (reads_i ? read_o : '0) | add_q | value_q;
    end
    if (takes_i) y_q <= '0;
    else if (reads_i || adds_i) y_q <= reads_i ? read_o ^ {ScalarBits{minus}} : sum_q;
    carry_q <= (reads_i || waits_i) && minus;
    sum_q   <= x_q + y_q + scalar_t'(carry_q);
    if (waits_i) common_q <= (x_q[3:0] & y_q[3:0]) != '0;
    zero_o <= (immediate.sum == SumCommon) ? !common_q : sum_q == '0;
  end

  assign counts_o = counts_q;
  assign x_o      = x_q;
  assign sum_o    = sum_q;
endmodule

`default_nettype wire
