/* SPDX-License-Identifier: Apache-2.0 */
/* The user's PIN: where it comes from, and the login. */
#include "token.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
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
    if (strncmp(source, "file:", 5) != 0)
        return take(pin, source, strlen(source))
                   ? 1
                   : fail(provider, REASON_PIN, "its length is not 1 to 255 bytes");
    source += 5;
    if (strncmp(source, "//", 2) == 0) source += 2;
    return read_file(provider, pin, source);
}

bool same_token(const CK_TOKEN_INFO *a, const CK_TOKEN_INFO *b)
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

/* The PIN that the configuration has. */
static int configured(struct provider *provider, struct pin *pin, const CK_TOKEN_INFO *token)
{
    if (!provider->one_token)
        return fail(provider, REASON_PIN, "one is configured, and the URI names several tokens");
    if ((token->flags & (CKF_USER_PIN_FINAL_TRY | CKF_USER_PIN_LOCKED)) != 0)
        return fail(provider, REASON_PIN, "the configured one is not told in the last try");
    ERR_set_mark();
    int done = read_source(provider, pin, provider->pin);
    /* A process that has given up its rights may not read the file any more. */
    if (!done && provider->entered.pin.length > 0 && same_token(&provider->entered.token, token))
        done = take(pin, provider->entered.pin.bytes, provider->entered.pin.length);
    if (done)
        (void)ERR_pop_to_mark();
    else
        ERR_clear_last_mark();
    return done;
}

static int pin_of(struct provider *provider, struct pin *pin, const CK_TOKEN_INFO *token,
                  P11KitUri *uri, const struct asker *asker)
{
    const char *value = p11_kit_uri_get_pin_value(uri), *source = p11_kit_uri_get_pin_source(uri);
    if (value != NULL)
        return take(pin, value, strlen(value))
                   ? 1
                   : fail(provider, REASON_PIN, "pin-value has not 1 to 255 bytes");
    if (source != NULL)
        return strncmp(source, "file:", 5) == 0 ? read_source(provider, pin, source)
                                                : read_file(provider, pin, source);
    if (provider->pin != NULL) return configured(provider, pin, token);
    if (provider->entered.pin.length > 0 && same_token(&provider->entered.token, token))
        return take(pin, provider->entered.pin.bytes, provider->entered.pin.length);
    return ask(provider, pin, token, asker);
}

static bool was_refused(const struct provider *provider, const struct pin *pin,
                        const CK_TOKEN_INFO *token)
{
    for (size_t i = 0; i < REFUSED; i++) {
        const struct known_pin *known = &provider->refused[i];
        if (known->pin.length > 0 && known->pin.length == pin->length &&
            memcmp(known->pin.bytes, pin->bytes, pin->length) == 0 &&
            same_token(&known->token, token))
            return true;
    }
    return false;
}

/* Tells the token a PIN; the module's answer. A PIN that it refused before is not told. */
static CK_RV tell(struct provider *provider, CK_SESSION_HANDLE session, CK_USER_TYPE type,
                  struct pin *pin, const CK_TOKEN_INFO *token)
{
    if (was_refused(provider, pin, token)) {
        (void)fail(provider, REASON_PIN, "it was refused before, and is not tried again");
        return CKR_PIN_INCORRECT;
    }
    const CK_RV result = provider->functions->C_Login(session, type, pin->bytes, pin->length);
    const struct known_pin known = {*pin, *token};
    if (result == CKR_OK) {
        provider->entered = known;
    } else if (result == CKR_PIN_INCORRECT) {
        provider->refused[provider->next_refused] = known;
        provider->next_refused = (provider->next_refused + 1) % REFUSED;
        (void)fail(provider, REASON_PIN, "the token refuses it");
    } else if (result != CKR_USER_ALREADY_LOGGED_IN) {
        (void)fail_token(provider, "C_Login", result);
    }
    return result;
}

/* Reads the token's flags again: since it was found other programs may have left the last try. */
static CK_RV renew(const struct provider *provider, CK_SLOT_ID slot, CK_TOKEN_INFO *token)
{
    CK_TOKEN_INFO now;
    CK_RV result = provider->functions->C_GetTokenInfo(slot, &now);
    if (result == CKR_OK && !same_token(&now, token)) result = CKR_TOKEN_NOT_PRESENT;
    if (result == CKR_OK)
        token->flags = now.flags;
    else
        (void)fail_token(provider, "C_GetTokenInfo", result);
    return result;
}

int log_in(struct provider *provider, struct session *session, P11KitUri *uri,
           const struct asker *asker)
{
    struct pin pin = {0};
    CK_SESSION_INFO state;
    if (renew(provider, session->slot, &session->token) != CKR_OK) return 0;
    if ((session->token.flags & CKF_LOGIN_REQUIRED) == 0) return 1;
    CK_RV result = provider->functions->C_GetSessionInfo(session->handle, &state);
    if (result != CKR_OK) return fail_token(provider, "C_GetSessionInfo", result);
    if (state.state == CKS_RW_USER_FUNCTIONS || state.state == CKS_RO_USER_FUNCTIONS) return 1;
    result = pin_of(provider, &pin, &session->token, uri, asker)
                 ? tell(provider, session->handle, CKU_USER, &pin, &session->token)
                 : CKR_PIN_INCORRECT;
    OPENSSL_cleanse(&pin, sizeof pin);
    return result == CKR_OK || result == CKR_USER_ALREADY_LOGGED_IN;
}

CK_RV log_in_once(struct key *key)
{
    struct provider *provider = key->provider;
    struct pin pin = {0};
    P11KitUri *uri = uri_parse(provider, key->uri);
    if (uri == NULL) return CKR_ARGUMENTS_BAD;
    provider->one_token = true; /* that of the key */
    CK_RV result = renew(provider, key->session->slot, &key->token);
    if (result == CKR_OK)
        result = pin_of(provider, &pin, &key->token, uri, NULL)
                     ? tell(provider, key->session->handle, CKU_CONTEXT_SPECIFIC, &pin, &key->token)
                     : CKR_PIN_INCORRECT;
    OPENSSL_cleanse(&pin, sizeof pin);
    p11_kit_uri_free(uri);
    return result;
}
