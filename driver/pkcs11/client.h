/* SPDX-License-Identifier: Apache-2.0 */
/* A client: what session.c and session_objects.c share. */
#ifndef TOTIENT_PKCS11_CLIENT_H
#define TOTIENT_PKCS11_CLIENT_H

#include "token.h"

struct client {
    pthread_mutex_t lock;
    struct session **sessions;
    size_t room, count, writing;
    size_t *free_places, free_count;
    CK_ULONG turn;
    enum login login;
    unsigned long life;     /* of the token, in that of the login */
    struct opened *officer; /* locked memory */
    struct object **objects;
    size_t object_count, object_room;
};

/* All of these with the client's lock. */

/* Takes an object out of the list. */
void client_drop_object(struct client *client, size_t place);
/* Who is logged in. A login that the token has outlived ends. */
enum login client_login_locked(struct client *client);
/* The session of a handle; NULL: there is none, it may be closed. */
struct session *client_session(const struct client *client, CK_SESSION_HANDLE handle);

#endif
