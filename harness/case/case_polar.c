/* SPDX-License-Identifier: Apache-2.0 */
#include "case_keys.h"

#include "units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Complex numbers of chirp z-transforms: MODULUS:TURNS, modulus exp(2 pi i turns), or a word. */

static ndft_status parse_polar(const ndft_key *key, const char *value, ndft_case *c,
                               ndft_error *err)
{
    ndft_polar *z = ndft_key_field(key, c);
    char modulus[64];
    const size_t length = strcspn(value, ":");
    *z = (ndft_polar){0, 0};
    if (key->detail && !strcmp(value, key->detail)) return NDFT_OK;
    snprintf(modulus, sizeof modulus, "%.*s", (int)(length < 63 ? length : 63), value);
    if (!value[length] || ndft_number_parse(modulus, NULL, &z->modulus) != NDFT_NUMBER_OK ||
        ndft_number_parse(value + length + 1, NULL, &z->turns) != NDFT_NUMBER_OK)
        return ndft_key_fail(err, key, value, "takes a modulus and turns, e.g. %s=0.999:-0.0005",
                             key->name);
    if (!(z->modulus >= NDFT_LEAST_MODULUS && z->modulus <= NDFT_MOST_MODULUS))
        return ndft_key_fail(err, key, value, "its modulus is between %g and %g",
                             NDFT_LEAST_MODULUS, NDFT_MOST_MODULUS);
    if (!(z->turns >= -1 && z->turns <= 1))
        return ndft_key_fail(err, key, value, "its turns are between -1 and 1");
    z->turns += 0.0; /* -0 becomes 0 */
    return NDFT_OK;
}

static int print_polar(const ndft_key *key, const ndft_case *c, char *text, size_t size)
{
    const ndft_polar *z = ndft_key_value(key, c);
    char modulus[48], turns[48];
    ndft_number_print(z->modulus, NULL, modulus, sizeof modulus);
    ndft_number_print(fabs(z->turns), NULL, turns, sizeof turns);
    return snprintf(text, size, "%s:%s%s", modulus, z->turns < 0 ? "-" : "", turns);
}

const ndft_value_type ndft_value_polar = {parse_polar, print_polar};
