/* SPDX-License-Identifier: Apache-2.0 */
/* The mechanisms, and their parameters. */
#include "operation.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define SIGNS (CKF_SIGN | CKF_VERIFY)
#define RECOVERS (CKF_SIGN_RECOVER | CKF_VERIFY_RECOVER)
#define CRYPTS (CKF_ENCRYPT | CKF_DECRYPT)
#define WRAPS (CKF_WRAP | CKF_UNWRAP)

static const struct mechanism mechanisms[] = {
    {CKM_RSA_PKCS_KEY_PAIR_GEN, KEY_PAIR, CKF_GENERATE_KEY_PAIR | CKF_HW, UNKNOWN},
    /* C_UnwrapKey would be an oracle on the padding: the new key's length depends on it. */
    {CKM_RSA_PKCS, RSA_PKCS, SIGNS | RECOVERS | CRYPTS | CKF_WRAP | CKF_HW, UNKNOWN},
    {CKM_RSA_X_509, RSA_RAW, SIGNS | RECOVERS | CRYPTS | CKF_HW, UNKNOWN},
    {CKM_RSA_PKCS_OAEP, RSA_OAEP, CRYPTS | WRAPS | CKF_HW, UNKNOWN},
    {CKM_RSA_PKCS_PSS, RSA_PSS, SIGNS | CKF_HW, UNKNOWN},
    {CKM_SHA1_RSA_PKCS, RSA_PKCS, SIGNS | CKF_HW, CKM_SHA_1},
    {CKM_SHA224_RSA_PKCS, RSA_PKCS, SIGNS | CKF_HW, CKM_SHA224},
    {CKM_SHA256_RSA_PKCS, RSA_PKCS, SIGNS | CKF_HW, CKM_SHA256},
    {CKM_SHA384_RSA_PKCS, RSA_PKCS, SIGNS | CKF_HW, CKM_SHA384},
    {CKM_SHA512_RSA_PKCS, RSA_PKCS, SIGNS | CKF_HW, CKM_SHA512},
    {CKM_SHA1_RSA_PKCS_PSS, RSA_PSS, SIGNS | CKF_HW, CKM_SHA_1},
    {CKM_SHA224_RSA_PKCS_PSS, RSA_PSS, SIGNS | CKF_HW, CKM_SHA224},
    {CKM_SHA256_RSA_PKCS_PSS, RSA_PSS, SIGNS | CKF_HW, CKM_SHA256},
    {CKM_SHA384_RSA_PKCS_PSS, RSA_PSS, SIGNS | CKF_HW, CKM_SHA384},
    {CKM_SHA512_RSA_PKCS_PSS, RSA_PSS, SIGNS | CKF_HW, CKM_SHA512},
    {CKM_SHA_1, DIGEST, CKF_DIGEST, CKM_SHA_1},
    {CKM_SHA224, DIGEST, CKF_DIGEST, CKM_SHA224},
    {CKM_SHA256, DIGEST, CKF_DIGEST, CKM_SHA256},
    {CKM_SHA384, DIGEST, CKF_DIGEST, CKM_SHA384},
    {CKM_SHA512, DIGEST, CKF_DIGEST, CKM_SHA512},
    {CKM_AES_KEY_GEN, KEY_MAKE, CKF_GENERATE, UNKNOWN},
    {CKM_GENERIC_SECRET_KEY_GEN, KEY_MAKE, CKF_GENERATE, UNKNOWN},
    {CKM_DES_KEY_GEN, KEY_MAKE, CKF_GENERATE, UNKNOWN},
    {CKM_DES3_KEY_GEN, KEY_MAKE, CKF_GENERATE, UNKNOWN},
    {CKM_AES_KEY_WRAP, KEY_WRAP, WRAPS, UNKNOWN},
    {CKM_AES_KEY_WRAP_PAD, KEY_WRAP, WRAPS, UNKNOWN},
    {CKM_AES_KEY_WRAP_KWP, KEY_WRAP, WRAPS, UNKNOWN},
    {CKM_AES_ECB, CIPHER, CRYPTS, UNKNOWN},
    {CKM_AES_CBC, CIPHER, CRYPTS, UNKNOWN},
    {CKM_AES_CBC_PAD, CIPHER, CRYPTS, UNKNOWN},
    {CKM_DES_ECB, CIPHER, CRYPTS, UNKNOWN},
    {CKM_DES_CBC, CIPHER, CRYPTS, UNKNOWN},
    {CKM_DES3_ECB, CIPHER, CRYPTS, UNKNOWN},
    {CKM_DES3_CBC, CIPHER, CRYPTS, UNKNOWN},
};

enum { MECHANISMS = sizeof mechanisms / sizeof *mechanisms };

const struct mechanism *mechanism_of(CK_MECHANISM_TYPE type)
{
    for (size_t i = 0; i < MECHANISMS; i++)
        if (mechanisms[i].type == type) return &mechanisms[i];
    return NULL;
}

CK_RV mechanism_list(CK_MECHANISM_TYPE *list, CK_ULONG *count)
{
    const CK_ULONG room = *count;
    *count = MECHANISMS;
    if (list == NULL) return CKR_OK;
    if (room < MECHANISMS) return CKR_BUFFER_TOO_SMALL;
    for (size_t i = 0; i < MECHANISMS; i++) list[i] = mechanisms[i].type;
    return CKR_OK;
}

CK_RV mechanism_info(CK_MECHANISM_TYPE type, CK_MECHANISM_INFO *info)
{
    const struct mechanism *found = mechanism_of(type);
    if (found == NULL) return CKR_MECHANISM_INVALID;
    *info = (CK_MECHANISM_INFO){.flags = found->flags};
    switch (found->family) {
    case DIGEST: break;
    case CIPHER:
    case KEY_WRAP:
    case KEY_MAKE:
        info->ulMinKeySize = secret_key_type(type) == CKK_AES ? 16 : 8;
        info->ulMaxKeySize = secret_key_type(type) == CKK_DES    ? 8
                             : secret_key_type(type) == CKK_DES3 ? 24
                                                                 : 32;
        if (type == CKM_GENERIC_SECRET_KEY_GEN) *info = (CK_MECHANISM_INFO){1, 4096, CKF_GENERATE};
        if (type == CKM_DES3_KEY_GEN || type == CKM_DES3_ECB || type == CKM_DES3_CBC)
            info->ulMinKeySize = 24;
        break;
    default: info->ulMinKeySize = MIN_RSA_BITS; info->ulMaxKeySize = device_maximum_bits();
    }
    return CKR_OK;
}

/* Takes bytes that may be anywhere, also at an odd address. */
static bool take(const CK_MECHANISM *given, void *parameter, size_t length)
{
    if (given->pParameter == NULL || given->ulParameterLen != length) return false;
    memcpy(parameter, given->pParameter, length);
    return true;
}

static CK_RV read_pss(const CK_MECHANISM *given, struct parameters *parameters)
{
    CK_RSA_PKCS_PSS_PARAMS pss;
    if (!take(given, &pss, sizeof pss)) return CKR_MECHANISM_PARAM_INVALID;
    const struct hash_kind *stated = hash_of(pss.hashAlg);
    parameters->mgf = hash_of_mgf(pss.mgf);
    parameters->salt_length = pss.sLen;
    if (stated == NULL || parameters->mgf == NULL || pss.sLen > MAX_RSA_BYTES
        || (parameters->hash != NULL && parameters->hash != stated))
        return CKR_MECHANISM_PARAM_INVALID;
    parameters->hash = stated;
    return CKR_OK;
}

static CK_RV read_oaep(const CK_MECHANISM *given, struct parameters *parameters)
{
    CK_RSA_PKCS_OAEP_PARAMS oaep;
    if (!take(given, &oaep, sizeof oaep)) return CKR_MECHANISM_PARAM_INVALID;
    parameters->hash = hash_of(oaep.hashAlg);
    /* Some programs leave it out: it is then the hash function itself. */
    parameters->mgf = oaep.mgf == 0 ? parameters->hash : hash_of_mgf(oaep.mgf);
    if (parameters->hash == NULL || parameters->mgf == NULL || oaep.source > CKZ_DATA_SPECIFIED
        || oaep.ulSourceDataLen > MAX_VALUE
        || (oaep.ulSourceDataLen > 0 && oaep.pSourceData == NULL))
        return CKR_MECHANISM_PARAM_INVALID;
    if (oaep.ulSourceDataLen == 0) return CKR_OK;
    parameters->label = malloc(oaep.ulSourceDataLen);
    if (parameters->label == NULL) return CKR_HOST_MEMORY;
    memcpy(parameters->label, oaep.pSourceData, oaep.ulSourceDataLen);
    parameters->label_length = oaep.ulSourceDataLen;
    return CKR_OK;
}

static CK_RV read_iv(const CK_MECHANISM *given, struct parameters *parameters)
{
    size_t length = 0;
    if (given->mechanism == CKM_AES_CBC || given->mechanism == CKM_AES_CBC_PAD) length = 16;
    if (given->mechanism == CKM_DES_CBC || given->mechanism == CKM_DES3_CBC) length = 8;
    parameters->iv_length = length;
    if (length == 0) return given->ulParameterLen == 0 ? CKR_OK : CKR_MECHANISM_PARAM_INVALID;
    return take(given, parameters->iv, length) ? CKR_OK : CKR_MECHANISM_PARAM_INVALID;
}

CK_RV mechanism_read(const CK_MECHANISM *given, CK_FLAGS use, struct parameters *parameters)
{
    if (given == NULL) return CKR_ARGUMENTS_BAD;
    const struct mechanism *found = mechanism_of(given->mechanism);
    if (found == NULL || (found->flags & use) == 0) return CKR_MECHANISM_INVALID;
    memset(parameters, 0, sizeof *parameters);
    parameters->mechanism = found;
    if (found->hash != UNKNOWN) parameters->hash = hash_of(found->hash);
    switch (found->family) {
    case RSA_PSS: return read_pss(given, parameters);
    case RSA_OAEP: return read_oaep(given, parameters);
    case CIPHER: return read_iv(given, parameters);
    /* Some programs give these a parameter that means nothing. */
    default: return CKR_OK;
    }
}
