/* SPDX-License-Identifier: Apache-2.0 */
#include "phases.h"
#include "sum.h"

ndft_direction_loop NDFT_LOOP(output_driven);

/*
 * Polanco's stages: a batch's values are turned to the centre of the chunk of outputs; all outputs
 * take the batch; chunks whose sum was split are joined.
 */

/* Stage 1: the batch's values times the centre's phasors, one per input. */
static const ndft_real *turned_batch(const ndft_chunk *k, int64_t t)
{
    const ndft_sum *s = k->sum;
    const ndft_real *values = ndft_tile_values(s, t);
    if (!s->centre) return values;
    const int tile = s->tile;
    ndft_turn_centre(k, s->in_at, t * tile, tile, &s->centre[k->first / s->lanes]);
    const ndft_real *restrict c = k->turn, *restrict sine = c + tile;
    for (int coil = 0; coil < s->coils; coil++) {
        const ndft_real *restrict re = values + 2 * coil * tile, *restrict im = re + tile;
        ndft_real *restrict to = k->rotated + 2 * coil * tile;
#pragma omp simd
        for (int i = 0; i < tile; i++) {
            to[i] = c[i] * re[i] - sine[i] * im[i];
            to[tile + i] = sine[i] * re[i] + c[i] * im[i];
        }
    }
    return k->rotated;
}

/* Stage 2. */
static void add_batch(const ndft_chunk *k, int64_t t)
{
    ndft_add_blocks(k, t, turned_batch(k, t), ndft_phases, ndft_turn_poly, ndft_accumulate);
    ndft_join(k);
}

static void clear_output(const ndft_sum *s, int64_t o, ndft_real *out)
{
    for (int c = 0; c < s->coils; c++) {
        ndft_real *z = out + 2 * (c * s->out_coil + o * s->out_element);
        z[0] = z[1] = 0;
    }
}

static void add_atomically(const ndft_chunk *k, ndft_real *out)
{
    const ndft_sum *s = k->sum;
    const ndft_real *total = k->total;
    for (int c = 0; c < s->coils; c++, total += 2 * s->lanes) {
        for (int l = 0; l < s->lanes && k->first + l < s->outputs; l++) {
            const int64_t at = k->first + l, element = s->out_order ? s->out_order[at] : at;
            ndft_real *z = out + 2 * (c * s->out_coil + element * s->out_element);
#pragma omp atomic
            z[0] += total[l];
#pragma omp atomic
            z[1] += total[s->lanes + l];
        }
    }
}

/* Adds the parts of a chunk pairwise into the first. */
static void join_tree(const ndft_sum *s, ndft_real *part, int64_t reals)
{
    for (int step = 1; step < s->split; step *= 2) {
        for (int i = 0; i + step < s->split; i += 2 * step) {
            ndft_real *restrict to = part + i * reals;
            const ndft_real *restrict from = part + (i + step) * reals;
#pragma omp simd
            for (int64_t r = 0; r < reals; r++) to[r] += from[r];
        }
    }
}

/* One chunk's share of the sum: tiles of part number `part`, and stage 3 as far as it can go. */
static void run_part(ndft_chunk *k, int part, ndft_real *out)
{
    const ndft_sum *s = k->sum;
    ndft_sum_tiles(k, s->tiles * part / s->split, s->tiles * (part + 1) / s->split, add_batch);
    if (s->split == 1) {
        ndft_store(s, k->first, k->total, out);
    } else if (s->atomic) {
        add_atomically(k, out);
    } else {
        const int64_t reals = (int64_t)s->coils * 2 * s->lanes;
        const int64_t chunk = k->first / s->lanes;
        memcpy((ndft_real *)s->parts + (chunk * s->split + part) * reals, k->total,
               (size_t)reals * sizeof *out);
    }
}

void NDFT_LOOP(output_driven)(const void *sum, const void *in, void *out)
{
    const ndft_sum *s = sum;
    const int64_t reals = (int64_t)s->coils * 2 * s->lanes;
    const bool tree = s->split > 1 && !s->atomic;
#pragma omp parallel num_threads(s->threads)
    {
        ndft_chunk k = ndft_chunk_of(s, omp_get_thread_num());
#pragma omp for schedule(static) nowait
        for (int64_t o = 0; o < (s->split > 1 && s->atomic ? s->outputs : 0); o++)
            clear_output(s, o, out);
#pragma omp for schedule(static)
        for (int64_t t = 0; t < s->tiles; t++) ndft_stage_tile(s, t, in);
#pragma omp for schedule(dynamic)
        for (int64_t item = 0; item < s->chunks * s->split; item++) {
            k.first = item / s->split * s->lanes;
            run_part(&k, (int)(item % s->split), out);
        }
#pragma omp for schedule(static)
        for (int64_t chunk = 0; chunk < (tree ? s->chunks : 0); chunk++) {
            ndft_real *part = (ndft_real *)s->parts + chunk * s->split * reals;
            join_tree(s, part, reals);
            ndft_store(s, chunk * s->lanes, part, out);
        }
    }
}
