/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RECHECK_H
#define NDFT_RECHECK_H

#include "modes.h"
#include "naming/verdict.h"

/*
 * What is timed is checked: after the last sample the output is poisoned, produced once more in
 * that very mode and held against what check has found before, bit by bit. Other bits of a variant
 * that claims to be deterministic are wrong; of others, and of a plan made anew, which may choose
 * differently, they are held against the reference as the first check did. Of an ablation as of a
 * first check no more is asked than numbers.
 *
 * False: check has the verdict and a reason that names the mode. NDFT_ERROR: it failed; the message
 * is exec's too.
 */
bool ndft_recheck(ndft_mode, ndft_subject *, ndft_check *);

#endif
