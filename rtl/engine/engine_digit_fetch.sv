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
  // The last one of N steps has no digit of its own. N - 1 is a power of two.
  localparam int unsigned StepBits = $clog2(Bits / (Bits - HalfBits));
  localparam int unsigned HighBits = AddressBits - PlaceBits - 1;
  typedef logic [StepBits-1:0] step_t;
  typedef logic [PlaceBits:0]  index_t;
  typedef logic [HighBits-1:0] high_t;

  high_t high;
  assign high = sends_i ? high_t'(Result / 2) : high_t'(block_i >> 1);
  if (Inverted) begin : gen_inverted
    logic   stays_q, last;
    step_t  step_q;
    index_t index_q;
    logic [AddressBits-1:0] address_q;
    assign last = !step_q[StepBits-1];
    always_ff @(posedge clk_i) begin
      stays_q <= !go_i;
      if (load_i) begin
        step_q  <= '1;
        index_q <= {!block_i[0], {PlaceBits{1'b1}}};
      end else if (!stays_q) begin
        step_q <= last ? '1 : step_q - step_t'(1);
        if (!last) index_q <= index_q - index_t'(1);
      end
      address_q <= {~high, index_q};
    end
    assign read_o    = !stays_q;
    assign address_o = ~address_q;
  end else begin : gen_plain
    logic   go_q, last;
    step_t  step_q;
    index_t index_q;
    logic [AddressBits-1:0] address_q;
    assign last = step_q[StepBits-1];
    always_ff @(posedge clk_i) begin
      go_q <= go_i;
      if (load_i) begin
        step_q  <= '0;
        index_q <= {block_i[0], {PlaceBits{1'b0}}};
      end else if (go_q) begin
        step_q <= last ? '0 : step_q + step_t'(1);
        if (!last) index_q <= index_q + index_t'(1);
      end
      address_q <= {high, index_q};
    end
    assign read_o    = go_q;
    assign address_o = address_q;
  end
endmodule

`default_nettype wire
