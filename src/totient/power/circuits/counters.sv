// SPDX-License-Identifier: Apache-2.0
// Counters of 28 bits, side by side, each with a beginning of its own.
//
// The circuit of the board measurements at github.com/tinyvision-ai-inc/ice40_power, written anew.
module counters #(
    parameter int unsigned Counters = 1   // at least 1
) (
    input  logic aclk,
    input  logic aresetn,
    output logic out
);
    localparam int unsigned Bits = 28;

    logic [Counters-1:0][Bits-1:0] count;
    logic [Counters-1:0]           tops;

    if (Counters < 1) $error("Counters is %0d, allowed is 1 up", Counters);

    for (genvar i = 0; i < Counters; i++) begin : gen_counter
        always_ff @(posedge aclk) begin
            if (!aresetn) count[i] <= Bits'(12345 * i);
            else          count[i] <= count[i] + 1'b1;
        end
        assign tops[i] = count[i][Bits-1];
    end

    assign out = ^tops;
endmodule
