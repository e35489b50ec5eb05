/* SPDX-License-Identifier: Apache-2.0 */
#include "folded.h"

#include "chirp.h"

void ndft_folded_phasor(int64_t j, int64_t k, int64_t length, double phasor[2])
{
    ndft_half_turns(2 * (j * k % length), length, phasor);
}
