// SPDX-License-Identifier: Apache-2.0
// RSA from two primes or from a given key, in steps: makes a key (key_generator), loads one of its
// two exponents or a given one into an exponentiator (modexp contract, docs/contracts.md), and
// raises messages.
//
//   StepGenerate   n, t, e, d from p and q
//   StepPublic     the key to load is (n, e) of the generator
//   StepPrivate    it is (n, d)
//   StepGiven      it is modulus and exponent as written
//   StepMessage    result = message ^ exponent mod modulus
//
// Cycles: those of the generator or of the exponentiator, and for what is around them, from the
//         step's handshake to the first cycle of `rsp_valid_o`: 2 for StepGenerate, StepGiven and
//         StepMessage; 2 w + 3 for StepPublic and StepPrivate, with w = ceil(Width / 32).
`include "totient_assert.svh"
`default_nettype none

module rsa_sequencer
  import contract_pkg::*;
  import modexp_pkg::*;
  import totient_pkg::*;
  import keygen_pkg::*;
#(
  parameter int unsigned PrimeBits    = 512,   // longest prime: 4 to 2048
  parameter int unsigned ExponentBits = 32,    // longest public exponent: 2 to 32
  parameter int unsigned Width        = 1024,  // of the exponentiator: >= 2 PrimeBits, ExponentBits
  localparam int unsigned IndexBits   = operand_index_bits(Width),
  localparam int unsigned LengthBits  = count_bits(PrimeBits)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         clear_i,  // abort, overwrite everything
  // Numbers, while `step_ready_o` is high: word 0 is the least significant
  input  logic                         write_i,
  input  written_e                     written_i,
  input  logic [IndexBits-1:0]         write_index_i,
  input  logic [31:0]                  write_word_i,
  input  logic                         step_valid_i,
  output logic                         step_ready_o,
  input  step_e                        step_i,
  input  logic [LengthBits-1:0]        p_bits_i,         // StepGenerate
  input  logic [LengthBits-1:0]        q_bits_i,
  input  logic [ExponentBits-1:0]      exponent_i,       // StepGenerate; 0: the first coprime one
  input  logic [count_bits(Width)-1:0] exponent_bits_i,  // StepGiven
  output logic                         rsp_valid_o,
  input  logic                         rsp_ready_i,
  output logic [3:0]                   rsp_error_o,      // an error_e
  output logic [63:0]                  rsp_cycles_o,
  output logic [ExponentBits-1:0]      exponent_o,       // of the generated key
  // Reading, a word in the next cycle: the result from the second cycle of `rsp_valid_o` that
  // answers StepMessage until its handshake, numbers of a key as long as there is one
  input  read_e                        read_i,
  input  logic [IndexBits-1:0]         read_index_i,
  output logic [31:0]                  read_word_o,
  // The exponentiator
  output modexp_request_t              modexp_request_o,
  input  modexp_response_t             modexp_response_i
);
  `TOTIENT_REQUIRE(Width, Width >= 2 * PrimeBits && Width >= ExponentBits,
                   "Width must be at least 2 PrimeBits and ExponentBits")

  localparam int unsigned Words        = words_of(Width, 32);
  localparam int unsigned ExponentLen  = count_bits(Width);
  localparam int unsigned WordsBits    = count_bits(Words);
  localparam int unsigned KeyIndexBits = operand_index_bits(2 * PrimeBits + 32);
  typedef logic [ExponentLen-1:0] length_t;

  typedef enum logic [2:0] {
    StIdle, StGenerate, StModulus, StExponent, StRequest, StWork, StRespond
  } state_e;
  state_e                  state_q;
  step_e                   step_q;
  logic                    generated_q;   // the generator holds a key
  length_t                 key_bits_q;    // of that key
  length_t                 exponent_bits_q;
  logic [WordsBits-1:0]    key_words_q;
  logic [3:0]              error_q;
  logic [63:0]             cycles_q;
  logic [IndexBits-1:0]    place_q;       // of a word of the generator

  // The generator
  logic                    key_req_ready, key_req_valid_q, key_rsp_valid;
  error_e                  key_error;
  logic [ExponentBits-1:0] exponent;
  logic [31:0]             key_word;
  number_e                 key_number;
  logic [KeyIndexBits-1:0] key_index;
  logic [63:0]             unused_key_cycles;
  logic                    write_prime, idle;
  assign idle        = state_q == StIdle;
  assign write_prime = write_i && step_ready_o && (written_i == WriteP || written_i == WriteQ);
  always_comb begin
    unique case (state_q)
      StModulus:  key_number = NumberModulus;
      StExponent: key_number = NumberPrivate;
      default:    key_number = (read_i == ReadModulus) ? NumberModulus
                               : (read_i == ReadPrivate) ? NumberPrivate : NumberTotient;
    endcase
  end
  assign key_index = KeyIndexBits'((state_q == StModulus || state_q == StExponent)
                                   ? place_q : read_index_i);
  logic [LengthBits-1:0]   p_bits_q, q_bits_q;
  logic [ExponentBits-1:0] exponent_q;
  key_generator #(.PrimeBits(PrimeBits), .ExponentBits(ExponentBits)) u_generator (
    .clk_i, .rst_ni, .clear_i,
    .write_i(write_prime), .write_prime_i((written_i == WriteQ) ? PrimeQ : PrimeP),
    .write_index_i(KeyIndexBits'(write_index_i)), .write_word_i,
    .req_valid_i(key_req_valid_q), .req_ready_o(key_req_ready),
    .p_bits_i(p_bits_q), .q_bits_i(q_bits_q), .exponent_i(exponent_q),
    .rsp_valid_o(key_rsp_valid), .rsp_ready_i(state_q == StGenerate), .rsp_error_o(key_error),
    .rsp_cycles_o(unused_key_cycles), .exponent_o(exponent),
    .number_i(key_number), .number_index_i(key_index), .number_word_o(key_word)
  );
  assign exponent_o = exponent;

  // A word of the generator's key comes a cycle after its index, and is written to the
  // exponentiator in that cycle. Above the key's words there are zeros.
  logic                 copy_q, copy_modulus_q;
  logic [IndexBits-1:0] copy_index_q;
  logic [31:0]          copy_word;
  always_comb begin
    if (!copy_modulus_q && step_q == StepPublic) begin
      copy_word = (copy_index_q == '0) ? 32'(exponent) : '0;
    end else begin
      copy_word = (32'(copy_index_q) < 32'(key_words_q)) ? key_word : '0;
    end
  end
  // The result is there as long as the exponentiator's response waits.
  logic holds, write, req_valid;
  assign holds     = step_q == StepMessage && modexp_response_i.rsp_error == ErrNone;
  assign write     = write_i && step_ready_o && !write_prime && !clear_i;
  assign req_valid = state_q == StRequest && !copy_q;
  always_comb begin
    modexp_request_o = '{
      write:         copy_q || write,
      write_operand: (written_i == WriteModulus) ? OperandModulus
                     : (written_i == WriteExponent) ? OperandExponent : OperandBase,
      write_index:   modexp_index_t'(write_index_i),
      write_word:    write_word_i,
      req_valid:     req_valid,
      req_op:        (step_q == StepMessage) ? ReqExponentiate : ReqLoadKey,
      exponent_bits: modexp_length_t'(exponent_bits_q),
      rsp_ready:     holds ? rsp_valid_o && rsp_ready_i : state_q == StWork,
      result_index:  modexp_index_t'(read_index_i),
      default:       '0
    };
    if (copy_q) begin
      modexp_request_o.write_operand = copy_modulus_q ? OperandModulus : OperandExponent;
      modexp_request_o.write_index   = modexp_index_t'(copy_index_q);
      modexp_request_o.write_word    = copy_word;
    end
  end
  read_e read_q;
  always_ff @(posedge clk_i) read_q <= read_i;
  assign read_word_o  = (read_q == ReadResult) ? modexp_response_i.result_word : key_word;

  assign step_ready_o = idle && key_req_ready && modexp_response_i.req_ready;
  assign rsp_valid_o  = state_q == StRespond;
  assign rsp_error_o  = error_q;
  assign rsp_cycles_o = cycles_q;

  logic unused;
  assign unused = ^modexp_response_i.rsp_cycles;

  function automatic length_t length_of(logic [ExponentBits-1:0] number);
    length_t length;
    length = '0;
    for (int unsigned i = 0; i < ExponentBits; i++) if (number[i]) length = length_t'(i + 1);
    return length;
  endfunction

  always_ff @(posedge clk_i) begin
    if (state_q != StRespond) cycles_q <= cycles_q + 64'd1;
    key_req_valid_q <= 1'b0;
    copy_q          <= state_q == StModulus || state_q == StExponent;
    copy_modulus_q  <= state_q == StModulus;
    copy_index_q    <= place_q;
    unique case (state_q)
      StIdle: begin
        cycles_q <= 64'd1;
        place_q  <= '0;
        error_q  <= '0;
        if (step_valid_i && step_ready_o) begin
          step_q <= step_i;
          unique case (step_i)
            StepGenerate: begin
              key_req_valid_q <= 1'b1;
              p_bits_q        <= p_bits_i;
              q_bits_q        <= q_bits_i;
              exponent_q      <= exponent_i;
              key_bits_q      <= length_t'(p_bits_i) + length_t'(q_bits_i);
              generated_q     <= 1'b0;
              state_q         <= StGenerate;
            end
            StepPublic, StepPrivate: begin
              exponent_bits_q <= (step_i == StepPublic) ? length_of(exponent) : key_bits_q;
              key_words_q     <= (WordsBits)'((32'(key_bits_q) + 31) >> 5);
              state_q         <= StModulus;
              if (!generated_q) begin
                error_q <= ErrNoKey;
                state_q <= StRespond;
              end
            end
            default: begin
              exponent_bits_q <= exponent_bits_i;
              state_q         <= StRequest;
            end
          endcase
        end else if (write_i && write_prime) begin
          generated_q <= 1'b0;
        end
      end
      StGenerate: if (key_rsp_valid) begin
        error_q     <= key_error;
        generated_q <= key_error == ErrNone;
        state_q     <= StRespond;
      end
      StModulus, StExponent: begin
        place_q <= place_q + IndexBits'(1);
        if (32'(place_q) == Words - 1) begin
          place_q <= '0;
          state_q <= (state_q == StModulus) ? StExponent : StRequest;
        end
      end
      StRequest: if (req_valid && modexp_response_i.req_ready) state_q <= StWork;
      StWork: if (modexp_response_i.rsp_valid) begin
        error_q <= modexp_response_i.rsp_error;
        state_q <= StRespond;
      end
      default: if (rsp_ready_i) state_q <= StIdle;  // StRespond
    endcase
    if (!rst_ni || clear_i) begin
      state_q     <= StIdle;
      step_q      <= StepGenerate;
      generated_q <= 1'b0;
      {key_req_valid_q, copy_q, copy_modulus_q} <= '0;
      {error_q, cycles_q, place_q, copy_index_q} <= '0;
      {p_bits_q, q_bits_q, key_bits_q, exponent_bits_q, key_words_q, exponent_q} <= '0;
    end
  end

  `TOTIENT_ASSERT_STABLE_UNLESS(ResponseStable, rsp_valid_o, rsp_ready_i,
                                {rsp_error_o, rsp_cycles_o}, clear_i)
endmodule

`default_nettype wire
