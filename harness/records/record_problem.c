/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include "case/case_keys.h"
#include "descriptor.h"
#include "fields.h"
#include "make/structure_of_case.h"
#include "problem/kinds.h"

#include <math.h>
#include <string.h>

static json_t *sizes_json(const int64_t *n, int dim)
{
    json_t *sizes = json_array();
    for (int d = 0; d < dim; d++) json_array_append_new(sizes, json_integer(n[d]));
    return sizes;
}

static const char *word_of(const char *key, const ndft_source *source)
{
    return ndft_source_find(ndft_key_find(key, strlen(key)), source->kind)->word;
}

/* Samples that have a time in common; without field map and decay no time counts, and all are
 * alike. */
static double per_time(const ndft_case *c, const ndft_structure *structure)
{
    const double m = (double)c->m;
    if (c->field.kind == NDFT_SOURCE_NONE && c->decay.kind == NDFT_SOURCE_NONE) return m;
    return structure->distinct_times > 0 ? m / (double)structure->distinct_times : 1;
}

/* Field x readout; of a file's map and of a file's times nothing is known. */
static double turns_of(const ndft_case *c)
{
    if (c->field.kind == NDFT_SOURCE_NONE) return 0;
    const bool unread = c->field.kind == NDFT_SOURCE_FILE || c->times.kind == NDFT_SOURCE_FILE;
    return unread ? NAN : 2 * c->field.largest * c->t;
}

/* Of all coils, an image with coil maps being one. */
static double outputs_of(const ndft_case *c)
{
    if (c->op == NDFT_FORWARD) return (double)c->m * c->coils;
    const double voxels = (double)c->n[0] * (double)c->n[1] * (double)c->n[2];
    return c->maps.kind == NDFT_SOURCE_NONE ? voxels * c->coils : voxels;
}

static json_t *nonuniform_json(const ndft_case *c)
{
    const ndft_structure structure = ndft_structure_of_case(c);
    const double samples = (double)c->m;
    const double voxels = (double)c->n[0] * (double)c->n[1] * (double)c->n[2];
    json_t *problem = json_pack(
        "{s:s, s:s, s:s, s:f, s:b, s:f, s:i, s:b, s:f, s:o, s:f, s:f}", "op", ndft_op_name(c->op),
        "traj", word_of("traj", &c->traj), "field", word_of("field", &c->field), "field_hz",
        c->field.largest, "gradients", c->grad.kind != NDFT_SOURCE_NONE, "t", c->t, "coils",
        c->coils, "lines", structure.line_length > 0, "per_time", per_time(c, &structure), "turns",
        ndft_field_of_number(turns_of(c)), "outputs", outputs_of(c), "pairs", samples * voxels);
    if (c->maps.kind != NDFT_SOURCE_NONE)
        json_object_set_new(problem, "maps", json_string(word_of("maps", &c->maps)));
    if (c->decay.kind != NDFT_SOURCE_NONE)
        json_object_set_new(problem, "decay", json_string(word_of("decay", &c->decay)));
    if (c->phase.kind != NDFT_SOURCE_NONE)
        json_object_set_new(problem, "phase", json_string(word_of("phase", &c->phase)));
    if (c->grid.kind != NDFT_SOURCE_NONE)
        json_object_set_new(problem, "grid", json_string(word_of("grid", &c->grid)));
    return problem;
}

/* Whether both tensors lie in memory by the default strides. */
static bool is_packed(const ndft_transform *t)
{
    ndft_transform packed = *t;
    ndft_transform_place(&packed);
    return !memcmp(packed.in.stride, t->in.stride, sizeof t->in.stride) &&
           !memcmp(packed.out.stride, t->out.stride, sizeof t->out.stride);
}

/* Whether the numbers of a tensor along N1 lie side by side. */
static bool contiguous(const ndft_tensor *t)
{
    return t->shape[NDFT_MODE_N] == 1 || t->stride[NDFT_MODE_N] == 1;
}

static json_t *uniform_json(const ndft_case *c)
{
    static const char *const domains[] = {
        [NDFT_C2C] = "c2c", [NDFT_R2C] = "r2c", [NDFT_C2R] = "c2r"};
    const ndft_transform *t = &c->transform;
    const double outputs = (double)ndft_tensor_size(&t->out);
    const double length = (double)ndft_transform_length(t);
    return json_pack(
        "{s:s, s:s, s:i, s:b, s:b, s:b, s:b, s:f, s:f, s:f, s:f, s:f}", "op", "transform", "domain",
        domains[t->domain], "sign", t->sign, "in_place", t->in_place, "contiguous",
        contiguous(&t->in) && contiguous(&t->out), "packed", is_packed(t), "callbacks",
        c->load.word || c->store.word, "length", length, "batch", (double)ndft_transform_batch(t),
        "factor", (double)ndft_transform_prime(t), "outputs", outputs, "pairs", outputs * length);
}

static json_t *convolution_json(const ndft_case *c)
{
    const double inputs = (double)c->n[0] * (double)c->n[1] * (double)c->n[2];
    const double sides[] = {inputs * c->coils, (double)c->m * c->coils};
    return json_pack("{s:s, s:o, s:o, s:i, s:f, s:f}", "op", ndft_op_name(c->op), "output_n",
                     sizes_json(c->outputs, c->dim), "cells", sizes_json(c->cells, c->dim), "coils",
                     c->coils, "outputs", sides[c->op == NDFT_FORWARD], "pairs",
                     inputs * (double)c->m);
}

static json_t *chirpz_json(const ndft_case *c)
{
    const double inputs = (double)c->n[0], outputs = (double)c->m;
    return json_pack("{s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:f}", "op", "transform", "coils",
                     c->coils, "w_modulus", c->w.modulus, "w_turns", c->w.turns, "a_modulus",
                     c->a.modulus, "a_turns", c->a.turns, "outputs", outputs * c->coils, "pairs",
                     inputs * outputs);
}

/* What a problem of each kind says of itself. */
static json_t *(*const own[])(const ndft_case *) = {[NDFT_NONUNIFORM] = nonuniform_json,
                                                    [NDFT_UNIFORM] = uniform_json,
                                                    [NDFT_CONVOLUTION] = convolution_json,
                                                    [NDFT_CHIRPZ] = chirpz_json};

json_t *ndft_record_problem(const ndft_case *c)
{
    char label[NDFT_CASE_MAX];
    ndft_case_label(c, label, sizeof label);
    const int64_t m = c->kind == NDFT_UNIFORM ? c->transform.shape[NDFT_MODE_M] : c->m;
    json_t *problem =
        json_pack("{s:s, s:s, s:i, s:o, s:I, s:s, s:f}", "label", label, "kind",
                  ndft_kind_of(c)->name, "dim", c->dim, "n", sizes_json(c->n, c->dim), "m",
                  (json_int_t)m, "prec", c->prec == NDFT_F64 ? "f64" : "f32", "tol", c->tol);
    json_object_update_new(problem, own[c->kind](c));
    return problem;
}
