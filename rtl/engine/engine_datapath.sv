// SPDX-License-Identifier: Apache-2.0
// Datapath: the digit memory with four read ports, the array, the word unit, and the window unit,
// driven by operations (engine_pkg::operation_t). While it is idle, the memory can be written and
// read from outside.
`include "totient_assert.svh"
`default_nettype none

module engine_datapath
  import engine_instruction_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Bits          = 18,
  parameter int unsigned Elements      = 4,
  parameter taps_t       Taps          = '0,
  parameter bit [127:0]  FarLinks      = '0,
  parameter int unsigned PlaceBits     = 7,   // of a word's index in a block
  parameter int unsigned AddressBits   = 13,  // of the digit memory
  parameter int unsigned Partial       = 0,   // block of the results between passes, even
  parameter int unsigned Banks         = 8,   // of the table of powers: 1, 2, 4 or 8
  parameter int unsigned Form          = registered_pkg::RegisteredInferred
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  // Operations.
  input  logic       valid_i,
  input  operation_t operation_i,
  output logic       ready_o,
  input  logic       clear_signs_i,
  input  logic       public_only_i,  // words of the upper half of a key's page are read as 0, and
                                     // no power of the table
  output datapath_status_t status_o,
  // Windows.
  input  window_request_t window_request_i,
  output window_status_t  window_status_o,
  // The memory from outside, while idle. Two copies are read, each at its own address. A word is
  // there four cycles after its address.
  input  logic                   write_i,
  input  logic                   wipe_i,     // with `write_i`: zeros, here and in the window unit
  input  logic [AddressBits-1:0] address_i,
  input  logic [Bits-1:0]        data_i,
  input  logic [1:0]                  read_i,          // the address of the next cycle is to be
  input  logic [1:0][AddressBits-1:0] read_address_i,  // read
  output logic [Bits-1:0]        data_o,
  output logic [Bits-1:0]        again_o     // from the other copy of the memory
);
  // Jobs.
  logic    job, empty, ahead, settled, result_stream, given, written;
  result_t job_result;
  logic [AddressBits-1:0] a_address, b_address, t_address, x_address;
  logic       a_valid, b_valid, t_valid, x_valid, a_behind, first, last, word, stream;
  ring_t      ring;
  logic       a_forward, b_forward, a_window;
  word_op_e action;
  engine_issue #(
    .Elements(Elements), .Taps(Taps), .PlaceBits(PlaceBits), .AddressBits(AddressBits),
    .Partial(Partial)
  ) u_issue (
    .clk_i, .rst_ni, .valid_i, .operation_i, .ready_o, .empty_o(empty),
    .ahead_i(ahead), .settled_i(settled), .stream_i(result_stream), .written_i(given),
    .read_i, .read_address_i,
    .job_o(job), .job_result_o(job_result),
    .a_address_o(a_address), .b_address_o(b_address), .t_address_o(t_address),
    .x_address_o(x_address), .a_valid_o(a_valid), .b_valid_o(b_valid), .t_valid_o(t_valid),
    .x_valid_o(x_valid), .a_behind_o(a_behind), .first_o(first), .last_o(last), .word_o(word),
    .action_o(action), .stream_o(stream), .ring_o(ring),
    .a_forward_o(a_forward), .b_forward_o(b_forward), .a_window_o(a_window)
  );

  // Results, or words from outside, to the memory and to the window unit.
  typedef struct packed {
    logic                   write;
    logic [AddressBits-1:0] address;
    logic [Bits-1:0]        data;
  } write_t;
  write_t                early, late;
  logic                  table_write, exponent, array_done, word_first_q;
  logic [Bits-1:0]       tail, sum;
  logic [WindowBits-1:0] entry;
  logic [PlaceBits:0]     result_place;
  engine_results #(
    .Bits(Bits), .PlaceBits(PlaceBits), .AddressBits(AddressBits)
  ) u_results (
    .clk_i, .rst_ni, .job_i(job), .job_result_i(job_result), .array_done_i(array_done),
    .array_word_i(tail), .word_soon_i(word_first_q), .word_word_i(sum), .ahead_o(ahead),
    .settled_o(settled), .stream_o(result_stream), .given_o(given), .written_o(written),
    .write_i, .address_i,
    .data_i(wipe_i ? '0 : data_i), .write_o(early.write), .address_o(early.address),
    .data_o(early.data), .late_write_o(late.write), .late_address_o(late.address),
    .late_data_o(late.data), .table_write_o(table_write), .exponent_o(exponent), .entry_o(entry),
    .place_o(result_place)
  );
  logic [1:0] negative, zero;
  assign status_o = '{
    idle:     empty && written && !early.write && !late.write,
    negative: negative,
    zero:     zero
  };

  // Control signals of the words during their read, three cycles.
  typedef struct packed {
    logic  a_valid;
    logic  b_valid;
    logic  t_valid;
    logic  x_valid;
    logic  a_behind;
    logic  a_window;
    logic  first;
    logic  last;
    logic  word;
    word_op_e action;
    logic  stream;
    ring_t ring;
    logic  a_forward;
    logic  b_forward;
  } tag_t;
  /* verilator lint_off UNUSEDSIGNAL */  // not all of it is used to the end
  tag_t [1:0] tag_q;
  /* verilator lint_on UNUSEDSIGNAL */
  // A flipped bit of a block, a count or an address does not lead to a secret number: this is the
  // address that the memory has.
  localparam int unsigned PageBits = PlaceBits + PageBlockBits;
  function automatic logic may_read(logic [AddressBits-1:0] address, logic public_only);
    logic [AddressBits+PageBits-1:0] whole;  // there may be no key's page
    whole = (AddressBits + PageBits)'(address);
    return !(public_only && whole[PageBits-1] && whole >> PageBits != '0);
  endfunction
  logic [1:0] read_q, read_qq;  // of both copies
  logic array_first_q, word_last_q, behind_q, a_forward_q, b_forward_q;
  ring_t ring_q;
  always_ff @(posedge clk_i) begin
    read_q   <= read_i;
    read_qq  <= read_q;
    tag_q[0] <= '{(a_valid || read_qq[0]) && may_read(a_address, public_only_i),
                  b_valid && may_read(b_address, public_only_i),
                  (t_valid || read_qq[1]) && may_read(t_address, public_only_i),
                  x_valid && may_read(x_address, public_only_i), a_behind,
                  a_window, first, last, word, action, stream, ring, a_forward && a_valid,
                  b_forward && b_valid};
    tag_q[1] <= tag_q[0];
    array_first_q <= tag_q[1].first && !tag_q[1].word;
    word_first_q  <= tag_q[1].first && tag_q[1].word;
    word_last_q   <= tag_q[1].last && tag_q[1].word;
    behind_q      <= tag_q[1].a_behind;
    ring_q        <= tag_q[1].ring;
    a_forward_q   <= tag_q[1].a_forward;
    b_forward_q   <= tag_q[1].b_forward;
  end

  // The memory, a copy for each port. A word is output three cycles after its address.
  logic [Bits-1:0] gathered, a_read, b_read, t_read, x_read, a_word, b_word, t_word, x_word;
  ram_registered #(.Bits(Bits), .Depth(2 ** AddressBits), .Form(Form)) u_a (
    .clk_i, .write_i(late.write), .write_index_i(late.address), .write_data_i(late.data),
    .read_index_i(a_address), .read_data_o(a_read)
  );
  ram_registered #(.Bits(Bits), .Depth(2 ** AddressBits), .Form(Form)) u_b (
    .clk_i, .write_i(late.write), .write_index_i(late.address), .write_data_i(late.data),
    .read_index_i(b_address), .read_data_o(b_read)
  );
  ram_registered #(.Bits(Bits), .Depth(2 ** AddressBits), .Form(Form)) u_t (
    .clk_i, .write_i(early.write), .write_index_i(early.address), .write_data_i(early.data),
    .read_index_i(t_address), .read_data_o(t_read)
  );
  ram_registered #(.Bits(Bits), .Depth(2 ** AddressBits), .Form(Form)) u_x (
    .clk_i, .write_i(late.write), .write_index_i(late.address), .write_data_i(late.data),
    .read_index_i(x_address), .read_data_o(x_read)
  );
  always_ff @(posedge clk_i) begin
    a_word <= !tag_q[1].a_valid ? '0 : (tag_q[1].a_window && !public_only_i) ? gathered : a_read;
    b_word <= !tag_q[1].b_valid ? '0 : b_read;
    t_word <= !tag_q[1].t_valid ? '0 : t_read;
    x_word <= !tag_q[1].x_valid ? '0 : x_read;
  end
  assign data_o  = a_word;
  assign again_o = t_word;

  localparam int unsigned WipeBits = PlaceBits + 1 + $clog2((1 << WindowBits) / Banks);
  `TOTIENT_REQUIRE(Wipe, AddressBits >= WipeBits, "AddressBits must reach all of the table")
  logic                wipe_q;  // a register for a long path
  logic [WipeBits-1:0] wipe_index_q;
  always_ff @(posedge clk_i) begin
    wipe_q       <= wipe_i;
    wipe_index_q <= WipeBits'(address_i);
  end
  engine_window #(
    .Bits(Bits), .PlaceBits(PlaceBits), .Banks(Banks), .Form(Form)
  ) u_window (
    .clk_i, .rst_ni, .wipe_i(wipe_q), .wipe_index_i(wipe_index_q), .table_write_i(table_write),
    .exponent_write_i(exponent), .entry_i(entry), .place_i(result_place),
    .data_i(late.data), .request_i(window_request_i), .status_o(window_status_o),
    .read_i((PlaceBits+2)'(a_address)), .word_o(gathered)
  );

  // A word that leaves the array enters it again in the same cycle.
  logic [Bits-1:0] a, b;
  assign a = a_forward_q ? tail : a_word;
  assign b = b_forward_q ? tail : b_word;

  engine_array #(
    .Bits(Bits), .Elements(Elements), .Taps(Taps), .FarLinks(FarLinks), .Form(Form)
  ) u_array (
    .clk_i, .ring_i(ring_q), .start_i(array_first_q), .a_i(a), .b_i(b), .x_i(x_word),
    .t_i(t_word), .done_o(array_done), .t_o(tail)
  );
  engine_word_unit #(.Bits(Bits)) u_words (
    .clk_i, .clear_i(clear_signs_i), .first_i(word_first_q), .last_i(word_last_q),
    .stream_i(tag_q[1].stream), .action_i(tag_q[1].action), .behind_i(behind_q), .u_i(b_word),
    .v_i(a_word), .word_o(sum), .negative_o(negative), .zero_o(zero)
  );
endmodule

`default_nettype wire
