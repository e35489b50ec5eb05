/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHILD_H
#define NDFT_CHILD_H

#include "base/status.h"

#include <stdio.h>
#include <sys/types.h>

/* This program once more, with other arguments: what it does is another process', which may die
 * alone. Signals to the terminal's processes reach both. */
typedef struct ndft_child {
    pid_t pid;
    FILE *in;  /* what it is told, by whoever starts it */
    FILE *out; /* what it prints, to be read */
} ndft_child;

/* argv and set, "NAME=VALUE" that it finds among its variables, end with NULL. NDFT_EDEVICE. */
ndft_status ndft_child_start(char *const argv[], const char *const set[], ndft_child *,
                             ndft_error *);

/* It reads the end of what it is told. */
void ndft_child_tell_no_more(ndft_child *);

/* Tells it no more, reads away what it still prints, and waits. Its exit code, or 128 and the
 * signal it died by. */
int ndft_child_end(ndft_child *);

#endif
