/* SPDX-License-Identifier: Apache-2.0 */
/* RSA keys in DER. */
#include "totient/der.h"

#include <string.h>

#include "internal.h"

enum {
    INTEGER = 0x02,
    BIT_STRING = 0x03,
    OCTET_STRING = 0x04,
    SEQUENCE = 0x30,
    ATTRIBUTES = 0xA0, /* of PKCS #8 */
    PUBLIC_KEY = 0x81, /* of RFC 5958 */
    LONG_FORM = 0x80,
    MOST_LENGTH_BYTES = 3,
    PRODUCT_BYTES = TOTIENT_MAX_RSA_BITS / 8 + 1 /* primes whose bits do not fill their first bytes */
};

/* Bytes that are still to be read. */
struct input {
    const uint8_t *at;
    size_t left;
};

static bool next_is(const struct input *input, uint8_t tag)
{
    return input->left > 0 && input->at[0] == tag;
}

/* Takes an element with its content; false if it is another one, is cut, or its length is not in its
   shortest form. */
static bool take(struct input *input, uint8_t tag, struct input *content)
{
    if (input->left < 2 || input->at[0] != tag) return false;
    size_t length = input->at[1], header = 2;
    if (length >= LONG_FORM) {
        const size_t count = length - LONG_FORM;
        if (count == 0 || count > MOST_LENGTH_BYTES || input->left < 2 + count) return false;
        length = 0;
        for (size_t i = 0; i < count; i++) length = length << 8 | input->at[2 + i];
        if (length < LONG_FORM || input->at[2] == 0) return false;
        header += count;
    }
    if (length > input->left - header) return false;
    *content = (struct input){input->at + header, length};
    input->at += header + length;
    input->left -= header + length;
    return true;
}

/* Takes a number that is not negative, without its leading zero. The number 0 keeps one byte. */
static bool take_number(struct input *input, struct totient_number *number)
{
    struct input content;
    if (!take(input, INTEGER, &content) || content.left == 0 || content.at[0] >= 0x80) return false;
    if (content.left > 1 && content.at[0] == 0) {
        if (content.at[1] < 0x80) return false;
        content.at++;
        content.left--;
    }
    *number = (struct totient_number){content.at, content.left};
    return true;
}

/* Takes a version: a number of one byte. */
static bool take_version(struct input *input, uint8_t *version)
{
    struct totient_number number;
    if (!take_number(input, &number) || number.length != 1) return false;
    *version = number.bytes[0];
    return true;
}

/* Takes the identifier of the algorithm. */
static totient_result take_algorithm(struct input *input)
{
    static const uint8_t rsa[] = {0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7,
                                  0x0D, 0x01, 0x01, 0x01, 0x05, 0x00};
    enum { NAME = 11, OBJECT = 0x06 };
    struct input content, name;
    if (!take(input, SEQUENCE, &content)) return TOTIENT_NOT_A_KEY;
    const struct input whole = content;
    if (!take(&content, OBJECT, &name)) return TOTIENT_NOT_A_KEY;
    if (whole.left < NAME || !same(whole.at, NAME, rsa, NAME)) return TOTIENT_KEY_KIND;
    return whole.left == sizeof rsa && same(whole.at, sizeof rsa, rsa, sizeof rsa)
               ? TOTIENT_OK
               : TOTIENT_NOT_A_KEY;
}

/* Whether a is below b, in a time that depends on their lengths. */
static bool below(struct totient_number a, struct totient_number b)
{
    const size_t length = a.length > b.length ? a.length : b.length;
    uint32_t borrow = 0;
    for (size_t place = 0; place < length; place++) {
        const uint32_t x = place < a.length ? a.bytes[a.length - 1 - place] : 0;
        const uint32_t y = place < b.length ? b.bytes[b.length - 1 - place] : 0;
        borrow = (x - y - borrow) >> 31;
    }
    return borrow != 0;
}

static bool is_odd(struct totient_number number)
{
    return (number.bytes[number.length - 1] & 1) != 0;
}

static bool is_one(struct totient_number number)
{
    return number.length == 1 && number.bytes[0] == 1;
}

/* Whether a number is 0; others have no leading zero. */
static bool is_zero(struct totient_number number)
{
    return number.bytes[0] == 0;
}

/* Whether n = p q, in a time that depends on their lengths. */
static bool is_product(struct totient_number n, struct totient_number p, struct totient_number q)
{
    uint8_t product[PRODUCT_BYTES] = {0}, differ = 0; /* the least significant byte first */
    if (p.length + q.length > PRODUCT_BYTES) return false;
    for (size_t i = 0; i < p.length; i++) {
        uint32_t carry = 0;
        for (size_t j = 0; j < q.length; j++) {
            carry += (uint32_t)p.bytes[p.length - 1 - i] * q.bytes[q.length - 1 - j] + product[i + j];
            product[i + j] = (uint8_t)carry;
            carry >>= 8;
        }
        product[i + q.length] = (uint8_t)carry;
    }
    for (size_t place = 0; place < PRODUCT_BYTES; place++)
        differ |= product[place] ^ (place < n.length ? n.bytes[n.length - 1 - place] : 0);
    totient_wipe(product, sizeof product);
    return differ == 0;
}

static totient_result check_public(const struct totient_rsa_key *key)
{
    const struct totient_number n = key->modulus, e = key->public_exponent;
    const size_t bits = bit_length(n.bytes, n.length);
    if (bits < TOTIENT_MIN_RSA_BITS || bits > TOTIENT_MAX_RSA_BITS) return TOTIENT_LENGTH;
    if (!is_odd(n)) return TOTIENT_MODULUS_EVEN;
    if (!is_odd(e) || is_one(e) || !below(e, n)) return TOTIENT_PUBLIC_EXPONENT;
    return TOTIENT_OK;
}

static totient_result check_private(const struct totient_rsa_key *key)
{
    const struct totient_number p = key->p, q = key->q;
    const totient_result result = check_public(key);
    if (result != TOTIENT_OK) return result;
    const bool odd = is_odd(p) && is_odd(q) && !is_one(p) && !is_one(q);
    if (!odd || same(p.bytes, p.length, q.bytes, q.length) || !is_product(key->modulus, p, q))
        return TOTIENT_PRIME;
    const bool in_range = below(key->private_exponent, key->modulus) && is_odd(key->private_exponent)
                          && below(key->d_p, p) && !is_zero(key->d_p) && below(key->d_q, q)
                          && !is_zero(key->d_q) && below(key->q_inverse, p)
                          && !is_zero(key->q_inverse);
    return in_range ? TOTIENT_OK : TOTIENT_NOT_A_KEY;
}

/* The rest of a public key of PKCS #1 behind its modulus. */
static totient_result read_public(struct input *input, struct totient_rsa_key *key)
{
    if (!take_number(input, &key->public_exponent) || input->left != 0) return TOTIENT_NOT_A_KEY;
    return check_public(key);
}

/* The rest of a private key of PKCS #1 behind its version. */
static totient_result read_private(struct input *input, uint8_t version, struct totient_rsa_key *key)
{
    struct totient_number *const numbers[] = {&key->modulus, &key->public_exponent,
                                              &key->private_exponent, &key->p, &key->q,
                                              &key->d_p, &key->d_q, &key->q_inverse};
    if (version > 1) return TOTIENT_NOT_A_KEY;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!take_number(input, numbers[i])) return TOTIENT_NOT_A_KEY;
    if (version == 1) return TOTIENT_KEY_KIND; /* more primes follow */
    return input->left == 0 ? check_private(key) : TOTIENT_NOT_A_KEY;
}

/* A key of PKCS #1: two numbers, or a version and eight. */
static totient_result read_pkcs1(struct input *input, bool private, struct totient_rsa_key *key)
{
    struct input content;
    struct totient_number first;
    if (!take(input, SEQUENCE, &content) || input->left != 0 || !take_number(&content, &first))
        return TOTIENT_NOT_A_KEY;
    if (private && first.length == 1) return read_private(&content, first.bytes[0], key);
    if (private) return TOTIENT_NOT_A_KEY;
    key->modulus = first;
    return read_public(&content, key);
}

/* The rest of a key of PKCS #8 behind its version. */
static totient_result read_pkcs8(struct input *input, uint8_t version, struct totient_rsa_key *key)
{
    struct input content, skipped;
    if (version > 1) return TOTIENT_NOT_A_KEY;
    const totient_result result = take_algorithm(input);
    if (result != TOTIENT_OK) return result;
    if (!take(input, OCTET_STRING, &content)) return TOTIENT_NOT_A_KEY;
    if (next_is(input, ATTRIBUTES) && !take(input, ATTRIBUTES, &skipped)) return TOTIENT_NOT_A_KEY;
    if (version == 1 && next_is(input, PUBLIC_KEY) && !take(input, PUBLIC_KEY, &skipped))
        return TOTIENT_NOT_A_KEY;
    if (input->left != 0) return TOTIENT_NOT_A_KEY;
    return read_pkcs1(&content, true, key);
}

/* A public key of X.509, or an encrypted private one: both begin with an algorithm. */
static totient_result read_x509(struct input *input, struct totient_rsa_key *key)
{
    struct input bits, algorithm;
    struct input from = *input;
    if (!take(&from, SEQUENCE, &algorithm)) return TOTIENT_NOT_A_KEY;
    if (next_is(&from, OCTET_STRING))
        return take(&from, OCTET_STRING, &bits) && from.left == 0 ? TOTIENT_KEY_KIND
                                                                  : TOTIENT_NOT_A_KEY;
    const totient_result result = take_algorithm(input);
    if (result != TOTIENT_OK) return result;
    if (!take(input, BIT_STRING, &bits) || input->left != 0 || bits.left == 0 || bits.at[0] != 0)
        return TOTIENT_NOT_A_KEY;
    bits.at++;
    bits.left--;
    return read_pkcs1(&bits, false, key);
}

static totient_result read_key(struct input input, struct totient_rsa_key *key)
{
    struct input whole = input, content;
    struct totient_number first;
    uint8_t version;
    if (!take(&input, SEQUENCE, &content) || input.left != 0) return TOTIENT_NOT_A_KEY;
    if (next_is(&content, SEQUENCE)) return read_x509(&content, key);
    struct input after = content;
    if (!take_number(&after, &first)) return TOTIENT_NOT_A_KEY;
    if (!next_is(&after, SEQUENCE)) return read_pkcs1(&whole, first.length == 1, key);
    return take_version(&content, &version) ? read_pkcs8(&content, version, key) : TOTIENT_NOT_A_KEY;
}

totient_result totient_rsa_key_from_der(struct totient_rsa_key *key, const uint8_t *der, size_t length)
{
    if (key == NULL) return TOTIENT_ARGUMENT;
    memset(key, 0, sizeof *key);
    if (der == NULL) return TOTIENT_ARGUMENT;
    const totient_result result = read_key((struct input){der, length}, key);
    if (result != TOTIENT_OK) memset(key, 0, sizeof *key);
    return result;
}
