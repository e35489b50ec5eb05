/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PROCESSOR_H
#define NDFT_PROCESSOR_H

#include "base/exec.h"

/* What it has, alone in its file: the build asks which loops run here. */
ndft_isa ndft_isa_detect(void);

/* The processor, of which so many hardware threads are used. */
ndft_device ndft_device_cpu(int threads);

/* Of one of its last-level caches, as the kernel tells it: sysconf adds up caches that cores do not
 * share. A usual size where it is unknown, as in some virtual machines. */
size_t ndft_last_cache_bytes(void);

#endif
