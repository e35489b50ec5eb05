/* SPDX-License-Identifier: Apache-2.0 */
#include "backend.h"

const ndft_backend *const ndft_backends[] = {&ndft_backend_cpu, &ndft_backend_cuda, NULL};
