// SPDX-License-Identifier: Apache-2.0
// Digit-serial carry-save multiplier of gated full adders: a column for each bit of the parallel
// operand y, and a row for each bit of a digit x.
//
//   cell (row, column):  carry, sum = x[row] y[column] + sum in + carry in
//   sum:    from (row - 1, column + 1), in row 0 from the last row a step before
//   carry:  from (row - 1, column),     in row 0 from the last row a step before
//
// The sums of column 0 are the product's digits. With `Reduction`, x is not an input: column 0
// finds it, so that its sum is `digit_i` wherever `low_i` is high (y is odd). x is 0 where `low_i`
// is low.
//
// Bounds:    the array holds the product above the digits already output. It drains to 0 once x has
//            been 0 for as many steps as y has digits.
// Schedule:  digit_serial_pkg. Bit r of `digit_i`, `low_i` and `sum_o` comes row_lag(r) cycles
//            after that of row 0, and y_i[r] is y at that time.
// Columns above 0 are in `Classes` vectors. Class p holds the columns 1 + p, 1 + p + Classes, ...:
// the registers on a digit's path are the same for all columns of a class.
`default_nettype none

module carry_save_array
  import digit_serial_pkg::*;
#(
  parameter bit          Reduction = 1'b0,
  parameter int unsigned Depth     = 16,  // columns of a class, at least 2
  parameter int unsigned DigitBits = 1,
  parameter int unsigned Slots     = 1,
  parameter int unsigned Links     = 0,   // columns between registers on a digit's path; 0: none
  localparam int unsigned Classes = (Links == 0) ? 1 : Links
) (
  input  logic                                         clk_i,
  input  logic [DigitBits-1:0]                         digit_i,
  input  logic [DigitBits-1:0]                         low_i,   // Reduction only
  input  logic [DigitBits-1:0]                         y0_i,    // bit of column 0; Reduction: 1
  input  logic [DigitBits-1:0][Classes-1:0][Depth-1:0] y_i,     // bits of the columns above
  output logic [DigitBits-1:0]                         sum_o
);
  localparam int unsigned First = first_link(DigitBits, Slots);

  // Outputs of row r: column 0's carry; sums and carries of class p at index r Classes + p.
  logic             zero_carry[DigitBits] /* verilator split_var */;
  logic [Depth-1:0] row_sum[DigitBits * Classes] /* verilator split_var */;
  logic [Depth-1:0] row_carry[DigitBits * Classes] /* verilator split_var */;

  for (genvar r = 0; r < DigitBits; r++) begin : gen_row
    localparam int unsigned Above = (r + DigitBits - 1) % DigitBits;
    localparam int unsigned Ways  = row_ways(Above, DigitBits, Slots);

    // Column 0.
    logic x, s_zero, c_zero;
    delay_line #(.Bits(1), .Cycles(Ways - First)) u_zero_sum (
      .clk_i, .data_i(row_sum[Above * Classes][0]), .data_o(s_zero)
    );
    delay_line #(.Bits(1), .Cycles(Ways)) u_zero_carry (
      .clk_i, .data_i(zero_carry[Above]), .data_o(c_zero)
    );
    if (Reduction) begin : gen_find
      logic unused_y0;
      assign unused_y0 = y0_i[r];
      assign x = low_i[r] & (digit_i[r] ^ s_zero ^ c_zero);
      assign sum_o[r] = low_i[r] ? digit_i[r] : s_zero ^ c_zero;
      assign zero_carry[r] = (x & (s_zero | c_zero)) | (s_zero & c_zero);
    end else begin : gen_given
      logic unused_low;
      assign unused_low = low_i[r];
      assign x = digit_i[r];
      assign sum_o[r] = (x & y0_i[r]) ^ s_zero ^ c_zero;
      assign zero_carry[r] = (x & y0_i[r] & (s_zero | c_zero)) | (s_zero & c_zero);
    end

    // The digit's bit along the columns: one element drives a column of each class.
    logic             x_first;
    logic [Depth-1:0] x_line;
    delay_line #(.Bits(1), .Cycles(First)) u_first (.clk_i, .data_i(x), .data_o(x_first));
    if (Links == 0) begin : gen_broadcast
      assign x_line = {Depth{x_first}};
    end else begin : gen_systolic
      logic [Depth-1:1] x_q;
      always_ff @(posedge clk_i) x_q <= x_line[Depth-2:0];
      assign x_line = {x_q, x_first};
    end

    for (genvar p = 0; p < Classes; p++) begin : gen_class
      localparam int unsigned Here = r * Classes + p;
      logic [Depth-1:0] s_in, c_in, s_above;
      assign row_sum[Here]   = (x_line & y_i[r][p]) ^ s_in ^ c_in;
      assign row_carry[Here] = (x_line & y_i[r][p] & (s_in | c_in)) | (s_in & c_in);
      // The column to the left is in the next class. After the last class a register was moved.
      if (p + 1 < Classes) begin : gen_next
        assign s_above = row_sum[Above * Classes + p + 1];
      end else begin : gen_wrap
        assign s_above = row_sum[Above * Classes] >> 1;
      end
      localparam int unsigned Moved = (Links != 0 && p == Classes - 1) ? 1 : 0;
      delay_line #(.Bits(Depth), .Cycles(Ways - Moved)) u_sum (
        .clk_i, .data_i(s_above), .data_o(s_in)
      );
      delay_line #(.Bits(Depth), .Cycles(Ways)) u_carry (
        .clk_i, .data_i(row_carry[Above * Classes + p]), .data_o(c_in)
      );
    end
  end
endmodule

`default_nettype wire
