/* SPDX-License-Identifier: Apache-2.0 */
#include "select.h"

#include <math.h>
#include <string.h>

/* What classes of each kind are told apart by, in the order of a pick's flags and bounds. */
typedef struct property {
    const char *name;
    size_t of_question;
    double least, most; /* beyond these, numbers are alike */
} property;

static const property flags[2][4] = {
    [NDFT_NONUNIFORM] = {{"field", offsetof(ndft_question, field), 0, 0},
                         {"gradients", offsetof(ndft_question, gradients), 0, 0},
                         {"lines", offsetof(ndft_question, lines), 0, 0}},
    [NDFT_UNIFORM] = {{"in_place", offsetof(ndft_question, in_place), 0, 0},
                      {"contiguous", offsetof(ndft_question, contiguous), 0, 0},
                      {"callbacks", offsetof(ndft_question, callbacks), 0, 0}}};

/* Turns are not told apart by all files. Up to factors of 7 libraries have kernels of their own, up
 * to 127 a few. */
static const property numbers[2][6] = {
    [NDFT_NONUNIFORM] = {{"voxels", offsetof(ndft_question, voxels), 0, INFINITY},
                         {"samples", offsetof(ndft_question, samples), 0, INFINITY},
                         {"coils", offsetof(ndft_question, coils), 0, INFINITY},
                         {"per_time", offsetof(ndft_question, per_time), 0, 64},
                         {"turns", offsetof(ndft_question, turns), 1, INFINITY}},
    [NDFT_UNIFORM] = {{"length", offsetof(ndft_question, length), 0, INFINITY},
                      {"batch", offsetof(ndft_question, batch), 0, INFINITY},
                      {"factor", offsetof(ndft_question, factor), 7, 128}}};

static const char *const domains[] = {[NDFT_C2C] = "c2c", [NDFT_R2C] = "r2c", [NDFT_C2R] = "c2r"};

static bool flag_of(const ndft_question *q, const property *p)
{
    return *(const bool *)((const char *)q + p->of_question);
}

static double number_of(const ndft_question *q, const property *p)
{
    return *(const double *)((const char *)q + p->of_question);
}

int ndft_select_read_class(json_t *class, ndft_pick *pick, json_error_t *why)
{
    const property *f = flags[pick->kind], *n = numbers[pick->kind];
    const char *what = pick->kind == NDFT_UNIFORM ? "domain" : "op";
    int failed = json_unpack_ex(class, why, 0, "{s:s}", what, &pick->what);
    for (int i = 0; f[i].name && !failed; i++)
        failed = json_unpack_ex(class, why, 0, "{s:b}", f[i].name, &pick->flags[i]);
    for (int i = 0; n[i].name && !failed; i++) {
        const bool optional = n[i].of_question == offsetof(ndft_question, turns);
        pick->bounds[i][1] = INFINITY;
        failed = json_unpack_ex(class, why, 0, optional ? "{s?[F,F]}" : "{s:[F,F]}", n[i].name,
                                &pick->bounds[i][0], &pick->bounds[i][1]);
    }
    return failed;
}

/* What no distance can bridge: another operation is another kernel, another mode another clock. */
bool ndft_select_comparable(const ndft_pick *pick, const ndft_question *q)
{
    if (pick->kind != q->kind || strcmp(pick->device, q->device) || strcmp(pick->mode, q->mode) ||
        strcmp(pick->prec, q->prec == NDFT_F32 ? "f32" : "f64"))
        return false;
    if (q->kind == NDFT_UNIFORM) return !strcmp(pick->what, domains[q->domain]);
    return !strcmp(pick->what, ndft_op_name(q->op)) && !pick->flags[1] == !q->gradients;
}

static bool same_class(const ndft_pick *pick, const ndft_question *q)
{
    const property *f = flags[q->kind], *n = numbers[q->kind];
    bool same = pick->dim == q->dim && pick->tol == q->tol;
    for (int i = 0; f[i].name; i++) same = same && !pick->flags[i] == !flag_of(q, &f[i]);
    for (int i = 0; n[i].name; i++) {
        const bool whole = n[i].of_question == offsetof(ndft_question, per_time);
        const double value = number_of(q, &n[i]), at = whole ? floor(value) : value;
        same = same && pick->bounds[i][0] <= at && at <= pick->bounds[i][1];
    }
    return same;
}

/* Factors of two between two numbers; none where one is not known. */
static double octaves(const property *p, double a, double b)
{
    return isnan(a) ? 0 : log2(fmin(fmax(a, p->least), p->most) / fmin(fmax(b, p->least), p->most));
}

static double distance_of(const ndft_question *there, const ndft_question *q)
{
    const property *f = flags[q->kind], *n = numbers[q->kind];
    const double looser = log10(there->tol / q->tol); /* its errors may be too large here */
    double squares = 0;
    int differ = there->dim != q->dim;
    for (int i = 0; n[i].name; i++)
        squares += pow(octaves(&n[i], number_of(there, &n[i]), number_of(q, &n[i])), 2);
    for (int i = 0; f[i].name; i++) differ += flag_of(there, &f[i]) != flag_of(q, &f[i]);
    return sqrt(squares) + (looser > 0 ? 4 : -2) * looser + 4 * differ;
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
