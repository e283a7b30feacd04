/* SPDX-License-Identifier: Apache-2.0 */
/* The user's PIN: where it comes from, and the login. */
#include "token.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <stdio.h>
#include <string.h>

static int take(struct pin *pin, const void *bytes, size_t length)
{
    if (length == 0 || length >= sizeof pin->bytes) return 0;
    memcpy(pin->bytes, bytes, length);
    pin->length = length;
    return 1;
}

/* The first line of a file. */
static int read_file(const struct provider *provider, struct pin *pin, const char *path)
{
    char line[sizeof pin->bytes + 2];
    FILE *file = fopen(path, "r");
    if (file != NULL) setbuf(file, NULL); /* no copy of the PIN stays in a buffer */
    const bool read = file != NULL && fgets(line, sizeof line, file) != NULL;
    if (file != NULL) (void)fclose(file);
    if (read) line[strcspn(line, "\r\n")] = '\0';
    const int taken = read && take(pin, line, strlen(line));
    OPENSSL_cleanse(line, sizeof line);
    return taken ? 1 : fail(provider, REASON_PIN, "%s has none in its first line", path);
}

/* A PIN, or the name of its file: file:PATH, file:///PATH. */
static int read_source(const struct provider *provider, struct pin *pin, const char *source)
{
    if (strncmp(source, "file:", 5) != 0) return take(pin, source, strlen(source));
    source += 5;
    if (strncmp(source, "//", 2) == 0) source += 2;
    return read_file(provider, pin, source);
}

static bool same_token(const CK_TOKEN_INFO *a, const CK_TOKEN_INFO *b)
{
    return memcmp(a->label, b->label, sizeof a->label) == 0 &&
           memcmp(a->serialNumber, b->serialNumber, sizeof a->serialNumber) == 0;
}

/* Asks for the PIN, in the way of the program: on the terminal, for `openssl`. */
static int ask(struct provider *provider, struct pin *pin, const CK_TOKEN_INFO *token,
               const struct asker *asker)
{
    static const char words[] = "PIN of token ";
    char text[sizeof words + sizeof token->label], answer[sizeof pin->bytes];
    OSSL_PARAM parameters[] = {OSSL_PARAM_utf8_string(OSSL_PASSPHRASE_PARAM_INFO, text, 0),
                               OSSL_PARAM_END};
    size_t length = sizeof token->label, given = 0;
    if (asker == NULL || asker->call == NULL)
        return fail(provider, REASON_PIN, "pkcs11-module-token-pin is not configured");
    while (length > 0 && token->label[length - 1] == ' ') length--;
    memcpy(text, words, sizeof words - 1);
    memcpy(text + sizeof words - 1, token->label, length);
    text[sizeof words - 1 + length] = '\0';
    parameters[0].data_size = strlen(text);
    const int taken = asker->call(answer, sizeof answer, &given, parameters, asker->argument) &&
                      take(pin, answer, given);
    OPENSSL_cleanse(answer, sizeof answer);
    return taken ? 1 : fail(provider, REASON_PIN, "none was entered");
}

static int pin_of(struct provider *provider, struct pin *pin, const CK_TOKEN_INFO *token,
                  P11KitUri *uri, const struct asker *asker)
{
    const char *value = p11_kit_uri_get_pin_value(uri), *source = p11_kit_uri_get_pin_source(uri);
    if (value != NULL && take(pin, value, strlen(value))) return 1;
    if (source != NULL)
        return strncmp(source, "file:", 5) == 0 ? read_source(provider, pin, source)
                                                : read_file(provider, pin, source);
    if (provider->pin != NULL) return read_source(provider, pin, provider->pin);
    if (provider->entered.length > 0 && same_token(&provider->entered_for, token))
        return take(pin, provider->entered.bytes, provider->entered.length);
    return ask(provider, pin, token, asker);
}

static bool same_pin(const struct pin *a, const struct pin *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

static int log_in_with(struct provider *provider, struct session *session, struct pin *pin)
{
    if (provider->refused.length > 0 && same_pin(&provider->refused, pin))
        return fail(provider, REASON_PIN, "it was refused before, and is not tried again");
    const CK_RV result =
        provider->functions->C_Login(session->handle, CKU_USER, pin->bytes, pin->length);
    if (result == CKR_OK || result == CKR_USER_ALREADY_LOGGED_IN) {
        provider->entered = *pin;
        provider->entered_for = session->token;
        return 1;
    }
    if (result != CKR_PIN_INCORRECT) return fail_token(provider, "C_Login", result);
    provider->refused = *pin;
    return fail(provider, REASON_PIN, "the token refuses it");
}

int log_in(struct provider *provider, struct session *session, P11KitUri *uri,
           const struct asker *asker)
{
    struct pin pin = {0};
    CK_SESSION_INFO state;
    if ((session->token.flags & CKF_LOGIN_REQUIRED) == 0) return 1;
    const CK_RV result = provider->functions->C_GetSessionInfo(session->handle, &state);
    if (result != CKR_OK) return fail_token(provider, "C_GetSessionInfo", result);
    if (state.state == CKS_RW_USER_FUNCTIONS) return 1;
    const int done = pin_of(provider, &pin, &session->token, uri, asker) &&
                     log_in_with(provider, session, &pin);
    OPENSSL_cleanse(&pin, sizeof pin);
    return done;
}

CK_RV log_in_once(struct key *key)
{
    struct provider *provider = key->provider;
    struct pin pin = {0};
    CK_RV result = CKR_PIN_INCORRECT;
    P11KitUri *uri = uri_parse(provider, key->uri);
    if (uri == NULL) return CKR_ARGUMENTS_BAD;
    if (pin_of(provider, &pin, &key->token, uri, NULL) &&
        !(provider->refused.length > 0 && same_pin(&provider->refused, &pin)))
        result = provider->functions->C_Login(key->session->handle, CKU_CONTEXT_SPECIFIC, pin.bytes,
                                              pin.length);
    if (result == CKR_PIN_INCORRECT && pin.length > 0) provider->refused = pin;
    OPENSSL_cleanse(&pin, sizeof pin);
    p11_kit_uri_free(uri);
    return result;
}
