/* SPDX-License-Identifier: Apache-2.0 */
#include "axis.h"

#include <string.h>

const char *ndft_chirp_z_unsupported(const ndft_problem *p, ndft_lattice *lattice)
{
    if (p->dw) return "it has no field map";
    if (p->decay) return "it has no decay (R2*)";
    if (ndft_has_gradients(p)) return "it has no gradient maps";
    const char *why = ndft_lattice_of(p, lattice);
    if (why) return why;
    return lattice->places > INT32_MAX - 1 ? "its lattice has more than 2^31 places" : NULL;
}

static void put_phasor(const ndft_chirp_z_axis *a, double phasor[2], ndft_prec prec, void *to,
                       int64_t i)
{
    ndft_put_real(to, prec, 2 * i, phasor[0]);
    ndft_put_real(to, prec, 2 * i + 1, a->adjoint ? -phasor[1] : phasor[1]);
}

void ndft_chirp_z_factors(const ndft_chirp_z_axis *a, ndft_prec prec, void *of_inputs,
                          void *of_outputs)
{
    double phasor[2];
    const int64_t centre = a->n / 2;
    void *of_voxels = a->adjoint ? of_outputs : of_inputs;
    void *of_places = a->adjoint ? of_inputs : of_outputs;
    for (int64_t i = 0; i < a->n; i++) {
        ndft_lattice_phasor(a->first, -2 * (i - centre), a->step, -i * i, a->n, phasor);
        put_phasor(a, phasor, prec, of_voxels, i);
    }
    for (int64_t q = 0; q < a->count; q++) {
        ndft_lattice_phasor(a->step, 2 * q * centre - q * q, 0, 0, a->n, phasor);
        put_phasor(a, phasor, prec, of_places, q);
    }
}

void ndft_chirp_z_filter(const ndft_chirp_z_axis *a, int64_t cells, double *filter)
{
    memset(filter, 0, (size_t)cells * 2 * sizeof *filter);
    for (int64_t m = 1 - a->pass.in.count; m < a->pass.out.count; m++) {
        double *to = filter + 2 * (m < 0 ? m + cells : m);
        ndft_lattice_phasor(a->step, m * m, 0, 0, a->n, to);
        if (a->adjoint) to[1] = -to[1];
    }
}

ndft_chirp_z_ends ndft_chirp_z_ends_of(const ndft_problem *p, const ndft_lattice *l, bool adjoint)
{
    const bool packed = p->voxel != NULL;
    const int64_t element = packed ? 1 : ndft_element_stride(p);
    const int64_t coil = packed ? ndft_grid_size(p) : ndft_coil_stride(p, p->n_voxels);
    return adjoint ? (ndft_chirp_z_ends){1, l->places, element, coil}
                   : (ndft_chirp_z_ends){element, coil, 1, l->places};
}

/* An array of an image or a lattice for each coil. */
static ndft_tensor tensor_of(const int64_t shape[NDFT_MODES], int64_t element, int64_t coil)
{
    ndft_tensor t = ndft_packed_tensor(shape);
    for (int mode = NDFT_MODE_N; mode < NDFT_MODE_K; mode++) t.stride[mode] *= element;
    t.stride[NDFT_MODE_K] = coil;
    return t;
}

int ndft_chirp_z_axes(const ndft_problem *p, const ndft_lattice *l, bool adjoint, int coils,
                      const ndft_chirp_z_ends *ends, ndft_chirp_z_axis axes[3], int64_t *most)
{
    int order[3], count = 0;
    int64_t shape[NDFT_MODES] = {1, 1, 1, 1, coils};
    *most = 0;
    for (int d = 0; d < 3; d++) {
        shape[NDFT_MODE_N + d] = adjoint ? l->count[d] : p->n[d];
        if (p->n[d] > 1) order[count++] = d;
    }
    if (count == 0) order[count++] = 0;
    ndft_tensor in = tensor_of(shape, ends->in_element, ends->in_coil);
    for (int i = 0; i < count; i++) {
        const int d = order[i];
        shape[NDFT_MODE_N + d] = adjoint ? p->n[d] : l->count[d];
        const ndft_tensor out = i == count - 1 ? tensor_of(shape, ends->out_element, ends->out_coil)
                                               : ndft_packed_tensor(shape);
        axes[i] = (ndft_chirp_z_axis){p->n[d],     l->count[d],
                                      l->first[d], l->step[d],
                                      adjoint,     ndft_pass_of(NDFT_MODE_N + d, 1, &in, &out)};
        const int64_t size = ndft_tensor_size(&out) / coils;
        if (i < count - 1 && size > *most) *most = size;
        in = out;
    }
    return count;
}
