/* SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"
#include "points.h"

static ndft_status check_length(const char *name, int64_t length)
{
    if (length >= 1 && length <= NDFT_CHIRPZ_LONGEST) return NDFT_OK;
    return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "%s=%lld; 1 to %d", name, (long long)length,
                     NDFT_CHIRPZ_LONGEST);
}

static ndft_status check_polar(const char *name, const ndft_polar *z)
{
    ndft_error *err = ndft_thread_error();
    if (!(z->modulus >= NDFT_LEAST_MODULUS && z->modulus <= NDFT_MOST_MODULUS))
        return ndft_fail(err, NDFT_EINVAL, "%s.modulus=%.9g; %g to %g, or 0, which is 1", name,
                         z->modulus, NDFT_LEAST_MODULUS, NDFT_MOST_MODULUS);
    if (!(z->turns >= -1 && z->turns <= 1))
        return ndft_fail(err, NDFT_EINVAL, "%s.turns=%.9g; -1 to 1", name, z->turns);
    return NDFT_OK;
}

/* What is usual in place of what is 0. */
static ndft_polar usual(ndft_polar z, double turns)
{
    if (z.modulus == 0) return (ndft_polar){1, z.turns == 0 ? turns : z.turns};
    return z;
}

static ndft_chirpz_problem describe(const ndft_chirpz_desc *d)
{
    const int64_t outputs = d->outputs ? d->outputs : d->n;
    return (ndft_chirpz_problem){.problem = {.dim = 1,
                                             .prec = d->prec,
                                             .coils = d->batch ? d->batch : 1,
                                             .tol = ndft_tol_or_usual(d->tol, d->prec),
                                             .tol_kind = d->tol_kind,
                                             .n = {d->n, 1, 1},
                                             .n_voxels = d->n,
                                             .n_samples = outputs},
                                 .w = usual(d->w, -1 / (double)outputs),
                                 .a = usual(d->a, 0)};
}

static ndft_status check(const ndft_chirpz_problem *c)
{
    char why[NDFT_CHIRPZ_WHY];
    NDFT_TRY(check_length("n", c->problem.n[0]));
    NDFT_TRY(check_length("outputs", c->problem.n_samples));
    NDFT_TRY(check_polar("w", &c->w));
    NDFT_TRY(check_polar("a", &c->a));
    const char *name = ndft_chirpz_beyond(c, why, sizeof why);
    if (!name) return NDFT_OK;
    return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "%s.modulus=%.9g: %s", name,
                     *name == 'w' ? c->w.modulus : c->a.modulus, why);
}

ndft_status ndft_chirpz_create(ndft_device *device, const ndft_chirpz_desc *desc,
                               ndft_problem **problem)
{
    NDFT_POINTS;
    ndft_chirpz_desc d;
    if (!device || !desc || !problem)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "a chirp z-transform needs a device, a description and a place");
    *problem = NULL;
    NDFT_TRY(ndft_take_options("chirp z-transform's description", desc, &d, sizeof d));
    NDFT_TRY(ndft_check_data(d.prec, "batch", d.batch, d.tol, d.tol_kind));
    const ndft_chirpz_problem c = describe(&d);
    NDFT_TRY(check(&c));
    ndft_owned *owned = ndft_new_problem(device, NDFT_CHIRPZ);
    if (!owned) return NDFT_ENOMEM;
    owned->chirpz = c;
    *problem = &owned->problem;
    return NDFT_OK;
}
