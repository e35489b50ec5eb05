/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_KIND_H
#define NDFT_KIND_H

#include "base/uniform.h"

/* The kinds of problems beside those of uniform.h. They stand apart, since what uniform.h says
 * counts in the build ids of engines that need not know of them. */
#define NDFT_CONVOLUTION ((ndft_kind_of_problem)(NDFT_UNIFORM + 1))
#define NDFT_CHIRPZ ((ndft_kind_of_problem)(NDFT_UNIFORM + 2))

#endif
