// SPDX-License-Identifier: Apache-2.0
// What the packet unit is asked for, decoded while the control unit still reads the arguments: all
// of it has a register, so `op_o` is a cycle and `entry_o` two cycles behind `request_i`.
`default_nettype none

module engine_packet_decoder
  import engine_instruction_pkg::*;
  import engine_packet_pkg::*;
  import engine_pkg::*;
(
  input  logic            clk_i,
  input  logic            rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */  // the block goes to the memory's address
  input  packet_request_t request_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic            open_i,   // the packet has not ended
  output packet_op_t      op_o,
  output packet_entry_t   entry_o
);
  logic do_q, get_q, byte_q, number_q, drain_q, put_q, put_cycles_q, hold_q, send_q, random_q;
  logic wipe_q, none_q, own_q, pair_q, puts_q, do_own_q, digest_q;
  scalar_t first_q, second_q;
  always_ff @(posedge clk_i) begin
    do_q         <= request_i.start && !request_i.stop && rst_ni;
    do_own_q     <= request_i.start && !request_i.stop && rst_ni && own_q;
    get_q        <= request_i.unit_op == UnitGet;
    byte_q       <= request_i.unit_op == UnitByte;
    number_q     <= request_i.unit_op == UnitNumber;
    drain_q      <= request_i.unit_op == UnitDrain;
    put_q        <= request_i.unit_op == UnitPut;
    put_cycles_q <= request_i.unit_op == UnitPutCycles;
    hold_q       <= request_i.unit_op == UnitStopTimer;
    send_q       <= request_i.unit_op == UnitSend;
    digest_q     <= request_i.unit_op == UnitDigest;
    random_q     <= request_i.unit_op == UnitRandom;
    wipe_q       <= request_i.unit_op == UnitWipe;
    none_q       <= request_i.first == '0;
    own_q        <= request_i.unit_op >= UnitGet;
    puts_q       <= put_q || put_cycles_q;
    pair_q       <= request_i.pair;
    first_q      <= request_i.first;
    second_q     <= request_i.second;
  end
  assign op_o = '{
    starts:     do_q,
    starts_own: do_own_q,
    get:        get_q,
    next_byte:  byte_q,
    number:     number_q,
    put:        put_q,
    put_cycles: put_cycles_q,
    stop_timer: hold_q,
    send:       send_q,
    digest:     digest_q,
    random:     random_q,
    wipe:       wipe_q,
    puts:       puts_q,
    no_bits:    none_q,
    pair:       pair_q,
    first:      first_q,
    second:     second_q
  };

  logic to_get_q, to_drain_q, to_out_q, to_idle_q, to_take_q;
  always_ff @(posedge clk_i) begin
    to_get_q   <= get_q && (open_i || pair_q);
    to_drain_q <= drain_q && open_i;
    to_out_q   <= (send_q || digest_q) && !none_q;
    to_take_q  <= (get_q && pair_q) || ((get_q || (number_q && !none_q) || drain_q) && open_i);
    to_idle_q  <= hold_q || (get_q && !open_i && !pair_q) || (drain_q && !open_i)
               || ((send_q || digest_q) && none_q);
  end
  assign entry_o = '{
    get: to_get_q, drain: to_drain_q, out: to_out_q, idle: to_idle_q, take: to_take_q
  };
endmodule

`default_nettype wire
