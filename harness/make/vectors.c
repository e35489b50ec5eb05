/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include "files/role.h"
#include "maps.h"
#include "phantom.h"
#include "rng.h"

#include <math.h>

typedef struct source {
    const ndft_case *problem;
    const ndft_problem *p;
    ndft_side side;
    int coils;
    int64_t full; /* elements per coil without a mask, which random numbers and files count in */
    ndft_array file;
    /* Element e for all coils; at is its place without a mask. */
    void (*element)(const struct source *, int64_t e, int64_t at, double (*z)[2]);
} source;

static void random_element(const source *s, int64_t e, int64_t at, double (*z)[2])
{
    (void)e;
    uint64_t stream = s->side == NDFT_SIDE_IMAGE ? NDFT_STREAM_IMAGE : NDFT_STREAM_KSPACE;
    for (int c = 0; c < s->coils; c++)
        ndft_rng_normal(s->problem->seed, stream, (uint64_t)(c * s->full + at), z[c]);
}

static void file_element(const source *s, int64_t e, int64_t at, double (*z)[2])
{
    (void)e;
    for (int c = 0; c < s->coils; c++) ndft_array_at(&s->file, c * s->full + at, z[c]);
}

static void phantom_element(const source *s, int64_t e, int64_t at, double (*z)[2])
{
    double place[3] = {0, 0, 0}, value[2] = {0, 0};
    if (s->side == NDFT_SIDE_IMAGE) {
        int64_t x[3];
        ndft_grid_coord(s->problem, at, x);
        for (int d = 0; d < 3; d++) place[d] = (double)x[d] / (double)s->p->n[d];
        value[0] = ndft_phantom_at(s->p->dim, place);
    } else {
        for (int d = 0; d < s->p->dim; d++) place[d] = ndft_real_at(s->p->k[d], s->p->prec, e);
        ndft_phantom_transform(s->p->dim, place, value);
        for (int i = 0; i < 2; i++) value[i] *= (double)ndft_grid_size(s->problem);
    }
    for (int c = 0; c < s->coils; c++) {
        double w[2];
        ndft_phantom_coil(c, s->coils, w);
        z[c][0] = w[0] * value[0] - w[1] * value[1];
        z[c][1] = w[0] * value[1] + w[1] * value[0];
    }
}

/* Returns the largest magnitude of a real or imaginary part before it is rounded. */
static double fill(const source *s, void *out)
{
    const ndft_problem *p = s->p;
    const ndft_placement columns =
        ndft_placement_of(p->layout, s->coils, ndft_side_length(p, s->side));
    bool masked = s->side == NDFT_SIDE_IMAGE && p->voxel;
    double largest = 0;
#pragma omp parallel for reduction(max : largest)
    for (int64_t e = 0; e < columns.length; e++) {
        double z[NDFT_MAX_COILS][2];
        s->element(s, e, masked ? p->voxel[e] : e, z);
        for (int64_t c = 0; c < columns.coils; c++) {
            int64_t at = 2 * (e * columns.element + c * columns.coil);
            ndft_put_real(out, p->prec, at, z[c][0]);
            ndft_put_real(out, p->prec, at + 1, z[c][1]);
            largest = fmax(largest, fmax(fabs(z[c][0]), fabs(z[c][1])));
        }
    }
    return largest;
}

static ndft_status read_file(source *s, ndft_arena *scratch, ndft_error *err)
{
    const ndft_case *c = s->problem;
    s->element = file_element;
    if (s->side == NDFT_SIDE_KSPACE)
        return ndft_array_read(c->data.path, &ndft_role_data, (int64_t[]){c->coils, c->m}, 2,
                               scratch, &s->file, err);
    return ndft_array_read(c->data.path, &ndft_role_image,
                           (int64_t[]){s->coils, c->n[2], c->n[1], c->n[0]}, 4, scratch, &s->file,
                           err);
}

void *ndft_vector_make(const ndft_case *c, const ndft_problem *p, ndft_side side, ndft_arena *own,
                       ndft_arena *scratch, ndft_error *err)
{
    source s = {.problem = c,
                .p = p,
                .side = side,
                .coils = ndft_side_coils(p, side),
                .element = random_element};
    s.full = side == NDFT_SIDE_IMAGE ? ndft_grid_size(c) : c->m;
    if (c->data.kind == NDFT_DATA_PHANTOM) s.element = phantom_element;
    if (c->data.kind == NDFT_SOURCE_FILE && side == ndft_side_in(c->op) &&
        read_file(&s, scratch, err) != NDFT_OK)
        return NULL;
    int64_t length = ndft_side_length(p, side);
    void *out = ndft_arena_alloc(own, side == NDFT_SIDE_IMAGE ? "image" : "k-space data",
                                 length * s.coils, 2 * ndft_real_size(p->prec), err);
    if (!out) return NULL;
    double largest = fill(&s, out);
    if (p->prec == NDFT_F64 || isfinite((float)largest)) return out;
    ndft_fail(err, NDFT_EINVAL, "data=file:%s: %g is beyond float; prec=f64 holds it", c->data.path,
              largest);
    return NULL;
}
