/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_reference.h"

#include "every_output.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double share = 1e-2; /* of what is promised, that the reference may err by */

static ndft_status open_known(ndft_fixture *fixture, ndft_summed *known, int64_t n)
{
    known->n = n;
    return ndft_fixture_host_alloc(
        fixture,
        (size_t)n * (size_t)ndft_output_coils(&fixture->made->problem, fixture->op) * 2 *
            sizeof(double),
        (void **)&known->values);
}

static void drop_known(ndft_summed *known)
{
    free(known->values);
    free(known->outputs);
    *known = (ndft_summed){.source = NULL};
}

/* On the fixture's own device, or, since a processor's cases are as large, on the other's. */
static ndft_status sum_on_device(ndft_fixture *fixture, const ndft_oracle *oracle, double *values)
{
    ndft_fixture other = *fixture;
    if (oracle->backend == fixture->backend)
        return ndft_every_output(fixture, &oracle->variant, values);
    other.backend = oracle->backend;
    NDFT_TRY(other.backend->open(0, &other.exec, fixture->exec->error));
    other.device = ndft_device_around(other.backend, other.exec);
    const ndft_status status =
        other.device ? ndft_every_output(&other, &oracle->variant, values)
                     : ndft_fail(fixture->exec->error, NDFT_ENOMEM, "no memory for a device");
    ndft_device_close(other.device);
    other.backend->close(other.exec);
    return status;
}

/* Without a result unless the device is lost; the fixture then knows why. */
static ndft_status sum_all(ndft_fixture *fixture, const ndft_oracle *oracle, ndft_summed *gpu)
{
    ndft_error *error = fixture->exec->error;
    const ndft_promise errors = gpu->errors;
    ndft_status status =
        open_known(fixture, gpu, fixture->kind->outputs(&fixture->made->problem, fixture->op));
    gpu->source = "gpu";
    if (status == NDFT_OK && ndft_every_output_kept(fixture, gpu->values)) return status;
    ndft_fixture_push(fixture, NDFT_PHASE_REFERENCE);
    if (status == NDFT_OK) status = sum_on_device(fixture, oracle, gpu->values);
    ndft_fixture_pop(fixture);
    if (status == NDFT_OK) return status;
    drop_known(gpu);
    gpu->errors = errors;
    snprintf(fixture->refused, sizeof fixture->refused, "%.500s", error->message);
    if (fixture->backend->sync(fixture->exec) != NDFT_OK) return NDFT_EDEVICE;
    *error = (ndft_error){.status = NDFT_OK};
    return NDFT_OK;
}

static bool can_judge(const ndft_fixture *fixture, const ndft_summed *known, ndft_promise promise)
{
    return ndft_is_white(fixture) ? known->errors.typical <= share * promise.typical
                                  : known->errors.any <= share * promise.any;
}

/* What a GPU knows, or its note why it is not taken for this promise. */
static ndft_status ask_gpu(ndft_fixture *fixture, ndft_promise promise, const ndft_oracle *oracle,
                           bool *taken)
{
    ndft_summed *gpu = &fixture->known[NDFT_KNOWN_BY_GPU];
    const bool tried = gpu->values || fixture->refused[0];
    *taken = false;
    if (!tried && !oracle) return NDFT_OK;
    if (!tried) gpu->errors = ndft_every_output_errors(fixture, &oracle->variant);
    const bool judges = can_judge(fixture, gpu, promise);
    if (!tried && judges) NDFT_TRY(sum_all(fixture, oracle, gpu));
    *taken = gpu->values && judges;
    if (fixture->refused[0])
        snprintf(fixture->note, sizeof fixture->note, "%s", fixture->refused);
    else if (!judges)
        snprintf(fixture->note, sizeof fixture->note,
                 "the device's sums in double claim %.3g, more than a hundredth of its %.3g",
                 gpu->errors.typical, promise.typical);
    return NDFT_OK;
}

static ndft_status sum_on_host(ndft_fixture *fixture, ndft_summed *host)
{
    host->source = host->outputs ? "sample" : "all";
    NDFT_TRY(open_known(fixture, host, host->n));
    ndft_fixture_push(fixture, NDFT_PHASE_REFERENCE);
    const ndft_status status =
        fixture->kind->reference(fixture->made, fixture->op, host->outputs, host->n, host->values,
                                 omp_get_max_threads(), fixture->exec->error);
    ndft_fixture_pop(fixture);
    return status;
}

static ndft_status compute(ndft_fixture *fixture, ndft_promise promise, const ndft_oracle *oracle)
{
    ndft_summed *host = &fixture->known[NDFT_KNOWN_BY_HOST];
    bool gpu = false;
    if (!host->n)
        host->n = fixture->kind->sample(&fixture->made->problem, fixture->op,
                                        fixture->made->hash[0], &host->outputs);
    if (host->outputs) NDFT_TRY(ask_gpu(fixture, promise, oracle, &gpu));
    if (!gpu && !host->values) NDFT_TRY(sum_on_host(fixture, host));
    fixture->reference = gpu ? &fixture->known[NDFT_KNOWN_BY_GPU] : host;
    return NDFT_OK;
}

ndft_status ndft_fixture_reference_by(ndft_fixture *fixture, ndft_promise promise,
                                      const ndft_oracle *oracle)
{
    fixture->reference = NULL;
    fixture->note[0] = 0;
    const ndft_status status = compute(fixture, promise, oracle);
    if (status != NDFT_OK) drop_known(&fixture->known[NDFT_KNOWN_BY_HOST]);
    return status;
}

ndft_status ndft_fixture_reference(ndft_fixture *fixture, ndft_promise promise)
{
    char name[64];
    const ndft_backend *gpu = ndft_backend_find("cuda");
    const ndft_registered *entry = NULL;
    if (gpu && !gpu->missing() && fixture->kind->oracle) {
        snprintf(name, sizeof name, "%s.cuda", fixture->kind->oracle);
        entry = ndft_registered_find(name, strlen(name));
    }
    if (!entry || !entry->variant) return ndft_fixture_reference_by(fixture, promise, NULL);
    const ndft_oracle oracle = {gpu, ndft_candidate_of(entry)};
    return ndft_fixture_reference_by(fixture, promise, &oracle);
}
