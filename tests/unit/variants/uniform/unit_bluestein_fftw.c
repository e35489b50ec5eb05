/* SPDX-License-Identifier: Apache-2.0 */
#include "check/fixture.h"
#include "problem/kinds.h"
#include "registry.h"

#include "prepared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Bluestein's algorithm has as many stages as it is said to: six apart, three fused, two of them
 * where the chirp's transform comes from plan, one while a line is in cache; for every axis.
 * Between two of them no more lines are kept than the caches hold. */

static void note(ndft_exec *exec, const char *stage)
{
    char *stages = exec->listener;
    strcat(strcat(stages, stage), " ");
}

static const ndft_registered *find(const char *name)
{
    for (int i = 0; i < ndft_registry_size; i++)
        if (!strcmp(ndft_registry[i].name, name) && !strcmp(ndft_registry[i].backend, "cpu"))
            return &ndft_registry[i];
    fail_msg("no %s.cpu", name);
    return NULL;
}

enum { THREADS = 2, MOST_STAGES = 4096 };

/* Bytes of a plan; the stages of one execution, in order. */
static size_t run(const ndft_fixture *fixture, const ndft_candidate *candidate, char *stages)
{
    ndft_prepared plan;
    const size_t before = fixture->exec->live_bytes;
    assert_int_equal(ndft_prepare_promised(candidate->entry->variant, candidate->knobs,
                                           &fixture->made->problem, fixture->op, fixture->exec,
                                           &plan),
                     NDFT_OK);
    const size_t bytes = fixture->exec->live_bytes - before;
    *stages = 0;
    fixture->exec->mark = note;
    fixture->exec->listener = stages;
    assert_int_equal(ndft_prepared_execute(&plan, fixture->op, fixture->in[0], fixture->out[1]),
                     NDFT_OK);
    fixture->exec->mark = NULL;
    ndft_prepared_destroy(&plan);
    return bytes;
}

static size_t execute(const char *text, const char *name, int chirp_fft, char *stages)
{
    ndft_case problem;
    ndft_made made;
    ndft_error error;
    ndft_exec *exec;
    ndft_fixture fixture;
    const ndft_backend *cpu = &ndft_backend_cpu;
    ndft_candidate candidate = ndft_candidate_of(find(name));
    candidate.knobs[candidate.entry->variant->n_knobs - 1] = chirp_fft;
    assert_int_equal(ndft_case_parse(text, &problem, &error), NDFT_OK);
    assert_int_equal(ndft_uniform_kind.make(&problem, &made, &error), NDFT_OK);
    assert_int_equal(cpu->open(0, &exec, &error), NDFT_OK);
    exec->threads = THREADS;
    assert_int_equal(ndft_fixture_open(&ndft_uniform_kind, &problem, &made, cpu, exec, &fixture),
                     NDFT_OK);
    const size_t bytes = run(&fixture, &candidate, stages);
    ndft_fixture_close(&fixture);
    cpu->close(exec);
    ndft_made_free(&made);
    return bytes;
}

static void expect(const char *text, const char *name, int chirp_fft, const char *expected)
{
    char stages[MOST_STAGES];
    execute(text, name, chirp_fft, stages);
    assert_string_equal(stages, expected);
}

static void stages_are_counted(void **state)
{
    (void)state;
    enum { IN_PLAN, IN_EXECUTE };
    static const char line[] = "uniform:scfo101*7", plane[] = "uniform:srfo11x13";
    expect(line, "bluestein_split", 0, "chirp pad_mul fft fft_mul ifft res_mul ");
    expect(line, "bluestein_fused", IN_EXECUTE, "chirp_fft fft ifft ");
    expect(line, "bluestein_fused", IN_PLAN, "fft ifft ");
    expect(line, "bluestein_single", 0, "convolution ");
    expect(plane, "bluestein_split", 0,
           "chirp pad_mul fft fft_mul ifft res_mul chirp pad_mul fft fft_mul ifft res_mul ");
    expect(plane, "bluestein_fused", IN_EXECUTE, "chirp_fft fft ifft chirp_fft fft ifft ");
    expect(plane, "bluestein_single", 0, "convolution convolution ");
}

/* 20000 padded lines would be 32 MiB. */
static void lines_between_stages_stay_in_cache(void **state)
{
    (void)state;
    enum { OF_THREAD = 1 << 20 };
    char stages[MOST_STAGES];
    assert_true(execute("uniform:scfo101*20000", "bluestein_fused", 0, stages) <
                THREADS * OF_THREAD);
    assert_true(execute("uniform:scfo101*20000", "bluestein_split", 0, stages) <
                THREADS * OF_THREAD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stages_are_counted),
                                       cmocka_unit_test(lines_between_stages_stay_in_cache)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
