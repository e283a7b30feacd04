// SPDX-License-Identifier: Apache-2.0
// Runs the engine's program (engine_program_pkg.sv): hands operations to the datapath, does the
// arithmetic of scalars, and has the other units work, one instruction after the other.
//
// Scalars are in a memory: 32 of them for all, and 32 for each key slot.
// Begins at the program's first instruction after reset, and whenever a check somewhere fails, no
// random word comes in time, a clear packet waits, or an instruction takes too long (2^20 cycles,
// those not counted in which somebody outside has to send or to take a word).
// Before that, what the datapath has under way runs out.
//
// Cycles of an instruction, and what it has to wait for: an operation 18, and until the datapath
// takes it; scalars 16; another one 17, and what the unit takes. The array is busy meanwhile, so
// every step has a register, and the unit needs no more than its memories allow.
`include "totient_assert.svh"
`default_nettype none

module engine_control
  import engine_pkg::*;
#(
  parameter int unsigned Bits          = 18,
  parameter int unsigned Elements      = 4,
  parameter int unsigned ShortElements = 0,
  parameter int unsigned PlaceBits     = 7,
  parameter int unsigned AddressBits   = 13,
  parameter int unsigned MaxBits       = 4096,  // of a modulus
  parameter int unsigned HalfBits      = 2056,  // of a modulus of a pair
  parameter int unsigned Slots         = 1,     // for keys
  parameter int unsigned Form          = registered_pkg::RegisteredInferred
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  // The datapath.
  output logic       datapath_rst_no,
  output logic       valid_o,
  output operation_t operation_o,
  input  logic       ready_i,
  input  logic       idle_i,
  output logic       clear_signs_o,
  input  logic [1:0] negative_i,
  input  logic       zero_i,
  // Its window unit.
  output logic               scan_load_o,
  output logic [PlaceBits:0] scan_place_o,
  output logic               scan_o,
  output logic [4:0]         scan_bits_o,
  input  logic               window_bit_i,
  output logic               collect_o,
  output logic               collect_pair_o,
  output count_t             collect_words_o,
  input  logic               window_busy_i,
  input  logic               window_buffer_i,
  // engine_transfer.sv.
  output logic    stop_o,
  output logic    do_o,
  output does_e   does_o,
  output logic    pair_o,
  output scalar_t first_o,
  output scalar_t second_o,
  output logic [AddressBits-1:0] address_o,
  input  logic    busy_i,
  input  logic    outside_i,
  input  scalar_t value_i,
  input  logic    even_i,
  input  logic    small_i,
  input  logic    loose_i,
  input  logic    over_i,
  input  logic    open_i,
  input  logic    short_i,
  input  logic    abort_i,
  input  logic    random_i,      // it waits for random words
  input  logic    fault_i
);
  localparam int unsigned ProgramBits = $clog2(engine_program_pkg::Length);
  localparam int unsigned SlotBits    = totient_pkg::index_bits(Slots + 1);
  localparam int unsigned IndexWidth = totient_pkg::index_bits((Slots + 1) << (IndexBits - 1));
  localparam int unsigned DrainCycles = 4 * Elements + 64;
  localparam int unsigned WatchBits   = 20;

  // One bit for each, exactly one of them set: a flipped bit is seen by its parity.
  typedef enum int unsigned {
    StStop, StFetch, StRead, StWait, StOffer, StDo, StBusy, StTake, StAdd, StSum, StWrite, StJump,
    StDecide, StNext, States
  } state_e;
  logic [States-1:0] state_q;
  logic [3:0]        step_q;  // cycles in StFetch or StRead

  // The instruction at `place_q`, three cycles later.
  logic [ProgramBits-1:0] place_q, next_q;
  instruction_t read_instruction, instruction;
  more_t        more;
  does_e        does;
  rom_registered #(
    .Bits($bits(instruction_t)), .Depth(engine_program_pkg::Length), .Form(Form),
    .Content(engine_program_pkg::Content)
  ) u_program (
    .clk_i, .index_i(place_q), .data_o(read_instruction)
  );
  assign more = more_t'($bits(more_t)'(instruction.counts));
  assign does = does_e'(more.add[$bits(does_e)-1:0]);
  logic operation, scalar, other;
  logic does_value_q, does_reason_q, does_slot_q, does_load_q, does_scan_q, does_collect_q;
  logic does_forget_q, does_idle_q;
  always_ff @(posedge clk_i) begin
    does_value_q   <= does == DoesValue;
    does_reason_q  <= does == DoesReason;
    does_slot_q    <= does == DoesSlot;
    does_load_q    <= does == DoesScanLoad;
    does_scan_q    <= does == DoesScan;
    does_collect_q <= does == DoesCollect;
    does_forget_q  <= does == DoesForget;
    does_idle_q    <= does == DoesSettle || does == DoesForget || does >= DoesGet;
    does_o         <= other ? does : DoesSettle;
  end
  assign operation = instruction.kind == KindOperation;
  assign scalar    = instruction.kind == KindScalar;
  assign other     = instruction.kind == KindOther;

  // Scalars are read one after the other: four cycles after its turn in `wanted` a word is there.
  logic [SlotBits-1:0] page_q;  // of the slot; 0 are the scalars for all
  logic                write_q;
  index_t              low_q, high_q, index_q;
  logic [1:0]          part_q;
  scalar_t             read, sum_q;
  count_t [Counts-1:0] counts_q;
  index_t [Counts-1:0] wanted;
  function automatic logic [SlotBits+IndexBits-2:0] place(index_t index,
                                                          logic [SlotBits-1:0] page);
    return {index[IndexBits-1] ? page : SlotBits'(0), index[IndexBits-2:0]};
  endfunction
  ram_registered #(
    .Bits(ScalarBits), .Depth((Slots + 1) << (IndexBits - 1)), .Form(Form)
  ) u_scalars (
    .clk_i, .write_i(write_q), .write_index_i(IndexWidth'(place(instruction.d, page_q))),
    .write_data_i(sum_q), .read_index_i(IndexWidth'(place(index_q, page_q))), .read_data_o(read)
  );
  assign wanted = instruction.counts;
  always_ff @(posedge clk_i) begin
    instruction <= read_instruction;
    low_q       <= operation ? wanted[{2'b00, step_q[1:0]}]
                             : step_q[0] ? instruction.b : instruction.a;
    high_q      <= wanted[{2'b01, step_q[1:0]}];
    part_q      <= step_q[3:2];
    if (state_q[StRead] && (operation || step_q <= 4'd2)) begin
      index_q <= part_q[1] ? wanted[Counts-1] : part_q[0] ? high_q : low_q;
    end
    if (state_q[StRead] && step_q >= 4'd4) counts_q <= {count_t'(read), counts_q[Counts-1:1]};
  end

  // What an instruction has to wait for. It is known long before StWait.
  logic for_idle_q, for_window_q, waits_q;
  always_ff @(posedge clk_i) begin
    for_idle_q   <= (other && does_idle_q)
                 || (scalar && (more.when == WhenSign0 || more.when == WhenSign1
                                || more.when == WhenEqual));
    for_window_q <= (operation && instruction.window) || (scalar && more.when == WhenBit)
                 || (other && (does_load_q || does_scan_q || does_collect_q));
    waits_q      <= (for_idle_q && !idle_i) || (for_window_q && window_busy_i);
  end

  // One adder for all: x + y + carry, where y is b, or what is below it, or the sum so far. A word
  // that is to be 0 in x is masked by its register's reset.
  logic [3:0] reason_q;  // an error_e: why everything was given up
  scalar_t x_q, y_q, add_q, value_q, built_q, reason;
  logic    carry_q, zero_q, common_q, minus;
  assign minus  = more.sum == SumMinus;
  assign reason = does_reason_q ? scalar_t'({reason_q, 8'd0}) : '0;
  always_ff @(posedge clk_i) begin
    add_q   <= state_q[StWait] ? more.add : '0;
    value_q <= state_q[StBusy] ? value_i | (built_q & {ScalarBits{does_value_q}}) | reason : '0;
    if ((state_q[StRead] && step_q == 4'd4) || state_q[StAdd] || state_q[StTake]) begin
      x_q <= (state_q[StRead] ? read : '0) | add_q | value_q;
    end
    if (state_q[StTake]) y_q <= '0;
    else if (state_q[StRead] || state_q[StAdd]) begin
      y_q <= state_q[StRead] ? read ^ {ScalarBits{minus}} : sum_q;
    end
    carry_q <= (state_q[StRead] || state_q[StWait]) && minus;
    sum_q   <= x_q + y_q + scalar_t'(carry_q);
    if (state_q[StWait]) common_q <= (x_q[3:0] & y_q[3:0]) != '0;
    zero_q <= (more.sum == SumCommon) ? !common_q : sum_q == '0;
  end

  // What the engine was built with.
  localparam int unsigned Round = (Bits % 2 != 0) ? 16 : (Bits % 4 != 0) ? 8 : (Bits % 8 != 0) ? 4
                                : (Bits % 16 != 0) ? 2 : 1;
  scalar_t    built;
  logic [3:0] which_q;
  always_comb begin
    unique case (which_q)
      4'd0:    built = scalar_t'(Elements);
      4'd1:    built = scalar_t'(ShortElements);
      4'd2:    built = scalar_t'(Bits);
      4'd3:    built = scalar_t'(MaxBits);
      4'd4:    built = scalar_t'(Slots);
      4'd5:    built = scalar_t'(Round);               // 16 / gcd(16, Bits)
      4'd6:    built = scalar_t'(Bits * Round / 16);
      4'd7:    built = totient_pkg::Version[15:0];
      4'd8:    built = scalar_t'(totient_pkg::Version[23:16]);
      4'd9:    built = scalar_t'(1 << PlaceBits);
      4'd10:   built = scalar_t'(HalfBits);
      default: built = '0;
    endcase
  end
  always_ff @(posedge clk_i) begin
    which_q <= instruction.a[3:0];
    built_q <= built;
  end

  // Whether it jumps: in each of four groups of conditions the one that is asked for, then which
  // group.
  logic [15:0] holds;  // by when_e
  logic [3:0]  group_q;
  logic        jumps_q;
  assign holds = {short_i, open_i, loose_i, over_i, small_i, even_i, zero_i, negative_i[1],
                  negative_i[0], window_bit_i, !sum_q[ScalarBits-1], sum_q[ScalarBits-1],
                  !zero_q, zero_q, 1'b1, 1'b0};
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 4; i++) group_q[i] <= holds[{i[1:0], more.when[1:0]}];
    jumps_q <= scalar && group_q[more.when[3:2]];
  end

  // Why everything is given up.
  logic [WatchBits:0] watch_q;
  logic               late, stops, stops_q, astray_q, outside_q;
  assign late  = watch_q[WatchBits];
  assign stops = !state_q[StStop] && !stops_q
              && (fault_i || abort_i || late || astray_q);

  logic [States-1:0] next;
  logic              drained, fetched, have_read, proceeds;
  assign drained   = watch_q[$clog2(DrainCycles)];  // what the datapath had under way has run out
  assign fetched   = step_q == 4'd2;
  assign have_read = step_q == (operation ? 4'd12 : 4'd5);
  assign proceeds  = state_q[StWait] && !waits_q;
  always_comb begin
    next          = '0;
    next[StStop]  = state_q[StStop] && !drained;
    next[StFetch] = (state_q[StStop] && drained) || (state_q[StFetch] && !fetched)
                 || (state_q[StOffer] && ready_i) || state_q[StNext];
    next[StRead]  = (state_q[StFetch] && fetched) || (state_q[StRead] && !have_read);
    next[StWait]  = (state_q[StRead] && have_read) || (state_q[StWait] && waits_q);
    next[StOffer] = (proceeds && operation) || (state_q[StOffer] && !ready_i);
    next[StDo]    = proceeds && other;
    next[StBusy]  = state_q[StDo] || (state_q[StBusy] && busy_i);
    next[StTake]  = state_q[StBusy] && !busy_i;
    next[StAdd]   = proceeds && scalar;
    next[StSum]   = state_q[StTake] || state_q[StAdd];
    next[StWrite] = state_q[StSum];
    next[StJump]  = state_q[StWrite];
    next[StDecide] = state_q[StJump];
    next[StNext]  = state_q[StDecide];
  end

  always_ff @(posedge clk_i) begin
    astray_q  <= (busy_i && !state_q[StBusy]) || !(^state_q);
    outside_q <= state_q[StBusy] && outside_i;
    next_q  <= place_q + ProgramBits'(1);
    write_q <= state_q[StWrite];
    step_q  <= step_q + 4'd1;
    watch_q <= watch_q + (WatchBits + 1)'(1);
    if (state_q[StFetch] || outside_q) watch_q <= '0;
    if (state_q[StDo] && does_slot_q) page_q <= SlotBits'(x_q) + SlotBits'(1);
    if (state_q[StStop]) place_q <= '0;
    else if (state_q[StNext] || (state_q[StOffer] && ready_i)) begin
      place_q <= jumps_q ? ProgramBits'(more.target) : next_q;
    end
    if (state_q[StFetch] ? fetched : !state_q[StRead]) step_q <= '0;

    state_q <= next;
    stops_q <= stops;
    if (stops) begin
      reason_q <= abort_i ? totient_pkg::ErrAborted : (late && random_i) ? ErrRandom : ErrFault;
    end
    if (stops_q || !rst_ni) begin
      state_q         <= '0;
      state_q[StStop] <= 1'b1;
      watch_q         <= '0;
    end
    if (!rst_ni) begin
      stops_q  <= 1'b0;
      page_q   <= '0;
      write_q  <= 1'b0;
      reason_q <= totient_pkg::ErrNone;
    end
  end
  assign datapath_rst_no = !state_q[StStop];
  assign stop_o          = state_q[StStop];

  // The datapath.
  function automatic block_t block(paged_t paged);
    return {(BlockBits-PageBlockBits)'(paged[PageBlockBits] ? page_q : SlotBits'(0)),
            paged[PageBlockBits-1:0]};
  endfunction
  assign valid_o = state_q[StOffer];
  assign operation_o = '{
    word:       instruction.word,
    action:     instruction.action,
    pair:       instruction.pair,
    common:     instruction.common,
    sync:       instruction.sync,
    d:          block(paged_t'(instruction.d)),
    a:          instruction.window ? block_t'({window_buffer_i, 1'b0})
                                   : block(paged_t'(instruction.a)),
    b:          block(paged_t'(instruction.b)),
    t:          block(instruction.t),
    x:          block(instruction.x),
    add:        instruction.add,
    reduce:     instruction.reduce,
    window:     instruction.window,
    tabulate:   instruction.tabulate,
    exponent:   instruction.exponent,
    entry:      counts_q[8][WindowBits-1:0],
    short_ring: counts_q[7][0],
    passes:     counts_q[6],
    words:      counts_q[5],
    lead:       counts_q[4],
    a_words:    counts_q[3],
    b_words:    counts_q[2],
    t_words:    counts_q[1],
    d_words:    counts_q[0]
  };
  // What the window unit is asked for has a register; it is busy long before the next instruction.
  always_ff @(posedge clk_i) begin
    clear_signs_o <= state_q[StDo] && does_forget_q;
    scan_load_o   <= state_q[StDo] && does_load_q;
    scan_o        <= state_q[StDo] && does_scan_q;
    collect_o     <= state_q[StDo] && does_collect_q;
    scan_bits_o   <= does_load_q ? read[4:0] : x_q[4:0];
  end
  assign scan_place_o    = (PlaceBits+1)'(x_q);
  assign collect_pair_o  = instruction.pair;
  assign collect_words_o = count_t'(x_q);

  // engine_transfer.sv.
  assign do_o      = state_q[StDo];
  assign pair_o    = instruction.pair;
  assign first_o   = x_q;
  assign second_o  = read;
  assign address_o = AddressBits'(block(instruction.t)) << PlaceBits;
endmodule

`default_nettype wire
