/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connects the token's device. The file `config` in the token's folder has a line
 * `device = ADDRESS`: an address of totient/address.h, or `model:NAME`, a model in the token's
 * folder.
 */
#include "address.h"

#include <stdio.h>
#include <string.h>

#include "token.h"

enum { ROOM = TOTIENT_PATH_BYTES };

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

static totient_result refuse(struct totient_device *device, const char *why)
{
    memset(device, 0, sizeof *device);
    (void)snprintf(device->reason, sizeof device->reason, "%s", why);
    return TOTIENT_ADDRESS;
}

totient_result address_connect(struct totient_device *device)
{
    static const char model[] = "model:";
    char text[ROOM], path[ROOM], address[ROOM + sizeof "sim:"];
    if (!read_address(text, sizeof text))
        return refuse(device, "the token's file `config` has no line `device = ADDRESS`");
    if (strncmp(text, model, sizeof model - 1) != 0) return totient_connect_address(device, text);
    const char *name = text + sizeof model - 1;
    if (strchr(name, '/') != NULL || !store_path(path, sizeof path, name))
        return refuse(device, "a model is named without a folder, as it is in the token's");
    (void)snprintf(address, sizeof address, "sim:%s", path);
    return totient_connect_address(device, address);
}
