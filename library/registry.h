/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_REGISTRY_H
#define NDFT_REGISTRY_H

#include "base/kind.h"
#include "base/variant.h"

#include <stdbool.h>

/* All variants of variants.def, in its order. variant is NULL where it was not built. */
typedef struct ndft_registered {
    const char *name, *backend;
    const ndft_variant *variant; /* a scheme's is its engine */
    const char *build_id;        /* hash of the variant's sources and flags, hexadecimal */

    /* An ablation computes something incomplete, to show what bounds the variant `ablates` of its
     * backend: `without` says what is left out. It runs only where it is asked for by its name, is
     * never right and never ranks. Both NULL for all others. */
    const char *ablates, *without;

    ndft_kind_of_problem kind; /* the problems that it serves */
    const char *library;       /* "fftw" (host_fft.h) or "cufft", which its plans call; "" or NULL:
                                * none */
    bool peer;                 /* somebody else's library in its own right: never chosen */
} ndft_registered;

/* Of libndft, those of CUDA have their variants once libndft_cuda.so is open. */
extern ndft_registered ndft_registry[];
extern const int ndft_registry_size;

/* "fftw" or "cufft" where the entry is that library and nothing else, a rival that may be chosen;
 * NULL: it is not. */
const char *ndft_vendor_of(const ndft_registered *);

/* "spread=hybrid interpolate=unsorted" where the entry is a scheme, a published name for these
 * choices of its engine's stages; NULL: it is not. */
const char *ndft_scheme_of(const ndft_registered *);

/* Whether an entry is an engine itself, with any choice of its stages. */
bool ndft_is_engine(const ndft_registered *);

/* The kind of the problems that plans of a variant are made for; nonuniform where it is not
 * registered. */
ndft_kind_of_problem ndft_kind_served(const ndft_variant *);

/* NULL, or a sentence that says which library a variant cannot do without and how to get it. */
const char *ndft_library_missing(const ndft_variant *);

#endif
