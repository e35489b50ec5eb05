/* SPDX-License-Identifier: Apache-2.0 */
#include "communicator.h"

#include "base/now.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* Messages between ranks by their sockets: all at once, whichever is ready. Before each goes its
 * length and of which call it is, by which ranks that make different ones are found. */

typedef struct heading {
    uint64_t length;
    ndft_call call;
} heading;

typedef struct moving {
    const ndft_parcel *parcel;
    heading out_heading, in_heading;
    size_t out, in; /* bytes that have gone and come, with the heading's */
} moving;

/* Of a message with its heading; there is none of no bytes. */
static size_t whole(size_t bytes) { return bytes ? sizeof(heading) + bytes : 0; }

static short awaited(const moving *m)
{
    const short out = m->out < whole(m->parcel->out_bytes) ? POLLOUT : 0;
    return (short)(out | (m->in < whole(m->parcel->in_bytes) ? POLLIN : 0));
}

/* What is left of a heading and its message. */
typedef struct rest {
    struct iovec piece[2];
    struct msghdr message;
} rest;

static struct msghdr *rest_of(rest *r, const heading *h, const void *bytes, size_t n, size_t done)
{
    const size_t of_heading = done < sizeof *h ? done : sizeof *h;
    const size_t of_bytes = done - of_heading;
    r->piece[0] = (struct iovec){(char *)(uintptr_t)h + of_heading, sizeof *h - of_heading};
    r->piece[1] = (struct iovec){(char *)(uintptr_t)bytes + of_bytes, n - of_bytes};
    r->message = (struct msghdr){.msg_iov = r->piece, .msg_iovlen = 2};
    return &r->message;
}

static bool would_wait(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

static ndft_status gone(ndft_communicator *c, int peer, const char *why)
{
    return ndft_communicator_break(c, NDFT_EDEVICE, "rank %d of %d is gone (%s)", peer, c->size,
                                   why);
}

static void say_call(const ndft_call *call, char *words, size_t size)
{
    const char *op = call->op == NDFT_FORWARD   ? "forward"
                     : call->op == NDFT_ADJOINT ? "adjoint"
                                                : "normal";
    const unsigned long long number = call->number;
    if (call->plan)
        snprintf(words, size, "call %llu, %s of plan %u", number, op, call->plan);
    else
        snprintf(words, size, "call %llu, which makes a group or a plan", number);
}

static bool is_alike(const ndft_communicator *c, const moving *m)
{
    const ndft_call *own = &c->call, *other = &m->in_heading.call;
    return m->in_heading.length == m->parcel->in_bytes && own->plan == other->plan &&
           own->op == other->op && own->number == other->number;
}

static ndft_status differ(ndft_communicator *c, const moving *m)
{
    char own[80], other[80];
    say_call(&c->call, own, sizeof own);
    say_call(&m->in_heading.call, other, sizeof other);
    return ndft_communicator_break(
        c, NDFT_EDEVICE,
        "rank %d of %d is at %s, with %llu bytes, where rank %d is at %s and awaits %zu: all ranks "
        "make the same calls in the same order",
        m->parcel->peer, c->size, other, (unsigned long long)m->in_heading.length, c->rank, own,
        m->parcel->in_bytes);
}

/* What can be sent and received now; moved: whether anything was. */
static ndft_status move(ndft_communicator *c, moving *m, short events, bool *moved)
{
    const int peer = m->parcel->peer, socket = c->socket[peer];
    rest r;
    if (events & POLLOUT) {
        m->out_heading = (heading){m->parcel->out_bytes, c->call};
        const ssize_t sent = sendmsg(
            socket, rest_of(&r, &m->out_heading, m->parcel->out, m->parcel->out_bytes, m->out),
            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && !would_wait()) return gone(c, peer, strerror(errno));
        if (sent > 0) m->out += (size_t)sent;
        *moved |= sent > 0;
    }
    if (events & POLLIN) {
        const ssize_t came =
            recvmsg(socket, rest_of(&r, &m->in_heading, m->parcel->in, m->parcel->in_bytes, m->in),
                    MSG_DONTWAIT);
        if (!came) return gone(c, peer, "its connection was closed");
        if (came < 0 && !would_wait()) return gone(c, peer, strerror(errno));
        if (came > 0) m->in += (size_t)came;
        if (m->in >= sizeof m->in_heading && !is_alike(c, m)) return differ(c, m);
        *moved |= came > 0;
    }
    return NDFT_OK;
}

/* Those that are not finished; their number. */
static int await(const ndft_communicator *c, const moving *all, int n, struct pollfd polled[],
                 int which[])
{
    int waiting = 0;
    for (int i = 0; i < n; i++) {
        const short events = awaited(&all[i]);
        if (!events) continue;
        polled[waiting] = (struct pollfd){c->socket[all[i].parcel->peer], events, 0};
        which[waiting++] = i;
    }
    return waiting;
}

static ndft_status exchange(ndft_communicator *c, const ndft_exec *exec, const ndft_parcel *parcels,
                            int n)
{
    (void)exec;
    enum { LOOK_MS = 200 };
    moving all[NDFT_MOST_PARTS];
    struct pollfd polled[NDFT_MOST_PARTS];
    int which[NDFT_MOST_PARTS], waiting;
    for (int i = 0; i < n; i++) all[i] = (moving){.parcel = &parcels[i]};
    double last = ndft_now_s();
    while ((waiting = await(c, all, n, polled, which))) {
        bool moved = false;
        if (poll(polled, (nfds_t)waiting, LOOK_MS) < 0 && errno != EINTR)
            return gone(c, parcels[which[0]].peer, strerror(errno));
        for (int i = 0; i < waiting; i++) {
            const bool failed = polled[i].revents & (POLLERR | POLLHUP | POLLNVAL);
            const short events = failed ? polled[i].events : polled[i].revents & polled[i].events;
            NDFT_TRY(move(c, &all[which[i]], events, &moved));
        }
        if (moved) last = ndft_now_s();
        if (ndft_now_s() - last > c->timeout_s)
            return ndft_communicator_break(c, NDFT_EDEVICE, "rank %d of %d did not come for %g s",
                                           parcels[which[0]].peer, c->size, c->timeout_s);
    }
    return NDFT_OK;
}

int ndft_gone_peer(const ndft_communicator *c)
{
    char byte;
    for (int peer = 0; peer < c->size; peer++) {
        if (c->socket[peer] < 0) continue;
        const ssize_t there = recv(c->socket[peer], &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        if (there == 0 || (there < 0 && !would_wait())) return peer;
    }
    return -1;
}

static void leave(ndft_communicator *c, bool in_order)
{
    (void)c; /* sockets are closed with the communicator */
    (void)in_order;
}

const ndft_transport ndft_tcp = {.exchange = exchange, .leave = leave};
