/* SPDX-License-Identifier: Apache-2.0 */
#include "communicator.h"
#include "sockets.h"

#include "base/now.h"

#include <string.h>
#include <unistd.h>

/*
 * How ranks find each other: all connect to the first one, which listens at the address, and say
 * where they listen themselves; from it they learn where the others do. Then each connects to those
 * before it, and says so to the first one, which tells all when they have met. Whoever waits looks
 * after all whom it has met: one that dies is known to the first rank, and by it to all. A stranger
 * who connects is sent away. Where the first rank's host has an inward address for its own name,
 * ranks there listen at all they have, and others find them by the one they know.
 */

static const char magic[8] = "ndft-2";

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

static ndft_vigil vigil_of(const ndft_communicator *c, double until)
{
    return (ndft_vigil){c->socket, c->size, until, -1};
}

static ndft_status is_gone(const ndft_communicator *c, int rank, ndft_error *err)
{
    return ndft_fail(err, NDFT_EDEVICE, "rank %d of %d is gone, before all ranks had met", rank,
                     c->size);
}

/* The next who connects and says hello; -1: nobody did in time, or a rank is gone. */
static int accept_next(ndft_vigil *p, int listener, hello *h)
{
    const double patience_s = 5;
    for (int one; (one = ndft_socket_accept(p, listener)) >= 0;) {
        ndft_vigil its_own = *p;
        its_own.until = ndft_now_s() + patience_s;
        const bool said = ndft_socket_take(&its_own, one, h, sizeof *h);
        if (said && !memcmp(h->magic, magic, sizeof magic)) return one;
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

static ndft_status does_not_come(const ndft_communicator *c, int came, ndft_error *err)
{
    int missing = 1;
    while (c->socket[missing] >= 0) missing++;
    return ndft_fail(err, NDFT_EDEVICE, "%d of %d ranks came within %g s, rank %d did not", came,
                     c->size, c->meeting_s, missing);
}

static ndft_status receive_next(ndft_communicator *c, ndft_vigil *p, int listener, int came,
                                table *t)
{
    hello h;
    const int one = accept_next(p, listener, &h);
    if (one < 0 && p->gone >= 0) return is_gone(c, p->gone, &t->error);
    if (one < 0) return does_not_come(c, came, &t->error);
    if (check_hello(c, &h, &t->error) != NDFT_OK) {
        ndft_socket_give(one, t, sizeof *t);
        close(one);
        return t->error.status;
    }
    c->socket[h.rank] = one;
    t->listens[h.rank] = h.listens;
    return NDFT_OK;
}

static ndft_status tell_all(const ndft_communicator *c, const ndft_error *error, const void *words,
                            size_t bytes)
{
    for (int peer = 1; peer < c->size; peer++)
        if (c->socket[peer] >= 0) ndft_socket_give(c->socket[peer], words, bytes);
    return error->status == NDFT_OK ? NDFT_OK : ndft_tell(error);
}

/* All come, or what was wrong of one of them is said to all. */
static ndft_status receive_all(ndft_communicator *c, int listener, double until)
{
    table t = {.error.status = NDFT_OK};
    ndft_vigil p = vigil_of(c, until);
    ndft_status status = NDFT_OK;
    for (int came = 1; came < c->size && status == NDFT_OK; came++)
        status = receive_next(c, &p, listener, came, &t);
    return tell_all(c, &t.error, &t, sizeof t);
}

/* What a rank says that has not met the others. */
static ndft_status repeat(int rank, ndft_error *word, ndft_error *err)
{
    word->message[sizeof word->message - 1] = 0;
    return ndft_fail(err, NDFT_EDEVICE, "rank %d: %.900s", rank, word->message);
}

/* Of a rank whose connection is closed: it may have said why. */
static ndft_status hear_last(const ndft_communicator *c, int rank, double until, ndft_error *err)
{
    ndft_vigil alone = {.until = until, .gone = -1};
    ndft_error word;
    const bool said = ndft_socket_take(&alone, c->socket[rank], &word, sizeof word);
    return said && word.status != NDFT_OK ? repeat(rank, &word, err) : is_gone(c, rank, err);
}

/* Whether a rank has met the others, as it says. */
static ndft_status hear(const ndft_communicator *c, ndft_vigil *p, int rank, ndft_error *err)
{
    ndft_error word;
    if (ndft_socket_take(p, c->socket[rank], &word, sizeof word))
        return word.status == NDFT_OK ? NDFT_OK : repeat(rank, &word, err);
    if (p->gone >= 0) return hear_last(c, p->gone, p->until, err);
    if (ndft_now_s() < p->until) return is_gone(c, rank, err);
    return ndft_fail(err, NDFT_EDEVICE, "rank %d of %d has not met the others within %g s", rank,
                     c->size, c->meeting_s);
}

/* All have met, or what is wrong of one of them is said to all. */
static ndft_status hear_all(const ndft_communicator *c, double until)
{
    ndft_error verdict = {.status = NDFT_OK};
    ndft_vigil p = vigil_of(c, until);
    ndft_status status = NDFT_OK;
    for (int rank = 1; rank < c->size && status == NDFT_OK; rank++)
        status = hear(c, &p, rank, &verdict);
    return tell_all(c, &verdict, &verdict, sizeof verdict);
}

static ndft_status meet_as_first(ndft_communicator *c, ndft_address first, bool its_own,
                                 const char *address, double until)
{
    int listener;
    if (its_own) ndft_address_widen(&first);
    ndft_status status = ndft_socket_listen(&first, address, &listener);
    if (status == NDFT_OK) status = receive_all(c, listener, until);
    if (listener >= 0) close(listener);
    return status == NDFT_OK ? hear_all(c, until) : status;
}

static ndft_status connect_to_others(ndft_communicator *c, ndft_vigil *p, const ndft_address *first,
                                     const table *t)
{
    const hello h = hello_of(c);
    for (int peer = 1; peer < c->rank; peer++) {
        const ndft_address reached = ndft_address_from(&t->listens[peer], first);
        NDFT_TRY(ndft_socket_connect(p, &reached, peer, &c->socket[peer]));
        if (!ndft_socket_give(c->socket[peer], &h, sizeof h))
            return is_gone(c, peer, ndft_thread_error());
    }
    return NDFT_OK;
}

static ndft_status accept_others(ndft_communicator *c, ndft_vigil *p, int listener)
{
    for (int peer = c->rank + 1; peer < c->size; peer++) {
        hello h;
        const int one = accept_next(p, listener, &h);
        if (one < 0 && p->gone >= 0) return is_gone(c, p->gone, ndft_thread_error());
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

static ndft_status first_is_gone(const ndft_communicator *c)
{
    return ndft_fail(ndft_thread_error(), NDFT_EDEVICE, "rank 0 of %d is gone", c->size);
}

/* How it fares with the others, to the first rank, which says how all do. Others may have gone on
 * by then, and be at an end. */
static ndft_status agree(const ndft_communicator *c, ndft_status status, double until)
{
    ndft_vigil alone = {.until = until, .gone = -1};
    ndft_error word = {.status = NDFT_OK};
    if (status != NDFT_OK) word = *ndft_thread_error();
    ndft_socket_give(c->socket[0], &word, sizeof word);
    if (status != NDFT_OK) shutdown(c->socket[0], SHUT_WR);
    if (!ndft_socket_take(&alone, c->socket[0], &word, sizeof word)) return first_is_gone(c);
    word.message[sizeof word.message - 1] = 0;
    return word.status == NDFT_OK ? status : ndft_tell(&word);
}

/* Those before this rank listen, those behind it connect. */
static ndft_status follow(ndft_communicator *c, const ndft_address *first, int listener,
                          double until)
{
    hello h = hello_of(c);
    table t;
    ndft_vigil p = vigil_of(c, until);
    const ndft_address at = ndft_socket_end(listener);
    h.listens = ndft_socket_end(c->socket[0]);
    ndft_address_set_port(&h.listens, ndft_address_port(&at));
    if (!ndft_socket_give(c->socket[0], &h, sizeof h) ||
        !ndft_socket_take(&p, c->socket[0], &t, sizeof t))
        return first_is_gone(c);
    t.error.message[sizeof t.error.message - 1] = 0;
    if (t.error.status != NDFT_OK) return ndft_tell(&t.error);
    ndft_status status = connect_to_others(c, &p, first, &t);
    if (status == NDFT_OK) status = accept_others(c, &p, listener);
    return agree(c, status, until);
}

/* Listens at its own end of the connection to the first. */
static ndft_status meet_as_other(ndft_communicator *c, const ndft_address *first, bool its_own,
                                 double until)
{
    int listener;
    ndft_vigil p = vigil_of(c, until);
    NDFT_TRY(ndft_socket_connect(&p, first, 0, &c->socket[0]));
    ndft_address own = ndft_socket_end(c->socket[0]);
    ndft_address_set_port(&own, 0);
    if (its_own) ndft_address_widen(&own);
    ndft_status status = ndft_socket_listen(&own, "any port", &listener);
    if (status == NDFT_OK) status = follow(c, first, listener, until);
    if (listener >= 0) close(listener);
    return status;
}

ndft_status ndft_mesh(ndft_communicator *c, const char *address)
{
    ndft_address first;
    bool its_own;
    NDFT_TRY(ndft_address_find(address, &first, &its_own));
    const double until = ndft_now_s() + c->meeting_s;
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
