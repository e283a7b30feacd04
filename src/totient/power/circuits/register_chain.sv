// SPDX-License-Identifier: Apache-2.0
// A chain of registers whose first one changes in every clock cycle: q[i] <= q[i-1], q[0] <= !q[0].
//
// The circuit of the board measurements at github.com/targeted/fpga-reg-power, written anew.
module register_chain #(
    parameter int unsigned Registers = 1000   // of the chain, at least 2
) (
    input  logic aclk,
    input  logic aresetn,
    output logic out
);
    logic [Registers-1:0] q;

    if (Registers < 2) $error("Registers is %0d, allowed is 2 up", Registers);

    always_ff @(posedge aclk) begin
        if (!aresetn) q <= '0;
        else          q <= {q[Registers-2:0], !q[0]};
    end

    assign out = q[Registers-1];
endmodule
