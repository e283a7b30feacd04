// SPDX-License-Identifier: Apache-2.0
// Receiver of a serial line: a start bit (0), 8 data bits, least significant first, a stop bit (1).
// Each bit is looked at once, in its middle; the clock may be off by 4 % of the sender's, or less
// with few cycles a bit.
`include "totient_assert.svh"
`default_nettype none

module uart_receiver #(
  parameter int unsigned BitCycles = 217  // clock cycles a bit, >= 4
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       rx_i,     // asynchronous
  output logic       valid_o,  // for one cycle
  output logic [7:0] data_o,
  output logic       error_o   // no stop bit: the line was held low, or this is not a byte
);
  localparam int unsigned CountBits = totient_pkg::count_bits(BitCycles + BitCycles / 2);
  `TOTIENT_REQUIRE(Cycles, BitCycles >= 4, "BitCycles must be at least 4")

  typedef enum logic [1:0] {StIdle, StBits, StBreak} state_e;
  state_e               state_q;
  logic [1:0]           rx_q;  // synchronised
  logic [CountBits-1:0] count_q;
  logic [3:0]           left_q;  // bits to come, the stop bit included
  logic [7:0]           bits_q;
  logic                 rx;
  assign rx     = rx_q[1];
  assign data_o = bits_q;

  always_ff @(posedge clk_i) begin
    rx_q    <= {rx_q[0], rx_i};
    valid_o <= 1'b0;
    if (count_q != '0) count_q <= count_q - CountBits'(1);
    unique case (state_q)
      StIdle: begin
        left_q <= 4'd9;
        if (!rx) begin
          // The edge came up to a cycle ago: the middle of the first data bit is 1.5 bits after it.
          count_q <= CountBits'(BitCycles + BitCycles / 2 - 1);
          state_q <= StBits;
        end
      end
      StBits: if (count_q == '0) begin
        count_q <= CountBits'(BitCycles - 1);
        left_q  <= left_q - 4'd1;
        if (left_q == 4'd1) begin
          valid_o <= 1'b1;
          error_o <= !rx;
          state_q <= rx ? StIdle : StBreak;
        end else begin
          bits_q <= {rx, bits_q[7:1]};
        end
      end
      default: if (rx) state_q <= StIdle;
    endcase
    if (!rst_ni) begin
      state_q <= StBreak;
      rx_q    <= '0;
      valid_o <= 1'b0;
      error_o <= 1'b0;
      bits_q  <= '0;
      count_q <= '0;
      left_q  <= '0;
    end
  end
endmodule

`default_nettype wire
