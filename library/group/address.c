/* SPDX-License-Identifier: Apache-2.0 */
#include "address.h"

#include "public/objects.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Addresses of ranks. */

socklen_t ndft_address_length(const ndft_address *p)
{
    return p->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

in_port_t ndft_address_port(const ndft_address *p)
{
    return p->ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)p)->sin6_port
                                    : ((const struct sockaddr_in *)p)->sin_port;
}

void ndft_address_set_port(ndft_address *p, in_port_t port)
{
    if (p->ss_family == AF_INET6)
        ((struct sockaddr_in6 *)p)->sin6_port = port;
    else
        ((struct sockaddr_in *)p)->sin_port = port;
}

/* A number that getaddrinfo would cut to 16 bits, or that nobody can connect to. */
static ndft_status check_port(const char *address, const char *port)
{
    enum { HIGHEST = 65535 };
    char *end;
    const long number = strtol(port, &end, 10);
    if (*end || (number >= 1 && number <= HIGHEST)) return NDFT_OK;
    return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                     "address='%.200s'; ports are 1 to %d, nearest: %d", address, HIGHEST,
                     number < 1 ? 1 : HIGHEST);
}

bool ndft_address_is_inward(const ndft_address *p)
{
    enum { INWARD = 127 }; /* 127.0.0.0/8 */
    if (p->ss_family == AF_INET6)
        return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)p)->sin6_addr);
    return ntohl(((const struct sockaddr_in *)p)->sin_addr.s_addr) >> 24 == INWARD;
}

ndft_address ndft_address_from(const ndft_address *p, const ndft_address *first)
{
    const bool elsewhere = ndft_address_is_inward(p) && !ndft_address_is_inward(first);
    ndft_address reached = elsewhere ? *first : *p;
    ndft_address_set_port(&reached, ndft_address_port(p));
    return reached;
}

void ndft_address_widen(ndft_address *p)
{
    if (p->ss_family == AF_INET6)
        ((struct sockaddr_in6 *)p)->sin6_addr = in6addr_any;
    else
        ((struct sockaddr_in *)p)->sin_addr.s_addr = htonl(INADDR_ANY);
}

/* Not a number, nor what every host calls itself. */
static bool is_name(const char *host)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, host, bytes) != 1 && inet_pton(AF_INET6, host, bytes) != 1 &&
           strcmp(host, "localhost") != 0;
}

ndft_status ndft_address_find(const char *address, ndft_address *p, bool *its_own)
{
    ndft_error *err = ndft_thread_error();
    char host[256];
    const char *colon = strrchr(address, ':');
    const size_t length = colon ? (size_t)(colon - address) : 0;
    if (!length || length >= sizeof host || !colon[1])
        return ndft_fail(err, NDFT_EINVAL, "address='%.200s'; host:port, as 127.0.0.1:29501",
                         address);
    NDFT_TRY(check_port(address, colon + 1));
    const bool bracketed = address[0] == '[' && address[length - 1] == ']';
    snprintf(host, sizeof host, "%.*s", (int)length - 2 * bracketed, address + bracketed);
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    const int failed = getaddrinfo(host, colon + 1, &hints, &found);
    if (failed)
        return ndft_fail(err, NDFT_EINVAL, "address='%.200s': %s", address, gai_strerror(failed));
    memset(p, 0, sizeof *p);
    memcpy(p, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    *its_own = is_name(host) && ndft_address_is_inward(p);
    return NDFT_OK;
}
