// SPDX-License-Identifier: Apache-2.0
// The clock loop around a verilated IP, with the faces that it has (totient/model.h): FACE_STREAM,
// FACE_REGISTERS and FACE_SERIAL are defined by the build, and BIT_SIXTEENTHS (of a cycle) with the
// last; CLOCK and RESET are its ports, RESET_LEVEL and SETTLING what is said of them in the catalog's
// `Top`; VISIBLE is defined where the state can be seen, PROBED where it can be changed.
#include "totient/model.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <deque>
#include <memory>
#include <random>
#include <string>

#include "Vtop.h"
#include "verilated.h"
#ifdef VISIBLE
#include "verilated_vcd_c.h"
#endif
#ifdef PROBED
#include "probe.h"
#endif

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

// Generator of pauses (xorshift): true for about half of the calls, never with state 0.
struct Pauses {
    uint64_t state = 0;

    bool operator()() {
        if (!state) return false;
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return state >> 63;
    }
};

// Random words for an IP that has a stream for them: from the operating system, or from a generator
// with a seed.
struct Randomness {
    std::random_device device;
    std::mt19937 generator;
    bool dry = false, taken = false, seeded = false;

    template <typename Top>
    auto drive(Top& top, Pauses& pause, int) -> decltype(top.random_tvalid, void()) {
        if (taken) top.random_tvalid = 0;
        if (top.random_tvalid || dry || pause()) return;
        top.random_tvalid = 1;
        top.random_tdata = seeded ? generator() : device();
    }
    template <typename Top>
    void drive(Top&, Pauses&, long) {}
    template <typename Top>
    auto settle(const Top& top, int) -> decltype(top.random_tvalid, void()) {
        taken = top.random_tvalid && top.random_tready;
    }
    template <typename Top>
    void settle(const Top&, long) {}
};

// Each face drives its inputs before an edge of the clock, looks at the handshakes when they have
// settled, and ends them after the edge.

#ifdef FACE_STREAM
struct Stream {
    struct Word {
        uint32_t data;
        bool last;
    };
    std::deque<Word> requests, responses;
    size_t complete = 0;   // of the responses
    bool taken = false;

    void reset(Vtop& top) {
        *this = {};
        top.s_axis_tvalid = 0;
        top.s_axis_tdata = 0;
        top.s_axis_tlast = 0;
        top.m_axis_tready = 0;
    }
    void drive(Vtop& top, Pauses& pause) {
        // A word that is offered stays until it is taken.
        if (!top.s_axis_tvalid && !requests.empty() && !pause()) {
            top.s_axis_tvalid = 1;
            top.s_axis_tdata = requests.front().data;
            top.s_axis_tlast = requests.front().last;
        }
        top.m_axis_tready = !pause();
    }
    void settle(const Vtop& top) {
        taken = top.s_axis_tvalid && top.s_axis_tready;
        if (!top.m_axis_tvalid || !top.m_axis_tready) return;
        responses.push_back({top.m_axis_tdata, top.m_axis_tlast != 0});
        complete += top.m_axis_tlast;
    }
    void end(Vtop& top) {
        if (!taken) return;
        requests.pop_front();
        top.s_axis_tvalid = 0;
        top.s_axis_tdata = 0;   // no word of a key stays on the wires
        top.s_axis_tlast = 0;
    }
};
#endif

#ifdef FACE_REGISTERS
struct Registers {
    bool writing = false, reading = false;          // an access is under way
    bool address_left = false, data_left = false;   // of it: still to be offered
    bool address_taken = false, data_taken = false, answered = false;
    int answer = 0;
    uint32_t value = 0;

    void reset(Vtop& top) {
        *this = {};
        top.s_axil_awvalid = 0;
        top.s_axil_awaddr = 0;
        top.s_axil_awprot = 0;
        top.s_axil_wvalid = 0;
        top.s_axil_wdata = 0;
        top.s_axil_wstrb = 0;
        top.s_axil_bready = 0;
        top.s_axil_arvalid = 0;
        top.s_axil_araddr = 0;
        top.s_axil_arprot = 0;
        top.s_axil_rready = 0;
    }
    // The payload stands at the port from the beginning; `valid` follows, address and data of a
    // write in any order.
    void begin_write(Vtop& top, uint32_t offset, uint32_t data, uint32_t lanes) {
        top.s_axil_awaddr = offset;
        top.s_axil_wdata = data;
        top.s_axil_wstrb = lanes;
        writing = address_left = data_left = true;
    }
    void begin_read(Vtop& top, uint32_t offset) {
        top.s_axil_araddr = offset;
        reading = address_left = true;
    }
    void drive(Vtop& top, Pauses& pause) {
        if (address_left && !pause()) {
            (writing ? top.s_axil_awvalid : top.s_axil_arvalid) = 1;
            address_left = false;
        }
        if (data_left && !pause()) {
            top.s_axil_wvalid = 1;
            data_left = false;
        }
        top.s_axil_bready = writing && !pause();
        top.s_axil_rready = reading && !pause();
    }
    void settle(const Vtop& top) {
        address_taken = writing ? top.s_axil_awvalid && top.s_axil_awready
                                : top.s_axil_arvalid && top.s_axil_arready;
        data_taken = top.s_axil_wvalid && top.s_axil_wready;
        answered = false;
        if (top.s_axil_bvalid && top.s_axil_bready) {
            answered = true;
            answer = top.s_axil_bresp;
        } else if (top.s_axil_rvalid && top.s_axil_rready) {
            answered = true;
            answer = top.s_axil_rresp;
            value = top.s_axil_rdata;
        }
    }
    void end(Vtop& top) {
        if (address_taken) (writing ? top.s_axil_awvalid : top.s_axil_arvalid) = 0;
        if (data_taken) {
            top.s_axil_wvalid = 0;
            top.s_axil_wdata = 0;
        }
        if (answered) writing = reading = false;
    }
};
#endif

#ifdef FACE_SERIAL
struct Line {
    std::deque<uint8_t> to_send, received;
    uint32_t frame = 0;        // bits that are still to be sent, the next one lowest
    unsigned bits = 0, left = 0;   // bits of a byte that goes, and sixteenths of a cycle of one
    unsigned listened = 0, listening = 0;   // of one that comes, and to the next
    uint32_t byte = 0;
    bool complete = false;

    void reset(Vtop& top) {
        *this = {};
        top.uart_rx = 1;
    }
    void drive(Vtop& top, Pauses& pause) {
        if (bits == 0 && !to_send.empty() && !pause()) {
            frame = 1u << 9 | to_send.front() << 1u;   // start bit 0, 8 bits, stop bit 1
            to_send.pop_front();
            bits = 10;
            left = BIT_SIXTEENTHS;
        }
        top.uart_rx = bits == 0 || (frame & 1);
        if (bits == 0) return;
        left -= 16;
        if (left >= 16) return;
        frame >>= 1;
        left += BIT_SIXTEENTHS;
        --bits;
    }
    void settle(const Vtop& top) {
        complete = false;
        if (listening == 0) {
            if (top.uart_tx) return;
            listened = 0;
            listening = BIT_SIXTEENTHS + BIT_SIXTEENTHS / 2;   // to the middle of the first bit
        }
        listening -= 16;
        if (listening >= 16) return;
        if (listened < 8) {
            byte = byte >> 1 | (top.uart_tx ? 0x80u : 0u);
            listening += BIT_SIXTEENTHS;
        } else {
            listening = 0;
            if (!top.uart_tx) return;   // the stop bit
            received.push_back(byte);
            complete = true;
        }
        ++listened;
    }
    void end(Vtop&) {}
};
#endif

#ifdef VISIBLE
// A waveform that is kept as text.
struct Waveform : VerilatedVcdFile {
    std::string text;

    bool open(const std::string&) override { return true; }
    void close() override {}
    ssize_t write(const char* part, ssize_t length) override {
        text.append(part, static_cast<size_t>(length));
        return length;
    }
};
#endif

}  // namespace

struct totient_model {
#ifdef NETLIST
    totient_context context;
#else
    VerilatedContext context;
#endif
    // No pool of threads, which no model uses: a forked process that closes its copy would wait for them.
    const bool alone = (context.threads(1), true);
#ifdef VISIBLE
    const bool visible = (context.traceEverOn(true), true);   // to be said before `top` is there
    std::string state;
    std::unique_ptr<Waveform> waveform;         // of what is recorded
    std::unique_ptr<VerilatedVcdC> recorder;    // ends before it
#endif
    // The constructor of `top` draws what is unknown.
    const bool drawn;
    Vtop top{&context};
    std::string printed;   // by the RTL since the last reset: failed assertions
    std::string reason;    // what was printed when it last stopped
    uint64_t cycles = 0;
    Pauses pause;
    Randomness randomness;
#ifdef PROBED
    Probe probe{context};
#endif
#ifdef FACE_STREAM
    Stream stream;
#endif
#ifdef FACE_REGISTERS
    Registers registers;
#endif
#ifdef FACE_SERIAL
    Line line;
#endif

#ifdef NETLIST
    explicit totient_model(uint32_t start) : drawn((context.draw(start), true)) {}
#else
    explicit totient_model(uint32_t start)
        : drawn((context.randReset(2), context.randSeed(static_cast<int>(start)), true)) {}
#endif

    template <typename Action>
    void each_face(Action action) {
#ifdef FACE_STREAM
        action(stream);
#endif
#ifdef FACE_REGISTERS
        action(registers);
#endif
#ifdef FACE_SERIAL
        action(line);
#endif
    }
    void edge() {
        top.CLOCK = 1;
        top.eval();
        top.CLOCK = 0;
        ++cycles;
    }
    // One clock cycle with its handshakes.
    void step() {
        each_face([this](auto& face) { face.drive(top, pause); });
        randomness.drive(top, pause, 0);
        top.eval();
        each_face([this](auto& face) { face.settle(top); });
        randomness.settle(top, 0);
#if defined(PROBED) && defined(FACE_STREAM)
        // From the first word of a request to the last one of its response.
        if (stream.taken) probe.begin();
        probe.look();
        if (top.m_axis_tvalid && top.m_axis_tready && top.m_axis_tlast) probe.end();
#endif
#ifdef VISIBLE
        if (recorder) recorder->dump(cycles);
#endif
        edge();
        each_face([this](auto& face) { face.end(top); });
    }
    // Run until `done`.
    template <typename Condition>
    int run(uint64_t limit, Condition done) {
        for (; limit; --limit) {
            step();
            if (context.gotFinish()) {
                reason = printed;
                return TOTIENT_MODEL_STOPPED;
            }
            if (done()) return TOTIENT_MODEL_READY;
        }
        return TOTIENT_MODEL_WAITS;
    }
    void reset() {
        printed.clear();
        context.gotFinish(false);
        top.CLOCK = 0;
        each_face([this](auto& face) { face.reset(top); });
        for (int i = 0; i < 2 + SETTLING; i++) {
            top.RESET = i < 2 ? RESET_LEVEL : !RESET_LEVEL;
            top.eval();
            edge();
        }
        top.RESET = !RESET_LEVEL;
    }
};

namespace {

thread_local totient_model* active = nullptr;  // the model that runs, for what it prints

totient_model& enter(totient_model* model) {
    active = model;
    return *model;
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

EXPORT totient_model* totient_model_open_unknown(uint32_t start) {
    auto* model = new totient_model(start);
    enter(model).reset();
    return model;
}

EXPORT totient_model* totient_model_open(void) { return totient_model_open_unknown(1); }

EXPORT void totient_model_close(totient_model* model) {
    enter(model).top.final();
    active = nullptr;
    delete model;
}

EXPORT void totient_model_reset(totient_model* model) { enter(model).reset(); }

EXPORT uint64_t totient_model_cycles(totient_model* model) { return model->cycles; }

EXPORT void totient_model_pauses(totient_model* model, uint64_t seed) { model->pause.state = seed; }

EXPORT void totient_model_randomness(totient_model* model, bool there) {
    model->randomness.dry = !there;
}

EXPORT void totient_model_seed(totient_model* model, uint32_t seed) {
    model->randomness.seeded = seed != 0;
    model->randomness.generator.seed(seed);
}

EXPORT const char* totient_model_reason(totient_model* model) { return model->reason.c_str(); }

EXPORT int totient_model_advance(totient_model* model, uint64_t cycles) {
    return enter(model).run(cycles, [] { return false; });
}

#ifdef VISIBLE
EXPORT const char* totient_model_state(totient_model* model) {
    totient_model& entered = enter(model);
    entered.top.eval();  // what follows from registers and inputs is settled
    Waveform waveform;
    VerilatedVcdC moment{&waveform};
    entered.top.trace(&moment, 0);
    moment.open("");
    moment.dump(uint64_t{0});
    moment.close();
    entered.state = std::move(waveform.text);
    return entered.state.c_str();
}

EXPORT void totient_model_record(totient_model* model) {
    totient_model& entered = enter(model);
    entered.waveform = std::make_unique<Waveform>();
    entered.recorder = std::make_unique<VerilatedVcdC>(entered.waveform.get());
    entered.top.trace(entered.recorder.get(), 0);
    entered.recorder->open("");
}

EXPORT const char* totient_model_recorded(totient_model* model) {
    totient_model& entered = enter(model);
    if (entered.recorder) {
        entered.recorder->close();
        entered.recorder.reset();
        entered.state = std::move(entered.waveform->text);
        entered.waveform.reset();
    }
    return entered.state.c_str();
}
#endif

#ifdef PROBED
EXPORT const char* totient_model_elements(totient_model* model) { return model->probe.list(); }

EXPORT void totient_model_flip(totient_model* model, size_t element, size_t word, size_t bit) {
    model->probe.flip(element, word, bit);
}

EXPORT void totient_model_peek(totient_model* model, size_t element, uint8_t* into) {
    model->probe.peek(element, into);
}

EXPORT void totient_model_watch(totient_model* model, bool wanted) {
    model->probe.wanted = wanted;
}

EXPORT uint64_t totient_model_watched(totient_model* model, uint64_t* hashes) {
    return model->probe.hashes(hashes);
}
#endif

#ifdef FACE_STREAM
EXPORT void totient_model_send(totient_model* model, const uint32_t* words, size_t count,
                               bool last) {
    for (size_t i = 0; i < count; i++)
        model->stream.requests.push_back({words[i], last && i + 1 == count});
}

EXPORT int totient_model_run(totient_model* model, uint64_t cycles) {
    totient_model& entered = enter(model);
    if (entered.stream.complete) return TOTIENT_MODEL_READY;
    return entered.run(cycles, [&entered] { return entered.stream.complete != 0; });
}

EXPORT size_t totient_model_response_words(totient_model* model) {
    const auto& words = model->stream.responses;
    if (!model->stream.complete) return 0;
    const auto end = std::find_if(words.begin(), words.end(), [](auto word) { return word.last; });
    return static_cast<size_t>(end - words.begin()) + 1;
}

EXPORT void totient_model_take(totient_model* model, uint32_t* words, size_t count) {
    Stream& stream = model->stream;
    for (; count && !stream.responses.empty(); --count) {
        *words++ = stream.responses.front().data;
        stream.complete -= stream.responses.front().last;
        stream.responses.pop_front();
    }
}
#endif

#ifdef FACE_REGISTERS
namespace {

// The interrupt; never, where the IP has none.
template <typename Top>
auto interrupt(const Top& top, int) -> decltype(top.irq != 0) {
    return top.irq != 0;
}
template <typename Top>
bool interrupt(const Top&, long) {
    return false;
}

int access(totient_model& model, uint64_t cycles) {
    Registers& registers = model.registers;
    const int outcome = model.run(cycles, [&registers] { return registers.answered; });
    if (outcome == TOTIENT_MODEL_READY) return registers.answer;
    return outcome == TOTIENT_MODEL_STOPPED ? -1 : -2;
}

}  // namespace

EXPORT int totient_model_read(totient_model* model, uint32_t offset, uint32_t* value,
                              uint64_t cycles) {
    totient_model& entered = enter(model);
    entered.registers.begin_read(entered.top, offset);
    const int answer = access(entered, cycles);
    *value = answer == 0 ? entered.registers.value : 0;
    return answer;
}

EXPORT int totient_model_write(totient_model* model, uint32_t offset, uint32_t value,
                               uint32_t lanes, uint64_t cycles) {
    totient_model& entered = enter(model);
    entered.registers.begin_write(entered.top, offset, value, lanes);
    return access(entered, cycles);
}

EXPORT int totient_model_wait(totient_model* model, uint64_t cycles) {
    totient_model& entered = enter(model);
    return entered.run(cycles, [&entered] { return interrupt(entered.top, 0); });
}
#endif

#ifdef FACE_SERIAL
EXPORT void totient_model_line_send(totient_model* model, const uint8_t* bytes, size_t count) {
    model->line.to_send.insert(model->line.to_send.end(), bytes, bytes + count);
}

EXPORT int totient_model_line_run(totient_model* model, uint64_t cycles) {
    totient_model& entered = enter(model);
    if (!entered.line.received.empty()) return TOTIENT_MODEL_READY;
    return entered.run(cycles, [&entered] { return entered.line.complete; });
}

EXPORT size_t totient_model_line_take(totient_model* model, uint8_t* bytes, size_t count) {
    std::deque<uint8_t>& received = model->line.received;
    count = std::min(count, received.size());
    std::copy_n(received.begin(), count, bytes);
    received.erase(received.begin(), received.begin() + static_cast<ptrdiff_t>(count));
    return count;
}
#endif
