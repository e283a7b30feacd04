/* SPDX-License-Identifier: Apache-2.0 */
/* PrivateKeyInfo of an RSA key (RFC 5208, RFC 8017): what AES key wrap carries. */
#include "operation.h"

#include <string.h>

enum { SEQUENCE = 0x30, INTEGER = 2, OCTETS = 4 };

/* Version 0, and AlgorithmIdentifier of rsaEncryption. */
static const uint8_t prefix[] = {0x02, 0x01, 0x00, 0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86,
                                 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00};
static const uint8_t version[] = {0x02, 0x01, 0x00};

/* DER that is written from its end to its beginning; without memory it only counts. */
struct writer {
    uint8_t *bytes;
    size_t left, length;
};

static void put(struct writer *writer, const uint8_t *bytes, size_t length)
{
    writer->length += length;
    if (writer->bytes == NULL || writer->left < length) {
        writer->left = 0;
        return;
    }
    writer->left -= length;
    memcpy(writer->bytes + writer->left, bytes, length);
}

static void put_head(struct writer *writer, uint8_t tag, size_t length)
{
    uint8_t head[2 + sizeof length];
    size_t place = sizeof head;
    size_t rest = length;
    if (length < 0x80) {
        head[--place] = (uint8_t)length;
    } else {
        const size_t end = place;
        for (; rest > 0; rest >>= 8) head[--place] = (uint8_t)rest;
        const size_t count = end - place;
        head[--place] = (uint8_t)(0x80 | count);
    }
    head[--place] = tag;
    put(writer, head + place, sizeof head - place);
}

static void put_integer(struct writer *writer, struct span number)
{
    static const uint8_t zero = 0;
    while (number.length > 1 && number.bytes[0] == 0) {
        number.bytes++;
        number.length--;
    }
    put(writer, number.bytes, number.length);
    const bool high = (number.bytes[0] & 0x80) != 0;
    if (high) put(writer, &zero, 1);
    put_head(writer, INTEGER, number.length + high);
}

size_t pkcs8_write(const struct object *key, uint8_t *der, size_t room)
{
    struct writer writer = {der, room, 0};
    struct span number;
    for (size_t i = RSA_NUMBERS; i-- > 0;) {
        if (!object_value(key, rsa_types[i], &number) || number.length == 0) return 0;
        put_integer(&writer, number);
    }
    put(&writer, version, sizeof version);
    put_head(&writer, SEQUENCE, writer.length);
    put_head(&writer, OCTETS, writer.length);
    put(&writer, prefix, sizeof prefix);
    put_head(&writer, SEQUENCE, writer.length);
    if (der != NULL && writer.length <= room) memmove(der, der + writer.left, writer.length);
    return writer.length;
}

/* Takes an element; false: it is another one, or not whole. */
static bool take(struct span *rest, uint8_t tag, struct span *content)
{
    size_t place = 2, length;
    if (rest->length < 2 || rest->bytes[0] != tag) return false;
    length = rest->bytes[1];
    if (length >= 0x80) {
        size_t count = length & 0x7f;
        length = 0;
        if (count == 0 || count > 4 || rest->length - 2 < count) return false;
        for (; count > 0; count--) length = length << 8 | rest->bytes[place++];
    }
    if (length > rest->length - place) return false;
    *content = (struct span){rest->bytes + place, length};
    rest->bytes += place + length;
    rest->length -= place + length;
    return true;
}

static bool take_number(struct span *rest, struct span *number)
{
    if (!take(rest, INTEGER, number) || number->length == 0 || (number->bytes[0] & 0x80) != 0)
        return false;
    while (number->length > 1 && number->bytes[0] == 0) {
        number->bytes++;
        number->length--;
    }
    return true;
}

bool pkcs8_read(const uint8_t *der, size_t length, struct span numbers[RSA_NUMBERS])
{
    struct span rest = {der, length}, info, octets, key, first;
    if (!take(&rest, SEQUENCE, &info) || info.length < sizeof prefix
        || memcmp(info.bytes, prefix, sizeof prefix) != 0)
        return false;
    info.bytes += sizeof prefix;
    info.length -= sizeof prefix;
    if (!take(&info, OCTETS, &octets) || !take(&octets, SEQUENCE, &key)
        || !take_number(&key, &first) || first.length != 1 || first.bytes[0] != 0)
        return false;
    for (size_t i = 0; i < RSA_NUMBERS; i++)
        if (!take_number(&key, &numbers[i])) return false;
    return true;
}
