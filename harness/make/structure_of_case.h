/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STRUCTURE_OF_CASE_H
#define NDFT_STRUCTURE_OF_CASE_H

#include "base/problem.h"
#include "case/case.h"

/* The regularity of the problem that a case would make, without making it; 0 where a file would
 * have to be read. */
ndft_structure ndft_structure_of_case(const ndft_case *);

#endif
