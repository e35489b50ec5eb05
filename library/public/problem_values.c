/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bounds.h"
#include "coils/coil_maps.h"
#include "harness.h"
#include "objects.h"

#include <math.h>
#include <stdio.h>

/* Whether a problem's arrays hold what engines can use: finite numbers, of an extent, and with
 * decay none below 0; coil maps that leave an image. */

static const double most_cycles = 0x1p31;

/* The first element that no engine could use, where the largest is none; at: where each is of what
 * was given, NULL: as here. */
static ndft_status check_values(const ndft_problem *p, const char *what, int axis,
                                const void *array, int64_t count, const int32_t *at, double largest,
                                double most, ndft_error *err)
{
    if (largest < most) return NDFT_OK;
    for (int64_t i = 0; i < count; i++) {
        const double value = ndft_real_at(array, p->prec, i);
        if (isfinite(value) && fabs(value) < most) continue;
        char name[32], limit[48] = "finite";
        snprintf(name, sizeof name, axis < 0 ? "%s" : "%s[%d]", what, axis);
        if (isfinite(most)) snprintf(limit, sizeof limit, "finite and below %.10g", most);
        return ndft_fail(err, NDFT_EINVAL, "%s is %.10g at element %lld; it must be %s", name,
                         value, (long long)(at ? at[i] : i), limit);
    }
    return NDFT_OK;
}

static ndft_status check_sign(const ndft_problem *p, const char *what, const void *array,
                              int64_t count, const int32_t *at, ndft_error *err)
{
    const int64_t i = ndft_first_negative(array, p->prec, count);
    if (i == count) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL,
                     "%s is %.10g at element %lld; with decay it must be at least 0", what,
                     ndft_real_at(array, p->prec, i), (long long)(at ? at[i] : i));
}

static ndft_status check_higher(const ndft_problem *p, ndft_error *err)
{
    const ndft_higher_phase *h = &p->higher;
    char what[16];
    for (int l = 0; l < h->terms; l++) {
        snprintf(what, sizeof what, "phase_c[%d]", l);
        NDFT_TRY(
            check_values(p, what, -1, h->c[l], p->n_samples, NULL, h->c_max[l], INFINITY, err));
        snprintf(what, sizeof what, "phase_b[%d]", l);
        NDFT_TRY(
            check_values(p, what, -1, h->b[l], p->n_voxels, p->voxel, h->b_max[l], INFINITY, err));
    }
    if (h->most < 2 * M_PI * most_cycles) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL,
                     "phase_c and phase_b reach %.6g rad together; it must be below %.10g", h->most,
                     2 * M_PI * most_cycles);
}

/* Turns of a sample's phase at the farthest voxel. */
static ndft_status check_positions(const ndft_problem *p, ndft_error *err)
{
    for (int d = 0; ndft_is_off_grid(p) && d < p->dim; d++) {
        const double turns = p->k_max[d] * p->x_max[d] / (double)p->n[d];
        NDFT_TRY(check_values(p, "position", d, p->x[d], p->n_voxels, p->voxel, p->x_max[d],
                              most_cycles, err));
        if (turns >= most_cycles)
            return ndft_fail(err, NDFT_EINVAL,
                             "k[%d] and position[%d] reach %.6g turns together; it must be below "
                             "%.10g",
                             d, d, turns, most_cycles);
    }
    return NDFT_OK;
}

static ndft_status check_decay(const ndft_problem *p, ndft_error *err)
{
    if (!p->decay) return NDFT_OK;
    NDFT_TRY(
        check_values(p, "decay", -1, p->decay, p->n_voxels, p->voxel, p->decay_max, INFINITY, err));
    NDFT_TRY(check_sign(p, "decay", p->decay, p->n_voxels, p->voxel, err));
    return check_sign(p, "t", p->t, p->n_samples, NULL, err);
}

/* Those of all voxels together are the image that is left. */
static ndft_status check_maps(const ndft_problem *p, ndft_error *err)
{
    if (!p->maps || ndft_maps_in_range(p)) return NDFT_OK;
    for (int64_t i = 0; i < 2 * p->coils * p->n_voxels; i++) {
        const double value = ndft_real_at(p->maps, p->prec, i);
        const int64_t v = i / 2 % p->n_voxels;
        if (isfinite(value)) continue;
        return ndft_fail(err, NDFT_EINVAL,
                         "maps is %.10g at element %lld of coil %lld; it must be finite", value,
                         (long long)(p->voxel ? p->voxel[v] : v), (long long)(i / 2 / p->n_voxels));
    }
    const double largest = ndft_largest(p->maps, p->prec, 2 * p->coils * p->n_voxels);
    const double most = ndft_most_of_maps(p->prec);
    if (largest == 0)
        return ndft_fail(err, NDFT_EINVAL, "maps is 0 everywhere; it leaves no image");
    return ndft_fail(err, NDFT_EINVAL,
                     "maps is %.10g where it is largest, %.3g in the mean; %.3g to %.3g is valid",
                     largest, sqrt(p->power_mean), 1 / most, most);
}

ndft_status ndft_check_values(const ndft_problem *p, ndft_error *err)
{
    for (int d = 0; d < p->dim; d++)
        NDFT_TRY(
            check_values(p, "k", d, p->k[d], p->n_samples, NULL, p->k_max[d], most_cycles, err));
    NDFT_TRY(check_positions(p, err));
    NDFT_TRY(check_values(p, "t", -1, p->t, p->n_samples, NULL, p->t_max, INFINITY, err));
    NDFT_TRY(check_values(p, "field", -1, p->dw, p->n_voxels, p->voxel, p->dw_max, INFINITY, err));
    for (int d = 0; d < p->dim; d++)
        NDFT_TRY(check_values(p, "gradient", d, p->g[d], p->n_voxels, p->voxel, p->g_max[d],
                              INFINITY, err));
    NDFT_TRY(check_maps(p, err));
    NDFT_TRY(check_higher(p, err));
    return check_decay(p, err);
}
