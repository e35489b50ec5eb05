/* SPDX-License-Identifier: Apache-2.0 */
#include "higher.h"

#include "files/cfl.h"
#include "files/npy.h"
#include "files/role.h"
#include "maps.h"
#include "rng.h"

#include <math.h>
#include <string.h>

/*
 * Phases of higher order, sum_l c_l(j) b_l(r).
 *
 * random: c uniform in [-R, R] per sample, b in [-1, 1] per voxel: no structure to exploit.
 * concomitant: what gradients G add to the static field B0 by Maxwell's equations, to lowest order
 *         (M. A. Bernstein et al., "Concomitant gradient terms in phase contrast MR: analysis and
 *         correction", Magn. Reson. Med. 39, 1998),
 *
 *     B_c = (Gz^2 (x^2 + y^2)/4 + (Gx^2 + Gy^2) z^2 - Gx Gz x z - Gy Gz y z) / (2 B0)
 *
 *         about the grid's centre. c is 2 pi gamma/(2 B0) times the integral of each product of
 *         gradients since its shot began; they are those between samples, which a clock that does
 *         not go on divides into shots. In 2D the image is the plane y = 0, its second axis z.
 */

static ndft_status allocate(const ndft_case *c, int terms, ndft_arena *arena, ndft_higher_made *h,
                            ndft_error *err)
{
    h->terms = terms;
    h->c = ndft_arena_alloc(arena, "phase coefficients", terms * c->m, sizeof(double), err);
    h->b = ndft_arena_alloc(arena, "phase maps", terms * ndft_grid_size(c), sizeof(double), err);
    return h->c && h->b ? NDFT_OK : NDFT_ENOMEM;
}

static ndft_status make_random(const ndft_case *c, ndft_arena *arena, ndft_higher_made *h,
                               ndft_error *err)
{
    const double most = c->phase.largest;
    const int64_t grid = ndft_grid_size(c);
    NDFT_TRY(allocate(c, (int)c->phase.a, arena, h, err));
    for (int l = 0; l < h->terms; l++) {
        const uint64_t of_c = NDFT_STREAM_PHASE_C + (uint64_t)l,
                       of_b = NDFT_STREAM_PHASE_B + (uint64_t)l;
        for (int64_t j = 0; j < c->m; j++)
            h->c[l * c->m + j] = ndft_rng_uniform(c->seed, of_c, (uint64_t)j, -most, most);
        for (int64_t v = 0; v < grid; v++)
            h->b[l * grid + v] = ndft_rng_uniform(c->seed, of_b, (uint64_t)v, -1, 1);
    }
    return NDFT_OK;
}

enum { CONCOMITANT_TERMS = 4 }; /* the last is 0 in a plane */

/* The image's axes in space. */
static void in_space(const ndft_case *c, const double at[3], double xyz[3])
{
    xyz[0] = at[0];
    xyz[1] = c->dim == 3 ? at[1] : 0;
    xyz[2] = c->dim == 3 ? at[2] : at[1];
}

/* x^2 + y^2, z^2, x z, y z, in m^2. */
static void fill_products(const ndft_case *c, ndft_higher_made *h)
{
    const int64_t grid = ndft_grid_size(c);
    for (int64_t v = 0; v < grid; v++) {
        int64_t n[3];
        double at[3], r[3];
        ndft_grid_coord(c, v, n);
        for (int d = 0; d < 3; d++) at[d] = c->fov * (double)n[d] / (double)c->n[d];
        in_space(c, at, r);
        const double b[CONCOMITANT_TERMS] = {r[0] * r[0] + r[1] * r[1], r[2] * r[2], r[0] * r[2],
                                             r[1] * r[2]};
        for (int l = 0; l < h->terms; l++) h->b[l * grid + v] = b[l];
    }
}

/* Between two samples, T/m. */
static void gradient(const ndft_trajectory *traj, int64_t j, double seconds, double g[3])
{
    const ndft_case *c = traj->problem;
    double step[3] = {0, 0, 0};
    for (int d = 0; d < c->dim; d++)
        step[d] = (traj->k[d][j] - traj->k[d][j - 1]) / (c->fov * NDFT_GAMMA * seconds);
    in_space(c, step, g);
}

static void fill_integrals(const ndft_trajectory *traj, ndft_higher_made *h)
{
    const ndft_case *c = traj->problem;
    const double scale = 2 * M_PI * NDFT_GAMMA / (2 * c->phase.largest);
    double sum[CONCOMITANT_TERMS] = {0};
    for (int64_t j = 0; j < c->m; j++) {
        const double seconds = j ? traj->t[j] - traj->t[j - 1] : 0;
        double g[3];
        if (seconds > 0) {
            gradient(traj, j, seconds, g);
            sum[0] += scale * seconds * g[2] * g[2] / 4;
            sum[1] += scale * seconds * (g[0] * g[0] + g[1] * g[1]);
            sum[2] -= scale * seconds * g[0] * g[2];
            sum[3] -= scale * seconds * g[1] * g[2];
        } else {
            memset(sum, 0, sizeof sum);
        }
        for (int l = 0; l < h->terms; l++) h->c[l * c->m + j] = sum[l];
    }
}

static ndft_status make_concomitant(const ndft_case *c, const ndft_trajectory *traj,
                                    ndft_arena *arena, ndft_higher_made *h, ndft_error *err)
{
    NDFT_TRY(allocate(c, c->dim == 3 ? CONCOMITANT_TERMS : CONCOMITANT_TERMS - 1, arena, h, err));
    fill_products(c, h);
    fill_integrals(traj, h);
    return NDFT_OK;
}

/* How many terms a file of c has. */
static ndft_status count_terms(const ndft_case *c, const char *path, ndft_arena *arena, int *terms,
                               ndft_error *err)
{
    ndft_array a;
    NDFT_TRY(ndft_is_cfl(path) ? ndft_cfl_read(path, arena, &a, err)
                               : ndft_npy_read(path, arena, &a, err));
    const int64_t count = ndft_array_count(&a), l = count / c->m;
    *terms = (int)l;
    if (l >= 1 && l <= NDFT_HIGHER_TERMS && count == l * c->m) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL,
                     "phase=file:%s: %lld numbers; wanted are those of 1 to %d terms of m=%lld "
                     "samples",
                     path, (long long)count, NDFT_HIGHER_TERMS, (long long)c->m);
}

static ndft_status read_files(const ndft_case *c, ndft_arena *arena, ndft_higher_made *h,
                              ndft_error *err)
{
    char path[NDFT_PATH_MAX];
    int terms;
    memcpy(path, c->phase.path, sizeof path);
    char *maps = strchr(path, ':');
    if (!maps) return ndft_fail(err, NDFT_EINVAL, "phase=file:%s: two paths are wanted", path);
    *maps++ = '\0';
    NDFT_TRY(count_terms(c, path, arena, &terms, err));
    NDFT_TRY(allocate(c, terms, arena, h, err));
    NDFT_TRY(
        ndft_reals_read(path, &ndft_role_phase_c, (int64_t[]){terms, c->m}, 2, arena, h->c, err));
    return ndft_reals_read(maps, &ndft_role_phase_b, (int64_t[]){terms, c->n[2], c->n[1], c->n[0]},
                           4, arena, h->b, err);
}

ndft_status ndft_higher_make(const ndft_case *c, const ndft_trajectory *traj, ndft_arena *arena,
                             ndft_higher_made *h, ndft_error *err)
{
    *h = (ndft_higher_made){0};
    switch (c->phase.kind) {
    case NDFT_SOURCE_NONE:
        return NDFT_OK;
    case NDFT_SOURCE_RANDOM:
        return make_random(c, arena, h, err);
    case NDFT_PHASE_CONCOMITANT:
        return make_concomitant(c, traj, arena, h, err);
    case NDFT_SOURCE_FILE:
        return read_files(c, arena, h, err);
    default:
        return ndft_fail(err, NDFT_EINVAL, "phase: no such phase");
    }
}
