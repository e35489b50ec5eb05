/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform.h"

#include "turns.h"

#include <stdlib.h>

/* Roots of unity of the three axes: root[d][2 j] = cos(2 pi j/N_d), then its sine with the sign. */
typedef struct roots {
    double *axis[3], *memory;
} roots;

static void fill_axis(double *root, int64_t n, int sign)
{
    for (int64_t j = 0; j < n; j++) {
        ndft_cos_sin((double)j / (double)n, &root[2 * j], &root[2 * j + 1]);
        root[2 * j + 1] *= sign;
    }
}

static ndft_status make_roots(const ndft_transform *t, roots *r, ndft_error *error)
{
    const int64_t *n = t->shape + NDFT_MODE_N;
    r->memory = malloc((size_t)(n[0] + n[1] + n[2]) * 2 * sizeof *r->memory);
    if (!r->memory)
        return ndft_fail(error, NDFT_ENOMEM, "the reference has no memory for roots of unity");
    double *next = r->memory;
    for (int d = 0; d < 3; next += 2 * n[d], d++) {
        r->axis[d] = next;
        fill_axis(next, n[d], t->sign);
    }
    return NDFT_OK;
}

/* A complex sum with the errors of its additions (Knuth's two-sum). */
typedef struct sum {
    double re[2], im[2];
} sum;

static void add(sum *s, const double root[2], double re, double im)
{
    ndft_add(&s->re[0], &s->re[1], root[0] * re - root[1] * im);
    ndft_add(&s->im[0], &s->im[1], root[0] * im + root[1] * re);
}

/* The input's element at `at`, as its load function gives it. */
static ndft_value load(const ndft_transform *t, const void *in, const int64_t *index, int64_t at)
{
    const ndft_slot e = ndft_slot_at(in, t->prec, t->in.real, at);
    return t->load ? t->load->load(e, index, t->load->data) : ndft_read(e);
}

/* What the output's element becomes, NaN where its store function writes nothing. */
static void store(const ndft_transform *t, const int64_t *index, double z[2])
{
    double cell[2] = {NAN, t->out.real ? 0 : NAN};
    const ndft_slot e = ndft_slot_at(cell, NDFT_F64, t->out.real, 0);
    if (!t->store) return;
    t->store->store(e, (ndft_value){z[0], z[1]}, index, t->store->data);
    z[0] = cell[0];
    z[1] = cell[1];
}

/* Whether the element is read does not depend on what it is; what is made of it does. */
bool ndft_uniform_reads(const ndft_transform *t, const int64_t index[NDFT_MODES])
{
    static const double cell[][2] = {{1, 1}, {-2, 3}, {0.25, -5}};
    ndft_value of[3];
    if (!t->load) return true;
    for (int i = 0; i < 3; i++)
        of[i] = t->load->load(ndft_slot_at(cell[i], NDFT_F64, t->in.real, 0), index, t->load->data);
    for (int i = 1; i < 3; i++)
        if (of[i].re != of[0].re || of[i].im != of[0].im) return true;
    return false;
}

bool ndft_uniform_writes(const ndft_transform *t, const int64_t index[NDFT_MODES])
{
    double cell[2] = {1, 1};
    store(t, index, cell);
    return !isnan(cell[0]);
}

/* Terms ahead of which a root is asked for: those of a long axis lie scattered over memory. */
enum { AHEAD = 64 };

/* The sum over n_1 of the line of these modes. */
static void sum_line(const ndft_transform *t, const roots *r, const void *in,
                     int64_t from[NDFT_MODES], int64_t k, double line[2])
{
    const int64_t n = t->shape[NDFT_MODE_N], terms = t->in.shape[NDFT_MODE_N];
    sum s = {{0, 0}, {0, 0}};
    int64_t turn = 0, next = AHEAD * k % n; /* n_1 k_1 mod N_1 */
    int64_t at = ndft_tensor_offset(&t->in, from);
    for (int64_t i = 0; i < terms; i++, at += t->in.stride[NDFT_MODE_N]) {
        const bool twice = t->domain == NDFT_C2R && i > 0 && 2 * i != n;
        from[NDFT_MODE_N] = i;
        const ndft_value z = load(t, in, from, at);
        add(&s, r->axis[0] + 2 * turn, twice ? 2 * z.re : z.re, twice ? 2 * z.im : z.im);
        __builtin_prefetch(r->axis[0] + 2 * next);
        turn += k;
        if (turn >= n) turn -= n;
        next += k;
        if (next >= n) next -= n;
    }
    line[0] = s.re[0] + s.re[1];
    line[1] = s.im[0] + s.im[1];
}

/* One output; index: of its modes. */
static void sum_output(const ndft_transform *t, const roots *r, const void *in,
                       const int64_t index[NDFT_MODES], double result[2])
{
    const int64_t *n = t->shape + NDFT_MODE_N, *k = index + NDFT_MODE_N;
    sum planes = {{0, 0}, {0, 0}};
    for (int64_t z = 0; z < n[2]; z++) {
        sum lines = {{0, 0}, {0, 0}};
        for (int64_t y = 0; y < n[1]; y++) {
            int64_t from[] = {index[NDFT_MODE_M], 0, y, z, index[NDFT_MODE_K]};
            double line[2];
            sum_line(t, r, in, from, k[0], line);
            add(&lines, r->axis[1] + 2 * (y * k[1] % n[1]), line[0], line[1]);
        }
        add(&planes, r->axis[2] + 2 * (z * k[2] % n[2]), lines.re[0] + lines.re[1],
            lines.im[0] + lines.im[1]);
    }
    result[0] = planes.re[0] + planes.re[1];
    result[1] = t->out.real ? 0 : planes.im[0] + planes.im[1];
    store(t, index, result);
}

ndft_status ndft_uniform_reference(const ndft_transform *t, const void *in, const int64_t *outputs,
                                   int64_t n_outputs, double *result, int threads,
                                   ndft_error *error)
{
    roots r;
    NDFT_TRY(make_roots(t, &r, error));
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t i = 0; i < n_outputs; i++) {
        int64_t index[NDFT_MODES];
        ndft_tensor_index(&t->out, outputs ? outputs[i] : i, index);
        sum_output(t, &r, in, index, result + 2 * i);
    }
    free(r.memory);
    return NDFT_OK;
}

/* |x|_1 of every transform of the batch, [M + K shape[M]]; a complex number of half a spectrum that
 * stands for two counts twice. Line by line: batches have gigabytes, and every check asks. NULL: no
 * memory. */
static double *input_norms(const ndft_transform *t, const void *in)
{
    const int64_t m = t->in.shape[NDFT_MODE_M], n = t->in.shape[NDFT_MODE_N];
    const int64_t rows = t->in.shape[2] * t->in.shape[3], batch = ndft_transform_batch(t);
    double *norm = calloc((size_t)batch, sizeof *norm);
#pragma omp parallel for
    for (int64_t b = 0; b < (norm ? batch : 0); b++) {
        double norm1 = 0, error = 0;
        for (int64_t row = 0; row < rows; row++) {
            int64_t index[NDFT_MODES];
            ndft_tensor_index(&t->in, b % m + m * n * (row + rows * (b / m)), index);
            int64_t at = ndft_tensor_offset(&t->in, index);
            for (int64_t i = 0; i < n; i++, at += t->in.stride[NDFT_MODE_N]) {
                index[NDFT_MODE_N] = i;
                const ndft_value z = load(t, in, index, at);
                const bool twice = t->domain == NDFT_C2R && i > 0 && 2 * i != t->shape[NDFT_MODE_N];
                ndft_add(&norm1, &error, (twice ? 2 : 1) * hypot(z.re, z.im));
            }
        }
        norm[b] = norm1 + error;
    }
    return norm;
}

/* By how much a store function makes an error larger, where it is linear. */
static double gain_of(const ndft_transform *t, const int64_t *index)
{
    double one[2] = {1, 0}, i[2] = {0, 1};
    if (!t->store) return 1;
    store(t, index, one);
    store(t, index, i);
    return fmax(hypot(one[0], one[1]), hypot(i[0], i[1]));
}

ndft_difference ndft_uniform_compare(const ndft_transform *t, const void *in, const void *out,
                                     const int64_t *outputs, int64_t n_outputs, const double *ref)
{
    ndft_difference d = {.worst = outputs && n_outputs ? outputs[0] : 0};
    ndft_norms norms = ndft_norms_begin(ref, n_outputs);
    double *in_norm = input_norms(t, in);
    for (int64_t i = 0; i < n_outputs; i++, ref += 2) {
        const int64_t e = outputs ? outputs[i] : i;
        int64_t index[NDFT_MODES];
        ndft_tensor_index(&t->out, e, index);
        if (!ndft_uniform_writes(t, index)) continue;
        const ndft_value z =
            ndft_read(ndft_slot_at(out, t->prec, t->out.real, ndft_tensor_offset(&t->out, index)));
        ndft_norms_add(&norms, z.re, z.im, ref);
        const int64_t b = index[NDFT_MODE_M] + t->shape[NDFT_MODE_M] * index[NDFT_MODE_K];
        double err = hypot(z.re - ref[0], z.im - ref[1]);
        if (err != 0) err /= gain_of(t, index) * (in_norm ? in_norm[b] : 0);
        if (isnan(err)) err = INFINITY;
        if (err <= d.max_err) continue;
        d.max_err = err;
        d.worst = e;
    }
    free(in_norm);
    d.rel_l2 = ndft_norms_ratio(&norms);
    return d;
}

int64_t ndft_uniform_sample(const ndft_transform *t, uint64_t seed, int64_t **outputs)
{
    return ndft_sample_of(ndft_tensor_size(&t->out), (double)ndft_transform_length(t), seed,
                          outputs);
}
