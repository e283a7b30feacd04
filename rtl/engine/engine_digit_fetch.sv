// SPDX-License-Identifier: Apache-2.0
// Addresses of a number's digits for one copy of the digit memory, as engine_halves_out.sv takes
// them:
//
//   address = 2^(PlaceBits + 1) (block / 2) + index
//
// While a number is sent, the block is the constant `Result`, and the request has no effect on it.
// Each copy has its own index, step and address. `Inverted` registers hold the inverse, so that
// synthesis does not merge them with those of the other copy.
//
// Timing: `go_i` in cycle 0, `read_o` in cycle 1, the address in cycle 2.
`default_nettype none

module engine_digit_fetch
  import engine_packet_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Bits        = 18,  // of a digit
  parameter int unsigned PlaceBits   = 7,   // of a word's place in a block
  parameter int unsigned AddressBits = 13,
  parameter int unsigned Result      = 18,  // block that is sent, even
  parameter bit          Inverted    = 1'b0
) (
  input  logic                   clk_i,
  input  logic                   load_i,   // a number begins
  input  logic                   go_i,     // the next step
  input  logic                   sends_i,  // the number is sent
  input  block_t                 block_i,
  output logic                   read_o,   // the address of the next cycle is one to read
  output logic [AddressBits-1:0] address_o
);
  // The last one of N steps has no digit of its own.
  localparam int unsigned N        = Bits / (Bits - HalfBits);
  localparam int unsigned StepBits = $clog2(N);
  localparam int unsigned HighBits = AddressBits - PlaceBits - 1;
  typedef logic [StepBits-1:0] step_t;
  typedef logic [PlaceBits:0]  index_t;
  typedef logic [HighBits-1:0] high_t;

  logic   go_q, go;
  step_t  step_q, step;
  index_t index_q, index;
  logic [AddressBits-1:0] address_q;
  high_t  high;
  assign go    = go_q ^ Inverted;
  assign step  = step_q ^ {StepBits{Inverted}};
  assign index = index_q ^ {(PlaceBits+1){Inverted}};
  assign high  = sends_i ? high_t'(Result / 2) : high_t'(block_i >> 1);
  always_ff @(posedge clk_i) begin
    go_q <= go_i ^ Inverted;
    if (load_i) begin
      step_q  <= {StepBits{Inverted}};
      index_q <= {block_i[0] ^ Inverted, {PlaceBits{Inverted}}};
    end else if (go) begin
      step_q <= ((step == step_t'(N - 1)) ? '0 : step + step_t'(1)) ^ {StepBits{Inverted}};
      if (step != step_t'(N - 1)) index_q <= (index + index_t'(1)) ^ {(PlaceBits+1){Inverted}};
    end
    address_q <= {high, index} ^ {AddressBits{Inverted}};
  end
  assign read_o    = go;
  assign address_o = address_q ^ {AddressBits{Inverted}};
endmodule

`default_nettype wire
