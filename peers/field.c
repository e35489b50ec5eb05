/* SPDX-License-Identifier: Apache-2.0 */
#include "field.h"

#include "nufft/field/rank.h"

#include <stdlib.h>

static int64_t length_of(const ndft_problem *p, int side)
{
    return side == PEER_IMAGE ? p->n_voxels : p->n_samples;
}

/* c_l(dw) exp(-i (dw - w0) t0) of a voxel, into the place of each term. */
static void put_voxel(const ndft_rank *rank, const ndft_problem *p, int64_t v, void *to)
{
    const int powers = rank->degree + 1;
    double place[4];
    for (int i = 0; i < 4; i++) place[i] = ndft_real_at(rank->place, p->prec, 4 * v + i);
    for (int l = 0; l < rank->terms; l++) {
        const int64_t first = ((int64_t)place[0] * rank->terms + l) * powers;
        double c = 0;
        for (int d = 0; d < powers; d++)
            c = c * place[1] + ndft_real_at(rank->c, p->prec, first + d);
        ndft_put_real(to, p->prec, 2 * (l * p->n_voxels + v), c * place[2]);
        ndft_put_real(to, p->prec, 2 * (l * p->n_voxels + v) + 1, c * place[3]);
    }
}

/* b_l(t) of a sample. */
static void put_sample(const ndft_rank *rank, const ndft_problem *p, int64_t j, void *to)
{
    for (int l = 0; l < rank->terms; l++)
        for (int part = 0; part < 2; part++)
            ndft_put_real(to, p->prec, 2 * (l * p->n_samples + j) + part,
                          ndft_real_at(rank->b, p->prec,
                                       2 * ((int64_t)rank->row[j] * rank->terms + l) + part));
}

static ndft_status upload_weights(const peer_field *f, const ndft_rank *rank, const ndft_problem *p,
                                  ndft_exec *exec, int side, size_t bytes)
{
    const int64_t length = length_of(p, side);
    void *host = malloc(bytes);
    if (!host)
        return ndft_fail(exec->error, NDFT_ENOMEM, "no host memory for a field map's weights");
    for (int64_t i = 0; i < length; i++)
        (side == PEER_IMAGE ? put_voxel : put_sample)(rank, p, i, host);
    const ndft_status status = exec->upload(exec, f->weights[side], host, bytes);
    free(host);
    return status;
}

static ndft_status make_side(peer_field *f, const ndft_rank *rank, const ndft_problem *p,
                             ndft_exec *exec, int side)
{
    const int64_t length = length_of(p, side);
    const size_t weights = (size_t)rank->terms * (size_t)length * 2 * ndft_real_size(p->prec);
    const size_t columns = (size_t)rank->terms * ndft_vector_bytes(p, length);
    NDFT_TRY(exec->alloc(exec, "weights of a field map", weights, &f->weights[side]));
    NDFT_TRY(exec->alloc(exec, "columns of a field map", columns, &f->columns[side]));
    return upload_weights(f, rank, p, exec, side, weights);
}

ndft_status peer_field_make(const ndft_problem *p, double tol, const peer_weigher *weigher,
                            ndft_exec *exec, peer_field *f)
{
    ndft_rank rank;
    *f = (peer_field){.weigher = weigher, .terms = 1};
    NDFT_TRY(ndft_rank_make(p, NDFT_RANK_SVD, tol, exec->error, &rank));
    f->terms = rank.terms;
    ndft_status status = NDFT_OK;
    for (int side = 0; side < PEER_SIDES && status == NDFT_OK && !rank.plain; side++)
        status = make_side(f, &rank, p, exec, side);
    ndft_rank_release(&rank);
    if (status != NDFT_OK) peer_field_release(f, exec);
    return status;
}

void peer_field_release(peer_field *f, ndft_exec *exec)
{
    for (int side = 0; side < PEER_SIDES; side++) {
        exec->release(exec, f->weights[side]);
        exec->release(exec, f->columns[side]);
        f->weights[side] = f->columns[side] = NULL;
    }
}

static peer_weights weights_of(const peer_field *f, const ndft_problem *p, int side,
                               bool conjugated)
{
    return (peer_weights){.prec = p->prec,
                          .terms = f->terms,
                          .coils = p->coils,
                          .length = length_of(p, side),
                          .of = f->weights[side],
                          .conjugated = conjugated};
}

ndft_status peer_field_expand(const peer_field *f, const ndft_problem *p, ndft_exec *exec, int side,
                              const void *in, bool conjugated)
{
    const peer_weights weights = weights_of(f, p, side, conjugated);
    return f->weigher->expand(exec, &weights, in, f->columns[side]);
}

ndft_status peer_field_join(const peer_field *f, const ndft_problem *p, ndft_exec *exec, int side,
                            void *out, bool conjugated)
{
    const peer_weights weights = weights_of(f, p, side, conjugated);
    return f->weigher->join(exec, &weights, f->columns[side], out);
}
