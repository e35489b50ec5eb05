/* SPDX-License-Identifier: Apache-2.0 */
#include "select.h"

#include "select_uniform.h"

#include <math.h>
#include <string.h>

/* What no distance can bridge: another operation is another kernel, another mode another clock. */
bool ndft_select_comparable(const ndft_pick *pick, const ndft_question *q)
{
    if (pick->kind != q->kind || strcmp(pick->device, q->device) || strcmp(pick->mode, q->mode) ||
        strcmp(pick->prec, q->prec == NDFT_F32 ? "f32" : "f64"))
        return false;
    if (q->kind == NDFT_UNIFORM) return ndft_transforms_comparable(pick, q);
    return !strcmp(pick->op, ndft_op_name(q->op)) && !pick->gradients == !q->gradients;
}

static bool within(const double bounds[2], double value)
{
    return bounds[0] <= value && value <= bounds[1];
}

static bool same_class(const ndft_pick *pick, const ndft_question *q)
{
    if (pick->dim != q->dim || pick->tol != q->tol) return false;
    if (q->kind == NDFT_UNIFORM) return ndft_transforms_alike(pick, q);
    return !pick->field == !q->field && !pick->lines == !q->lines &&
           within(pick->per_time, floor(q->per_time)) && within(pick->voxels, q->voxels) &&
           within(pick->samples, q->samples) && within(pick->coils, q->coils) &&
           within(pick->turns, q->turns);
}

/* Factors of two between a and b, beyond `most` none. */
static double octaves(double a, double b, double most)
{
    return log2(fmin(a, most) / fmin(b, most));
}

static double apart(const ndft_question *there, const ndft_question *q)
{
    const double voxels = octaves(there->voxels, q->voxels, INFINITY);
    const double samples = octaves(there->samples, q->samples, INFINITY);
    const double coils = octaves(there->coils, q->coils, INFINITY);
    const double times = octaves(there->per_time, q->per_time, 64);
    const double turns = isnan(there->turns) ? 0 : log2(fmax(there->turns, 1) / fmax(q->turns, 1));
    return sqrt(voxels * voxels + samples * samples + coils * coils + times * times +
                turns * turns) +
           4 * ((there->field != q->field) + (there->lines != q->lines));
}

static double distance_of(const ndft_question *there, const ndft_question *q)
{
    const double looser = log10(there->tol / q->tol); /* its errors may be too large here */
    return (q->kind == NDFT_UNIFORM ? ndft_transforms_apart(there, q) : apart(there, q)) +
           (looser > 0 ? 4 : -2) * looser + 4 * (there->dim != q->dim);
}

double ndft_select_distance(const ndft_pick *pick, int at, const ndft_question *q)
{
    ndft_case problem;
    ndft_error err;
    ndft_case_parse(json_string_value(json_array_get(pick->cases, (size_t)at)), &problem, &err);
    const ndft_question there = ndft_question_of_case(&problem, q->device);
    return distance_of(&there, q);
}

/* Puts the pick's nearest deciding case into found where it is nearer than what is there. */
static void consider(const ndft_pick *pick, const ndft_question *q, ndft_found *found)
{
    size_t i;
    json_t *text;
    json_array_foreach(pick->cases, i, text)
    {
        const double distance = ndft_select_distance(pick, (int)i, q);
        if (found->match == NDFT_MATCH_NEAR && distance >= found->distance) continue;
        *found = (ndft_found){NDFT_MATCH_NEAR, distance, json_string_value(text), *pick};
    }
}

static ndft_found search(const ndft_select *select, const ndft_question *q)
{
    ndft_found found = {.match = NDFT_MATCH_DEFAULT};
    for (size_t i = 0; i < ndft_select_size(select); i++) {
        ndft_pick pick = ndft_select_pick(select, i);
        if (!ndft_select_comparable(&pick, q)) continue;
        if (same_class(&pick, q)) {
            const char *first = json_string_value(json_array_get(pick.cases, 0));
            return (ndft_found){NDFT_MATCH_EXACT, 0, first, pick};
        }
        consider(&pick, q, &found);
    }
    return found;
}

ndft_found ndft_select_find(const ndft_select *select, const ndft_question *q)
{
    ndft_found found = search(select, q);
    if (found.match != NDFT_MATCH_DEFAULT || q->op != NDFT_NORMAL) return found;
    ndft_question half = *q; /* the first of its two parts, where nobody measured both */
    half.op = NDFT_FORWARD;
    found = search(select, &half);
    if (found.match == NDFT_MATCH_EXACT) found.match = NDFT_MATCH_NEAR;
    return found;
}
