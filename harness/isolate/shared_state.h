/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SHARED_STATE_H
#define NDFT_SHARED_STATE_H

#include "here.h"

/*
 * Memory that a worker shares with its parent. Both are the same program, so that structs are
 * carried as they are, and a field that is new is carried too; pointers in them mean nothing to the
 * other side.
 */
typedef struct ndft_shared_state {
    ndft_heartbeat heartbeat;
    ndft_place place;           /* by the worker, once it is ready */
    ndft_group_options options; /* by the parent, for the group asked for */
} ndft_shared_state;

/* A shared, and in *fd the descriptor that a worker maps it from. NULL: no memory. */
ndft_shared_state *ndft_shared_state_new(int *fd);
ndft_shared_state *ndft_shared_state_map(int fd); /* NULL: fd is no shared state */
void ndft_shared_state_free(ndft_shared_state *); /* NULL is allowed */

#endif
