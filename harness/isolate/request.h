/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_REQUEST_H
#define NDFT_REQUEST_H

#include "here.h"

/* What a parent asks of a worker: {"run", "case", "mode", "variants": [ids]}. */

json_t *ndft_request_print(const ndft_work *, const ndft_candidate *, int n, const ndft_run *);

/* The worker's backend goes into work. NDFT_EINVAL; NDFT_ENOMEM. ndft_request_free in any case. */
ndft_status ndft_request_parse(const json_t *, const ndft_backend *, ndft_work *, ndft_run *,
                               ndft_error *);
void ndft_request_free(ndft_work *);

#endif
