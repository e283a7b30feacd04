/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of the module that a program in C must make: wrong arguments, forks, threads, leaks.
 *
 *     checks null|fork|threads COUNT|sessions COUNT|fuzz COUNT SEED
 *     checks lock|changes|initialised|starts|races|inherited|ended
 *
 * It is linked with the module's files. TOTIENT_TOKEN names a token with the user PIN 123456.
 */
#define _GNU_SOURCE
#include "checks.h"

#include <dirent.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FUNCTIONS = 67 };

/* Any function of the list, with as many words as the longest takes. */
typedef CK_RV (*any)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                     uintptr_t);

static any function(size_t place)
{
    any found;
    memcpy(&found,
           (const char *)p11 + offsetof(CK_FUNCTION_LIST, C_Initialize) + place * sizeof found,
           sizeof found);
    return found;
}

/* --- null: each function with nothing at all, and with lengths that cannot be
 * --- */

static void call_with_nothing(uintptr_t first)
{
    /* The first word of the first four is a pointer. */
    for (size_t place = first == 0 ? 2 : 4; place < FUNCTIONS; place++)
        (void)function(place)(first, 0, 0, 0, 0, 0, 0, 0);
}

static void check_null(void)
{
    call_with_nothing(0);
    REQUIRE(p11->C_Initialize(NULL) == CKR_OK);
    call_with_nothing(0);
    CK_SESSION_HANDLE session = open_session();
    CK_OBJECT_HANDLE public, private;
    make_pair(session, &public, &private);
    CK_MECHANISM pkcs = {CKM_RSA_PKCS, NULL, WILD}, hashed = {CKM_SHA256_RSA_PKCS, NULL, 0};
    CK_MECHANISM pss = {CKM_RSA_PKCS_PSS, NULL, 24}, oaep = {CKM_RSA_PKCS_OAEP, &yes, 1};
    REQUIRE(p11->C_SignInit(session, &pss, private) == CKR_MECHANISM_PARAM_INVALID);
    REQUIRE(p11->C_EncryptInit(session, &oaep, public) == CKR_MECHANISM_PARAM_INVALID);
    CK_BYTE out[ROOM];
    CK_ULONG length = sizeof out;
    REQUIRE(p11->C_SignInit(session, &hashed, private) == CKR_OK);
    REQUIRE(p11->C_Sign(session, out, WILD, out, &length) == CKR_DATA_LEN_RANGE);
    REQUIRE(p11->C_SignInit(session, &pkcs, private) == CKR_OK);
    REQUIRE(p11->C_Sign(session, out, WILD, out, &length) == CKR_DATA_LEN_RANGE);
    REQUIRE(p11->C_DecryptInit(session, &pkcs, private) == CKR_OK);
    REQUIRE(p11->C_Decrypt(session, out, WILD, out, &length) == CKR_ENCRYPTED_DATA_LEN_RANGE);
    CK_ATTRIBUTE wild = {CKA_LABEL, out, WILD};
    CK_OBJECT_HANDLE object;
    REQUIRE(p11->C_CreateObject(session, &wild, 1, &object) == CKR_ATTRIBUTE_VALUE_INVALID);
    REQUIRE(p11->C_CreateObject(session, &wild, WILD, &object) == CKR_ARGUMENTS_BAD);
    call_with_nothing(session);
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
}

/* --- fork: a child has nothing of its parent
 * --- */

static void in_child(CK_SESSION_HANDLE session, const CK_BYTE *seen)
{
    CK_BYTE fresh[32];
    REQUIRE(p11->C_GenerateRandom(session, fresh, sizeof fresh) == CKR_CRYPTOKI_NOT_INITIALIZED);
    REQUIRE(p11->C_CloseSession(session) == CKR_CRYPTOKI_NOT_INITIALIZED);
    REQUIRE(p11->C_Finalize(NULL) == CKR_CRYPTOKI_NOT_INITIALIZED);
    REQUIRE(p11->C_Initialize(NULL) == CKR_OK);
    REQUIRE(p11->C_GenerateRandom(session, fresh, sizeof fresh) == CKR_SESSION_HANDLE_INVALID);
    CK_SESSION_HANDLE own = open_session();
    REQUIRE(p11->C_GenerateRandom(own, fresh, sizeof fresh) == CKR_OK);
    REQUIRE(memcmp(fresh, seen, sizeof fresh) != 0);
    CK_OBJECT_HANDLE public, private;
    make_pair(own, &public, &private);
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
    _exit(0);
}

static volatile bool busy = true;

static void *work(void *argument)
{
    (void)argument;
    CK_SESSION_HANDLE session = open_session();
    CK_OBJECT_HANDLE public, private;
    while (busy) make_pair(session, &public, &private);
    return NULL;
}

/* Forks while other threads hold locks. */
static void check_fork(unsigned long count)
{
    pthread_t threads[3];
    CK_BYTE seen[32];
    REQUIRE(p11->C_Initialize(NULL) == CKR_OK);
    CK_SESSION_HANDLE session = open_session();
    for (size_t i = 0; i < 3; i++) REQUIRE(pthread_create(&threads[i], NULL, work, NULL) == 0);
    for (unsigned long i = 0; i < count; i++) {
        REQUIRE(p11->C_GenerateRandom(session, seen, sizeof seen) == CKR_OK);
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) in_child(session, seen);
        int status = 0;
        REQUIRE(waitpid(child, &status, 0) == child && status == 0);
    }
    busy = false;
    for (size_t i = 0; i < 3; i++) (void)pthread_join(threads[i], NULL);
    REQUIRE(p11->C_CloseSession(session) == CKR_OK);
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
}

/* --- threads: a thousand sessions
 * --- */

enum { THREADS = 8, SESSIONS = 128 };

static CK_OBJECT_HANDLE shared_public, shared_private;
static unsigned long signatures_of_thread = 4 * SESSIONS, logins = 4; /* fewer with a device */

static void *use_sessions(void *argument)
{
    CK_SESSION_HANDLE sessions[SESSIONS];
    CK_MECHANISM mechanism = {CKM_SHA256_RSA_PKCS, NULL, 0};
    CK_BYTE data[64], signature[ROOM];
    const size_t rounds = signatures_of_thread;
    unsigned seed = (unsigned)(uintptr_t)argument;
    memset(data, (int)seed, sizeof data);
    for (size_t i = 0; i < SESSIONS; i++) sessions[i] = open_session();
    for (size_t i = 0; i < rounds; i++) {
        CK_SESSION_HANDLE session = sessions[(size_t)rand_r(&seed) % SESSIONS];
        CK_ULONG length = sizeof signature;
        REQUIRE(p11->C_SignInit(session, &mechanism, shared_private) == CKR_OK);
        REQUIRE(p11->C_SignUpdate(session, data, 10) == CKR_OK);
        REQUIRE(p11->C_SignUpdate(session, data + 10, sizeof data - 10) == CKR_OK);
        REQUIRE(p11->C_SignFinal(session, signature, &length) == CKR_OK);
        REQUIRE(p11->C_VerifyInit(session, &mechanism, shared_public) == CKR_OK);
        REQUIRE(p11->C_Verify(session, data, sizeof data, signature, length) == CKR_OK);
        CK_OBJECT_HANDLE found[4];
        CK_ULONG count = 0;
        REQUIRE(p11->C_FindObjectsInit(session, NULL, 0) == CKR_OK);
        REQUIRE(p11->C_FindObjects(session, found, 4, &count) == CKR_OK && count >= 2);
        REQUIRE(p11->C_FindObjectsFinal(session) == CKR_OK);
    }
    for (size_t i = 0; i < SESSIONS; i++) REQUIRE(p11->C_CloseSession(sessions[i]) == CKR_OK);
    return NULL;
}

/* Logs in and out: what others do with private objects fails or works, and never breaks. */
static void *log_in_and_out(void *argument)
{
    CK_SESSION_HANDLE session = open_session();
    CK_OBJECT_HANDLE public, private;
    CK_MECHANISM mechanism = {CKM_RSA_PKCS_KEY_PAIR_GEN, NULL, 0};
    CK_ULONG bits = 1024;
    CK_ATTRIBUTE outer[] = {{CKA_MODULUS_BITS, &bits, sizeof bits}, {CKA_TOKEN, &yes, 1}};
    CK_ATTRIBUTE inner[] = {{CKA_TOKEN, &yes, 1}};
    (void)argument;
    for (size_t i = 0; i < logins; i++) {
        REQUIRE(p11->C_Login(session, CKU_USER, pin, sizeof pin - 1) == CKR_OK);
        REQUIRE(p11->C_GenerateKeyPair(session, &mechanism, outer, 2, inner, 1, &public, &private)
                == CKR_OK);
        REQUIRE(p11->C_DestroyObject(session, public) == CKR_OK);
        REQUIRE(p11->C_DestroyObject(session, private) == CKR_OK);
        REQUIRE(p11->C_Logout(session) == CKR_OK);
    }
    REQUIRE(p11->C_CloseSession(session) == CKR_OK);
    return NULL;
}

static void check_threads(unsigned long count)
{
    if (count > 0) {
        signatures_of_thread = count;
        logins = 1;
    }
    pthread_t threads[THREADS + 1];
    CK_C_INITIALIZE_ARGS arguments = {.flags = CKF_OS_LOCKING_OK};
    REQUIRE(p11->C_Initialize(&arguments) == CKR_OK);
    CK_SESSION_HANDLE session = open_session();
    make_pair(session, &shared_public, &shared_private);
    for (size_t i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&threads[i], NULL, use_sessions, (void *)i) == 0);
    REQUIRE(pthread_create(&threads[THREADS], NULL, log_in_and_out, NULL) == 0);
    for (size_t i = 0; i <= THREADS; i++) (void)pthread_join(threads[i], NULL);
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
}

/* --- sessions: opened and closed without a leak
 * --- */

/* Kilobytes of the process that are in memory. */
static long resident(void)
{
    long pages = 0, all = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    REQUIRE(file != NULL && fscanf(file, "%ld %ld", &all, &pages) == 2);
    (void)fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static size_t open_files(void)
{
    size_t count = 0;
    DIR *listing = opendir("/proc/self/fd");
    while (readdir(listing) != NULL) count++;
    (void)closedir(listing);
    return count;
}

static void check_sessions(unsigned long count)
{
    REQUIRE(p11->C_Initialize(NULL) == CKR_OK);
    long before = 0;
    size_t files = 0;
    for (unsigned long i = 0; i < count; i++) {
        CK_SESSION_HANDLE session = open_session();
        CK_OBJECT_HANDLE key = i % 16 == 0 ? make_secret(session) : 0;
        CK_MECHANISM digest = {CKM_SHA256, NULL, 0};
        REQUIRE(p11->C_DigestInit(session, &digest) == CKR_OK);
        REQUIRE(p11->C_FindObjectsInit(session, NULL, 0) == CKR_OK);
        REQUIRE(p11->C_CloseSession(session) == CKR_OK);
        (void)key;
        if (i == count / 10) {
            before = resident();
            files = open_files();
        }
    }
    (void)printf("%ld kB, then %ld kB\n", before, resident());
    REQUIRE(resident() - before < 512);
    REQUIRE(open_files() == files);
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
}

/* Checks of other files. */
static const struct {
    const char *name;
    void (*check)(void);
} others[] = {{"lock", check_lock},
              {"changes", check_changes},
              {"initialised", check_initialised},
              {"starts", check_starts},
              {"races", check_races},
              {"inherited", check_inherited},
              {"ended", check_ended}};

int main(int words, char **word)
{
    const unsigned long count = words > 2 ? strtoul(word[2], NULL, 10) : 0;
    REQUIRE(words > 1 && C_GetFunctionList(&p11) == CKR_OK);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(word[1], others[i].name) != 0) continue;
        others[i].check();
        return 0;
    }
    if (strcmp(word[1], "null") == 0) check_null();
    else if (strcmp(word[1], "fork") == 0) check_fork(count);
    else if (strcmp(word[1], "threads") == 0) check_threads(count);
    else if (strcmp(word[1], "sessions") == 0) check_sessions(count);
    else if (strcmp(word[1], "fuzz") == 0)
        check_fuzz(count, words > 3 ? strtoul(word[3], NULL, 10) : 1);
    else return 2;
    return 0;
}
