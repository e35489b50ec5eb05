/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PEERS_FIELD_H
#define NDFT_PEERS_FIELD_H

#include "weigh.h"

/*
 * A field map for a library that has plain transforms alone, by the low-rank factors that ours are
 * given (variants/nufft/field/rank.h), whose L terms make L transforms of every coil:
 *
 *     exp(-i dw_k t_j)  ~  sum_{l < L} b_l(t_j) c_l(dw_k)
 *     forward   s_j = sum_l b_l(t_j) . plain(c_l m)_j
 *     adjoint   m_k = sum_l conj(c_l(dw_k)) . plain^H(conj(b_l) d)_k
 *
 * Both factors are arrays of an element for each voxel or sample and term, made when the plan is.
 */

enum { PEER_IMAGE, PEER_SAMPLES, PEER_SIDES };

typedef struct peer_field {
    const peer_weigher *weigher;
    int terms; /* 1 without a field map */
    /* By side, in the library's memory; NULL: there is nothing to weigh. */
    void *weights[PEER_SIDES]; /* [terms][length] */
    void *columns[PEER_SIDES]; /* [terms*coils][length] */
} peer_field;

/* As many terms as bring their error, of the problem's tol_kind, within tol: the fewest. */
ndft_status peer_field_make(const ndft_problem *, double tol, const peer_weigher *, ndft_exec *,
                            peer_field *);
void peer_field_release(peer_field *, ndft_exec *);

/* From a problem's vector to what the transforms read of a side, and from what they wrote of it. */
ndft_status peer_field_expand(const peer_field *, const ndft_problem *, ndft_exec *, int side,
                              const void *in, bool conjugated);
ndft_status peer_field_join(const peer_field *, const ndft_problem *, ndft_exec *, int side,
                            void *out, bool conjugated);

#endif
