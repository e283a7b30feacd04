// SPDX-License-Identifier: Apache-2.0
// Multiplier with two adders, combinational:
//
//   result = x y + u + v + w
//
// Bounds: any x, y, u, v below 2^Bits and w at most 2^Bits; the result is then below
//         2^(2 Bits + 1), and below 2^(2 Bits) if v = 0 and w < 2^Bits.
// Forms (the results are equal, which the tests check):
//   MultiplyInferred  `*`: the tool's choice, a DSP block if there is one
//   MultiplyRows7     no DSP, 7-series carry chains: one row of Bits LUTs for each bit of x, which
//                     also selects y; the bits of w enter at the rows' carry inputs without cost
`include "totient_assert.svh"
`default_nettype none

module multiply_add #(
  parameter int unsigned Bits = 16,                            // of a factor, >= 4
  parameter int unsigned Form = totient_pkg::MultiplyInferred
) (
  input  logic [Bits-1:0] x_i,
  input  logic [Bits-1:0] y_i,
  input  logic [Bits-1:0] u_i,
  input  logic [Bits-1:0] v_i,
  input  logic [Bits:0]   w_i,
  output logic [2*Bits:0] result_o
);
  `TOTIENT_REQUIRE(Form, Form <= totient_pkg::MultiplyRows7, "Form must be 0 or 1")
  `TOTIENT_REQUIRE(Bits, Bits >= 4, "Bits must be at least 4")

  localparam int unsigned ResultBits = 2 * Bits + 1;

  if (Form == totient_pkg::MultiplyRows7) begin : gen_rows
    // Row r adds x[r] y to the sum of the rows above it, from weight r on: Bits positions of sum
    // and two more for carries.
    localparam int unsigned RowBits = Bits + 2;
    logic [Bits:0] sum_uv;
    carry_chain_7series #(.Bits(Bits + 1)) u_uv (
      .carry_i(1'b0), .direct_i({1'b0, u_i}), .propagate_i({1'b0, u_i ^ v_i}), .sum_o(sum_uv)
    );
    for (genvar r = 0; r < Bits; r++) begin : gen_row
      logic [RowBits-1:0] above, term, sum;
      if (r == 0) begin : gen_first
        assign above = RowBits'(sum_uv);
        assign term  = RowBits'({w_i[Bits], x_i[0] ? y_i : Bits'(0)});
      end else begin : gen_next
        assign above = gen_row[r-1].sum >> 1;
        assign term  = RowBits'(x_i[r] ? y_i : Bits'(0));
      end
      carry_chain_7series #(.Bits(RowBits)) u_row (
        .carry_i(w_i[r]), .direct_i(above), .propagate_i(above ^ term), .sum_o(sum)
      );
      if (r < Bits - 1) begin : gen_low
        assign result_o[r] = sum[0];
      end else begin : gen_high
        assign result_o[ResultBits-1:r] = sum;
      end
    end
  end else begin : gen_inferred
    assign result_o = ResultBits'(x_i) * ResultBits'(y_i) + ResultBits'(u_i) + ResultBits'(v_i)
                    + ResultBits'(w_i);
  end
endmodule

`default_nettype wire
