/* SPDX-License-Identifier: Apache-2.0 */
#include "roofs.h"

#include "ceilings.h"
#include "roofline.h"
#include "show.h"

#include <stdio.h>

void ndft_roofs_find(json_t *roofs, const ndft_device *device)
{
    json_t *ceilings = ndft_ceilings_read(device);
    if (!ceilings)
        fprintf(stderr, "ndft: no ceilings are known for %s; ndft peak measures them\n",
                device->slug);
    json_object_set_new(roofs, device->backend, ceilings ? ceilings : json_null());
}

void ndft_roofs_apply(const json_t *roofs, json_t *record)
{
    ndft_roofline_add(record, json_object_get(roofs, ndft_field_text(record, "backend")));
}
