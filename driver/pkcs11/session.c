/* SPDX-License-Identifier: Apache-2.0 */
/* Clients: their sessions and their login. */
#include "client.h"

#include "operation.h"

#include <stdlib.h>
#include <string.h>

/* A session's handle: its place, and a number that differs from that of earlier sessions there. */
enum { PLACE_BITS = 14, MAX_SESSIONS = (1 << PLACE_BITS) - 1 };
#define PLACE_OF(handle) ((size_t)(handle) & MAX_SESSIONS)

struct client *(*client_of_thread)(void);

struct client *client_new(void)
{
    struct client *client = calloc(1, sizeof *client);
    if (client != NULL) (void)pthread_mutex_init(&client->lock, NULL);
    return client;
}

static void session_free(struct session *session)
{
    operation_end(&session->sign);
    operation_end(&session->verify);
    operation_end(&session->encrypt);
    operation_end(&session->decrypt);
    operation_end(&session->digest);
    free(session->found);
    (void)pthread_mutex_destroy(&session->lock);
    free(session);
}

/* Gives a reference back; with the client's lock. */
static bool is_last(struct session *session)
{
    return --session->references == 0;
}

static void release(struct session *session)
{
    struct client *client = session->client;
    (void)pthread_mutex_lock(&client->lock);
    const bool last = is_last(session);
    (void)pthread_mutex_unlock(&client->lock);
    if (last) session_free(session);
}

void client_drop_object(struct client *client, size_t place)
{
    object_release(client->objects[place]);
    client->objects[place] = client->objects[--client->object_count];
}

/* Objects of a session, or private ones of all. */
static void drop_objects(struct client *client, CK_SESSION_HANDLE session, bool private)
{
    for (size_t i = client->object_count; i-- > 0;)
        if (client->objects[i]->session == session || (private && client->objects[i]->is_private))
            client_drop_object(client, i);
}

void client_free(struct client *client)
{
    if (client == NULL) return;
    for (size_t i = 0; i < client->room; i++)
        if (client->sessions[i] != NULL) session_free(client->sessions[i]);
    while (client->object_count > 0) client_drop_object(client, client->object_count - 1);
    if (client->login == USER) token_logout();
    secure_free(client->officer_key);
    free(client->sessions);
    free(client->free_places);
    free(client->objects);
    (void)pthread_mutex_destroy(&client->lock);
    free(client);
}

enum login client_login(struct client *client)
{
    (void)pthread_mutex_lock(&client->lock);
    const enum login login = client->login;
    (void)pthread_mutex_unlock(&client->lock);
    return login;
}

void client_counts(struct client *client, CK_ULONG *sessions, CK_ULONG *writing)
{
    (void)pthread_mutex_lock(&client->lock);
    *sessions = client->count;
    *writing = client->writing;
    (void)pthread_mutex_unlock(&client->lock);
}

static void forget_officer(struct client *client)
{
    secure_free(client->officer_key);
    client->officer_key = NULL;
}

/* From nobody to somebody, or back; false: another thread was first. */
bool client_set_login(struct client *client, enum login login)
{
    (void)pthread_mutex_lock(&client->lock);
    const bool well = (client->login == NOBODY) != (login == NOBODY)
                      && (login != OFFICER || client->writing == client->count);
    if (well) {
        client->login = login;
        if (login == NOBODY) {
            drop_objects(client, 0, true);
            forget_officer(client);
        }
    }
    (void)pthread_mutex_unlock(&client->lock);
    return well;
}

bool client_set_officer(struct client *client, const uint8_t key[KEY_LENGTH])
{
    uint8_t *kept = secure_new(KEY_LENGTH);
    if (kept == NULL) return false;
    memcpy(kept, key, KEY_LENGTH);
    const bool well = client_set_login(client, OFFICER);
    (void)pthread_mutex_lock(&client->lock);
    if (well && client->login == OFFICER) {
        client->officer_key = kept;
        kept = NULL;
    }
    (void)pthread_mutex_unlock(&client->lock);
    secure_free(kept);
    return well;
}

bool officer_key(struct client *client, uint8_t key[KEY_LENGTH])
{
    (void)pthread_mutex_lock(&client->lock);
    const bool there = client->login == OFFICER && client->officer_key != NULL;
    if (there) memcpy(key, client->officer_key, KEY_LENGTH);
    (void)pthread_mutex_unlock(&client->lock);
    return there;
}

/* A place for a session; false: no memory, or too many. */
static bool find_place(struct client *client, size_t *place)
{
    if (client->free_count == 0) {
        const size_t room = client->room > 0 ? 2 * client->room : 16;
        if (client->room >= MAX_SESSIONS) return false;
        struct session **sessions = realloc(client->sessions, room * sizeof *sessions);
        if (sessions != NULL) client->sessions = sessions;
        size_t *places = realloc(client->free_places, room * sizeof *places);
        if (places != NULL) client->free_places = places;
        if (sessions == NULL || places == NULL) return false;
        for (size_t i = room; i-- > client->room;) {
            client->sessions[i] = NULL;
            if (i < MAX_SESSIONS) client->free_places[client->free_count++] = i;
        }
        client->room = room;
    }
    *place = client->free_places[--client->free_count];
    return true;
}

static CK_RV open_locked(struct client *client, CK_FLAGS flags, struct session *session)
{
    size_t place = 0;
    if (client->login == OFFICER && (flags & CKF_RW_SESSION) == 0)
        return CKR_SESSION_READ_WRITE_SO_EXISTS;
    if (!find_place(client, &place)) return CKR_SESSION_COUNT;
    /* Never 0, which is no handle. */
    session->handle = (++client->turn << PLACE_BITS) | (place + 1);
    session->client = client;
    session->flags = flags;
    session->references = 1;
    client->sessions[place] = session;
    client->count++;
    if ((flags & CKF_RW_SESSION) != 0) client->writing++;
    return CKR_OK;
}

CK_RV C_OpenSession(CK_SLOT_ID slot, CK_FLAGS flags, void *application, CK_NOTIFY notify,
                    CK_SESSION_HANDLE *handle)
{
    struct client *client;
    (void)application, (void)notify;
    CK_RV result = client_now(&client);
    if (result != CKR_OK) return result;
    if (slot != SLOT_ID) return CKR_SLOT_ID_INVALID;
    if (handle == NULL) return CKR_ARGUMENTS_BAD;
    if ((flags & CKF_SERIAL_SESSION) == 0) return CKR_SESSION_PARALLEL_NOT_SUPPORTED;
    result = token_refresh();
    if (result != CKR_OK) return result;
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL) return CKR_HOST_MEMORY;
    (void)pthread_mutex_init(&session->lock, NULL);
    (void)pthread_mutex_lock(&client->lock);
    result = open_locked(client, flags & (CKF_SERIAL_SESSION | CKF_RW_SESSION), session);
    if (result == CKR_OK) *handle = session->handle;
    (void)pthread_mutex_unlock(&client->lock);
    if (result != CKR_OK) session_free(session);
    return result;
}

/* The session of a handle; with the client's lock. */
static struct session *find(struct client *client, CK_SESSION_HANDLE handle)
{
    const size_t place = PLACE_OF(handle) - 1;
    if (PLACE_OF(handle) == 0 || place >= client->room || client->sessions[place] == NULL
        || client->sessions[place]->handle != handle)
        return NULL;
    return client->sessions[place];
}

CK_RV session_enter(CK_SESSION_HANDLE handle, struct session **session)
{
    struct client *client;
    const CK_RV result = client_now(&client);
    if (result != CKR_OK) return result;
    (void)pthread_mutex_lock(&client->lock);
    struct session *found = find(client, handle);
    if (found != NULL) found->references++;
    (void)pthread_mutex_unlock(&client->lock);
    if (found == NULL) return CKR_SESSION_HANDLE_INVALID;
    (void)pthread_mutex_lock(&found->lock);
    *session = found;
    if (!found->closed) return CKR_OK;
    return session_leave(found, CKR_SESSION_CLOSED);
}

CK_RV session_leave(struct session *session, CK_RV result)
{
    (void)pthread_mutex_unlock(&session->lock);
    release(session);
    return result;
}

/* Takes a session out of its client, with its objects; whether the last one has gone, who was
 * logged in. */
static void detach(struct client *client, struct session *session, enum login *ended)
{
    const size_t place = PLACE_OF(session->handle) - 1;
    client->sessions[place] = NULL;
    client->free_places[client->free_count++] = place;
    client->count--;
    if ((session->flags & CKF_RW_SESSION) != 0) client->writing--;
    drop_objects(client, session->handle, client->count == 0);
    if (client->count > 0) return;
    *ended = client->login;
    client->login = NOBODY;
    secure_free(client->officer_key);
    client->officer_key = NULL;
}

static void close_detached(struct session *session)
{
    (void)pthread_mutex_lock(&session->lock); /* an operation of another thread ends first */
    session->closed = true;
    (void)pthread_mutex_unlock(&session->lock);
    release(session);
}

CK_RV C_CloseSession(CK_SESSION_HANDLE handle)
{
    struct client *client;
    enum login ended = NOBODY;
    const CK_RV result = client_now(&client);
    if (result != CKR_OK) return result;
    (void)pthread_mutex_lock(&client->lock);
    struct session *session = find(client, handle);
    if (session != NULL) detach(client, session, &ended);
    (void)pthread_mutex_unlock(&client->lock);
    if (session == NULL) return CKR_SESSION_HANDLE_INVALID;
    close_detached(session);
    if (ended == USER) token_logout();
    return CKR_OK;
}

CK_RV C_CloseAllSessions(CK_SLOT_ID slot)
{
    struct client *client;
    const CK_RV result = client_now(&client);
    if (result != CKR_OK) return result;
    if (slot != SLOT_ID) return CKR_SLOT_ID_INVALID;
    for (size_t place = 0;; place++) {
        enum login ended = NOBODY;
        (void)pthread_mutex_lock(&client->lock);
        const bool over = place >= client->room;
        struct session *session = over ? NULL : client->sessions[place];
        if (session != NULL) detach(client, session, &ended);
        (void)pthread_mutex_unlock(&client->lock);
        if (session != NULL) close_detached(session);
        if (ended == USER) token_logout();
        if (over) return CKR_OK;
    }
}

CK_RV C_GetSessionInfo(CK_SESSION_HANDLE handle, CK_SESSION_INFO *info)
{
    static const CK_STATE states[2][3] = {
        {CKS_RO_PUBLIC_SESSION, CKS_RO_USER_FUNCTIONS, CKS_RO_PUBLIC_SESSION},
        {CKS_RW_PUBLIC_SESSION, CKS_RW_USER_FUNCTIONS, CKS_RW_SO_FUNCTIONS},
    };
    struct session *session;
    const CK_RV result = session_enter(handle, &session);
    if (result != CKR_OK) return result;
    if (info == NULL) return session_leave(session, CKR_ARGUMENTS_BAD);
    const bool writing = (session->flags & CKF_RW_SESSION) != 0;
    *info = (CK_SESSION_INFO){.slotID = SLOT_ID,
                              .state = states[writing][client_login(session->client)],
                              .flags = session->flags};
    return session_leave(session, CKR_OK);
}
