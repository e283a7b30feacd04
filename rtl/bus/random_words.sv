// SPDX-License-Identifier: Apache-2.0
// Random words for a core behind a face without a random source. A packet with its own command
// (docs/contracts.md, "random words") brings words, a memory holds them, and `random_*` delivers
// them to the core. All other packets and their answers pass unchanged and in order.
//
// A packet of random words waits until the core has answered all earlier packets and accepts the
// next one (`request_tready`). Until its answer has begun, the core gets no random word except one
// that was already moving to the output. Either all words of a packet are kept, or none: ErrLength
// reports too many words, ErrCommand a first word whose other bits are not 0.
//
// Each word is delivered once. It is overwritten in the memory when it moves to the output, and
// there when it has been taken. A packet with the command `clear` wipes all words when the core
// takes it. Its answer passes `Depth` + 4 cycles later, when the wipe has ended. A reset wipes them
// as well.
//
// All paths are short. A step (a word arrives, leaves, is withdrawn, or belongs to an answer) is
// followed by three cycles in which the flags of the words settle in registers. Requests pass two
// registers, with a word every two cycles; responses pass one, with a word every three cycles.
`include "totient_assert.svh"
`default_nettype none

module random_words
  import contract_pkg::*;
  import packet_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned Depth = 512,  // capacity in words, a power of two, 2 to 16384
  parameter int unsigned Form  = 0     // of the memory: rtl/prim/ram_registered.sv
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // Face
  input  logic [31:0] s_axis_tdata,
  input  logic        s_axis_tvalid,
  output logic        s_axis_tready,
  input  logic        s_axis_tlast,
  output logic [31:0] m_axis_tdata,
  output logic        m_axis_tvalid,
  input  logic        m_axis_tready,
  output logic        m_axis_tlast,

  // Core. Between two packets it is ready only when it has answered the first one.
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
  localparam int unsigned PlaceBits = IndexBits + 1;  // one bit more distinguishes full from empty
  localparam int unsigned LowBits   = PlaceBits / 2;
  `TOTIENT_REQUIRE(Depth, Depth >= 2 && Depth <= 16384 && (1 << IndexBits) == Depth,
                   "Depth must be a power of two, 2 to 16384")

  `TOTIENT_REQUIRE(Commands, CmdRandomWords[7:4] == '0 && CmdClear[7:4] == '0,
                   "both commands are told by four bits")

  typedef logic [PlaceBits-1:0] place_t;
  typedef logic [IndexBits-1:0] index_t;
  typedef enum logic [1:0] {StPass, StTake, StUndo, StAnswer} state_e;
  state_e state_q;

  // Requests come from a register, with flags for groups of four bits.
  logic [31:0] word;
  logic [7:1]  has_fours;                        // bits 4i to 4i + 3 are not 0
  logic        is_ten, is_four, last, there, take, first_q;
  logic        random;                           // the word is the first one of random words
  stream_half_buffer #(.Bits(42)) u_request (
    .clk_i, .rst_ni,
    .valid_i(s_axis_tvalid), .ready_o(s_axis_tready),
    .data_i({s_axis_tdata[3:0] == CmdRandomWords[3:0], s_axis_tdata[3:0] == CmdClear[3:0],
             |s_axis_tdata[31:28], |s_axis_tdata[27:24], |s_axis_tdata[23:20],
             |s_axis_tdata[19:16], |s_axis_tdata[15:12], |s_axis_tdata[11:8],
             |s_axis_tdata[7:4], s_axis_tlast, s_axis_tdata}),
    .valid_o(there), .ready_i(take),
    .data_o({is_ten, is_four, has_fours, last, word})
  );
  assign random = first_q && is_ten && !has_fours[1];

  // A word for the core waits in a second register.
  logic pass, offer_ready, offers_clear, takes_clear, clear_q;
  logic waits_q;                                 // the core waited in the previous cycle
  assign pass = state_q == StPass && there && !random;
  stream_half_buffer #(.Bits(34)) u_offer (
    .clk_i, .rst_ni,
    .valid_i(pass), .ready_o(offer_ready),
    .data_i({first_q && is_four && !has_fours[1], last, word}),
    .valid_o(request_tvalid), .ready_i(request_tready),
    .data_o({offers_clear, request_tlast, request_tdata})
  );
  assign takes_clear = request_tvalid && request_tready && offers_clear;

  // Steps. Each is followed by three cycles without a step.
  logic       rest_q, asks_q, begins, draw, step, answers, acts;
  logic [2:0] recent_q;                          // bit i: a step, i + 1 cycles ago
  logic       step_q, draw_q, store_q, undo_q, answer_step_q;
  logic       some_q, wiping_q;
  assign begins  = asks_q && waits_q && rest_q && !wiping_q;
  assign draw    = state_q == StPass && rest_q && some_q && !random_tvalid && !wiping_q;
  assign step    = state_q == StTake && rest_q && there;
  assign answers = state_q == StAnswer && rest_q && !m_axis_tvalid;
  assign acts    = begins || draw || step || answers || (state_q == StUndo && rest_q);
  assign take    = (pass && offer_ready) || step_q;

  // The memory. Words up to `end_q` can be delivered; those from there to `write_q` are of the
  // incoming packet. During a wipe, `write_q` steps through the memory.
  place_t      read_q, end_q, write_q, held_q, kept_q, room_q;
  logic [1:0]  some_halves_q, full_halves_q;
  logic        full_q, fine_q, over_q, keep_q, back_q;
  logic [31:0] oldest;
  ram_registered #(.Bits(32), .Depth(Depth), .Form(Form)) u_words (
    .clk_i, .write_i(store_q || undo_q || draw_q || wiping_q),
    .write_index_i(draw_q ? index_t'(read_q) : index_t'(write_q)),
    .write_data_i(store_q ? word : '0),
    .read_index_i(index_t'(read_q)), .read_data_o(oldest)
  );
  assign some_q = some_halves_q != '0;
  assign full_q = full_halves_q == '1;

  logic [1:0]  answer_q;                         // word of the answer
  logic [31:0] answer_word_q;
  logic        answer_last_q;

  always_ff @(posedge clk_i) begin
    if (take) first_q <= last;
    waits_q <= request_tready && !request_tvalid;
    clear_q <= takes_clear;
    asks_q  <= state_q == StPass && there && random;

    rest_q   <= rest_q ? !acts : recent_q[2];
    recent_q <= {recent_q[1:0], acts};
    step_q   <= step;
    draw_q   <= draw;
    store_q  <= step && fine_q && !full_q;
    undo_q   <= state_q == StUndo && rest_q && !full_q;
    answer_step_q <= answers;

    // Flags of the words.
    some_halves_q <= {end_q[PlaceBits-1:LowBits] != read_q[PlaceBits-1:LowBits],
                      end_q[LowBits-1:0] != read_q[LowBits-1:0]};
    full_halves_q <= {(write_q[PlaceBits-1:LowBits] ^ read_q[PlaceBits-1:LowBits])
                        == (PlaceBits - LowBits)'(Depth >> LowBits),
                      write_q[LowBits-1:0] == read_q[LowBits-1:0]};
    held_q <= end_q - read_q;
    kept_q <= held_q + place_t'(random_tvalid);
    room_q <= place_t'(Depth) - held_q;

    if (draw_q) begin
      read_q        <= read_q + place_t'(1);
      random_tdata  <= oldest;
      random_tvalid <= 1'b1;
    end else if (random_tready) begin
      random_tdata  <= '0;
      random_tvalid <= 1'b0;
    end
    keep_q <= 1'b0;
    back_q <= 1'b0;
    if (keep_q) end_q <= write_q;
    if (back_q) write_q <= end_q;
    else if (store_q || undo_q || wiping_q) write_q <= write_q + place_t'(1);

    // `fine_q`: the next word will be kept; `over_q`: a word had no room.
    unique case (state_q)
      StPass: begin
        answer_q <= '0;
        fine_q   <= 1'b0;
        over_q   <= 1'b0;
        if (begins) state_q <= StTake;
      end
      StTake: begin
        if (step && fine_q && full_q) over_q <= 1'b1;
        if (step_q) begin
          fine_q <= (first_q && has_fours[7:2] == '0) || (fine_q && !over_q);
          if (last) begin
            state_q <= over_q ? StUndo : StAnswer;
            keep_q  <= !over_q;
            back_q  <= over_q;
          end
        end
      end
      StUndo: if (rest_q && full_q) begin        // earlier words replace unwritten ones
        back_q  <= 1'b1;
        state_q <= StAnswer;
      end
      default: if (answer_step_q) begin          // StAnswer
        answer_q <= answer_q + 2'd1;
        if (answer_last_q) state_q <= StPass;
      end
    endcase

    if (wiping_q && write_q[PlaceBits-1]) begin
      wiping_q <= 1'b0;
      write_q  <= '0;
    end
    if (!rst_ni || clear_q) begin
      wiping_q      <= 1'b1;
      draw_q        <= 1'b0;
      random_tdata  <= '0;
      random_tvalid <= 1'b0;
      {read_q, end_q, write_q} <= '0;
    end
    if (!rst_ni) begin
      state_q  <= StPass;
      first_q  <= 1'b1;
      rest_q   <= 1'b1;
      recent_q <= '0;
      {waits_q, clear_q, asks_q, step_q, store_q, undo_q, answer_step_q} <= '0;
      {some_halves_q, keep_q, back_q} <= '0;
    end
  end

  // Output of responses and answers.
  error_e         answer_error;
  response_word_t answer_header;
  assign answer_error  = over_q ? ErrLength : fine_q ? ErrNone : ErrCommand;
  assign answer_header = '{
    words: fine_q ? 16'd2 : 16'd0, error: 8'(answer_error), command: CmdRandomWords
  };
  always_ff @(posedge clk_i) begin
    unique case (answer_q)
      2'd0:    answer_word_q <= answer_header;
      2'd1:    answer_word_q <= 32'(kept_q);
      default: answer_word_q <= 32'(room_q);
    endcase
    answer_last_q <= !fine_q || answer_q == 2'd2;
    if (m_axis_tvalid) begin
      if (m_axis_tready) m_axis_tvalid <= 1'b0;
    end else begin
      m_axis_tvalid <= answer_step_q || (response_tvalid && response_tready);
      m_axis_tlast  <= answer_step_q ? answer_last_q : response_tlast;
      m_axis_tdata  <= answer_step_q ? answer_word_q : response_tdata;
    end
    // The core's answer to a clear waits until the words are wiped.
    response_tready <= !m_axis_tvalid && !(response_tvalid && response_tready)
                       && !takes_clear && !clear_q && !wiping_q;
    if (!rst_ni) begin
      m_axis_tvalid   <= 1'b0;
      m_axis_tdata    <= '0;
      response_tready <= 1'b0;
    end
  end

  `TOTIENT_ASSERT_STABLE(RequestStable, request_tvalid, request_tready,
                         {request_tdata, request_tlast})
  `TOTIENT_ASSERT_STABLE(ResponseStable, m_axis_tvalid, m_axis_tready,
                         {m_axis_tdata, m_axis_tlast})
  `TOTIENT_ASSERT_STABLE_UNLESS(RandomStable, random_tvalid, random_tready, random_tdata, clear_q)
  `TOTIENT_ASSERT(AnsweredBefore, state_q == StPass || !response_tvalid,
                  "the core answers what it has not got")
endmodule

`default_nettype wire
