// SPDX-License-Identifier: Apache-2.0
// Proof of stream_fifo: its output follows the rule of a stream, every word passes once, in order,
// words are accepted while there is room, and no word remains after `clear_i`.
`default_nettype none

module stream_fifo_formal #(
  parameter int unsigned Bits  = 4,
  parameter int unsigned Depth = 4
) (
  input wire logic            clk_i,
  input wire logic            reset_ni,
  input wire logic            mark_i,
  input wire logic [totient_pkg::index_bits(Depth)-1:0] index_i,
  input wire logic            clear_i,
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
  stream_fifo #(.Bits(Bits), .Depth(Depth)) u_dut (
    .clk_i, .rst_ni, .clear_i, .valid_i, .ready_o, .data_i, .valid_o, .ready_i, .data_o
  );

  stream_properties #(.Bits(Bits)) u_out (
    .clk_i, .rst_ni, .drop_i(clear_i), .valid_i(valid_o), .ready_i, .data_i(data_o)
  );
  logic [totient_pkg::count_bits(Depth+1)-1:0] level;
  order_properties #(.Bits(Bits), .Capacity(Depth), .Latency(1)) u_order (
    .clk_i, .rst_ni, .clear_i, .mark_i,
    .in_valid_i(valid_i), .in_ready_i(ready_o), .in_data_i(data_i),
    .out_valid_i(valid_o), .out_ready_i(ready_i), .out_data_i(data_o), .level_o(level)
  );

  logic wiped_q = 1'b0;
  always_ff @(posedge clk_i) begin
    wiped_q <= !rst_ni || clear_i;
    if (rst_ni) TakesWhileRoom : assert (ready_o == (32'(level) != Depth));
    if (wiped_q) Wiped : assert (u_dut.memory[index_i] == '0);
  end
endmodule

`default_nettype wire
