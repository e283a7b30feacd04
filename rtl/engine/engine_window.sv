// SPDX-License-Identifier: Apache-2.0
// Fixed windows of the exponents, and the powers of the base that they select:
//
//   gathered(stream) = table[window(stream)](stream); every entry of the table is read
//
// - Table: 2^WindowBits entries of a number for each stream (or of one long number), written word
//   by word; entry e is in bank e mod Banks, so that as many entries are read in a cycle, and all
//   of a word in 2^WindowBits / Banks. Of each word the one of the chosen entry is kept by a mask:
//   addresses and time depend on the numbers' length alone.
// - Exponents: a memory for both; `scan_load` goes to a place counted from the least significant
//   word, `scan` takes the next 1 to WindowBits bits below it as the new windows.
// - Collected words go to one of two buffers, so that the multiplication with the window before can
//   go on reading the other one.
// Cycles that `busy` is high: collecting (2^WindowBits / Banks) words + 6 for one stream, twice
// the words for both; `scan_load` Bits - bits + 6, `scan` at most bits + 7.
`include "totient_assert.svh"
`default_nettype none

module engine_window
  import engine_instruction_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned Bits      = 18,
  parameter int unsigned PlaceBits = 7,  // of a word's place in a block
  parameter int unsigned Banks     = 8,  // of the table: 1, 2, 4 or 8
  parameter int unsigned Form      = registered_pkg::RegisteredInferred,
  localparam int unsigned SideBits = PlaceBits + 1
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  // Zeros everywhere, with an index that counts through table and buffers.
  input  logic                           wipe_i,
  input  logic [SideBits+$clog2((1<<WindowBits)/Banks)-1:0] wipe_index_i,
  // Words of table and exponents.
  input  logic                  table_write_i,
  input  logic                  exponent_write_i,
  input  logic [WindowBits-1:0] entry_i,
  input  logic [SideBits-1:0]  place_i,   // {stream or the word's top bit, word}
  input  logic [Bits-1:0]       data_i,
  // Scanning; the windows stay until the next time.
  // Scanning, the windows stay until the next time; collecting.
  input  window_request_t       request_i,
  output window_status_t        status_o,
  // The words gathered, two cycles after their place: {buffer, stream or top bit, word}.
  input  logic [SideBits:0]    read_i,
  output logic [Bits-1:0]       word_o
);
  `TOTIENT_REQUIRE(Bits, Bits <= 31, "Bits must be at most 31")
  `TOTIENT_REQUIRE(Banks, Banks == 1 || Banks == 2 || Banks == 4 || Banks == 8,
                   "Banks must be 1, 2, 4 or 8")
  localparam int unsigned Rows  = (1 << WindowBits) / Banks;
  localparam int unsigned RowBits = $clog2(Rows);
  localparam int unsigned BankBits = $clog2(Banks);

  // All inputs are registered first, the reset included: their paths are long.
  logic                rst_q;
  logic                exponent_write_q, wipe_q, scan_load_q, scan_q, gather_q;
  logic                asked_q;  // one of the last three cycles
  logic                pair_q;
  logic [SideBits-1:0] write_place_q, scan_place_q;
  logic [RowBits-1:0]  write_row_q;
  logic [Banks-1:0]    bank_write_q;
  logic [Bits-1:0]     write_data_q;
  // Bits to shift out, minus one: a negative sign means none.
  localparam int unsigned StepBits = 6;
  logic [StepBits-1:0] scan_todo_q;
  count_t              words_q;  // minus one
  always_ff @(posedge clk_i) begin
    wipe_q           <= wipe_i;
    exponent_write_q <= exponent_write_i || wipe_i;
    for (int unsigned b = 0; b < Banks; b++) begin
      bank_write_q[b] <= wipe_i || (table_write_i
                                    && (entry_i & WindowBits'(Banks - 1)) == WindowBits'(b));
    end
    write_place_q <= wipe_i ? wipe_index_i[SideBits-1:0] : place_i;
    write_row_q   <= wipe_i ? wipe_index_i[SideBits+:RowBits] : entry_i[WindowBits-1-:RowBits];
    write_data_q  <= wipe_i ? '0 : data_i;
    rst_q         <= rst_ni;
    scan_load_q   <= request_i.scan_load && rst_ni;
    scan_q        <= request_i.scan && rst_ni;
    scan_place_q  <= SideBits'(request_i.scan_place);
    scan_todo_q   <= request_i.scan_load ? StepBits'(Bits - 1) - StepBits'(request_i.scan_bits)
                                 : StepBits'(request_i.scan_bits) - StepBits'(1);
    gather_q <= request_i.gather && rst_ni;
    asked_q  <= (request_i.scan_load || request_i.scan || request_i.gather) && rst_ni;
    if (request_i.gather) begin
      pair_q  <= request_i.pair;
      words_q <= request_i.words - count_t'(1);
    end
  end

  // Exponents: the current word of each stream is shifted out from its top.
  logic [3:0]                 read_q;   // addresses of stream 0 and 1, then their words
  logic                       reads_q;  // one of read_q[3:1]
  logic                       step_q;   // bits are shifted out
  logic                       live_q;   // in this cycle, too
  logic                       enter_q;  // into the windows, a cycle later:
  logic                       entered_q;
  logic [1:0]                 bit_q;
  logic [StepBits-1:0]        todo_q;
  logic [Bits:0]              gone_q;   // gone_q[i]: i bits of the current word are shifted out
  logic                       step, finished, empty;
  logic [SideBits-1:0]        place_q;
  logic [1:0][Bits-1:0]       shift_q;
  logic [1:0][WindowBits-1:0] window_q;
  logic [Bits-1:0]            exponent;
  ram_registered #(.Bits(Bits), .Depth(2 ** SideBits), .Form(Form)) u_exponents (
    .clk_i, .write_i(exponent_write_q), .write_index_i(write_place_q),
    .write_data_i(write_data_q),
    .read_index_i(place_q | SideBits'({read_q[1], {PlaceBits{1'b0}}})), .read_data_o(exponent)
  );
  assign finished = todo_q[StepBits-1];
  assign empty    = gone_q[Bits];
  // Computed a cycle before: not finished and not empty.
  assign step     = live_q;
  always_ff @(posedge clk_i) begin
    read_q <= {read_q[2:0], scan_load_q || (step_q && !finished && empty)};
    reads_q <= read_q[2:0] != '0 && rst_q;
    step_q <= scan_q || read_q[3] || step;
    if (scan_q) live_q <= !scan_todo_q[StepBits-1] && !empty;
    else if (read_q[3]) live_q <= !finished;
    else live_q <= step && todo_q != '0 && !gone_q[Bits-1];
    if (scan_load_q) place_q <= scan_place_q;
    else if (read_q[3]) place_q <= place_q - SideBits'(1);
    if (scan_load_q || scan_q) begin
      enter_q <= scan_q;
      todo_q  <= scan_todo_q;
    end else if (step) begin
      todo_q <= todo_q - StepBits'(1);
    end
    if (read_q[3]) gone_q <= (Bits+1)'(1);
    else if (step) gone_q <= gone_q << 1;
    for (int unsigned s = 0; s < 2; s++) begin
      if (read_q[2+s] || step) shift_q[s] <= read_q[2+s] ? exponent : shift_q[s] << 1;
      if (step) bit_q[s] <= shift_q[s][Bits-1];
      if (entered_q) window_q[s] <= {window_q[s][WindowBits-2:0], bit_q[s]};
    end
    entered_q <= step && enter_q;
    if (scan_q) window_q <= '0;
    if (!rst_q) begin
      read_q   <= '0;
      step_q   <= 1'b0;
      live_q   <= 1'b0;
      bit_q    <= '0;
      window_q <= '0;
      shift_q  <= '0;
    end
  end

  // Collecting: addresses, row by row of a word, word by word, one stream after the other. A word
  //             has several rows: a comparison with the last one may come a cycle later.
  logic                run_q, stream_q, buffer_q, last_row_q, last_word_q;
  logic [RowBits-1:0]  row_q;
  count_t              word_q;
  logic [SideBits-1:0] here;
  assign here = SideBits'(word_q) | SideBits'({stream_q, {PlaceBits{1'b0}}});
  always_ff @(posedge clk_i) begin
    if (!rst_q) begin
      run_q    <= 1'b0;
      buffer_q <= 1'b0;
    end else if (gather_q) begin
      run_q    <= 1'b1;
      buffer_q <= !buffer_q;
    end else if (last_row_q && last_word_q && (stream_q || !pair_q)) begin
      run_q <= 1'b0;
    end
    last_word_q <= word_q == words_q;
    last_row_q  <= run_q && row_q == RowBits'(Rows - 2);
    row_q       <= run_q ? row_q + RowBits'(1) : '0;
    if (!run_q) begin
      word_q   <= '0;
      stream_q <= 1'b0;
    end else if (last_row_q) begin
      word_q <= last_word_q ? '0 : word_q + count_t'(1);
      if (last_word_q) stream_q <= 1'b1;
    end
  end

  // Words of all banks, masked by the selected entry.
  logic [Banks-1:0][Bits-1:0] bank, kept_q;
  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    ram_registered #(.Bits(Bits), .Depth(Rows << SideBits), .Form(Form)) u_table (
      .clk_i, .write_i(bank_write_q[b]), .write_index_i({write_row_q, write_place_q}),
      .write_data_i(write_data_q),
      .read_index_i({row_q, here}), .read_data_o(bank[b])
    );
  end
  // Control signals of the words: 2 cycles to the banks' outputs, 2 more to their sum.
  typedef struct packed {
    logic                run;
    logic                first;
    logic                last;
    logic [SideBits-1:0] place;
  } tag_t;
  tag_t [3:0]                  tag_q;
  logic [WindowBits-1:0]       entry_q, chosen_q;
  logic [Banks-1:0]            choose_q;
  logic [(Banks+3)/4-1:0][Bits-1:0] part_q;  // of up to four banks each
  logic [Bits-1:0]             gather_sum_q, parts;
  logic                        keep_q, under_way_q;
  logic [SideBits:0]           index_q;
  always_ff @(posedge clk_i) begin
    tag_q[0] <= '{run_q, row_q == '0, last_row_q, here};
    for (int unsigned i = 1; i < 4; i++) tag_q[i] <= tag_q[i-1];
    if (!rst_q) for (int unsigned i = 0; i < 4; i++) tag_q[i].run <= 1'b0;
    chosen_q <= window_q[stream_q];
    entry_q  <= WindowBits'(row_q) << BankBits;
    for (int unsigned b = 0; b < Banks; b++) begin
      choose_q[b] <= chosen_q == (entry_q | WindowBits'(b));
      kept_q[b]   <= choose_q[b] ? bank[b] : '0;
    end
    for (int unsigned i = 0; i < (Banks + 3) / 4; i++) begin
      part_q[i] <= kept_q[(4*i)%Banks] | kept_q[(4*i+1)%Banks] | kept_q[(4*i+2)%Banks]
                 | kept_q[(4*i+3)%Banks];
    end
    gather_sum_q <= wipe_q ? '0 : (tag_q[3].first ? '0 : gather_sum_q) | parts;
    keep_q       <= wipe_q || (tag_q[3].run && tag_q[3].last);
    index_q      <= wipe_q ? {write_row_q[0], write_place_q} : {buffer_q, tag_q[3].place};
    // A word is on its way to the sum, or was a cycle ago; known a cycle before, for `busy`.
    under_way_q <= (rst_q && (run_q || tag_q[0].run || tag_q[1].run || tag_q[2].run))
                || tag_q[3].run;
  end
  assign parts = part_q[0] | part_q[(Banks-1)/4];
  ram_registered #(.Bits(Bits), .Depth(2 << SideBits), .Form(Form)) u_gathered (
    .clk_i, .write_i(keep_q), .write_index_i(index_q), .write_data_i(gather_sum_q),
    .read_index_i(read_i), .read_data_o(word_o)
  );
  assign status_o = '{
    busy:   asked_q || step_q || read_q[0] || reads_q || run_q || under_way_q,
    buffer: buffer_q,
    window: window_q
  };
endmodule

`default_nettype wire
