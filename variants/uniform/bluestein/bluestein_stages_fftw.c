/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_stages_fftw.h"

#include "core/chosen.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 29 }; /* whose padded power of two FFTW can count */

typedef struct stages_plan {
    ndft_bluestein bluestein;
    int count, once;
    const char *const *names;
    ndft_bluestein_stage *run[NDFT_BLUESTEIN_STAGES];
} stages_plan;

const char *ndft_bluestein_unsupported(const ndft_problem *p, const ndft_device *device,
                                       const int *knobs)
{
    (void)device;
    (void)knobs;
    for (int d = 0; d < 3; d++)
        if (p->n[d] > LONGEST) return "FFTW counts the cells of its padded lines up to 2^30 only";
    return ndft_unsupported_callbacks_c(p);
}

ndft_status ndft_bluestein_plan(const ndft_problem *p, const int *knobs, ndft_exec *exec,
                                const ndft_bluestein_stages *stages, void **out)
{
    stages_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a plan");
    plan->count = stages->count;
    plan->once = stages->once;
    plan->names = stages->names;
    for (int s = 0; s < stages->count; s++)
        plan->run[s] = stages->loops[s][exec->device.isa][p->prec];
    const ndft_status status =
        ndft_bluestein_make(exec, ndft_transform_of(p), knobs, stages->count > 1, &plan->bluestein);
    if (status == NDFT_OK)
        *out = plan;
    else
        ndft_bluestein_destroy(plan);
    return status;
}

/* The next lines that are kept at a time; false when there are none left. */
static bool next(const ndft_bluestein *b, int axis, ndft_bluestein_part *part)
{
    const int64_t lines = part->axis->pass.lines, most = b->kept ? b->kept_lines[axis] : lines;
    part->first = part->end;
    part->end = lines - part->first < most ? lines : part->first + most;
    return part->first < lines;
}

ndft_status ndft_bluestein_execute(void *state, ndft_op op, const void *in, void *out)
{
    const stages_plan *plan = state;
    const ndft_bluestein *b = &plan->bluestein;
    const ndft_axes *axes = &b->axes;
    (void)op;
    if (axes->copies)
        memcpy(axes->work[0], in, (size_t)axes->room[0] * 2 * ndft_real_size(b->prec));
    for (int i = 0; i < axes->passes; i++) {
        ndft_bluestein_part part = {.axis = &b->axis[i],
                                    .from = ndft_pass_from(axes, i, in),
                                    .to = ndft_pass_to(axes, i, out),
                                    .kept = b->kept};
        while (next(b, i, &part)) {
            for (int s = part.first == 0 ? 0 : plan->once; s < plan->count; s++) {
                plan->run[s](&part);
                ndft_mark(b->arena.exec, plan->names[s]);
            }
        }
    }
    return NDFT_OK;
}

void ndft_bluestein_chosen(const void *state, char *text, size_t size)
{
    const ndft_bluestein *b = &((const stages_plan *)state)->bluestein;
    int64_t cells[3];
    for (int i = 0; i < b->axes.passes; i++) cells[i] = b->axis[i].convolve.cells;
    text[0] = 0;
    ndft_chosen_add(text, size, "cells", cells, b->axes.passes);
}

void ndft_bluestein_destroy(void *state)
{
    stages_plan *plan = state;
    ndft_bluestein_release(&plan->bluestein);
    free(plan);
}
