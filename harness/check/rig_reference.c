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

/* On the rig's own device, or, since a processor's cases are as large, on the other's. */
static ndft_status sum_on_device(ndft_rig *rig, const ndft_oracle *oracle)
{
    ndft_rig other = *rig;
    if (oracle->backend == rig->backend)
        return ndft_every_output(rig, &oracle->variant, rig->reference);
    other.backend = oracle->backend;
    NDFT_TRY(other.backend->open(0, &other.exec, rig->exec->error));
    const ndft_status status = ndft_every_output(&other, &oracle->variant, rig->reference);
    other.backend->close(other.exec);
    return status;
}

/* Without a result unless the device is lost; the note says why. */
static ndft_status sum_all(ndft_rig *rig, const ndft_oracle *oracle)
{
    ndft_error *error = rig->exec->error;
    ndft_status status = open_reference(rig, rig->kind->outputs(&rig->made->problem, rig->op));
    rig->source = "gpu";
    if (status == NDFT_OK && ndft_every_output_kept(rig, rig->reference)) return status;
    if (status == NDFT_OK) status = sum_on_device(rig, oracle);
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

static ndft_status compute(ndft_rig *rig, const ndft_oracle *oracle)
{
    int64_t *outputs;
    const int64_t n = rig->kind->sample(rig->made, rig->op, &outputs);
    const bool asked = rig->note[0]; /* it has said why not */
    ndft_status status = outputs && oracle && !asked ? sum_all(rig, oracle) : NDFT_OK;
    if (status == NDFT_OK && !rig->reference) {
        rig->outputs = outputs;
        return sum_on_host(rig, outputs, n);
    }
    free(outputs);
    return status;
}

ndft_status ndft_rig_reference_by(ndft_rig *rig, const ndft_oracle *oracle)
{
    if (rig->reference) return NDFT_OK;
    ndft_rig_push(rig, NDFT_PHASE_REFERENCE);
    const ndft_status status = compute(rig, oracle);
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
    const ndft_backend *gpu = ndft_backend_find("cuda");
    const ndft_registered *entry = NULL;
    if (rig->kind->oracle && gpu && !gpu->missing()) {
        snprintf(name, sizeof name, "%s.cuda", rig->kind->oracle);
        entry = ndft_registered_find(name, strlen(name));
    }
    if (!entry || !entry->variant) return ndft_rig_reference_by(rig, NULL);
    const ndft_oracle oracle = {gpu, ndft_candidate_of(entry)};
    return ndft_rig_reference_by(rig, &oracle);
}
