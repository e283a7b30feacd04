// SPDX-License-Identifier: Apache-2.0
// Included before a netlist's model. What is unknown in a netlist is drawn at random by a seed. The
// starts 2 k - 1 and 2 k use the same draw, the second one its complement: in a pair of starts each
// unknown bit has both values.
#pragma once

#include <cstdint>

#include "verilated.h"

struct totient_context : VerilatedContext {
    bool complement = false;
    uint64_t draws = 0;

    void draw(uint32_t start) {
        randReset(2);
        randSeed(static_cast<int>((start + 1) / 2 * 0x9E3779B1u & 0x7FFFFFFFu));
        complement = start % 2 == 0;
    }
};

inline totient_context& totient_here() {
    return *static_cast<totient_context*>(Verilated::threadContextp());
}

inline bool totient_complement() { return totient_here().complement; }

// Verilator draws all words of a memory with one salt, which would make them equal. It joins seed and
// salt by exclusive or: numbers in sequence would collide, so they are multiplied.
inline uint64_t totient_salt(uint64_t salt) {
    return salt + ++totient_here().draws * 0x9E3779B97F4A7C15u;
}

inline IData totient_drawn(IData value, int bits) {
    return totient_complement() ? ~value & VL_MASK_I(bits) : value;
}

inline QData totient_drawn(QData value, int bits) {
    return totient_complement() ? ~value & VL_MASK_Q(bits) : value;
}

inline WDataOutP totient_drawn(WDataOutP words, int bits) {
    if (totient_complement()) {
        const int last = VL_WORDS_I(bits) - 1;
        for (int i = 0; i < last; ++i) words[i] = ~words[i];
        words[last] = ~words[last] & VL_MASK_E(bits);
    }
    return words;
}

#define VL_SCOPED_RAND_RESET_I(bits, scope, salt) \
    totient_drawn(VL_SCOPED_RAND_RESET_I(bits, scope, totient_salt(salt)), bits)
#define VL_SCOPED_RAND_RESET_Q(bits, scope, salt) \
    totient_drawn(VL_SCOPED_RAND_RESET_Q(bits, scope, totient_salt(salt)), bits)
#define VL_SCOPED_RAND_RESET_W(bits, words, scope, salt) \
    totient_drawn(VL_SCOPED_RAND_RESET_W(bits, words, scope, totient_salt(salt)), bits)
#define VL_SCOPED_RAND_RESET_ASSIGN_I(bits, scope, salt) \
    totient_drawn(VL_SCOPED_RAND_RESET_ASSIGN_I(bits, scope, salt), bits)
#define VL_SCOPED_RAND_RESET_ASSIGN_Q(bits, scope, salt) \
    totient_drawn(VL_SCOPED_RAND_RESET_ASSIGN_Q(bits, scope, salt), bits)
#define VL_SCOPED_RAND_RESET_ASSIGN_W(bits, words, scope, salt) \
    totient_drawn(VL_SCOPED_RAND_RESET_ASSIGN_W(bits, words, scope, salt), bits)
#define VL_RAND_RESET_I(bits) totient_drawn(VL_RAND_RESET_I(bits), bits)
#define VL_RAND_RESET_Q(bits) totient_drawn(VL_RAND_RESET_Q(bits), bits)
#define VL_RAND_RESET_W(bits, words) totient_drawn(VL_RAND_RESET_W(bits, words), bits)
#define VL_RANDOM_I() totient_drawn(VL_RANDOM_I(), 32)
#define VL_RANDOM_Q() totient_drawn(VL_RANDOM_Q(), 64)
#define VL_RANDOM_W(bits, words) totient_drawn(VL_RANDOM_W(bits, words), bits)
