/* SPDX-License-Identifier: Apache-2.0 */
#include "instruments.h"

#include <string.h>

const ndft_instruments *ndft_instruments_of(const char *backend)
{
    const ndft_instruments *const *i = ndft_all_instruments;
    while (*i && strcmp((*i)->backend, backend)) i++;
    return *i;
}
