/* SPDX-License-Identifier: Apache-2.0 */
#include "line_plan.h"

#include "uniform/callback/callback_pass.h"

#include <stdlib.h>
#include <string.h>

typedef struct line_plan {
    ndft_arena arena;
    ndft_axes axes;
    ndft_line_sum sum[3];
    ndft_line_loop *loop;
    size_t copied; /* bytes of the input */
    ndft_callback_passes called;
} line_plan;

static ndft_status place_table(ndft_arena *arena, const ndft_line_recipe *recipe, ndft_prec prec,
                               ndft_line_sum *sum)
{
    const size_t reals = (size_t)recipe->table_reals(&sum->pass);
    void *table = NULL;
    NDFT_TRY(ndft_reserve(arena, "a table of phasors", reals * ndft_real_size(prec), &table));
    double *filled = malloc(reals * sizeof *filled);
    if (!filled) return ndft_fail(arena->exec->error, NDFT_ENOMEM, "no memory for a table");
    recipe->fill(&sum->pass, filled);
    for (size_t i = 0; i < reals; i++) ndft_put_real(table, prec, (int64_t)i, filled[i]);
    free(filled);
    sum->table = table;
    return NDFT_OK;
}

static ndft_status fill(void *state, const ndft_problem *p, const void *how, unsigned ops)
{
    (void)ops;
    line_plan *plan = state;
    const ndft_line_recipe *recipe = how;
    const size_t real = ndft_real_size(p->prec);
    const int threads = plan->arena.exec->threads;
    size_t most = 0;
    void *work = NULL;
    NDFT_TRY(ndft_callback_passes_make(&plan->arena, p, false, &plan->called));
    plan->axes = ndft_axes_of(&plan->called.inner, recipe->whole_lines);
    plan->loop = recipe->loop;
    plan->copied = plan->axes.copies ? (size_t)plan->axes.room[0] * 2 * real : 0;
    for (int i = 0; i < 2; i++)
        if (plan->axes.room[i] > 0)
            NDFT_TRY(ndft_reserve(&plan->arena, "an array between two axes",
                                  (size_t)plan->axes.room[i] * 2 * real, &plan->axes.work[i]));
    for (int i = 0; i < plan->axes.passes; i++) {
        ndft_line_sum *sum = &plan->sum[i];
        *sum =
            (ndft_line_sum){.pass = plan->axes.pass[i], .tile = recipe->tile, .threads = threads};
        sum->work_reals = (recipe->work_reals(sum, p->prec) + 15) / 16 * 16;
        if (sum->work_reals > most) most = sum->work_reals;
        if (recipe->fill) NDFT_TRY(place_table(&plan->arena, recipe, p->prec, sum));
    }
    NDFT_TRY(ndft_reserve(&plan->arena, "workspace", (size_t)threads * most * real, &work));
    for (int i = 0; i < plan->axes.passes; i++) plan->sum[i].work = work;
    return NDFT_OK;
}

ndft_status ndft_line_create(const ndft_problem *p, ndft_exec *exec, const ndft_line_recipe *recipe,
                             void **out)
{
    static const ndft_host_recipe kind = {sizeof(line_plan), fill, ndft_arena_destroy};
    return ndft_host_create(&kind, p, recipe, 0, exec, out);
}

ndft_status ndft_line_execute(void *state, ndft_op op, const void *in, void *out)
{
    const line_plan *plan = state;
    const void *from = ndft_callback_load(&plan->called, in);
    void *to = ndft_callback_result(&plan->called, out);
    (void)op;
    if (plan->copied) memcpy(plan->axes.work[0], from, plan->copied);
    for (int i = 0; i < plan->axes.passes; i++)
        plan->loop(&plan->sum[i], ndft_pass_from(&plan->axes, i, from),
                   ndft_pass_to(&plan->axes, i, to));
    ndft_callback_store(&plan->called, out);
    return NDFT_OK;
}
