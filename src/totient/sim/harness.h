// SPDX-License-Identifier: Apache-2.0
// Included before everything else: what a model prints is kept for its host, not written to stdout.
#pragma once

extern "C" int totient_print(const char* format, ...);
#define VL_PRINTF totient_print
