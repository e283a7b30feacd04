/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signatures by the module's functions, which are linked with it, and what the device does for them.
 *
 *     signature COUNT
 *
 * TOTIENT_TOKEN names a token with the user PIN 123456 and the private keys with the IDs 01 and 02.
 * Prints for each signature: its key, keys that were loaded for it, its nanoseconds, and those of
 * the driver's private operation in it. The linker puts the functions `__wrap_...` in front of the
 * driver's. COUNT signatures by the key 01 come first, then one by 02, and one more by 01.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "times.h"
#include "totient/engine.h"

static unsigned loads;
static long long inside;

totient_result __real_totient_engine_load_key(struct totient *core, uint32_t slot,
                                              const struct totient_rsa_key *key);
totient_result __wrap_totient_engine_load_key(struct totient *core, uint32_t slot,
                                              const struct totient_rsa_key *key);
totient_result __real_totient_engine_private(struct totient *core, uint32_t slot, uint32_t flags,
                                             const uint8_t *message, size_t message_length,
                                             uint8_t *result, size_t result_length);
totient_result __wrap_totient_engine_private(struct totient *core, uint32_t slot, uint32_t flags,
                                             const uint8_t *message, size_t message_length,
                                             uint8_t *result, size_t result_length);

totient_result __wrap_totient_engine_load_key(struct totient *core, uint32_t slot,
                                              const struct totient_rsa_key *key)
{
    loads++;
    return __real_totient_engine_load_key(core, slot, key);
}

totient_result __wrap_totient_engine_private(struct totient *core, uint32_t slot, uint32_t flags,
                                             const uint8_t *message, size_t message_length,
                                             uint8_t *result, size_t result_length)
{
    const long long start = now();
    const totient_result done = __real_totient_engine_private(core, slot, flags, message,
                                                              message_length, result, result_length);
    inside += now() - start;
    return done;
}

static void sign(const CK_FUNCTION_LIST *p11, CK_SESSION_HANDLE session, CK_BYTE id)
{
    CK_MECHANISM mechanism = {CKM_SHA256_RSA_PKCS, NULL, 0};
    CK_BYTE message[] = "A message.", signature[512];
    CK_ULONG length = sizeof signature;
    const CK_OBJECT_HANDLE key = private_key(p11, session, id);
    loads = 0;
    inside = 0;
    const long long start = now();
    REQUIRE(p11->C_SignInit(session, &mechanism, key) == CKR_OK);
    REQUIRE(p11->C_Sign(session, message, sizeof message, signature, &length) == CKR_OK);
    (void)printf("%u %u %lld %lld\n", id, loads, now() - start, inside);
}

int main(int count, char **words)
{
    CK_FUNCTION_LIST *p11 = NULL;
    CK_SESSION_HANDLE session = 0;
    CK_UTF8CHAR pin[] = "123456";
    REQUIRE(count == 2);
    REQUIRE(C_GetFunctionList(&p11) == CKR_OK && p11->C_Initialize(NULL) == CKR_OK);
    REQUIRE(p11->C_OpenSession(0, CKF_SERIAL_SESSION, NULL, NULL, &session) == CKR_OK);
    REQUIRE(p11->C_Login(session, CKU_USER, pin, sizeof pin - 1) == CKR_OK);
    for (long left = strtol(words[1], NULL, 10); left > 0; left--) sign(p11, session, 1);
    sign(p11, session, 2);
    sign(p11, session, 1);
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
    return 0;
}
