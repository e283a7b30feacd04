// SPDX-License-Identifier: Apache-2.0
// Proof that time and addresses of the engine's datapath depend on no number, by self-composition:
// two copies get the same operations and requests, but different numbers.
//
//   SameStatus   both are ready, idle and busy in the same cycles
//   SameReads    both read the same address of each copy of the digit memory
//   SameWrites   both write the same addresses, in the same cycles, and the same entries of the
//                table of powers
//   SameWindow   both read and write the same words of exponents and powers, in the same cycles
//
// Operands, results, exponents and powers are cut off in both copies: they may have any value, a
// different one in every cycle. Signs and zeros of results are outputs, which may differ. Both
// copies begin with the same content of their registers.
`default_nettype none

module engine_datapath_formal
  import engine_instruction_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Elements    = 2,
  parameter taps_t       Taps        = '0,
  parameter int unsigned Banks       = 8,
  parameter int unsigned Bits        = 18,
  parameter int unsigned PlaceBits   = 3,
  parameter int unsigned AddressBits = 9
) (
  input wire logic                        clk_i,
  input wire logic                        reset_ni,
  input wire logic                        valid_i,
  input wire operation_t                  operation_i,
  input wire logic                        clear_signs_i,
  input wire logic                        public_only_i,
  input wire window_request_t             window_request_i,
  input wire logic                        write_i,
  input wire logic                        wipe_i,
  input wire logic [AddressBits-1:0]      address_i,
  input wire logic [Bits-1:0]             first_data_i,
  input wire logic [Bits-1:0]             second_data_i,
  input wire logic [1:0]                  read_i,
  input wire logic [1:0][AddressBits-1:0] read_address_i
);
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  logic             first_ready, second_ready;
  datapath_status_t first, second;
  window_status_t   first_window, second_window;
  logic [Bits-1:0]  first_word, first_again, second_word, second_again;
  engine_datapath #(
    .Bits(Bits), .Elements(Elements), .Taps(Taps), .PlaceBits(PlaceBits),
    .AddressBits(AddressBits), .Partial(4), .Banks(Banks)
  ) u_first (
    .clk_i, .rst_ni, .valid_i, .operation_i, .ready_o(first_ready), .clear_signs_i,
    .public_only_i, .status_o(first), .window_request_i, .window_status_o(first_window), .write_i,
    .wipe_i,
    .address_i, .data_i(first_data_i), .read_i, .read_address_i, .data_o(first_word),
    .again_o(first_again)
  );
  engine_datapath #(
    .Bits(Bits), .Elements(Elements), .Taps(Taps), .PlaceBits(PlaceBits),
    .AddressBits(AddressBits), .Partial(4), .Banks(Banks)
  ) u_second (
    .clk_i, .rst_ni, .valid_i, .operation_i, .ready_o(second_ready), .clear_signs_i,
    .public_only_i, .status_o(second), .window_request_i, .window_status_o(second_window), .write_i,
    .wipe_i,
    .address_i, .data_i(second_data_i), .read_i, .read_address_i, .data_o(second_word),
    .again_o(second_again)
  );
  logic unused;
  assign unused = ^{first_word, first_again, second_word, second_again, first.negative, first.zero,
                    second.negative, second.zero, first_window.window, second_window.window};

  always_ff @(posedge clk_i) begin
    if (begun_q) begin
      SameStatus : assert (first_ready == second_ready && first.idle == second.idle
                           && first_window.busy == second_window.busy
                           && first_window.buffer == second_window.buffer);
      SameReads : assert (u_first.a_address == u_second.a_address
                          && u_first.b_address == u_second.b_address
                          && u_first.t_address == u_second.t_address
                          && u_first.x_address == u_second.x_address);
      SameWrites : assert (u_first.early.write == u_second.early.write
                           && u_first.early.address == u_second.early.address
                           && u_first.late.write == u_second.late.write
                           && u_first.late.address == u_second.late.address
                           && u_first.table_write == u_second.table_write
                           && u_first.exponent == u_second.exponent
                           && u_first.entry == u_second.entry
                           && u_first.result_place == u_second.result_place);
      SameWindow : assert (u_first.u_window.exponent_write_q == u_second.u_window.exponent_write_q
                           && u_first.u_window.bank_write_q == u_second.u_window.bank_write_q
                           && u_first.u_window.write_place_q == u_second.u_window.write_place_q
                           && u_first.u_window.write_row_q == u_second.u_window.write_row_q
                           && u_first.u_window.place_q == u_second.u_window.place_q
                           && u_first.u_window.row_q == u_second.u_window.row_q
                           && u_first.u_window.here == u_second.u_window.here
                           && u_first.u_window.keep_q == u_second.u_window.keep_q
                           && u_first.u_window.index_q == u_second.u_window.index_q);
    end
  end
endmodule

`default_nettype wire
