// SPDX-License-Identifier: Apache-2.0
// Proof of an exponentiator by induction on requests, for what includes it. A stretch begins in any
// state at rest (it waits for a request, or for its answer to be taken) of which `held` is true, or
// in any state with a reset or a clear. It ends at rest, where `held` is asserted, in less than
// `Longest` cycles. So all that is asserted in a stretch holds at any time.

  // Of modexp_frontend: at rest.
  localparam logic [3:0] FaceIdle    = 4'd1;
  localparam logic [3:0] FaceRespond = 4'd9;
  logic idle, respond, rest, good_key, held, active_q;
  assign idle     = u_dut.u_frontend.state_q == FaceIdle && response.req_ready;
  assign respond  = u_dut.u_frontend.state_q == FaceRespond;
  assign rest     = (idle || respond) && settled;
  assign ended    = respond && error == ErrNone;
  assign good_key = key || (ended && !exponentiates);
  function automatic logic [31:0] kept(logic write, logic [31:0] written, logic [31:0] memory);
    return write ? written : memory;
  endfunction

  // The result: p, less n if that fits. Its word, a cycle after it was asked for.
  number_t reduced, result_q;
  logic    given_q;
  logic [31:0] expected_word;
  assign reduced       = (p < number_t'(n)) ? p : p - number_t'(n);
  assign expected_word = given_q ? 32'(result_q) : 32'd0;
  always_ff @(posedge clk_i) begin
    given_q  <= ended && exponentiates && !stopped;
    result_q <= reduced;
    if (active && !stopped && !cleared) Word : assert (response.result_word == expected_word);
  end

  logic face_rests, operands_kept, key_kept, answer_kept;
  assign face_rests = {u_dut.u_frontend.raw_valid_q, u_dut.u_frontend.word_q,
          u_dut.u_frontend.start_key_o, u_dut.u_frontend.start_o} == '0
      && {u_dut.u_frontend.fact_q, u_dut.u_frontend.last_fact_q} == '0;
  assign operands_kept = 32'(modulus) == kept(u_dut.u_frontend.write_modulus_q,
          u_dut.u_frontend.write_word_q, u_dut.u_frontend.u_modulus.memory[0])
      && 32'(exponent) == kept(u_dut.u_frontend.write_exponent_q,
          u_dut.u_frontend.write_word_q, u_dut.u_frontend.u_exponent.memory[0])
      && 32'(base) == kept(u_dut.u_frontend.write_base_q,
          u_dut.u_frontend.write_word_q, u_dut.u_frontend.u_base.memory[0])
      && (u_dut.u_frontend.write_index_q == '0
          || {u_dut.u_frontend.write_modulus_q, u_dut.u_frontend.write_exponent_q,
              u_dut.u_frontend.write_base_q} == '0);
  assign key_kept = u_dut.u_frontend.key_valid_q == good_key
      && 32'(u_dut.u_frontend.exponent_bits_q) == 32'(length)
      && (!good_key || (n == modulus && n[0] && n > Width'(1) && length != '0
                        && 32'(length) <= Width && top_there
                        && e == (exponent & ~(Width'('1) << length)) && constants));
  assign answer_kept = !respond
      || (u_dut.u_frontend.error_q == error
          && (u_dut.u_frontend.op_q == ReqExponentiate) == exponentiates
          && (!ended || (finished && (!exponentiates || (key && shown == 32'(reduced))))));
  assign held = face_rests && operands_kept && key_kept && answer_kept && units_rest
      && response.result_word == expected_word;

  assign active = first_q || active_q;
  always_ff @(posedge clk_i) begin
    cycle_q  <= cycle_q + 16'd1;
    active_q <= active && (first_q || !rest);
    assume (first_q ? stopped || (rest && held) : !stopped);
    if (Start inside {StartKey, StartExponentiate}) assume (!first_q || idle);
    if (Start == StartOther) assume (!(first_q && accept && u_requests.error == ErrNone));
    if (Start == StartExponentiate) assume (32'(length) <= MostBits);
    // How long a key takes depends on the length of its modulus.
    if (Start != StartAny && working && !exponentiates && error == ErrNone)
      assume (n[Width-1]);
    if (!first_q && active && rest) begin
      FaceRests : assert (face_rests);
      Operands : assert (operands_kept);
      Key : assert (key_kept);
      Answer : assert (answer_kept);
      Rests : assert (units_rest);
    end
    if (32'(cycle_q) == Longest) Ends : assert (!active);
  end
