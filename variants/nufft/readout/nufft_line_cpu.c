/* SPDX-License-Identifier: Apache-2.0 */
#include "core/chosen.h"
#include "core/directions.h"
#include "direct/sum_cost.h"
#include "fft/fft_fftw.h"
#include "line_shape.h"
#include "phase/phase_range.h"
#include "phase/points.h"
#include "phase/scaled.h"
#include "phase/worst_entry.h"

/*
 * Uniform lines one by one: along a line a voxel's phase is linear in the sample's number, field
 * map and all, so that each line is a one-dimensional nonuniform FFT with a frequency per voxel
 * (line_shape.h). No rank, no segments: the only error is the window's. A thread takes a line
 * (forward) or a tile of voxels (adjoint); a window is one vector of weights times one of cells.
 * Evaluating weights, and additions to a grid that wait for each other, are the ceiling.
 */

enum { LONGEST = 512 }; /* samples of a piece */

static const ndft_knob knobs[] = {NDFT_LINE_KNOB_ROWS};

NDFT_LOOPS(forward_loops, ndft_direction_loop, nufft_line_forward);
NDFT_LOOPS(adjoint_loops, ndft_direction_loop, nufft_line_adjoint);

/* One direction, with its transform along lines. */
typedef struct line_direction {
    ndft_line_sums sums; /* first: what the loop reads */
    ndft_fft fft;
} line_direction;

static ndft_line_limits limits_of(const ndft_problem *p)
{
    const int widest = p->prec == NDFT_F32 ? NDFT_LINE_WIDEST_F32 : NDFT_LINE_WIDEST_F64;
    return (ndft_line_limits){LONGEST, NDFT_MIN_WIDTH, widest};
}

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    const ndft_line_limits limits = limits_of(p);
    const char *reason = ndft_line_unsupported(p, device, k, &limits);
    return reason ? reason : ndft_phase_range_exceeded(p);
}

static double truncation(const ndft_problem *p, const int *k)
{
    const ndft_line_limits limits = limits_of(p);
    return ndft_line_error(p, k, &limits);
}

static double worst(const ndft_problem *p, ndft_op op, const int *k)
{
    const ndft_line_limits limits = limits_of(p);
    return ndft_line_any(p, op, k, &limits);
}

static ndft_status place_lines(ndft_arena *arena, const ndft_problem *p, double sign,
                               const ndft_line_shape *shape, ndft_line_sums *s)
{
    const size_t lines = (size_t)shape->lines, real = ndft_real_size(p->prec);
    void *piece, *middle;
    NDFT_TRY(ndft_reserve(arena, "pieces of lines", lines * sizeof *s->line, &piece));
    NDFT_TRY(ndft_reserve(arena, "middles of lines", lines * NDFT_SCALED_REALS * real, &middle));
    for (int64_t i = 0; i < shape->lines; i++) {
        const ndft_line line = ndft_line_at(p, &shape->cut, i, 1);
        double step[4];
        for (int d = 0; d < 4; d++) step[d] = 2 * line.half_step[d];
        ((ndft_line_piece *)piece)[i] =
            (ndft_line_piece){line.first, line.length, line.before, ndft_phase_turns(p, step, 1)};
        const ndft_centre turns = ndft_phase_turns(p, line.middle, sign);
        for (int a = 0; a < 4; a++) ndft_put_scaled(p, middle, i, a, turns.hi[a], turns.lo[a]);
    }
    s->line = piece;
    s->middles = middle;
    return NDFT_OK;
}

/* The window's polynomials, each coefficient for a real and an imaginary part, and 1/hat. */
static ndft_status place_window(ndft_arena *arena, const ndft_problem *p,
                                const ndft_nufft_shape *along, ndft_line_sums *s)
{
    const ndft_window *window = &along->window;
    const size_t real = ndft_real_size(p->prec);
    const int widest = limits_of(p).widest;
    void *poly, *scale;
    NDFT_TRY(ndft_reserve(arena, "polynomials",
                          (size_t)(window->degree + 1) * 2 * (size_t)widest * real, &poly));
    for (int q = 0; q <= window->degree; q++)
        for (int i = 0; i < 2 * widest; i++)
            ndft_put_real(poly, p->prec, q * 2 * widest + i,
                          i / 2 < window->width ? window->poly[i / 2][q] : 0);
    NDFT_TRY(ndft_reserve(arena, "deapodisation", (size_t)along->n[0] * real, &scale));
    ndft_nufft_put_deapodisation(along, 0, p->prec, scale);
    s->poly = poly;
    s->scale = scale;
    s->degree = window->degree;
    s->width = window->width;
    return NDFT_OK;
}

static ndft_status prepare(ndft_arena *arena, const ndft_problem *p, ndft_op op, const void *how,
                           void *direction)
{
    const int *k = how;
    const size_t real = ndft_real_size(p->prec);
    const bool adjoint = op == NDFT_ADJOINT;
    const ndft_line_limits limits = limits_of(p);
    ndft_line_sums *s = &((line_direction *)direction)->sums;
    ndft_line_shape shape;
    NDFT_TRY(ndft_line_shape_make(p, k, &limits, arena->exec->error, &shape));
    int axis[4];
    *s = (ndft_line_sums){.axes = ndft_phase_axes(p, axis),
                          .coils = p->coils,
                          .threads = arena->exec->threads,
                          .cells = (int)shape.along.grid[0],
                          .samples = (int)shape.along.n[0],
                          .middle = shape.middle,
                          .lines = shape.lines,
                          .voxels = p->n_voxels,
                          .padded = ndft_whole(p->n_voxels, NDFT_LINE_TILE) * NDFT_LINE_TILE,
                          .element = ndft_element_stride(p),
                          .in_coil = ndft_coil_stride(p, ndft_input_length(p, op)),
                          .out_coil = ndft_coil_stride(p, ndft_output_length(p, op))};
    const ndft_points voxels = {
        .problem = p, .side = NDFT_VOXELS, .count = s->voxels, .padded = s->padded};
    NDFT_TRY(ndft_place_phase(arena, &voxels, s->voxel_at, NULL));
    NDFT_TRY(place_lines(arena, p, adjoint ? 1 : -1, &shape, s));
    NDFT_TRY(place_window(arena, p, &shape.along, s));
    const size_t room = 2 * (size_t)ndft_line_room(s);
    const size_t sums = (size_t)(adjoint ? 4 * limits.widest : 2) * NDFT_LINE_TOGETHER;
    s->work_reals = NDFT_LINE_TOGETHER * room + (3 + sums) * NDFT_LINE_TILE;
    NDFT_TRY(ndft_reserve(arena, "workspace", (size_t)s->threads * s->work_reals * real, &s->work));
    if (!adjoint) return NDFT_OK;
    return ndft_reserve(arena, "grids of lines", (size_t)s->coils * (size_t)s->lines * room * real,
                        &s->grids);
}

static void transform(const void *fft, void *grid) { ndft_fft_run(fft, grid, grid); }

/* Alike in both directions. */
static void chosen(const void *state, char *text, size_t size)
{
    const line_direction *direction = ndft_direction_served(state);
    text[0] = 0;
    ndft_chosen_one(text, size, "width", direction->sums.width);
    ndft_chosen_one(text, size, "grid", direction->sums.cells);
    ndft_chosen_one(text, size, "threads", direction->sums.threads);
}

static void destroy(void *state)
{
    const ndft_directions *plan = state;
    for (int i = 0; i < 2; i++)
        if (plan->direction[i]) ndft_fft_destroy(&((line_direction *)plan->direction[i])->fft);
    ndft_directions_destroy(state);
}

static ndft_status plan_transforms(const ndft_problem *p, ndft_exec *exec, ndft_directions *plan)
{
    for (int i = 0; i < 2; i++) {
        line_direction *direction = plan->direction[i];
        if (!direction) continue;
        const ndft_fft_lines grid = {direction->sums.work, 1, direction->sums.cells};
        NDFT_TRY(ndft_fft_plan(exec->error, p->prec, i ? 1 : -1, direction->sums.cells, 1, grid,
                               grid, &direction->fft));
        direction->sums.fft = &direction->fft;
        direction->sums.transform = transform;
    }
    return NDFT_OK;
}

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    NDFT_TRY(ndft_directions_create(p, k, ops, exec, sizeof(line_direction), prepare, forward_loops,
                                    adjoint_loops, out));
    const ndft_status status = plan_transforms(p, exec, *out);
    if (status != NDFT_OK) destroy(*out);
    return status;
}

/* What voxels and lines cost when they meet; the transforms of lines are little beside it. */
static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)op;
    const ndft_line_limits limits = limits_of(p);
    const ndft_line_cut cut = ndft_line_cut_of(p, LONGEST);
    const ndft_problem line = ndft_line_problem(p, cut.length);
    const ndft_line_choice chosen = ndft_line_chosen(&line, k, &limits);
    const double row = 2.0 * limits.widest, axes = ndft_cost_axes(p);
    const double visits = (double)ndft_n_lines(p, &cut) * (double)p->n_voxels;
    const double groups = (double)ndft_whole(p->coils, NDFT_LINE_TOGETHER);
    ndft_cost cost = {.launches = 1};
    cost.fma = visits * groups * ((chosen.k[NDFT_KNOB_WIDTH] + 1) * row + 6 * axes + 14) +
               visits * p->coils * (3 * row + 4);
    cost.add = visits * groups * (4 * axes + 8);
    cost.integer = visits * groups * 8;
    cost.dram_bytes = ndft_both_bytes(p);
    return ndft_cost_total(cost);
}

const ndft_variant ndft_nufft_line_cpu = {
    .name = "nufft_line",
    .backend = "cpu",
    .summary = "uniform lines as one-dimensional NUFFTs with a frequency per voxel",
    NDFT_KNOBS(knobs),
    .claim = {.b = 0.03,
              .c = 8,
              .truncation = truncation,
              .any = {.c = NDFT_ANY_REDUCED + NDFT_ANY_POLYNOMIAL + NDFT_ANY_PRODUCT,
                      .chain = ndft_no_chain,
                      .truncation = worst},
              .deterministic = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = ndft_directions_execute,
    .destroy = destroy,
    .cost = cost,
    .chosen = chosen,
};
