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

static CK_ULONG sessions_open; /* of all clients */

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

static void end_login(struct client *client)
{
    client->login = NOBODY;
    drop_objects(client, 0, true);
    secure_free(client->officer);
    client->officer = NULL;
}

enum login client_login_locked(struct client *client)
{
    if (client->login != NOBODY && client->life != token_life()) end_login(client);
    return client->login;
}

void client_free(struct client *client)
{
    if (client == NULL) return;
    for (size_t i = 0; i < client->room; i++)
        if (client->sessions[i] != NULL) session_free(client->sessions[i]);
    (void)__atomic_sub_fetch(&sessions_open, client->count, __ATOMIC_RELAXED);
    while (client->object_count > 0) client_drop_object(client, client->object_count - 1);
    if (client->login == USER) token_logout(client->life);
    secure_free(client->officer);
    free(client->sessions);
    free(client->free_places);
    free(client->objects);
    (void)pthread_mutex_destroy(&client->lock);
    free(client);
}

enum login client_login(struct client *client)
{
    (void)pthread_mutex_lock(&client->lock);
    const enum login login = client_login_locked(client);
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

CK_ULONG all_sessions(void)
{
    return __atomic_load_n(&sessions_open, __ATOMIC_RELAXED);
}

void sessions_abandon(void)
{
    sessions_open = 0;
}

/* A login is that of all sessions: without one it would be that of nobody. */
static CK_RV may_log_in(struct client *client, enum login login)
{
    const enum login now = client_login_locked(client);
    if (client->count == 0) return CKR_SESSION_CLOSED;
    if (now == login) return CKR_USER_ALREADY_LOGGED_IN;
    if (now != NOBODY) return CKR_USER_ANOTHER_ALREADY_LOGGED_IN;
    return login == OFFICER && client->writing < client->count ? CKR_SESSION_READ_ONLY_EXISTS
                                                               : CKR_OK;
}

CK_RV client_may_log_in(struct client *client, enum login login)
{
    (void)pthread_mutex_lock(&client->lock);
    const CK_RV result = may_log_in(client, login);
    (void)pthread_mutex_unlock(&client->lock);
    return result;
}

CK_RV client_log_in(struct client *client, enum login login, const struct opened *opened,
                    unsigned long life)
{
    struct opened *kept = login == OFFICER ? secure_new(sizeof *kept) : NULL;
    if (login == OFFICER && kept == NULL) return CKR_HOST_MEMORY;
    if (kept != NULL) *kept = *opened;
    (void)pthread_mutex_lock(&client->lock);
    const CK_RV result = may_log_in(client, login);
    if (result == CKR_OK) {
        client->login = login;
        client->life = life;
        client->officer = kept;
        kept = NULL;
    }
    (void)pthread_mutex_unlock(&client->lock);
    secure_free(kept);
    return result;
}

CK_RV client_log_out(struct client *client)
{
    (void)pthread_mutex_lock(&client->lock);
    const enum login before = client_login_locked(client);
    const unsigned long life = client->life;
    end_login(client);
    (void)pthread_mutex_unlock(&client->lock);
    if (before == USER) token_logout(life);
    return before == NOBODY ? CKR_USER_NOT_LOGGED_IN : CKR_OK;
}

bool officer_key(struct client *client, struct opened *opened)
{
    (void)pthread_mutex_lock(&client->lock);
    const bool there = client_login_locked(client) == OFFICER;
    if (there) *opened = *client->officer;
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
    if (client_login_locked(client) == OFFICER && (flags & CKF_RW_SESSION) == 0)
        return CKR_SESSION_READ_WRITE_SO_EXISTS;
    if (!find_place(client, &place)) return CKR_SESSION_COUNT;
    /* Never 0, which is no handle. */
    session->handle = (++client->turn << PLACE_BITS) | (place + 1);
    session->client = client;
    session->flags = flags;
    session->references = 1;
    client->sessions[place] = session;
    client->count++;
    (void)__atomic_add_fetch(&sessions_open, 1, __ATOMIC_RELAXED);
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

struct session *client_session(const struct client *client, CK_SESSION_HANDLE handle)
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
    struct session *found = client_session(client, handle);
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

/* A user's login that has ended: its life of the token; 0: none has. */
static void tell_token(unsigned long ended)
{
    if (ended != 0) token_logout(ended);
}

/* Takes a session out of its client, with its objects. With the last one the login ends. */
static void detach(struct client *client, struct session *session, unsigned long *ended)
{
    const size_t place = PLACE_OF(session->handle) - 1;
    client->sessions[place] = NULL;
    client->free_places[client->free_count++] = place;
    client->count--;
    (void)__atomic_sub_fetch(&sessions_open, 1, __ATOMIC_RELAXED);
    if ((session->flags & CKF_RW_SESSION) != 0) client->writing--;
    drop_objects(client, session->handle, false);
    if (client->count > 0) return;
    if (client_login_locked(client) == USER) *ended = client->life;
    end_login(client);
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
    unsigned long ended = 0;
    const CK_RV result = client_now(&client);
    if (result != CKR_OK) return result;
    (void)pthread_mutex_lock(&client->lock);
    struct session *session = client_session(client, handle);
    if (session != NULL) detach(client, session, &ended);
    (void)pthread_mutex_unlock(&client->lock);
    if (session == NULL) return CKR_SESSION_HANDLE_INVALID;
    close_detached(session);
    tell_token(ended);
    return CKR_OK;
}

CK_RV C_CloseAllSessions(CK_SLOT_ID slot)
{
    struct client *client;
    const CK_RV result = client_now(&client);
    if (result != CKR_OK) return result;
    if (slot != SLOT_ID) return CKR_SLOT_ID_INVALID;
    for (size_t place = 0;; place++) {
        unsigned long ended = 0;
        (void)pthread_mutex_lock(&client->lock);
        const bool over = place >= client->room;
        struct session *session = over ? NULL : client->sessions[place];
        if (session != NULL) detach(client, session, &ended);
        (void)pthread_mutex_unlock(&client->lock);
        if (session != NULL) close_detached(session);
        tell_token(ended);
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
