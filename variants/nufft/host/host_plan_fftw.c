/* SPDX-License-Identifier: Apache-2.0 */
#include "core/chosen.h"
#include "host_nufft.h"
#include "host_plan.h"

#include <string.h>

/* In the order of the adjoint. */
const char *const ndft_host_stage_names[] = {"convolution", "fft", "deapodisation", NULL};

static ndft_host_loop *const interpolate_loops[3][2] = NDFT_LOOP_TABLE(nufft_interpolate);
static ndft_host_loop *const rows_loops[3][2] = NDFT_LOOP_TABLE(nufft_rows);

typedef struct host_plan {
    ndft_arena arena;
    const ndft_host_spread *stage;
    ndft_host_loop *spread, *interpolate;
    ndft_host_nufft directions[2]; /* forward, adjoint */
    ndft_host_stages stages[2];    /* forward, adjoint */
    int coils, threads;
    int together;        /* threads that share a coil */
    int teams, share;    /* teams of one thread, the coils that each has for itself */
    int chunk;           /* coils whose grids a team holds at a time */
    size_t grid_bytes;   /* of a grid */
    size_t column_bytes; /* with the parts of its heavy tiles */
    size_t work_bytes;   /* of a thread */
    char *grids, *work;
    ndft_meeting *meeting;
} host_plan;

/* Coils go together as evenly as they can, chunk at most. */
static int even_chunk(int coils)
{
    const int parts = (coils + NDFT_HOST_COLUMNS - 1) / NDFT_HOST_COLUMNS;
    return parts ? (coils + parts - 1) / parts : 0;
}

static bool is_small(const ndft_host_nufft *h)
{
    return ndft_host_is_small(h->samples, h->grid.dim, h->window.width, h->grid.size,
                              h->rank.columns);
}

/* Bytes of grids that a team's threads have near: beyond 2.5 times their second caches a coil more
 * costs more than the weights that it shares, by measurement; 1.5 times where many teams share the
 * third. As good as all where nobody knows. */
static size_t near_bytes(const ndft_exec *exec, int threads, int teams)
{
    enum { MANY = 16 };
    const size_t caches = (size_t)threads * exec->device.l2_bytes;
    return caches ? caches / 2 * (teams < MANY ? 5 : 3) : SIZE_MAX;
}

static void share_out(host_plan *plan, const ndft_exec *exec)
{
    const int threads = plan->threads;
    const size_t memory = exec->room_bytes / 4;
    plan->together = is_small(&plan->directions[1]) ? 1 : threads;
    const bool apart =
        threads > 1 && plan->coils >= threads && (size_t)threads * plan->column_bytes < memory;
    plan->teams = apart ? threads : 1;
    plan->share = apart ? plan->coils / threads : 0;
    plan->chunk = even_chunk(apart ? plan->share : plan->coils);
    const size_t room = memory / (size_t)plan->teams;
    const size_t near = near_bytes(exec, apart ? 1 : plan->together, plan->teams);
    const size_t most = near < room ? near : room;
    while (plan->chunk > 1 && (size_t)plan->chunk * plan->column_bytes > most) plan->chunk--;
}

static size_t batch_bytes(const host_plan *plan, ndft_prec prec)
{
    const ndft_host_nufft *h = &plan->directions[1];
    const int row = h->window.row, size = (int)ndft_real_size(prec);
    const int64_t width = h->window.width;
    int64_t tile = h->sorted.tile[0] + width + row / 2; /* with what surrounds it */
    for (int d = 1; d < h->grid.dim; d++) tile *= h->sorted.tile[d] + width;
    int64_t reals = ndft_rows_reals(h->batch, row, size) +
                    h->batch * (2 * width + 2 * NDFT_HOST_COLUMNS + NDFT_HOST_NOTES);
    if (plan->stage->tiles) reals += 2 * tile * plan->chunk;
    return (size_t)reals * (size_t)size;
}

static ndft_status reserve_work(host_plan *plan, const ndft_problem *p)
{
    const size_t batch = batch_bytes(plan, p->prec);
    const size_t lines = ndft_host_lines_bytes(&plan->directions[1].grid, p->prec, plan->chunk);
    plan->work_bytes = ((batch > lines ? batch : lines) + 255) / 256 * 256;
    void *grids, *work, *meeting;
    NDFT_TRY(ndft_reserve(&plan->arena, "grids",
                          (size_t)(plan->teams * plan->chunk) * plan->column_bytes, &grids));
    NDFT_TRY(
        ndft_reserve(&plan->arena, "workspace", (size_t)plan->threads * plan->work_bytes, &work));
    const size_t lines_of_all = (size_t)plan->threads * sizeof *plan->meeting;
    NDFT_TRY(ndft_reserve(&plan->arena, "meeting of threads", lines_of_all, &meeting));
    plan->meeting = memset(meeting, 0, lines_of_all);
    plan->grids = grids;
    plan->work = work;
    return NDFT_OK;
}

/* What the engine gives. */
typedef struct given {
    const int *knobs;
    const ndft_host_spread *stage;
} given;

static ndft_status fill(void *state, const ndft_problem *p, const void *how, unsigned ops)
{
    host_plan *plan = state;
    const given *g = how;
    ndft_exec *exec = plan->arena.exec;
    const ndft_isa isa = exec->device.isa;
    plan->stage = g->stage;
    plan->spread = g->stage->loop[isa][p->prec];
    const bool rows = g->knobs[NDFT_HOST_INTERPOLATE] == NDFT_HOST_ROWS;
    plan->interpolate = (rows ? rows_loops : interpolate_loops)[isa][p->prec];
    plan->coils = p->coils;
    plan->threads = exec->threads;
    NDFT_TRY(ndft_host_prepare(&plan->arena, p, g->knobs, ops, plan->stage, plan->directions));
    const ndft_host_nufft *h = &plan->directions[1];
    const size_t complex = 2 * ndft_real_size(p->prec);
    plan->grid_bytes = (size_t)h->grid.size * complex;
    plan->column_bytes = plan->grid_bytes + (size_t)(h->turns.parts * h->part.size) * complex;
    share_out(plan, exec);
    NDFT_TRY(reserve_work(plan, p));
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        const ndft_op op = adjoint ? NDFT_ADJOINT : NDFT_FORWARD;
        if (ops & op)
            NDFT_TRY(ndft_host_stages_plan(&plan->arena, &plan->directions[adjoint], isa, p->prec,
                                           op, plan->grids, plan->work, &plan->stages[adjoint]));
    }
    return NDFT_OK;
}

ndft_status ndft_host_plan(const ndft_problem *p, const int *knobs, unsigned ops, ndft_exec *exec,
                           const ndft_host_spread *stage, void **out)
{
    static const ndft_host_recipe recipe = {sizeof(host_plan), fill, ndft_host_destroy};
    return ndft_host_create(&recipe, p, &(given){knobs, stage}, ops, exec, out);
}

/* Some parts of one term of a few coils, in the order of the operation, by one team of threads. */
static void run_term(const host_plan *plan, ndft_op op, const ndft_host_job *job, int threads,
                     ndft_host_parts parts)
{
    const bool adjoint = op == NDFT_ADJOINT;
    const ndft_host_stages *stages = &plan->stages[adjoint];
    const bool samples = parts & NDFT_HOST_SAMPLES, images = parts & NDFT_HOST_WHOLE;
#pragma omp parallel num_threads(threads)
    {
        if (samples && adjoint) plan->spread(job);
        if (images && adjoint)
            ndft_host_grids_to_images(stages, job, parts, plan->stage->order == NDFT_HOST_SORTED);
        if (images && !adjoint) ndft_host_images_to_grids(stages, job, parts);
        if (samples && !adjoint) plan->interpolate(job);
    }
}

/* The same stage by stage, for whom marks are set. */
static void mark_term(const host_plan *plan, ndft_op op, const ndft_host_job *job, int threads)
{
    static const ndft_host_parts parts[] = {NDFT_HOST_SAMPLES, NDFT_HOST_TRANSFORM,
                                            NDFT_HOST_IMAGE};
    for (int i = 0; i < 3; i++) {
        const int stage = op == NDFT_ADJOINT ? i : 2 - i;
        run_term(plan, op, job, threads, parts[stage]);
        ndft_mark(plan->arena.exec, ndft_host_stage_names[stage]);
    }
}

/* The round's number. */
static uint32_t begin_round(const ndft_host_nufft *h)
{
    ndft_begin_tasks(&h->slices);
    ndft_begin_tasks(&h->portions);
    if (!++*h->round) ++*h->round;
    return *h->round;
}

/* Coils first..end - 1 on the grids and the work of one team. */
static void run_coils(const host_plan *plan, ndft_op op, ndft_host_job job, int end, int threads)
{
    const ndft_host_nufft *h = job.plan;
    job.parts = (char *)job.grid + (size_t)plan->chunk * plan->grid_bytes;
    for (; job.coil < end; job.coil += plan->chunk) {
        job.coils = end - job.coil < plan->chunk ? end - job.coil : plan->chunk;
        for (job.term = 0; job.term < h->rank.columns; job.term++) {
            if (threads > 1) job.round = begin_round(h);
            if (plan->arena.exec->mark)
                mark_term(plan, op, &job, threads);
            else
                run_term(plan, op, &job, threads, NDFT_HOST_SAMPLES | NDFT_HOST_WHOLE);
        }
    }
}

ndft_status ndft_host_execute(void *state, ndft_op op, const void *in, void *out)
{
    const host_plan *plan = state;
    ndft_host_job job = {.plan = &plan->directions[op == NDFT_ADJOINT],
                         .grid = plan->grids,
                         .in = in,
                         .out = out,
                         .work = plan->work,
                         .work_bytes = plan->work_bytes,
                         .meeting = plan->meeting};
    const bool marked = plan->arena.exec->mark;
    const int share = marked ? 0 : plan->share; /* stages of teams have no common end */
    if (share) {
#pragma omp parallel for num_threads(plan->teams) schedule(static, 1)
        for (int team = 0; team < plan->teams; team++) {
            ndft_host_job own = job;
            own.coil = team * share;
            own.grid = plan->grids + (size_t)(team * plan->chunk) * plan->column_bytes;
            own.work = plan->work + (size_t)team * plan->work_bytes;
            run_coils(plan, op, own, own.coil + share, 1);
        }
    }
    job.coil = share * plan->teams;
    run_coils(plan, op, job, plan->coils, plan->together);
    return NDFT_OK;
}

void ndft_host_chosen(const void *state, char *text, size_t size)
{
    const host_plan *plan = state;
    const ndft_host_nufft *h = &plan->directions[1];
    text[0] = 0;
    ndft_chosen_one(text, size, "width", h->window.width);
    ndft_chosen_add(text, size, "grid", h->grid.cells, h->grid.dim);
    ndft_chosen_one(text, size, "terms", h->rank.terms);
    ndft_chosen_one(text, size, "nodes", h->rank.nodes);
    ndft_chosen_one(text, size, "together", plan->together);
    ndft_chosen_one(text, size, "teams", plan->teams);
    ndft_chosen_one(text, size, "coils_of_pass", plan->chunk);
}

void ndft_host_destroy(void *state)
{
    host_plan *plan = state;
    for (int i = 0; i < 2; i++) ndft_host_stages_destroy(&plan->stages[i]);
    ndft_host_unprepare(plan->directions);
    ndft_arena_destroy(plan);
}
