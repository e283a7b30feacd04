// SPDX-License-Identifier: Apache-2.0
// The engine's Montgomery products: the ring's elements in series (engine_element.sv has a step),
// and its end (engine_ring_end.sv). A pass has as many steps as the ring has elements.
//
// A ring may also end earlier: `Taps` has the elements of up to four shorter rings, 8 bits each, in
// ascending order from the lowest bits on. The words of a shorter ring go through the whole ring's
// end. `ring_i` is 0 for the whole ring, else the number of a tap.
// Timing: if start_i is in cycle 0, T[0] is on t_o in cycle 2 steps + 6, from a shorter ring in
//         cycle 2 steps + 10, plus one for each register between elements. `done_o` is high 5
//         cycles before. `FarLinks` adds a register before element i if bit i is set, for places
//         where neighbours are far apart.
`include "totient_assert.svh"
`default_nettype none

module engine_array
  import engine_pkg::*;
#(
  parameter int unsigned Bits     = 18,
  parameter int unsigned Elements = 4,
  parameter bit [31:0]   Taps     = '0,
  parameter bit [127:0]  FarLinks = '0,
  parameter int unsigned Form     = registered_pkg::RegisteredInferred
) (
  input  logic            clk_i,
  input  ring_t           ring_i,    // stays while a job is in progress
  input  logic            start_i,
  input  logic [Bits-1:0] a_i,
  input  logic [Bits-1:0] b_i,
  input  logic [Bits-1:0] x_i,
  input  logic [Bits-1:0] t_i,
  output logic            done_o,
  output logic [Bits-1:0] t_o
);
  `TOTIENT_REQUIRE(Elements, Elements >= 1 && Elements <= 128, "Elements must be 1 to 128")

  typedef struct packed {
    logic              start;
    logic [Bits-1:0]   a;
    logic [Bits-1:0]   b;
    logic [Bits-1:0]   x;
    logic [Bits-1:0]   t;
    logic [2*Bits-1:0] p;
  } link_t;
  link_t to[Elements+1];
  assign to[0] = '{start_i, a_i, b_i, x_i, t_i, '0};

  // The number of the ring that ends before element i; 0: none.
  function automatic int unsigned tap(int unsigned element);
    for (int unsigned n = 0; n < MostTaps; n++) begin
      if (32'(Taps[8*n+:8]) == element) return n + 1;
    end
    return 0;
  endfunction

  // Which ring is in use. A job's words take several cycles to its end.
  logic whole_q;
  always_ff @(posedge clk_i) whole_q <= ring_i == '0;

  for (genvar i = 0; i < Elements; i++) begin : gen_element
    localparam bit Last = i == Elements - 1;
    link_t from;
    if (FarLinks[i]) begin : gen_link
      always_ff @(posedge clk_i) begin
        from <= to[i];
        if (i != 0 && tap(i) != 0 && ring_i == ring_t'(tap(i))) from.start <= 1'b0;
      end
    end else if (i != 0 && tap(i) != 0) begin : gen_leave
      // Jobs of the shorter ring stop here.
      always_comb begin
        from       = to[i];
        from.start = to[i].start && ring_i != ring_t'(tap(i));
      end
    end else begin : gen_near
      assign from = to[i];
    end
    engine_element #(.Bits(Bits), .Form(Form), .Chain("gen_element")) u_element (
      .clk_i,
      .start_i(from.start), .a_i(from.a), .b_i(from.b), .x_i(from.x), .t_i(from.t), .p_i(from.p),
      .mute_i(Last && !whole_q),
      .start_o(to[i+1].start), .a_o(to[i+1].a), .b_o(to[i+1].b), .x_o(to[i+1].x),
      .t_o(to[i+1].t), .p_o(to[i+1].p)
    );
  end

  // The words of shorter rings, and their jobs' ends, on their way to the whole ring's end.
  logic [MostTaps-1:0]           tap_start;
  logic [MostTaps-1:0][Bits-1:0] tap_word;
  for (genvar n = 0; n < MostTaps; n++) begin : gen_tap
    localparam int unsigned Steps = 32'(Taps[8*n+:8]);
    if (Steps != 0) begin : gen_ring
      `TOTIENT_REQUIRE(Tap, Steps < Elements, "a tap must be before the last element")
      logic            active_q;
      logic [Bits-1:0] word;
      always_ff @(posedge clk_i) active_q <= ring_i == ring_t'(n + 1);
      engine_ring_end #(.Bits(Bits)) u_end (
        .clk_i, .active_i(active_q), .t_i(to[Steps].t), .p_i(to[Steps].p), .other_i('0),
        .t_o(word)
      );
      assign tap_word[n]  = active_q ? word : '0;
      assign tap_start[n] = active_q && to[Steps].start;
    end else begin : gen_none
      assign tap_word[n]  = '0;
      assign tap_start[n] = 1'b0;
    end
  end
  logic [Bits-1:0] word, other_q, other_qq;
  logic [4:0]      done_q;
  always_comb begin
    word = '0;
    for (int unsigned n = 0; n < MostTaps; n++) word |= tap_word[n];
  end
  always_ff @(posedge clk_i) begin
    other_q  <= word;
    other_qq <= other_q;
    done_q   <= {done_q[3] || to[Elements].start, done_q[2:0], tap_start != '0};
  end
  engine_ring_end #(.Bits(Bits)) u_end (
    .clk_i, .active_i(whole_q), .t_i(to[Elements].t), .p_i(to[Elements].p),
    .other_i(other_qq), .t_o
  );
  assign done_o = done_q[4];
  logic unused_last;
  assign unused_last = ^{to[Elements].a, to[Elements].b, to[Elements].x};
endmodule

`default_nettype wire
