/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_reference.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ndft_status open_reference(ndft_fixture *fixture, int64_t n)
{
    fixture->n_outputs = n;
    return ndft_fixture_host_alloc(
        fixture, (size_t)n * (size_t)fixture->made->problem.coils * 2 * sizeof(double),
        (void **)&fixture->reference);
}

static void drop_reference(ndft_fixture *fixture)
{
    free(fixture->reference);
    fixture->reference = NULL;
    fixture->source = NULL;
}

/* On the fixture's own device, or, since a processor's cases are as large, on the other's. */
static ndft_status sum_on_device(ndft_fixture *fixture, const ndft_oracle *oracle)
{
    ndft_fixture other = *fixture;
    if (oracle->backend == fixture->backend)
        return ndft_every_output(fixture, &oracle->variant, fixture->reference);
    other.backend = oracle->backend;
    NDFT_TRY(other.backend->open(0, &other.exec, fixture->exec->error));
    const ndft_status status = ndft_every_output(&other, &oracle->variant, fixture->reference);
    other.backend->close(other.exec);
    return status;
}

/* Without a result unless the device is lost; the note says why. */
static ndft_status sum_all(ndft_fixture *fixture, const ndft_oracle *oracle)
{
    ndft_error *error = fixture->exec->error;
    ndft_status status =
        open_reference(fixture, fixture->kind->outputs(&fixture->made->problem, fixture->op));
    fixture->source = "gpu";
    if (status == NDFT_OK && ndft_every_output_kept(fixture, fixture->reference)) return status;
    if (status == NDFT_OK) status = sum_on_device(fixture, oracle);
    if (status == NDFT_OK) return status;
    drop_reference(fixture);
    snprintf(fixture->note, sizeof fixture->note, "%.500s", error->message);
    if (fixture->backend->sync(fixture->exec) != NDFT_OK) return NDFT_EDEVICE;
    *error = (ndft_error){.status = NDFT_OK};
    return NDFT_OK;
}

static ndft_status sum_on_host(ndft_fixture *fixture, const int64_t *outputs, int64_t n)
{
    NDFT_TRY(open_reference(fixture, n));
    fixture->source = outputs ? "sample" : "all";
    return fixture->kind->reference(fixture->made, fixture->op, outputs, n, fixture->reference,
                                    omp_get_max_threads(), fixture->exec->error);
}

static ndft_status compute(ndft_fixture *fixture, const ndft_oracle *oracle)
{
    int64_t *outputs;
    const int64_t n = fixture->kind->sample(&fixture->made->problem, fixture->op,
                                            fixture->made->hash[0], &outputs);
    const bool asked = fixture->note[0]; /* it has said why not */
    ndft_status status = outputs && oracle && !asked ? sum_all(fixture, oracle) : NDFT_OK;
    if (status == NDFT_OK && !fixture->reference) {
        fixture->outputs = outputs;
        return sum_on_host(fixture, outputs, n);
    }
    free(outputs);
    return status;
}

ndft_status ndft_fixture_reference_by(ndft_fixture *fixture, const ndft_oracle *oracle)
{
    if (fixture->reference) return NDFT_OK;
    ndft_fixture_push(fixture, NDFT_PHASE_REFERENCE);
    const ndft_status status = compute(fixture, oracle);
    ndft_fixture_pop(fixture);
    if (status == NDFT_OK) return status;
    drop_reference(fixture);
    free(fixture->outputs);
    fixture->outputs = NULL;
    return status;
}

ndft_status ndft_fixture_reference(ndft_fixture *fixture)
{
    char name[64];
    const ndft_backend *gpu = ndft_backend_find("cuda");
    const ndft_registered *entry = NULL;
    if (fixture->kind->oracle && gpu && !gpu->missing()) {
        snprintf(name, sizeof name, "%s.cuda", fixture->kind->oracle);
        entry = ndft_registered_find(name, strlen(name));
    }
    if (!entry || !entry->variant) return ndft_fixture_reference_by(fixture, NULL);
    const ndft_oracle oracle = {gpu, ndft_candidate_of(entry)};
    return ndft_fixture_reference_by(fixture, &oracle);
}
