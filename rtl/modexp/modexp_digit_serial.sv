// SPDX-License-Identifier: Apache-2.0
// Right-to-left Montgomery exponentiation on digit-serial multipliers (modexp contract,
// docs/contracts.md). With D digits of J bits an operand, R = 2^(D J) >= 4 n, s[0] = m R mod n:
//
//   p = 1;  for each exponent bit i from the lowest:
//     multiply:  p = p s[i] / R  (kept only where the bit is 1)
//     square:    s[i+1] = s[i]^2 / R
//
// p stays out of the Montgomery domain, so no conversion back is needed; the result is p, less n
// if that fits. Both products take s[i] as the serial operand: it leaves the squarer digit by digit
// and comes back D digits later. p and s[i] lie in the columns as parallel operands.
//
//   Multipliers = 2: squarer and multiplier side by side; slot l is lane l
//   Multipliers = 1: one array; lane l squares in slot 2 l and multiplies in slot 2 l + 1
//
// Independent exponentiations of several bases with the same key run in the lanes at once, in the
// time of one.
//
// A key's constants: 2 R mod n by doubling the top power of two below n; then R^2 mod n =
// 2^(2 D J) with this exponentiation itself, of base 2.
//
// Cycles (L = Slots, F = fill_steps of digit_serial_pkg, an operation of (2 D + F) L = O cycles,
//         K = stated exponent bits): the loop takes K O; formulas of all in the catalog.
// The time depends on K and, for a key, on the length of its modulus only.
// Source: O. Nibouche et al., Algorithm 4, Figures 7 and 8.
`include "totient_assert.svh"
`default_nettype none

module modexp_digit_serial
  import modexp_pkg::*;
  import totient_pkg::*;
  import digit_serial_pkg::*;
#(
  parameter int unsigned Width       = 1024,  // 16 to 4096
  parameter int unsigned DigitBits   = 1,     // J, 1 to 16
  parameter int unsigned Slots       = 1,     // operations that share an array's cells
  parameter int unsigned Links       = 0,     // columns between registers on a digit's way; 0: none
  parameter int unsigned Multipliers = 2,
  parameter bit          Separated   = 1'b1,  // 0: the conventional multiplier, DigitBits = 1
  parameter int unsigned Lanes       = 1,     // exponentiations at once
  localparam int unsigned LaneBits    = index_bits(Lanes),
  localparam int unsigned LengthBits  = count_bits(Width),
  localparam int unsigned OperandBits = operand_index_bits(Width)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,
  input  modexp_request_t  request_i,
  output modexp_response_t response_o
);
  `TOTIENT_REQUIRE(Width, Width >= 16 && Width <= contract_pkg::MaxBits, "Width must be 16 to 4096")
  `TOTIENT_REQUIRE(Multipliers, multipliers_fit(Multipliers, Slots),
                   "Multipliers must be 2, or 1 with Slots >= 2")
  `TOTIENT_REQUIRE(Lanes, lanes_fit(Lanes, Slots, Multipliers),
                   "Lanes must be 1 to Slots, to half of it with Multipliers = 1")
  `TOTIENT_REQUIRE(Separated, Separated || conventional_fits(DigitBits, Slots, Links),
                   "Separated = 0 needs DigitBits = 1, Slots = 1, Links = 0")

  localparam int unsigned Digits     = serial_digits(Width, DigitBits);
  localparam int unsigned Fill       = fill_steps(Width, DigitBits, Slots, Links);
  localparam int unsigned Steps      = 2 * Digits + Fill;             // of an operation
  localparam int unsigned FirstShift = Steps - parallel_digits(Width, DigitBits);
  localparam int unsigned RadixBits  = Digits * DigitBits;            // R = 2^RadixBits
  localparam int unsigned ResultLag  = result_lag(Links);
  localparam int unsigned LastLag    = row_lag(DigitBits - 1, DigitBits, Slots);
  localparam int unsigned PWords     = words_of(Width + 2, 32);         // of p
  localparam int unsigned Words      = (PWords < 2) ? 2 : PWords;
  localparam int unsigned WordDigits = words_of(32 * PWords, DigitBits);  // that fill all of p
  localparam int unsigned Ahead      = 10;  // cycles from the start of `u_operand` to its digit
  localparam int unsigned WaitSteps  = (Ahead + Slots - 1) / Slots;

  localparam int unsigned IndexBits  = index_bits(Words);
  localparam int unsigned ResultBits = index_bits(PWords);
  localparam int unsigned StepBits  = count_bits((Steps > WaitSteps) ? Steps : WaitSteps);
  localparam int unsigned SlotBits  = index_bits(Slots);
  localparam int unsigned PlaceBits = count_bits((Width > 2 * RadixBits) ? Width : 2 * RadixBits);
  localparam int unsigned KeyBits   = count_bits(2 * RadixBits);  // of the exponent of a key's R^2
  localparam int unsigned Square    = 0;  // array
  localparam int unsigned Multiply  = Multipliers - 1;
  localparam int unsigned SlotsALane = 3 - Multipliers;

  // The face ------------------------------------------------------------------------------------

  logic                  key_word, base_word, start_key, start, done, result_valid, wiping;
  logic                  flushing_q;
  modexp_request_t       request;
  modexp_response_t      response;
  logic [31:0]           result_word_q;
  logic [IndexBits-1:0]  word_index, modulus_index, operand_index;
  logic [31:0]           modulus_word, base_memory_word, exponent_word, exponent_memory_word;
  logic [LengthBits-1:0] exponent_bits;
  logic [PlaceBits-1:0]  place_q;  // i, of the exponent bit under way
  logic [LaneBits-1:0]   lane_q, last_lane;  // of the base that is shifted in
  modexp_frontend #(
    .Width(Width), .WordBits(32), .Words(Words), .Lanes(Lanes)
  ) u_frontend (
    .clk_i, .rst_ni, .clear_i,
    .request_i(request), .response_o(response),
    .result_valid_o(result_valid), .result_word_i(result_word_q),
    .wiping_o(wiping), .key_word_o(key_word), .base_word_o(base_word), .word_index_o(word_index),
    .modulus_word_o(modulus_word), .exponent_word_o(exponent_word),
    .base_word_data_o(base_memory_word),
    .start_key_o(start_key), .start_o(start), .done_i(done),
    .modulus_index_i(modulus_index), .base_lane_i(lane_q), .base_index_i(operand_index),
    .exponent_index_i(LengthBits'(place_q)), .exponent_memory_word_o(exponent_memory_word),
    /* verilator lint_off PINCONNECTEMPTY */
    .exponent_bit_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .exponent_bits_o(exponent_bits), .last_lane_o(last_lane)
  );
  // No request is taken while operations on zeros clear the arrays.
  always_comb begin
    request              = request_i;
    request.req_valid    = request_i.req_valid && !flushing_q;
    response_o           = response;
    response_o.req_ready = response.req_ready && !flushing_q;
  end

  // Schedule ------------------------------------------------------------------------------------

  typedef enum logic [2:0] {
    StFlush,   // operations on zeros clear the arrays
    StIdle,
    StDouble,  // key: 2 R mod n
    StWait,    // the next operand's digits are fetched
    StWork,    // steps of an operation
    StEnd      // the result's last digits are joined to words
  } state_e;
  typedef enum logic [1:0] {
    PhModulus,  // the key's modulus is shifted in
    PhBase,     // a lane's base (for a key 2 R mod n) and p = 1 are shifted in
    PhFirst,    // the base goes into the Montgomery domain; for a key, the loop's first operation
    PhLoop
  } phase_e;
  state_e              state_q;
  phase_e              phase_q;
  logic                key_q;
  logic [StepBits-1:0] step_q;
  logic [SlotBits-1:0] slot_q;
  logic                last_slot, last_step, doubling;
  logic                end_step_q, last_place_q;
  logic [PlaceBits-1:0] stop_place_q;
  logic                restart_q;  // reset or clear, a cycle ago
  logic                result_end_q;  // the result is complete
  logic [1:0]          flush_q;  // operations of a flush that are still to come

  localparam logic [PlaceBits-1:0] KeyExponent = PlaceBits'(2 * RadixBits);
  localparam logic [StepBits-1:0]  StartShifting = StepBits'(Digits);

  assign last_slot  = slot_q == SlotBits'(Slots - 1);
  assign last_step  = last_slot && end_step_q;
  assign done       = state_q == StEnd && result_end_q && !restart_q;

  // Compared a cycle ahead: a step of one slot is the last one after the last but one.
  always_ff @(posedge clk_i) begin
    end_step_q   <= (state_q == StWork || state_q == StFlush)
                    && step_q == StepBits'((Slots == 1) ? Steps - 2 : Steps - 1);
    stop_place_q <= key_q ? PlaceBits'(KeyBits - 1) : PlaceBits'(exponent_bits) - PlaceBits'(1);
    last_place_q <= place_q == stop_place_q;
    restart_q    <= !rst_ni || clear_i;
    if (restart_q) {end_step_q, last_place_q} <= '0;
  end

  always_ff @(posedge clk_i) begin
    slot_q <= last_slot ? '0 : slot_q + SlotBits'(1);
    if (last_slot) step_q <= step_q + StepBits'(1);
    unique case (state_q)
      StFlush: begin
        if (last_step) begin
          step_q  <= '0;
          flush_q <= flush_q - 2'd1;
          if (flush_q == '0) begin
            flushing_q <= 1'b0;
            state_q    <= StIdle;
          end
        end
      end
      StIdle: begin
        slot_q  <= '0;
        step_q  <= '0;
        place_q <= '0;
        lane_q  <= '0;
        key_q   <= start_key;
        phase_q <= start_key ? PhModulus : PhBase;
        if (start_key) state_q <= StDouble;
        if (start) state_q <= StWait;
      end
      StDouble: begin
        slot_q <= '0;
        step_q <= '0;
        if (!doubling) state_q <= StWait;
      end
      StWait: begin
        if (last_slot && step_q == StepBits'(WaitSteps - 1)) begin
          step_q  <= (phase_q == PhFirst) ? '0 : StartShifting;
          state_q <= StWork;
        end
      end
      StWork: begin
        if (last_step) begin
          step_q <= '0;
          unique case (phase_q)
            PhModulus: phase_q <= PhBase;
            PhBase: begin
              lane_q <= lane_q + LaneBits'(1);
              if (lane_q == last_lane) phase_q <= PhFirst;
            end
            default:   phase_q <= PhLoop;
          endcase
          if (phase_q == PhModulus || phase_q == PhBase) state_q <= StWait;
          if (phase_q == PhLoop || key_q) begin
            if (phase_q == PhFirst || phase_q == PhLoop) place_q <= place_q + PlaceBits'(1);
            if (phase_q == PhLoop && last_place_q) state_q <= StEnd;
          end
        end
      end
      default: if (result_end_q) state_q <= StIdle;  // StEnd
    endcase
    if (restart_q) begin
      state_q    <= StFlush;
      flushing_q <= 1'b1;
      flush_q    <= 2'd2;
      phase_q    <= PhModulus;
      key_q      <= 1'b0;
      step_q     <= '0;
      slot_q     <= '0;
      place_q    <= '0;
      lane_q     <= '0;
    end
  end

  // Flags of the cycle, a cycle later. In a shared array odd slots multiply. What slots without a
  // lane do is of no account.
  logic first_q, low_q, load_q, take_q, one_q;
  logic fetched_q;                        // the serial operand is the fetched one
  logic loading_q, load_modulus_digits_q; // parallel operands are fetched
  logic multiply_slot_q, bit_q;
  logic shift_square_q, shift_multiply_q;
  logic working, multiplying, shifting;
  logic keep;  // p stays as it is
  logic square_lane, multiply_lane;  // the slot is that of lane `lane_q`
  assign working     = state_q == StWork;
  assign multiplying = working && (phase_q == PhFirst || phase_q == PhLoop);
  assign shifting    = (working || state_q == StFlush) && step_q >= StepBits'(FirstShift);
  assign keep        = multiplying && ((phase_q == PhFirst && !key_q) || !bit_q);
  assign square_lane   = 32'(slot_q) == 32'(lane_q) * SlotsALane;
  assign multiply_lane = 32'(slot_q) == 32'(lane_q) * SlotsALane + (SlotsALane - 1);
  logic       key_bit_q;
  logic [4:0] bit_place_q;  // of the exponent bit in its word
  always_ff @(posedge clk_i) begin
    key_bit_q       <= KeyExponent[place_q[index_bits(PlaceBits)-1:0]];
    bit_place_q     <= place_q[4:0];
    bit_q           <= key_q ? key_bit_q : exponent_memory_word[bit_place_q];
    multiply_slot_q <= Multipliers == 1 && slot_q[0];
    first_q         <= (multiplying || state_q == StFlush) && step_q == '0;
    low_q           <= multiplying && step_q < StepBits'(Digits);
    fetched_q       <= phase_q == PhFirst;
    take_q          <= working && phase_q != PhLoop && last_slot
                       && (phase_q != PhFirst || step_q < StepBits'(Digits));
    loading_q       <= working && (phase_q == PhModulus || phase_q == PhBase);
    load_modulus_digits_q <= phase_q == PhModulus;
    one_q           <= working && phase_q == PhBase && step_q == StartShifting && multiply_lane;
    load_q          <= (state_q == StFlush) ? flush_q == '0 && step_q == '0
                     : working && phase_q == PhBase && key_q && step_q == StartShifting
                       && slot_q == '0;
    shift_square_q   <= shifting && (state_q == StFlush || multiplying || square_lane);
    shift_multiply_q <= shifting && (state_q == StFlush || (multiplying ? !keep : multiply_lane));
    if (restart_q) begin
      {first_q, low_q, take_q, load_q, shift_square_q, shift_multiply_q} <= '0;
      {bit_q, fetched_q, loading_q, load_modulus_digits_q, one_q, multiply_slot_q} <= '0;
    end
  end

  // Constants of a key --------------------------------------------------------------------------

  localparam int unsigned TopBits   = index_bits(Words * 32);
  localparam int unsigned CountBits = count_bits(RadixBits + 2);
  logic [31:0]            top_power, constant_word, joined_word;
  logic [TopBits-1:0]     modulus_top;  // place of its highest 1
  logic [IndexBits-1:0]   doubling_index, joined_index, power_index;
  logic                   constant_write, power_valid;
  leading_one #(.Words(Words), .WordBits(32)) u_leading (
    .clk_i, .rst_ni, .clear_i, .valid_i(key_word), .index_i(word_index), .word_i(modulus_word),
    .valid_o(power_valid), .index_o(power_index), .power_o(top_power), .place_o(modulus_top)
  );
  /* verilator lint_off PINCONNECTEMPTY */
  modular_doubling #(.Words(Words), .WordBits(32), .CountBits(CountBits)) u_doubling (
    .clk_i, .rst_ni, .clear_i,
    .write_i(wiping || power_valid || constant_write),
    .write_index_i(wiping ? word_index : constant_write ? joined_index : power_index),
    .write_data_i(wiping ? '0 : constant_write ? joined_word : top_power),
    .start_i(start_key), .count_i(CountBits'(RadixBits + 1) - CountBits'(modulus_top)),
    .busy_o(doubling), .index_o(doubling_index), .modulus_word_i(modulus_word),
    .half_valid_o(), .half_index_o(),
    .read_index_i(operand_index), .word_o(), .late_word_o(constant_word)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // Operands out of memory, in digits -----------------------------------------------------------

  // A word of any of them comes 3 cycles after its index.
  logic [31:0]          operand_word, constant_word_q;
  logic [DigitBits-1:0] fetched;
  logic                 operand_start_q;
  always_ff @(posedge clk_i) begin
    operand_start_q <= state_q == StWait && step_q == '0 && slot_q == '0;
    if (flushing_q) constant_word_q <= '0;
    else constant_word_q <= constant_word;
  end
  always_comb begin
    unique case (phase_q)
      PhModulus: operand_word = modulus_word;
      PhBase:    operand_word = key_q ? constant_word_q : base_memory_word;
      default:   operand_word = constant_word_q;
    endcase
  end
  words_to_digits #(.Words(Words), .DigitBits(DigitBits)) u_operand (
    .clk_i, .rst_ni(!flushing_q), .start_i(operand_start_q), .next_i(take_q),
    .index_o(operand_index), .word_i(operand_word), .digit_o(fetched)
  );

  // Arrays --------------------------------------------------------------------------------------
  // Bit r of a digit is row_lag(r) cycles late. The serial operand passes a register, and the flags
  // with it: the schedule of the arrays is a cycle behind the flags above.

  logic                   first_late_q, low_late_q, load_late_q;
  logic [Multipliers-1:0] shift_late_q;
  always_ff @(posedge clk_i) begin
    first_late_q           <= first_q;
    low_late_q             <= low_q;
    load_late_q            <= load_q;
    shift_late_q[Square] <= multiply_slot_q ? shift_multiply_q : shift_square_q;
    if (Multipliers == 2) shift_late_q[Multiply] <= shift_multiply_q;
  end

  logic [DigitBits-1:0] a_q, squared_late;
  logic [DigitBits-1:0] product[Multipliers], chain[Multipliers];
  delay_memory #(
    .Bits(DigitBits), .Cycles((Digits + Fill) * Slots - 1 - ResultLag)
  ) u_squared (
    .clk_i, .rst_ni(!restart_q), .data_i(product[Square]), .data_o(squared_late)
  );

  for (genvar r = 0; r < DigitBits; r++) begin : gen_row
    localparam int unsigned Lag = row_lag(r, DigitBits, Slots);
    logic fetched_bit, low, from_memory, hold;
    delay_line #(.Bits(4), .Cycles(Lag)) u_serial (
      .clk_i, .data_i({fetched[r], low_q, fetched_q, multiply_slot_q}),
      .data_o({fetched_bit, low, from_memory, hold})
    );
    // A shared array's multiplication takes the digit of the squaring before it.
    always_ff @(posedge clk_i) begin
      a_q[r] <= low & (from_memory ? fetched_bit : hold ? a_q[r] : squared_late[r]);
    end

    logic parallel_bit, loading, modulus_digits, one, multiply_slot;
    delay_line #(.Bits(5), .Cycles(Lag + 1 + ResultLag)) u_parallel (
      .clk_i,
      .data_i({fetched[r], loading_q, load_modulus_digits_q, r == 0 && one_q, multiply_slot_q}),
      .data_o({parallel_bit, loading, modulus_digits, one, multiply_slot})
    );
    if (Multipliers == 1) begin : gen_shared
      assign chain[Square][r] = !loading ? product[Square][r] : multiply_slot ? one : parallel_bit;
      logic unused_modulus_digits;
      assign unused_modulus_digits = modulus_digits;
    end else begin : gen_apart
      assign chain[Square][r]   = loading ? parallel_bit : product[Square][r];
      assign chain[Multiply][r] = !loading ? product[Multiply][r]
                                : modulus_digits ? parallel_bit : one;
      logic unused_multiply_slot;
      assign unused_multiply_slot = multiply_slot;
    end
  end

  for (genvar i = 0; i < Multipliers; i++) begin : gen_multiplier
    if (Separated) begin : gen_separated
      modmul_digit_serial #(
        .Width(Width), .DigitBits(DigitBits), .Slots(Slots), .Links(Links)
      ) u_modmul (
        .clk_i, .first_i(first_late_q), .low_i(low_late_q), .shift_i(shift_late_q[i]),
        .load_modulus_i(load_late_q), .a_i(a_q), .chain_i(chain[i]), .product_o(product[i])
      );
    end else begin : gen_interleaved
      logic unused_first;
      assign unused_first = first_late_q;
      modmul_bit_serial #(.Width(Width)) u_modmul (
        .clk_i, .low_i(low_late_q), .shift_i(shift_late_q[i]), .load_modulus_i(load_late_q),
        .a_i(a_q[0]), .chain_i(chain[i][0]), .product_o(product[i][0])
      );
    end
  end

  // Results -------------------------------------------------------------------------------------
  // What is shifted into p also goes to the lane's result. Operations that leave p as it is send
  // digits, too, which are not kept.

  localparam int unsigned LeftBits = count_bits(WordDigits);
  logic [Lanes-1:0]                ask, write, lane_end;
  logic [Lanes-1:0][IndexBits-1:0] ask_index, write_index;
  logic [Lanes-1:0][31:0]          word, result;
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int unsigned Slot = l * SlotsALane + (SlotsALane - 1);  // in which it multiplies
    logic [LeftBits-1:0]  left_q;  // digits of p that are still to come
    logic                 begins, begins_q, slot_here_q, digit, keep_q, last_q;
    logic                 valid, first, kept, last;
    logic [DigitBits-1:0] p_digit;
    assign begins = working && step_q == StartShifting
                    && (multiplying || (phase_q == PhBase && !key_q && lane_q == LaneBits'(l)));
    assign digit  = slot_here_q && (begins_q || left_q != '0);
    always_ff @(posedge clk_i) begin
      slot_here_q <= slot_q == SlotBits'(Slot);
      begins_q    <= begins;
      keep_q      <= keep;
      last_q      <= phase_q == PhLoop && last_place_q;
      if (slot_here_q) begin
        if (begins_q) left_q <= LeftBits'(WordDigits - 1);
        else if (left_q != '0) left_q <= left_q - LeftBits'(1);
      end
      if (restart_q) begin
        {slot_here_q, begins_q, keep_q, last_q} <= '0;
        left_q <= '0;
      end
    end
    delay_line #(.Bits(4), .Cycles(1 + ResultLag + LastLag)) u_digit (
      .clk_i, .data_i({digit, begins_q, keep_q, last_q}), .data_o({valid, first, kept, last})
    );
    for (genvar r = 0; r < DigitBits; r++) begin : gen_row
      delay_line #(.Bits(1), .Cycles(LastLag - row_lag(r, DigitBits, Slots))) u_bit (
        .clk_i, .data_i(chain[Multiply][r]), .data_o(p_digit[r])
      );
    end

    logic [ResultBits-1:0] lane_index, lane_write_index;
    digit_result #(.Words(PWords), .DigitBits(DigitBits)) u_result (
      .clk_i, .rst_ni(!flushing_q),
      .wipe_i(wiping), .wipe_index_i(ResultBits'(word_index)),
      .valid_i(valid), .first_i(first), .keep_i(kept), .last_i(last), .digit_i(p_digit),
      .elsewhere_i(key_q), .ask_o(ask[l]), .index_o(lane_index),
      .modulus_word_i(modulus_word), .write_o(write[l]), .write_index_o(lane_write_index),
      .word_o(word[l]), .end_o(lane_end[l]),
      .read_index_i(ResultBits'(OperandBits'(request_i.result_index))), .read_word_o(result[l])
    );
    assign ask_index[l]  = IndexBits'(lane_index);
    assign write_index[l] = IndexBits'(lane_write_index);
  end

  // R^2 mod n is a result of lane 0. Lanes ask for words of the modulus in cycles of their own.
  assign constant_write = write[0] && key_q;
  assign joined_index   = write_index[0];
  assign joined_word    = word[0];
  logic [IndexBits-1:0] asked_index;
  always_comb begin
    asked_index = '0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      asked_index |= (Lanes == 1 || ask[l]) ? ask_index[l] : '0;
    end
  end
  assign modulus_index = doubling ? doubling_index
                       : (phase_q == PhModulus) ? operand_index : asked_index;

  always_ff @(posedge clk_i) begin
    result_end_q <= state_q != StIdle && (result_end_q || lane_end[Lanes-1]);
    if (restart_q || flushing_q) result_end_q <= 1'b0;
    if (!result_valid) result_word_q <= '0;
    else result_word_q <= result[LaneBits'(request_i.result_lane)];
  end

  logic unused;
  assign unused = ^{base_word, exponent_word, modulus_top, write, ask, word, write_index,
                    lane_end};
endmodule

`default_nettype wire
