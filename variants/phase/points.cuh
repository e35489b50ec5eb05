/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_POINTS_CUH
#define NDFT_POINTS_CUH

#include "centre.cuh"
#include "coords.h"
#include "core/device.cuh"
#include "core/tiles.h"
#include "dephasing.h"

/*
 * The points of one side as device arrays. Coordinates come in fours: space axes (NULL beyond dim),
 * then the field's. `order` lists the elements in the order wanted, -1 standing for padding; NULL
 * is the natural order.
 */

struct ndft_order {
    const int32_t *element; /* host array, or NULL */
    int64_t n_points;
    int64_t operator()(int64_t i) const { return i >= n_points ? -1 : element ? element[i] : i; }
};

/* One coordinate of every point: value(element), zero for padding. */
template <class R, class Value>
ndft_status ndft_place_ordered(ndft_arrays *arrays, const char *what, ndft_order order,
                               int64_t count, const R **device, Value value)
{
    return ndft_place(arrays, what, count, device, [&](int64_t i) {
        const int64_t element = order(i);
        return element < 0 ? (R)0 : (R)value(element, i);
    });
}

/* Exact coordinates: integers x and dw, or k and t. */
template <class R>
ndft_status ndft_place_raw(ndft_arrays *arrays, const ndft_problem *p, ndft_side side,
                           const R *raw[4])
{
    const ndft_order order = {nullptr, side == NDFT_VOXELS ? p->n_voxels : p->n_samples};
    for (int d = 0; d < 4; d++) {
        if (d >= p->dim && d < 3) continue;
        NDFT_TRY(ndft_place_ordered(arrays, "coordinates", order, order.n_points, &raw[d],
                                    [&](int64_t element, int64_t) {
                                        double at[4];
                                        ndft_point(p, side, element, at);
                                        return at[d];
                                    }));
    }
    return NDFT_OK;
}

/* Offsets from the tiles' centres, scaled so that their product with the other side's exact
 * coordinate is a phase in rad, times `scale`. */
template <class R>
ndft_status ndft_place_offsets(ndft_arrays *arrays, const ndft_problem *p, ndft_side side,
                               const ndft_tiles &tiles, double scale, const R *offset[4])
{
    const ndft_order order = {tiles.order, tiles.n_points};
    for (int d = 0; d < 4; d++) {
        if (d >= p->dim && d < 3) continue;
        const double unit = d == 3 ? scale : scale * ndft_two_pi / (double)p->n[d];
        NDFT_TRY(ndft_place_ordered(arrays, "tile offsets", order, tiles.n_tiles * tiles.tile,
                                    &offset[d], [&](int64_t element, int64_t i) {
                                        double at[4];
                                        ndft_point(p, side, element, at);
                                        return unit * (at[d] - tiles.centre[i / tiles.tile][d]);
                                    }));
    }
    return NDFT_OK;
}

/* Elements of sorted points, -1 for the padding of the last tile. */
inline ndft_status ndft_place_order(ndft_arrays *arrays, const ndft_tiles &tiles,
                                    const int32_t **device)
{
    const ndft_order order = {tiles.order, tiles.n_points};
    return ndft_place(arrays, "tile order", tiles.n_tiles * tiles.tile, device,
                      [&](int64_t i) { return (int32_t)order(i); });
}

/* A side's part of decay's exponent: t of samples, R2* of voxels. */
inline const void *ndft_decay_part(const ndft_problem *p, ndft_side side)
{
    return side == NDFT_VOXELS ? p->decay : p->t;
}

/* A side's part of the sinc's argument k/N + G t: k/N per axis and t, or G per axis. Without
 * gradients, of decay's exponent. */
template <class R>
ndft_status ndft_place_parts(ndft_arrays *arrays, const ndft_problem *p, ndft_side side,
                             ndft_order order, int64_t count, const R *part[4])
{
    if (!ndft_is_weighted(p)) return NDFT_OK;
    if (!ndft_has_gradients(p))
        return ndft_place_ordered(
            arrays, "decay", order, count, &part[0], [&](int64_t element, int64_t) {
                return ndft_real_at(ndft_decay_part(p, side), p->prec, element);
            });
    for (int d = 0; d < p->dim; d++) {
        const void *array = side == NDFT_VOXELS ? p->g[d] : p->k[d];
        const double scale = side == NDFT_VOXELS ? 1 : 1 / (double)p->n[d];
        NDFT_TRY(ndft_place_ordered(arrays, "sinc coordinates", order, count, &part[d],
                                    [&](int64_t element, int64_t) {
                                        return scale * ndft_real_at(array, p->prec, element);
                                    }));
    }
    if (side == NDFT_VOXELS) return NDFT_OK;
    return ndft_place_ordered(
        arrays, "sinc coordinates", order, count, &part[p->dim],
        [&](int64_t element, int64_t) { return ndft_real_at(p->t, p->prec, element); });
}

/* Terms of a phase of higher order that kernels are built for. */
inline int ndft_higher_room(const ndft_problem *p)
{
    return p->higher.terms == 0 ? 0 : p->higher.terms <= 4 ? 4 : NDFT_HIGHER_TERMS;
}

/* A side's terms of it, times scale, and zeros up to the room. */
template <class R>
ndft_status ndft_place_higher(ndft_arrays *arrays, const ndft_problem *p, ndft_side side,
                              ndft_order order, int64_t count, double scale, const R *part[])
{
    const ndft_higher_phase &h = p->higher;
    for (int l = 0; l < ndft_higher_room(p); l++) {
        const void *from = side == NDFT_VOXELS ? h.b[l] : h.c[l];
        NDFT_TRY(ndft_place_ordered(
            arrays, "a phase's terms", order, count, &part[l], [&](int64_t element, int64_t) {
                return l < h.terms ? scale * ndft_real_at(from, p->prec, element) : 0;
            }));
    }
    return NDFT_OK;
}

/* Everything of a side in tile order: offsets, elements, sinc parts, centres. Phases have the given
 * sign, what is left of them in a tile is `stretch` times as large. */
template <class R>
ndft_status ndft_place_tiles(ndft_arrays *arrays, const ndft_problem *p, ndft_side side,
                             const ndft_tiles &tiles, double sign, double stretch,
                             const R *offset[4], const int32_t **element, const R *part[4],
                             const ndft_centre **centre)
{
    NDFT_TRY(ndft_place_offsets(arrays, p, side, tiles, sign * stretch, offset));
    NDFT_TRY(ndft_place_order(arrays, tiles, element));
    NDFT_TRY(ndft_place_parts(arrays, p, side, {tiles.order, tiles.n_points},
                              tiles.n_tiles * tiles.tile, part));
    return ndft_place(arrays, "tile centres", tiles.n_tiles, centre,
                      [&](int64_t t) { return ndft_centre_of(p, tiles.centre[t], sign); });
}

/* Rows of a staged tile (see ndft_inner_loop), and its bytes. */
inline int ndft_tile_rows(const ndft_problem *p, bool to_voxels)
{
    if (!ndft_has_gradients(p)) return p->dim + 3 + (p->decay ? 1 : 0) + ndft_higher_room(p);
    return p->dim + 3 + (to_voxels ? p->dim + 1 : p->dim);
}

inline size_t ndft_tile_bytes(const ndft_problem *p, bool to_voxels, int tile)
{
    return (size_t)ndft_tile_rows(p, to_voxels) * (size_t)tile * ndft_real_size(p->prec);
}

#endif
