/* SPDX-License-Identifier: Apache-2.0 */
#include "role.h"

#include "cfl.h"
#include "npy.h"

#include <math.h>
#include <string.h>

static bool is_pair(const ndft_array *a) { return a->element >= NDFT_ELEMENT_C64; }

void ndft_array_at(const ndft_array *a, int64_t i, double z[2])
{
    bool pair = is_pair(a);
    int64_t at = pair ? 2 * i : i;
    z[1] = 0;
    if (a->element == NDFT_ELEMENT_BOOL) {
        z[0] = ((const unsigned char *)a->data)[at];
    } else if (a->element == NDFT_ELEMENT_F32 || a->element == NDFT_ELEMENT_C64) {
        z[0] = a->scale * (double)((const float *)a->data)[at];
        if (pair) z[1] = a->scale * (double)((const float *)a->data)[at + 1];
    } else {
        z[0] = a->scale * ((const double *)a->data)[at];
        if (pair) z[1] = a->scale * ((const double *)a->data)[at + 1];
    }
}

const ndft_role ndft_role_traj = {"traj", "m,d", .has_shots = true, .cfl_scale = 1};
const ndft_role ndft_role_times = {"times", "m", .has_shots = true, .cfl_scale = 1};
const ndft_role ndft_role_field = {"field", "nz,ny,nx", .cfl_scale = -1};
const ndft_role ndft_role_decay = {"decay", "nz,ny,nx", .cfl_scale = 1};
const ndft_role ndft_role_phase_c = {"phase", "l,m", .has_shots = true, .cfl_scale = 1};
const ndft_role ndft_role_phase_b = {"phase", "l,nz,ny,nx", .cfl_scale = 1};
const ndft_role ndft_role_grad = {"grad", "d,nz,ny,nx", .cfl_scale = -1};
const ndft_role ndft_role_grid = {"grid", "voxels,d", .has_shots = true, .cfl_scale = 1};
const ndft_role ndft_role_mask = {"mask", "nz,ny,nx", .is_mask = true, .cfl_scale = 1};
const ndft_role ndft_role_maps = {"maps", "coils,nz,ny,nx", .is_complex = true, .cfl_scale = 1};
const ndft_role ndft_role_kernel = {"kernel", "nz,ny,nx", .is_complex = true, .cfl_scale = 1};
const ndft_role ndft_role_image = {"data", "coils,nz,ny,nx", .is_complex = true, .cfl_scale = 1};
const ndft_role ndft_role_data = {"data", "coils,m", .is_complex = true, .has_shots = true,
                                  .cfl_scale = 1};

const ndft_role ndft_role_signal = {"data", "K,n3,n2,n1,M", .cfl_scale = 1};
const ndft_role ndft_role_spectrum = {"data", "K,n3,n2,n1,M", .is_complex = true, .cfl_scale = 1};

/* BART keeps samples and shots apart, in its second and third dimension. */
static void join_shots(ndft_array *a)
{
    a->shot_length = a->shape[a->rank - 2];
    a->shape[a->rank - 2] *= a->shape[a->rank - 3];
    a->shape[a->rank - 3] = 1;
}

static int squeeze(const int64_t *shape, int rank, int64_t *kept)
{
    int n = 0;
    for (int d = 0; d < rank; d++)
        if (shape[d] != 1) kept[n++] = shape[d];
    return n;
}

static ndft_status check_shape(const char *path, const ndft_role *role, const int64_t *shape,
                               int rank, const ndft_array *a, ndft_error *err)
{
    int64_t want[NDFT_MAX_RANK], found[NDFT_MAX_RANK];
    int n_want = squeeze(shape, rank, want), n_found = squeeze(a->shape, a->rank, found);
    if (n_want == n_found && memcmp(want, found, (size_t)n_want * sizeof *want) == 0)
        return NDFT_OK;
    char wanted[128], is[256];
    ndft_npy_shape(shape, rank, wanted, sizeof wanted);
    if (ndft_is_cfl(path))
        ndft_npy_shape(found, n_found, is, sizeof is);
    else
        ndft_npy_shape(a->shape, a->rank, is, sizeof is);
    return ndft_fail(err, NDFT_EINVAL, "%s=file:%s: wanted shape (%s) = %s, found %s", role->key,
                     path, role->axes, wanted, is);
}

static ndft_status check_type(const char *path, const ndft_role *role, const ndft_array *a,
                              ndft_error *err)
{
    bool pair = is_pair(a), mask = a->element == NDFT_ELEMENT_BOOL;
    if (mask ? role->is_mask : !pair || role->is_complex || ndft_is_cfl(path)) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL, "%s=file:%s: the type is %s; wanted is float32, float64%s",
                     role->key, path, ndft_npy_type(a->element),
                     role->is_mask      ? " or bool"
                     : role->is_complex ? ", complex64 or complex128"
                                        : "");
}

/* The first element that is not finite, or that is not real where it must be. */
static ndft_status check_values(const char *path, const ndft_role *role, const ndft_array *a,
                                ndft_error *err)
{
    int64_t count = ndft_array_count(a), bad = count;
#pragma omp parallel for reduction(min : bad)
    for (int64_t i = 0; i < count; i++) {
        double z[2];
        ndft_array_at(a, i, z);
        if (!isfinite(z[0]) || !isfinite(z[1]) || (!role->is_complex && z[1] != 0))
            bad = i < bad ? i : bad;
    }
    if (bad == count) return NDFT_OK;
    double z[2];
    ndft_array_at(a, bad, z);
    int64_t index[NDFT_MAX_RANK], rest = bad;
    for (int d = a->rank - 1; d >= 0; rest /= a->shape[d--]) index[d] = rest % a->shape[d];
    char text[256];
    ndft_npy_shape(index, a->rank, text, sizeof text);
    if (isfinite(z[0]) && isfinite(z[1]))
        return ndft_fail(err, NDFT_EINVAL,
                         "%s=file:%s: element %s has the imaginary part %g; "
                         "real numbers are wanted",
                         role->key, path, text, z[1]);
    return ndft_fail(err, NDFT_EINVAL,
                     "%s=file:%s: element %s is %g; only finite numbers are valid", role->key, path,
                     text, isfinite(z[0]) ? z[1] : z[0]);
}

ndft_status ndft_array_read(const char *path, const ndft_role *role, const int64_t *shape, int rank,
                            ndft_arena *arena, ndft_array *a, ndft_error *err)
{
    const char *end = strrchr(path, '.');
    bool cfl = ndft_is_cfl(path);
    if (!cfl && (!end || strcmp(end, ".npy") != 0))
        return ndft_fail(err, NDFT_EINVAL, "%s=file:%s: a file name ends in .npy, .cfl or .hdr",
                         role->key, path);
    NDFT_TRY(cfl ? ndft_cfl_read(path, arena, a, err) : ndft_npy_read(path, arena, a, err));
    if (cfl) a->scale = role->cfl_scale;
    if (cfl && role->has_shots) join_shots(a);
    NDFT_TRY(check_type(path, role, a, err));
    NDFT_TRY(check_shape(path, role, shape, rank, a, err));
    return check_values(path, role, a, err);
}

ndft_status ndft_reals_read(const char *path, const ndft_role *role, const int64_t *shape, int rank,
                            ndft_arena *arena, double *values, ndft_error *err)
{
    ndft_array a;
    double z[2];
    NDFT_TRY(ndft_array_read(path, role, shape, rank, arena, &a, err));
    for (int64_t i = 0; i < ndft_array_count(&a); i++) {
        ndft_array_at(&a, i, z);
        values[i] = z[0];
    }
    return NDFT_OK;
}
