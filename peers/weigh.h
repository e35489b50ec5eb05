/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PEERS_WEIGH_H
#define NDFT_PEERS_WEIGH_H

#include "base/exec.h"
#include "base/problem.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Between a problem's vectors and the columns of a field map's terms, planar all of them: term l of
 * coil c is column l*coils + c. Arrays are complex, in the library's memory.
 */
typedef struct peer_weights {
    ndft_prec prec;
    int terms, coils;
    int64_t length;  /* elements of a column */
    const void *of;  /* [terms][length] */
    bool conjugated; /* they are taken conjugated */
} peer_weights;

/* How either library's memory is weighed; on a GPU by launches on exec's stream and nothing else.
 */
typedef struct peer_weigher {
    /* columns[l*coils + c] = weights[l] in[c] */
    ndft_status (*expand)(ndft_exec *, const peer_weights *, const void *in, void *columns);
    /* out[c] = sum_l weights[l] columns[l*coils + c] */
    ndft_status (*join)(ndft_exec *, const peer_weights *, const void *columns, void *out);
} peer_weigher;

extern const peer_weigher peer_weigher_cpu, peer_weigher_cuda;

#ifdef __cplusplus
}
#endif

#endif
