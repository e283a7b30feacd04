// SPDX-License-Identifier: Apache-2.0
// Proof of the results of modexp_binary, for all keys, bases and orders of requests, with products
// that may be any function of their operands:
//
//   Squared, Multiplied   the multipliers get the operands of the textbook's square and multiply,
//                         left to right, one product after the other and no other one
//   Result, Word          a result is answered after the last bit, and is the number there
//   Error                 each request is answered with the error of the contract, or none
//   Below, SameModulus, SameModuli
//                         operands are below the modulus, which stays while a product is computed
//
// The multipliers are cut off. What they do is assumed: they take as long as they like and give any
// number below the modulus, a different one each time. That it is a b mod n, that it stays, and
// when a multiplier is ready, is proved for all operands in modmul_interleaved. So the result is
// base ^ exponent mod modulus.
`default_nettype none

module modexp_binary_formal
  import contract_pkg::*;
  import modexp_pkg::*;
  import totient_pkg::*;
#(
  parameter int unsigned Width     = 8,  // at most 31: an operand is one word
  parameter bit          FixedTime = 1'b0,
  parameter bit          Scripted  = 1'b0  // for faults: modexp_requests.sv
) (
  input wire logic                  clk_i,
  input wire logic                  reset_ni,
  input wire logic                  clear_i,
  input wire modexp_request_t       request_i,
  input wire logic [1:0]            finish_i,  // free: a product ends, of squarer and multiplier
  input wire logic [1:0][Width-1:0] value_i    // free: the product
);
  localparam int unsigned IndexBits = index_bits(Width);
  typedef logic [Width-1:0] number_t;

  logic begun_q = 1'b0;  // every run begins with a reset
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  logic rst_ni, stopped;
  assign rst_ni  = reset_ni && begun_q;
  assign stopped = !rst_ni || clear_i;

  modexp_request_t  request;
  modexp_response_t response;
  assign request = single_lane(request_i);
  modexp_binary #(.Width(Width), .FixedTime(FixedTime)) u_dut (
    .clk_i, .rst_ni, .clear_i, .request_i(request), .response_o(response)
  );

  if (Scripted) begin : gen_script
    always_comb assume (reset_ni && finish_i == '1);
  end

  // Operands as they were written, and the key; n, e and m of the key and the base in use.
  logic       accept, key_q, exponentiates_q;
  number_t    modulus_q, exponent_q, base_q, n_q, e_q, m_q;
  logic [5:0] length_q;
  error_e     error_q;
  modexp_requests #(.Width(Width), .Scripted(Scripted)) u_requests (
    .clk_i, .rst_ni, .clear_i, .request_i(request), .response_i(response), .accept_o(accept),
    .working_o(), .modulus_o(modulus_q), .exponent_o(exponent_q), .base_o(base_q), .key_o(key_q),
    .exponentiates_o(exponentiates_q), .n_o(n_q), .e_o(e_q), .length_o(length_q), .m_o(m_q),
    .error_o(error_q)
  );

  // The multipliers.
  logic [1:0] start, ready, valid, take, busy_q, valid_q;
  number_t [1:0] product_q;
  assign start = {u_dut.multiply_start, u_dut.square_start};
  assign take  = {u_dut.square_start || u_dut.multiply_start, u_dut.square_take};
  assign ready = ~busy_q & (~valid_q | take);
  assign valid = {u_dut.product_valid, u_dut.square_valid};
  always_comb begin
    assume ({u_dut.multiply_ready, u_dut.square_ready} == ready);
    assume (valid == valid_q);
    if (!busy_q[0]) assume (u_dut.square == product_q[0]);
    if (!busy_q[1]) assume (u_dut.product == product_q[1]);
  end
  for (genvar i = 0; i < 2; i++) begin : gen_multiplier
    always_ff @(posedge clk_i) begin
      if (stopped) begin
        busy_q[i]    <= 1'b0;
        valid_q[i]   <= 1'b0;
        product_q[i] <= '0;
      end else if (start[i] && ready[i]) begin
        busy_q[i]  <= 1'b1;
        valid_q[i] <= 1'b0;
      end else if (busy_q[i] && finish_i[i]) begin
        busy_q[i]    <= 1'b0;
        valid_q[i]   <= 1'b1;
        product_q[i] <= value_i[i];
        assume (value_i[i] < n_q);
      end else if (take[i]) begin
        valid_q[i] <= 1'b0;
      end
    end
  end

  // Square and multiply. Bits above `i_q` are done; this one is if `done_q`. While c is 1 its
  // square is 1: `FixedTime` computes it, and otherwise the highest 1 is the beginning.
  logic [IndexBits-1:0] i_q, top;
  number_t              c_q, c;
  logic                 done_q, done, multiplied_q;
  always_comb begin
    top = '0;
    for (int unsigned i = 0; i < Width; i++) if (e_q[i]) top = IndexBits'(i);
    if (FixedTime) top = IndexBits'(length_q - 6'd1);
    c    = c_q;
    done = done_q;
    if (!done_q && !e_q[i_q] && valid_q[0]) {done, c} = {1'b1, product_q[0]};
    if (!done_q && e_q[i_q] && multiplied_q && valid_q[1]) {done, c} = {1'b1, product_q[1]};
  end
  always_ff @(posedge clk_i) begin
    c_q    <= c;
    done_q <= done;
    if (start[1]) multiplied_q <= 1'b1;
    if (start[0]) begin
      i_q          <= i_q - IndexBits'(1);
      done_q       <= 1'b0;
      multiplied_q <= 1'b0;
    end
    if (accept) begin
      i_q          <= top;
      done_q       <= 1'b1;
      multiplied_q <= 1'b0;
      c_q          <= e_q[top] ? base_q : number_t'(1);
    end

    if (begun_q && !stopped) begin
      if (start[0]) begin
        Squared : assert (ready[0] && exponentiates_q && done && i_q != '0
                          && u_dut.u_square.a_i == c && u_dut.u_square.b_i == c);
      end
      if (start[1]) begin
        Multiplied : assert (ready[1] && exponentiates_q && valid_q[0] && !multiplied_q
                             && (e_q[i_q] ? !done_q : FixedTime)
                             && u_dut.u_multiply.a_i == m_q
                             && u_dut.u_multiply.b_i == product_q[0]);
      end
      Below : assert (!(start[0] && c >= n_q)
                      && !(start[1] && (m_q >= n_q || product_q[0] >= n_q)));
      SameModulus : assert (!(start[0] || busy_q[0]) || u_dut.u_square.n_i == n_q);
      SameModuli : assert (!(start[1] || busy_q[1]) || u_dut.u_multiply.n_i == n_q);
      if (response.rsp_valid) begin
        Error : assert (response.rsp_error == error_q);
        if (exponentiates_q && error_q == ErrNone) begin
          Result : assert (i_q == '0 && done);
        end
      end
    end
  end

  // States as in modexp_frontend and modexp_binary.
  typedef enum logic [3:0] {
    FaceWipe, FaceIdle, FaceScan, FaceDrain, FaceJudge, FaceNext, FaceStart, FaceRun, FaceSettle,
    FaceRespond, FaceWiped
  } face_e;
  typedef enum logic [2:0] {StIdle, StKey, StLeading, StSquare, StMultiply, StDone} state_e;
  typedef enum logic [1:0] {CurrentOne, CurrentBase, CurrentSquare, CurrentProduct} current_e;
  face_e    face;
  state_e   state;
  current_e current;
  assign face    = face_e'(u_dut.u_frontend.state_q);
  assign state   = state_e'(u_dut.state_q);
  assign current = current_e'(u_dut.current_q);

  // By induction: what holds of the face's registers in each of its states,
  logic wiping, idle, scan, drain, judge, starts, run, settle, respond;
  logic load, works, pending, raw, word, fact;
  assign wiping  = face == FaceWipe;
  assign idle    = face == FaceIdle;
  assign scan    = face == FaceScan;
  assign drain   = face == FaceDrain;
  assign judge   = face == FaceJudge;
  assign starts  = face == FaceStart;
  assign run     = face == FaceRun;
  assign settle  = face == FaceSettle;
  assign respond = face == FaceRespond;
  assign load    = !exponentiates_q;
  assign works   = scan || drain || judge || starts || run;
  assign raw     = u_dut.u_frontend.raw_valid_q;
  assign word    = u_dut.u_frontend.word_q;
  assign fact    = u_dut.u_frontend.fact_q;
  assign pending = u_dut.u_frontend.write_modulus_q || u_dut.u_frontend.write_exponent_q
                   || u_dut.u_frontend.write_base_q;
  function automatic logic [31:0] held(logic write, logic [31:0] written, logic [31:0] memory);
    return write ? written : memory;
  endfunction
  logic good, ended;
  assign good  = error_q == ErrNone;
  assign ended = (settle || respond) && good;
  always_ff @(posedge clk_i) begin
    if (begun_q) begin
      States : assert (wiping || idle || works || settle || respond
                       || face == FaceWiped);
      Lane : assert (!(scan || drain || judge)
                     || (u_dut.u_frontend.lane_q == '0 && u_dut.u_frontend.last_lane_q == '0));
      Index : assert (!(scan || wiping) || (u_dut.u_frontend.index_q == '0
                                            && (wiping || u_dut.u_frontend.base_index_q == '0)));
      Request : assert (!(works || settle || respond)
                        || (u_dut.u_frontend.op_q == ReqExponentiate) == exponentiates_q);
      Length : assert (32'(u_dut.u_frontend.exponent_bits_q) == 32'(length_q));
      Written : assert (!pending || wiping || (u_dut.u_frontend.write_index_q == '0
                                     && !works && !settle && !respond));
      if (wiping) begin
        Wiping : assert ({modulus_q, exponent_q, base_q} == '0 && !key_q);
      end else begin
        Modulus : assert (32'(modulus_q) == held(u_dut.u_frontend.write_modulus_q,
            u_dut.u_frontend.write_word_q, u_dut.u_frontend.u_modulus.memory[0]));
        Exponent : assert (32'(exponent_q) == held(u_dut.u_frontend.write_exponent_q,
            u_dut.u_frontend.write_word_q, u_dut.u_frontend.u_exponent.memory[0]));
        Base : assert (32'(base_q) == held(u_dut.u_frontend.write_base_q,
            u_dut.u_frontend.write_word_q, u_dut.u_frontend.u_base.memory[0]));
      end
      Stages : assert (drain ? $onehot({raw, word, fact}) : !word && (wiping || !(raw || fact)));
      LastFact : assert (fact == u_dut.u_frontend.last_fact_q || wiping);
      if (raw && drain) begin
        Raw : assert (u_dut.u_frontend.raw_index_q == '0
                      && u_dut.u_frontend.raw_base_index_q == '0
                      && u_dut.u_frontend.raw_modulus_q == 32'(modulus_q)
                      && u_dut.u_frontend.raw_base_q == 32'(base_q));
      end
      if (word) begin
        Words : assert (u_dut.u_frontend.word_index_q == '0
                        && u_dut.u_frontend.modulus_q == 32'(modulus_q)
                        && u_dut.u_frontend.base_q == 32'(base_q)
                        && (u_dut.u_frontend.unequal_byte_q != '0) == (base_q != modulus_q));
      end
      if (fact && drain) begin
        Facts : assert (u_dut.u_frontend.zero_q == (modulus_q == '0)
                        && u_dut.u_frontend.one_q == (modulus_q == number_t'(1))
                        && u_dut.u_frontend.odd_q == modulus_q[0]
                        && u_dut.u_frontend.unequal_q == (base_q != modulus_q)
                        && u_dut.u_frontend.below_modulus_q == (base_q < modulus_q));
      end
      NoFacts : assert (!(scan || drain)
                        || {u_dut.u_frontend.high_q, u_dut.u_frontend.small_q,
                            u_dut.u_frontend.even_q, u_dut.u_frontend.differs_q,
                            u_dut.u_frontend.less_q} == '0);
      AllFacts : assert (!judge || (u_dut.u_frontend.small_q == (modulus_q < number_t'(2))
                                    && u_dut.u_frontend.even_q == !modulus_q[0]
                                    && u_dut.u_frontend.less_q == (base_q < modulus_q)));
      Starts : assert ({u_dut.start_key, u_dut.start}
                       == (starts && good ? {load, exponentiates_q} : 2'b00));
      Good : assert (!starts || u_dut.u_frontend.good_q == good);
      Verdict : assert (!(starts || run || settle || respond)
                          || u_dut.u_frontend.error_q == error_q);
      Running : assert (!(judge || starts || run) || u_dut.u_frontend.running_q);

      // of the key and the base,
      if (works && load) begin
        Loading : assert (n_q == modulus_q && length_q != '0 && 32'(length_q) <= Width
                          && error_q == ((n_q < number_t'(2)) ? ErrModulusSmall
                                         : !n_q[0] ? ErrModulusEven : ErrNone));
      end
      if (works && exponentiates_q) begin
        Using : assert (key_q && m_q == base_q
                        && error_q == ((m_q >= n_q) ? ErrBaseNotBelow : ErrNone));
      end
      if (key_q || (load && (works || ended))) begin
        Key : assert (n_q == modulus_q
                      && e_q == (exponent_q & ~(number_t'('1) << length_q))
                      && length_q != '0 && 32'(length_q) <= Width);
      end
      if (key_q || (load && ended)) GoodKey : assert (n_q[0] && n_q > number_t'(1));
      KeyThere : assert (u_dut.u_frontend.key_valid_q == (key_q || (load && ended)));
      if (key_q || (load && ((drain && fact) || judge || starts || run || ended)))
        KeyKept : assert (u_dut.n_q == n_q);
      if (exponentiates_q && ((drain && fact) || judge || starts || run || ended))
        BaseKept : assert (u_dut.m_q == m_q);
      Runs : assert (!run || good);
      if (exponentiates_q && ended) KeyUsed : assert (key_q && m_q < n_q);

      // and of the exponentiator.
      Works : assert (run == (state != StIdle)
                      && (run && load) == (state == StKey));
      if (run && exponentiates_q) begin
        Bit : assert (u_dut.exponent_bit == exponent_q[IndexBits'(u_dut.index_q)]
                      && 32'(u_dut.index_q) < 32'(length_q));
        BelowN : assert (m_q < n_q && (!done_q || c_q < n_q)
                         && (!valid_q[0] || product_q[0] < n_q)
                         && (state != StMultiply || !valid_q[1]
                             || product_q[1] < n_q));
      end
      if (exponentiates_q && works && (!run || state == StLeading)) begin
        Begins : assert (done_q && !multiplied_q && i_q == top
                         && c_q == (e_q[top] ? m_q : number_t'(1)));
      end
      unique case (state)
        StLeading:
          Leading : assert (busy_q == '0 && !valid_q[0] && current == CurrentOne
                            && (FixedTime ? 32'(u_dut.index_q) == 32'(top)
                                : 32'(u_dut.index_q) >= 32'(top)));
        StSquare:
          Squares : assert (32'(u_dut.index_q) == 32'(i_q) && !done_q && !multiplied_q
                            && busy_q[0] != valid_q[0] && !busy_q[1]);
        StMultiply:
          Multiplies : assert (32'(u_dut.index_q) == 32'(i_q) && multiplied_q
                               && busy_q[1] != valid_q[1] && valid_q[0] && !busy_q[0]
                               && (e_q[i_q] ? !done_q
                                   : (FixedTime && done_q && c_q == product_q[0]
                                      && current == CurrentSquare)));
        default:
          Rests : assert (busy_q == '0 && !valid_q[0]);
      endcase
      if (state == StDone || (exponentiates_q && ended)) begin
        Ends : assert (done_q && i_q == '0 && c_q == u_dut.current && c_q < n_q);
      end
    end
  end

  // The word that is read, a cycle after its index.
  logic    given_q;
  number_t result_q;
  always_ff @(posedge clk_i) begin
    given_q  <= response.rsp_valid && exponentiates_q && error_q == ErrNone && !stopped;
    result_q <= c;
    if (begun_q) Word : assert (response.result_word == (given_q ? 32'(result_q) : 32'd0));
  end
endmodule

`default_nettype wire
