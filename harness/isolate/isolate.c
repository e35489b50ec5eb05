/* SPDX-License-Identifier: Apache-2.0 */
#include "isolate.h"

#include "here.h"

#include <stdlib.h>

struct ndft_isolate {
    ndft_isolate_options options;
};

ndft_status ndft_isolate_open(const ndft_isolate_options *options, ndft_isolate **out,
                              ndft_error *err)
{
    *out = malloc(sizeof **out);
    if (!*out) return ndft_fail(err, NDFT_ENOMEM, "no memory to run groups with");
    (*out)->options = *options;
    return NDFT_OK;
}

void ndft_isolate_close(ndft_isolate *isolate) { free(isolate); }

ndft_status ndft_isolate_describe(ndft_isolate *isolate, const ndft_backend *backend,
                                  ndft_device *device, ndft_error *err)
{
    (void)isolate;
    ndft_place place;
    NDFT_TRY(ndft_here_describe(backend, &place, err));
    *device = place.device;
    return NDFT_OK;
}

ndft_status ndft_isolate_run(ndft_isolate *isolate, const ndft_work *work,
                             const ndft_candidate *candidates, int n,
                             const ndft_group_options *options, const ndft_run *run,
                             const ndft_record_sink *sink, ndft_error *err)
{
    (void)isolate;
    ndft_pulse pulse = {0};
    return ndft_here_run(work, candidates, n, options, run, &pulse, sink, err);
}
