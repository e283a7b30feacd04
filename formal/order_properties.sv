// SPDX-License-Identifier: Apache-2.0
// Every word that enters one stream leaves another: once, in order, unchanged, and after at most
// `Latency` cycles without back-pressure, unless that is 0.
//
// One arbitrary word (`mark_i`, free) is followed. The number of words that leave before it must be
// the number inside when it entered. A property of an arbitrary word holds for all words.
`default_nettype none

module order_properties #(
  parameter int unsigned Bits     = 32,
  parameter int unsigned Capacity = 2,  // words inside at most
  parameter int unsigned Latency  = 1,  // cycles from a handshake to the offer; 0: any number
  localparam int unsigned LevelBits = totient_pkg::count_bits(Capacity + 1)
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,
  input wire logic             clear_i,  // all inside is dropped
  input wire logic             mark_i,   // free: follow the word that comes
  input wire logic             in_valid_i,
  input wire logic             in_ready_i,
  input wire logic [Bits-1:0]  in_data_i,
  input wire logic             out_valid_i,
  input wire logic             out_ready_i,
  input wire logic [Bits-1:0]  out_data_i,
  output logic [LevelBits-1:0] level_o   // words inside
);
  localparam int unsigned WaitBits = totient_pkg::count_bits(Latency + 1);
  logic                 taken, given, marked_q;
  logic [LevelBits-1:0] level_q, ahead_q;
  logic [WaitBits-1:0]  wait_q;  // cycles without an offer, though there is a word
  logic [Bits-1:0]      data_q;
  assign taken   = in_valid_i && in_ready_i;
  assign given   = out_valid_i && out_ready_i;
  assign level_o = level_q;

  always_ff @(posedge clk_i) begin
    level_q <= level_q + LevelBits'(taken) - LevelBits'(given);
    wait_q  <= (Latency != 0 && level_q != '0 && !out_valid_i) ? wait_q + WaitBits'(1) : '0;
    if (marked_q && given) begin
      ahead_q <= ahead_q - LevelBits'(1);
      if (ahead_q == '0) marked_q <= 1'b0;
    end
    if (!marked_q && taken && mark_i) begin
      marked_q <= 1'b1;
      ahead_q  <= level_q - LevelBits'(given);
      data_q   <= in_data_i;
    end
    if (!rst_ni || clear_i) begin
      level_q  <= '0;
      wait_q   <= '0;
      marked_q <= 1'b0;
      ahead_q  <= '0;
    end
    if (rst_ni && !clear_i) begin
      NothingFromNowhere : assert (!out_valid_i || level_q != '0);
      NoneTooMany : assert (32'(level_q) + 32'(taken) <= Capacity + 32'(given));
      InOrder : assert (!(marked_q && ahead_q == '0 && out_valid_i) || out_data_i == data_q);
      Offered : assert (Latency == 0 || 32'(wait_q) < Latency);
    end
  end
endmodule

`default_nettype wire
