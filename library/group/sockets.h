/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LIBRARY_SOCKETS_H
#define NDFT_LIBRARY_SOCKETS_H

#include "address.h"

#include <stddef.h>

/* Sockets of ranks that meet: whoever waits for one looks after all that it has, and waits no more
 * where one is closed, for then a rank is gone. */

typedef struct ndft_vigil {
    const int *socket; /* to each rank; -1: none yet. Of the first one a word ends the wait, too */
    int ranks;
    double until; /* by ndft_now_s */
    int gone;     /* the rank by which the wait ended; -1: none is */
} ndft_vigil;

/* Whether one has come to be read, or to be accepted. socket -1: none can, and it is a pause. */
bool ndft_socket_is_ready(ndft_vigil *, int socket);

/* Whether all of it has come, or gone. */
bool ndft_socket_take(ndft_vigil *, int socket, void *to, size_t bytes);
bool ndft_socket_give(int socket, const void *from, size_t bytes);

/* Of failures, at what and why. */
ndft_status ndft_socket_listen(const ndft_address *, const char *address, int *listener);
/* To a rank that may not listen yet. */
ndft_status ndft_socket_connect(ndft_vigil *, const ndft_address *, int rank, int *connected);
/* The next who connects; -1: it stayed away, or did not come in time. */
int ndft_socket_accept(ndft_vigil *, int listener);

ndft_address ndft_socket_end(int socket);

#endif
