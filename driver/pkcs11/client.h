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
    uint8_t *officer_key;
    struct object **objects;
    size_t object_count, object_room;
};

/* Takes an object out of the list; with the client's lock. */
void client_drop_object(struct client *client, size_t place);

#endif
