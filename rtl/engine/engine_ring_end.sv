// SPDX-License-Identifier: Apache-2.0
// The end of a ring: adds the last element's product q x, which the next element would add.
//
//   T = t + q x r^(QuotientDelay - 1)
//
// Streams, each one word per cycle; cycle 0 is that of the start that leaves the last element:
//   p_i      the product q x[j] in cycle 7 + j
//   t_i      t[j] in cycle 5 + j
//   t_o      T[j] in cycle 6 + j
// While `active_i` is 0, p_i does not count.
`default_nettype none

module engine_ring_end #(
  parameter int unsigned Bits = 18  // of a word
) (
  input  logic              clk_i,
  input  logic              active_i,
  input  logic [Bits-1:0]   t_i,
  input  logic [2*Bits-1:0] p_i,
  output logic [Bits-1:0]   t_o
);
  // Each adder keeps its carry for the next word, as in engine_element.sv.
  function automatic logic [Bits:0] add(logic [Bits-1:0] u, logic [Bits-1:0] v, logic carry);
    return (Bits+1)'(({1'b0, u, 1'b1} + {1'b0, v, carry}) >> 1);
  endfunction
  logic [Bits-1:0] high_q, late_q;
  logic [Bits:0]   product_q, t_q;
  always_ff @(posedge clk_i) begin
    high_q    <= p_i[2*Bits-1:Bits];
    product_q <= add(p_i[Bits-1:0], high_q, product_q[Bits]);
    if (!active_i) begin
      high_q    <= '0;
      product_q <= '0;
    end
    late_q <= product_q[Bits-1:0];
    t_q    <= add(late_q, t_i, t_q[Bits]);
  end
  assign t_o = t_q[Bits-1:0];
endmodule

`default_nettype wire
