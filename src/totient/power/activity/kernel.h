// SPDX-License-Identifier: Apache-2.0
// Event-driven simulation of a netlist that counts the transitions of every net.
//
// A node is a look-up table, a register, a multiplier, or a memory (nodes.py writes them). A net
// changes `delay` after its node's inputs, by the delay that the node states: cell and wire
// together. A pulse that is shorter than the delay does not pass (inertial delay). Two counts a net:
//   settled   the cycles at whose end the net has another value than at the end of the cycle before
//   timed     all transitions, those within a cycle included
// All have one clock, but for registers that another register's output clocks. Ports change at its
// edge.
// Initial values that the netlist leaves open are random, by a seed.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace activity {

using Net = uint32_t;   // 0 and 1 are the constants

class Kernel {
public:
    // Reads the nodes; throws std::runtime_error for a line that it does not know.
    Kernel(const std::string& path, uint32_t seed);

    void drive(size_t port, uint64_t value);   // it changes with the next `settle`
    uint64_t read(size_t port) const { return value_of(ports[port].nets); }
    void settle();                    // until nothing changes any more
    void edge();                      // of the clock, then as `settle`
    void count(bool wanted);          // from zero, or stop

    std::vector<uint64_t> settled, timed;   // by net
    std::vector<uint64_t> high;             // by net: cycles at whose end it is 1
    uint64_t cycles = 0;                    // that were counted

    struct Port {
        std::string name;
        std::vector<Net> nets;
    };
    std::vector<Port> ports;

private:
    struct Table {
        Net out, inputs[6];
        uint8_t count;
        uint64_t truth;
    };
    struct Register {
        Net q, d, enable, reset;
        Net clock;            // 0: the one of the netlist; else a register's output
        bool reset_value;
        uint32_t delay;       // also of a reset that does not wait for the edge
    };
    struct Multiplier {
        std::vector<Net> a, b, added, p;
        bool signed_a, signed_b;
        bool stages[4];       // registers of a, of b, behind the product, at the output
        Net enables[4], resets[4];
        uint64_t held[4];
    };
    struct Memory {           // one port that writes at the edge, one that reads
        std::vector<Net> write_address, read_address, in, out;
        std::vector<Net> lanes;   // write enables, each of an equal part of the word
        Net read_enable, out_enable;
        bool clocked, registered;     // the read; its output
        std::vector<uint64_t> words;
        uint64_t read, held;
    };
    struct Shift {            // shift register with an address
        std::vector<Net> address;
        Net in, enable, out, last;
        uint64_t bits;
    };
    enum Kind : uint8_t { kTable, kMultiplier, kMemory, kShift, kReset, kFollower };
    struct Node {
        Kind kind;
        uint32_t index, delay;   // in units of time
    };
    struct Event {
        uint32_t subject, serial;   // net or node
        bool evaluate, value;
    };

    void read_line(const std::string& line);
    uint32_t node(Kind kind, size_t index, uint32_t delay);
    void listen(uint32_t node, const std::vector<Net>& inputs);
    void connect();
    uint64_t value_of(const std::vector<Net>& nets) const;
    uint64_t random_or(const std::string& text, unsigned bits);

    void change(Net net, bool value);
    void look(uint32_t node);
    void take(const Register& each);   // at an edge of its clock
    void evaluate(uint32_t node);
    void schedule(Net net, bool value, uint32_t delay);
    void output(const std::vector<Net>& nets, uint64_t value, uint32_t delay);
    uint64_t product(const Multiplier& each) const;
    void clock_blocks();
    void end_cycle();

    std::mt19937_64 random_;
    std::vector<Table> tables_;
    std::vector<Register> registers_;
    std::vector<Multiplier> multipliers_;
    std::vector<Memory> memories_;
    std::vector<Shift> shifts_;
    std::vector<Node> nodes_;
    std::vector<uint32_t> blocks_;                  // nodes that are no tables
    std::vector<uint32_t> evaluation_;              // of a node: serial of its pending one
    std::vector<std::pair<Net, uint32_t>> edges_;   // net to node, until `connect`
    std::vector<uint32_t> first_, readers_;         // of each net

    std::vector<uint8_t> value_, before_, pending_value_, is_pending_, touched_mark_;
    std::vector<uint32_t> serial_;
    std::vector<Net> touched_;
    std::vector<uint64_t> since_;   // by net: the counted cycle in which it became what it is
    std::vector<std::vector<Event>> wheel_;
    uint64_t now_ = 0, waiting_ = 0;
    bool counting_ = false, ready_ = false;
};

std::string nodes_file();   // of the model that this library is

}  // namespace activity
