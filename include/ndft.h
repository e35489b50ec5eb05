/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_H
#define NDFT_H

/*
 * libndft: the field-corrected nonuniform discrete Fourier transform of MRI on processors and GPUs.
 *
 *     ndft_device_open("auto", NULL, &device);
 *     ndft_problem_create(device, &description, &problem);
 *     ndft_plan_create(problem, NDFT_FORWARD | NDFT_ADJOINT, NULL, &plan);
 *     ndft_execute(plan, NDFT_ADJOINT, kspace, image);
 *
 * Types are opaque. Structures of options begin with their own size, so that later releases can add
 * to them: what is zero means as much as what is not there. docs/library.md leads through it.
 */

#include <ndft/chirpz.h>
#include <ndft/communicator.h>
#include <ndft/convolution.h>
#include <ndft/device.h>
#include <ndft/group.h>
#include <ndft/moments.h>
#include <ndft/plan.h>
#include <ndft/problem.h>
#include <ndft/status.h>
#include <ndft/transform.h>
#include <ndft/types.h>
#include <ndft/version.h>
#include <ndft/wisdom.h>

#endif
