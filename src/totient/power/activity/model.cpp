// SPDX-License-Identifier: Apache-2.0
// A netlist in event-driven simulation behind the functions of totient/model.h, and its counts.
#include <dlfcn.h>

#include <stdexcept>
#include <string>

#include "kernel.h"

namespace activity {

// The file of the nodes lies beside the library: libraries of netlists with the same ports are copies.
std::string nodes_file() {
    Dl_info info{};
    if (!dladdr(reinterpret_cast<void*>(&nodes_file), &info))
        throw std::runtime_error("the library does not know its file");
    const std::string library = info.dli_fname;
    return library.substr(0, library.rfind('/') + 1) + "nodes.txt";
}

}  // namespace activity

#include "harness.cpp"

namespace {

activity::Kernel& counted() { return Vtop::last->kernel; }

}  // namespace

// Count transitions from now on, from zero; or stop.
EXPORT void totient_activity_count(bool wanted) { counted().count(wanted); }

// As after the configuration of the device: registers have their initial values, inputs are 0.
EXPORT void totient_activity_configure() {
    counted() = activity::Kernel(activity::nodes_file(), 1);
    Vtop::last->high = false;
}

// Ports of a top whose faces the clock loop does not drive.
EXPORT void totient_activity_drive(const char* port, uint64_t value) {
    Vtop::last->port(port, value);
}

EXPORT uint64_t totient_activity_read(const char* port) { return Vtop::last->port(port); }

EXPORT uint64_t totient_activity_cycles() { return counted().cycles; }

EXPORT size_t totient_activity_nets() { return counted().settled.size(); }

// Counts of all nets: settled and timed transitions, and cycles at whose end it is 1.
EXPORT void totient_activity_take(uint64_t* settled, uint64_t* timed, uint64_t* high) {
    std::copy(counted().high.begin(), counted().high.end(), high);
    std::copy(counted().settled.begin(), counted().settled.end(), settled);
    std::copy(counted().timed.begin(), counted().timed.end(), timed);
}
