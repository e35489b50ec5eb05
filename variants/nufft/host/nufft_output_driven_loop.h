/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_OUTPUT_DRIVEN_LOOP_H
#define NDFT_NUFFT_OUTPUT_DRIVEN_LOOP_H

#include "core/loop.h"
#include "host_nufft.h"

NDFT_LOOP_DECLARE(void, nufft_output_driven, (const ndft_host_job *));

#endif
