/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The token's folder. `token` has PINs and keys, `generation` counts changes, `lock` excludes other
 * processes, `objects/` has a file for each object. Each file is written to another name,
 * synchronised and renamed: it is there whole, or not at all.
 *
 * An object's file: a head in the clear, then all attributes, encrypted and authenticated together
 * with the head and the file's name (XChaCha20-Poly1305).
 */
#define _GNU_SOURCE /* secure_getenv, dladdr */
#include "token.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inherited.h"

enum { PATH_ROOM = 1024, FRESH_ROOM = PATH_ROOM + 8, MAX_FILE = 1 << 22 };
enum { FOLDER_MODE = 0700, FILE_MODE = 0600 };

struct head {
    uint8_t magic[8], instance[INSTANCE_LENGTH], nonce[NONCE_LENGTH];
    uint64_t generation, is_private;
};

static const uint8_t object_magic[8] = "TOTIENTo", token_magic[8] = "TOTIENTt";
static char folder[PATH_ROOM];

/* The file of the lock, while a thread of this process has it: one at a time. */
static pthread_mutex_t holding = PTHREAD_MUTEX_INITIALIZER;
static struct inherited held = {.file = -1};

/* The folder that the module lies in, if it is a token's: then no program needs to be told. */
static bool is_beside_module(void)
{
    Dl_info info;
    char path[PATH_ROOM];
    if (dladdr(object_magic, &info) == 0 || info.dli_fname == NULL || info.dli_fname[0] != '/')
        return false;
    const int length = snprintf(folder, sizeof folder, "%s", info.dli_fname);
    if (length < 0 || (size_t)length >= sizeof folder) return false;
    *strrchr(folder, '/') = '\0';
    return store_path(path, sizeof path, "config") && access(path, R_OK) == 0;
}

void store_choose(const char *chosen)
{
    const char *given = chosen != NULL ? chosen : secure_getenv("TOTIENT_TOKEN");
    int length;
    if (given != NULL && given[0] != '\0') {
        length = snprintf(folder, sizeof folder, "%s", given);
    } else if (is_beside_module()) {
        return;
    } else {
        /* Programs such as nginx clear their environment. */
        struct passwd entry, *found = NULL;
        char text[4096];
        const char *home = secure_getenv("HOME");
        if (home == NULL && getpwuid_r(geteuid(), &entry, text, sizeof text, &found) == 0
            && found != NULL)
            home = found->pw_dir;
        length = snprintf(folder, sizeof folder, "%s/.local/share/totient/token",
                          home != NULL ? home : "");
    }
    if (length < 0 || (size_t)length >= sizeof folder) folder[0] = '\0';
}

bool store_path(char *path, size_t room, const char *name)
{
    const int length = snprintf(path, room, "%s/%s", folder, name);
    return folder[0] != '\0' && length > 0 && (size_t)length < room;
}

bool store_make(void)
{
    char path[PATH_ROOM];
    if (!store_path(path, sizeof path, "objects")) return false;
    for (char *end = strchr(path + 1, '/'); end != NULL; end = strchr(end + 1, '/')) {
        *end = '\0';
        if (mkdir(path, FOLDER_MODE) != 0 && errno != EEXIST) return false;
        *end = '/';
    }
    return mkdir(path, FOLDER_MODE) == 0 || errno == EEXIST;
}

/* The lock belongs to the open file, which a forked child shares: closing it here is not enough. */
void store_unlock(void)
{
    const int file = held.file;
    (void)flock(file, LOCK_UN);
    (void)close(file);
    held.file = -1;
    (void)pthread_mutex_unlock(&holding);
}

bool store_lock(bool alone)
{
    char path[PATH_ROOM];
    if (!store_path(path, sizeof path, "lock")) return false;
    (void)pthread_mutex_lock(&holding);
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, FILE_MODE);
    inherited_note(&held, file);
    while (file >= 0 && flock(file, alone ? LOCK_EX : LOCK_SH) != 0) {
        if (errno == EINTR) continue;
        store_unlock();
        return false;
    }
    if (file < 0) (void)pthread_mutex_unlock(&holding);
    return file >= 0;
}

void store_abandon(void)
{
    inherited_close(&held);
    holding = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

bool store_read_file(const char *name, uint8_t *bytes, size_t room, size_t *length)
{
    char path[PATH_ROOM];
    if (!store_path(path, sizeof path, name)) return false;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return false;
    *length = 0;
    ssize_t count = 1;
    while (*length < room && count > 0) {
        count = read(file, bytes + *length, room - *length);
        if (count > 0) *length += (size_t)count;
        else if (count < 0 && errno == EINTR) count = 1;
    }
    (void)close(file);
    return count >= 0;
}

static bool write_all(int file, const uint8_t *bytes, size_t length)
{
    while (length > 0) {
        const ssize_t count = write(file, bytes, length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        bytes += count;
        length -= (size_t)count;
    }
    return true;
}

/* Synchronises the folder of a file: its new name is then there after a loss of power, too. */
static bool sync_folder(const char *path)
{
    char above[PATH_ROOM];
    (void)snprintf(above, sizeof above, "%s", path);
    char *end = strrchr(above, '/');
    if (end == NULL) return false;
    *end = '\0';
    const int file = open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return false;
    const bool well = fsync(file) == 0;
    (void)close(file);
    return well;
}

/* The name of a file that is being written. */
static bool fresh_path(char *path, char *fresh, const char *name)
{
    if (!store_path(path, PATH_ROOM, name)) return false;
    (void)snprintf(fresh, FRESH_ROOM, "%s.new", path);
    return true;
}

static void remove_unfinished(const char *name)
{
    char path[PATH_ROOM], fresh[FRESH_ROOM];
    if (fresh_path(path, fresh, name)) (void)unlink(fresh);
}

bool store_write_file(const char *name, const uint8_t *bytes, size_t length)
{
    char path[PATH_ROOM], fresh[FRESH_ROOM];
    if (!fresh_path(path, fresh, name)) return false;
    const int file = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, FILE_MODE);
    if (file < 0) return false;
    bool well = write_all(file, bytes, length) && fsync(file) == 0;
    well = close(file) == 0 && well;
    if (well && rename(fresh, path) == 0) return sync_folder(path);
    (void)unlink(fresh);
    return false;
}

static void check_sum(const struct token_file *file, uint8_t sum[32])
{
    (void)crypto_generichash(sum, 32, (const uint8_t *)file, offsetof(struct token_file, checksum),
                             NULL, 0);
}

CK_RV store_read_token(struct token_file *file)
{
    uint8_t sum[32];
    size_t length = 0;
    if (!store_read_file("token", (uint8_t *)file, sizeof *file, &length))
        return errno == ENOENT || errno == ENOTDIR ? CKR_TOKEN_NOT_RECOGNIZED : CKR_DEVICE_ERROR;
    if (length != sizeof *file || memcmp(file->magic, token_magic, sizeof token_magic) != 0
        || file->version != 1)
        return CKR_DEVICE_ERROR;
    check_sum(file, sum);
    return memcmp(sum, file->checksum, sizeof sum) == 0 ? CKR_OK : CKR_DEVICE_ERROR;
}

CK_RV store_write_token(struct token_file *file)
{
    memcpy(file->magic, token_magic, sizeof token_magic);
    file->version = 1;
    check_sum(file, file->checksum);
    return store_write_file("token", (const uint8_t *)file, sizeof *file) ? CKR_OK
                                                                          : CKR_DEVICE_MEMORY;
}

uint64_t store_generation(void)
{
    uint64_t generation = 0;
    size_t length = 0;
    if (!store_read_file("generation", (uint8_t *)&generation, sizeof generation, &length)
        || length != sizeof generation)
        return 0;
    return generation;
}

bool store_bump_generation(uint64_t *generation)
{
    *generation = store_generation() + 1;
    return store_write_file("generation", (const uint8_t *)generation, sizeof *generation);
}

static void object_file(char *text, size_t room, const char *name)
{
    (void)snprintf(text, room, "objects/%s", name);
}

/* The authenticated part of an object's file that is not encrypted, with its name. */
static void bind_name(const struct head *head, const char *name, uint8_t *bound)
{
    memcpy(bound, head, sizeof *head);
    memcpy(bound + sizeof *head, name, NAME_LENGTH);
}

CK_RV store_write_object(struct object *object, const struct token_file *file, const uint8_t *key)
{
    struct head head = {.is_private = object->is_private, .generation = object->generation};
    uint8_t bound[sizeof head + NAME_LENGTH], random[NAME_LENGTH / 2];
    char name[64];
    memcpy(head.magic, object_magic, sizeof object_magic);
    memcpy(head.instance, file->instance, sizeof head.instance);
    randombytes_buf(head.nonce, sizeof head.nonce);
    if (object->name[0] == '\0') {
        randombytes_buf(random, sizeof random);
        (void)sodium_bin2hex(object->name, sizeof object->name, random, sizeof random);
    }
    const size_t length = sizeof head + object->size + TAG_LENGTH;
    if (length > MAX_FILE) return CKR_DEVICE_MEMORY;
    uint8_t *bytes = malloc(length);
    if (bytes == NULL) return CKR_HOST_MEMORY;
    bind_name(&head, object->name, bound);
    memcpy(bytes, &head, sizeof head);
    (void)crypto_aead_xchacha20poly1305_ietf_encrypt(bytes + sizeof head, NULL, object->bytes,
                                                     object->size, bound, sizeof bound, NULL,
                                                     head.nonce, key);
    object_file(name, sizeof name, object->name);
    const bool well = store_write_file(name, bytes, length);
    free(bytes);
    return well ? CKR_OK : CKR_DEVICE_MEMORY;
}

CK_RV store_remove_object(const char *name)
{
    char path[PATH_ROOM], text[64];
    object_file(text, sizeof text, name);
    if (!store_path(path, sizeof path, text)) return CKR_DEVICE_ERROR;
    if (unlink(path) != 0 && errno != ENOENT) return CKR_DEVICE_ERROR;
    remove_unfinished(text);
    return sync_folder(path) ? CKR_OK : CKR_DEVICE_ERROR;
}

/* Whether a file's name is an object's, with something at its end. */
static bool is_object(const char *name, const char *end)
{
    return strspn(name, "0123456789abcdef") == NAME_LENGTH && strcmp(name + NAME_LENGTH, end) == 0;
}

/* Removes what a killed writer has left of an object. */
static void remove_if_unfinished(const char *name)
{
    char text[64];
    if (!is_object(name, ".new")) return;
    (void)snprintf(text, sizeof text, "objects/%.*s", NAME_LENGTH, name);
    remove_unfinished(text);
}

void store_clean(void)
{
    char path[PATH_ROOM];
    remove_unfinished("token");
    remove_unfinished("generation");
    if (!store_path(path, sizeof path, "objects")) return;
    DIR *listing = opendir(path);
    if (listing == NULL) return;
    for (const struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing))
        remove_if_unfinished(entry->d_name);
    (void)closedir(listing);
}

bool store_peek(const char *name, const uint8_t *instance, bool *is_private, uint64_t *generation,
                bool *foreign)
{
    struct head head;
    char text[64];
    size_t length = 0;
    object_file(text, sizeof text, name);
    if (!store_read_file(text, (uint8_t *)&head, sizeof head, &length) || length != sizeof head
        || memcmp(head.magic, object_magic, sizeof object_magic) != 0)
        return false;
    *is_private = head.is_private != 0;
    *generation = head.generation;
    *foreign = memcmp(head.instance, instance, INSTANCE_LENGTH) != 0;
    return true;
}

/* The object of a whole file; NULL: it is damaged. */
static struct object *decrypted(const uint8_t *bytes, size_t length, const char *name,
                                const uint8_t *public_key, const uint8_t *private_key)
{
    struct head head;
    uint8_t bound[sizeof head + NAME_LENGTH];
    if (length < sizeof head + TAG_LENGTH) return NULL;
    memcpy(&head, bytes, sizeof head);
    const uint8_t *key = head.is_private != 0 ? private_key : public_key;
    const size_t size = length - sizeof head - TAG_LENGTH;
    uint8_t *plain = key != NULL ? secure_new(size) : NULL;
    if (plain == NULL) return NULL;
    bind_name(&head, name, bound);
    struct object *object = NULL;
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(plain, NULL, NULL, bytes + sizeof head,
                                                   length - sizeof head, bound, sizeof bound,
                                                   head.nonce, key)
        == 0)
        object = object_of_bytes(plain, size);
    secure_free(plain);
    if (object == NULL) return NULL;
    memcpy(object->name, name, NAME_LENGTH);
    object->generation = head.generation;
    return object;
}

struct object *store_read_object(const char *name, const uint8_t *public_key,
                                 const uint8_t *private_key)
{
    char text[64];
    size_t length = 0;
    object_file(text, sizeof text, name);
    uint8_t *bytes = malloc(MAX_FILE);
    if (bytes == NULL) return NULL;
    struct object *object = NULL;
    if (store_read_file(text, bytes, MAX_FILE, &length))
        object = decrypted(bytes, length, name, public_key, private_key);
    free(bytes);
    return object;
}

void store_each(void (*each)(void *user, const char *name), void *user)
{
    char path[PATH_ROOM];
    if (!store_path(path, sizeof path, "objects")) return;
    DIR *listing = opendir(path);
    if (listing == NULL) return;
    for (const struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing))
        if (is_object(entry->d_name, "")) each(user, entry->d_name);
    (void)closedir(listing);
}
