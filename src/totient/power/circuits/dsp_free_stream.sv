// SPDX-License-Identifier: Apache-2.0
// A stream in front of the modular exponentiation of github.com/susantha-wijesinghe/
// dsp-free-modexp-fpga, in place of its UART: the same three operand registers, filled by shifting.
//
// Words of 32 bits, the highest first: base, exponent, modulus. The answer is one word: the
// exclusive or of the result's words.
module dsp_free_stream #(
    parameter N = 64   // bits of an operand, a multiple of 32
) (
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    input  wire [31:0] s_axis_tdata,
    input  wire        s_axis_tlast,
    output reg         m_axis_tvalid,
    input  wire        m_axis_tready,
    output reg  [31:0] m_axis_tdata,
    output wire        m_axis_tlast
);
    reg  [3*N-1:0] operands;
    reg            start, busy;
    wire           done;
    wire [N-1:0]   result;
    wire [63:0]    cycles;

    assign s_axis_tready = !busy;
    assign m_axis_tlast = 1'b1;

    always @(posedge aclk) begin
        start <= 1'b0;
        if (s_axis_tvalid && s_axis_tready) begin
            operands <= {operands[3*N-33:0], s_axis_tdata};
            start <= s_axis_tlast;
            busy <= s_axis_tlast;
        end
        if (done) m_axis_tvalid <= 1'b1;
        if (m_axis_tvalid && m_axis_tready) begin
            m_axis_tvalid <= 1'b0;
            busy <= 1'b0;
        end
        if (!aresetn) begin
            operands <= 0;
            start <= 1'b0;
            busy <= 1'b0;
            m_axis_tvalid <= 1'b0;
        end
    end

    integer word;
    always @(*) begin
        m_axis_tdata = 0;
        for (word = 0; word < N / 32; word = word + 1)
            m_axis_tdata = m_axis_tdata ^ result[32*word +: 32];
    end

    my_sarme_top #(.N(N), .CNT_WIDTH(64)) core (
        .clk(aclk),
        .reset(!aresetn),
        .start(start),
        .base(operands[3*N-1 -: N]),
        .exponent(operands[2*N-1 -: N]),
        .modulus(operands[N-1:0]),
        .result(result),
        .cycles(cycles),
        .done(done)
    );
endmodule
