// SPDX-License-Identifier: Apache-2.0
// Proof of packet_fifo: its output follows the rule of a stream, every word passes once, in order
// and with its `last`, the level is exact, words are accepted while there is room, and a wipe ends
// in bounded time and leaves no word.
`default_nettype none

module packet_fifo_formal #(
  parameter int unsigned Bits  = 3,
  parameter int unsigned Depth = 4
) (
  input wire logic            clk_i,
  input wire logic            reset_ni,
  input wire logic            mark_i,
  input wire logic [totient_pkg::index_bits(Depth)-1:0] index_i,
  input wire logic            wipe_i,
  input wire logic            valid_i,
  input wire logic [Bits-1:0] data_i,
  input wire logic            last_i,
  input wire logic            ready_i
);
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  localparam int unsigned LevelBits = totient_pkg::count_bits(Depth + 1);
  logic                 wiping_o, ready_o, valid_o, last_o;
  logic [Bits-1:0]      data_o;
  logic [LevelBits-1:0] level_o, room_o;
  packet_fifo #(.Bits(Bits), .Depth(Depth)) u_dut (
    .clk_i, .rst_ni, .wipe_i, .wiping_o, .valid_i, .ready_o, .data_i, .last_i, .valid_o, .ready_i,
    .data_o, .last_o, .level_o, .room_o
  );

  stream_properties #(.Bits(Bits + 1)) u_out (
    .clk_i, .rst_ni, .drop_i(wipe_i), .valid_i(valid_o), .ready_i, .data_i({last_o, data_o})
  );
  logic [totient_pkg::count_bits(Depth+2)-1:0] level;
  order_properties #(.Bits(Bits + 1), .Capacity(Depth + 1), .Latency(2)) u_order (
    .clk_i, .rst_ni, .clear_i(wipe_i), .mark_i,
    .in_valid_i(valid_i), .in_ready_i(ready_o), .in_data_i({last_i, data_i}),
    .out_valid_i(valid_o), .out_ready_i(ready_i), .out_data_i({last_o, data_o}), .level_o(level)
  );

  // Words promised to be accepted, minus those accepted since.
  logic [LevelBits-1:0]            promised_q = '0;
  logic [totient_pkg::count_bits(Depth+1)-1:0] wiping_q = '0;  // cycles of a wipe
  logic [2**totient_pkg::index_bits(Depth)-1:0] held_q = '0;   // by place in the memory: is in use
  logic                            taken;
  assign taken = valid_i && ready_o;
  always_ff @(posedge clk_i) begin
    promised_q <= (room_o > promised_q ? room_o : promised_q) - LevelBits'(taken);
    wiping_q   <= wiping_o ? wiping_q + 1'b1 : '0;
    if (taken) held_q[u_dut.write_q[totient_pkg::index_bits(Depth)-1:0]] <= 1'b1;
    if (!rst_ni || wipe_i) begin
      promised_q <= '0;
      wiping_q   <= '0;
      held_q     <= '0;
    end
    if (rst_ni) begin
      Level : assert (wiping_o ? level_o == '0 : 32'(level_o) == 32'(level));
      Room : assert (promised_q == '0 || ready_o);
      AllRoom : assert (wiping_o || level != '0 || 32'(room_o) == Depth);
      WipeEnds : assert (!wiping_o || 32'(wiping_q) < Depth);
      WipeIsQuiet : assert (!wiping_o || (!ready_o && !valid_o));
      // No word from before a wipe remains after it.
      if (!wiping_o && !held_q[index_i])
        Wiped : assert (u_dut.u_words.memory[index_i] == '0);
      if (!valid_o) NothingLeft : assert ({last_o, data_o} == '0);
    end
  end
endmodule

`default_nettype wire
