/* SPDX-License-Identifier: Apache-2.0 */
#include "sockets.h"

#include "base/now.h"
#include "public/objects.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

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

/* Those that were met, in polled[rank], and behind them the one that is waited for. */
static void look_after(const ndft_vigil *p, int socket, struct pollfd *polled)
{
    for (int rank = 0; rank < p->ranks; rank++) {
        const int met = p->socket[rank] == socket ? -1 : p->socket[rank];
        polled[rank] = (struct pollfd){met, rank ? POLLRDHUP : POLLRDHUP | POLLIN, 0};
    }
    polled[p->ranks] = (struct pollfd){socket, POLLIN, 0};
}

bool ndft_socket_is_ready(ndft_vigil *p, int socket)
{
    enum { LOOK_MS = 1000 };
    struct pollfd polled[NDFT_MOST_PARTS + 1];
    look_after(p, socket, polled);
    for (double left; (left = p->until - ndft_now_s()) > 0;) {
        const int ready = poll(polled, (nfds_t)p->ranks + 1,
                               left * 1e3 < LOOK_MS ? 1 + (int)(left * 1e3) : LOOK_MS);
        if (ready < 0 && errno != EINTR) return false;
        if (ready <= 0) continue;
        if (polled[p->ranks].revents) return true;
        for (p->gone = 0; !polled[p->gone].revents;) p->gone++;
        return false;
    }
    return false;
}

bool ndft_socket_take(ndft_vigil *p, int socket, void *to, size_t bytes)
{
    for (char *at = to; bytes;) {
        const ssize_t came = ndft_socket_is_ready(p, socket) ? recv(socket, at, bytes, 0) : 0;
        if (came < 0 && errno == EINTR) continue;
        if (came <= 0) return false;
        at += came;
        bytes -= (size_t)came;
    }
    return true;
}

bool ndft_socket_give(int socket, const void *from, size_t bytes)
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

static ndft_status fail(const char *what, const char *whom)
{
    return ndft_fail(ndft_thread_error(), NDFT_EDEVICE, "%s %.200s: %s", what, whom,
                     strerror(errno));
}

ndft_status ndft_socket_listen(const ndft_address *p, const char *address, int *listener)
{
    const int on = 1;
    *listener = socket(p->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*listener < 0) return fail("no socket for", "a rank");
    setsockopt(*listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (!bind(*listener, (const struct sockaddr *)p, ndft_address_length(p)) &&
        !listen(*listener, NDFT_MOST_PARTS))
        return NDFT_OK;
    return fail("cannot listen at", address);
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

/* Until it is time to try again; whether it is. */
static bool pause_before(ndft_vigil *p)
{
    static const double again_s = 0.02;
    ndft_vigil pause = *p;
    pause.until = ndft_now_s() + again_s;
    (void)ndft_socket_is_ready(&pause, -1);
    p->gone = pause.gone;
    return p->gone < 0 && ndft_now_s() <= p->until;
}

ndft_status ndft_socket_connect(ndft_vigil *p, const ndft_address *to, int rank, int *connected)
{
    const int on = 1; /* what fails holds no port that a rank wants to listen at */
    for (;;) {
        *connected = socket(to->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (*connected < 0) return fail("no socket for", "a rank");
        setsockopt(*connected, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (!connect(*connected, (const struct sockaddr *)to, ndft_address_length(to)) &&
            !is_itself(*connected))
            break;
        const int why = errno;
        close(*connected);
        *connected = -1;
        if (!pause_before(p))
            return ndft_fail(ndft_thread_error(), NDFT_EDEVICE, "rank %d cannot be reached: %s",
                             rank, strerror(why));
    }
    tune(*connected);
    return NDFT_OK;
}

int ndft_socket_accept(ndft_vigil *p, int listener)
{
    while (ndft_socket_is_ready(p, listener)) {
        const int one = accept(listener, NULL, NULL);
        if (one < 0) continue;
        fcntl(one, F_SETFD, FD_CLOEXEC);
        tune(one);
        return one;
    }
    return -1;
}

ndft_address ndft_socket_end(int socket)
{
    ndft_address own = {0};
    socklen_t length = sizeof own;
    getsockname(socket, (struct sockaddr *)&own, &length);
    return own;
}
