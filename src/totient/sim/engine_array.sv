// SPDX-License-Identifier: Apache-2.0
// The array of rtl/engine/engine_array.sv as a program for Verilator: the same parameters, ports and
// outputs in every cycle, with all elements at once in vectors of the host's processor.
//
// An element is that of rtl/engine/engine_element.sv with the multipliers of
// rtl/prim/multiply_registered.sv; names are theirs. A product is kept as its low and high word.
`default_nettype none

module engine_array
  import engine_pkg::*;
#(
  parameter int unsigned Bits     = 18,
  parameter int unsigned Elements = 4,
  parameter taps_t       Taps     = '0,
  parameter bit [127:0]  FarLinks = '0,
  /* verilator lint_off UNUSEDPARAM */
  parameter int unsigned Form     = 0  // of the multipliers: the same words in all forms
  /* verilator lint_on UNUSEDPARAM */
) (
  input  logic            clk_i,
  input  ring_t           ring_i,
  input  logic            start_i,
  input  logic [Bits-1:0] a_i,
  input  logic [Bits-1:0] b_i,
  input  logic [Bits-1:0] x_i,
  input  logic [Bits-1:0] t_i,
  output logic            done_o,
  output logic [Bits-1:0] t_o
);
  // The code below belongs to a class of the module's own.
  /* verilator no_inline_module */
  initial $c("this->array.set(", Bits, ", ", Elements, ", ", Taps[63:0], ", ", Taps[8*MostTaps-1:64],
             ", ", FarLinks[63:0], ", ", FarLinks[127:64], ");");
  always_ff @(posedge clk_i)
    {done_o, t_o} <= (Bits+1)'($c32("this->array.step(", ring_i, ", ", start_i, ", ", a_i, ", ", b_i,
                                    ", ", x_i, ", ", t_i, ")"));

`systemc_header
#include <cstdint>
#include <cstring>
#include <initializer_list>

class EngineArray final {
    static constexpr unsigned kRoom = 128 + 8;  // elements, up to a whole vector
    static constexpr unsigned kTaps = 15;
    typedef uint32_t Words[kRoom];
    // What an element gives to the next one.
    struct Link {
        alignas(32) Words start, a, b, x, t, p_low, p_high;
    };
    // The registers of an engine_ring_end.
    struct End {
        uint32_t high_q, product_q, late_q, t_q;
    };

    unsigned bits = 18, count = 0, length = 0;
    unsigned taps[kTaps + 1];  // elements of the shorter rings by number
    unsigned far[kRoom], far_count = 0;  // elements with a register before them
    Link from;  // the inputs of each element
    Link held;  // registers before some of them
    alignas(32) Words start_q, a_q, b_q, b_qq, x_q, x_qq, ab_x, qx_x;
    alignas(32) Words ab_low_1, ab_high_1, qx_low_1, qx_high_1;  // inside the multipliers
    alignas(32) Words ab_low_2, ab_high_2, qx_low_2, qx_high_2;  // at their outputs
    alignas(32) Words high_q, low_q, p_low_q, both_q, carry_q, t_q, q_q;
    unsigned used_q, near_q;  // number of the ring in use
    End end;
    uint32_t tap_word_q, words_q, other_q, done_q;  // a word of a shorter ring

    // The input of an element becomes what its register held, which then holds the new one.
    void delay(unsigned element) {
        for (Words Link::*words : {&Link::start, &Link::a, &Link::b, &Link::x, &Link::t, &Link::p_low,
                                   &Link::p_high}) {
            const uint32_t next = (from.*words)[element];
            (from.*words)[element] = (held.*words)[element];
            (held.*words)[element] = next;
        }
    }

    // A cycle of the end behind the last element.
    void add() {
        const uint32_t mask = (1U << bits) - 1;
        const unsigned last = count - 1;
        end.t_q = end.late_q + t_q[last] + (end.t_q >> bits);
        end.late_q = end.product_q & mask;
        end.product_q = used_q ? 0 : qx_low_2[last] + end.high_q + (end.product_q >> bits);
        end.high_q = used_q ? 0 : qx_high_2[last];
    }

    __attribute__((target_clones("avx2", "default"), optimize("O3"))) void elements() {
        const unsigned shift = bits;
        const uint32_t mask = (1U << shift) - 1;
        // A product's low and high word, in parts that fit 32 bits.
        const auto multiply = [=](uint32_t u, uint32_t v, uint32_t& low, uint32_t& high) {
            const uint32_t first = u * (v & 511), second = u * (v >> 9);
            const uint32_t sum = first + ((second & mask >> 9) << 9);
            low = sum & mask;
            high = (sum >> shift) + (second >> (shift - 9));
        };
        for (unsigned i = 0; i < length; ++i) {
            const uint32_t fourth = -(start_q[i] >> 4 & 1);
            const uint32_t sum = (both_q[i] & mask) + from.t[i] + carry_q[i];
            carry_q[i] = sum >> shift;
            both_q[i] = (low_q[i] & mask) + p_low_q[i] + (both_q[i] >> shift);
            p_low_q[i] = from.p_low[i];
            low_q[i] = ab_low_2[i] + (high_q[i] & mask) + (low_q[i] >> shift);
            high_q[i] = ab_high_2[i] + from.p_high[i] + (high_q[i] >> shift);
            ab_low_2[i] = ab_low_1[i];
            ab_high_2[i] = ab_high_1[i];
            qx_low_2[i] = qx_low_1[i];
            qx_high_2[i] = qx_high_1[i];
            multiply(ab_x[i], b_q[i], ab_low_1[i], ab_high_1[i]);
            multiply(qx_x[i], x_q[i], qx_low_1[i], qx_high_1[i]);
            qx_x[i] = q_q[i];
            q_q[i] = (sum & mask & fourth) | (q_q[i] & ~fourth);
            t_q[i] = sum & mask & ~fourth;
            const uint32_t enable = -from.start[i];
            ab_x[i] = (from.a[i] & enable) | (ab_x[i] & ~enable);
            a_q[i] = from.a[i];
            b_qq[i] = b_q[i];
            b_q[i] = from.b[i];
            x_qq[i] = x_q[i];
            x_q[i] = from.x[i];
            start_q[i] = (start_q[i] << 1 | from.start[i]) & 31;
        }
    }

  public:
    EngineArray() { std::memset(static_cast<void*>(this), 0, sizeof *this); }

    void set(unsigned word_bits, unsigned all, uint64_t shorter, uint64_t longer, uint64_t low,
             uint64_t high) {
        bits = word_bits;
        count = all;
        length = (all + 7) / 8 * 8;
        for (unsigned n = 0; n < kTaps; ++n)
            taps[n + 1] = (n < 8 ? shorter >> 8 * n : longer >> 8 * (n - 8)) & 255;
        const uint64_t links[] = {low, high};
        for (unsigned i = 0; i < all; ++i)
            if (links[i / 64] >> i % 64 & 1) far[far_count++] = i;
    }

    // A clock cycle. The ring's word, and above it its end of a job.
    uint32_t step(unsigned ring, bool start, uint32_t a, uint32_t b, uint32_t x, uint32_t t) {
        const unsigned last = count - 1;
        const uint32_t mask = (1U << bits) - 1;
        // What is in use still in this cycle, and the element behind the last one of that ring.
        const unsigned used = used_q, behind = near_q <= kTaps ? taps[near_q] : 0;
        add();
        other_q = words_q;
        words_q = tap_word_q;
        const uint32_t ended = start_q[last] >> 1 & 1;
        done_q = (done_q << 1 & 6) | ended << 2;
        near_q = used_q;
        used_q = ring;
        // Inputs of the elements. A register before an element delays them.
        const unsigned bytes = last * sizeof(uint32_t);
        for (unsigned i = 1; i < count; ++i) from.start[i] = start_q[i - 1] >> 1 & 1;
        std::memcpy(from.a + 1, a_q, bytes);
        std::memcpy(from.b + 1, b_qq, bytes);
        std::memcpy(from.x + 1, x_qq, bytes);
        std::memcpy(from.t + 1, t_q, bytes);
        std::memcpy(from.p_low + 1, qx_low_2, bytes);
        std::memcpy(from.p_high + 1, qx_high_2, bytes);
        from.start[0] = start;
        from.a[0] = a;
        from.b[0] = b;
        from.x[0] = x;
        from.t[0] = t;
        from.p_low[0] = from.p_high[0] = 0;
        for (unsigned i = 0; i < far_count; ++i) delay(far[i]);
        if (behind) {
            tap_word_q = (both_q[behind] + from.t[behind] + carry_q[behind]) & mask;
            done_q |= from.start[behind];
        } else {
            tap_word_q = 0;
        }
        elements();
        if (behind) {
            a_q[behind - 1] = 0;
            start_q[behind] &= ~2U;
        }
        if (used) t_q[last] = 0;
        return (done_q >> 2 & 1) << bits | (end.t_q & mask) | other_q;
    }
};
`systemc_interface
  EngineArray array;
`verilog
endmodule

`default_nettype wire
