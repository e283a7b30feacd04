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
// Cycles of an instruction, and what it has to wait for: an operation 16, and until the datapath
// takes it; scalars 11; another one 11, and what the unit takes.
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
  input  logic    random_i,      // it waits for a random word
  input  logic    fault_i
);
  localparam int unsigned ProgramBits = $clog2(engine_program_pkg::Length);
  localparam int unsigned SlotBits    = totient_pkg::index_bits(Slots + 1);
  localparam int unsigned IndexWidth = totient_pkg::index_bits((Slots + 1) << (IndexBits - 1));
  localparam int unsigned DrainCycles = 4 * Elements + 64;
  localparam int unsigned WatchBits   = 20;

  typedef enum logic [3:0] {
    StStop, StFetch, StRead, StWait, StOffer, StDo, StBusy, StAdd, StWrite, StJump
  } state_e;
  state_e state_q;

  // The instruction at `place_q`.
  logic [ProgramBits-1:0] place_q;
  instruction_t instruction;
  more_t        more;
  does_e        does;
  rom_registered #(
    .Bits($bits(instruction_t)), .Depth(engine_program_pkg::Length), .Form(Form),
    .Content(engine_program_pkg::Content)
  ) u_program (
    .clk_i, .index_i(place_q), .data_o(instruction)
  );
  assign more = more_t'($bits(more_t)'(instruction.counts));
  assign does = does_e'(more.add[$bits(does_e)-1:0]);

  // Scalars are read one after the other: the word is there two cycles after `index_q`.
  logic [SlotBits-1:0] page_q;  // of the slot; 0 are the scalars for all
  logic [3:0]          step_q;
  logic                write_q, zero_q;
  index_t              index_q;
  scalar_t             read, a_q, sum_q;
  count_t [Counts-1:0] counts_q;
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

  // What an instruction has to wait for.
  logic operation, scalar, other, for_idle, for_window, waits;
  assign operation  = instruction.kind == KindOperation;
  assign scalar     = instruction.kind == KindScalar;
  assign other      = instruction.kind == KindOther;
  assign for_idle   = (other && (does == DoesSettle || does == DoesForget || does >= DoesGet))
                   || (scalar && (more.when == WhenSign0 || more.when == WhenSign1
                                  || more.when == WhenEqual));
  assign for_window = (operation && instruction.window) || (scalar && more.when == WhenBit)
                   || (other && (does == DoesScanLoad || does == DoesScan || does == DoesCollect));
  assign waits      = (for_idle && !idle_i) || (for_window && window_busy_i);

  // Whether it jumps.
  logic jumps;
  always_comb begin
    unique case (more.when)
      WhenNever:       jumps = 1'b0;
      WhenAlways:      jumps = 1'b1;
      WhenZero:        jumps = zero_q;
      WhenNotZero:     jumps = !zero_q;
      WhenNegative:    jumps = sum_q[ScalarBits-1];
      WhenNotNegative: jumps = !sum_q[ScalarBits-1];
      WhenBit:         jumps = window_bit_i;
      WhenSign0:       jumps = negative_i[0];
      WhenSign1:       jumps = negative_i[1];
      WhenEqual:       jumps = zero_i;
      WhenEven:        jumps = even_i;
      WhenSmall:       jumps = small_i;
      WhenOver:        jumps = over_i;
      WhenLoose:       jumps = loose_i;
      WhenOpen:        jumps = open_i;
      WhenShort:       jumps = short_i;
      default:         jumps = 1'b0;
    endcase
  end

  // Why everything is given up.
  logic [3:0]           reason_q;
  logic [WatchBits-1:0] watch_q;
  logic                 late_q, misplaced, stops;
  assign misplaced = busy_i && state_q != StBusy;
  assign stops     = state_q != StStop
                  && (fault_i || abort_i || late_q || misplaced);

  // What the engine was built with.
  localparam int unsigned Round = (Bits % 2 != 0) ? 16 : (Bits % 4 != 0) ? 8 : (Bits % 8 != 0) ? 4
                                : (Bits % 16 != 0) ? 2 : 1;
  scalar_t built, value;
  always_comb begin
    unique case (instruction.a)
      7'd0:    built = scalar_t'(Elements);
      7'd1:    built = scalar_t'(ShortElements);
      7'd2:    built = scalar_t'(Bits);
      7'd3:    built = scalar_t'(MaxBits);
      7'd4:    built = scalar_t'(Slots);
      7'd5:    built = scalar_t'(Round);               // 16 / gcd(16, Bits)
      7'd6:    built = scalar_t'(Bits * Round / 16);
      7'd7:    built = totient_pkg::Version[15:0];
      7'd8:    built = scalar_t'(totient_pkg::Version[23:16]);
      7'd9:    built = scalar_t'(1 << PlaceBits);
      7'd10:   built = scalar_t'(HalfBits);
      default: built = '0;
    endcase
    unique case (does)
      DoesValue:  value = built;
      DoesReason: value = {4'd0, reason_q, 8'd0};
      default:    value = value_i;
    endcase
  end

  index_t [Counts-1:0] wanted;
  assign wanted = operation ? instruction.counts
                            : {{(Counts-1){instruction.b}}, instruction.a};
  always_ff @(posedge clk_i) begin
    write_q <= 1'b0;
    step_q  <= step_q + 4'd1;
    if (state_q == StRead && step_q < 4'(Counts)) index_q <= wanted[step_q];
    if (state_q == StFetch || (state_q == StBusy && outside_i)) watch_q <= '0;
    else watch_q <= watch_q + WatchBits'(1);
    late_q <= watch_q == '1;
    unique case (state_q)
      StStop: begin  // what the datapath has under way runs out
        place_q <= '0;
        step_q  <= '0;
        if (watch_q[$clog2(DrainCycles)]) state_q <= StFetch;
      end
      StFetch: if (step_q == 4'd1) begin
        step_q  <= '0;
        state_q <= StRead;
      end
      StRead: begin
        if (step_q == 4'd3) a_q <= read;
        if (step_q >= 4'd3) counts_q <= {count_t'(read), counts_q[Counts-1:1]};
        unique case (more.sum)
          SumMinus: sum_q <= a_q - read;
          SumAnd:   sum_q <= a_q & read;
          default:  sum_q <= a_q + read;
        endcase
        if (step_q == (operation ? 4'd11 : 4'd4)) state_q <= StWait;
      end
      StWait: if (!waits) state_q <= operation ? StOffer : scalar ? StAdd : StDo;
      StOffer: if (ready_i) begin
        place_q <= place_q + ProgramBits'(1);
        step_q  <= '0;
        state_q <= StFetch;
      end
      StDo: begin
        if (does == DoesSlot) page_q <= SlotBits'(a_q) + SlotBits'(1);
        state_q <= StBusy;
      end
      StBusy: begin
        sum_q <= value;
        if (!busy_i) state_q <= StWrite;
      end
      StAdd: begin
        sum_q   <= sum_q + more.add;
        state_q <= StWrite;
      end
      StWrite: begin
        write_q <= 1'b1;
        zero_q  <= sum_q == '0;
        state_q <= StJump;
      end
      StJump: begin
        place_q <= (scalar && jumps) ? ProgramBits'(more.target) : place_q + ProgramBits'(1);
        step_q  <= '0;
        state_q <= StFetch;
      end
      default: late_q <= 1'b1;
    endcase
    if (stops) begin
      state_q  <= StStop;
      watch_q  <= '0;
      late_q   <= 1'b0;
      reason_q <= abort_i ? totient_pkg::ErrAborted
                : (late_q && random_i) ? ErrRandom : ErrFault;
    end
    if (!rst_ni) begin
      state_q  <= StStop;
      watch_q  <= '0;
      late_q   <= 1'b0;
      page_q   <= '0;
      write_q  <= 1'b0;
      reason_q <= totient_pkg::ErrNone;
    end
  end
  assign datapath_rst_no = state_q != StStop;
  assign stop_o          = state_q == StStop;

  // The datapath.
  function automatic block_t block(paged_t paged);
    return {(BlockBits-PageBlockBits)'(paged[PageBlockBits] ? page_q : SlotBits'(0)),
            paged[PageBlockBits-1:0]};
  endfunction
  assign valid_o = state_q == StOffer;
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
  logic now;
  assign now             = state_q == StDo && other;
  assign clear_signs_o   = now && does == DoesForget;
  assign scan_load_o     = now && does == DoesScanLoad;
  assign scan_o          = now && does == DoesScan;
  assign scan_place_o    = (PlaceBits+1)'(a_q);
  assign scan_bits_o     = (does == DoesScanLoad) ? read[4:0] : a_q[4:0];
  assign collect_o       = now && does == DoesCollect;
  assign collect_pair_o  = instruction.pair;
  assign collect_words_o = count_t'(a_q);

  // engine_transfer.sv.
  assign do_o      = now && does >= DoesGet;
  assign does_o    = does;
  assign pair_o    = instruction.pair;
  assign first_o   = a_q;
  assign second_o  = read;
  assign address_o = AddressBits'(block(instruction.t)) << PlaceBits;
endmodule

`default_nettype wire
