/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bounds.h"
#include "making.h"
#include "structure.h"

#include <string.h>

/* Samples of a problem that is made: new ones of a live plan above all. */

typedef ndft_making making;

/* New samples of a plan are uploaded at once, and others may follow. */
static ndft_status fetch_samples(making *m, const void *from, void **array)
{
    const int64_t count = m->p->n_samples;
    const size_t real = ndft_real_size(m->p->prec);
    if (!m->from || ndft_has_array(m->from, from))
        return ndft_fetch_array(m, "k", from, count, real, array);
    NDFT_TRY(ndft_take_pinned(m->owned, m->exec, "k", count, real, array));
    return m->backend->fetch(m->exec, *array, from, (size_t)count * real);
}

enum { WORTH_A_KERNEL = 1 << 17 }; /* samples, which the host looks at as fast up to there */

/* Of many samples the device says how far they reach, while they are on their way; with a wait. */
static ndft_status measure_on_device(making *m)
{
    const ndft_problem *p = m->p;
    void *memory = NULL;
    if (p->n_samples < WORTH_A_KERNEL) return m->backend->sync(m->exec);
    NDFT_TRY(ndft_take_pinned(m->owned, m->exec, "largest magnitudes", 3 * NDFT_LARGEST_PARTS,
                              sizeof(double), &memory));
    const double *most = memory;
    const bool can = ndft_is_pinned(memory);
    ndft_status status = NDFT_OK;
    if (can)
        status =
            m->backend->largest(m->exec, p->prec, p->dim, m->owned->given, p->n_samples, memory);
    if (status == NDFT_OK) status = m->backend->sync(m->exec);
    m->k_measured = can && status == NDFT_OK;
    for (int axis = 0; m->k_measured && axis < p->dim; axis++)
        m->k_max[axis] =
            ndft_largest(most + axis * NDFT_LARGEST_PARTS, NDFT_F64, NDFT_LARGEST_PARTS);
    ndft_free_memory(memory);
    return status;
}

/* All at once. */
static ndft_status fetch_from_device(making *m)
{
    ndft_problem *p = m->p;
    const size_t real = ndft_real_size(p->prec);
    for (int axis = 0; axis < p->dim; axis++) {
        void *k = NULL;
        ndft_status status = ndft_take_pinned(m->owned, m->exec, "k", p->n_samples, real, &k);
        p->k[axis] = k;
        NDFT_TRY(status);
        NDFT_TRY(m->backend->copy(m->exec, k, m->d->k[axis], (size_t)p->n_samples * real));
        m->owned->given[axis] = m->d->k[axis];
    }
    return measure_on_device(m);
}

static bool are_on_device(const making *m)
{
    bool are = m->from && m->backend->holds;
    for (int axis = 0; axis < m->p->dim; axis++) are = are && m->backend->holds(m->d->k[axis]);
    return are;
}

/* Zeros, where none are given. */
static ndft_status take_times(making *m)
{
    ndft_problem *p = m->p;
    const size_t real = ndft_real_size(p->prec);
    void *t = NULL;
    const ndft_status status =
        m->d->t ? ndft_fetch_array(m, "t", m->d->t, p->n_samples, real, &t)
                : ndft_take_memory(m->owned, "t", p->n_samples, real, &t, m->exec->error);
    p->t = t;
    if (status == NDFT_OK && !m->d->t) memset(t, 0, (size_t)p->n_samples * real);
    return status;
}

static ndft_status share_clock(making *m)
{
    void *t = NULL;
    const ndft_status status =
        ndft_share_memory(m->owned, "t", m->from->problem.t, &t, m->exec->error);
    m->p->t = t;
    return status;
}

/* The same times again are the same memory, of which all is known. */
static ndft_status take_clock(making *m)
{
    const ndft_problem *p = m->p, *from = m->from ? &m->from->problem : NULL;
    const bool as_many = from && from->n_samples == p->n_samples;
    m->owned->timed = m->d->t;
    if (as_many && !m->d->t && !m->from->timed) return share_clock(m);
    NDFT_TRY(take_times(m));
    if (!as_many || p->t == from->t ||
        memcmp(p->t, from->t, (size_t)p->n_samples * ndft_real_size(p->prec)) != 0)
        return NDFT_OK;
    ndft_drop_memory(m->owned, p->t);
    return share_clock(m);
}

ndft_status ndft_take_samples(making *m)
{
    const ndft_problem_desc *d = m->d;
    ndft_problem *p = m->p;
    void *array = NULL;
    if (are_on_device(m)) {
        NDFT_TRY(fetch_from_device(m));
        return take_clock(m);
    }
    for (int axis = 0; axis < p->dim; axis++) {
        const ndft_status status = fetch_samples(m, d->k[axis], &array);
        p->k[axis] = array;
        NDFT_TRY(status);
    }
    return take_clock(m);
}

static bool same_samples(const ndft_problem *a, const ndft_problem *b)
{
    return a->t == b->t && !memcmp(a->k, b->k, sizeof a->k);
}

ndft_status ndft_find_structure(making *m)
{
    const ndft_problem *from = m->from ? &m->from->problem : NULL;
    if (!from || !same_samples(from, m->p)) return ndft_structure_find(m->p, from, m->exec->error);
    m->p->structure = from->structure;
    ndft_structure_count(m->p);
    return NDFT_OK;
}
