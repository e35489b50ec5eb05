/* SPDX-License-Identifier: Apache-2.0 */
#include "host_nufft.h"
#include "host_plan.h"
#include "nufft/shape.h"

#include <math.h>

/*
 * The nonuniform FFT on a CPU: one engine (host_plan_fftw.h), whose stages between samples and
 * grids are chosen. Spreading, a thread adds each sample's window where it lies, in stripes of
 * tiles; or gathers a padded tile's samples in the first cache (Polanco); or takes for a tile all
 * samples that reach into it, so that nothing is sorted and no sum comes from elsewhere (Sorensen).
 * Interpolation takes samples sorted by tile or as they come, or goes through the rows of cells
 * that a batch of them reads (Sorensen's encoding of the forward transform). Reading and writing
 * the W^d cells of each sample in the first caches is the ceiling; FFTs come second.
 */

static const char *const spread_words[] = {"scatter", "hybrid", "output_driven", NULL};
static const char *const order_words[] = {"sorted", "unsorted", "rows", NULL};

static const ndft_knob knobs[] = {
    NDFT_NUFFT_KNOB_ROWS,
    NDFT_KNOB_WORDS("spread", "samples to the grid", spread_words, 0, (0, 1, 2)),
    NDFT_KNOB_WORDS(
        "interpolate",
        "samples in the order of tiles, as they come, or by the rows of cells they read",
        order_words, NDFT_HOST_SORTED, (NDFT_HOST_SORTED, NDFT_HOST_UNSORTED, NDFT_HOST_ROWS)),
    NDFT_KNOB("tile", "cells", "of a tile's side; 0 chooses by dimension", 0, (0, 8, 16, 32, 64)),
    NDFT_KNOB("np", "samples", "of a batch whose window values are evaluated first", 64,
              (16, 64, 128, 256)),
};

enum { KNOBS = sizeof knobs / sizeof *knobs };

/* In the order of spread_words. */
static const ndft_host_spread spreads[] = {
    {.summary = "nonuniform FFT, sample-driven: windows are added to the grid where they lie",
     .loop = NDFT_LOOP_TABLE(nufft_scatter),
     .order = NDFT_HOST_SORTED},
    {.summary = "nonuniform FFT, hybrid: tiles by runs of samples, every cell written once "
                "(Sorensen 2008)",
     .loop = NDFT_LOOP_TABLE(nufft_hybrid),
     .order = NDFT_HOST_UNSORTED,
     .tiles = true},
    {.summary = "nonuniform FFT, output-driven: padded tiles gather their samples (Polanco)",
     .loop = NDFT_LOOP_TABLE(nufft_output_driven),
     .order = NDFT_HOST_SORTED,
     .tiles = true,
     .np = true},
};

static const ndft_host_spread *spread_of(const int *k) { return &spreads[k[NDFT_HOST_SPREAD]]; }

static const ndft_claim claim = {.truncation = ndft_nufft_truncation,
                                 .sums = ndft_nufft_sums,
                                 .by_chance = true,
                                 .any = {.chain = ndft_no_chain, .truncation = ndft_nufft_any},
                                 .deterministic = true};

static ndft_traits traits(const int *k)
{
    const uint32_t all = (1u << KNOBS) - 1, np = 1u << NDFT_HOST_NP;
    return (ndft_traits){spread_of(k)->summary, NDFT_FORWARD | NDFT_ADJOINT, claim,
                         ndft_host_stage_names, spread_of(k)->np ? all : all & ~np};
}

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (spread_of(k)->np && (k[NDFT_HOST_NP] < 16 || k[NDFT_HOST_NP] > 512 || k[NDFT_HOST_NP] % 16))
        return "np must be a multiple of 16 from 16 to 512";
    if (k[NDFT_HOST_TILE] > NDFT_HOST_MOST_TILE) return "tile must be at most 4096";
    return ndft_nufft_field_unsupported(p, device, k);
}

static ndft_status plan(const ndft_problem *p, const int *k, unsigned wanted, ndft_exec *exec,
                        void **out)
{
    return ndft_host_plan(p, k, wanted, exec, spread_of(k), out);
}

/* Cells that are read or written, and multiply-adds, of one column's transforms. */
static void add_ffts(const ndft_nufft_shape *s, ndft_cost *cost, double columns, double complex)
{
    double lines = 1;
    for (int d = 1; d < s->dim; d++) lines *= (double)s->grid[d];
    for (int d = 0; d < s->dim; d++) {
        const double cells = (double)s->grid[d], operations = 5 * cells * log2(cells);
        cost->fma += columns * lines * operations / 4;
        cost->add += columns * lines * operations / 2;
        cost->l2_bytes += 2 * columns * lines * cells * complex;
        if (d + 1 < s->dim) lines *= (double)s->n[d] / (double)s->grid[d + 1];
    }
}

/* Coils are done side by side, one alone stage by stage and term by term, or by one thread. */
static void share(const ndft_problem *p, const ndft_nufft_shape *s, int terms, ndft_cost *cost)
{
    const int64_t cells = ndft_host_grid_of(s, p->prec).size;
    const bool small = ndft_host_is_small(p->n_samples, s->dim, s->window.width, cells, terms);
    cost->launches = p->coils > 1 ? 1 : small ? 0 : 2 * terms;
    cost->threads = small ? p->coils : 0;
}

/*
 * Accesses to cells as Sorensen et al. (IEEE Trans. Med. Imaging 27 (2008) 538) count them, windows
 * of whole vectors, transforms at 5 n log2 n operations a line of n cells, and only the lines that
 * are transformed. Where samples are not sorted, windows are evaluated once for each tile into
 * which they reach.
 */
static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const ndft_host_spread *spread = spread_of(k);
    ndft_nufft_shape s;
    ndft_cost cost = {.launches = 1};
    const ndft_rank_choice field = ndft_nufft_field(p, k);
    const double terms = (double)field.terms * field.nodes, columns = terms * p->coils;
    if (ndft_nufft_shape_make(p, k, (int)terms, NULL, &s) != NDFT_OK) return cost;
    const double m = (double)p->n_samples, voxels = (double)p->n_voxels;
    const double complex = 2 * (double)ndft_real_size(p->prec), width = s.window.width;
    const double row = ndft_row_reals(s.window.width, p->prec);
    const double rows = pow(width, s.dim - 1);
    const double around =
        1 + (width - 1) / ndft_host_tile(spread->order, k, s.dim); /* along an axis */
    const bool again = spread->order == NDFT_HOST_UNSORTED && op == NDFT_ADJOINT;
    const double repeats = again ? pow(around, s.dim) : 1;
    const double batches = (double)((p->coils + NDFT_HOST_COLUMNS - 1) / NDFT_HOST_COLUMNS);
    cost.fma = m * terms * batches * repeats * s.window.degree * (row + width * (s.dim - 1));
    cost.fma += m * columns * row * (rows + 1) * (again ? around : 1);
    cost.fma += columns * voxels * (field.terms > 1 ? 12 : 4);
    if (op == NDFT_FORWARD || !spread->tiles)
        cost.l2_bytes = m * columns * rows * row / 2 * complex * (op == NDFT_ADJOINT ? 2 : 1);
    if (op == NDFT_ADJOINT)
        cost.l2_bytes += columns * (double)s.cells * complex *
                         (again || !spread->tiles ? 1 : 1 + 2 * pow(around, s.dim));
    add_ffts(&s, &cost, columns, complex);
    cost.dram_bytes = terms * ndft_both_bytes(p) + terms * batches * m * s.dim * (4 + complex / 2);
    cost.issue_slots = cost.fma + cost.add;
    share(p, &s, (int)terms, &cost);
    return cost;
}

const ndft_variant ndft_nufft_cpu = {
    .name = "nufft",
    .backend = "cpu",
    .summary = "nonuniform FFT with any choice of stages; its schemes are those named nufft_...",
    NDFT_KNOBS(knobs),
    .decays = true,
    .higher = true,
    .unsupported = unsupported,
    .plan = plan,
    .execute = ndft_host_execute,
    .destroy = ndft_host_destroy,
    .cost = cost,
    .stages = ndft_host_stage_names,
    .chosen = ndft_host_chosen,
    .traits = traits,
};
