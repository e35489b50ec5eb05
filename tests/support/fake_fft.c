/* SPDX-License-Identifier: Apache-2.0 */

/* A library with FFTW's calls whose planner makes no plan, as wrappers of other libraries may for
 * layouts that they do not have: all of them are one function. */

void *no_plan(void);
void *no_plan(void) { return (void *)0; }

#define SAME(name) void *name(void) __attribute__((alias("no_plan")))
#define CALLS(prefix)                                                                              \
    SAME(prefix##_plan_guru64_dft);                                                                \
    SAME(prefix##_plan_guru64_dft_r2c);                                                            \
    SAME(prefix##_plan_guru64_dft_c2r);                                                            \
    SAME(prefix##_execute_dft);                                                                    \
    SAME(prefix##_execute_dft_r2c);                                                                \
    SAME(prefix##_execute_dft_c2r);                                                                \
    SAME(prefix##_destroy_plan)

CALLS(fftw);
CALLS(fftwf);
