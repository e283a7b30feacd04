// SPDX-License-Identifier: Apache-2.0
// Proof of engine_array: a job is the Montgomery steps of totient.engine.machine, for all operands
// within the bounds. With r = 2^Bits, and the digits a[i] of the multiplier:
//
//   s = T + a[i] B
//   T = floor(s / r) + (s mod r) X r^(QuotientDelay - 1)       for i = 0 .. Steps - 1
//
// Two jobs follow each other without a gap. Before them, zeros flow through the array for `Flush`
// cycles, from any contents of its registers. The proof is complete for the two jobs: it ends when
// the second result has left.
//
// Assumed, as the header of engine_element.sv states: no T has more than Words - 1 words; B has
// Words - 1 and X Words - QuotientDelay - 1; words outside a job are 0, digits of a are any.
`default_nettype none

module engine_array_formal
  import engine_instruction_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Bits     = 2,
  parameter int unsigned Elements = 2,
  parameter int unsigned Words    = 8,   // of a job
  parameter taps_t       Taps     = '0,
  parameter bit [127:0]  FarLinks = '0,
  parameter int unsigned Ring     = 0    // in use; 0: the whole one
) (
  input wire logic            clk_i,
  input wire logic [Bits-1:0] a_i,  // free
  input wire logic [Bits-1:0] b_i,
  input wire logic [Bits-1:0] x_i,
  input wire logic [Bits-1:0] t_i
);
  localparam int unsigned Steps = (Ring == 0) ? Elements : 32'(Taps[8*(Ring-1)+:8]);
  // From a job's start to the first word of its result.
  localparam int unsigned Latency =
      2 * Steps + 6 + far(Steps) + (Ring == 0 ? 0 : 2 + 32'(FarLinks[Steps]));
  localparam int unsigned Flush   = 2 * Elements + 20;
  localparam int unsigned Jobs    = 2;
  localparam int unsigned XWords  = Words - QuotientDelay - 1;
  localparam int unsigned Size    = Bits * (Words + 1);  // of a sum
  typedef logic [Size-1:0] number_t;

  logic [7:0] cycle_q = '0;
  always_ff @(posedge clk_i) if (cycle_q != '1) cycle_q <= cycle_q + 8'd1;

  // Is a job in word 0 .. `count` - 1 of a stream that begins `delay` cycles after its start?
  function automatic logic flows(int unsigned delay, int unsigned count);
    flows = 1'b0;
    for (int unsigned k = 0; k < Jobs; k++) begin
      if (32'(cycle_q) >= Flush + k * Words + delay
          && 32'(cycle_q) < Flush + k * Words + delay + count) flows = 1'b1;
    end
  endfunction

  logic            done;
  logic [Bits-1:0] b, x, t, result;
  assign b = flows(0, Words - 1) ? b_i : '0;
  assign x = flows(6, XWords) ? x_i : '0;
  assign t = flows(5, Words - 1) ? t_i : '0;
  engine_array #(
    .Bits(Bits), .Elements(Elements), .Taps(Taps), .FarLinks(FarLinks)
  ) u_dut (
    .clk_i, .ring_i(ring_t'(Ring)), .start_i(flows(0, 1)), .a_i, .b_i(b), .x_i(x), .t_i(t),
    .done_o(done), .t_o(result)
  );

  // Registers between elements before element i.
  function automatic int unsigned far(int unsigned element);
    return $countones(FarLinks & ((128'd1 << element) - 128'd1));
  endfunction

  for (genvar k = 0; k < Jobs; k++) begin : gen_job
    localparam int unsigned Start = Flush + k * Words;
    localparam int unsigned Check = Start + Latency + Words;
    number_t             b_q = '0, x_q = '0, result_q = '0;
    logic [Bits*Steps-1:0] a_q = '0;
    number_t             t_q[Steps+1];  // T before step i, and after the last one
    logic [Steps-1:0]    fits;
    always_ff @(posedge clk_i) begin
      for (int unsigned i = 0; i < Steps; i++)
        if (32'(cycle_q) == Start + i) a_q[Bits*i+:Bits] <= a_i;
      for (int unsigned j = 0; j < Words; j++) begin
        if (32'(cycle_q) == Start + j) b_q[Bits*j+:Bits] <= b;
        if (32'(cycle_q) == Start + 6 + j) x_q[Bits*j+:Bits] <= x;
        if (j != Words - 1 && 32'(cycle_q) == Start + Latency + j)
          result_q[Bits*j+:Bits] <= result;
      end
    end
    for (genvar i = 0; i <= Steps; i++) begin : gen_step
      // What flows to element i: T = t + p r^(QuotientDelay - 1).
      localparam int unsigned First = Start + 2 * i + far(i);
      number_t t_words_q = '0, low_q = '0, high_q = '0;
      always_ff @(posedge clk_i) begin
        for (int unsigned j = 0; j < Words; j++) begin
          if (32'(cycle_q) == First + 5 + j) t_words_q[Bits*j+:Bits] <= u_dut.to[i].t;
          if (j < XWords && 32'(cycle_q) == First + 7 + j) begin
            low_q[Bits*j+:Bits]  <= u_dut.to[i].p[Bits-1:0];
            high_q[Bits*j+:Bits] <= u_dut.to[i].p[2*Bits-1:Bits];
          end
        end
      end
      assign t_q[i] = t_words_q + ((low_q + (high_q << Bits)) << (Bits * (QuotientDelay - 1)));
    end
    for (genvar i = 0; i < Steps; i++) begin : gen_check
      number_t s, next;
      assign s    = t_q[i] + number_t'(a_q[Bits*i+:Bits]) * b_q;
      assign next = (s >> Bits)
                    + ((number_t'(s[Bits-1:0]) * x_q) << (Bits * (QuotientDelay - 1)));
      assign fits[i] = next < number_t'(1) << (Bits * (Words - 1));
      always_ff @(posedge clk_i) begin
        if (32'(cycle_q) == Check) begin
          assume (fits[i]);
          Step : assert (t_q[i+1] == next);
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (32'(cycle_q) == Check) Result : assert (result_q == t_q[Steps]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (32'(cycle_q) >= Flush) Done : assert (done == flows(Latency - 5, 1));
  end
endmodule

`default_nettype wire
