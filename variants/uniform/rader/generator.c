/* SPDX-License-Identifier: Apache-2.0 */
#include "generator.h"

#include <stdbool.h>

static bool is_prime(int64_t number)
{
    for (int64_t i = 2; i * i <= number; i++)
        if (number % i == 0) return false;
    return number > 1;
}

static bool generates(int64_t base, int64_t prime)
{
    int64_t power = base;
    for (int64_t order = 1; order < prime - 1; order++, power = power * base % prime)
        if (power == 1) return false;
    return true;
}

int ndft_generator_of(int64_t prime)
{
    if (prime < 3 || prime > INT32_MAX || !is_prime(prime)) return 0;
    int64_t base = 2;
    while (!generates(base, prime)) base++;
    return (int)base;
}
