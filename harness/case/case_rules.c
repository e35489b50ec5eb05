/* SPDX-License-Identifier: Apache-2.0 */
#include "case_keys.h"

#include "base/text.h"

#include <math.h>

/* What the keys of a case mean together. */

int64_t ndft_case_shots(const ndft_case *c)
{
    if (c->traj.kind == NDFT_SOURCE_FILE) return 1;
    return c->traj.a * (c->traj.kind == NDFT_TRAJ_SOS ? c->traj.b : 1);
}

/*
 * Shots that were not given: one for random and spirals (and files, whose clock runs through), else
 * round(sqrt(m)), which makes as many shots as samples in each. A stack of stars has a partition
 * for every slice, nz (fewer where there are fewer samples), each with round(sqrt(m/P)) shots.
 */
static void choose_shots(ndft_case *c)
{
    ndft_source *traj = &c->traj;
    if (traj->a) return;
    if (traj->kind == NDFT_TRAJ_SOS) {
        traj->b = c->n[2] < c->m ? c->n[2] : c->m;
        traj->a = llround(sqrt((double)c->m / (double)traj->b));
    } else if (traj->kind == NDFT_SOURCE_RANDOM || traj->kind == NDFT_SOURCE_FILE ||
               ndft_is_spiral(c)) {
        traj->a = 1;
    } else {
        traj->a = llround(sqrt((double)c->m));
    }
}

/* "random, radial, ...": the trajectories that exist in dim dimensions. */
static void list_trajectories(const ndft_source_word *table, int dim, char *text, size_t size)
{
    ndft_text list = ndft_text_in(text, size);
    for (; table->word; table++)
        if (table->dims & 1u << dim)
            ndft_text_add(&list, "%s%s", list.used ? ", " : "", table->word);
}

static ndft_status check_trajectory(ndft_case *c, ndft_error *err)
{
    const ndft_key *key = ndft_key_find("traj", 4);
    const ndft_source_word *w = ndft_source_find(key, (int)c->traj.kind);
    char text[NDFT_PATH_MAX + 64];
    if (!(w->dims & 1u << c->dim)) {
        list_trajectories(key->detail, c->dim, text, sizeof text);
        return ndft_key_fail(err, key, w->word, "does not exist in %dd; there are %s", c->dim,
                             text);
    }
    choose_shots(c);
    int64_t shots = ndft_case_shots(c);
    if (shots <= c->m) return NDFT_OK;
    key->type->print(key, c, text, sizeof text);
    return ndft_key_fail(err, key, text, "%lld shots but only m=%lld samples; at most one each",
                         (long long)shots, (long long)c->m);
}

/* fov, when it is neither used nor the default. */
static ndft_status check_fov(const ndft_case *c, ndft_error *err)
{
    const ndft_key *key = ndft_key_find("fov", 3);
    ndft_case preset;
    NDFT_TRY(key->type->parse(key, key->preset, &preset, err));
    if (ndft_has_fov(c) || c->fov == preset.fov) return NDFT_OK;
    char text[48];
    key->type->print(key, c, text, sizeof text);
    return ndft_key_fail(err, key, text, "only spirals and phase=concomitant have a field of view");
}

/* Both are the clock. */
static ndft_status check_times(const ndft_case *c, ndft_error *err)
{
    if (c->times.kind == NDFT_SOURCE_NONE || c->t == 0) return NDFT_OK;
    const ndft_key *key = ndft_key_find("t", 1);
    char text[48];
    key->type->print(key, c, text, sizeof text);
    return ndft_fail(err, NDFT_EINVAL,
                     "t=%s and times=file:%.300s: both set the clock; give one, or t=0", text,
                     c->times.path);
}

/* Gradients are what a trajectory is played with, in space. */
static ndft_status check_phase(const ndft_case *c, ndft_error *err)
{
    const ndft_key *key = ndft_key_find("phase", 5);
    char text[NDFT_PATH_MAX + 64];
    if (c->phase.kind != NDFT_PHASE_CONCOMITANT) return NDFT_OK;
    key->type->print(key, c, text, sizeof text);
    if (c->dim == 1)
        return ndft_key_fail(err, key, text, "does not exist in 1d, where it is 0 along each axis");
    if (c->traj.kind == NDFT_SOURCE_RANDOM)
        return ndft_key_fail(err, key, text,
                             "traj=random has no gradients; spiral, radial and all others have");
    if (c->t > 0 || c->times.kind == NDFT_SOURCE_FILE) return NDFT_OK;
    return ndft_key_fail(err, key, text, "gradients take time: give t=READOUT or times=file:PATH");
}

static ndft_status check_gradient(const ndft_case *c, ndft_error *err)
{
    if (c->grad.kind != NDFT_GRAD_FIELD) return NDFT_OK;
    if (c->field.kind == NDFT_SOURCE_NONE)
        return ndft_fail(err, NDFT_EINVAL,
                         "grad=field: it is computed from the map, so field= must not be none");
    if (c->grid.kind == NDFT_SOURCE_NONE) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL,
                     "grad=field: neighbours are a voxel apart on the grid alone; with grid= it is "
                     "random:FREQUENCY or file:PATH");
}

ndft_status ndft_case_finish(ndft_case *c, ndft_error *err)
{
    if (c->kind == NDFT_UNIFORM)
        return c->data.kind != NDFT_DATA_PHANTOM
                   ? NDFT_OK
                   : ndft_key_fail(err, ndft_key_find("data", 4), "phantom",
                                   "of uniform cases it is random or file:PATH");
    NDFT_TRY(check_trajectory(c, err));
    NDFT_TRY(check_fov(c, err));
    NDFT_TRY(check_times(c, err));
    NDFT_TRY(check_phase(c, err));
    return check_gradient(c, err);
}
