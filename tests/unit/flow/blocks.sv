// SPDX-License-Identifier: Apache-2.0
// A multiplier, a memory and a table out of a device's blocks, behind streams: of a packet, whose
// first word has the factor x in its upper half and whose words have factors y in their lower half,
// each answer is
//
//   x y ^ Content[i],   i the number of words since reset, modulo 16
//
// where the product has been written to a memory and read again. What goes into the blocks is there
// for one cycle, and what comes out is taken in one: a register too many or too few is noticed.
module blocks #(
  parameter int unsigned Form = 0
) (
  input  logic        aclk,
  input  logic        aresetn,
  input  logic [31:0] s_axis_tdata,
  input  logic        s_axis_tvalid,
  output logic        s_axis_tready,
  input  logic        s_axis_tlast,
  output logic [31:0] m_axis_tdata,
  output logic        m_axis_tvalid,
  input  logic        m_axis_tready,
  output logic        m_axis_tlast
);
  localparam logic [15:0][31:0] Content = {16{32'h9E3779B9}} << 3;

  // Cycles since a word was taken: 3 of the multiplier, a write, 2 of the memory, the answer.
  logic [3:0] since_q;
  logic [3:0] index_q, read_index;
  logic first_q, last_q, idle, answering, enable_q;
  logic [15:0] x_q, y_q;
  logic [31:0] product, read, word, answer_q;
  assign idle          = since_q == 4'd0;
  assign answering     = since_q == 4'd8;
  assign s_axis_tready = idle;
  assign m_axis_tvalid = answering;
  assign m_axis_tlast  = last_q;
  assign m_axis_tdata  = answer_q;
  assign read_index    = (since_q == 4'd5) ? index_q : ~index_q;

  multiply_registered #(.Bits(16), .Form(Form)) u_multiply (
    .clk_i(aclk), .x_enable_i(enable_q), .x_i(x_q), .y_i(y_q), .product_o(product)
  );
  ram_registered #(.Bits(32), .Depth(16), .Form(Form)) u_memory (
    .clk_i(aclk), .write_i(since_q == 4'd4), .write_index_i(index_q), .write_data_i(product),
    .read_index_i(read_index), .read_data_o(read)
  );
  rom_registered #(.Bits(32), .Depth(16), .Form(Form), .Content(Content)) u_table (
    .clk_i(aclk), .index_i(read_index), .data_o(word)
  );

  always_ff @(posedge aclk) begin
    enable_q <= 1'b0;
    x_q      <= x_q + 16'h1234;
    y_q      <= y_q + 16'h4321;
    if (since_q == 4'd7) answer_q <= read ^ word;
    if (idle && s_axis_tvalid) begin
      x_q      <= s_axis_tdata[31:16];
      y_q      <= s_axis_tdata[15:0];
      enable_q <= first_q;
      first_q  <= s_axis_tlast;
      last_q   <= s_axis_tlast;
      since_q  <= 4'd1;
    end else if (!idle && !answering) begin
      since_q <= since_q + 4'd1;
    end else if (answering && m_axis_tready) begin
      since_q <= 4'd0;
      index_q <= index_q + 4'd1;
    end
    if (!aresetn) begin
      since_q <= 4'd0;
      index_q <= 4'd0;
      first_q <= 1'b1;
    end
  end
endmodule
