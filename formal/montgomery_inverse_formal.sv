// SPDX-License-Identifier: Apache-2.0
// Proof of montgomery_inverse, from any content of its registers on: for all odd n that hold,
//
//   Inverse   n n' is -1 mod 2^WordBits when it is done
//   InTime    it is done WordBits cycles after the start, and stays so until the next one
`default_nettype none

module montgomery_inverse_formal #(
  parameter int unsigned WordBits = 8
) (
  input wire logic                clk_i,
  input wire logic                rst_ni,
  input wire logic                clear_i,
  input wire logic                start_i,
  input wire logic [WordBits-1:0] n_i
);
  logic                done;
  logic [WordBits-1:0] inverse, n_q;
  montgomery_inverse #(.WordBits(WordBits)) u_dut (
    .clk_i, .rst_ni, .clear_i, .start_i, .n_i, .done_o(done), .inverse_o(inverse)
  );

  logic       started_q = 1'b0;
  logic [7:0] cycle_q;  // since the start, 1 in the cycle after it
  logic [WordBits-1:0] below;
  assign below = u_dut.mask_q - WordBits'(1);
  always_ff @(posedge clk_i) begin
    if (32'(cycle_q) <= WordBits) cycle_q <= cycle_q + 8'd1;
    if (start_i) begin
      started_q <= 1'b1;
      cycle_q   <= 8'd1;
      n_q       <= n_i;
    end
    if (!rst_ni || clear_i) started_q <= 1'b0;
    assume (n_i[0] && (start_i || !started_q || done || n_i == n_q));
    if (started_q) begin
      Cycle : assert (cycle_q != '0 && 32'(cycle_q) <= WordBits + 1);
      InTime : assert (done == (32'(cycle_q) > WordBits));
      Inverse : assert (!done || WordBits'(inverse * n_q) == '1);

      // By induction: bits below the mask are decided.
      Mask : assert (u_dut.mask_q == WordBits'(1) << (cycle_q - 8'd1));
      Shifted : assert (u_dut.shifted_q == n_q << (cycle_q - 8'd1));
      Decided : assert ((inverse & ~below) == '0 && (u_dut.product_q & below) == below
                        && u_dut.product_q == WordBits'(inverse * n_q));
    end
  end
endmodule

`default_nettype wire
