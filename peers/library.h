/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PEERS_LIBRARY_H
#define NDFT_PEERS_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* Somebody else's shared library, loaded by name, and what can be told of it. */

typedef struct peer_symbol {
    const char *name;
    void *function; /* a pointer to the function pointer that it is put into */
} peer_symbol;

typedef struct peer_library {
    char missing[512]; /* why it is not there; empty: it is */
    char version[64], built[256];
} peer_library;

/*
 * Loads libNAME.so: from the file that the environment variable NDFT_NAME (in capitals) names, else
 * by the loader's own search, else from a Python environment's package NAME. The version is that of
 * the package, or the first word of the file FILE.built beside the library FILE, whose other words
 * say how it was built; else what follows `banner` (NULL: nothing does) in the library.
 */
void peer_library_load(peer_library *, const char *name, const char *banner,
                       const peer_symbol *symbols, size_t n);

/* NULL, or why it is not there. */
const char *peer_missing(const peer_library *);

#endif
