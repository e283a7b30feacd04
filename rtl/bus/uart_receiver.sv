// SPDX-License-Identifier: Apache-2.0
// Receiver of a serial line: a start bit (0), 8 data bits, least significant first, a stop bit (1).
// Each bit is sampled once, in the cycle of its middle. The sender's rate may differ by 4 %, or
// less with few cycles per bit. A bit may last a fraction of a cycle longer: the intervals between
// samples then differ by one cycle, and 16 bits take 16 BitCycles + BitSixteenths.
`include "totient_assert.svh"
`default_nettype none

module uart_receiver #(
  parameter int unsigned BitCycles     = 217,  // clock cycles per bit, >= 4
  parameter int unsigned BitSixteenths = 0     // and sixteenths of one, 0 to 15
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       rx_i,     // asynchronous
  output logic       valid_o,  // for one cycle
  output logic [7:0] data_o,
  output logic       error_o   // no stop bit: the line was held low, or this is not a byte
);
  localparam int unsigned Bit       = 16 * BitCycles + BitSixteenths;  // in sixteenths of a cycle
  localparam int unsigned CountBits = totient_pkg::count_bits(Bit + Bit / 2);
  `TOTIENT_REQUIRE(Cycles, BitCycles >= 4, "BitCycles must be at least 4")
  `TOTIENT_REQUIRE(Sixteenths, BitSixteenths <= 15, "BitSixteenths must be at most 15")

  typedef enum logic [1:0] {StIdle, StBits, StBreak} state_e;
  state_e               state_q;
  logic [CountBits-1:0] count_q;  // sixteenths of a cycle to the next sample
  logic [3:0]           left_q;  // remaining bits, the stop bit included
  logic [7:0]           bits_q;
  logic                 rx, now;
  synchroniser #(.Bits(1)) u_rx (.clk_i, .data_i(rx_i), .data_o(rx));
  assign data_o = bits_q;
  assign now    = count_q < CountBits'(16);

  always_ff @(posedge clk_i) begin
    valid_o <= 1'b0;
    if (!now) count_q <= count_q - CountBits'(16);
    unique case (state_q)
      StIdle: begin
        left_q <= 4'd9;
        if (!rx) begin
          // The edge came up to a cycle ago: the middle of the first data bit is 1.5 bits after it.
          count_q <= CountBits'(Bit + Bit / 2 - 16);
          state_q <= StBits;
        end
      end
      StBits: if (now) begin
        count_q <= count_q + CountBits'(Bit - 16);
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
      valid_o <= 1'b0;
      error_o <= 1'b0;
      bits_q  <= '0;
      count_q <= '0;
      left_q  <= '0;
    end
  end
endmodule

`default_nettype wire
