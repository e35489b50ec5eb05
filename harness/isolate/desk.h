/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DESK_H
#define NDFT_DESK_H

#include "here.h"

/*
 * Memory that a worker shares with its parent. Both are the same program, so that structs are
 * carried as they are, and a field that is new is carried too; pointers in them mean nothing to the
 * other side.
 */
typedef struct ndft_desk {
    ndft_pulse pulse;
    ndft_place place;           /* by the worker, once it is ready */
    ndft_group_options options; /* by the parent, for the group asked for */
} ndft_desk;

/* A desk, and in *fd the descriptor that a worker maps it from. NULL: no memory. */
ndft_desk *ndft_desk_new(int *fd);
ndft_desk *ndft_desk_map(int fd); /* NULL: fd is no desk */
void ndft_desk_free(ndft_desk *); /* NULL is allowed */

#endif
