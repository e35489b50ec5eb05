/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COIL_SIDE_CUH
#define NDFT_COIL_SIDE_CUH

#include "core/shares.cuh"
#include "direct/inner_loop.cuh"
#include "phase/points.cuh"

/*
 * What the kernels of coil_gemm work on. Inputs lie in compact tiles, staged chunk by chunk: rows
 * of coordinates, fixed in plan, and the data as the B matrices of tensor cores, which
 * coil_data.cuh makes of the input. Outputs are the rows of the product; a block has some of them
 * for one group of coils.
 */

/* How the products are formed: parts of an operand, and the steps of its type in one of 16. */
enum ndft_coil_mode { NDFT_COIL_F16X3, NDFT_COIL_F16X1, NDFT_COIL_TF32X3, NDFT_COIL_MODES };

template <int MODE> struct ndft_coil_parts {
    static constexpr int PARTS = MODE == NDFT_COIL_F16X1 ? 1 : 2;
    static constexpr int SUBSTEPS = MODE == NDFT_COIL_TF32X3 ? 2 : 1;
};

/* The real products that make a complex one, and what the data consist of: c, s with re, im, for
 * which wgmma wants [-im, re, im]; or after Gauss c, s, c + s with re, im, re + im, by mma.sync or
 * wgmma, which may have the high parts of phasors as subnormals (ndft_coil_subnormal): then the low
 * parts of the data are as much larger. */
enum ndft_coil_form {
    NDFT_COIL_FOUR,
    NDFT_COIL_FOUR_NEGATED,
    NDFT_COIL_THREE,
    NDFT_COIL_THREE_WGMMA,
    NDFT_COIL_THREE_SMALL
};

/* Quantities of the data. */
__host__ __device__ constexpr int ndft_coil_quantities(int form)
{
    return form == NDFT_COIL_FOUR ? 2 : 3;
}

/* Inputs of a step and coils of a column block, the sides of the tensor cores' matrices. */
enum { NDFT_COIL_STEP = 16, NDFT_COIL_COLUMNS = 8 };

/* Inputs of a chunk, which is what is staged at a time; a tile has whole chunks. After Gauss by
 * wgmma the sums of all tiles share the memory. */
__host__ __device__ constexpr int ndft_coil_chunk_of(int mode, int form, int blocks)
{
    return form >= NDFT_COIL_THREE_WGMMA                        ? 512 / blocks
           : mode == NDFT_COIL_F16X1 || form == NDFT_COIL_THREE ? 256
           : mode == NDFT_COIL_F16X3                            ? 128
                                                                : 64;
}

/* A tile's centre in turns per unit of the outputs' coordinates (see centre.h), as two floats: the
 * first product loses its whole turns exactly, the second has none. */
struct ndft_coil_centre {
    float hi[4], lo[4];
};

/* One direction. */
struct ndft_coil_side {
    const float *coords;            /* [chunks][rows][chunk] offsets, then parts of the sinc */
    const int32_t *order;           /* [n_tiles*tile] element of the input, -1: padding */
    const ndft_coil_centre *centre; /* [n_tiles] */
    const float4 *point;            /* [outputs] exact coordinates: space, zeros, the field's */
    const float4 *part;             /* [outputs] the output's part of the sinc's argument */
    int rows, chunk, tile, n_tiles;
    int coils, groups, blocks; /* column blocks of a group; the last group may have fewer coils */
    ndft_coil_form form;
    int cuts; /* of a sum in a step that the scale of the data gives back */
    ndft_strides in;
    uint4 *data;    /* [groups][n_tiles][data_bytes()], see coil_data.cuh */
    float *unscale; /* [groups][n_tiles] what takes the data's scale back */
    ndft_split<float> split;

    /* Of a tile's data. */
    __host__ __device__ int data_bytes(int mode) const
    {
        const int operands = mode == NDFT_COIL_F16X1   ? 1
                             : mode == NDFT_COIL_F16X3 ? 2
                                                       : 4; /* with substeps */
        return tile / NDFT_COIL_STEP * operands * ndft_coil_quantities(form) * blocks * 256;
    }
};

/* Coordinate `row` of the point of a tile's place: offsets in rad, then the sinc's parts, or
 * decay's, which is one. */
inline double ndft_coil_coord(const ndft_problem *p, ndft_side side, const double centre[4],
                              int dim, int row, int64_t element)
{
    const double sign = side == NDFT_VOXELS ? -1 : 1;
    if (row <= dim) {
        const int axis = row < dim ? row : 3;
        double at[4];
        ndft_point(p, side, element, at);
        const double scale = axis == 3 ? 1 : ndft_two_pi / (double)p->n[axis];
        return ndft_hardware_stretch * sign * scale * (at[axis] - centre[axis]);
    }
    const int part = row - dim - 1;
    if (p->decay) return ndft_real_at(ndft_decay_part(p, side), p->prec, element);
    if (part == dim) return ndft_real_at(p->t, p->prec, element);
    if (part >= p->dim) return 0;
    return side == NDFT_VOXELS ? ndft_real_at(p->g[part], p->prec, element)
                               : ndft_real_at(p->k[part], p->prec, element) / (double)p->n[part];
}

/* The inputs' tiles; dim: axes of the kernel, at least the problem's. */
inline ndft_status ndft_coil_place_inputs(ndft_arrays *arrays, const ndft_problem *p,
                                          ndft_side from, int dim, ndft_coil_side *s)
{
    ndft_tiles tiles;
    if (!ndft_tiles_make(p, from, s->tile, &tiles))
        return ndft_fail(arrays->exec->error, NDFT_ENOMEM, "no host memory to sort inputs");
    s->n_tiles = (int)tiles.n_tiles;
    const int rows = s->rows, tile = s->tile, chunk = s->chunk;
    const ndft_order order = {tiles.order, tiles.n_points};
    ndft_status status = ndft_place(
        arrays, "tile coordinates", tiles.n_tiles * rows * tile, &s->coords, [&](int64_t i) {
            const int64_t place = i / (rows * chunk) * chunk + i % chunk, element = order(place);
            const int row = (int)(i / chunk % rows);
            return element < 0 ? 0.0f
                               : (float)ndft_coil_coord(p, from, tiles.centre[place / tile], dim,
                                                        row, element);
        });
    if (status == NDFT_OK) status = ndft_place_order(arrays, tiles, &s->order);
    if (status == NDFT_OK)
        status = ndft_place(arrays, "tile centres", tiles.n_tiles, &s->centre, [&](int64_t t) {
            const ndft_centre exact =
                ndft_centre_of(p, tiles.centre[t], from == NDFT_VOXELS ? -1 : 1);
            ndft_coil_centre centre;
            for (int d = 0; d < 4; d++) {
                centre.hi[d] = (float)exact.hi[d];
                centre.lo[d] = (float)(exact.hi[d] - centre.hi[d] + exact.lo[d]);
            }
            return centre;
        });
    ndft_tiles_free(&tiles);
    return status;
}

/* The outputs' coordinates, and their parts of the sinc's argument: k/N per axis and t, or G. */
inline ndft_status ndft_coil_place_outputs(ndft_arrays *arrays, const ndft_problem *p, ndft_side to,
                                           int dim, ndft_coil_side *s)
{
    const int64_t length = to == NDFT_VOXELS ? p->n_voxels : p->n_samples;
    NDFT_TRY(ndft_place(arrays, "coordinates", length, &s->point, [&](int64_t i) {
        double at[4];
        ndft_point(p, to, i, at);
        at[dim] = at[3];
        return make_float4((float)at[0], (float)at[1], (float)at[2], (float)at[3]);
    }));
    if (!ndft_is_weighted(p)) return NDFT_OK;
    const int parts = p->decay ? 1 : to == NDFT_VOXELS ? dim : dim + 1;
    return ndft_place(arrays, "sinc coordinates", length, &s->part, [&](int64_t i) {
        const double centre[4] = {0};
        double u[4] = {0};
        for (int d = 0; d < parts; d++) u[d] = ndft_coil_coord(p, to, centre, dim, dim + 1 + d, i);
        return make_float4((float)u[0], (float)u[1], (float)u[2], (float)u[3]);
    });
}

#endif
