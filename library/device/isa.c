/* SPDX-License-Identifier: Apache-2.0 */
#include "processor.h"

#include <stdbool.h>

ndft_isa ndft_isa_detect(void)
{
    __builtin_cpu_init();
    bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
              __builtin_cpu_supports("bmi2");
    bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
              __builtin_cpu_supports("avx512vl");
    return v4 ? NDFT_X86_64_V4 : v3 ? NDFT_X86_64_V3 : NDFT_X86_64_V2;
}
