/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plugin for QEMU that counts executed guest instructions between two addresses.
 *
 * Arguments: begin=ADDRESS,end=ADDRESS,out=FILE. Each time `begin` is reached the count starts at 0,
 * each time `end` is reached it is written to the file as a line; the instruction at `begin` counts, the
 * one at `end` does not. Both have to be entry points of functions: a translated block begins there, and
 * blocks are counted whole, at their begin. No interrupt may end a block early. Instructions whose
 * condition fails count like others.
 *
 * The declarations are those of QEMU's plugin interface, whose header distributions do not ship.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef uint64_t plugin_id;
enum { NO_REGISTERS = 0 };

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id,
                                           void (*call)(plugin_id id, struct qemu_plugin_tb *block));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block,
                                          void (*call)(unsigned processor, void *data), int flags,
                                          void *data);
void qemu_plugin_register_atexit_cb(plugin_id id, void (*call)(plugin_id id, void *data), void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *block);

EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

static uint64_t begin_address, end_address, count;
static FILE *out;

static void at_begin(unsigned processor, void *data)
{
    (void)processor;
    count = (uintptr_t)data;
}

static void at_end(unsigned processor, void *data)
{
    (void)processor;
    (void)data;
    fprintf(out, "%llu\n", (unsigned long long)count);
}

static void elsewhere(unsigned processor, void *data)
{
    (void)processor;
    count += (uintptr_t)data;
}

static void translated(plugin_id id, struct qemu_plugin_tb *block)
{
    (void)id;
    const uint64_t address = qemu_plugin_tb_vaddr(block);
    const uintptr_t length = qemu_plugin_tb_n_insns(block);
    qemu_plugin_register_vcpu_tb_exec_cb(block,
                                         address == begin_address ? at_begin
                                         : address == end_address ? at_end
                                                                  : elsewhere,
                                         NO_REGISTERS, (void *)length);
}

static void ended(plugin_id id, void *data)
{
    (void)id;
    (void)data;
    fclose(out);
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int count_of, char **arguments)
{
    (void)info;
    for (int i = 0; i < count_of; i++) {
        const char *value = strchr(arguments[i], '=');
        if (value++ == NULL) return 1;
        if (strncmp(arguments[i], "begin=", 6) == 0) begin_address = strtoull(value, NULL, 0);
        if (strncmp(arguments[i], "end=", 4) == 0) end_address = strtoull(value, NULL, 0);
        if (strncmp(arguments[i], "out=", 4) == 0) out = fopen(value, "w");
    }
    if (out == NULL) return 1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
