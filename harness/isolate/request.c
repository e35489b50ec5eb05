/* SPDX-License-Identifier: Apache-2.0 */
#include "request.h"

#include <stdlib.h>

json_t *ndft_request_print(const ndft_work *work, const ndft_candidate *candidates, int n,
                           const ndft_run *run)
{
    char text[NDFT_CASE_MAX], id[NDFT_ID_MAX];
    ndft_case_print(&work->problem, text, sizeof text);
    json_t *ids = json_array();
    for (int i = 0; i < n; i++) {
        ndft_id_print(&candidates[i], id, sizeof id);
        json_array_append_new(ids, json_string(id));
    }
    return json_pack("{s:s, s:s, s:i, s:o}", "run", run->id, "case", text, "mode", (int)work->mode,
                     "variants", ids);
}

ndft_status ndft_request_parse(const json_t *request, const ndft_backend *backend, ndft_work *work,
                               ndft_run *run, ndft_error *err)
{
    const char *id = "", *text = "";
    json_t *ids = NULL;
    int mode = 0;
    *work = (ndft_work){.backend = backend};
    *run = (ndft_run){.id = ""};
    if (json_unpack((json_t *)request, "{s:s, s:s, s:i, s:o}", "run", &id, "case", &text, "mode",
                    &mode, "variants", &ids))
        return ndft_fail(err, NDFT_EINVAL, "this is no request to a worker");
    snprintf(run->id, sizeof run->id, "%s", id);
    work->mode = (ndft_mode)mode;
    NDFT_TRY(ndft_case_parse(text, &work->problem, err));
    size_t n = json_array_size(ids);
    work->candidates = malloc((n + 1) * sizeof *work->candidates);
    if (!work->candidates) return ndft_fail(err, NDFT_ENOMEM, "no memory for a group");
    for (; (size_t)work->n < n; work->n++)
        NDFT_TRY(ndft_id_parse(json_string_value(json_array_get(ids, (size_t)work->n)),
                               &work->candidates[work->n], err));
    return NDFT_OK;
}

void ndft_request_free(ndft_work *work) { free(work->candidates); }
