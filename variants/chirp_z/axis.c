/* SPDX-License-Identifier: Apache-2.0 */
#include "axis.h"

#include <string.h>

const char *ndft_chirp_z_unsupported(const ndft_problem *p, ndft_lattice *lattice)
{
    if (p->dw) return "it has no field map";
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

/* Strides of an array of this shape whose coils are `coil` apart. */
static void set_side(const int64_t shape[3], int along, int64_t element, int64_t coil,
                     ndft_line_side *side)
{
    int64_t stride = element;
    *side = (ndft_line_side){.count = shape[along]};
    for (int d = 0, mode = 0; d < 3; d++) {
        if (d == along)
            side->stride = stride;
        else
            side->step[mode++] = stride;
        stride *= shape[d];
    }
    side->step[2] = coil;
}

/* shape: of the pass's input, on return of its output. */
static ndft_pass pass_of(int64_t shape[3], int along, int64_t to, int coils,
                         const ndft_chirp_z_ends *ends, bool is_first, bool is_last)
{
    ndft_pass p = {.sign = 1, .length = shape[along], .modes = 3};
    const int64_t size = shape[0] * shape[1] * shape[2];
    set_side(shape, along, is_first ? ends->in_element : 1, is_first ? ends->in_coil : size, &p.in);
    p.lines = size / shape[along] * coils;
    for (int d = 0, mode = 0; d < 3; d++)
        if (d != along) p.shape[mode++] = shape[d];
    p.shape[2] = coils;
    shape[along] = to;
    set_side(shape, along, is_last ? ends->out_element : 1,
             is_last ? ends->out_coil : shape[0] * shape[1] * shape[2], &p.out);
    return p;
}

int ndft_chirp_z_axes(const ndft_problem *p, const ndft_lattice *l, bool adjoint, int coils,
                      const ndft_chirp_z_ends *ends, ndft_chirp_z_axis axes[3], int64_t *most)
{
    int order[3], count = 0;
    int64_t shape[3];
    *most = 0;
    for (int d = 0; d < 3; d++) {
        shape[d] = adjoint ? l->count[d] : p->n[d];
        if (p->n[d] > 1) order[count++] = d;
    }
    if (count == 0) order[count++] = 0;
    for (int i = 0; i < count; i++) {
        const int d = order[i];
        axes[i] = (ndft_chirp_z_axis){p->n[d], l->count[d], l->first[d], l->step[d], adjoint, {0}};
        axes[i].pass =
            pass_of(shape, d, adjoint ? p->n[d] : l->count[d], coils, ends, i == 0, i == count - 1);
        const int64_t size = shape[0] * shape[1] * shape[2];
        if (i < count - 1 && size > *most) *most = size;
    }
    return count;
}
