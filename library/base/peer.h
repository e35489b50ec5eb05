/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PEER_H
#define NDFT_PEER_H

#include "base/variant.h"

/*
 * Somebody else's library behind a variant's descriptor (the folder peers/), loaded by name when it
 * is first asked for. A peer is checked against the reference and timed in the same rounds as ours,
 * only where an expression spells its name, and is never chosen.
 */
typedef struct ndft_peer {
    const ndft_variant *variant;  /* how it is planned and run */
    const char *who;              /* the library and whose it is */
    const char *(*missing)(void); /* NULL: it is loaded; else a sentence, with how to get it */

    /* What was loaded, once missing() has returned NULL: the release, and how it was built. Only
     * what was built for the processor that it runs on ("native ...") may rank. */
    const char *(*version)(void);
    const char *(*built)(void);

    /* What making its plan for op took, in seconds, and what setting the points took. */
    void (*seconds)(const void *plan, ndft_op op, double *plan_s, double *setpts_s);

    /* The arguments of peers/alone.py, behind the folder of an export, with which it does the same
     * without us; threads as exec has them. */
    void (*alone)(const ndft_problem *, const int *knobs, int threads, char *text, size_t size);
} ndft_peer;

/* The peer whose descriptor this is, or NULL: the variant is ours. */
const ndft_peer *ndft_peer_of(const ndft_variant *);

#endif
