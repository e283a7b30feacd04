// SPDX-License-Identifier: Apache-2.0
// Random words for a core behind a face that has no source of them: a packet with a command of its
// own (docs/contracts.md, "random words") brings some, a memory keeps them, and `random_*` gives
// them to the core. All other packets go to the core as they are, and its answers back, in order.
//
// A packet of random words waits until the core has answered what came before and takes the next
// packet (`request_tready`); until its answer has begun its way out, the core is given none but one
// that was on its way to the output. Either all words of a packet are kept, or none: then ErrLength
// tells of too many, ErrCommand of a first word whose other bits are not 0.
//
// Each word is given once. It is overwritten in the memory when it goes on to the output, and there
// when it has been taken. A packet whose command is `clear` wipes all words when the core takes it,
// and is answered when that has ended: `Depth` and 1 cycles. So does a reset.
//
// One word comes in every three cycles, so that what becomes of it is a register; one goes out
// every four cycles. Requests and responses pass two registers that cut every path, and take a
// cycle longer in each direction for it.
`include "totient_assert.svh"
`default_nettype none

module random_words
  import totient_pkg::*;
#(
  parameter int unsigned Depth = 512,  // words that are kept, a power of two, 2 to 16384
  parameter int unsigned Form  = 0     // of the memory: rtl/prim/ram_registered.sv
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // The face.
  input  logic [31:0] s_axis_tdata,
  input  logic        s_axis_tvalid,
  output logic        s_axis_tready,
  input  logic        s_axis_tlast,
  output logic [31:0] m_axis_tdata,
  output logic        m_axis_tvalid,
  input  logic        m_axis_tready,
  output logic        m_axis_tlast,

  // The core. Between two packets it is ready only when it has answered the first one.
  output logic [31:0] request_tdata,
  output logic        request_tvalid,
  input  logic        request_tready,
  output logic        request_tlast,
  input  logic [31:0] response_tdata,
  input  logic        response_tvalid,
  output logic        response_tready,
  input  logic        response_tlast,
  output logic [31:0] random_tdata,
  output logic        random_tvalid,
  input  logic        random_tready
);
  localparam int unsigned IndexBits = index_bits(Depth);
  `TOTIENT_REQUIRE(Depth, Depth >= 2 && Depth <= 16384 && (1 << IndexBits) == Depth,
                   "Depth must be a power of two, 2 to 16384")

  localparam logic [7:0] CmdRandomWords = 8'd10;  // of an engine's packets the next one

  typedef logic [IndexBits:0]   place_t;  // one bit more than an index tells full from empty
  typedef logic [IndexBits-1:0] index_t;
  typedef enum logic [1:0] {StPass, StTake, StUndo, StAnswer} state_e;
  state_e state_q;

  // Requests come from a register.
  logic [31:0] word;
  logic        there, take, last, first_q, random, clear, begins;
  logic        has_random, has_clear, has_more;  // what a word would be as a packet's first one
  // Nothing changes, has changed in the cycle before, and in both before this one: so `full_q`, and
  // what is from it, is of now.
  logic        calm, calm_q, settled_q;
  stream_register #(.Bits(36)) u_request (
    .clk_i, .rst_ni,
    .valid_i(s_axis_tvalid), .ready_o(s_axis_tready),
    .data_i({s_axis_tdata[7:0] == CmdRandomWords, s_axis_tdata[7:0] == CmdClear,
             s_axis_tdata[31:8] != '0, s_axis_tlast, s_axis_tdata}),
    .valid_o(there), .ready_i(take), .data_o({has_random, has_clear, has_more, last, word})
  );
  assign random         = first_q && has_random;
  assign clear          = request_tvalid && request_tready && first_q && has_clear;
  assign request_tdata  = word;
  assign request_tlast  = last;
  assign request_tvalid = state_q == StPass && there && !random;
  assign take           = (state_q == StTake && settled_q)
                          || (state_q == StPass && !random && request_tready);

  // The memory. Words up to `end_q` are those to be given, from there to `write_q` those of the
  // packet that comes in. While it is wiped, `write_q` goes through it. What is known of
  // them are registers, which follow a cycle later, and two for the answer.
  place_t read_q, end_q, write_q, held_q, kept_q, room_q;
  error_e error_q;
  logic   wiping_q, whole_q, fetch, fetching_q, fetched_q, some_q, full_q;
  logic   fits_q, over_q, store, undo;
  logic [31:0] oldest;
  assign begins = state_q == StPass && there && random && request_tready && !wiping_q;
  assign fetch  = state_q == StPass && !wiping_q && !fetching_q && !fetched_q && !random_tvalid
                  && some_q;
  assign calm   = !begins && !fetching_q && !fetched_q
                  && (!settled_q || state_q == StAnswer || state_q == StPass);
  assign store  = state_q == StTake && settled_q && there && fits_q;
  assign undo   = state_q == StUndo && settled_q && !full_q;
  ram_registered #(.Bits(32), .Depth(Depth), .Form(Form)) u_words (
    .clk_i, .write_i(store || undo || fetched_q || wiping_q),
    .write_index_i(fetched_q ? index_t'(read_q) : index_t'(write_q)),
    .write_data_i(store ? word : '0),
    .read_index_i(index_t'(read_q)), .read_data_o(oldest)
  );

  // Responses go through a register, too.
  logic [1:0]  answer_q;   // word of the answer
  logic [31:0] answer;
  logic        answering, answers, answer_last, out_ready;
  assign answering       = state_q == StAnswer;
  assign answers         = answering && settled_q;
  assign answer_last     = error_q != ErrNone || answer_q == 2'd2;
  assign response_tready = out_ready && !answering && !wiping_q;
  always_comb begin
    unique case (answer_q)
      2'd0:    answer = {(error_q == ErrNone) ? 16'd2 : 16'd0, 4'd0, error_q, CmdRandomWords};
      2'd1:    answer = 32'(kept_q);
      default: answer = 32'(room_q);
    endcase
  end
  stream_register #(.Bits(33)) u_response (
    .clk_i, .rst_ni,
    .valid_i(answers || (response_tvalid && !answering && !wiping_q)), .ready_o(out_ready),
    .data_i(answering ? {answer_last, answer} : {response_tlast, response_tdata}),
    .valid_o(m_axis_tvalid), .ready_i(m_axis_tready), .data_o({m_axis_tlast, m_axis_tdata})
  );

  always_ff @(posedge clk_i) begin
    if (there && take) first_q <= last;
    held_q    <= end_q - read_q;
    kept_q    <= held_q + place_t'(random_tvalid);
    room_q    <= place_t'(Depth) - held_q;
    some_q    <= end_q != read_q;
    full_q    <= (write_q ^ read_q) == place_t'(Depth);
    fits_q    <= !first_q && error_q == ErrNone && !full_q;
    over_q    <= error_q == ErrLength || (error_q == ErrNone && full_q && !first_q);
    calm_q    <= calm;
    settled_q <= calm && calm_q;
    fetching_q <= fetch;
    fetched_q  <= fetching_q;
    if (fetched_q) begin
      read_q        <= read_q + place_t'(1);
      random_tdata  <= oldest;
      random_tvalid <= 1'b1;
    end else if (random_tready) begin
      random_tdata  <= '0;
      random_tvalid <= 1'b0;
    end
    if (store || undo || wiping_q) write_q <= write_q + place_t'(1);

    unique case (state_q)
      StPass: if (begins) begin
        answer_q <= '0;
        error_q  <= has_more ? ErrCommand : ErrNone;
        state_q  <= StTake;
      end
      StTake: if (there && settled_q) begin
        if (over_q) error_q <= ErrLength;
        if (last) begin
          state_q <= over_q ? StUndo : StAnswer;
          if (over_q) write_q <= end_q;
          if (store) end_q <= write_q + place_t'(1);
        end
      end
      StUndo: if (settled_q && full_q) begin  // words that were kept until then filled the memory
        write_q <= end_q;
        state_q <= StAnswer;
      end
      default: if (out_ready && settled_q) begin  // StAnswer
        answer_q <= answer_q + 2'd1;
        if (answer_last) state_q <= StPass;
      end
    endcase

    whole_q <= index_t'(write_q) == '1;
    if (wiping_q && whole_q) begin
      wiping_q <= 1'b0;
      write_q  <= '0;
    end
    if (!rst_ni || clear) begin
      wiping_q      <= 1'b1;
      whole_q       <= 1'b0;
      fetching_q    <= 1'b0;
      fetched_q     <= 1'b0;
      random_tdata  <= '0;
      random_tvalid <= 1'b0;
      {read_q, end_q, write_q} <= '0;
    end
    if (!rst_ni) begin
      state_q   <= StPass;
      calm_q    <= 1'b0;
      settled_q <= 1'b0;
      first_q   <= 1'b1;
      error_q   <= ErrNone;
      answer_q  <= '0;
    end
  end

  `TOTIENT_ASSERT_STABLE(RequestStable, request_tvalid, request_tready,
                         {request_tdata, request_tlast})
  `TOTIENT_ASSERT_STABLE(ResponseStable, m_axis_tvalid, m_axis_tready,
                         {m_axis_tdata, m_axis_tlast})
  `TOTIENT_ASSERT_STABLE_UNLESS(RandomStable, random_tvalid, random_tready, random_tdata, clear)
endmodule

`default_nettype wire
