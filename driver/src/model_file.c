/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a model: by its path, or by a link in the cache, and whether it may be loaded. */
#define _XOPEN_SOURCE 700 /* realpath, S_ISVTX */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reason.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

/* Whoever can write to a library, or to a folder above it, chooses what runs in this process. */
static bool writable_by_others(const struct stat *status)
{
    if (S_ISDIR(status->st_mode) && (status->st_mode & S_ISVTX) != 0) return false;
    return (status->st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

static bool refuse(struct reason *reason, const char *path, const char *why)
{
    totient_reason_add_given(reason, path, strlen(path));
    totient_reason_add(reason, why);
    return false;
}

/* Whether nobody but the user and root can have written a file or a folder. `path` has no links, and is
   changed. The owners of the folders above are not looked at, as in the tool in Python. */
static bool is_trusted(char *path, bool folder, struct reason *reason)
{
    struct stat status;
    if (lstat(path, &status) != 0) {
        totient_reason_add_given(reason, path, strlen(path));
        totient_reason_add(reason, ": ");
        totient_reason_add_error(reason, errno);
        return false;
    }
    if (!(folder ? S_ISDIR(status.st_mode) : S_ISREG(status.st_mode)))
        return refuse(reason, path, folder ? " is no folder" : " is no regular file: it is not loaded");
    if (status.st_uid != geteuid() && status.st_uid != 0)
        return refuse(reason, path, " belongs to another user: it is not loaded");
    for (;;) {
        if (writable_by_others(&status))
            return refuse(reason, path,
                          " can be written by others (chmod go-w): nothing is loaded from it");
        char *slash = strrchr(path, '/');
        if (slash == NULL || strcmp(path, "/") == 0) return true;
        slash[slash == path ? 1 : 0] = '\0'; /* the folder above */
        if (lstat(path, &status) != 0) return refuse(reason, path, " cannot be looked at");
    }
}

/* The folder of links to models: `CACHE/addresses`; false: there is no room, or no home. */
static bool link_folder(char *path, size_t room)
{
    const char *cache = getenv("TOTIENT_CACHE"), *home = getenv("HOME"), *user = getenv("XDG_CACHE_HOME");
    const char *parts[3] = {"", "", ""};
    if (cache != NULL && cache[0] == '~' && (cache[1] == '/' || cache[1] == '\0') && home != NULL) {
        parts[0] = home;
        parts[1] = cache + 1;
    } else if (cache != NULL && cache[0] != '\0') {
        parts[0] = cache;
    } else if (user != NULL && user[0] != '\0') {
        parts[0] = user;
        parts[1] = "/totient";
    } else if (home != NULL && home[0] != '\0') {
        parts[0] = home;
        parts[1] = "/.cache/totient";
    } else {
        return false;
    }
    parts[2] = "/addresses";
    size_t length = 0;
    for (size_t i = 0; i < 3; i++) {
        const size_t more = strlen(parts[i]);
        if (more >= room - length) return false;
        memcpy(path + length, parts[i], more);
        length += more;
    }
    path[length] = '\0';
    return true;
}

static totient_result not_built(const char *address, struct reason *reason, const char *folder)
{
    totient_reason_add(reason, "no model of ");
    totient_reason_add_given(reason, address, strlen(address));
    totient_reason_add(reason, " is in ");
    totient_reason_add_given(reason, folder, strlen(folder));
    totient_reason_add(reason, ": totient model '");
    totient_reason_add_given(reason, address, strlen(address));
    totient_reason_add(reason, "' builds it");
    return TOTIENT_NO_CORE;
}

/* The file that an address names by its path, without links. */
static totient_result named_file(const struct totient_address *parts, char *found,
                                 struct reason *reason)
{
    char path[TOTIENT_PATH_BYTES];
    const struct totient_span name = parts->name;
    if (parts->count > 0) {
        const struct totient_span given = parts->parameters[0].name;
        totient_reason_add(reason, "a model by its path takes no parameters, given is ");
        totient_reason_add_quoted(reason, given.text, given.length);
        return TOTIENT_ADDRESS;
    }
    if (name.length < sizeof path) {
        memcpy(path, name.text, name.length);
        path[name.length] = '\0';
        if (realpath(path, found) != NULL) return TOTIENT_OK;
    } else {
        errno = ENAMETOOLONG;
    }
    const int why = errno;
    totient_reason_add(reason, "cannot load the model ");
    totient_reason_add_given(reason, name.text, name.length);
    totient_reason_add(reason, ": ");
    totient_reason_add_error(reason, why);
    return TOTIENT_NO_CORE;
}

/* The file that a link in the cache leads to, whose name is the address. */
static totient_result linked_file(const char *address, char *found, struct reason *reason)
{
    char folder[PATH_MAX], real[PATH_MAX];
    if (!link_folder(folder, sizeof folder)) {
        totient_reason_add(reason, "no folder of models: set TOTIENT_CACHE or HOME");
        return TOTIENT_NO_CORE;
    }
    if (realpath(folder, real) == NULL) return not_built(address, reason, folder);
    const size_t length = strlen(real), more = strlen(address);
    if (length + more + 2 > sizeof real) return not_built(address, reason, folder);
    real[length] = '/';
    memcpy(real + length + 1, address, more + 1);
    if (realpath(real, found) == NULL) return not_built(address, reason, folder);
    real[length] = '\0';
    return is_trusted(real, true, reason) ? TOTIENT_OK : TOTIENT_NO_CORE;
}

totient_result totient_find_model(const char *address, const struct totient_address *parts, char *path,
                                  struct reason *reason)
{
    char found[PATH_MAX];
    const bool by_path = memchr(parts->name.text, '/', parts->name.length) != NULL;
    const totient_result result =
        by_path ? named_file(parts, found, reason) : linked_file(address, found, reason);
    if (result != TOTIENT_OK) return result;
    const size_t length = strlen(found);
    if (length >= TOTIENT_PATH_BYTES) {
        totient_reason_add(reason, "the model's path is longer than 1023 bytes");
        return TOTIENT_NO_CORE;
    }
    memcpy(path, found, length + 1);
    return is_trusted(found, false, reason) ? TOTIENT_OK : TOTIENT_NO_CORE;
}
