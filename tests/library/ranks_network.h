/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TEST_RANKS_NETWORK_H
#define NDFT_TEST_RANKS_NETWORK_H

#include "ranks.h"

#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>

/* Networks of a test's own; it may be that the host allows none. */

#define NAME "node-of-ndft" /* of this host, which has 127.0.1.1 for it, as Debian does */
#define OUTWARD "10.9.8.7"  /* and others have this */

static inline bool write_text(const char *file, const char *text)
{
    FILE *f = fopen(file, "w");
    const bool is_put = f && fputs(text, f) >= 0;
    return f && !fclose(f) && is_put;
}

static inline bool set_up(struct ifreq *interface, unsigned long request)
{
    const int any = socket(AF_INET, SOCK_DGRAM, 0);
    const bool is = !ioctl(any, request, interface);
    close(any);
    return is;
}

/* With nothing but the host itself in it, and files of its own. */
static inline bool is_alone_in_a_network(void)
{
    struct ifreq lo = {.ifr_name = "lo", .ifr_flags = IFF_UP};
    return !unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS) && set_up(&lo, SIOCSIFFLAGS);
}

static inline bool has_own_name(void)
{
    struct ifreq lo = {.ifr_name = "lo:1"};
    const struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = inet_addr(OUTWARD)};
    char hosts[] = "/tmp/ndft-hosts-XXXXXX";
    memcpy(&lo.ifr_addr, &at, sizeof at);
    const int file = mkstemp(hosts);
    const bool is = file >= 0 && write_text(hosts, "127.0.1.1 " NAME "\n") &&
                    !mount(hosts, "/etc/hosts", NULL, MS_BIND, NULL) && set_up(&lo, SIOCSIFADDR);
    if (file >= 0) unlink(hosts);
    if (file >= 0) close(file);
    return is;
}

/* How ranks fare, and where they listen, as the first one says it. */
typedef struct by_hand_word {
    ndft_status status;
    char message[1024];
} by_hand_word;

/* A hello that rank 0 takes for a rank's, which listens nowhere. */
static inline int connected_by_hand(int as_rank)
{
    const struct sockaddr_in at = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)atoi(strchr(address, ':') + 1)),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct {
        char magic[8];
        int rank, size;
        struct sockaddr_storage listens;
    } hello = {"ndft-2", as_rank, size, {0}};
    socklen_t length = sizeof hello.listens;
    int one = socket(AF_INET, SOCK_STREAM, 0);
    for (int look = 0; connect(one, (const struct sockaddr *)&at, sizeof at); look++) {
        assert_true(look < 500);
        close(one);
        usleep(10000);
        one = socket(AF_INET, SOCK_STREAM, 0);
    }
    getsockname(one, (struct sockaddr *)&hello.listens, &length);
    assert_int_equal(send(one, &hello, sizeof hello, 0), sizeof hello);
    return one;
}

/* And which was told where others listen. */
static inline int told_by_hand(int as_rank)
{
    struct {
        by_hand_word word;
        struct sockaddr_storage listens[NDFT_MOST_PARTS];
    } table;
    const int one = connected_by_hand(as_rank);
    assert_int_equal(recv(one, &table, sizeof table, MSG_WAITALL), sizeof table);
    return one;
}

#endif
