/* SPDX-License-Identifier: Apache-2.0 */
/* Which attributes an object of a class has, who may set and read them, and what they are by
 * default. */
#include "token.h"

#include <string.h>

/* Classes, as bits. */
enum {
    DATA = 1,
    CERTIFICATE = 2,
    PUBLIC = 4,
    PRIVATE = 8,
    SECRET = 16,
    KEYS = PUBLIC | PRIVATE | SECRET,
    HIDDEN = PRIVATE | SECRET,
    EVERY = DATA | CERTIFICATE | KEYS
};

/* When a caller may set an attribute, and what it must do. */
enum {
    CREATE = 1,   /* C_CreateObject */
    GENERATE = 2, /* C_GenerateKey, C_GenerateKeyPair */
    UNWRAP = 4,   /* C_UnwrapKey */
    NEW = CREATE | GENERATE | UNWRAP,
    CHANGE = 8,     /* C_SetAttributeValue, if the object is modifiable */
    COPY = 16,      /* C_CopyObject */
    NEED = 32,      /* C_CreateObject must */
    ONLY_TRUE = 64, /* a change from false to true */
    ONLY_FALSE = 128,
    CONFIDENTIAL = 256, /* not readable where the key is sensitive or not extractable */
    OFFICER_TRUE = 512, /* only the security officer may set it to true */
    NO_DEFAULT = 1024
};

enum kind { FLAG, NUMBER, BYTES, DATE };

static const CK_BBOOL yes = CK_TRUE, no = CK_FALSE;
static const CK_ULONG zero = 0;
static const CK_MECHANISM_TYPE no_mechanism = UNKNOWN;

struct rule {
    CK_ATTRIBUTE_TYPE type;
    unsigned classes;
    enum kind kind;
    unsigned when;
    const void *usual; /* NULL: empty */
};

#define ALWAYS (NEW | CHANGE | COPY)

static const struct rule rules[] = {
    {CKA_CLASS, EVERY, NUMBER, NEW | NEED | NO_DEFAULT, NULL},
    {CKA_TOKEN, EVERY, FLAG, NEW | COPY, &no},
    {CKA_PRIVATE, HIDDEN, FLAG, NEW | COPY, &yes},
    {CKA_PRIVATE, EVERY & ~HIDDEN, FLAG, NEW | COPY, &no},
    {CKA_MODIFIABLE, EVERY, FLAG, NEW | COPY, &yes},
    {CKA_COPYABLE, EVERY, FLAG, NEW | COPY | ONLY_FALSE, &yes},
    {CKA_DESTROYABLE, EVERY, FLAG, NEW | COPY, &yes},
    {CKA_LABEL, EVERY, BYTES, ALWAYS, NULL},
    {CKA_APPLICATION, DATA, BYTES, ALWAYS, NULL},
    {CKA_OBJECT_ID, DATA, BYTES, ALWAYS, NULL},
    {CKA_VALUE, DATA, BYTES, ALWAYS, NULL},
    {CKA_CERTIFICATE_TYPE, CERTIFICATE, NUMBER, CREATE | NEED | NO_DEFAULT, NULL},
    {CKA_TRUSTED, CERTIFICATE | PUBLIC | SECRET, FLAG, ALWAYS | OFFICER_TRUE, &no},
    {CKA_CERTIFICATE_CATEGORY, CERTIFICATE, NUMBER, CREATE, &zero},
    {CKA_CHECK_VALUE, CERTIFICATE, BYTES, NEW | NO_DEFAULT, NULL},
    {CKA_START_DATE, CERTIFICATE | KEYS, DATE, ALWAYS, NULL},
    {CKA_END_DATE, CERTIFICATE | KEYS, DATE, ALWAYS, NULL},
    {CKA_SUBJECT, CERTIFICATE, BYTES, CREATE | NEED, NULL},
    {CKA_SUBJECT, PUBLIC | PRIVATE, BYTES, ALWAYS, NULL},
    {CKA_ID, CERTIFICATE | KEYS, BYTES, ALWAYS, NULL},
    {CKA_ISSUER, CERTIFICATE, BYTES, ALWAYS, NULL},
    {CKA_SERIAL_NUMBER, CERTIFICATE, BYTES, ALWAYS, NULL},
    {CKA_VALUE, CERTIFICATE, BYTES, CREATE | NEED, NULL},
    {CKA_URL, CERTIFICATE, BYTES, CREATE, NULL},
    {CKA_HASH_OF_SUBJECT_PUBLIC_KEY, CERTIFICATE, BYTES, CREATE, NULL},
    {CKA_HASH_OF_ISSUER_PUBLIC_KEY, CERTIFICATE, BYTES, CREATE, NULL},
    {CKA_JAVA_MIDP_SECURITY_DOMAIN, CERTIFICATE, NUMBER, CREATE, &zero},
    {CKA_KEY_TYPE, KEYS, NUMBER, NEW | NEED | NO_DEFAULT, NULL},
    {CKA_DERIVE, KEYS, FLAG, ALWAYS, &no},
    {CKA_LOCAL, KEYS, FLAG, 0, &no},
    {CKA_KEY_GEN_MECHANISM, KEYS, NUMBER, 0, &no_mechanism},
    {CKA_ALLOWED_MECHANISMS, KEYS, BYTES, NEW, NULL},
    {CKA_ENCRYPT, PUBLIC | SECRET, FLAG, ALWAYS, &yes},
    {CKA_VERIFY, PUBLIC | SECRET, FLAG, ALWAYS, &yes},
    {CKA_VERIFY_RECOVER, PUBLIC, FLAG, ALWAYS, &yes},
    {CKA_WRAP, PUBLIC | SECRET, FLAG, ALWAYS, &no},
    {CKA_DECRYPT, HIDDEN, FLAG, ALWAYS, &yes},
    {CKA_SIGN, HIDDEN, FLAG, ALWAYS, &yes},
    {CKA_SIGN_RECOVER, PRIVATE, FLAG, ALWAYS, &yes},
    {CKA_UNWRAP, HIDDEN, FLAG, ALWAYS, &no},
    {CKA_SENSITIVE, HIDDEN, FLAG, ALWAYS | ONLY_TRUE, &yes},
    {CKA_EXTRACTABLE, HIDDEN, FLAG, ALWAYS | ONLY_FALSE, &no},
    {CKA_ALWAYS_SENSITIVE, HIDDEN, FLAG, 0, &no},
    {CKA_NEVER_EXTRACTABLE, HIDDEN, FLAG, 0, &no},
    {CKA_WRAP_WITH_TRUSTED, HIDDEN, FLAG, ALWAYS | ONLY_TRUE, &no},
    {CKA_ALWAYS_AUTHENTICATE, PRIVATE, FLAG, NEW, &no},
    {CKA_MODULUS, PUBLIC, BYTES, CREATE | NEED, NULL},
    {CKA_MODULUS_BITS, PUBLIC, NUMBER, GENERATE | NO_DEFAULT, NULL},
    {CKA_PUBLIC_EXPONENT, PUBLIC, BYTES, CREATE | GENERATE | NEED, NULL},
    {CKA_MODULUS, PRIVATE, BYTES, CREATE | NEED, NULL},
    {CKA_PUBLIC_EXPONENT, PRIVATE, BYTES, CREATE | NEED, NULL},
    {CKA_PRIVATE_EXPONENT, PRIVATE, BYTES, CREATE | NEED | CONFIDENTIAL, NULL},
    {CKA_PRIME_1, PRIVATE, BYTES, CREATE | CONFIDENTIAL | NO_DEFAULT, NULL},
    {CKA_PRIME_2, PRIVATE, BYTES, CREATE | CONFIDENTIAL | NO_DEFAULT, NULL},
    {CKA_EXPONENT_1, PRIVATE, BYTES, CREATE | CONFIDENTIAL | NO_DEFAULT, NULL},
    {CKA_EXPONENT_2, PRIVATE, BYTES, CREATE | CONFIDENTIAL | NO_DEFAULT, NULL},
    {CKA_COEFFICIENT, PRIVATE, BYTES, CREATE | CONFIDENTIAL | NO_DEFAULT, NULL},
    {CKA_VALUE, SECRET, BYTES, CREATE | NEED | CONFIDENTIAL, NULL},
    {CKA_VALUE_LEN, SECRET, NUMBER, NEW | NO_DEFAULT, NULL},
};

enum { RULES = sizeof rules / sizeof *rules, DATE_LENGTH = 8 };

static unsigned class_bit(CK_OBJECT_CLASS class)
{
    switch (class) {
    case CKO_DATA: return DATA;
    case CKO_CERTIFICATE: return CERTIFICATE;
    case CKO_PUBLIC_KEY: return PUBLIC;
    case CKO_PRIVATE_KEY: return PRIVATE;
    case CKO_SECRET_KEY: return SECRET;
    default: return 0;
    }
}

static const struct rule *rule_of(CK_ATTRIBUTE_TYPE type, unsigned class)
{
    for (size_t i = 0; i < RULES; i++)
        if (rules[i].type == type && (rules[i].classes & class) != 0) return &rules[i];
    return NULL;
}

static bool is_valid(const struct rule *rule, const struct attribute *given)
{
    switch (rule->kind) {
    case FLAG:
        return given->length == sizeof(CK_BBOOL) && *(const CK_BBOOL *)given->value <= CK_TRUE;
    case NUMBER: return given->length == sizeof(CK_ULONG);
    case DATE: return given->length == 0 || given->length == DATE_LENGTH;
    case BYTES: break;
    }
    return rule->type != CKA_ALLOWED_MECHANISMS || given->length % sizeof(CK_MECHANISM_TYPE) == 0;
}

CK_RV template_read(const CK_ATTRIBUTE *template, CK_ULONG count, struct attributes *set)
{
    set->count = 0;
    if (template == NULL && count > 0) return CKR_ARGUMENTS_BAD;
    if (count > MAX_ATTRIBUTES) return CKR_ARGUMENTS_BAD;
    for (CK_ULONG i = 0; i < count; i++) {
        const CK_ATTRIBUTE *each = &template[i];
        if (each->ulValueLen > MAX_VALUE || (each->pValue == NULL && each->ulValueLen > 0))
            return CKR_ATTRIBUTE_VALUE_INVALID;
        const struct attribute *other = attributes_find(set, each->type);
        if (other != NULL
            && (other->length != each->ulValueLen
                || (other->length > 0 && memcmp(other->value, each->pValue, other->length) != 0)))
            return CKR_TEMPLATE_INCONSISTENT;
        if (!attributes_put(set, each->type, each->pValue, each->ulValueLen))
            return CKR_ARGUMENTS_BAD;
    }
    return CKR_OK;
}

/* Whether an attribute says that an object has not what its class cannot have: programs state so of
   a key that they unwrap. */
static bool says_nothing(const struct attribute *given)
{
    for (size_t i = 0; i < RULES; i++)
        if (rules[i].type == given->type)
            return rules[i].kind == FLAG && given->length == sizeof(CK_BBOOL)
                   && *(const CK_BBOOL *)given->value == CK_FALSE;
    return false;
}

/* Takes out of a new object what is not of its class. */
static void leave_out(struct attributes *set, unsigned class)
{
    for (size_t i = set->count; i-- > 0;)
        if (rule_of(set->list[i].type, class) == NULL) set->list[i] = set->list[--set->count];
}

/* Whether the caller may give these attributes to a new object. */
static CK_RV check_given(const struct attributes *given, unsigned class, enum origin origin,
                         bool security_officer)
{
    static const unsigned when[] = {
        [CREATED] = CREATE, [GENERATED] = GENERATE, [UNWRAPPED] = UNWRAP};
    for (size_t i = 0; i < given->count; i++) {
        const struct attribute *each = &given->list[i];
        const struct rule *rule = rule_of(each->type, class);
        if (rule == NULL && says_nothing(each)) continue;
        if (rule == NULL) return CKR_ATTRIBUTE_TYPE_INVALID;
        if (!is_valid(rule, each)) return CKR_ATTRIBUTE_VALUE_INVALID;
        if ((rule->when & when[origin]) == 0) return CKR_ATTRIBUTE_READ_ONLY;
        if ((rule->when & OFFICER_TRUE) != 0 && !security_officer
            && *(const CK_BBOOL *)each->value != CK_FALSE)
            return CKR_ATTRIBUTE_READ_ONLY;
    }
    return CKR_OK;
}

CK_RV template_complete(const struct attributes *given, enum origin origin, bool security_officer,
                        struct attributes *set)
{
    const struct attribute *stated = attributes_find(set, CKA_CLASS);
    if (stated == NULL) return CKR_TEMPLATE_INCOMPLETE;
    const unsigned class = class_bit(attributes_ulong(set, CKA_CLASS, UNKNOWN));
    if (class == 0) return CKR_ATTRIBUTE_VALUE_INVALID;
    const CK_RV refused = check_given(given, class, origin, security_officer);
    if (refused != CKR_OK) return refused;
    leave_out(set, class);
    /* A key that asks for the PIN at each use is one that only a user may see. */
    if (attributes_bool(set, CKA_ALWAYS_AUTHENTICATE, false)
        && !attributes_bool(set, CKA_PRIVATE, true))
        return CKR_TEMPLATE_INCONSISTENT;
    for (size_t i = 0; i < RULES; i++) {
        const struct rule *rule = &rules[i];
        if ((rule->classes & class) == 0) continue;
        const struct attribute *there = attributes_find(set, rule->type);
        if (there == NULL && origin == CREATED && (rule->when & NEED) != 0)
            return CKR_TEMPLATE_INCOMPLETE;
        if (there != NULL || (rule->when & NO_DEFAULT) != 0) continue;
        const size_t length = rule->kind == FLAG     ? sizeof(CK_BBOOL)
                              : rule->kind == NUMBER ? sizeof(CK_ULONG)
                                                     : 0;
        if (!attributes_put(set, rule->type, rule->usual, length)) return CKR_TEMPLATE_INCONSISTENT;
    }
    return CKR_OK;
}

CK_RV template_may_change(const struct object *object, const struct attribute *change,
                          bool security_officer, bool copy)
{
    const unsigned class = class_bit(object_ulong(object, CKA_CLASS, UNKNOWN));
    const struct rule *rule = rule_of(change->type, class);
    struct span old;
    if (rule == NULL) return CKR_ATTRIBUTE_TYPE_INVALID;
    if (object_value(object, change->type, &old) && old.length == change->length
        && (old.length == 0 || memcmp(old.bytes, change->value, old.length) == 0)
        && (rule->when & CONFIDENTIAL) == 0)
        return CKR_OK; /* no change */
    if ((rule->when & (copy ? CHANGE | COPY : CHANGE)) == 0) return CKR_ATTRIBUTE_READ_ONLY;
    if (!is_valid(rule, change)) return CKR_ATTRIBUTE_VALUE_INVALID;
    if (rule->kind != FLAG) return CKR_OK;
    const bool value = *(const CK_BBOOL *)change->value != CK_FALSE;
    if (((rule->when & ONLY_TRUE) != 0 && !value) || ((rule->when & ONLY_FALSE) != 0 && value)
        || ((rule->when & OFFICER_TRUE) != 0 && value && !security_officer))
        return CKR_ATTRIBUTE_READ_ONLY;
    /* A copy that everybody may see would be less protected than its original. */
    if (change->type == CKA_PRIVATE && !value && (class & HIDDEN) != 0)
        return CKR_ATTRIBUTE_READ_ONLY;
    return CKR_OK;
}

bool template_is_secret(const struct object *object, CK_ATTRIBUTE_TYPE type)
{
    const struct rule *rule = rule_of(type, class_bit(object_ulong(object, CKA_CLASS, UNKNOWN)));
    return rule != NULL && (rule->when & CONFIDENTIAL) != 0
           && (object_bool(object, CKA_SENSITIVE, true)
               || !object_bool(object, CKA_EXTRACTABLE, false));
}
