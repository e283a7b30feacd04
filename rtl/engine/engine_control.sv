// SPDX-License-Identifier: Apache-2.0
// Runs the engine's program (engine_program_pkg.sv): hands operations to the datapath, does the
// arithmetic of scalars, and has the other units work, one instruction after the other.
//
// Begins at the program's first instruction after reset, and whenever a check somewhere fails,
// random words do not come in time or repeat, a clear packet waits, or an instruction takes too
// long (2^20 cycles, without those spent waiting for the sender or the receiver of packets).
// Before that, what the datapath has under way runs out.
//
// Cycles of an instruction, and what it has to wait for: an operation 18, and until the datapath
// takes it; scalars 16; another one 17, and what the unit takes. The array is busy meanwhile, so
// every step has a register, and the unit needs no more than its memories allow.
`include "totient_assert.svh"
`default_nettype none

module engine_control
  import engine_instruction_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Bits          = 18,
  parameter int unsigned Elements      = 4,
  parameter taps_t       Taps          = '0,  // of the ring (engine_array.sv)
  parameter int unsigned PlaceBits     = 7,
  parameter int unsigned MaxBits       = 4096,  // of a modulus
  parameter int unsigned HalfBits      = 2056,  // of a modulus of a pair
  parameter int unsigned Slots         = 1,     // for keys
  parameter int unsigned Form          = registered_pkg::RegisteredInferred
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  // The datapath (engine_datapath.sv).
  output logic             datapath_rst_no,
  output logic             valid_o,
  output operation_t       operation_o,  // while `valid_o`
  input  logic             ready_i,      // it takes the operation
  output logic             clear_signs_o,
  output logic             public_only_o,  // secret numbers of a key are not read
  /* verilator lint_off UNUSEDSIGNAL */  // whether a result is 0, and windows, of stream 0 only
  input  datapath_status_t datapath_status_i,
  // Its window unit (engine_window.sv).
  output window_request_t  window_request_o,
  input  window_status_t   window_status_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // The packet unit (engine_packet_io.sv).
  output packet_request_t  packet_request_o,
  input  packet_status_t   packet_status_i
);
  localparam int unsigned ProgramBits = $clog2(engine_program_pkg::Length);
  localparam int unsigned SlotBits    = totient_pkg::index_bits(Slots + 1);
  localparam int unsigned DrainCycles = 4 * Elements + 64;
  localparam int unsigned WatchBits   = 20;

  // One bit for each, exactly one of them set: a flipped bit is seen by its parity.
  typedef enum int unsigned {
    StStop, StFetch, StRead, StWait, StOffer, StDo, StBusy, StTake, StAdd, StSum, StWrite, StJump,
    StDecide, StNext, States
  } state_e;
  logic [States-1:0] state_q;
  logic [3:0]        step_q;  // cycles in StFetch or StRead

  // The instruction at `place_q`, three cycles later. The place has an inverted copy that counts on
  // its own: a flipped bit of either ends everything before another instruction is there.
  logic [ProgramBits-1:0] place_q, next_q, inverted_q, next_inverted_q;
  instruction_t read_instruction, instruction;
  /* verilator lint_off UNUSEDSIGNAL */  // how scalars are added
  immediate_t   immediate;
  /* verilator lint_on UNUSEDSIGNAL */
  unit_op_e     unit_op;
  rom_registered #(
    .Bits($bits(instruction_t)), .Depth(engine_program_pkg::Length), .Form(Form),
    .Content(engine_program_pkg::Content)
  ) u_program (
    .clk_i, .index_i(place_q), .data_o(read_instruction)
  );
  assign immediate = immediate_t'($bits(immediate_t)'(instruction.counts));
  assign unit_op   = unit_op_e'(immediate.add[$bits(unit_op_e)-1:0]);
  logic operation, words, scalar, unit;
  logic is_value_q, is_ring_q, is_restart_cause_q, is_slot_q, is_scan_load_q, is_scan_q;
  logic is_gather_q, is_clear_signs_q, needs_idle_q;
  unit_op_e unit_op_q;
  always_ff @(posedge clk_i) begin
    instruction        <= read_instruction;
    is_value_q         <= unit_op == UnitValue;
    is_ring_q          <= unit_op == UnitRing;
    is_restart_cause_q <= unit_op == UnitReadRestartCause;
    is_slot_q          <= unit_op == UnitSlot;
    is_scan_load_q     <= unit_op == UnitScanLoad;
    is_scan_q          <= unit_op == UnitScan;
    is_gather_q        <= unit_op == UnitTableGather;
    is_clear_signs_q   <= unit_op == UnitClearSigns;
    needs_idle_q       <= unit_op == UnitWaitIdle || unit_op == UnitClearSigns
                       || unit_op >= UnitGet;
    unit_op_q          <= unit ? unit_op : UnitWaitIdle;
  end
  assign words     = instruction.kind == KindWords;
  assign operation = instruction.kind == KindProduct || words;
  assign scalar    = instruction.kind == KindScalar;
  assign unit      = instruction.kind == KindUnit;

  // What an instruction has to wait for. It is known long before StWait.
  logic is_sign_q, is_window_q, for_idle_q, for_window_q, waits_q;
  always_ff @(posedge clk_i) begin
    is_sign_q    <= scalar && (immediate.condition == CondSign0
                               || immediate.condition == CondSign1
                               || immediate.condition == CondEqual);
    is_window_q  <= (instruction.kind == KindProduct && instruction.window)
                 || (scalar && immediate.condition == CondBit);
    for_idle_q   <= (unit && needs_idle_q) || is_sign_q;
    for_window_q <= (unit && (is_scan_load_q || is_scan_q || is_gather_q)) || is_window_q;
    waits_q      <= (for_idle_q && !datapath_status_i.idle)
                 || (for_window_q && window_status_i.busy);
  end

  // Scalars. A unit's value is the packet unit's, what the engine was built with, or why everything
  // was given up.
  logic [SlotBits-1:0] page_q;    // of the key slot; 0 are the scalars for all
  logic [3:0]          cause_q, reason_q;  // an error_e: of this cycle, and of the last stop
  scalar_t             built, values, reason, read, x, sum;
  logic [7:0]          elements;  // of the ring that the scalar x numbers
  count_t [Counts-1:0] counts;
  logic                is_zero;
  engine_build_parameters #(
    .Bits(Bits), .Elements(Elements), .Taps(Taps), .PlaceBits(PlaceBits), .MaxBits(MaxBits),
    .HalfBits(HalfBits), .Slots(Slots)
  ) u_build_parameters (
    .clk_i, .which_i(build_parameter_e'(instruction.a[$bits(build_parameter_e)-1:0])),
    .ring_i(ring_t'(x)), .value_o(built), .elements_o(elements)
  );
  assign values = (built & {ScalarBits{is_value_q}}) | {8'd0, elements & {8{is_ring_q}}};
  assign reason = !is_restart_cause_q ? '0
                : instruction.pair ? scalar_t'(packet_status_i.unanswered)
                                   : scalar_t'({reason_q, 8'd0});
  engine_scalars #(.Slots(Slots), .Form(Form)) u_scalars (
    .clk_i, .rst_ni, .instruction_i(instruction), .page_i(page_q), .reads_i(state_q[StRead]),
    .step_i(step_q), .waits_i(state_q[StWait]), .adds_i(state_q[StAdd]),
    .takes_i(state_q[StTake]), .writes_i(state_q[StWrite]),
    .value_i(state_q[StBusy] ? packet_status_i.value | values | reason : '0),
    .read_o(read), .counts_o(counts), .x_o(x), .sum_o(sum), .zero_o(is_zero)
  );

  // Whether it jumps: in each of four groups of conditions the one that is asked for, then which
  // group.
  logic [15:0] holds;  // by cond_e
  logic [3:0]  group_q;
  logic        jumps_q;
  assign holds = {packet_status_i.is_short, packet_status_i.is_open, packet_status_i.msb_clear,
                  packet_status_i.length_exceeded, packet_status_i.is_small,
                  packet_status_i.is_even, datapath_status_i.zero[0],
                  datapath_status_i.negative[1], datapath_status_i.negative[0],
                  window_status_i.window[0][0], !sum[ScalarBits-1], sum[ScalarBits-1],
                  !is_zero, is_zero, 1'b1, 1'b0};
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 4; i++) group_q[i] <= holds[{i[1:0], immediate.condition[1:0]}];
    jumps_q <= scalar && group_q[immediate.condition[3:2]];
  end

  // Why everything is given up.
  logic [WatchBits:0] watch_q;
  logic               late, stops, stops_q, astray_q, outside_q;
  assign late  = watch_q[WatchBits];
  assign stops = !state_q[StStop] && !stops_q
              && (packet_status_i.fault || packet_status_i.clear_waits || late || astray_q
                  || packet_status_i.random_repeats);

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
    next[StDo]    = proceeds && unit;
    next[StBusy]  = state_q[StDo] || (state_q[StBusy] && packet_status_i.busy);
    next[StTake]  = state_q[StBusy] && !packet_status_i.busy;
    next[StAdd]   = proceeds && scalar;
    next[StSum]   = state_q[StTake] || state_q[StAdd];
    next[StWrite] = state_q[StSum];
    next[StJump]  = state_q[StWrite];
    next[StDecide] = state_q[StJump];
    next[StNext]  = state_q[StDecide];
  end

  always_ff @(posedge clk_i) begin
    astray_q  <= (packet_status_i.busy && !state_q[StBusy]) || !(^state_q)
              || place_q != ~inverted_q;
    outside_q <= state_q[StBusy] && packet_status_i.outside;
    next_q  <= place_q + ProgramBits'(1);
    next_inverted_q <= inverted_q - ProgramBits'(1);
    step_q  <= step_q + 4'd1;
    watch_q <= watch_q + (WatchBits + 1)'(1);
    if (state_q[StFetch] || outside_q) watch_q <= '0;
    if (state_q[StDo] && is_slot_q) begin
      page_q        <= SlotBits'(x) + SlotBits'(1);
      public_only_o <= instruction.pair;
    end
    if (state_q[StStop]) begin
      place_q    <= '0;
      inverted_q <= '1;
    end else if (state_q[StNext] || (state_q[StOffer] && ready_i)) begin
      place_q    <= jumps_q ? ProgramBits'(immediate.target) : next_q;
      inverted_q <= jumps_q ? ~ProgramBits'(immediate.target) : next_inverted_q;
    end
    if (state_q[StFetch] ? fetched : !state_q[StRead]) step_q <= '0;

    state_q <= next;
    stops_q <= stops;
    cause_q <= packet_status_i.clear_waits ? contract_pkg::ErrAborted
             : packet_status_i.random_repeats ? contract_pkg::ErrRandomRepeats
             : (late && packet_status_i.random) ? contract_pkg::ErrRandom
                                                : contract_pkg::ErrFault;
    if (stops_q) reason_q <= cause_q;
    if (stops_q || !rst_ni) begin
      state_q         <= '0;
      state_q[StStop] <= 1'b1;
      watch_q         <= '0;
    end
    if (!rst_ni) begin
      stops_q  <= 1'b0;
      page_q        <= '0;
      public_only_o <= 1'b0;
      reason_q <= contract_pkg::ErrNone;
    end
  end
  assign datapath_rst_no = !state_q[StStop];

  // The datapath.
  function automatic block_t block(paged_t paged);
    return {(BlockBits-PageBlockBits)'(paged[PageBlockBits] ? page_q : SlotBits'(0)),
            paged[PageBlockBits-1:0]};
  endfunction
  logic gathered;
  assign gathered = instruction.window && !words;
  assign valid_o = state_q[StOffer];
  assign operation_o = '{
    word:       words,
    action:     instruction.action,
    pair:       instruction.pair,
    common:     instruction.common,
    sync:       instruction.sync,
    d:          block(paged_t'(instruction.d)),
    a:          gathered ? block_t'({window_status_i.buffer, 1'b0})
                         : block(paged_t'(instruction.a)),
    b:          block(paged_t'(instruction.b)),
    t:          block(instruction.t),
    x:          block(instruction.x),
    add:        instruction.add,
    reduce:     instruction.reduce,
    window:     gathered,
    table_write: instruction.table_write,
    exponent:   instruction.window && words,
    entry:      counts[8][WindowBits-1:0],
    ring:       ring_t'(counts[7]),
    passes:     counts[6],
    words:      counts[5],
    lead:       counts[4],
    a_words:    counts[3],
    b_words:    counts[2],
    t_words:    counts[1],
    d_words:    counts[0]
  };

  // What the window unit is asked for has a register; it is busy long before the next instruction.
  logic       scan_load_q, scan_q, gather_q;
  logic [4:0] scan_bits_q;
  always_ff @(posedge clk_i) begin
    clear_signs_o <= state_q[StDo] && is_clear_signs_q;
    scan_load_q   <= state_q[StDo] && is_scan_load_q;
    scan_q        <= state_q[StDo] && is_scan_q;
    gather_q      <= state_q[StDo] && is_gather_q;
    scan_bits_q   <= is_scan_load_q ? read[4:0] : x[4:0];
  end
  assign window_request_o = '{
    scan_load:  scan_load_q,
    scan:       scan_q,
    gather:     gather_q,
    scan_place: count_t'(x),
    scan_bits:  scan_bits_q,
    pair:       instruction.pair,
    words:      count_t'(x)
  };

  // The packet unit.
  assign packet_request_o = '{
    stop:    state_q[StStop],
    start:   state_q[StDo],
    unit_op: unit_op_q,
    pair:    instruction.pair,
    first:   x,
    second:  read,
    block:   block(instruction.t)
  };
endmodule

`default_nettype wire
