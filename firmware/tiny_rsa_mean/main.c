/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program of firmware/tiny_rsa, RUNS times one after the other, for a mean as in the paper of row B1. Each
 * run has its own marks and prints its own results.
 */
int tiny_run(void);

#define main tiny_run
#include "../tiny_rsa/main.c"
#undef main

int main(void)
{
    for (unsigned i = 0; i < RUNS; i++) {
        const int status = tiny_run();
        if (status != 0) return status;
    }
    return 0;
}
