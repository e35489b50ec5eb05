/* SPDX-License-Identifier: Apache-2.0 */
#include "case_keys.h"

#include "base/text.h"
#include "case_start.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static ndft_status check_no_phantom(const ndft_case *c, ndft_error *err)
{
    if (c->data.kind != NDFT_DATA_PHANTOM) return NDFT_OK;
    return ndft_key_fail(err, ndft_key_find("data", 4), "phantom",
                         "of %s cases it is random or file:PATH", ndft_start_word(c->kind));
}

/* Outputs as many as inputs, and a period of the larger of both, where nothing else is said. */
static void choose_boxes(ndft_case *c)
{
    for (int d = 0; d < 3; d++) {
        if (!c->outputs[d]) c->outputs[d] = c->n[d];
        if (!c->cells[d]) c->cells[d] = c->n[d] > c->outputs[d] ? c->n[d] : c->outputs[d];
    }
}

static ndft_status check_entries(ndft_case *c, ndft_error *err)
{
    if (c->w.modulus == 0) c->w = (ndft_polar){1, -1 / (double)c->n[0]};
    const ndft_chirpz_problem as = {
        .problem = {.prec = c->prec, .n = {c->n[0]}, .n_samples = c->m}, .w = c->w, .a = c->a};
    char why[NDFT_CHIRPZ_WHY], text[100];
    const char *name = ndft_chirpz_beyond(&as, why, sizeof why);
    if (!name) return NDFT_OK;
    const ndft_key *key = ndft_key_of(c->kind, name, strlen(name));
    key->type->print(key, c, text, sizeof text);
    return ndft_key_fail(err, key, text, "%s", why);
}

/* So that products of two indices are doubles. */
static ndft_status finish_chirpz(ndft_case *c, ndft_error *err)
{
    choose_boxes(c);
    c->m = c->outputs[0];
    if (c->n[0] > NDFT_CHIRPZ_LONGEST || c->m > NDFT_CHIRPZ_LONGEST)
        return ndft_fail(err, NDFT_EINVAL,
                         "chirpz: %lld inputs and %lld outputs; at most %d each, so that products "
                         "of indices are exact",
                         (long long)c->n[0], (long long)c->m, NDFT_CHIRPZ_LONGEST);
    return check_entries(c, err);
}

static ndft_status finish_convolution(ndft_case *c, ndft_error *err)
{
    const ndft_key *key = ndft_key_of(c->kind, "cells", 5);
    char text[80];
    choose_boxes(c);
    ndft_sizes_print(c->cells, c->dim, text, sizeof text);
    for (int d = 0; d < 3; d++) {
        const long long n = c->n[d], outputs = c->outputs[d], most = n > outputs ? n : outputs;
        if (c->cells[d] < most)
            return ndft_key_fail(err, key, text,
                                 "axis %d has at least %lld, as many as its input and output, and "
                                 "nothing wraps around from %lld on",
                                 d + 1, most, n + outputs - 1);
    }
    if (c->cells[0] * c->cells[1] > INT32_MAX ||
        c->cells[0] * c->cells[1] * c->cells[2] > INT32_MAX)
        return ndft_key_fail(err, key, text, "a grid holds at most %d voxels", INT32_MAX);
    c->m = c->outputs[0] * c->outputs[1] * c->outputs[2];
    return NDFT_OK;
}

ndft_status ndft_case_finish(ndft_case *c, ndft_error *err)
{
    if (c->kind != NDFT_NONUNIFORM) NDFT_TRY(check_no_phantom(c, err));
    if (c->kind == NDFT_CONVOLUTION) return finish_convolution(c, err);
    if (c->kind == NDFT_CHIRPZ) return finish_chirpz(c, err);
    if (c->kind != NDFT_NONUNIFORM) return NDFT_OK;
    NDFT_TRY(check_trajectory(c, err));
    NDFT_TRY(check_fov(c, err));
    NDFT_TRY(check_times(c, err));
    NDFT_TRY(check_phase(c, err));
    return check_gradient(c, err);
}
