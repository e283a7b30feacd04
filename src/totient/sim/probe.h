// SPDX-License-Identifier: Apache-2.0
// What is public in a model that was built to be probed: its state, bit by bit, to be changed, and
// what is only watched, to be hashed cycle by cycle.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "verilated.h"
#include "verilated_syms.h"

class Probe {
    struct Element {
        uint8_t* data;
        size_t entry, words;  // bytes of a word, and how many there are
        uint64_t hash;  // of a watched one
    };
    std::vector<Element> state, watched;
    std::string names;
    VerilatedContext& context;
    uint64_t cycles = 0;
    bool counts = false;

    static uint64_t value(const Element& element) {
        uint64_t found = 0;
        for (size_t i = 0; i < element.entry; i++) found |= uint64_t{element.data[i]} << 8 * i;
        return found;
    }

public:
    bool wanted = false;  // whether anything is hashed

    explicit Probe(VerilatedContext& of) : context(of) {
        for (const auto& [scope_name, scope] : *context.scopeNameMap()) {
            // The top's ports, which are always public, have a scope of their own.
            if (!scope->varsp() || std::string{"TOP"} == scope_name) continue;
            for (const auto& [name, variable] : *scope->varsp()) {
                if (variable.isParam()) continue;
                const bool writable = variable.isPublicRW();
                size_t words = 1;
                for (const auto& range : variable.unpackedRanges()) words *= range.elements();
                (writable ? state : watched)
                    .push_back({static_cast<uint8_t*>(variable.datap()), variable.entSize(), words, 0});
                names += std::string{writable ? "state " : "watched "} + scope_name + "." + name
                       + " " + std::to_string(variable.entBits()) + " " + std::to_string(words)
                       + " " + std::to_string(variable.entSize()) + "\n";
            }
        }
    }
    // The model's scopes leave the thread's context next. That of another model may be gone.
    ~Probe() { Verilated::threadContextp(&context); }
    const char* list() const { return names.c_str(); }
    void flip(size_t element, size_t word, size_t bit) {
        const Element& found = state.at(element);
        found.data[found.entry * word + bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
    }
    void peek(size_t element, uint8_t* into) const {
        const Element& found = state.at(element);
        std::copy_n(found.data, found.entry * found.words, into);
    }
    // Watching: from one cycle to another.
    void begin() {
        if (!wanted || counts) return;
        for (Element& element : watched) element.hash = 0xCBF29CE484222325;
        cycles = 0;
        counts = true;
    }
    void end() { counts = false; }
    void look() {
        if (!counts) return;
        ++cycles;
        for (Element& element : watched) {
            element.hash ^= value(element);
            element.hash *= 0x100000001B3;
            element.hash ^= element.hash >> 29;
        }
    }
    uint64_t hashes(uint64_t* into) const {
        for (const Element& element : watched) *into++ = element.hash;
        return cycles;
    }
};
