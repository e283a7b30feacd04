// SPDX-License-Identifier: Apache-2.0
// The engine's Montgomery products: the ring's elements in series (engine_element.sv has a step),
// and its end (engine_ring_end.sv). A pass has as many steps as the ring has elements.
//
// A ring may also end earlier: `Taps` has the elements of up to 15 shorter rings, 8 bits each, in
// ascending order from the lowest bits on. `ring_i` is 0 for the whole ring, else the number of a
// shorter one. It may change with the start of a job, if no other one is in progress. The element
// behind the last one of a shorter ring has the digit 0 then: its sums are the result.
// Timing: if start_i is in cycle 0, T[0] is on t_o in cycle 2 steps + 6, from a shorter ring in
//         cycle 2 steps + 8, plus one for each register before the elements that the words go
//         through. `done_o` is high 5 cycles before. `FarLinks` adds a register before element i if
//         bit i is set, for places where neighbours are far apart.
`include "totient_assert.svh"
`default_nettype none

module engine_array
  import engine_pkg::*;
#(
  parameter int unsigned Bits     = 18,
  parameter int unsigned Elements = 4,
  parameter taps_t       Taps     = '0,
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

  // The number of the ring of so many elements; 0: the whole one, or none.
  function automatic int unsigned shorter(int unsigned elements);
    for (int unsigned n = 0; n < MostTaps; n++) begin
      if (elements != 0 && 32'(Taps[8*n+:8]) == elements) return n + 1;
    end
    return 0;
  endfunction

  // Which ring is in use. A job's words take several cycles to its end, so that there is time for a
  // register near the end of each shorter ring.
  logic [MostTaps:0] used_q;
  logic [MostTaps:1] near_q;
  for (genvar n = 0; n <= MostTaps; n++) begin : gen_used
    always_ff @(posedge clk_i) used_q[n] <= ring_i == ring_t'(n);
  end
  always_ff @(posedge clk_i) near_q <= used_q[MostTaps:1];

  // Words of shorter rings, and their jobs' starts. From registers, 0 where there is no ring.
  logic [MostTaps:1][Bits-1:0] tap_word;
  logic [MostTaps:1]           tap_start;

  for (genvar i = 0; i < Elements; i++) begin : gen_element
    localparam int unsigned Last   = shorter(i + 1);  // it is the last one of this ring,
    localparam int unsigned Behind = shorter(i);      // and the one behind the last one of this
    link_t from;
    logic [Bits-1:0] s;
    if (FarLinks[i]) begin : gen_link
      always_ff @(posedge clk_i) from <= to[i];
    end else begin : gen_near
      assign from = to[i];
    end
    engine_element #(.Bits(Bits), .Form(Form), .Chain("gen_element")) u_element (
      .clk_i,
      .start_i(from.start), .a_i(from.a), .b_i(from.b), .x_i(from.x), .t_i(from.t), .p_i(from.p),
      .mute_i(i == Elements - 1 && !used_q[0]),
      .last_i(Last != 0 && near_q[Last]), .behind_i(Behind != 0 && near_q[Behind]),
      .start_o(to[i+1].start), .a_o(to[i+1].a), .b_o(to[i+1].b), .x_o(to[i+1].x),
      .t_o(to[i+1].t), .p_o(to[i+1].p), .s_o(s)
    );
    if (Behind != 0) begin : gen_tap
      logic [Bits-1:0] word_q;
      logic            start_q;
      always_ff @(posedge clk_i) begin
        word_q  <= near_q[Behind] ? s : '0;
        start_q <= near_q[Behind] && from.start;
      end
      assign tap_word[Behind]  = word_q;
      assign tap_start[Behind] = start_q;
    end else begin : gen_no_tap
      logic unused_s;
      assign unused_s = ^s;
    end
  end
  for (genvar n = 1; n <= MostTaps; n++) begin : gen_shorter
    localparam int unsigned Steps = 32'(Taps[8*(n-1)+:8]);
    `TOTIENT_REQUIRE(Tap, Steps < Elements, "a tap must be before the last element")
    if (Steps == 0) begin : gen_none
      assign tap_word[n]  = '0;
      assign tap_start[n] = 1'b0;
    end
  end

  // The result is of the ring in use; there is nothing from others. Four shorter rings each share a
  // register on the way.
  logic [3:0][Bits-1:0] words, words_q;
  logic [Bits-1:0]      other_q, whole;
  logic [1:0]           done_q;
  always_comb begin
    words = '0;
    for (int unsigned n = 1; n <= MostTaps; n++) words[n/4] |= tap_word[n];
  end
  always_ff @(posedge clk_i) begin
    words_q <= words;
    other_q <= words_q[0] | words_q[1] | words_q[2] | words_q[3];
    done_q  <= {done_q[0] || to[Elements].start, tap_start != '0};
  end
  engine_ring_end #(.Bits(Bits)) u_end (
    .clk_i, .active_i(used_q[0]), .t_i(to[Elements].t), .p_i(to[Elements].p), .t_o(whole)
  );
  assign t_o    = whole | other_q;
  assign done_o = done_q[1];
  logic unused_last;
  assign unused_last = ^{to[Elements].a, to[Elements].b, to[Elements].x};
endmodule

`default_nettype wire
