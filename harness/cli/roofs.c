/* SPDX-License-Identifier: Apache-2.0 */
#include "roofs.h"

#include "peak/ceilings.h"
#include "peak/roofline.h"
#include "show.h"

#include <stdio.h>

void ndft_roofs_find(json_t *roofs, const ndft_device *device)
{
    json_t *ceilings = ndft_ceilings_read(device);
    json_object_set_new(roofs, device->backend, ceilings ? ceilings : json_null());
}

void ndft_roofs_apply(const json_t *roofs, json_t *record)
{
    ndft_roofline_add(record, json_object_get(roofs, ndft_field_text(record, "backend")));
}

ndft_status ndft_roofs_head(const json_t *roofs, ndft_log *log, const ndft_run *run,
                            ndft_error *err)
{
    const char *backend;
    json_t *ceilings;
    NDFT_TRY(ndft_log_write(log, ndft_record_run(run), err));
    json_object_foreach((json_t *)roofs, backend, ceilings)
    {
        NDFT_TRY(ndft_log_write_all(log, ndft_ceilings_lines(ceilings, run->id), err));
    }
    return NDFT_OK;
}

void ndft_roofs_note(const json_t *roofs)
{
    const char *backend;
    json_t *ceilings;
    json_object_foreach((json_t *)roofs, backend, ceilings)
    {
        if (json_is_null(ceilings))
            fprintf(stderr,
                    "ndft: no ceilings are known for this %s device; ndft peak measures them\n",
                    backend);
    }
}
