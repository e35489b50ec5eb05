/* SPDX-License-Identifier: Apache-2.0 */
#include "rig_reference.h"

#include "every_output.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ndft_status open_reference(ndft_rig *rig, int64_t n)
{
    rig->n_outputs = n;
    return ndft_rig_host_alloc(rig,
                               (size_t)n * (size_t)rig->made->problem.coils * 2 * sizeof(double),
                               (void **)&rig->reference);
}

static void drop_reference(ndft_rig *rig)
{
    free(rig->reference);
    rig->reference = NULL;
    rig->source = NULL;
}

/* Without a result unless the device is lost; the note says why. */
static ndft_status sum_all(ndft_rig *rig, const ndft_candidate *variant)
{
    ndft_error *error = rig->exec->error;
    ndft_status status = open_reference(rig, rig->kind->outputs(&rig->made->problem, rig->op));
    if (status == NDFT_OK) status = ndft_every_output(rig, variant, rig->reference);
    rig->source = "gpu";
    if (status == NDFT_OK) return status;
    drop_reference(rig);
    snprintf(rig->note, sizeof rig->note, "%.500s", error->message);
    if (rig->backend->sync(rig->exec) != NDFT_OK) return NDFT_EDEVICE;
    *error = (ndft_error){.status = NDFT_OK};
    return NDFT_OK;
}

static ndft_status sum_on_host(ndft_rig *rig, const int64_t *outputs, int64_t n)
{
    NDFT_TRY(open_reference(rig, n));
    rig->source = outputs ? "sample" : "all";
    return rig->kind->reference(rig->made, rig->op, outputs, n, rig->reference,
                                omp_get_max_threads(), rig->exec->error);
}

static ndft_status compute(ndft_rig *rig, const ndft_candidate *variant)
{
    int64_t *outputs;
    const int64_t n = rig->kind->sample(rig->made, rig->op, &outputs);
    const bool asked = rig->note[0]; /* it has said why not */
    ndft_status status = outputs && variant && !asked ? sum_all(rig, variant) : NDFT_OK;
    if (status == NDFT_OK && !rig->reference) {
        rig->outputs = outputs;
        return sum_on_host(rig, outputs, n);
    }
    free(outputs);
    return status;
}

ndft_status ndft_rig_reference_by(ndft_rig *rig, const ndft_candidate *variant)
{
    if (rig->reference) return NDFT_OK;
    ndft_rig_push(rig, NDFT_PHASE_REFERENCE);
    const ndft_status status = compute(rig, variant);
    ndft_rig_pop(rig);
    if (status == NDFT_OK) return status;
    drop_reference(rig);
    free(rig->outputs);
    rig->outputs = NULL;
    return status;
}

ndft_status ndft_rig_reference(ndft_rig *rig)
{
    char name[64];
    const ndft_registered *entry = NULL;
    if (rig->kind->oracle && !strcmp(rig->backend->name, "cuda")) {
        snprintf(name, sizeof name, "%s.cuda", rig->kind->oracle);
        entry = ndft_registered_find(name, strlen(name));
    }
    if (!entry || !entry->variant) return ndft_rig_reference_by(rig, NULL);
    const ndft_candidate variant = ndft_candidate_of(entry);
    return ndft_rig_reference_by(rig, &variant);
}
