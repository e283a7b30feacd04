// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace activity {
namespace {

constexpr size_t kWheel = 4096;   // units of time; no node has a longer delay

std::vector<Net> nets_of(std::istringstream& line) {
    size_t count = 0;
    line >> count;
    std::vector<Net> nets(count);
    for (Net& net : nets) line >> net;
    return nets;
}

int64_t number(uint64_t value, size_t bits, bool is_signed) {
    if (!is_signed || bits == 0 || !(value >> (bits - 1) & 1)) return static_cast<int64_t>(value);
    return static_cast<int64_t>(value | ~uint64_t{0} << bits);
}

}  // namespace

Kernel::Kernel(const std::string& path, uint32_t seed) : random_(seed), wheel_(kWheel) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::string line;
    while (std::getline(file, line)) read_line(line);
    connect();
}

uint32_t Kernel::node(Kind kind, size_t index, uint32_t delay) {
    if (delay == 0 || delay >= kWheel) throw std::runtime_error("a delay is not 1 to 4095");
    nodes_.push_back({kind, static_cast<uint32_t>(index), delay});
    return static_cast<uint32_t>(nodes_.size() - 1);
}

void Kernel::listen(uint32_t node, const std::vector<Net>& inputs) {
    for (Net net : inputs)
        if (net > 1) edges_.push_back({net, node});
}

// Bits of a text that ends with the lowest one; random where it has something else than 0 and 1.
uint64_t Kernel::random_or(const std::string& text, unsigned bits) {
    uint64_t value = 0;
    for (unsigned bit = 0; bit < bits; bit++) {
        const char digit = bit < text.size() ? text[text.size() - 1 - bit] : 'x';
        const bool one = digit == '1' || (digit != '0' && (random_() & 1));
        value |= uint64_t{one} << bit;
    }
    return value;
}

void Kernel::read_line(const std::string& text) {
    std::istringstream line(text);
    char kind = 0;
    uint32_t delay = 0;
    line >> kind;
    switch (kind) {
    case 'N': {
        size_t count = 0;
        line >> count;
        value_.assign(count, 0);
        value_.at(1) = 1;
        break;
    }
    case 'P': {
        Port port;
        line >> port.name;
        port.nets = nets_of(line);
        ports.push_back(port);
        break;
    }
    case 'T': {
        Table table{};
        std::string truth;
        line >> delay >> table.out;
        const std::vector<Net> inputs = nets_of(line);
        line >> std::hex >> table.truth;
        if (inputs.size() > 6) throw std::runtime_error("a table has more than 6 inputs");
        table.count = static_cast<uint8_t>(inputs.size());
        std::copy(inputs.begin(), inputs.end(), table.inputs);
        tables_.push_back(table);
        listen(node(kTable, tables_.size() - 1, delay), inputs);
        break;
    }
    case 'A':
    case 'F':
    case 'G': {
        Register each{};
        std::string initial;
        line >> each.delay >> each.q >> each.d >> each.enable >> each.reset >> each.reset_value;
        line >> initial;
        bool waits = kind != 'A';
        if (kind == 'G') line >> each.clock >> waits;
        value_.at(each.q) = static_cast<uint8_t>(random_or(initial, 1));
        registers_.push_back(each);
        const size_t here = registers_.size() - 1;
        if (!waits) listen(node(kReset, here, each.delay), {each.reset});
        if (each.clock) listen(node(kFollower, here, each.delay), {each.clock});
        break;
    }
    case 'M': {
        Multiplier each{};
        line >> delay >> each.signed_a >> each.signed_b;
        for (int stage = 0; stage < 4; stage++)
            line >> each.stages[stage] >> each.enables[stage] >> each.resets[stage];
        each.a = nets_of(line);
        each.b = nets_of(line);
        each.added = nets_of(line);
        each.p = nets_of(line);
        for (uint64_t& held : each.held) held = random_();
        multipliers_.push_back(each);
        const uint32_t here = node(kMultiplier, multipliers_.size() - 1, delay);
        listen(here, each.a);
        listen(here, each.b);
        listen(here, each.added);
        break;
    }
    case 'R': {
        Memory each{};
        std::string word;
        line >> delay >> each.clocked >> each.registered >> each.read_enable >> each.out_enable;
        each.write_address = nets_of(line);
        each.read_address = nets_of(line);
        each.in = nets_of(line);
        each.out = nets_of(line);
        each.lanes = nets_of(line);
        const auto bits = static_cast<unsigned>(each.out.size());
        each.words.resize(size_t{1} << std::max(each.write_address.size(), each.read_address.size()));
        for (uint64_t& content : each.words) {
            if (!(line >> word)) word.clear();
            content = random_or(word, bits);
        }
        each.read = random_or("", bits);
        each.held = random_or("", bits);
        memories_.push_back(each);
        const uint32_t here = node(kMemory, memories_.size() - 1, delay);
        if (!each.clocked) listen(here, each.read_address);
        break;
    }
    case 'S': {
        Shift each{};
        std::string initial;
        line >> delay >> each.out >> each.last >> each.in >> each.enable >> initial;
        each.address = nets_of(line);
        each.bits = random_or(initial, 1u << each.address.size());
        shifts_.push_back(each);
        listen(node(kShift, shifts_.size() - 1, delay), each.address);
        break;
    }
    default: throw std::runtime_error("unknown node: " + text);
    }
    if (!line && !line.eof()) throw std::runtime_error("damaged node: " + text);
}

void Kernel::connect() {
    const size_t nets = value_.size();
    first_.assign(nets + 1, 0);
    for (const auto& edge : edges_) ++first_.at(edge.first + 1);
    for (size_t net = 0; net < nets; net++) first_[net + 1] += first_[net];
    readers_.resize(edges_.size());
    std::vector<uint32_t> place(first_.begin(), first_.end() - 1);
    for (const auto& edge : edges_) readers_[place[edge.first]++] = edge.second;
    edges_.clear();
    evaluation_.assign(nodes_.size(), 0);
    blocks_.clear();
    for (uint32_t at = 0; at < nodes_.size(); at++)
        if (nodes_[at].kind > kTable && nodes_[at].kind < kReset) blocks_.push_back(at);
    for (auto* each : {&pending_value_, &is_pending_, &touched_mark_}) each->assign(nets, 0);
    serial_.assign(nets, 0);
    for (auto* each : {&settled, &timed, &high, &since_}) each->assign(nets, 0);
    for (uint32_t each = 0; each < nodes_.size(); each++) look(each);
    settle();
    before_ = value_;
    ready_ = true;
}

uint64_t Kernel::value_of(const std::vector<Net>& nets) const {
    uint64_t value = 0;
    for (size_t bit = 0; bit < nets.size(); bit++) value |= uint64_t{value_[nets[bit]]} << bit;
    return value;
}

// A net takes a value, and its readers are looked at.
void Kernel::change(Net net, bool value) {
    if (value_[net] == value) return;
    value_[net] = value;
    if (counting_) ++timed[net];
    if (!touched_mark_[net]) {
        touched_mark_[net] = 1;
        touched_.push_back(net);
    }
    for (uint32_t at = first_[net]; at < first_[net + 1]; at++) look(readers_[at]);
}

void Kernel::take(const Register& each) {
    if (value_[each.reset]) schedule(each.q, each.reset_value, each.delay);
    else if (value_[each.enable]) schedule(each.q, value_[each.d], each.delay);
}

void Kernel::schedule(Net net, bool value, uint32_t delay) {
    if (net <= 1) return;
    const bool next = is_pending_[net] ? pending_value_[net] != 0 : value_[net] != 0;
    if (next == value) return;
    ++serial_[net];   // a change that was to come does not
    is_pending_[net] = value_[net] != value;
    pending_value_[net] = value;
    if (!is_pending_[net]) return;
    wheel_[(now_ + delay) % kWheel].push_back({net, serial_[net], false, value});
    ++waiting_;
}

void Kernel::output(const std::vector<Net>& nets, uint64_t value, uint32_t delay) {
    for (size_t bit = 0; bit < nets.size(); bit++) schedule(nets[bit], value >> bit & 1, delay);
}

// An input of a node has changed.
void Kernel::look(uint32_t at) {
    const Node& node = nodes_[at];
    if (node.kind == kTable) {
        const Table& table = tables_[node.index];
        unsigned place = 0;
        for (unsigned i = 0; i < table.count; i++) place |= unsigned{value_[table.inputs[i]]} << i;
        schedule(table.out, table.truth >> place & 1, node.delay);
        return;
    }
    if (node.kind == kReset) {
        const Register& each = registers_[node.index];
        if (value_[each.reset]) schedule(each.q, each.reset_value, node.delay);
        return;
    }
    if (node.kind == kFollower) {
        const Register& each = registers_[node.index];
        if (ready_ && value_[each.clock]) take(each);
        return;
    }
    // A block is evaluated when its inputs have been still for its delay.
    wheel_[(now_ + node.delay - 1) % kWheel].push_back({at, ++evaluation_[at], true, false});
    ++waiting_;
}

uint64_t Kernel::product(const Multiplier& each) const {
    const uint64_t a = each.stages[0] ? each.held[0] : value_of(each.a);
    const uint64_t b = each.stages[1] ? each.held[1] : value_of(each.b);
    return static_cast<uint64_t>(number(a, each.a.size(), each.signed_a)
                                 * number(b, each.b.size(), each.signed_b));
}

void Kernel::evaluate(uint32_t at) {
    const Node& node = nodes_[at];
    switch (node.kind) {
    case kTable:
    case kReset:
    case kFollower: break;
    case kMultiplier: {
        const Multiplier& each = multipliers_[node.index];
        const uint64_t held = each.stages[2] ? each.held[2] : product(each);
        output(each.p, each.stages[3] ? each.held[3] : held + value_of(each.added), 1);
        break;
    }
    case kMemory: {
        const Memory& each = memories_[node.index];
        const uint64_t now = each.clocked ? each.read : each.words[value_of(each.read_address)];
        output(each.out, each.registered ? each.held : now, 1);
        break;
    }
    case kShift: {
        const Shift& each = shifts_[node.index];
        schedule(each.out, each.bits >> value_of(each.address) & 1, 1);
        schedule(each.last, each.bits >> ((1u << each.address.size()) - 1) & 1, 1);
        break;
    }
    }
}

void Kernel::settle() {
    for (; waiting_; ++now_) {
        std::vector<Event>& bucket = wheel_[now_ % kWheel];
        for (size_t i = 0; i < bucket.size(); i++) {   // an evaluation may be due at once
            const Event event = bucket[i];
            --waiting_;
            if (event.evaluate) {
                if (evaluation_[event.subject] == event.serial) evaluate(event.subject);
            } else if (serial_[event.subject] == event.serial) {
                is_pending_[event.subject] = 0;
                change(event.subject, event.value);
            }
        }
        bucket.clear();
    }
}

void Kernel::drive(size_t port, uint64_t value) { output(ports[port].nets, value, 1); }

// What registers inside blocks take at the edge.
void Kernel::clock_blocks() {
    for (const uint32_t at : blocks_) {
        const Node& node = nodes_[at];
        if (node.kind == kMultiplier) {
            Multiplier& each = multipliers_[node.index];
            const uint64_t made = product(each);
            const uint64_t next[4] = {
                value_of(each.a), value_of(each.b), made,
                (each.stages[2] ? each.held[2] : made) + value_of(each.added)};
            bool clocked = false;
            for (int stage = 0; stage < 4; stage++)
                if (each.stages[stage]
                    && (value_[each.resets[stage]] || value_[each.enables[stage]])) {
                    each.held[stage] = value_[each.resets[stage]] ? 0 : next[stage];
                    clocked = true;
                }
            if (clocked) look(at);
        } else if (node.kind == kMemory) {
            Memory& each = memories_[node.index];
            if (each.registered && value_[each.out_enable]) each.held = each.read;
            if (each.clocked && value_[each.read_enable])
                each.read = each.words[value_of(each.read_address)];
            const size_t lane = each.lanes.empty() ? 0 : each.in.size() / each.lanes.size();
            uint64_t written = 0;
            for (size_t i = 0; i < each.lanes.size(); i++)
                if (value_[each.lanes[i]]) written |= ((uint64_t{1} << lane) - 1) << (i * lane);
            if (written) {
                uint64_t& word = each.words[value_of(each.write_address)];
                word = (word & ~written) | (value_of(each.in) & written);
            }
            look(at);
        } else if (node.kind == kShift) {
            Shift& each = shifts_[node.index];
            if (!value_[each.enable]) continue;
            each.bits = each.bits << 1 | value_[each.in];
            look(at);
        }
    }
}

// A clock cycle is over.
void Kernel::end_cycle() {
    for (Net net : touched_) {
        touched_mark_[net] = 0;
        if (counting_ && value_[net] != before_[net]) {
            ++settled[net];
            if (before_[net]) high[net] += cycles - since_[net];
            since_[net] = cycles;
        }
        before_[net] = value_[net];
    }
    touched_.clear();
}

void Kernel::edge() {
    settle();
    end_cycle();
    if (counting_) ++cycles;
    clock_blocks();
    for (const Register& each : registers_)   // all of them look at values before the edge
        if (!each.clock) take(each);
    settle();
}

void Kernel::count(bool wanted) {
    end_cycle();
    if (counting_ && !wanted) {
        for (Net net = 0; net < high.size(); net++) {
            if (value_[net]) high[net] += cycles - since_[net];
        }
    }
    counting_ = wanted;
    if (!wanted) return;
    for (auto* each : {&settled, &timed, &high, &since_}) each->assign(each->size(), 0);
    cycles = 0;
}

}  // namespace activity
