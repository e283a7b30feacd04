// SPDX-License-Identifier: Apache-2.0
// A counter of 24 bits; with Multiplied = 1 two of 8 bits besides, in steps of 3 and 5, and their
// product without registers.
//
// The circuit of the board measurements at github.com/tinyvision-ai-inc/ice40_power, written anew.
module multiplied_counters #(
    parameter int unsigned Multiplied = 1   // 0 or 1
) (
    input  logic aclk,
    input  logic aresetn,
    output logic out
);
    logic [23:0] count;
    logic [7:0]  a, b;
    // No product of two bytes is all ones. Without this attribute a tool may see that and leave the
    // product out.
    (* keep *) logic [15:0] product;

    if (Multiplied > 1) $error("Multiplied is %0d, allowed is 0 or 1", Multiplied);

    always_ff @(posedge aclk) begin
        if (!aresetn) begin
            count <= '0;
            a     <= '0;
            b     <= '0;
        end else begin
            count <= count + 1'b1;
            if (Multiplied != 0) begin
                a <= a + 8'd3;
                b <= b + 8'd5;
            end
        end
    end

    assign product = Multiplied != 0 ? a * b : '0;
    assign out = count[23] | &a | &b | &product;
endmodule
