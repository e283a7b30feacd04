/* SPDX-License-Identifier: Apache-2.0 */
/* Inside token.c, login.c, find.c and generate.c: the provider's lock is held by the caller. */
#ifndef TOTIENT_PROVIDER_TOKEN_H
#define TOTIENT_PROVIDER_TOKEN_H

#include "provider.h"

/* Takes the lock, also in a child of the process that had it. */
void lock(struct provider *provider);
void unlock(struct provider *provider);

/* Loads and initialises the module, if that is needed here; 0 with an error added. */
int module_ready(struct provider *provider);

/* Finalises the module and initialises it again; all handles are void. */
int module_again(struct provider *provider);

/* Closes all sessions. */
void sessions_forget(struct provider *provider);

/* The session of a slot; NULL with an error added. */
struct session *session_of(struct provider *provider, CK_SLOT_ID slot, const CK_TOKEN_INFO *token);

/*
 * Logs the user in, unless he is. The PIN is the one of the URI, else of the configuration, else
 * the one that this token took before, else it is asked for. Each try may count towards a lock: a
 * refused PIN is not tried again, a configured one is not told to several tokens, and is not the
 * last try. Returns 0 with an error added.
 */
int log_in(struct provider *provider, struct session *session, P11KitUri *uri,
           const struct asker *asker);

/* The same for one operation of a key that asks for the PIN each time; the module's answer. */
CK_RV log_in_once(struct key *key);

/* Whether two descriptions are of the same token. */
bool same_token(const CK_TOKEN_INFO *a, const CK_TOKEN_INFO *b);

/* Parses a URI; NULL with an error added. To be freed by p11_kit_uri_free. */
P11KitUri *uri_parse(const struct provider *provider, const char *text);

/* Closes all sessions if one is of no use any more. */
void sessions_check(struct provider *provider);

/* Makes what can be made of a failed call; whether it may be made again, with new handles. */
bool mended(struct provider *provider, CK_RV result);

/*
 * Calls back with a session of each token that a URI names, until a call returns true.
 * Returns 1 then, -1 if no call did, 0 with an error added if none was made, or not all.
 */
int for_each_token(struct provider *provider, P11KitUri *uri,
                   bool (*call)(struct session *session, void *argument), void *argument);

/* Finds a key again, by its modulus, in the module's present state; 0 with an error added. */
int find_again(struct key *key);

/* What an object is, as a key or certificate; NULL: not for us, or no memory. */
struct key *object_read(struct session *session, struct provider *provider, const char *uri,
                        CK_OBJECT_HANDLE object);

#endif
