/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens the token's device. The file `config` in the token's folder has a line `device = ADDRESS`:
 *
 *     model:NAME          a simulated core: a shared library in the token's folder
 *     tty:PATH?baud=N     a serial line
 *     uio:PATH            registers of a UIO device
 */
#define _POSIX_C_SOURCE 200809L
#include "address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "token.h"

enum { ROOM = 1024, BAUD = 115200, PATIENCE_MS = 60000 };

#define MOST_POLLS UINT32_C(1000000000)
#define MOST_CYCLES UINT64_C(1000000000)

/* The value of a line `device = VALUE`. */
static bool read_address(char *value, size_t room)
{
    char text[ROOM + 1];
    size_t length = 0;
    if (!store_read_file("config", (uint8_t *)text, ROOM, &length)) return false;
    text[length] = '\0';
    for (char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += strspn(line, "\n ");
        if (strncmp(line, "device", 6) != 0) continue;
        line += 6 + strspn(line + 6, " ");
        if (*line != '=') continue;
        line += 1 + strspn(line + 1, " ");
        const size_t count = strcspn(line, "\r\n");
        if (count == 0 || count >= room) return false;
        memcpy(value, line, count);
        value[count] = '\0';
        return true;
    }
    return false;
}

/* A library is code: it must be the user's own or root's, and nobody else may write to it. */
static bool is_trusted(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISREG(status.st_mode)
           && (status.st_uid == geteuid() || status.st_uid == 0)
           && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static bool open_model(struct address *address, struct totient *core, const char *name)
{
    char path[ROOM];
    if (strchr(name, '/') != NULL || !store_path(path, sizeof path, name) || !is_trusted(path))
        return false;
    address->simulation.limit = MOST_CYCLES;
    return totient_simulation_open(&address->simulation, path) == TOTIENT_OK
           && totient_open(core, &totient_over_simulation, &address->simulation) == TOTIENT_OK;
}

static bool open_line(struct address *address, struct totient *core, char *path)
{
    uint32_t baud = BAUD;
    char *query = strchr(path, '?');
    if (query != NULL) {
        char *end = query;
        *query++ = '\0';
        if (strncmp(query, "baud=", 5) != 0) return false;
        const unsigned long given = strtoul(query + 5, &end, 10);
        if (*end != '\0' || given > UINT32_MAX) return false;
        baud = (uint32_t)given;
    }
    address->serial = (struct totient_serial){.read = totient_tty_read,
                                              .write = totient_tty_write,
                                              .line = &address->tty,
                                              .start_timer = totient_tty_start_timer};
    return totient_tty_open(&address->tty, path, baud, PATIENCE_MS) == TOTIENT_OK
           && totient_open(core, &totient_over_serial, &address->serial) == TOTIENT_OK;
}

static bool open_registers(struct address *address, struct totient *core, const char *path)
{
    if (totient_uio_open(&address->uio, path) != TOTIENT_OK) return false;
    address->registers = (struct totient_registers){.read = totient_mapped_read,
                                                    .write = totient_mapped_write,
                                                    .bus = address->uio.registers,
                                                    .polls = MOST_POLLS};
    return totient_open(core, &totient_over_registers, &address->registers) == TOTIENT_OK;
}

bool address_open(struct address *address, struct totient *core)
{
    char text[ROOM];
    bool well = false;
    memset(address, 0, sizeof *address);
    address->tty.file = -1;
    address->uio.file = -1;
    if (!read_address(text, sizeof text)) return false;
    if (strncmp(text, "model:", 6) == 0) well = open_model(address, core, text + 6);
    else if (strncmp(text, "tty:", 4) == 0) well = open_line(address, core, text + 4);
    else if (strncmp(text, "uio:", 4) == 0) well = open_registers(address, core, text + 4);
    if (!well) address_close(address);
    return well;
}

void address_close(struct address *address)
{
    totient_simulation_close(&address->simulation);
    totient_tty_close(&address->tty);
    totient_uio_close(&address->uio);
}
