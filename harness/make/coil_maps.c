/* SPDX-License-Identifier: Apache-2.0 */
#include "coil_maps.h"

#include "files/role.h"
#include "maps.h"
#include "rng.h"

#include <math.h>

/*
 * birdcage: coils on a ring about the field of view, whose maps fall as 1/distance and turn with
 * the angle to the coil; all together see every voxel alike, sum_c |s_c|^2 = 1 (the model of
 *           sigpy.mri.birdcage_maps, in 3D with the distance along z).
 * random:   standard complex normal for each coil and voxel: no structure to exploit.
 */

typedef struct source {
    const ndft_case *c;
    ndft_array file;
    /* All maps at a place of the grid. */
    void (*at)(const struct source *, int64_t place, double (*s)[2]);
} source;

/* In halves of the field of view. */
static const double radius = 1.5;

static void birdcage_at(const source *from, int64_t place, double (*s)[2])
{
    const ndft_case *c = from->c;
    int64_t x[3];
    double r[3], power = 0;
    ndft_grid_coord(c, place, x);
    for (int d = 0; d < 3; d++) r[d] = 2 * (double)x[d] / (double)c->n[d];
    for (int i = 0; i < c->coils; i++) {
        const double angle = 2 * M_PI * i / c->coils;
        const double dx = r[0] - radius * cos(angle), dy = r[1] - radius * sin(angle);
        const double phase = atan2(dx, -dy) - angle, square = dx * dx + dy * dy + r[2] * r[2];
        s[i][0] = cos(phase) / sqrt(square);
        s[i][1] = sin(phase) / sqrt(square);
        power += 1 / square;
    }
    for (int i = 0; i < c->coils; i++)
        for (int part = 0; part < 2; part++) s[i][part] /= sqrt(power);
}

static void random_at(const source *from, int64_t place, double (*s)[2])
{
    const int64_t grid = ndft_grid_size(from->c);
    for (int64_t i = 0; i < from->c->coils; i++)
        ndft_rng_normal(from->c->seed, NDFT_STREAM_MAPS, (uint64_t)(i * grid + place), s[i]);
}

static void file_at(const source *from, int64_t place, double (*s)[2])
{
    const int64_t grid = ndft_grid_size(from->c);
    for (int64_t i = 0; i < from->c->coils; i++) ndft_array_at(&from->file, i * grid + place, s[i]);
}

/* Returns the largest magnitude of a real or imaginary part before it is rounded. */
static double fill(const source *from, const ndft_problem *p, void *maps)
{
    double largest = 0;
#pragma omp parallel for reduction(max : largest)
    for (int64_t v = 0; v < p->n_voxels; v++) {
        double s[NDFT_MAX_COILS][2];
        from->at(from, p->voxel ? p->voxel[v] : v, s);
        for (int64_t i = 0; i < p->coils; i++)
            for (int part = 0; part < 2; part++) {
                ndft_put_real(maps, p->prec, 2 * (i * p->n_voxels + v) + part, s[i][part]);
                largest = fmax(largest, fabs(s[i][part]));
            }
    }
    return largest;
}

static ndft_status open_source(source *from, ndft_arena *scratch, ndft_error *err)
{
    const ndft_case *c = from->c;
    const ndft_source_kind kind = c->maps.kind;
    from->at = kind == NDFT_MAPS_BIRDCAGE ? birdcage_at : random_at;
    if (kind != NDFT_SOURCE_FILE) return NDFT_OK;
    from->at = file_at;
    return ndft_array_read(c->maps.path, &ndft_role_maps,
                           (int64_t[]){c->coils, c->n[2], c->n[1], c->n[0]}, 4, scratch,
                           &from->file, err);
}

ndft_status ndft_coil_maps_make(const ndft_case *c, const ndft_problem *p, ndft_arena *own,
                                ndft_arena *scratch, const void **maps, ndft_error *err)
{
    source from = {.c = c};
    *maps = NULL;
    if (c->maps.kind == NDFT_SOURCE_NONE) return NDFT_OK;
    NDFT_TRY(open_source(&from, scratch, err));
    void *out = ndft_arena_alloc(own, "coil maps", p->coils * p->n_voxels,
                                 2 * ndft_real_size(p->prec), err);
    if (!out) return NDFT_ENOMEM;
    const double largest = fill(&from, p, out);
    if (largest == 0)
        return ndft_fail(err, NDFT_EINVAL, "maps=file:%s: 0 everywhere; that leaves no image",
                         c->maps.path);
    if (p->prec == NDFT_F32 && !isfinite((float)largest))
        return ndft_fail(err, NDFT_EINVAL, "maps=file:%s: %g is beyond float; prec=f64 holds it",
                         c->maps.path, largest);
    *maps = out;
    return NDFT_OK;
}
