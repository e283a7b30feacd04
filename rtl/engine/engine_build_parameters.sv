// SPDX-License-Identifier: Apache-2.0
// What the engine was built with, by number (build_parameter_e), and the elements of its rings by
// theirs; 0 for a number without a meaning. Two cycles from a number to its value.
`default_nettype none

module engine_build_parameters
  import engine_instruction_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Bits          = 18,    // of a digit
  parameter int unsigned Elements      = 4,     // of the array
  parameter taps_t       Taps          = '0,    // of its shorter rings
  parameter int unsigned PlaceBits     = 7,     // of a word's place in a block
  parameter int unsigned MaxBits       = 4096,  // of a modulus
  parameter int unsigned HalfBits      = 2056,  // of a modulus of a pair
  parameter int unsigned Slots         = 1      // for keys
) (
  input  logic             clk_i,
  input  build_parameter_e which_i,
  input  ring_t            ring_i,
  output scalar_t          value_o,
  output logic [7:0]       elements_o  // of ring `ring_i`
);
  // 16 / gcd(16, Bits): the least number with which Bits has a multiple of 16 as product.
  localparam int unsigned Round = (Bits % 2 != 0) ? 16 : (Bits % 4 != 0) ? 8 : (Bits % 8 != 0) ? 4
                                : (Bits % 16 != 0) ? 2 : 1;
  scalar_t          value;
  build_parameter_e which_q;
  ring_t            ring_q;
  always_comb begin
    unique case (which_q)
      BuildDigitBits:      value = scalar_t'(Bits);
      BuildMaxBits:        value = scalar_t'(MaxBits);
      BuildSlots:          value = scalar_t'(Slots);
      BuildRound:          value = scalar_t'(Round);
      BuildRoundDoublings: value = scalar_t'(Bits * Round / 16);
      BuildVersion:        value = contract_pkg::Version[15:0];
      BuildVersionHigh:    value = scalar_t'(contract_pkg::Version[23:16]);
      BuildBlockWords:     value = scalar_t'(1 << PlaceBits);
      BuildHalfBits:       value = scalar_t'(HalfBits);
      default:             value = '0;
    endcase
  end
  always_ff @(posedge clk_i) begin
    which_q    <= which_i;
    value_o    <= value;
    ring_q     <= ring_i;
    elements_o <= ring_elements(ring_q, Taps, 8'(Elements));
  end
endmodule

`default_nettype wire
