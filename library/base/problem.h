/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BASE_PROBLEM_H
#define NDFT_BASE_PROBLEM_H

#include <ndft/types.h>

/*
 * What to compute, without direction; immutable once made.
 *
 *     forward   s_j = sum_k m_k B_jk exp(-i phi_jk)        image -> k-space
 *     adjoint   m_k = sum_j d_j B_jk exp(+i phi_jk)        k-space -> image
 *     phi_jk  = 2 pi (k_j . r_k) + dw_k t_j + sum_l c_lj b_lk
 *     B_jk    = exp(-R_k t_j), 1 without decay, and with gradient maps its product with
 *               prod_d sinc(k_dj/N_d + G_dk t_j), sinc(x) = sin(pi x)/(pi x)
 *
 * With coil maps s there is one image m: coil c has the samples of s_c m, and the adjoint is
 * sum_c conj(s_c) times what it is of each coil's samples.
 *
 * Voxels lie at r = x/N per axis. On a Cartesian grid x is the centred integer n - floor(N/2),
 * n = 0..N-1, x axis fastest; off it x is any number, and the grid is only how voxels are counted.
 * A mask leaves a list of them. Complex data are interleaved re,im.
 */

/* Regularity found and verified when the problem is made; 0 where there is none. */
typedef struct ndft_structure {
    int64_t line_length; /* samples come in lines of this many, k and t exactly uniform in each */
    int64_t distinct_times; /* number of different readout times over all samples */
    double repeats; /* how many samples are the same as one, in the mean over them, itself too */
} ndft_structure;

/* The phase of higher order than trajectory and field map: sum_l c_l(j) b_l(k), in rad. */
typedef struct ndft_higher_phase {
    int terms;                        /* 0: absent */
    const void *c[NDFT_HIGHER_TERMS]; /* [n_samples] each, rad per unit of b */
    const void *b[NDFT_HIGHER_TERMS]; /* [n_voxels] each */
    double c_max[NDFT_HIGHER_TERMS], b_max[NDFT_HIGHER_TERMS]; /* largest magnitudes */
    double most; /* rad, a bound on |phase|: sum_l c_max b_max */
} ndft_higher_phase;

typedef struct ndft_problem {
    int dim; /* 1..3 */
    ndft_prec prec;
    ndft_layout layout;
    int coils;  /* columns that share trajectory and field map, 1..256 */
    double tol; /* requested error */
    ndft_tol_kind tol_kind;

    int64_t n[3];      /* grid size per axis, 1 beyond dim */
    int64_t n_voxels;  /* voxels in use */
    int64_t n_samples; /* k-space samples */

    const int32_t *voxel; /* [n_voxels] grid index of each voxel, ascending; NULL: the whole grid */

    /* Arrays of float or double by prec. */
    const void *x[3];  /* [n_voxels] position, voxels from the centre; all NULL: on the grid */
    const void *k[3];  /* [n_samples] k-space position, cycles/FOV; NULL beyond dim */
    const void *t;     /* [n_samples] readout time, s */
    const void *dw;    /* [n_voxels] off-resonance, rad/s; NULL: absent */
    const void *decay; /* [n_voxels] R2*, 1/s, at least 0, as t is then; NULL: absent */
    const void *g[3];  /* [n_voxels] field-map gradient, Hz/voxel; all NULL: absent */
    ndft_higher_phase higher;
    const void *maps; /* [coils][n_voxels] complex, in either layout: the image is one, which each
                       * coil sees times its map; NULL: each coil has an image of its own */

    /* Largest magnitudes, for claims and for the choice of approximations. */
    double x_max[3]; /* off the grid, ndft_reach says it of any */
    double k_max[3], t_max, dw_max, decay_max, g_max[3];
    double phi_max; /* rad, a bound on |phi_jk|: 2 pi sum_d k_max ndft_reach/N_d + dw_max t_max +
                     * higher.most */
    double b_rms;   /* root mean square of B_jk, at most, where it is not 1 (bounds.h) */
    double maps_max, power_max, power_mean; /* of |s_cv|, and of sum_c |s_cv|^2 over the voxels */

    ndft_structure structure;

    struct ndft_memo *memo; /* of what was found out about it (memo.h); NULL: none */
} ndft_problem;

typedef struct ndft_memo ndft_memo;

/* Unit roundoff: 2^-24 or 2^-53. */
static inline double ndft_roundoff(ndft_prec prec) { return prec == NDFT_F32 ? 0x1p-24 : 0x1p-53; }

static inline bool ndft_has_gradients(const ndft_problem *p) { return p->g[0] != NULL; }

static inline bool ndft_is_off_grid(const ndft_problem *p) { return p->x[0] != NULL; }

/* Largest |x| of a voxel along axis d; on a grid of all, whatever the mask. */
static inline double ndft_reach(const ndft_problem *p, int d)
{
    return ndft_is_off_grid(p) ? p->x_max[d] : (double)(p->n[d] / 2);
}

/* Whether readout times matter. */
static inline bool ndft_is_timed(const ndft_problem *p)
{
    return p->dw || p->decay || ndft_has_gradients(p);
}

/* Whether entries may be smaller than 1: B_jk is not 1 throughout. */
static inline bool ndft_is_weighted(const ndft_problem *p)
{
    return p->decay || ndft_has_gradients(p);
}

/* Centred integer coordinates of voxel v on the grid: x[d] = n_d - floor(N_d/2). */
static inline void ndft_voxel_coord(const ndft_problem *p, int64_t v, int64_t x[3])
{
    int64_t at = p->voxel ? p->voxel[v] : v;
    for (int d = 0; d < 3; d++) {
        x[d] = at % p->n[d] - p->n[d] / 2;
        at /= p->n[d];
    }
}

/* Position of voxel v wherever it lies, in voxels from the centre; 0 beyond dim. */
static inline void ndft_voxel_at(const ndft_problem *p, int64_t v, double x[3])
{
    int64_t grid[3];
    ndft_voxel_coord(p, v, grid);
    for (int d = 0; d < 3; d++)
        x[d] = p->x[d] ? ndft_real_at(p->x[d], p->prec, v) : (double)grid[d];
}

/* Elements per coil that op reads and writes. */
static inline int64_t ndft_input_length(const ndft_problem *p, ndft_op op)
{
    return op == NDFT_ADJOINT ? p->n_samples : p->n_voxels;
}

static inline int64_t ndft_output_length(const ndft_problem *p, ndft_op op)
{
    return op == NDFT_FORWARD ? p->n_samples : p->n_voxels;
}

/* Images, and vectors, that op reads and writes. */
static inline int ndft_image_coils(const ndft_problem *p) { return p->maps ? 1 : p->coils; }

static inline int ndft_input_coils(const ndft_problem *p, ndft_op op)
{
    return op == NDFT_ADJOINT ? p->coils : ndft_image_coils(p);
}

static inline int ndft_output_coils(const ndft_problem *p, ndft_op op)
{
    return op == NDFT_FORWARD ? p->coils : ndft_image_coils(p);
}

/* Bytes of a vector of all coils. */
static inline size_t ndft_vector_bytes(const ndft_problem *p, int64_t length)
{
    return (size_t)length * (size_t)p->coils * 2 * ndft_real_size(p->prec);
}

/* Of both, which are read and written once at least. */
static inline double ndft_both_bytes(const ndft_problem *p)
{
    return (double)(ndft_vector_bytes(p, p->n_voxels) + ndft_vector_bytes(p, p->n_samples));
}

/* Distance in complex elements between neighbouring elements, and between coils. */
static inline int64_t ndft_element_stride(const ndft_problem *p)
{
    return p->layout == NDFT_PLANAR ? 1 : p->coils;
}

static inline int64_t ndft_coil_stride(const ndft_problem *p, int64_t length)
{
    return p->layout == NDFT_PLANAR ? length : 1;
}

/* How a vector lies in memory, distances in complex elements. */
typedef struct ndft_placement {
    int coils;
    int64_t length, element, coil;
} ndft_placement;

static inline ndft_placement ndft_placement_of(ndft_layout layout, int coils, int64_t length)
{
    const ndft_placement planar = {coils, length, 1, length},
                         interleaved = {coils, length, coils, 1};
    return layout == NDFT_PLANAR ? planar : interleaved;
}

static inline ndft_placement ndft_input_placement(const ndft_problem *p, ndft_op op)
{
    return ndft_placement_of(p->layout, ndft_input_coils(p, op), ndft_input_length(p, op));
}

static inline ndft_placement ndft_output_placement(const ndft_problem *p, ndft_op op)
{
    return ndft_placement_of(p->layout, ndft_output_coils(p, op), ndft_output_length(p, op));
}

/* The useful work, the same for every variant; every rate is this over seconds. */
static inline double ndft_coil_pairs(const ndft_problem *p, ndft_op op)
{
    double pairs = (double)p->n_voxels * (double)p->n_samples * p->coils;
    return op == NDFT_NORMAL ? 2 * pairs : pairs;
}

#endif
