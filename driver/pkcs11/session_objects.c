/* SPDX-License-Identifier: Apache-2.0 */
/* The objects of a client that live as long as a session, and what a session may see. */
#include "client.h"

#include <stdlib.h>

CK_RV session_add_object(struct session *session, struct object *object)
{
    struct client *client = session->client;
    CK_RV result = CKR_OK;
    object->session = session->handle;
    (void)pthread_mutex_lock(&client->lock);
    /* What began before another thread has closed the session or logged out ends too late. */
    if (client_session(client, session->handle) != session) result = CKR_SESSION_CLOSED;
    else if (object->is_private && client_login_locked(client) != USER)
        result = CKR_USER_NOT_LOGGED_IN;
    if (result == CKR_OK && client->object_count == client->object_room) {
        const size_t room = client->object_room > 0 ? 2 * client->object_room : 16;
        struct object **objects = client->object_room < MAX_CLIENT_OBJECTS
                                      ? realloc(client->objects, room * sizeof *objects)
                                      : NULL;
        if (objects == NULL) {
            result = CKR_HOST_MEMORY;
        } else {
            client->objects = objects;
            client->object_room = room;
        }
    }
    if (result == CKR_OK) client->objects[client->object_count++] = object_keep(object);
    (void)pthread_mutex_unlock(&client->lock);
    return result;
}

bool session_remove_object(struct session *session, struct object *object)
{
    struct client *client = session->client;
    bool found = false;
    (void)pthread_mutex_lock(&client->lock);
    for (size_t i = 0; i < client->object_count && !found; i++) {
        found = client->objects[i] == object;
        if (found) client_drop_object(client, i);
    }
    (void)pthread_mutex_unlock(&client->lock);
    return found;
}

bool session_replace_object(struct session *session, struct object *old, struct object *new)
{
    struct client *client = session->client;
    bool found = false;
    (void)pthread_mutex_lock(&client->lock);
    for (size_t i = 0; i < client->object_count && !found; i++) {
        found = client->objects[i] == old;
        if (!found) continue;
        new->handle = old->handle;
        new->session = old->session;
        client->objects[i] = object_keep(new);
        object_release(old);
    }
    (void)pthread_mutex_unlock(&client->lock);
    return found;
}

void session_each_object(struct session *session, bool (*each)(void *user, struct object *object),
                         void *user)
{
    struct client *client = session->client;
    (void)pthread_mutex_lock(&client->lock);
    for (size_t i = 0; i < client->object_count && each(user, client->objects[i]); i++) {
    }
    (void)pthread_mutex_unlock(&client->lock);
}

bool session_may_see(struct session *session, const struct object *object)
{
    return !object->is_private || client_login(session->client) == USER;
}

struct object *session_object(struct session *session, CK_OBJECT_HANDLE handle)
{
    struct client *client = session->client;
    struct object *found = NULL;
    (void)pthread_mutex_lock(&client->lock);
    for (size_t i = 0; i < client->object_count && found == NULL; i++)
        if (client->objects[i]->handle == handle) found = object_keep(client->objects[i]);
    (void)pthread_mutex_unlock(&client->lock);
    if (found == NULL) found = token_find(handle);
    if (found == NULL || session_may_see(session, found)) return found;
    object_release(found);
    return NULL;
}
