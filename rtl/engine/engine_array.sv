// SPDX-License-Identifier: Apache-2.0
// The engine's Montgomery products: the ring's elements in series (engine_element.sv has a step). A
// pass is `Elements` steps of a product, or `ShortElements` steps for the numbers of short keys.
//
// The short part consists of the first and the last ShortElements/2 elements. In a folded
// placement, with element i beside element Elements-1-i, its two ends and its shortcut are close to
// each other.
// Timing: if start_i is in cycle 0, t'[0] is on t_o in cycle 2 steps + 5, plus one for each
//         register between elements. `done_o` is high 5 cycles before. `FarLinks` adds a register
//         before element i if bit i is set, for places where neighbours are far apart. There is
//         always one before the shortcut's end.
`include "totient_assert.svh"
`default_nettype none

module engine_array #(
  parameter int unsigned Bits          = 18,
  parameter int unsigned Elements      = 4,
  parameter int unsigned ShortElements = 0,   // even, below Elements; 0: no short part
  parameter bit [127:0]  FarLinks      = '0,
  parameter int unsigned Form          = registered_pkg::RegisteredInferred
) (
  input  logic            clk_i,
  input  logic            short_i,   // while no job is in progress
  input  logic            start_i,
  input  logic [Bits-1:0] a_i,
  input  logic [Bits-1:0] b_i,
  input  logic [Bits-1:0] x_i,
  input  logic [Bits-1:0] t_i,
  output logic            done_o,
  output logic [Bits-1:0] t_o
);
  `TOTIENT_REQUIRE(Elements, Elements >= 1 && Elements <= 128, "Elements must be 1 to 128")
  `TOTIENT_REQUIRE(Short, ShortElements % 2 == 0 && (ShortElements == 0
                   || (ShortElements >= 4 && ShortElements < Elements)),
                   "ShortElements must be even, 0 or 4 to below Elements")

  // The last element of the short part's first half, and the first one of its second half.
  localparam int unsigned Leave = ShortElements / 2 - 1;
  localparam int unsigned Enter = Elements - ShortElements / 2;

  typedef struct packed {
    logic            start;
    logic [Bits-1:0] a;
    logic [Bits-1:0] b;
    logic [Bits-1:0] x;
    logic [Bits-1:0] t;
  } link_t;
  link_t to[Elements+1];
  assign to[0] = '{start_i, a_i, b_i, x_i, t_i};
  assign done_o = to[Elements].start;
  assign t_o    = to[Elements].t;

  if (ShortElements == 0) begin : gen_whole
    logic unused_short;
    assign unused_short = short_i;
  end

  for (genvar i = 0; i < Elements; i++) begin : gen_element
    link_t from;
    if (ShortElements != 0 && i == Enter) begin : gen_shortcut
      always_ff @(posedge clk_i) from <= short_i ? to[Leave+1] : to[i];
    end else if (FarLinks[i]) begin : gen_link
      always_ff @(posedge clk_i) from <= to[i];
    end else if (ShortElements != 0 && i == Leave + 1) begin : gen_leave
      // Data of the short part stops here.
      always_comb begin
        from       = to[i];
        from.start = to[i].start && !short_i;
      end
    end else begin : gen_near
      assign from = to[i];
    end
    engine_element #(.Bits(Bits), .Form(Form), .Chain("gen_element")) u_element (
      .clk_i,
      .start_i(from.start), .a_i(from.a), .b_i(from.b), .x_i(from.x), .t_i(from.t),
      .start_o(to[i+1].start), .a_o(to[i+1].a), .b_o(to[i+1].b), .x_o(to[i+1].x),
      .t_o(to[i+1].t)
    );
  end
endmodule

`default_nettype wire
