/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include "case/case_keys.h"
#include "descriptor.h"
#include "fields.h"
#include "problem/question.h"

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

static json_t *nonuniform_json(const ndft_case *c)
{
    const ndft_question q = ndft_question_of_case(c, "");
    const double outputs = c->coils * (c->op == NDFT_FORWARD ? q.samples : q.voxels);
    return json_pack("{s:s, s:s, s:s, s:f, s:b, s:f, s:i, s:b, s:f, s:o, s:f, s:f}", "op",
                     ndft_op_name(c->op), "traj", word_of("traj", &c->traj), "field",
                     word_of("field", &c->field), "field_hz", c->field.hz, "gradients", q.gradients,
                     "t", c->t, "coils", c->coils, "lines", q.lines, "per_time", q.per_time,
                     "turns", ndft_field_of_number(q.turns), "outputs", outputs, "pairs",
                     q.samples * q.voxels);
}

/* Whether both tensors lie in memory by the default strides. */
static bool is_packed(const ndft_transform *t)
{
    ndft_transform packed = *t;
    ndft_transform_place(&packed);
    return !memcmp(packed.in.stride, t->in.stride, sizeof t->in.stride) &&
           !memcmp(packed.out.stride, t->out.stride, sizeof t->out.stride);
}

static json_t *uniform_json(const ndft_case *c)
{
    static const char *const domains[] = {
        [NDFT_C2C] = "c2c", [NDFT_R2C] = "r2c", [NDFT_C2R] = "c2r"};
    const ndft_transform *t = &c->transform;
    const ndft_question q = ndft_question_of_case(c, "");
    const double outputs = (double)ndft_tensor_size(&t->out);
    return json_pack("{s:s, s:s, s:i, s:b, s:b, s:b, s:b, s:f, s:f, s:f, s:f, s:f}", "op",
                     "transform", "domain", domains[t->domain], "sign", t->sign, "in_place",
                     t->in_place, "contiguous", q.contiguous, "packed", is_packed(t), "callbacks",
                     q.callbacks, "length", q.length, "batch", q.batch, "factor", q.factor,
                     "outputs", outputs, "pairs", outputs * q.length);
}

json_t *ndft_record_problem(const ndft_case *c)
{
    char label[NDFT_CASE_MAX];
    ndft_case_label(c, label, sizeof label);
    const bool uniform = c->kind == NDFT_UNIFORM;
    const int64_t m = uniform ? c->transform.shape[NDFT_MODE_M] : c->m;
    json_t *problem =
        json_pack("{s:s, s:s, s:i, s:o, s:I, s:s, s:f}", "label", label, "kind",
                  uniform ? "uniform" : "nonuniform", "dim", c->dim, "n", sizes_json(c->n, c->dim),
                  "m", (json_int_t)m, "prec", c->prec == NDFT_F64 ? "f64" : "f32", "tol", c->tol);
    json_t *rest = (uniform ? uniform_json : nonuniform_json)(c);
    json_object_update(problem, rest);
    json_decref(rest);
    return problem;
}
