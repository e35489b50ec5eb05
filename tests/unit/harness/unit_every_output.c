/* SPDX-License-Identifier: Apache-2.0 */
#include "check/check.h"
#include "check/fixture_reference.h"
#include "group.h"
#include "support/planted.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The reference in double by a variant on the device: the naive one on the processor plays the part
 * that it has on a GPU, and planted ones are refused. */

/* What variants in single promise. */
static const ndft_promise single = {1e-6, 1e-5};

typedef struct fixture {
    ndft_case problem;
    ndft_made made;
    ndft_error error;
    ndft_exec *exec;
    ndft_fixture fixture;
    ndft_kind kind;
} fixture;

/* What the host sums of a problem too large to sum in full, for one that is small. */
static int64_t three_of(int64_t n, int64_t **outputs)
{
    int64_t *list = malloc(3 * sizeof *list);
    list[0] = 0;
    list[1] = (n - 1) / 2;
    list[2] = n - 1;
    *outputs = list;
    return 3;
}

static int64_t three_samples(const ndft_problem *p, ndft_op op, uint64_t seed, int64_t **outputs)
{
    (void)seed;
    return three_of(ndft_nonuniform.outputs(p, op), outputs);
}

static int64_t three_numbers(const ndft_problem *p, ndft_op op, uint64_t seed, int64_t **outputs)
{
    (void)seed;
    return three_of(ndft_uniform_kind.outputs(p, op), outputs);
}

static double allowed_s; /* 0: as a fixture has it */

static void open_case(fixture *f, const char *text)
{
    const ndft_backend *cpu = &ndft_backend_cpu;
    *f = (fixture){.fixture.note = ""};
    setenv("NDFT_CACHE", "", 1);
    assert_int_equal(ndft_case_parse(text, &f->problem, &f->error), NDFT_OK);
    f->kind = *ndft_kind_of(&f->problem);
    f->kind.sample = f->problem.kind == NDFT_UNIFORM ? three_numbers : three_samples;
    assert_int_equal(f->kind.make(&f->problem, &f->made, &f->error), NDFT_OK);
    assert_int_equal(cpu->open(0, &f->exec, &f->error), NDFT_OK);
    assert_int_equal(ndft_fixture_open(&f->kind, &f->problem, &f->made, cpu, f->exec, &f->fixture),
                     NDFT_OK);
    if (allowed_s > 0) f->fixture.reference_s = allowed_s;
}

static void close_case(fixture *f)
{
    ndft_fixture_close(&f->fixture);
    assert_int_equal(f->exec->live_bytes, 0);
    ndft_backend_cpu.close(f->exec);
    ndft_made_free(&f->made);
}

static ndft_oracle oracle_of(const char *name)
{
    const ndft_registered *entry = ndft_registered_find(name, strlen(name));
    assert_non_null(entry);
    return (ndft_oracle){&ndft_backend_cpu, ndft_candidate_of(entry)};
}

static ndft_oracle naive(void) { return oracle_of("naive.cpu"); }

static ndft_oracle faulty(planted_fault fault)
{
    return (ndft_oracle){&ndft_backend_cpu, {&planted, {fault}}};
}

/* The largest difference from what the host sums of all outputs, over the largest of these. */
static double distance(const fixture *f)
{
    const ndft_problem *p = &f->made.problem;
    const int64_t n = f->kind.outputs(p, f->fixture.op), reals = 2 * n * p->coils;
    double *all = malloc((size_t)reals * sizeof *all), most = 0, largest = 0;
    ndft_error err;
    assert_int_equal(f->fixture.reference->n, n);
    assert_int_equal(f->kind.reference(&f->made, f->fixture.op, NULL, n, all, 2, &err), NDFT_OK);
    for (int64_t i = 0; i < reals; i++) {
        most = fmax(most, fabs(all[i] - f->fixture.reference->values[i]));
        largest = fmax(largest, fabs(all[i]));
    }
    free(all);
    return most / largest;
}

static const char *const shapes[] = {
    "1d n=40 m=300 coils=3",
    "2d n=11x9 m=170 traj=radial:10 t=5ms field=smooth:100Hz mask=disk layout=interleaved coils=5",
    "2d n=9x12 m=170 traj=golden:10 t=9ms field=random:60Hz grad=field coils=2",
    "3d n=5x6x4 m=200 data=phantom mask=disk t=5ms field=random:60Hz grad=random:20Hz",
};

/* Of which a quarter holds few outputs, so that it takes many passes. */
static size_t hardly_any(ndft_exec *exec)
{
    (void)exec;
    return 2500;
}

static void every_output_is_the_hosts(void **state)
{
    (void)state;
    static const char *const ops[] = {"forward", "adjoint", "normal"};
    const ndft_oracle variant = naive();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        for (int op = 0; op < 3; op++) {
            fixture f;
            char text[NDFT_CASE_MAX];
            snprintf(text, sizeof text, "%s %s", ops[op], shapes[i]);
            open_case(&f, text);
            f.exec->free_bytes = hardly_any;
            assert_int_equal(ndft_fixture_reference_by(&f.fixture, single, &variant), NDFT_OK);
            assert_string_equal(f.fixture.note, "");
            assert_string_equal(f.fixture.reference->source, "gpu");
            assert_null(f.fixture.reference->outputs);
            assert_true(distance(&f) < 1e-12);
            close_case(&f);
        }
    }
}

/* The sample stays, and why is said; faults of either half of the normal operator are seen. */
static void refused(const char *text, const ndft_oracle *variant, const char *why)
{
    fixture f;
    open_case(&f, text);
    assert_int_equal(ndft_fixture_reference_by(&f.fixture, single, variant), NDFT_OK);
    assert_string_equal(f.fixture.reference->source, "sample");
    assert_int_equal(f.fixture.reference->n, 3);
    assert_int_equal(f.error.status, NDFT_OK);
    if (!strstr(f.fixture.note, why)) fail_msg("'%s', not '%s'", f.fixture.note, why);
    close_case(&f);
}

static void wrong_ones_are_refused(void **state)
{
    (void)state;
    const char *disagrees = "the device's sums in double are";
    const ndft_oracle off = faulty(PLANTED_ONE_WRONG), fails = faulty(PLANTED_FAILS);
    const ndft_oracle forward = faulty(PLANTED_NOT_FORWARD), adjoint = faulty(PLANTED_NOT_ADJOINT);
    refused("forward 2d n=5x4 m=17 coils=2", &off, disagrees);
    refused("forward 2d n=5x4 m=17 data=phantom", &off, disagrees);
    refused("normal 2d n=5x4 m=17", &forward, disagrees);
    refused("normal 2d n=5x4 m=17", &adjoint, disagrees);
    refused("adjoint 2d n=5x4 m=17", &adjoint, disagrees);
    refused("adjoint 2d n=5x4 m=17", &fails, "the planted device failed");
}

/* In double it tells of those that promise a hundred times its own errors, and of those alone:
 * whoever comes first. */
static void in_double_it_judges_what_promises_less(void **state)
{
    (void)state;
    static const ndft_promise loose = {1e-9, 1e-8}, exact = {1e-14, 1e-13};
    const ndft_oracle variant = naive(), fails = faulty(PLANTED_FAILS);
    for (int first = 0; first < 2; first++) {
        fixture f;
        open_case(&f, "forward 2d n=5x4 m=17 prec=f64 tol=1e-9");
        for (int i = 0; i < 3; i++) {
            const bool tells = (i + first) % 2 == 0;
            const ndft_oracle *by = i <= first ? &variant : &fails; /* it sums once */
            assert_int_equal(ndft_fixture_reference_by(&f.fixture, tells ? loose : exact, by),
                             NDFT_OK);
            const ndft_summed *known = f.fixture.reference;
            assert_string_equal(known->source, tells ? "gpu" : "sample");
            assert_int_equal(known->n, tells ? 17 : 3);
            if (tells)
                assert_true(distance(&f) < 1e-14 && !f.fixture.note[0]);
            else
                assert_non_null(strstr(f.fixture.note, "more than a hundredth of its 1e-14"));
        }
        close_case(&f);
    }
}

/* Every output of the transform, whatever its domain, layout and precision. */
static void every_output_of_transforms_is_the_hosts(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "uniform:scfo3.20*7",
        "uniform:scbi12x5*4",
        "uniform:srfo9x6*5",
        "uniform:srbo10x3x4*2",
        "uniform:drfi9x4*3 tol=1e-9",
        "uniform:dcfo2.9*3i1,2,40o1,3,30 tol=1e-9",
        "uniform:drbi8x6*2i1,1,7,50o1,1,14,100 tol=1e-9",
    };
    const ndft_oracle variant = oracle_of("uniform_naive.cpu");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int little = 0; little < 2; little++) {
            fixture f;
            open_case(&f, cases[i]);
            if (little) f.exec->free_bytes = hardly_any;
            assert_int_equal(
                ndft_fixture_reference_by(&f.fixture, (ndft_promise){1e-9, 1e-8}, &variant),
                NDFT_OK);
            assert_string_equal(f.fixture.note, "");
            assert_string_equal(f.fixture.reference->source, "gpu");
            assert_true(distance(&f) < 1e-14);
            close_case(&f);
        }
}

static ndft_status (*right_execute)(void *, ndft_op, const void *, void *);

/* As the variant that it stands for, but for the very first number. */
static ndft_status the_first_is_off(void *plan, ndft_op op, const void *in, void *out)
{
    const ndft_status status = right_execute(plan, op, in, out);
    *(double *)out += 1e-3;
    return status;
}

static void what_it_cannot_sum_of_transforms_is_said(void **state)
{
    (void)state;
    const ndft_oracle variant = oracle_of("uniform_naive.cpu");
    const ndft_variant *right = variant.variant.entry->variant;
    ndft_variant turned = *right;
    ndft_registered entry = *variant.variant.entry;
    ndft_oracle off = variant;
    refused("uniform:scfo16*3 load=zero_pad:9", &variant, "load and store functions");
    allowed_s = 1e-12;
    refused("uniform:scfo3.20*70", &variant, "one of the outputs in double would take more than");
    allowed_s = 0;
    turned.execute = the_first_is_off;
    right_execute = right->execute;
    entry.variant = &turned;
    off.variant.entry = &entry;
    refused("uniform:scfo16*3", &off, "the device's sums in double are");
}

static int opened;

static ndft_status count_open(int index, ndft_exec **exec, ndft_error *err)
{
    opened++;
    return ndft_backend_cpu.open(index, exec, err);
}

static ndft_status no_open(int index, ndft_exec **exec, ndft_error *err)
{
    (void)index;
    *exec = NULL;
    return ndft_fail(err, NDFT_EDEVICE, "the planted device is not there");
}

/* As a GPU's beside a processor's cases. */
static void another_device_sums_them(void **state)
{
    (void)state;
    fixture f;
    ndft_backend other = ndft_backend_cpu;
    ndft_oracle variant = naive();
    variant.backend = &other;
    other.open = count_open;
    open_case(&f, "forward 2d n=5x4 m=17 coils=2");
    assert_int_equal(ndft_fixture_reference_by(&f.fixture, single, &variant), NDFT_OK);
    assert_string_equal(f.fixture.reference->source, "gpu");
    assert_true(distance(&f) < 1e-12);
    assert_int_equal(opened, 1);
    close_case(&f);
    other.open = no_open;
    refused("forward 2d n=5x4 m=17", &variant, "the planted device is not there");
}

/* Kept by content: the second time nobody sums, not even one that cannot. */
static void it_is_kept(void **state)
{
    (void)state;
    char folder[] = "/tmp/ndft-every-XXXXXX", command[64];
    fixture f;
    const ndft_oracle variant = naive(), fails = faulty(PLANTED_FAILS);
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 2; i++) {
        open_case(&f, "forward 2d n=5x4 m=17 coils=2");
        setenv("NDFT_CACHE", folder, 1);
        assert_int_equal(ndft_fixture_reference_by(&f.fixture, single, i ? &fails : &variant),
                         NDFT_OK);
        assert_string_equal(f.fixture.reference->source, "gpu");
        assert_true(distance(&f) < 1e-12);
        close_case(&f);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* A check says what it was held against. */
static void a_check_tells_its_reference(void **state)
{
    (void)state;
    const ndft_oracle variant = naive();
    const ndft_candidate right = {&planted, {PLANTED_NONE}};
    static const char *const sources[] = {"gpu", "sample"};
    for (int sampled = 0; sampled < 2; sampled++) {
        fixture f;
        ndft_plan *plan;
        ndft_status planned;
        open_case(&f, "forward 2d n=5x4 m=17 coils=2");
        assert_int_equal(ndft_fixture_reference_by(&f.fixture, single, sampled ? NULL : &variant),
                         NDFT_OK);
        const ndft_check check = ndft_check_run(&f.fixture, &right, 60, &plan, &planned);
        assert_int_equal(check.verdict, NDFT_PASS);
        assert_string_equal(check.reference, sources[sampled]);
        assert_true(check.outputs == (sampled ? 3 : 17));
        ndft_plan_destroy(plan);
        close_case(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_output_is_the_hosts),
        cmocka_unit_test(wrong_ones_are_refused),
        cmocka_unit_test(in_double_it_judges_what_promises_less),
        cmocka_unit_test(every_output_of_transforms_is_the_hosts),
        cmocka_unit_test(what_it_cannot_sum_of_transforms_is_said),
        cmocka_unit_test(another_device_sums_them),
        cmocka_unit_test(it_is_kept),
        cmocka_unit_test(a_check_tells_its_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
