// SPDX-License-Identifier: Apache-2.0
// Proof of modmul_montgomery_radix2 with one bit per cycle: for all operands the right error, or a
// product below n with 2^L product = a b + (a multiple of n), L the bits of n, after the number of
// cycles stated in its header.
//
// By induction, with the sums that entered p, before halving, as auxiliary variables:
//
//   sum = more = 0;  for each bit a[i] below L:  sum = sum + 2^i a[i] b;  more = more + 2^i q n
//
// so that in the end sum = a b, and more is a multiple of n, for every q. The proved invariant is
// 2^i p = sum + more, and p < n + b.
`default_nettype none

module modmul_montgomery_radix2_formal
  import contract_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned Width = 8
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
  error_e           error_o;
  modmul_montgomery_radix2 #(.Width(Width)) u_dut (.*);

  stream_properties #(.Bits(Width + 4)) u_product (
    .clk_i, .rst_ni, .drop_i(clear_i), .valid_i(valid_o), .ready_i, .data_i({error_o, product_o})
  );

  // States of the multiplier.
  localparam logic [2:0] Idle = 3'd0, First = 3'd1, Second = 3'd2, Both = 3'd3, Step = 3'd4,
                         Reduce = 3'd5, Select = 3'd6, Done = 3'd7;
  localparam int unsigned PlaceBits = count_bits(Width + 6);
  localparam int unsigned WideBits  = 2 * Width + 2;
  typedef logic [PlaceBits-1:0] place_t;
  typedef logic [WideBits-1:0]  wide_t;
  logic [Width-1:0] a_q, b_q, n_q;
  wide_t            sum_q, more_q, less_q;  // less: n subtracted at the end
  place_t           place_q, cycles_q;
  logic             pending_q;              // operands were taken, and no product output yet

  place_t length;
  logic   odd, a_below, b_below, good, quotient;
  logic [2:0] state;
  always_comb begin
    length = '0;
    for (int unsigned i = 0; i < Width; i++) if (n_q[i]) length = place_t'(i + 1);
  end
  assign odd      = n_q[0];
  assign a_below  = a_q < n_q;
  assign b_below  = b_q < n_q;
  assign good     = odd && a_below && b_below;
  assign state    = u_dut.state_q;
  assign quotient = u_dut.p_q[0] ^ (u_dut.a_q[0] & b_q[0]);

  always_ff @(posedge clk_i) begin
    if (pending_q && !valid_o) cycles_q <= cycles_q + place_t'(1);
    if (state == Step) begin
      if (u_dut.a_q[0]) sum_q <= sum_q + (wide_t'(b_q) << place_q);
      if (quotient) more_q <= more_q + (wide_t'(n_q) << place_q);
      place_q <= place_q + place_t'(1);
    end
    if (state == Select && u_dut.p_q >= (Width + 1)'(n_q)) less_q <= wide_t'(n_q) << length;
    if (valid_o && ready_i) pending_q <= 1'b0;
    if (valid_i && ready_o) begin
      {a_q, b_q, n_q}         <= {a_i, b_i, n_i};
      {sum_q, more_q, less_q} <= '0;
      place_q   <= '0;
      cycles_q  <= place_t'(1);
      pending_q <= 1'b1;
    end
    if (!rst_ni || clear_i) pending_q <= 1'b0;

    if (begun_q && rst_ni) begin
      Pending : assert (pending_q == (state != Idle));
      if (pending_q) begin
        SameOperands : assert (u_dut.b_q == b_q && u_dut.n_q == n_q && u_dut.a_q == a_q >> place_q
                               && u_dut.left_q == n_q >> place_q);
        Begun : assert ((state >= Step || {place_q, sum_q, more_q} == '0)
                        && (state == Done || less_q == '0));
        unique case (state)
          First: Compared : assert (cycles_q == 1 && u_dut.p_q == (Width + 1)'(a_q)
                                    && u_dut.both_q == ~(Width + 2)'(n_q) && u_dut.add_q == 2'b11
                                    && u_dut.error_q == ErrNone);
          Second: ComparedAgain : assert (cycles_q == 2 && u_dut.p_q == (Width + 1)'(b_q)
                                          && u_dut.both_q == ~(Width + 2)'(n_q)
                                          && u_dut.add_q == 2'b11 && u_dut.below_q == a_below
                                          && u_dut.error_q == ErrNone);
          Both: Added : assert (cycles_q == 3 && u_dut.p_q == (Width + 1)'(b_q)
                                && u_dut.add_q == 2'b10 && u_dut.below_q == b_below
                                && u_dut.error_q == (!odd ? ErrModulusEven
                                                     : a_below ? ErrNone : ErrBaseNotBelow));
          Step: Stepping : assert (good && place_q < length && cycles_q == place_q + 4
                                   && u_dut.add_q == {quotient, u_dut.a_q[0]}
                                   && u_dut.both_q == (Width + 2)'(b_q) + (Width + 2)'(n_q)
                                   && u_dut.error_q == ErrNone);
          Reduce: Reducing : assert (good && place_q == length && cycles_q == length + 4
                                     && u_dut.both_q == ~(Width + 2)'(n_q)
                                     && u_dut.add_q == 2'b11 && u_dut.error_q == ErrNone);
          Select: Selecting : assert (good && place_q == length && cycles_q == length + 5
                                      && u_dut.both_q
                                         == (Width + 2)'(u_dut.p_q) - (Width + 2)'(n_q)
                                      && u_dut.below_q == (u_dut.p_q < (Width + 1)'(n_q))
                                      && u_dut.error_q == ErrNone);
          default: InTime : assert (cycles_q == (good ? length + 6 : 4));
        endcase
        if (state == Step || state == Reduce || state == Select)
          Partial : assert (wide_t'(u_dut.p_q) << place_q == sum_q + more_q
                            && wide_t'(u_dut.p_q) < wide_t'(n_q) + wide_t'(b_q));
        if (state == Done && !good)
          Refused : assert (product_o == '0 && u_dut.p_q == '0
                            && error_o == (odd ? ErrBaseNotBelow : ErrModulusEven));
        if (state == Done && good)
          Product : assert (error_o == ErrNone && u_dut.p_q < (Width + 1)'(n_q)
                            && wide_t'(product_o) << length == sum_q + more_q - less_q);
      end
    end
  end
endmodule

`default_nettype wire
