// SPDX-License-Identifier: Apache-2.0
// Proof of modmul_interleaved without early end: for all moduli, and operands below them, the
// product is a b mod n, after the number of cycles stated in its header.
//
// By induction, with the unreduced product and the subtracted amount as auxiliary variables:
//
//   sum = less = 0;  for each bit a[i] from the top:  sum = 2 sum + a[i] b;  less = 2 less + t n
//
// so that in the end sum = a b, and less is a multiple of n, for every t. The proved invariant is
// p = sum - less and p < n.
`default_nettype none

module modmul_interleaved_formal #(
  parameter int unsigned Width        = 16,
  parameter int unsigned BitsPerCycle = 1
) (
  input wire logic             clk_i,
  input wire logic             reset_ni,
  input wire logic             clear_i,
  input wire logic             valid_i,
  input wire logic [Width-1:0] a_i,
  input wire logic [Width-1:0] b_i,
  input wire logic [Width-1:0] n_i,
  input wire logic             ready_i
);
  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni;
  assign rst_ni = reset_ni && begun_q;

  logic             ready_o, valid_o;
  logic [Width-1:0] product_o;
  modmul_interleaved #(.Width(Width), .BitsPerCycle(BitsPerCycle)) u_dut (.*);

  stream_properties #(.Bits(Width)) u_product (
    .clk_i, .rst_ni, .drop_i(clear_i), .valid_i(valid_o), .ready_i, .data_i(product_o)
  );

  localparam int unsigned Steps     = (Width + BitsPerCycle - 1) / BitsPerCycle;
  localparam int unsigned ScanBits  = Steps * BitsPerCycle;
  localparam int unsigned CountBits = totient_pkg::count_bits(Steps);
  localparam int unsigned MostTimes = 2**(BitsPerCycle + 1) - 2;  // 2 p + b < 3 n
  typedef logic [2*Width+3:0] wide_t;
  logic                 busy_q, valid_q;
  logic [ScanBits-1:0]  a_q;
  logic [Width-1:0]     b_q, n_q;
  logic [CountBits-1:0] left_q;  // remaining steps
  wide_t                sum_q, less_q, raw, times;
  logic [Width-1:0]     product_q, product;  // the last one, until another one is there
  assign product = valid_q ? product_o : product_q;
  assign raw = (wide_t'(u_dut.p_q) << BitsPerCycle)
               + wide_t'(a_q[ScanBits-1-:BitsPerCycle]) * wide_t'(b_q);
  always_comb begin
    times = '0;  // how often n fits into the value to be reduced
    for (int unsigned i = 1; i <= MostTimes; i++)
      if (raw >= wide_t'(n_q) * wide_t'(i)) times = wide_t'(n_q) * wide_t'(i);
  end

  always_ff @(posedge clk_i) begin
    valid_q <= 1'b0;
    if (busy_q) begin
      sum_q   <= (sum_q << BitsPerCycle)
                 + wide_t'(a_q[ScanBits-1-:BitsPerCycle]) * wide_t'(b_q);
      less_q  <= (less_q << BitsPerCycle) + times;
      a_q     <= a_q << BitsPerCycle;
      left_q  <= left_q - CountBits'(1);
      busy_q  <= left_q != CountBits'(1);
      valid_q <= left_q == CountBits'(1);
    end
    if (valid_i && ready_o) begin
      busy_q <= 1'b1;
      a_q    <= ScanBits'(a_i);
      b_q    <= b_i;
      n_q    <= n_i;
      left_q <= CountBits'(Steps);
      {sum_q, less_q} <= '0;
    end
    if (!rst_ni || clear_i) {busy_q, valid_q} <= '0;
    product_q <= (!rst_ni || clear_i) ? '0 : product;

    if (rst_ni && valid_i && ready_o) OperandsBelow : assume (a_i < n_i && b_i < n_i);
    if (busy_q) ModulusHolds : assume (n_i == n_q);
    if (begun_q && rst_ni) begin
      SameSteps : assert (u_dut.busy_q == busy_q && !(busy_q && valid_o));
      if (busy_q) begin
        SameOperands : assert (u_dut.a_q == a_q && u_dut.b_q == b_q && b_q < n_q
                               && 32'(u_dut.left_q) == BitsPerCycle * 32'(left_q)
                               && left_q != '0);
        Reduced : assert (u_dut.p_q < n_q && wide_t'(u_dut.p_q) == sum_q - less_q);
      end
      // What modexp_binary relies on besides.
      Ready : assert (ready_o == (!busy_q && (!valid_o || ready_i)));
      Kept : assert (busy_q || valid_q || product_o == product_q);
      if (valid_q) Product : assert (valid_o && product_o < n_q
                                     && wide_t'(product_o) == sum_q - less_q);
    end
  end
endmodule

`default_nettype wire
