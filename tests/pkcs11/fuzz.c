/* SPDX-License-Identifier: Apache-2.0 */
/* All functions in any order, with arguments that a wrong program could give. */
#include "checks.h"

static CK_BYTE pool[ROOM];
static CK_ULONG lengths[4];
static CK_OBJECT_HANDLE handles[64];
static CK_SESSION_HANDLE fuzz_sessions[4];
static uint64_t state = 1;
static const uint8_t *chosen; /* numbers by a fuzzer, in the place of the generator's */
static size_t chosen_left;

static uint64_t next(uint64_t bound)
{
    if (chosen != NULL) {
        uint64_t number = 0;
        for (int i = 0; i < 2 && chosen_left > 0; i++, chosen_left--)
            number = number << 8 | *chosen++;
        return number % bound;
    }
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % bound;
}

static CK_ULONG any_length(void)
{
    static const CK_ULONG usual[] = {0, 1, 8, 11, 16, 20, 24, 32, 64, 117, 127, 128, 129, 256};
    const uint64_t kind = next(20);
    if (kind == 0) return WILD;
    if (kind == 1) return WILD >> 1;
    return kind < 16 ? usual[next(14)] : next(512);
}

static void *any_bytes(void)
{
    return next(10) == 0 ? NULL : pool + next(ROOM / 2);
}

static CK_ULONG *any_room(void)
{
    CK_ULONG *room = &lengths[next(4)];
    *room = next(3) == 0 ? next(300) : 1024;
    return next(20) == 0 ? NULL : room;
}

static CK_OBJECT_HANDLE any_object(void)
{
    return next(12) == 0 ? next(1000) : handles[next(64)];
}

static CK_MECHANISM *any_mechanism(void)
{
    static CK_MECHANISM mechanism;
    static CK_RSA_PKCS_PSS_PARAMS pss;
    static CK_RSA_PKCS_OAEP_PARAMS oaep;
    static const CK_MECHANISM_TYPE hashes[] = {CKM_SHA_1, CKM_SHA224, CKM_SHA256, CKM_SHA512, 99};
    CK_MECHANISM_TYPE list[64];
    CK_ULONG count = 64;
    if (next(30) == 0) return NULL;
    REQUIRE(p11->C_GetMechanismList(0, list, &count) == CKR_OK);
    mechanism = (CK_MECHANISM){list[next(count)], NULL, 0};
    pss = (CK_RSA_PKCS_PSS_PARAMS){hashes[next(5)], 1 + next(6), next(10) == 0 ? WILD : next(70)};
    oaep = (CK_RSA_PKCS_OAEP_PARAMS){hashes[next(5)], next(6), next(3), any_bytes(), next(40)};
    switch (next(6)) {
    case 0: break;
    case 1:
        mechanism.pParameter = &pss;
        mechanism.ulParameterLen = sizeof pss;
        break;
    case 2:
        mechanism.pParameter = &oaep;
        mechanism.ulParameterLen = sizeof oaep;
        break;
    case 3:
        mechanism.pParameter = pool;
        mechanism.ulParameterLen = 16;
        break;
    case 4:
        mechanism.pParameter = pool;
        mechanism.ulParameterLen = 8;
        break;
    default:
        mechanism.pParameter = NULL;
        mechanism.ulParameterLen = any_length();
        break;
    }
    return &mechanism;
}

static CK_ATTRIBUTE *any_template(CK_ULONG *count)
{
    static const CK_ATTRIBUTE_TYPE types[] = {CKA_CLASS,
                                              CKA_TOKEN,
                                              CKA_PRIVATE,
                                              CKA_LABEL,
                                              CKA_ID,
                                              CKA_KEY_TYPE,
                                              CKA_MODULUS,
                                              CKA_MODULUS_BITS,
                                              CKA_PUBLIC_EXPONENT,
                                              CKA_PRIVATE_EXPONENT,
                                              CKA_PRIME_1,
                                              CKA_VALUE,
                                              CKA_VALUE_LEN,
                                              CKA_SENSITIVE,
                                              CKA_EXTRACTABLE,
                                              CKA_WRAP,
                                              CKA_UNWRAP,
                                              CKA_SIGN,
                                              CKA_ALLOWED_MECHANISMS,
                                              CKA_CERTIFICATE_TYPE};
    static CK_ATTRIBUTE template[12];
    static CK_ULONG numbers[12];
    *count = next(40) == 0 ? WILD : next(12);
    if (next(30) == 0) return NULL;
    for (size_t i = 0; i < 12; i++) {
        numbers[i] = next(3) == 0 ? 1024 : next(40);
        template[i] = (CK_ATTRIBUTE){types[next(20)], any_bytes(), any_length()};
        if (next(2) == 0)
            template[i].pValue = &numbers[i], template[i].ulValueLen = sizeof numbers[i];
        if (next(3) == 0) template[i].pValue = &yes, template[i].ulValueLen = 1;
    }
    return template;
}

/* What a call may be given. */
struct given {
    CK_SESSION_HANDLE session;
    CK_OBJECT_HANDLE *made;
    CK_ULONG count, *room, length;
    CK_BYTE *in, *out;
    CK_ATTRIBUTE *template;
};

static void call_for_objects(const struct given *g)
{
    CK_ATTRIBUTE wanted[2] = {{next(0x300), g->out, next(1024)}, {CKA_VALUE, NULL, 0}};
    CK_OBJECT_HANDLE *found = next(9) == 0 ? NULL : handles;
    switch (next(12)) {
    case 0: (void)p11->C_CreateObject(g->session, g->template, g->count, g->made); break;
    case 1:
        (void)p11->C_CopyObject(g->session, any_object(), g->template, g->count, g->made);
        break;
    case 2:
        if (next(4) == 0) (void)p11->C_DestroyObject(g->session, handles[8 + next(56)]);
        break;
    case 3: (void)p11->C_GetObjectSize(g->session, any_object(), g->room); break;
    case 4: (void)p11->C_GetAttributeValue(g->session, any_object(), wanted, 2); break;
    case 5: (void)p11->C_SetAttributeValue(g->session, any_object(), g->template, g->count); break;
    case 6: (void)p11->C_FindObjectsInit(g->session, g->template, g->count); break;
    case 7: (void)p11->C_FindObjects(g->session, found, next(8), g->room); break;
    case 8: (void)p11->C_FindObjectsFinal(g->session); break;
    case 9:
        (void)p11->C_WrapKey(g->session, any_mechanism(), any_object(), any_object(), g->out,
                             g->room);
        break;
    case 10:
        (void)p11->C_UnwrapKey(g->session, any_mechanism(), any_object(), g->in, g->length,
                               g->template, g->count, g->made);
        break;
    default:
        if (next(8) == 0)
            (void)p11->C_GenerateKey(g->session, any_mechanism(), g->template, g->count, g->made);
    }
}

static void call_for_ciphers(const struct given *g)
{
    const CK_SESSION_HANDLE s = g->session;
    switch (next(13)) {
    case 0: (void)p11->C_EncryptInit(s, any_mechanism(), any_object()); break;
    case 1: (void)p11->C_Encrypt(s, g->in, g->length, g->out, g->room); break;
    case 2: (void)p11->C_EncryptUpdate(s, g->in, g->length, g->out, g->room); break;
    case 3: (void)p11->C_EncryptFinal(s, g->out, g->room); break;
    case 4: (void)p11->C_DecryptInit(s, any_mechanism(), any_object()); break;
    case 5: (void)p11->C_Decrypt(s, g->in, g->length, g->out, g->room); break;
    case 6: (void)p11->C_DecryptUpdate(s, g->in, g->length, g->out, g->room); break;
    case 7: (void)p11->C_DecryptFinal(s, g->out, g->room); break;
    case 8: (void)p11->C_DigestInit(s, any_mechanism()); break;
    case 9: (void)p11->C_Digest(s, g->in, g->length, g->out, g->room); break;
    case 10: (void)p11->C_DigestUpdate(s, g->in, g->length); break;
    case 11: (void)p11->C_DigestKey(s, any_object()); break;
    default: (void)p11->C_DigestFinal(s, g->out, g->room); break;
    }
}

static void call_for_signatures(const struct given *g)
{
    const CK_SESSION_HANDLE s = g->session;
    switch (next(12)) {
    case 0: (void)p11->C_SignInit(s, any_mechanism(), any_object()); break;
    case 1: (void)p11->C_Sign(s, g->in, g->length, g->out, g->room); break;
    case 2: (void)p11->C_SignUpdate(s, g->in, g->length); break;
    case 3: (void)p11->C_SignFinal(s, g->out, g->room); break;
    case 4: (void)p11->C_SignRecoverInit(s, any_mechanism(), any_object()); break;
    case 5: (void)p11->C_SignRecover(s, g->in, g->length, g->out, g->room); break;
    case 6: (void)p11->C_VerifyInit(s, any_mechanism(), any_object()); break;
    case 7: (void)p11->C_Verify(s, g->in, g->length, g->out, 128); break;
    case 8: (void)p11->C_VerifyUpdate(s, g->in, g->length); break;
    case 9: (void)p11->C_VerifyFinal(s, g->out, 128); break;
    case 10: (void)p11->C_VerifyRecoverInit(s, any_mechanism(), any_object()); break;
    default: (void)p11->C_VerifyRecover(s, g->in, 128, g->out, g->room); break;
    }
}

/* One call. Those of initialisation and of PINs take long, and are tested elsewhere. */
static void one_call(void)
{
    struct given given = {.made = &handles[8 + next(56)],
                          .room = any_room(),
                          .in = any_bytes(),
                          .out = any_bytes(),
                          .length = any_length()};
    given.session = next(50) == 0 ? next(99) : fuzz_sessions[next(4)];
    given.template = any_template(&given.count);
    const uint64_t kind = next(37);
    if (kind < 12) {
        call_for_objects(&given);
    } else if (kind < 24) {
        call_for_ciphers(&given);
    } else if (kind < 36) {
        call_for_signatures(&given);
    } else {
        CK_SESSION_HANDLE *closed = &fuzz_sessions[next(4)];
        (void)p11->C_CloseSession(*closed);
        *closed = open_session();
    }
}

/* A session of the user, which stays, four for the calls, and eight keys. */
static void begin(void)
{
    REQUIRE(p11->C_Initialize(NULL) == CKR_OK);
    const CK_SESSION_HANDLE keeper = open_session();
    for (size_t i = 0; i < 4; i++) fuzz_sessions[i] = open_session();
    REQUIRE(p11->C_Login(keeper, CKU_USER, pin, sizeof pin - 1) == CKR_OK);
    for (size_t i = 0; i < 4; i += 2) make_pair(keeper, &handles[i], &handles[i + 1]);
    for (size_t i = 4; i < 8; i++) handles[i] = make_secret(keeper);
}

void check_fuzz(unsigned long count, uint64_t seed)
{
    state = seed;
    begin();
    for (unsigned long i = 0; i < count; i++) one_call();
    REQUIRE(p11->C_Finalize(NULL) == CKR_OK);
}

void fuzz_calls(const uint8_t *bytes, size_t length)
{
    static bool begun;
    if (!begun) begin();
    begun = true;
    memset(pool, 0, sizeof pool);
    memset(lengths, 0, sizeof lengths);
    memset(handles + 8, 0, sizeof handles - 8 * sizeof *handles);
    chosen = bytes;
    chosen_left = length;
    while (chosen_left > 0) one_call();
    for (size_t i = 0; i < 4; i++) {
        (void)p11->C_CloseSession(fuzz_sessions[i]);
        fuzz_sessions[i] = open_session();
    }
    destroy_others(handles, 8);
}
