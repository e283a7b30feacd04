// SPDX-License-Identifier: Apache-2.0
// Clock cycles from a request's last word to UnitStopTimer, modulo 2^32. An operation that takes
// 2^31 of them is a fault.
`default_nettype none

module engine_packet_timer
  import engine_packet_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        stop_i,       // what is under way is given up
  /* verilator lint_off UNUSEDSIGNAL */  // not all of it concerns the timer
  input  packet_op_t  op_i,
  input  state_t      state_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic        took_last_i,  // a cycle ago a packet's last word was taken
  output logic [31:0] cycles_o,
  output logic        endless_o     // too many
);
  logic        counts_q;
  logic [31:0] cycles_q;
  always_ff @(posedge clk_i) begin
    if (took_last_i) begin
      counts_q <= 1'b1;
      cycles_q <= 32'd2;
    end else if (counts_q) begin
      counts_q <= !(state_i[StBegin] && op_i.stop_timer) && !stop_i;
      cycles_q <= cycles_q + 32'd1;
    end
    endless_o <= counts_q && cycles_q[31] && !state_i[StGet];
    if (!rst_ni) begin
      counts_q  <= 1'b0;
      endless_o <= 1'b0;
      cycles_q  <= '0;
    end
  end
  assign cycles_o = cycles_q;
endmodule

`default_nettype wire
