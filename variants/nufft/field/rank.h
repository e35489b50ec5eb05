/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_H
#define NDFT_NUFFT_RANK_H

#include "base/problem.h"
#include "base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The field map as a short sum of plain transforms:
 *
 *     exp(-i dw_k t_j)  ~  sum_{l < terms} b_l(t_j) c_l(dw_k)
 *
 * With w0 and t0 the middles of the field's and the clock's range, the phases exp(-i w0 t_j) and
 * exp(-i (dw_k - w0) t0) are exact and stand in b and in `place`; what is left, exp(-i w s) with
 * |w| <= W, |s| <= S, has about BT + 1 significant terms, BT = 2 W S / pi. The c_l are real and
 * orthonormal over the voxels' histogram, so that the best b_l(t) is a projection. Their span is
 *
 *     svd       of the largest singular vectors of exp(-i w s), weighted by the histogram: fewest
 *               (Fessler et al., IEEE Trans. Signal Process. 2005)
 *     segments  of exp(-i w s_l) at evenly spaced times s_l, least squares (Sutton et al., IEEE
 *               Trans. Med. Imaging 2003)
 *     hanning   the same, blended by Hanning windows (Noll et al., IEEE Trans. Med. Imaging 1991):
 *               its error falls as one over the number of segments
 *
 * With gradient maps, sinc(k_d/N_d + G_d t) is a sum over points u_q of exp(-2 pi i G_d t u_q) and
 * a weight of the sample (rank_basis.h): each node of all axes together is a plain operator
 * whose field is dw + 2 pi G.u_q. The columns are then all pairs, q*terms + l, and
 *
 *     forward   s_j = sum_column sample_weight(j, column) . plain(voxel_weight(., column) m)_j
 *     adjoint   m_k = sum_column conj(voxel_weight(k, column)) . plain^H(conj(sample_weight) d)_k
 *     sample_weight(j, q*terms + l) = b[row[j]][l] turn[j][q]
 *     voxel_weight(k, q*terms + l)  = c_l(place[q][k]) (place[q][k].re + i place[q][k].im)
 *
 * With decay its terms are those of both together (rank_decay.h), and each of them is a node of its
 * own, for every node of the gradients: terms is 1, b and c are 1, and `turn` and `place` hold the
 * weights as they are. With a phase of higher order they are those of all three (rank_higher.h),
 * without gradients. Other methods than svd have no such terms.
 */

/* In the order of the knob `field` (shape.h). */
typedef enum ndft_rank_method {
    NDFT_RANK_SVD,
    NDFT_RANK_SEGMENTS,
    NDFT_RANK_HANNING,
} ndft_rank_method;

enum {
    NDFT_RANK_TERMS = 160,   /* the most terms that are tried */
    NDFT_RANK_COLUMNS = 512, /* the most columns */
};

/* What a problem needs, without tables: cheap enough for unsupported() and truncation(). */
typedef struct ndft_rank_choice {
    int terms, nodes; /* columns = terms * nodes */
    double
        error; /* predicted root mean square over entries, a bound; above tol where out of reach */
    double worst; /* a bound of the error of any entry B_jk exp(-i dw_k t_j) */
    double gain;  /* the largest sum over columns of |sample_weight| |voxel_weight| */
    double units; /* roundings of weights, their products and the sum of columns, in eps of gain */
    const char *unsupported; /* NULL, or a sentence saying why it cannot be done */
} ndft_rank_choice;

/*
 * The fewest terms and nodes whose predicted error, of the problem's tol_kind, is at most tol, the
 * part of the case's tolerance that is left for the field map. The typical error predicted is the
 * largest of the root mean squares over the voxels at any one time and over the times at any one
 * off-resonance in use, so that it holds for images and samples that dwell where the sum is worst.
 * No field or no time: one term, no error.
 */
ndft_rank_choice ndft_rank_choose(const ndft_problem *p, ndft_rank_method method, double tol);

struct ndft_rank_tables; /* what the arrays are filled from (rank_basis.h) */

/*
 * The tables, on the host, in the problem's precision; complex numbers are interleaved re,im. They
 * are plain arrays of the sizes given, to be uploaded as they are.
 */
typedef struct ndft_rank {
    int terms, nodes, columns;
    double error; /* as predicted by ndft_rank_choose */
    bool plain;   /* all weights are 1: columns is 1, no array is there */

    /* Sample side: rows of b, one for each distinct time, with the phase of w0 in it. */
    int64_t rows;
    int32_t *row; /* [n_samples], in the problem's order */
    void *b;      /* complex [rows][terms] */
    void *turn;   /* complex [n_samples][nodes]: weight of each node; NULL: 1 */

    /* Voxel side: c by polynomials of one degree on equal intervals of w, the phase of t0 beside.
     */
    int intervals, degree;
    void *c;     /* real [intervals][terms][degree + 1], highest power first */
    void *place; /* real [nodes][n_voxels][4]: interval, position in it in [-1, 1], re, im of the
                  * phase exp(-i w t0) */
} ndft_rank;

/*
 * Makes the tables that ndft_rank_choose promises. NDFT_EUNSUPPORTED with its sentence,
 * NDFT_ENOMEM; then nothing stays allocated.
 */
ndft_status ndft_rank_make(const ndft_problem *p, ndft_rank_method method, double tol,
                           ndft_error *error, ndft_rank *rank);

void ndft_rank_release(ndft_rank *rank);

/* Sizes of the arrays in bytes, for upload; 0 where the array is NULL. */
typedef struct ndft_rank_bytes {
    size_t row, b, turn, c, place;
} ndft_rank_bytes;

ndft_rank_bytes ndft_rank_sizes(const ndft_rank *rank, const ndft_problem *p);

#ifdef __cplusplus
}
#endif

#endif
