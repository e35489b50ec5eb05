/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RECORD_ALONE_H
#define NDFT_RECORD_ALONE_H

#include "case/case.h"
#include "harness.h"

#include <stdbool.h>

enum { NDFT_ALONE_MAX = NDFT_CASE_MAX + 1024 };

/* The commands that have a peer's time on a case again without ndft, in mode batch or graph;
 * arguments as its alone() says (base/peer.h). False, and none, of other modes (NULL: not timed),
 * of the normal operator, which is two of theirs, and of what is ours. */
bool ndft_record_alone(const ndft_candidate *, const ndft_case *, const char *arguments,
                       const char *mode, char command[NDFT_ALONE_MAX]);

#endif
