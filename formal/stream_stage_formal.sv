// SPDX-License-Identifier: Apache-2.0
// Proof of a stage of a stream with up to `Capacity` words in registers: both streams follow their
// rule, and every word passes once, in order, `Capacity` of them in two cycles.
//
// core.svh, in the .sby file, defines CORE, the module with its parameters.
`include "core.svh"
`default_nettype none

module stream_stage_formal #(
  parameter int unsigned Bits     = 4,
  parameter int unsigned Capacity = 2  // 1 or 2
) (
  input wire logic            clk_i,
  input wire logic            reset_ni,
  input wire logic            mark_i,
  input wire logic            valid_i,
  input wire logic [Bits-1:0] data_i,
  input wire logic            ready_i
);
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  logic            ready_o, valid_o;
  logic [Bits-1:0] data_o;
  `CORE u_dut (.*);

  stream_properties #(.Bits(Bits), .Assume(1'b1)) u_in (
    .clk_i, .rst_ni, .drop_i(1'b0), .valid_i, .ready_i(ready_o), .data_i
  );
  stream_properties #(.Bits(Bits)) u_out (
    .clk_i, .rst_ni, .drop_i(1'b0), .valid_i(valid_o), .ready_i, .data_i(data_o)
  );
  logic [totient_pkg::count_bits(Capacity+1)-1:0] unused_level;
  order_properties #(.Bits(Bits), .Capacity(Capacity), .Latency(1)) u_order (
    .clk_i, .rst_ni, .clear_i(1'b0), .mark_i,
    .in_valid_i(valid_i), .in_ready_i(ready_o), .in_data_i(data_i),
    .out_valid_i(valid_o), .out_ready_i(ready_i), .out_data_i(data_o), .level_o(unused_level)
  );

  // If the far side takes every word, the stage is ready: in each cycle that follows one in which
  // it was, or with one register in every second cycle at least.
  logic taken_q = 1'b0;
  always_ff @(posedge clk_i) begin
    taken_q <= rst_ni && ready_i;
    if (rst_ni && taken_q && Capacity == 2 && $past(ready_o)) FullRate : assert (ready_o);
    if (rst_ni && taken_q && $past(rst_ni)) HalfRate : assert (ready_o || $past(ready_o));
  end
endmodule

`default_nettype wire
