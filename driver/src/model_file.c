/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a model: by its path, or by a link in the cache, and whether it may be loaded. */
#define _XOPEN_SOURCE 700 /* readlink, S_ISVTX */
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

enum { MOST_LINKS = 40 };
#define WRITABLE " can be written by others (chmod go-w): nothing is loaded from it"

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

/* Whoever owns a folder can replace what is in it. The owner of `/` is root by another number. */
static bool may_own_folder(uid_t owner)
{
    struct stat top;
    return owner == geteuid() || owner == 0 || (lstat("/", &top) == 0 && owner == top.st_uid);
}

/* Removes the last part of a path that begins with a slash; `/` stays. */
static void cut(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash != NULL) slash[slash == path ? 1 : 0] = '\0';
}

/* Whether nobody but the user and root can replace what is at a path without links, or a link there:
   by the folders above, as StrictModes of OpenSSH has it. `path` is changed. */
static bool stays(char *path, struct reason *reason)
{
    struct stat status;
    while (strcmp(path, "/") != 0) {
        cut(path);
        if (lstat(path, &status) != 0) return refuse(reason, path, " cannot be looked at");
        if (!may_own_folder(status.st_uid))
            return refuse(reason, path, " belongs to another user: nothing is loaded from it");
        if (writable_by_others(&status)) return refuse(reason, path, WRITABLE);
    }
    return true;
}

/* Whether nobody but the user and root can have written a file or a folder. `path` has no links, and is
   changed. */
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
    if (writable_by_others(&status)) return refuse(reason, path, WRITABLE);
    return stays(path, reason);
}

enum followed { FOLLOWED, FAILED, REFUSED };

/* Puts what a link leads to in front of the rest of a path, and removes the link from `real`. */
static enum followed enter_link(char *real, char *rest, struct reason *reason)
{
    char target[PATH_MAX], more[PATH_MAX];
    struct stat status;
    if (lstat(real, &status) != 0) return FAILED;
    if (status.st_uid != geteuid() && status.st_uid != 0) {
        (void)refuse(reason, real, " belongs to another user: the link is not followed");
        return REFUSED;
    }
    const ssize_t length = readlink(real, target, sizeof target - 1);
    if (length < 0) return FAILED;
    target[length] = '\0';
    memcpy(more, real, strlen(real) + 1);
    if (!stays(more, reason)) return REFUSED;
    memcpy(more, rest, strlen(rest) + 1);
    if ((size_t)length + strlen(more) + 2 > PATH_MAX) {
        errno = ENAMETOOLONG;
        return FAILED;
    }
    memcpy(rest, target, (size_t)length);
    rest[length] = '/';
    memcpy(rest + length + 1, more, strlen(more) + 1);
    if (target[0] == '/') memcpy(real, "/", 2);
    else cut(real);
    return FOLLOWED;
}

/* Appends a part of a path to `real`, which has no links. */
static enum followed enter(char *real, const char *part, size_t length, struct stat *status)
{
    const size_t before = strcmp(real, "/") == 0 ? 0 : strlen(real);
    if (before + length + 2 > PATH_MAX) {
        errno = ENAMETOOLONG;
        return FAILED;
    }
    real[before] = '/';
    memcpy(real + before + 1, part, length);
    real[before + 1 + length] = '\0';
    return lstat(real, status) == 0 ? FOLLOWED : FAILED;
}

/* The path without links, in `real`, which has PATH_MAX bytes. Each link on the way must be the user's or
   root's, where others cannot replace it. FAILED: errno says why; REFUSED: the reason is added. */
static enum followed follow(const char *path, char *real, struct reason *reason)
{
    char rest[PATH_MAX];
    struct stat status;
    unsigned links = 0;
    memcpy(real, "/", 2);
    if (path[0] != '/' && getcwd(real, PATH_MAX) == NULL) return FAILED;
    if (strlen(path) >= sizeof rest) {
        errno = ENAMETOOLONG;
        return FAILED;
    }
    memcpy(rest, path, strlen(path) + 1);
    while (rest[0] != '\0') {
        const size_t length = strcspn(rest, "/");
        enum followed result = FOLLOWED;
        char part[PATH_MAX];
        memcpy(part, rest, length);
        part[length] = '\0';
        memmove(rest, rest + length, strlen(rest + length) + 1);
        if (rest[0] == '/') memmove(rest, rest + 1, strlen(rest));
        if (length == 0 || strcmp(part, ".") == 0) continue;
        if (strcmp(part, "..") == 0) {
            cut(real);
            continue;
        }
        result = enter(real, part, length, &status);
        if (result == FOLLOWED && S_ISLNK(status.st_mode)) {
            errno = ELOOP;
            result = links++ < MOST_LINKS ? enter_link(real, rest, reason) : FAILED;
        }
        if (result != FOLLOWED) return result;
    }
    return FOLLOWED;
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
        const enum followed result = follow(path, found, reason);
        if (result != FAILED) return result == FOLLOWED ? TOTIENT_OK : TOTIENT_NO_CORE;
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
    enum followed result = follow(folder, real, reason);
    if (result == REFUSED) return TOTIENT_NO_CORE;
    if (result == FAILED) return not_built(address, reason, folder);
    const size_t length = strlen(real), more = strlen(address);
    if (length + more + 2 > sizeof real) return not_built(address, reason, folder);
    real[length] = '/';
    memcpy(real + length + 1, address, more + 1);
    result = follow(real, found, reason);
    if (result == REFUSED) return TOTIENT_NO_CORE;
    if (result == FAILED) return not_built(address, reason, folder);
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
