// SPDX-License-Identifier: Apache-2.0
// A netlist in event-driven simulation behind the functions of totient/model.h, and its counts.
#include "harness.cpp"

namespace {

activity::Kernel& counted() { return Vtop::last->kernel; }

}  // namespace

// Count transitions from now on, from zero; or stop.
EXPORT void totient_activity_count(bool wanted) { counted().count(wanted); }

EXPORT uint64_t totient_activity_cycles() { return counted().cycles; }

EXPORT size_t totient_activity_nets() { return counted().settled.size(); }

// Counts of all nets: settled and timed transitions, and cycles at whose end it is 1.
EXPORT void totient_activity_take(uint64_t* settled, uint64_t* timed, uint64_t* high) {
    std::copy(counted().high.begin(), counted().high.end(), high);
    std::copy(counted().settled.begin(), counted().settled.end(), settled);
    std::copy(counted().timed.begin(), counted().timed.end(), timed);
}
