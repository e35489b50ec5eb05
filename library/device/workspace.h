/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_WORKSPACE_H
#define NDFT_WORKSPACE_H

#include <stdbool.h>

/*
 * Whether memory of this name (ndft_exec's alloc) is a workspace: whoever has it writes it anew in
 * each execution before reading it, so that between two executions it may hold anything.
 */
bool ndft_is_workspace(const char *what);

#endif
