/* SPDX-License-Identifier: Apache-2.0 */
#include "phase.h"

const char *ndft_phase_name(ndft_phase phase)
{
    static const char *const names[NDFT_N_PHASES] = {"make",    "reference", "plan", "forward",
                                                     "adjoint", "normal",    "time"};
    return names[phase];
}
