// SPDX-License-Identifier: Apache-2.0
// Runs the engine's program (engine_program_pkg.sv): hands operations to the datapath, does the
// arithmetic of scalars, and has the other units work, one instruction after the other.
//
// An instruction is 72 bits:
//   71:70 kind
//   product  69 pair, 68 common, 67 sync, 66 window, 65 tabulate, 64 add, 63 reduce, 62 modulus n's X,
//            61:60 which ring, 59:54 d, 53:48 a, 47:42 b, 41:36 t,
//            34:0 scalars: passes, words, lead, a, b, t, d words, 5 bits each
//   words    69 pair, 66:64 action, 63 exponent, else the same
//   scalar   69:68 sum, 67:64 when, 59:54 d, 53:48 a, 47:42 b, 25:16 target, 13:0 add
//   other    69:66 does, 64 pair, 59:54 block, 53:48 first, 47:42 second
// A block's highest bit says that it is in the key's page.
//
// Scalars are in a memory of their own, a page for each key slot; scalar 0 is 0.
// Cycles: a product or an operation on words 13 and until it is taken, a scalar 10, another 8 and what the
//         unit takes.
`include "totient_assert.svh"
`default_nettype none

module engine_control
  import engine_pkg::*;
#(
  parameter int unsigned SlotBits = 1,   // of a key slot's number
  parameter int unsigned Form     = registered_pkg::RegisteredInferred
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  // The datapath.
  output logic       valid_o,
  output operation_t operation_o,
  input  logic       ready_i,
  input  logic       idle_i,
  input  logic       negative_i,     // of stream 0
  input  logic       zero_i,
  input  logic       window_bit_i,
  input  logic       window_busy_i,
  input  logic       window_buffer_i,
  // The other units: `do_o` in the cycle in which one begins; `busy_i` from the next one on.
  output logic       do_o,
  output does_e      does_o,
  output logic       pair_o,
  output block_t     block_o,
  output scalar_t    first_o,
  output scalar_t    second_o,
  input  logic       busy_i,
  input  logic       trap_i,         // the program goes on at TrapTarget
  // Values that the program can read.
  input  scalar_t [15:0] values_i
);
  localparam int unsigned PlaceBits = $clog2(engine_program_pkg::Length);
  localparam int unsigned InstructionBits = 72;

  logic [PlaceBits-1:0]       place_q;
  logic [InstructionBits-1:0] instruction;
  rom_registered #(
    .Bits(InstructionBits), .Depth(engine_program_pkg::Length), .Form(Form),
    .Content(engine_program_pkg::Content)
  ) u_program (
    .clk_i, .index_i(place_q), .data_o(instruction)
  );

  // An instruction is looked up (3 cycles), its scalars are read, and then it is done.
  typedef enum logic [2:0] {StFetch, StRead, StOffer, StAdd, StDo, StBusy} state_e;
  state_e     state_q;
  logic [3:0] step_q;
  kind_e      kind;
  does_e      does;
  assign kind = kind_e'(instruction[71:70]);
  assign does = does_e'(instruction[69:66]);

  // Scalars. Those of an operation are read one after the other, their numbers being shifted out.
  localparam int unsigned Counts = 7;
  logic [SlotBits-1:0]    slot_q;
  logic [5:0]             read_index;
  logic [Counts*5-1:0]    indices_q;
  scalar_t                read, a_q, sum_q, written;
  logic [Counts-1:0][CountBits-1:0] counts_q;
  logic                   write_q, vector, zero_q;
  assign vector     = kind == KindProduct || kind == KindWords;
  assign read_index = vector ? {1'b0, indices_q[Counts*5-1-:5]}
                             : (step_q == '0) ? instruction[53:48] : instruction[47:42];
  ram_registered #(.Bits(ScalarBits), .Depth(64 << SlotBits), .Form(Form)) u_scalars (
    .clk_i, .write_i(write_q), .write_index_i({slot_q, instruction[59:54]}),
    .write_data_i(sum_q), .read_index_i({slot_q, read_index}), .read_data_o(read)
  );
endmodule

`default_nettype wire
