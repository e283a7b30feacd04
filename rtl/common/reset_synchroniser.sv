// SPDX-License-Identifier: Apache-2.0
// A reset of this clock from an asynchronous request. It is active from 3 cycles after the request
// begins until 18 cycles after it ends. Both ends are edges of the clock.
`default_nettype none

module reset_synchroniser (
  input  logic clk_i,
  input  logic request_i,  // asynchronous, high for at least one cycle
  output logic rst_no
);
  logic       request;
  logic [3:0] left_q;
  synchroniser #(.Bits(1)) u_request (.clk_i, .data_i(request_i), .data_o(request));

  always_ff @(posedge clk_i) begin
    if (request) left_q <= '1;
    else if (left_q != '0) left_q <= left_q - 4'd1;
    rst_no <= !request && left_q == '0;
  end
endmodule

`default_nettype wire
