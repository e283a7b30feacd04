// SPDX-License-Identifier: Apache-2.0
// A memory of every width that a block RAM has, and a read-only one, each a block alone.
`default_nettype none
module memories #(
  parameter int unsigned Form = 0,
  parameter logic [1023:0][17:0] Content = '0
) (
  input  wire logic        clk_i,
  input  wire logic        write_i,
  input  wire logic [13:0] write_index_i,
  input  wire logic [17:0] write_data_i,
  input  wire logic [13:0] read_index_i,
  output logic      [17:0] rom_o,
  output logic      [17:0] ram18_o,
  output logic      [8:0]  ram9_o,
  output logic      [3:0]  ram4_o,
  output logic      [1:0]  ram2_o,
  output logic      [0:0]  ram1_o
);
  rom_registered #(.Bits(18), .Depth(1024), .Form(Form), .Content(Content)) u_rom (
    .clk_i, .index_i(read_index_i[9:0]), .data_o(rom_o)
  );
  ram_registered #(.Bits(18), .Depth(1024), .Form(Form)) u_ram18 (
    .clk_i, .write_i, .write_index_i(write_index_i[9:0]), .write_data_i(write_data_i),
    .read_index_i(read_index_i[9:0]), .read_data_o(ram18_o)
  );
  ram_registered #(.Bits(9), .Depth(2048), .Form(Form)) u_ram9 (
    .clk_i, .write_i, .write_index_i(write_index_i[10:0]), .write_data_i(write_data_i[8:0]),
    .read_index_i(read_index_i[10:0]), .read_data_o(ram9_o)
  );
  ram_registered #(.Bits(4), .Depth(4096), .Form(Form)) u_ram4 (
    .clk_i, .write_i, .write_index_i(write_index_i[11:0]), .write_data_i(write_data_i[3:0]),
    .read_index_i(read_index_i[11:0]), .read_data_o(ram4_o)
  );
  ram_registered #(.Bits(2), .Depth(8192), .Form(Form)) u_ram2 (
    .clk_i, .write_i, .write_index_i(write_index_i[12:0]), .write_data_i(write_data_i[1:0]),
    .read_index_i(read_index_i[12:0]), .read_data_o(ram2_o)
  );
  ram_registered #(.Bits(1), .Depth(16384), .Form(Form)) u_ram1 (
    .clk_i, .write_i, .write_index_i, .write_data_i(write_data_i[0]), .read_index_i,
    .read_data_o(ram1_o)
  );
endmodule
`default_nettype wire
