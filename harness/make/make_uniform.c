/* SPDX-License-Identifier: Apache-2.0 */
#include "make.h"

#include "callbacks.h"
#include "descriptor.h"
#include "files/role.h"
#include "rng.h"
#include "uniform.h"

#include <math.h>

/* The element that is the conjugate of this one in a real signal's half spectrum: those of its
 * first and, where N1 is even, its last k_1 are each other's mirror images. */
static int64_t mirrored(const ndft_transform *t, const int64_t index[NDFT_MODES])
{
    const int64_t k = index[NDFT_MODE_N];
    int64_t e = 0;
    for (int i = NDFT_MODES - 1; i >= 0; i--) {
        const int64_t size = t->in.shape[i];
        const bool mirrors = i > NDFT_MODE_N && i < NDFT_MODE_K;
        e = e * size + (mirrors ? (size - index[i]) % size : index[i]);
    }
    return k == 0 || 2 * k == t->shape[NDFT_MODE_N] ? e : -1;
}

/* Where numbers come from. */
typedef struct source {
    const ndft_case *problem;
    ndft_array file; /* no data: they are drawn */
} source;

static void number(const source *s, int64_t e, double z[2])
{
    if (s->file.data)
        ndft_array_at(&s->file, e, z);
    else
        ndft_rng_normal(s->problem->seed, NDFT_STREAM_IMAGE, (uint64_t)e, z);
}

/* Element e, which in half a spectrum is the second of a pair of conjugates or its own. */
static void element(const source *s, int64_t e, const int64_t index[NDFT_MODES], double z[2])
{
    const ndft_transform *t = &s->problem->transform;
    const int64_t mirror = t->domain == NDFT_C2R ? mirrored(t, index) : -1;
    const bool second = mirror >= 0 && mirror < e;
    number(s, second ? mirror : e, z);
    if (second) z[1] = -z[1];
    if (mirror == e) z[1] = 0;
}

/* Returns the largest magnitude of a real or imaginary part before it is rounded. */
static double fill(const source *s, const ndft_transform *t, void *vector)
{
    const ndft_case *c = s->problem;
    const ndft_tensor *in = &t->in;
    const int64_t size = ndft_tensor_size(in);
    double largest = 0;
#pragma omp parallel for reduction(max : largest)
    for (int64_t e = 0; e < size; e++) {
        int64_t index[NDFT_MODES];
        double z[2];
        ndft_tensor_index(in, e, index);
        if (!ndft_uniform_reads(t, index)) continue;
        element(s, e, index, z);
        const int64_t at = ndft_tensor_offset(in, index);
        ndft_put_real(vector, c->prec, in->real ? at : 2 * at, z[0]);
        if (!in->real) ndft_put_real(vector, c->prec, 2 * at + 1, z[1]);
        largest = fmax(largest, fmax(fabs(z[0]), in->real ? 0 : fabs(z[1])));
    }
    return largest;
}

static ndft_status read_file(source *s, ndft_arena *scratch, ndft_error *err)
{
    const ndft_tensor *in = &s->problem->transform.in;
    int64_t shape[NDFT_MODES];
    for (int i = 0; i < NDFT_MODES; i++) shape[i] = in->shape[NDFT_MODES - 1 - i];
    return ndft_array_read(s->problem->data.path,
                           in->real ? &ndft_role_signal : &ndft_role_spectrum, shape, NDFT_MODES,
                           scratch, &s->file, err);
}

static void hash(ndft_made *made)
{
    const ndft_problem *p = &made->problem;
    const ndft_transform *t = &made->uniform.transform;
    const int64_t head[] = {NDFT_UNIFORM, t->dim, t->prec, t->domain, t->sign, t->in_place};
    ndft_digest digest;
    ndft_digest_start(&digest);
    ndft_digest_add(&digest, head, sizeof head);
    ndft_digest_add(&digest, t->shape, sizeof t->shape);
    ndft_digest_add(&digest, t->in.stride, sizeof t->in.stride);
    ndft_digest_add(&digest, t->out.stride, sizeof t->out.stride);
    ndft_callback_digest(t->load, &digest);
    ndft_callback_digest(t->store, &digest);
    ndft_digest_add(&digest, made->image, ndft_vector_bytes(p, p->n_voxels));
    ndft_digest_finish(&digest, made->hash);
}

static ndft_status make_input(const ndft_case *c, ndft_made *made, ndft_arena *scratch,
                              ndft_error *err)
{
    source s = {.problem = c};
    const int64_t room = made->problem.n_voxels;
    if (c->data.kind == NDFT_SOURCE_FILE) NDFT_TRY(read_file(&s, scratch, err));
    made->image = ndft_arena_alloc(&made->own, "input", room, 2 * ndft_real_size(c->prec), err);
    if (!made->image) return NDFT_ENOMEM;
    for (int64_t i = 0; i < 2 * room; i++) ndft_put_real(made->image, c->prec, i, NAN);
    const double largest = fill(&s, &made->uniform.transform, made->image);
    if (c->prec == NDFT_F64 || isfinite((float)largest)) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL,
                     "data=file:%s: %g is beyond float; double precision holds it", c->data.path,
                     largest);
}

ndft_status ndft_make_uniform(const ndft_case *c, ndft_made *made, ndft_error *err)
{
    *made = (ndft_made){.image = NULL};
    made->uniform = (ndft_uniform_problem){
        ndft_problem_of_transform(&c->transform, c->tol, c->tol_kind), c->transform};
    ndft_arena scratch = {0};
    ndft_status status = ndft_callbacks_make(c, &made->uniform.transform, &made->own, err);
    const bool executed = c->data.kind != NDFT_SOURCE_NONE;
    if (status == NDFT_OK && executed) status = make_input(c, made, &scratch, err);
    ndft_arena_free(&scratch);
    if (status == NDFT_OK && executed) hash(made);
    if (status != NDFT_OK) ndft_made_free(made);
    return status;
}
