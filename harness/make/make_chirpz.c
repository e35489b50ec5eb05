/* SPDX-License-Identifier: Apache-2.0 */
#include "make.h"

#include "base/digest.h"
#include "base/kind.h"
#include "vectors.h"

static void hash(ndft_made *made)
{
    const ndft_chirpz_problem *c = &made->chirpz;
    const ndft_problem *p = &c->problem;
    const int64_t head[] = {NDFT_CHIRPZ, p->prec, p->coils, p->n[0], p->n_samples};
    ndft_digest digest;
    ndft_digest_start(&digest);
    ndft_digest_add(&digest, head, sizeof head);
    ndft_digest_add(&digest, &c->w, sizeof c->w);
    ndft_digest_add(&digest, &c->a, sizeof c->a);
    ndft_digest_add(&digest, made->image, ndft_vector_bytes(p, p->n_voxels));
    ndft_digest_finish(&digest, made->hash);
}

ndft_status ndft_make_chirpz(const ndft_case *c, ndft_made *made, ndft_error *err)
{
    ndft_arena scratch = {0};
    *made = (ndft_made){.image = NULL};
    made->chirpz = (ndft_chirpz_problem){.problem = {.dim = 1,
                                                     .prec = c->prec,
                                                     .coils = c->coils,
                                                     .tol = c->tol,
                                                     .tol_kind = c->tol_kind,
                                                     .n = {c->n[0], 1, 1},
                                                     .n_voxels = c->n[0],
                                                     .n_samples = c->m},
                                         .w = c->w,
                                         .a = c->a};
    made->image = ndft_vector_make(c, &made->problem, NDFT_SIDE_IMAGE, &made->own, &scratch, err);
    if (made->image) /* for the adjoint beside it, and no part of the case's hash */
        made->kspace =
            ndft_vector_make(c, &made->problem, NDFT_SIDE_KSPACE, &made->own, &scratch, err);
    ndft_arena_free(&scratch);
    if (made->kspace) {
        hash(made);
        return NDFT_OK;
    }
    ndft_made_free(made);
    return err->status;
}
