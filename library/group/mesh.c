/* SPDX-License-Identifier: Apache-2.0 */
#include "address.h"
#include "communicator.h"

#include "base/now.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/*
 * How ranks find each other: all connect to the first one, which listens at the address, and say
 * where they listen themselves; from it they learn where the others do. Then each connects to those
 * before it. A stranger who connects is sent away. Where the first rank's host has an inward
 * address for its own name, ranks there listen at all they have, and others find them by the one
 * they know.
 */

static const char magic[8] = "ndft-1";

/* Ranks start one after the other. */
static const double meeting_timeouts = 10;

typedef struct hello {
    char magic[8];
    int rank, size;
    ndft_address listens;
} hello;

/* Of the first rank to all. */
typedef struct table {
    ndft_error error;
    ndft_address listens[NDFT_MOST_PARTS];
} table;

static ndft_status fail(ndft_status status, const char *what, const char *whom)
{
    return ndft_fail(ndft_thread_error(), status, "%s %.200s: %s", what, whom, strerror(errno));
}

/* A peer whose host falls silent is given up within 20 s. */
static void tune(int socket)
{
    const int on = 1, idle_s = 5, apart_s = 5, times = 3;
    const unsigned unanswered_ms = 20000;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &apart_s, sizeof apart_s);
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
    setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &unanswered_ms, sizeof unanswered_ms);
}

static bool is_ready(int socket, short events, double until)
{
    enum { LOOK_MS = 1000 };
    struct pollfd polled = {socket, events, 0};
    for (double left; (left = until - ndft_now_s()) > 0;) {
        const int ready = poll(&polled, 1, left * 1e3 < LOOK_MS ? 1 + (int)(left * 1e3) : LOOK_MS);
        if (ready > 0 || (ready < 0 && errno != EINTR)) return ready > 0;
    }
    return false;
}

/* Whether all of it has come, or gone, in time. */
static bool take(int socket, void *to, size_t bytes, double until)
{
    for (char *at = to; bytes;) {
        const ssize_t came = is_ready(socket, POLLIN, until) ? recv(socket, at, bytes, 0) : 0;
        if (came < 0 && errno == EINTR) continue;
        if (came <= 0) return false;
        at += came;
        bytes -= (size_t)came;
    }
    return true;
}

static bool give(int socket, const void *from, size_t bytes)
{
    for (const char *at = from; bytes;) {
        const ssize_t sent = send(socket, at, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        at += sent;
        bytes -= (size_t)sent;
    }
    return true;
}

static ndft_status listen_at(const ndft_address *p, const char *address, int *listener)
{
    const int on = 1;
    *listener = socket(p->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*listener < 0) return fail(NDFT_EDEVICE, "no socket for", "a rank");
    setsockopt(*listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (!bind(*listener, (const struct sockaddr *)p, ndft_address_length(p)) &&
        !listen(*listener, NDFT_MOST_PARTS))
        return NDFT_OK;
    return fail(NDFT_EDEVICE, "cannot listen at", address);
}

/* While nobody listens at a port, a socket that is given it as its own reaches itself. */
static bool is_itself(int connected)
{
    const struct linger none = {.l_onoff = 1};
    ndft_address own = {0}, other = {0};
    socklen_t length = sizeof own, others = sizeof other;
    getsockname(connected, (struct sockaddr *)&own, &length);
    getpeername(connected, (struct sockaddr *)&other, &others);
    if (length != others || memcmp(&own, &other, length) != 0) return false;
    setsockopt(connected, SOL_SOCKET, SO_LINGER, &none, sizeof none); /* the port is free at once */
    errno = ECONNREFUSED;
    return true;
}

/* To one who may not listen yet. */
static ndft_status connect_to(const ndft_address *p, int peer, double until, int *connected)
{
    enum { AGAIN_US = 20000 };
    const int on = 1; /* what fails holds no port that a rank wants to listen at */
    for (;;) {
        *connected = socket(p->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (*connected < 0) return fail(NDFT_EDEVICE, "no socket for", "a rank");
        setsockopt(*connected, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (!connect(*connected, (const struct sockaddr *)p, ndft_address_length(p)) &&
            !is_itself(*connected))
            break;
        const int why = errno;
        close(*connected);
        *connected = -1;
        if (ndft_now_s() > until)
            return ndft_fail(ndft_thread_error(), NDFT_EDEVICE, "rank %d cannot be reached: %s",
                             peer, strerror(why));
        usleep(AGAIN_US);
    }
    tune(*connected);
    return NDFT_OK;
}

/* The next who connects and says hello; -1: nobody did in time. */
static int accept_next(int listener, double until, hello *h)
{
    const double patience_s = 5;
    while (is_ready(listener, POLLIN, until)) {
        const int one = accept(listener, NULL, NULL);
        if (one < 0) continue;
        fcntl(one, F_SETFD, FD_CLOEXEC);
        if (take(one, h, sizeof *h, ndft_now_s() + patience_s) &&
            !memcmp(h->magic, magic, sizeof magic)) {
            tune(one);
            return one;
        }
        close(one);
    }
    return -1;
}

static hello hello_of(const ndft_communicator *c)
{
    hello h = {.rank = c->rank, .size = c->size};
    memcpy(h.magic, magic, sizeof magic);
    return h;
}

/* What is wrong of who says hello to the first rank. */
static ndft_status check_hello(const ndft_communicator *c, const hello *h, ndft_error *err)
{
    if (h->size != c->size)
        return ndft_fail(err, NDFT_EINVAL, "rank %d says that there are %d ranks, rank 0 says %d",
                         h->rank, h->size, c->size);
    if (h->rank < 0 || h->rank >= c->size)
        return ndft_fail(err, NDFT_EINVAL, "one says that it is rank %d of %d; nearest: %d",
                         h->rank, c->size, h->rank < 0 ? 0 : c->size - 1);
    if (!h->rank || c->socket[h->rank] >= 0)
        return ndft_fail(err, NDFT_EINVAL, "two ranks say that they are rank %d of %d", h->rank,
                         c->size);
    return NDFT_OK;
}

/* All come, or what was wrong of one of them is said to all. */
static ndft_status receive_all(ndft_communicator *c, int listener, double until)
{
    table t = {.error.status = NDFT_OK};
    hello h;
    for (int came = 1; came < c->size; came++) {
        const int one = accept_next(listener, until, &h);
        if (one < 0)
            return ndft_fail(ndft_thread_error(), NDFT_EDEVICE, "%d of %d ranks came within %g s",
                             came, c->size, meeting_timeouts * c->timeout_s);
        if (check_hello(c, &h, &t.error) != NDFT_OK) {
            give(one, &t, sizeof t);
            close(one);
            break;
        }
        c->socket[h.rank] = one;
        t.listens[h.rank] = h.listens;
    }
    for (int peer = 1; peer < c->size; peer++)
        if (c->socket[peer] >= 0) give(c->socket[peer], &t, sizeof t);
    return t.error.status == NDFT_OK ? NDFT_OK : ndft_tell(&t.error);
}

static ndft_status meet_as_first(ndft_communicator *c, ndft_address first, bool its_own,
                                 const char *address, double until)
{
    int listener;
    if (its_own) ndft_address_widen(&first);
    ndft_status status = listen_at(&first, address, &listener);
    if (status == NDFT_OK) status = receive_all(c, listener, until);
    if (listener >= 0) close(listener);
    return status;
}

/* Those before this rank listen, those behind it connect. */
static ndft_status meet_others(ndft_communicator *c, const ndft_address *first, int listener,
                               const table *t, double until)
{
    hello h = hello_of(c);
    for (int peer = 1; peer < c->rank; peer++) {
        const ndft_address reached = ndft_address_from(&t->listens[peer], first);
        NDFT_TRY(connect_to(&reached, peer, until, &c->socket[peer]));
        if (!give(c->socket[peer], &h, sizeof h)) return fail(NDFT_EDEVICE, "no word to", "a rank");
    }
    for (int peer = c->rank + 1; peer < c->size; peer++) {
        const int one = accept_next(listener, until, &h);
        if (one < 0 || h.rank <= c->rank || h.rank >= c->size || c->socket[h.rank] >= 0) {
            if (one >= 0) close(one);
            return ndft_fail(ndft_thread_error(), NDFT_EDEVICE,
                             "rank %d waits for %d ranks behind it that do not come", c->rank,
                             c->size - peer);
        }
        c->socket[h.rank] = one;
    }
    return NDFT_OK;
}

static ndft_address own_end(int socket)
{
    ndft_address own = {0};
    socklen_t length = sizeof own;
    getsockname(socket, (struct sockaddr *)&own, &length);
    return own;
}

static ndft_status follow(ndft_communicator *c, const ndft_address *first, int listener,
                          double until)
{
    hello h = hello_of(c);
    table t;
    const ndft_address at = own_end(listener);
    h.listens = own_end(c->socket[0]);
    ndft_address_set_port(&h.listens, ndft_address_port(&at));
    if (!give(c->socket[0], &h, sizeof h) || !take(c->socket[0], &t, sizeof t, until))
        return ndft_fail(ndft_thread_error(), NDFT_EDEVICE, "rank 0 of %d is gone", c->size);
    t.error.message[sizeof t.error.message - 1] = 0;
    return t.error.status == NDFT_OK ? meet_others(c, first, listener, &t, until)
                                     : ndft_tell(&t.error);
}

/* Listens at its own end of the connection to the first. */
static ndft_status meet_as_other(ndft_communicator *c, const ndft_address *first, bool its_own,
                                 double until)
{
    int listener;
    NDFT_TRY(connect_to(first, 0, until, &c->socket[0]));
    ndft_address own = own_end(c->socket[0]);
    ndft_address_set_port(&own, 0);
    if (its_own) ndft_address_widen(&own);
    ndft_status status = listen_at(&own, "any port", &listener);
    if (status == NDFT_OK) status = follow(c, first, listener, until);
    if (listener >= 0) close(listener);
    return status;
}

ndft_status ndft_mesh(ndft_communicator *c, const char *address)
{
    ndft_address first;
    bool its_own;
    NDFT_TRY(ndft_address_find(address, &first, &its_own));
    const double until = ndft_now_s() + meeting_timeouts * c->timeout_s;
    NDFT_TRY(c->rank ? meet_as_other(c, &first, its_own, until)
                     : meet_as_first(c, first, its_own, address, until));
    c->meshed = true;
    return NDFT_OK;
}

void ndft_close_mesh(ndft_communicator *c)
{
    for (int peer = 0; peer < NDFT_MOST_PARTS; peer++) {
        if (c->socket[peer] >= 0) close(c->socket[peer]);
        c->socket[peer] = -1;
    }
}
