// SPDX-License-Identifier: Apache-2.0
// The clock loop around a verilated IP: request words go in, response words come out. Every
// function is called through ctypes on a handle of totient_open; one thread at a time.
#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>
#include <vector>

#include "Vtop.h"
#include "verilated.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

struct Word {
    uint32_t data;
    bool last;
};

struct Model {
    VerilatedContext context;
    Vtop top{&context};
    std::deque<Word> requests;
    std::vector<uint32_t> response;
    std::string printed;   // by the RTL since the last reset: failed assertions
    uint64_t cycles = 0;
    uint64_t chance = 0;   // state of the generator of pauses; 0: no pauses

    // True for about half of the calls (xorshift generator).
    bool pause() {
        if (!chance) return false;
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        return chance >> 63;
    }

    void edge() {
        top.aclk = 1;
        top.eval();
        top.aclk = 0;
        ++cycles;
    }

    // One clock cycle with its handshakes; true when it ends a response.
    bool step() {
        // A word that is offered stays until it is taken.
        if (!top.s_axis_tvalid && !requests.empty() && !pause()) {
            top.s_axis_tvalid = 1;
            top.s_axis_tdata = requests.front().data;
            top.s_axis_tlast = requests.front().last;
        }
        top.m_axis_tready = !pause();
        top.eval();
        const bool taken = top.s_axis_tvalid && top.s_axis_tready;
        const bool given = top.m_axis_tvalid && top.m_axis_tready;
        const bool last = given && top.m_axis_tlast;
        if (given) response.push_back(top.m_axis_tdata);
        edge();
        if (taken) {
            requests.pop_front();
            top.s_axis_tvalid = 0;
        }
        return last;
    }

    void reset() {
        requests.clear();
        response.clear();
        printed.clear();
        context.gotFinish(false);
        top.aclk = 0;
        top.aresetn = 0;
        top.s_axis_tvalid = 0;
        top.s_axis_tdata = 0;
        top.s_axis_tlast = 0;
        top.m_axis_tready = 0;
        for (int i = 0; i < 2; i++) {
            top.eval();
            edge();
        }
        top.aresetn = 1;
    }
};

thread_local Model* active = nullptr;  // the model that runs, for what it prints

Model& enter(void* handle) {
    active = static_cast<Model*>(handle);
    return *active;
}

}  // namespace

// The run-time library is compiled to leave these to us; its own would end the process.
void vl_finish(const char*, int, const char*) VL_MT_UNSAFE {
    if (active) active->context.gotFinish(true);
}
void vl_stop(const char* file, int line, const char* scope) VL_MT_UNSAFE {
    vl_finish(file, line, scope);
}
void vl_fatal(const char* file, int line, const char* scope, const char* text) VL_MT_UNSAFE {
    totient_print("%s:%d: %s\n", file, line, text);
    vl_finish(file, line, scope);
}

extern "C" int totient_print(const char* format, ...) {
    char text[1024];
    va_list values;
    va_start(values, format);
    const int length = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (active) active->printed += text;
    return length;
}

// A model that has been reset.
EXPORT void* totient_open() {
    auto* model = new Model;
    enter(model).reset();
    return model;
}

EXPORT void totient_close(void* handle) {
    enter(handle).top.final();
    active = nullptr;
    delete static_cast<Model*>(handle);
}

// Reset the core for two cycles, and drop what is under way.
EXPORT void totient_reset(void* handle) { enter(handle).reset(); }

// Clock cycles since the model was opened.
EXPORT uint64_t totient_cycles(void* handle) { return enter(handle).cycles; }

// Pause at random on both sides of the stream, by this seed; 0 never pauses.
EXPORT void totient_pauses(void* handle, uint64_t seed) { enter(handle).chance = seed; }

// Queue a request packet.
EXPORT void totient_send(void* handle, const uint32_t* words, size_t count) {
    Model& model = enter(handle);
    for (size_t i = 0; i < count; i++) model.requests.push_back({words[i], i + 1 == count});
}

// Run until a response is complete (1), `cycles` have passed (0), or the RTL has stopped (-1).
EXPORT int totient_run(void* handle, uint64_t cycles) {
    Model& model = enter(handle);
    for (; cycles; --cycles) {
        const bool complete = model.step();
        if (model.context.gotFinish()) return -1;
        if (complete) return 1;
    }
    return 0;
}

// Words of the response that is complete; taking them makes room for the next.
EXPORT size_t totient_response_words(void* handle) { return enter(handle).response.size(); }
EXPORT void totient_take(void* handle, uint32_t* words) {
    Model& model = enter(handle);
    std::copy(model.response.begin(), model.response.end(), words);
    model.response.clear();
}

// What the RTL has printed since the last reset.
EXPORT const char* totient_printed(void* handle) { return enter(handle).printed.c_str(); }
