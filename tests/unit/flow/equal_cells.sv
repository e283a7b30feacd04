// SPDX-License-Identifier: Apache-2.0
// The pieces of rtl/prim that are made of hard blocks, once with the models of rtl/prim and once,
// under the names in `..._cells`, with those for netlists, on the same random inputs. An ECP5 memory
// is not read where it is written: that is random in the one, and the old word in the other.
`default_nettype none

module equal_cells (
  input logic aclk,
  input logic aresetn
);
  function automatic logic [15:0][17:0] content();
    for (int unsigned w = 0; w < 16; w++) content[w] = 18'(w * 18'd40503 ^ 18'h2A5A5);
  endfunction

  int unsigned cycle;
  logic [63:0] random;
  always_ff @(posedge aclk) begin
    cycle  <= cycle + 1;
    random <= {$urandom, $urandom};
    if (!aresetn) cycle <= 0;
  end

  for (genvar form = 1; form <= 2; form++) begin : gen_form
    logic [33:0] product, product_cells;
    multiply_registered #(.Bits(17), .Form(form)) u_multiply (
      .clk_i(aclk), .x_enable_i(random[60]), .x_i(random[16:0]), .y_i(random[33:17]),
      .product_o(product)
    );
    multiply_registered_cells #(.Bits(17), .Form(form)) u_multiply_cells (
      .clk_i(aclk), .x_enable_i(random[60]), .x_i(random[16:0]), .y_i(random[33:17]),
      .product_o(product_cells)
    );
    // A factor is taken sooner or later.
    Product : assert property (@(posedge aclk) cycle > 64 |-> product == product_cells)
      else $error("form %0d: a product is %x, of netlists %x", form, product, product_cells);

    logic [17:0] data, data_cells;
    rom_registered #(.Bits(18), .Depth(16), .Form(form), .Content(content())) u_rom (
      .clk_i(aclk), .index_i(random[3:0]), .data_o(data)
    );
    rom_registered_cells #(.Bits(18), .Depth(16), .Form(form), .Content(content())) u_rom_cells (
      .clk_i(aclk), .index_i(random[3:0]), .data_o(data_cells)
    );
    Rom : assert property (@(posedge aclk) cycle > 4 |-> data == data_cells)
      else $error("form %0d: a table's word is %x, of netlists %x", form, data, data_cells);

    // As many words as make each of the widths that a block has.
    for (genvar i = 0; i < 5; i++) begin : gen_memory
      localparam int unsigned Depth = 1024 << i;
      localparam int unsigned Bits = (i == 0) ? 36 : (i == 1) ? 18 : (i == 2) ? 4 : (i == 3) ? 2 : 1;
      localparam int unsigned IndexBits = 10 + i;
      logic [Bits-1:0] read, read_cells;
      logic [IndexBits-1:0] write_index, read_index;
      logic write;
      // All of it is written first, then places next to each other; high address bits change, too.
      assign write = cycle < Depth || random[62:61] == 2'd0;
      assign write_index = (cycle < Depth) ? IndexBits'(cycle)
                           : {random[3+:2], (IndexBits - 6)'(0), random[0+:4]};
      assign read_index = {random[13+:2], (IndexBits - 6)'(0), random[9+:3],
        (form == 1 && write) ? ~write_index[0] : random[8]};
      ram_registered #(.Bits(Bits), .Depth(Depth), .Form(form)) u_ram (
        .clk_i(aclk), .write_i(write), .write_index_i(write_index),
        .write_data_i(Bits'(random >> 16)), .read_index_i(read_index), .read_data_o(read)
      );
      ram_registered_cells #(.Bits(Bits), .Depth(Depth), .Form(form)) u_ram_cells (
        .clk_i(aclk), .write_i(write), .write_index_i(write_index),
        .write_data_i(Bits'(random >> 16)), .read_index_i(read_index), .read_data_o(read_cells)
      );
      Ram : assert property (@(posedge aclk) cycle > Depth + 4 |-> read == read_cells)
        else $error("form %0d, %0d words: one is %x, of netlists %x", form, Depth, read, read_cells);
    end
  end
endmodule

`default_nettype wire
