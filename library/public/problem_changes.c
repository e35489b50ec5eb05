/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memo.h"
#include "harness.h"
#include "objects.h"

#include <string.h>

/* A problem with new values of a part: what stays is shared, and what was found out of it. */

/* As it was described; maps on the grid. */
static ndft_problem_desc described(const ndft_owned *owned)
{
    const ndft_problem *p = &owned->problem;
    ndft_problem_desc d = ndft_description_of(p);
    d.t = owned->timed ? p->t : NULL;
    d.field = p->voxel ? owned->field : p->dw;
    d.decay = p->voxel ? owned->decay : p->decay;
    d.phases = p->higher.terms;
    d.phase_c = p->higher.c[0];
    d.phase_b = p->voxel ? owned->phase_b : p->higher.b[0];
    d.mask = owned->mask;
    d.maps = p->voxel ? owned->maps : p->maps;
    for (int axis = 0; axis < 3; axis++)
        d.gradient[axis] = p->voxel ? owned->gradient[axis] : p->g[axis];
    for (int axis = 0; axis < 3; axis++) d.position[axis] = owned->position[axis];
    return d;
}

static bool same_reals(const ndft_problem *p, const void *a, const void *b, int64_t count)
{
    if (!a || !b || a == b) return a == b;
    return !memcmp(a, b, (size_t)count * ndft_real_size(p->prec));
}

static bool same_clock_and_maps(const ndft_problem *a, const ndft_problem *b)
{
    bool same =
        a->n_samples == b->n_samples && a->n_voxels == b->n_voxels &&
        same_reals(a, a->t, b->t, a->n_samples) && same_reals(a, a->dw, b->dw, a->n_voxels) &&
        same_reals(a, a->decay, b->decay, a->n_voxels) && a->higher.terms == b->higher.terms;
    for (int axis = 0; axis < 3; axis++)
        same = same && same_reals(a, a->g[axis], b->g[axis], a->n_voxels);
    for (int l = 0; same && l < a->higher.terms; l++)
        same = same_reals(a, a->higher.c[l], b->higher.c[l], a->n_samples) &&
               same_reals(a, a->higher.b[l], b->higher.b[l], a->n_voxels);
    return same;
}

ndft_status ndft_changed_problem(const ndft_owned *owned, const ndft_problem_desc *changes,
                                 ndft_owned **changed)
{
    ndft_problem_desc d = described(owned);
    if (changes->field) d.field = changes->field;
    if (changes->mask) d.mask = changes->mask;
    if (changes->maps) d.maps = changes->maps;
    if (changes->n_samples && d.phases)
        return ndft_fail(ndft_thread_error(), NDFT_EUNSUPPORTED,
                         "phase_c belongs to the samples that it was given with; make a problem of "
                         "the new ones");
    if (changes->n_samples) {
        d.n_samples = changes->n_samples;
        d.t = changes->t;
        for (int axis = 0; axis < 3; axis++) d.k[axis] = changes->k[axis];
    }
    NDFT_TRY(
        ndft_describe_problem(&owned->device->device, &d, owned->borrowed ? NULL : owned, changed));
    if (same_clock_and_maps(&owned->problem, &(*changed)->problem))
        ndft_memo_inherit(&(*changed)->problem, &owned->problem);
    return NDFT_OK;
}
