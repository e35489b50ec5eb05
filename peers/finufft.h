/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PEERS_FINUFFT_H
#define NDFT_PEERS_FINUFFT_H

#include "field.h"
#include "library.h"

#include "base/text.h"
#include "base/variant.h"

#include <stdint.h>

/*
 * What FINUFFT's processor and GPU libraries have in common: how a problem maps onto their calls,
 * the tolerance that they are asked for, and what their errors mean. A. H. Barnett, J. Magland and
 * L. af Klinteberg, SIAM J. Sci. Comput. 41 (2019) C479; Y. Shih and others, arXiv:2102.08463.
 *
 * Forward is their type 2 with exp(-i k.x), adjoint their type 1 with exp(+i k.x); their mode order
 * is ours, x fastest, from -floor(N/2); points are 2 pi k/N; coils are their transforms.
 */

/* Their calls, alike but for the options (finufft.h, cufinufft.h); by precision where they take no
 * tolerance. Points and vectors are of float or double, in the library's memory. */
typedef struct peer_calls {
    peer_library library;
    const peer_weigher *weigher; /* of its memory */
    void (*default_opts)(void *opts);
    int (*makeplan)(int type, int dim, const int64_t *modes, int sign, int transforms, double eps,
                    void **plan, const void *opts);
    int (*makeplanf)(int type, int dim, const int64_t *modes, int sign, int transforms, float eps,
                     void **plan, const void *opts);
    /* n is 0, which is passed alike to an int, as cuFINUFFT has it. */
    int (*setpts[2])(void *plan, int64_t m, const void *x, const void *y, const void *z, int64_t n,
                     const void *s, const void *t, const void *u);
    int (*execute[2])(void *plan, void *samples, void *modes);
    int (*destroy[2])(void *plan);
} peer_calls;

/* Loads libNAME.so and its calls NAME_makeplan, NAMEf_makeplan and so on; see library.h. */
void peer_calls_load(peer_calls *, const char *name, const char *banner, const peer_weigher *);

/* The upsampling of their grid; 0 leaves it to them. Words of the knob upsampfac. */
extern const char *const peer_upsampling_words[];
double peer_upsampling(int word);

/* Knobs of both. */
#define PEER_EPS_KNOB                                                                              \
    NDFT_KNOB("eps", "half decades",                                                               \
              "how far below the case's tol its tolerance lies; 0 as it promises", 0,              \
              (0, 1, 2, 3))
#define PEER_UPSAMPFAC_KNOB                                                                        \
    NDFT_KNOB_WORDS("upsampfac", "oversampling of its grid, in hundredths", peer_upsampling_words, \
                    0, (0, 1, 2))

/*
 * What was measured of a library's relative l2 errors with one upsampling factor: the largest per
 * tolerance asked for, the least that it reaches in either precision, and what rounding adds, in
 * units of it, for every mode along an axis.
 */
typedef struct peer_accuracy {
    double per_tolerance, least[2], per_mode;
} peer_accuracy;

/* NULL, or why neither library serves this problem. */
const char *peer_finufft_unsupported(const ndft_problem *, const peer_accuracy *, int steps);

/*
 * How tol is split. transform: the tolerance to ask theirs for, what rounding and a field map leave
 * of tol, or half decades (steps) below. field: that of the field map's terms. Of typical errors
 * the squares add, and as ours do, terms are left what the transforms leave, 0.35 tol at least
 * (nufft/shape.h). With 0 steps, which leave no more, and with tol_kind=any terms have 0.35 tol and
 * the transforms all that these terms leave.
 */
typedef struct peer_tolerance {
    double transform, field;
    int terms; /* that the field map takes; 0: there is none */
} peer_tolerance;

peer_tolerance peer_tolerance_of(const ndft_problem *, const peer_accuracy *, int steps);

/* The typical error that is claimed when these tolerances are asked for, and the worst entry. With
 * 0 steps it is tol, as they promise it and the check may find otherwise. */
double peer_typical(const ndft_problem *, const peer_accuracy *, int steps);
double peer_worst(const ndft_problem *, const peer_accuracy *, int steps);

/*
 * A plan of theirs with its points set for each of ops, asked for these tolerances. The plan keeps
 * calls; opts[op] are copied. NDFT_EUNSUPPORTED where they refuse, with the call and its result.
 */
ndft_status peer_plan_make(const peer_calls *, const void *const opts[], const ndft_problem *,
                           peer_tolerance, unsigned ops, ndft_exec *, void **plan);

/* As a descriptor's. */
ndft_status peer_plan_execute(void *plan, ndft_op, const void *in, void *out);
void peer_plan_destroy(void *plan);
ndft_cost peer_plan_cost(const ndft_problem *, ndft_op, const int *knobs);
void peer_plan_chosen(const void *plan, char *text, size_t size);

/* As ndft_peer's. A field map's factors are made once, and belong to the plan. _alone: what both
 * libraries are given there, before their own. */
ndft_text peer_plan_alone(peer_tolerance, char *text, size_t size);
void peer_plan_seconds(const void *plan, ndft_op, double *plan_s, double *setpts_s);

#endif
