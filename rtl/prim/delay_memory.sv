// SPDX-License-Identifier: Apache-2.0
// Long delay of a fixed number of cycles: data_o[t] = data_i[t - Cycles]. `Pack` samples are joined
// to a word. The words are in a ring in distributed memory. Registers add the cycles that the
// ring's length cannot provide. Short delays consist of registers alone.
//
// There is no reset of the content: `Cycles` cycles with data_i = 0 wipe it.
`include "totient_assert.svh"
`default_nettype none

module delay_memory
  import totient_pkg::*;
#(
  parameter int unsigned Bits   = 1,
  parameter int unsigned Cycles = 1024
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [Bits-1:0] data_i,
  output logic [Bits-1:0] data_o
);
  localparam int unsigned Pack = (Bits >= 16) ? 2 : 32 / Bits;

  // A word is joined in Pack cycles, stays in the ring for Depth times as many, until its entry is
  // written again, and then moves to a register.
  localparam bit          Short = Cycles < 5 * Pack;
  localparam int unsigned Depth = Short ? 1 : (Cycles - 1) / Pack - 1;
  localparam int unsigned Rest  = Short ? 0 : Cycles - 1 - (Depth + 1) * Pack;

  if (Short) begin : gen_registers
    logic unused_reset;
    assign unused_reset = rst_ni;
    delay_line #(.Bits(Bits), .Cycles(Cycles)) u_delay (.clk_i, .data_i, .data_o);
  end else begin : gen_memory
    localparam int unsigned PhaseBits = index_bits(Pack);
    localparam int unsigned IndexBits = index_bits(Depth);

    logic [PhaseBits-1:0]      phase_q;
    logic [IndexBits-1:0]      index_q;
    logic                      turn_q;  // a word is complete
    logic [Bits-1:0]           late;
    logic [Pack-1:0][Bits-1:0] joined_q, read, playing_q;
    delay_line #(.Bits(Bits), .Cycles(Rest)) u_rest (.clk_i, .data_i, .data_o(late));
    ram_distributed #(.Bits(Pack * Bits), .Depth(Depth)) u_ring (
      .clk_i, .write_i(turn_q), .write_index_i(index_q), .write_data_i(joined_q),
      .read_index_i(index_q), .read_data_o(read)
    );
    assign data_o = playing_q[0];
    always_ff @(posedge clk_i) begin
      phase_q   <= (phase_q == PhaseBits'(Pack - 1)) ? '0 : phase_q + PhaseBits'(1);
      turn_q    <= phase_q == PhaseBits'(Pack - 1);
      joined_q  <= {late, joined_q[Pack-1:1]};
      playing_q <= turn_q ? read : playing_q >> Bits;
      if (turn_q) index_q <= (index_q == IndexBits'(Depth - 1)) ? '0 : index_q + IndexBits'(1);
      if (!rst_ni) begin
        phase_q <= '0;
        index_q <= '0;
        turn_q  <= 1'b0;
      end
    end
  end
endmodule

`default_nettype wire
