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

#endif
