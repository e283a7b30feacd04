/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plugin for QEMU that counts executed guest instructions between two addresses.
 *
 * Arguments: begin=ADDRESS,end=ADDRESS,out=FILE. Each time `begin` is reached all counts start at 0, each
 * time `end` is reached they are written to the file as a line: all instructions, then MNEMONIC:COUNT for
 * each that was executed. The instruction at `begin` counts, the one at `end` does not. Both have to be
 * entry points of functions: a translated block begins there, and blocks are counted whole, at their begin.
 * No interrupt may end a block early. Instructions whose condition fails count like others.
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
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
char *qemu_plugin_insn_disas(const struct qemu_plugin_insn *instruction);

EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

enum { MNEMONICS = 1024, LENGTH = 24 };

/* A translated block: how often it was executed, and which instructions it has. */
struct block {
    struct block *next;
    uint64_t executed;
    size_t length;
    uint16_t mnemonics[];
};

static uint64_t begin_address, end_address;
static struct block *blocks;
static char mnemonics[MNEMONICS][LENGTH];
static unsigned known;
static FILE *out;

static uint16_t mnemonic_of(const struct qemu_plugin_insn *instruction)
{
    char *text = qemu_plugin_insn_disas(instruction);
    char name[LENGTH] = "unknown";
    if (text != NULL) sscanf(text, "%23s", name);
    free(text);
    unsigned i = 0;
    while (i < known && strcmp(mnemonics[i], name) != 0) i++;
    if (i == MNEMONICS) abort();
    if (i == known) memcpy(mnemonics[known++], name, LENGTH);
    return (uint16_t)i;
}

static void start_at_zero(void)
{
    for (struct block *each = blocks; each != NULL; each = each->next) each->executed = 0;
}

static void write_line(void)
{
    static uint64_t counts[MNEMONICS];
    uint64_t all = 0;
    memset(counts, 0, sizeof counts);
    for (const struct block *each = blocks; each != NULL; each = each->next) {
        all += each->executed * each->length;
        for (size_t i = 0; i < each->length; i++) counts[each->mnemonics[i]] += each->executed;
    }
    fprintf(out, "%llu", (unsigned long long)all);
    for (unsigned i = 0; i < known; i++) {
        if (counts[i] != 0) fprintf(out, " %s:%llu", mnemonics[i], (unsigned long long)counts[i]);
    }
    fprintf(out, "\n");
}

static void at_begin(unsigned processor, void *data)
{
    (void)processor;
    start_at_zero();
    ((struct block *)data)->executed = 1;
}

static void at_end(unsigned processor, void *data)
{
    (void)processor;
    (void)data;
    write_line();
}

static void elsewhere(unsigned processor, void *data)
{
    (void)processor;
    ((struct block *)data)->executed++;
}

static void translated(plugin_id id, struct qemu_plugin_tb *source)
{
    (void)id;
    const uint64_t address = qemu_plugin_tb_vaddr(source);
    const size_t length = qemu_plugin_tb_n_insns(source);
    struct block *const block = malloc(sizeof *block + length * sizeof block->mnemonics[0]);
    if (block == NULL) abort();
    block->executed = 0;
    block->length = length;
    for (size_t i = 0; i < length; i++) {
        block->mnemonics[i] = mnemonic_of(qemu_plugin_tb_get_insn(source, i));
    }
    block->next = blocks;
    blocks = block;
    qemu_plugin_register_vcpu_tb_exec_cb(source,
                                         address == begin_address ? at_begin
                                         : address == end_address ? at_end
                                                                  : elsewhere,
                                         NO_REGISTERS, block);
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
