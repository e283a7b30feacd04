// SPDX-License-Identifier: Apache-2.0
// Transmitter of a serial line: a start bit (0), 8 data bits, least significant first, a stop bit
// (1). A bit may last a fraction of a cycle longer: the lengths of bits then differ by one cycle,
// and 16 bits take 16 BitCycles + BitSixteenths.
`include "totient_assert.svh"
`default_nettype none

module uart_transmitter #(
  parameter int unsigned BitCycles     = 217,  // clock cycles per bit, >= 2
  parameter int unsigned BitSixteenths = 0     // and sixteenths of one, 0 to 15
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       valid_i,
  output logic       ready_o,
  input  logic [7:0] data_i,
  output logic       tx_o
);
  localparam int unsigned Bit       = 16 * BitCycles + BitSixteenths;  // in sixteenths of a cycle
  localparam int unsigned CountBits = totient_pkg::count_bits(Bit);
  `TOTIENT_REQUIRE(Cycles, BitCycles >= 2, "BitCycles must be at least 2")
  `TOTIENT_REQUIRE(Sixteenths, BitSixteenths <= 15, "BitSixteenths must be at most 15")

  logic [CountBits-1:0] count_q;  // remaining sixteenths of a cycle of the bit
  logic [3:0]           left_q;  // remaining bits
  logic [8:0]           bits_q;  // after the one on the line
  assign ready_o = left_q == '0;

  always_ff @(posedge clk_i) begin
    if (left_q == '0) begin
      if (valid_i) begin
        {bits_q, tx_o} <= {1'b1, data_i, 1'b0};
        left_q         <= 4'd10;
        count_q        <= CountBits'(Bit - 16);
      end
    end else if (count_q >= CountBits'(16)) begin
      count_q <= count_q - CountBits'(16);
    end else begin
      {bits_q, tx_o} <= {1'b1, bits_q};
      left_q         <= left_q - 4'd1;
      count_q        <= count_q + CountBits'(Bit - 16);
    end
    if (!rst_ni) begin
      left_q  <= '0;
      count_q <= '0;
      bits_q  <= '1;
      tx_o    <= 1'b1;
    end
  end

  `TOTIENT_ASSERT_STABLE(InputStable, valid_i, ready_o, data_i)
endmodule

`default_nettype wire
