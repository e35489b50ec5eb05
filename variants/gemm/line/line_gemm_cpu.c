/* SPDX-License-Identifier: Apache-2.0 */
#include "core/chosen.h"
#include "core/directions.h"
#include "direct/sum_cost.h"
#include "line_gemm_loop.h"
#include "phase/phase_range.h"
#include "phase/points.h"
#include "phase/scaled.h"
#include "phase/worst_entry.h"

/*
 * Uniform lines by baby and giant steps, the field map exact: along a line the phase is linear in
 * the sample's number q, field included, so s_q = sum_k w_k z_k^q. Samples come in blocks around
 * their middles, q = middle(b) +- (p + 1/2): giant steps to the middles times the voxels' values
 * are the columns of a product whose rows are baby steps, and as those to -p are the conjugates of
 * those to +p, cosines and sines are summed apart and serve both: real by complex, 2 FMA a pair and
 * not 4. Trigonometry is left for 1/64 of the pairs or so, in both directions. A thread takes a
 * piece of a line (forward) or a tile of voxels (adjoint). The FMA pipes are the ceiling.
 *
 * Decay it does not take: steps to -p would be as much longer as those to +p are shorter, and what
 * both share is half of what it is faster by.
 */

enum { COLUMNS, THREADS }; /* knobs, in order */
enum { HALF = NDFT_LINE_HALF, BLOCK = NDFT_LINE_BLOCK, MOST_BLOCKS = 16 };

static const ndft_knob knobs[] = {
    NDFT_KNOB("columns", "reals", "blocks times coils, re and im, that share baby steps", 192,
              (48, 96, 192, 384)),
    NDFT_KNOB("threads", "", "threads; 0 is all", 0, (0, 1, 2)),
};

NDFT_LOOPS(forward_loops, ndft_direction_loop, line_forward);
NDFT_LOOPS(adjoint_loops, ndft_direction_loop, line_adjoint);

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    (void)device;
    if (ndft_has_gradients(p))
        return "with gradient maps the phasors' lengths are not geometric along a line";
    if (p->decay) return "with decay a line's phasors are not symmetric about its middle";
    if (!p->structure.line_length) return "its samples lie in no uniform lines";
    if (k[COLUMNS] < 2 || k[COLUMNS] > 4096) return "columns must be 2 to 4096";
    const char *why = ndft_threads_unsupported(k[THREADS]);
    return why ? why : ndft_phase_range_exceeded(p);
}

/* How lines are cut: pieces of a line, samples and blocks of a piece, coils taken together. Pieces
 * are long, since each has its own baby steps, but no fewer than threads. */
static ndft_lines cut(const ndft_problem *p, const int *k, int threads)
{
    const int64_t line = p->structure.line_length, lines = ndft_whole(p->n_samples, line);
    int64_t cuts = ndft_whole(line, MOST_BLOCKS * BLOCK);
    if (cuts * lines < threads) cuts = ndft_whole(threads, lines);
    if (cuts > ndft_whole(line, BLOCK)) cuts = ndft_whole(line, BLOCK);
    ndft_lines s = {.coils = p->coils, .threads = threads, .voxels = p->n_voxels};
    s.samples = ndft_whole(line, cuts);
    s.blocks = (int)ndft_whole(s.samples, BLOCK);
    s.pieces = p->n_samples / line * ndft_whole(line, s.samples) +
               ndft_whole(p->n_samples % line, s.samples);
    const int most = k[COLUMNS] / (2 * s.blocks);
    s.groups = (int)ndft_whole(p->coils, most > 1 ? most : 1);
    s.group = (int)ndft_whole(p->coils, s.groups);
    s.padded = ndft_whole(s.voxels, NDFT_LINE_TILE_BYTES / (int64_t)ndft_real_size(p->prec));
    s.padded *= NDFT_LINE_TILE_BYTES / (int64_t)ndft_real_size(p->prec);
    return s;
}

/* Half the step of the line that begins at sample `start`, from its first two samples: doubles
 * farther out are rounded, and each sample of a piece would have the rounding of their difference
 * once more. */
static void half_step_of(const ndft_problem *p, int64_t start, double step[4])
{
    double from[4], next[4];
    ndft_point(p, NDFT_SAMPLES, start, from);
    ndft_point(p, NDFT_SAMPLES, start + 1 < p->n_samples ? start + 1 : start, next);
    for (int d = 0; d < 4; d++) step[d] = (next[d] - from[d]) / 2;
}

static ndft_line_piece place_piece(const ndft_problem *p, int64_t start, int64_t first, int count,
                                   double sign, int blocks, void *middle, int64_t at)
{
    double from[4], step[4], centre[4];
    half_step_of(p, start, step);
    ndft_point(p, NDFT_SAMPLES, first, from);
    for (int block = 0; block < blocks; block++) {
        for (int d = 0; d < 4; d++) centre[d] = from[d] + (2 * block * BLOCK + BLOCK - 1) * step[d];
        const ndft_centre turns = ndft_phase_turns(p, centre, sign);
        for (int a = 0; a < 4; a++)
            ndft_put_scaled(p, middle, at * blocks + block, a, turns.hi[a], turns.lo[a]);
    }
    return (ndft_line_piece){first, count, ndft_phase_turns(p, step, sign)};
}

static ndft_status place_pieces(ndft_arena *arena, const ndft_problem *p, double sign,
                                ndft_lines *s)
{
    const int64_t line = p->structure.line_length;
    void *piece, *middle;
    NDFT_TRY(ndft_reserve(arena, "pieces of lines", (size_t)s->pieces * sizeof *s->piece, &piece));
    NDFT_TRY(ndft_reserve(arena, "middles of blocks",
                          (size_t)s->pieces * (size_t)s->blocks * NDFT_SCALED_REALS *
                              ndft_real_size(p->prec),
                          &middle));
    int64_t i = 0;
    for (int64_t start = 0; start < p->n_samples; start += line) {
        const int64_t end = start + line < p->n_samples ? start + line : p->n_samples;
        for (int64_t first = start; first < end; first += s->samples, i++) {
            const int64_t count = end - first < s->samples ? end - first : s->samples;
            ((ndft_line_piece *)piece)[i] =
                place_piece(p, start, first, (int)count, sign, s->blocks, middle, i);
        }
    }
    s->piece = piece;
    s->middle = middle;
    return NDFT_OK;
}

static ndft_status prepare(ndft_arena *arena, const ndft_problem *p, ndft_op op, const void *how,
                           void *direction)
{
    const int *k = how;
    const bool adjoint = op == NDFT_ADJOINT;
    const size_t real = ndft_real_size(p->prec), tile = NDFT_LINE_TILE_BYTES / real;
    ndft_lines *s = direction;
    int axis[4];
    *s = cut(p, k, k[THREADS] ? k[THREADS] : arena->exec->threads);
    s->axes = ndft_phase_axes(p, axis);
    s->element = ndft_element_stride(p);
    s->in_coil = ndft_coil_stride(p, ndft_input_length(p, op));
    s->out_coil = ndft_coil_stride(p, ndft_output_length(p, op));
    const ndft_points voxels = {
        .problem = p, .side = NDFT_VOXELS, .count = s->voxels, .padded = s->padded};
    NDFT_TRY(ndft_place_phase(arena, &voxels, s->voxel_at, NULL));
    NDFT_TRY(place_pieces(arena, p, adjoint ? 1 : -1, s));
    const size_t columns = 2 * (size_t)s->blocks * (size_t)s->group, coils = (size_t)p->coils;
    s->work_reals = tile * BLOCK + columns * (tile + 2 * BLOCK) + 4 * tile;
    const size_t values = adjoint ? (size_t)s->pieces * coils * ndft_line_fold_reals(s)
                                  : 2 * coils * (size_t)s->padded;
    NDFT_TRY(ndft_reserve(arena, "staged input", values * real, &s->values));
    return ndft_reserve(arena, "workspace", (size_t)s->threads * s->work_reals * real, &s->work);
}

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    return ndft_directions_create(p, k, ops, exec, sizeof(ndft_lines), prepare, forward_loops,
                                  adjoint_loops, out);
}

/* Lines are cut alike in both directions. */
static void chosen(const void *state, char *text, size_t size)
{
    const ndft_lines *direction = ndft_direction_served(state);
    text[0] = 0;
    ndft_chosen_one(text, size, "threads", direction->threads);
    ndft_chosen_one(text, size, "samples_of_piece", direction->samples);
    ndft_chosen_one(text, size, "coils_of_group", direction->group);
}

/* All that is executed, padding included; last pieces and blocks are counted whole. */
static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)op;
    const ndft_lines s = cut(p, k, k[THREADS] ? k[THREADS] : 1);
    const double voxels = (double)s.padded * (double)s.pieces, axes = ndft_cost_axes(p);
    const double giants = voxels * s.groups * s.blocks, babies = voxels * s.groups * HALF;
    const double sincos = p->prec == NDFT_F32 ? 10 : 19;
    ndft_cost cost = {.launches = 1};
    cost.fma = voxels * s.coils * s.blocks * (2 * BLOCK + 4);
    cost.fma += giants * (sincos + 3 * axes) + babies * (sincos + 3);
    cost.fma += voxels * s.groups * 3 * axes;
    cost.add = giants * (3 + 2 * axes) + babies * (3 + 2);
    cost.integer = 3 * (giants + babies);
    cost.dram_bytes = ndft_both_bytes(p);
    return ndft_cost_total(cost);
}

/* Tiles of voxels, blocks of samples. */
static double chain(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)k;
    const double tile = NDFT_LINE_TILE_BYTES / (double)ndft_real_size(p->prec);
    return ndft_cut_chain(p, op, op == NDFT_FORWARD ? tile : BLOCK);
}

/* Phases are reduced in double, which is exact for floats; those of doubles are rounded before, as
 * naive's are. */
static double rounded_phases(const ndft_problem *p, const int *k)
{
    (void)k;
    return p->prec == NDFT_F64 ? 0.5 * 0x1p-53 * p->phi_max : 0;
}

static double worst_rounded_phase(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)op;
    (void)k;
    return p->prec == NDFT_F64 ? NDFT_ANY_RADIAN * 0x1p-53 * p->phi_max : 0;
}

const ndft_variant ndft_line_gemm_cpu = {
    .name = "line_gemm",
    .backend = "cpu",
    .summary =
        "uniform lines: baby times giant steps as a real product, folded about their middles",
    NDFT_KNOBS(knobs),
    .off_grid = true,
    .claim = {.b = 0.05,
              .c = 64,
              .truncation = rounded_phases,
              .any = {.c = 2 * (NDFT_ANY_REDUCED + NDFT_ANY_POLYNOMIAL) + 2 * NDFT_ANY_PRODUCT,
                      .chain = chain,
                      .truncation = worst_rounded_phase},
              .deterministic = true},
    .unsupported = unsupported,
    NDFT_DIRECTIONS(plan),
    .cost = cost,
    .chosen = chosen,
};
