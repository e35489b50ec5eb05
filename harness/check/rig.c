/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

ndft_status ndft_rig_restore(ndft_rig *rig, ndft_side side)
{
    return rig->exec->upload(rig->exec, rig->in[side], rig->given[side], rig->bytes[side]);
}

ndft_status ndft_rig_host_alloc(ndft_rig *rig, size_t bytes, void **memory)
{
    size_t available = ndft_memory_available();
    *memory = bytes <= available ? malloc(bytes) : NULL;
    if (*memory) return NDFT_OK;
    return ndft_fail(rig->exec->error, NDFT_ENOMEM, "no host memory: %zu bytes wanted, %zu free",
                     bytes, available);
}

static ndft_status open_side(ndft_rig *rig, ndft_side side)
{
    static const char *const in_names[] = {"input image", "input k-space"};
    static const char *const out_names[] = {"output image", "output k-space"};
    ndft_exec *exec = rig->exec;
    if (rig->given[side])
        NDFT_TRY(exec->alloc(exec, in_names[side], rig->bytes[side], &rig->in[side]));
    NDFT_TRY(exec->alloc(exec, out_names[side], rig->bytes[side], &rig->out[side]));
    NDFT_TRY(ndft_rig_host_alloc(rig, rig->bytes[side], &rig->fetched[side]));
    return rig->given[side] ? ndft_rig_restore(rig, side) : NDFT_OK;
}

/* The forward operation's one vector takes the place of both. */
static void share(ndft_rig *rig)
{
    rig->in_place = true;
    rig->exec->release(rig->exec, rig->out[NDFT_SIDE_KSPACE]);
    rig->out[NDFT_SIDE_KSPACE] = rig->in[NDFT_SIDE_IMAGE];
}

ndft_status ndft_rig_open(const ndft_kind *kind, const ndft_case *problem, const ndft_made *made,
                          const ndft_backend *backend, ndft_exec *exec, ndft_rig *rig)
{
    *rig = (ndft_rig){.kind = kind,
                      .backend = backend,
                      .instruments = ndft_instruments_of(backend->name),
                      .exec = exec,
                      .problem = problem,
                      .made = made,
                      .op = problem->op,
                      .expected_s = NAN,
                      .given = {made->image, made->kspace}};
    ndft_case_print(problem, rig->label, sizeof rig->label);
    rig->bytes[NDFT_SIDE_IMAGE] = kind->form->bytes_in(&made->problem, NDFT_FORWARD);
    rig->bytes[NDFT_SIDE_KSPACE] = kind->form->bytes_out(&made->problem, NDFT_FORWARD);
    bool more_samples = rig->bytes[NDFT_SIDE_KSPACE] > rig->bytes[NDFT_SIDE_IMAGE];
    ndft_status status = ndft_rig_host_alloc(rig, rig->bytes[more_samples], &rig->scratch);
    if (status == NDFT_OK) status = open_side(rig, NDFT_SIDE_IMAGE);
    if (status == NDFT_OK) status = open_side(rig, NDFT_SIDE_KSPACE);
    if (status == NDFT_OK && kind->form->in_place && kind->form->in_place(&made->problem))
        share(rig);
    if (status != NDFT_OK) ndft_rig_close(rig);
    return status;
}

void ndft_watch_phase(const ndft_watch *watch, const ndft_candidate *candidate, ndft_phase phase,
                      double expected_s)
{
    if (watch) watch->phase(watch->context, candidate, phase, expected_s);
}

void ndft_rig_push(const ndft_rig *rig, ndft_phase phase)
{
    char label[NDFT_CASE_MAX + 16];
    snprintf(label, sizeof label, "%s %s", ndft_phase_name(phase), rig->label);
    ndft_watch_phase(rig->watch, phase == NDFT_PHASE_REFERENCE ? NULL : rig->candidate, phase,
                     rig->expected_s);
    rig->instruments->range_push(phase, label, rig->made->hash[0]);
}

void ndft_rig_pop(const ndft_rig *rig) { rig->instruments->range_pop(); }

void ndft_rig_close(ndft_rig *rig)
{
    for (int side = 0; side < 2; side++) {
        rig->exec->release(rig->exec, rig->in[side]);
        if (!rig->in_place || side == NDFT_SIDE_IMAGE)
            rig->exec->release(rig->exec, rig->out[side]);
        free(rig->fetched[side]);
    }
    rig->exec->release(rig->exec, rig->kept);
    free(rig->scratch);
    free(rig->outputs);
    free(rig->reference);
    *rig = (ndft_rig){0};
}
