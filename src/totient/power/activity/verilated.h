// SPDX-License-Identifier: Apache-2.0
// What totient/sim/harness.cpp takes from Verilator's header, for a model without Verilator.
#pragma once

#define VL_MT_UNSAFE

class VerilatedContext {
public:
    void gotFinish(bool value) { finished_ = value; }
    bool gotFinish() const { return finished_; }
    void randReset(int) {}
    void threads(unsigned) {}
    void randSeed(int seed) { seed_ = seed; }
    int seed() const { return seed_; }

private:
    bool finished_ = false;
    int seed_ = 1;
};
