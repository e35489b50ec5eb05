/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Loaded before what a program has of these names: a rank is killed at what NDFT_DIES says, when it
 * has reached the first rank and would listen itself, before its hello, or behind that, when it
 * would connect to another. */

#define SEEN __attribute__((visibility("default")))

static in_port_t first; /* at which the first rank listens; it connects to nobody */

static void die_at(const char *moment)
{
    const char *asked = getenv("NDFT_DIES");
    if (asked && !strcmp(asked, moment)) kill(getpid(), SIGKILL);
}

static void find(const char *name, void *function)
{
    void *address = dlsym(RTLD_NEXT, name);
    memcpy(function, &address, sizeof address);
}

SEEN int listen(int socket, int most)
{
    int (*real)(int, int);
    find("listen", &real);
    if (first) die_at("listening");
    return real(socket, most);
}

SEEN int connect(int socket, __CONST_SOCKADDR_ARG to, socklen_t length)
{
    int (*real)(int, __CONST_SOCKADDR_ARG, socklen_t);
    const struct sockaddr_in *at = to.__sockaddr_in__;
    const in_port_t port = at->sin_family == AF_INET ? at->sin_port : first;
    find("connect", &real);
    if (first && port != first) die_at("connecting");
    first = port;
    return real(socket, to, length);
}
