// SPDX-License-Identifier: Apache-2.0
// Proof that the array of engine_datapath gets the numbers that its operations name: two products
// follow each other as fast as they can, with any blocks and any content of the memory. What each
// job reads is what a memory has in which all jobs before have written their results, whether the
// words come from the memory or straight from the end of the array.
//
// The words of results are cut off: they may be any. Lengths are parameters. The proof ends when
// both products have ended.
`default_nettype none

module engine_operands_formal
  import engine_instruction_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Elements = 2,
  parameter int unsigned Words    = 7,  // positions of a pass
  parameter int unsigned Passes   = 1,
  parameter int unsigned Lead     = 0,
  parameter bit          Pair     = 1'b0,
  parameter bit          Common   = 1'b0,
  parameter int unsigned End      = 125  // cycles
) (
  input wire logic   clk_i,
  input wire block_t d0_i, a0_i, b0_i, t0_i, x0_i,  // free: blocks of both products
  input wire block_t d1_i, a1_i, b1_i, t1_i, x1_i,
  input wire logic [1:0] add_i, reduce_i, sync_i
);
  localparam int unsigned Bits        = 2;
  localparam int unsigned PlaceBits   = 3;
  localparam int unsigned AddressBits = 7;
  localparam int unsigned Partial     = 2;
  localparam int unsigned Size        = 2 ** AddressBits;
  localparam int unsigned AWords      = (Elements * Passes > 1) ? Elements * Passes - 1 : 1;
  localparam int unsigned BWords      = Words - 2 - Lead;
  localparam int unsigned TWords      = Words - 1 - Lead;
  localparam int unsigned DWords      = Words - 1;
  localparam int unsigned Streams     = Pair ? 2 : 1;
  localparam int unsigned JobsEach    = Passes * Streams;
  localparam int unsigned Jobs        = 2 * JobsEach;
  localparam int unsigned Reset       = 2 * Elements + 20;  // the array runs empty meanwhile
  typedef logic [Bits-1:0] word_t;

  logic [7:0] cycle_q = '0;
  always_ff @(posedge clk_i) if (cycle_q != '1) cycle_q <= cycle_q + 8'd1;
  logic rst_n;
  assign rst_n = 32'(cycle_q) > Reset;

  // Both products; their blocks stay.
  block_t d_q[2], a_q[2], b_q[2], t_q[2], x_q[2];
  logic [1:0] add_q, reduce_q, sync_q;
  always_ff @(posedge clk_i) begin
    if (cycle_q == '0) begin
      d_q <= '{d0_i, d1_i};
      a_q <= '{a0_i, a1_i};
      b_q <= '{b0_i, b1_i};
      t_q <= '{t0_i, t1_i};
      x_q <= '{x0_i, x1_i};
      {add_q, reduce_q, sync_q} <= {add_i, reduce_i, sync_i};
    end
  end
  logic [1:0] given_q = '0;  // operations that were taken
  logic       ready, place;
  operation_t operation;
  assign place = given_q[0];
  always_comb begin
    operation         = '0;
    operation.pair    = Pair;
    operation.common  = Common;
    operation.sync    = sync_q[place];
    operation.d       = d_q[place];
    operation.a       = a_q[place];
    operation.b       = b_q[place];
    operation.t       = t_q[place];
    operation.x       = x_q[place];
    operation.add     = add_q[place];
    operation.reduce  = reduce_q[place];
    operation.ring    = '0;  // the whole one
    operation.passes  = count_t'(Passes - 1);
    operation.words   = count_t'(Words);
    operation.lead    = count_t'(Lead);
    operation.a_words = count_t'(AWords);
    operation.b_words = count_t'(BWords);
    operation.t_words = count_t'(TWords);
    operation.d_words = count_t'(DWords);
  end
  logic valid;
  assign valid = rst_n && given_q < 2'd2;
  always_ff @(posedge clk_i) if (valid && ready) given_q <= given_q + 2'd1;

  datapath_status_t status;
  window_status_t   window;
  logic [Bits-1:0]  data, again;
  engine_datapath #(
    .Bits(Bits), .Elements(Elements), .PlaceBits(PlaceBits), .AddressBits(AddressBits),
    .Partial(Partial), .Banks(8)
  ) u_dut (
    .clk_i, .rst_ni(rst_n), .valid_i(valid), .operation_i(operation), .ready_o(ready),
    .clear_signs_i(1'b0), .public_only_i(1'b0), .status_o(status), .window_request_i('0),
    .window_status_o(window),
    .write_i(1'b0), .wipe_i(1'b0), .address_i('0), .data_i('0), .read_i('0), .read_address_i('0),
    .data_o(data), .again_o(again)
  );

  // All copies of the memory have the same content at the end of the reset.
  word_t memory_q[Size];
  always_ff @(posedge clk_i) begin
    if (32'(cycle_q) == Reset) begin
      for (int unsigned i = 0; i < Size; i++) begin
        memory_q[i] <= u_dut.u_a.gen_inferred.memory[i];
      end
    end
  end
  logic equal;
  always_comb begin
    equal = 1'b1;
    for (int unsigned i = 0; i < Size; i++) begin
      equal &= u_dut.u_b.gen_inferred.memory[i] == u_dut.u_a.gen_inferred.memory[i];
      equal &= u_dut.u_t.gen_inferred.memory[i] == u_dut.u_a.gen_inferred.memory[i];
      equal &= u_dut.u_x.gen_inferred.memory[i] == u_dut.u_a.gen_inferred.memory[i];
    end
    if (32'(cycle_q) == Reset) assume (equal);
  end

  // Blocks of a pair are even; results between passes have their own.
  function automatic logic fits(block_t block);
    return block < block_t'(Size >> PlaceBits) && (!Pair || !block[0])
           && (block >> 1) != block_t'(Partial / 2);
  endfunction
  always_comb begin
    if (cycle_q == '0) begin
      assume (fits(d0_i) && fits(a0_i) && fits(b0_i) && fits(t0_i) && fits(x0_i));
      // What both streams read is not the destination of the first one.
      assume (!Common || (d0_i != a0_i && d1_i != a1_i));
      assume (fits(d1_i) && fits(a1_i) && fits(b1_i) && fits(t1_i) && fits(x1_i));
    end
  end

  // What each job got, and its result.
  word_t a_got[Jobs][Elements], b_got[Jobs][Words], t_got[Jobs][Words], x_got[Jobs][Words];
  word_t result[Jobs][Words];
  logic [3:0] started_q = '0, done_q = '0;
  logic [4:0] late_q = '0;
  logic       ends;
  assign ends = late_q[4];  // the first word of a result is here
  always_ff @(posedge clk_i) begin
    started_q <= started_q + 4'(u_dut.array_first_q);
    late_q    <= {late_q[3:0], u_dut.array_done};
    done_q    <= done_q + 4'(ends);
    if (!rst_n) {started_q, done_q, late_q} <= '0;
  end
  for (genvar k = 0; k < Jobs; k++) begin : gen_job
    logic [4:0] age_q = '1, end_age_q = '1;
    logic [4:0] age, end_age;
    assign age     = (u_dut.array_first_q && started_q == 4'(k)) ? 5'd0 : age_q;
    assign end_age = (ends && done_q == 4'(k)) ? 5'd0 : end_age_q;
    always_ff @(posedge clk_i) begin
      age_q     <= (age == '1) ? '1 : age + 5'd1;
      end_age_q <= (end_age == '1) ? '1 : end_age + 5'd1;
      for (int unsigned j = 0; j < Words; j++) begin
        if (j < Elements && age == 5'(j)) a_got[k][j] <= u_dut.a;
        if (age == 5'(j)) b_got[k][j] <= u_dut.b;
        if (age == 5'(j + 5)) t_got[k][j] <= u_dut.t_word;
        if (age == 5'(j + 6)) x_got[k][j] <= u_dut.x_word;
        if (end_age == 5'(j)) result[k][j] <= u_dut.tail;
      end
    end
  end

  // The same on one memory, job by job.
  word_t now[Jobs+1][Size];
  always_comb now[0] = memory_q;
  for (genvar k = 0; k < Jobs; k++) begin : gen_check
    localparam int unsigned Op     = k / JobsEach;
    localparam int unsigned Pass   = k % JobsEach / Streams;
    localparam int unsigned Stream = k % Streams;
    localparam bit          Last   = Pass == Passes - 1;
    // Both streams of a pass read what was there before it.
    localparam int unsigned Before = k - Stream;
    function automatic word_t at(block_t block, int unsigned word);
      return now[Before][AddressBits'({block, PlaceBits'(word)})];
    endfunction
    logic   right;
    block_t stream, target;
    assign stream = block_t'(Stream);
    assign target = (Last ? d_q[Op] : block_t'(Partial)) | stream;
    always_comb begin
      right = 1'b1;
      for (int unsigned i = 0; i < Elements; i++) begin
        right &= a_got[k][i] == ((Elements * Pass + i < AWords)
                                 ? at(a_q[Op] | (Common ? '0 : stream), Elements * Pass + i) : '0);
      end
      for (int unsigned j = 0; j < Words; j++) begin
        right &= b_got[k][j] == ((j >= Lead && j - Lead < BWords)
                                 ? at(b_q[Op] | stream, j - Lead) : '0);
        if (Pass == 0) begin
          right &= t_got[k][j] == ((add_q[Op] && j >= Lead && j - Lead < TWords)
                                   ? at(t_q[Op] | stream, j - Lead) : '0);
        end else begin
          right &= t_got[k][j] == ((j < Words - 1) ? at(block_t'(Partial) | stream, j) : '0);
        end
        right &= x_got[k][j] == ((reduce_q[Op] && j < BWords) ? at(x_q[Op] | stream, j) : '0);
      end
    end
    always_comb begin
      now[k+1] = now[k];
      for (int unsigned j = 0; j < (Last ? DWords : Words - 1); j++)
        now[k+1][AddressBits'({target, PlaceBits'(j)})] = result[k][j];
    end
    always_ff @(posedge clk_i) begin
      if (32'(cycle_q) == End) Operands : assert (right);
    end
  end

  // In the end the memory is the same, too.
  logic written;
  always_comb begin
    written = 1'b1;
    for (int unsigned i = 0; i < Size; i++)
      written &= u_dut.u_a.gen_inferred.memory[i] == now[Jobs][i];
  end
  always_ff @(posedge clk_i) begin
    if (32'(cycle_q) == End) begin
      Ended : assert (status.idle && started_q == 4'(Jobs) && done_q == 4'(Jobs));
      Written : assert (written);
    end
  end
endmodule

`default_nettype wire
