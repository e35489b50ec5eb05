/* SPDX-License-Identifier: Apache-2.0 */
#include "device_memory.h"

#include <math.h>

/* What ndft.h promises of an execution, asked of every engine that serves a problem: any alignment
 * that the numbers have, input that stays as it is, numbers that are not finite in one coil, and
 * workspaces of the caller's. */

#define NDFT_BUILT(name, backend, ...) {#name, #backend, #__VA_ARGS__},
#define NDFT_NOT_BUILT(...)
static const struct {
    const char *name, *backend, *rest; /* that it explains, and the problems that it serves */
} engines[] = {
#include "registry.inc"
};

enum {
    N = 16,
    VOXELS = N * N,
    LINES = 12,
    POINTS = 24,
    M = LINES * POINTS,
    MANY = 20,
    MOST = 2 * MANY * M
};

/* Of the problem that is asked: few, or several groups of those that engines take together. */
static int coils = COILS;

/* A problem in lines and with few coils, that as many engines as possible serve. */
typedef struct problem {
    float k[2][M], t[M], decay[VOXELS], phase_c[M], phase_b[VOXELS];
    ndft_problem_desc desc;
} problem;

static void make(problem *p, bool timed, bool decays, bool phase, ndft_layout layout)
{
    const double pi = 3.14159265358979323846;
    memset(p, 0, sizeof *p);
    for (int j = 0; j < M; j++) {
        const double angle = pi * (j / POINTS) / LINES, r = 0.5 * (j % POINTS - POINTS / 2);
        p->k[0][j] = (float)(r * cos(angle));
        p->k[1][j] = (float)(r * sin(angle));
        p->t[j] = timed ? 1e-4f * (float)(j % POINTS) : 0;
    }
    p->desc = (ndft_problem_desc){.struct_size = sizeof p->desc,
                                  .dim = 2,
                                  .n = {N, N},
                                  .coils = coils,
                                  .layout = layout,
                                  .tol = 1e-3,
                                  .n_samples = M,
                                  .k = {p->k[0], p->k[1]},
                                  .t = p->t,
                                  .decay = decays ? p->decay : NULL,
                                  .phases = phase,
                                  .phase_c = phase ? p->phase_c : NULL,
                                  .phase_b = phase ? p->phase_b : NULL};
    for (int v = 0; v < VOXELS; v++) p->decay[v] = 20 * (float)(v % 7);
    for (int v = 0; v < VOXELS; v++) p->phase_b[v] = (float)cos(0.1 * v);
    for (int j = 0; j < M; j++) p->phase_c[j] = (float)(2 * sin(0.02 * j));
}

static int64_t elements(ndft_op op, bool input)
{
    return op == (input ? NDFT_ADJOINT : NDFT_FORWARD) ? M : VOXELS;
}

/* Element i of a coil. */
static int64_t at(ndft_layout layout, int64_t length, int coil, int64_t i)
{
    return layout == NDFT_PLANAR ? coil * length + i : i * coils + coil;
}

/* On the device, with room to be moved by some bytes. */
static char *there[2];

static void execute_at(ndft_plan *plan, ndft_op op, const float complex *in, size_t in_at,
                       float complex *out, size_t out_at)
{
    const size_t in_bytes = (size_t)coils * (size_t)elements(op, true) * sizeof *in;
    const size_t out_bytes = (size_t)coils * (size_t)elements(op, false) * sizeof *out;
    device_copy(there[0] + in_at, in, in_bytes);
    must(ndft_execute(plan, op, there[0] + in_at, there[1] + out_at));
    must(ndft_device_sync(device));
    device_copy(out, there[1] + out_at, out_bytes);
}

static void execute(ndft_plan *plan, ndft_op op, const float complex *in, float complex *out)
{
    execute_at(plan, op, in, 0, out, 0);
}

static void misaligned(ndft_plan *plan, ndft_op op, const float complex *in,
                       const float complex *aligned, const char *id)
{
    enum { IN = 8, OUT = 24 };
    static float complex from[MOST], to[MOST];
    const int64_t inputs = coils * elements(op, true), outputs = coils * elements(op, false);
    execute_at(plan, op, in, IN, to, OUT);
    device_copy(from, there[0] + IN, (size_t)inputs * sizeof *from);
    double worst = 0, largest = 0;
    for (int64_t i = 0; i < outputs; i++) {
        worst = fmax(worst, cabs(to[i] - aligned[i]));
        largest = fmax(largest, cabs(aligned[i]));
    }
    if (!(worst <= 1e-5 * largest)) fail_msg("%s op %d: misaligned differs by %g", id, op, worst);
    if (memcmp(from, in, (size_t)inputs * sizeof *from) != 0)
        fail_msg("%s op %d writes its input", id, op);
}

static void one_coil_not_finite(ndft_plan *plan, ndft_op op, ndft_layout layout, float complex *in,
                                const float complex *finite, const char *id)
{
    static float complex out[MOST];
    const int64_t from = elements(op, true), to = elements(op, false);
    const int64_t place = at(layout, from, 1, from / 3);
    const float complex kept = in[place];
    double worst = 0, largest = 0;
    for (int kind = 0; kind < 2; kind++) {
        in[place] = kind ? (float)INFINITY : (float)NAN;
        execute(plan, op, in, out);
        for (int64_t i = 0; i < to; i++) {
            const float complex bad = out[at(layout, to, 1, i)];
            if (isfinite(crealf(bad)) && isfinite(cimagf(bad)))
                fail_msg("%s op %d: output %d of a coil with %g is finite", id, op, (int)i,
                         kind ? INFINITY : NAN);
            for (int coil = 0; coil < coils; coil += 2) {
                const int64_t e = at(layout, to, coil, i);
                const double difference = cabs(out[e] - finite[e]);
                worst = difference <= worst ? worst : difference;
                largest = fmax(largest, cabs(finite[e]));
            }
        }
        if (!(worst <= 1e-5 * largest)) fail_msg("%s op %d: another coil changes", id, op);
    }
    in[place] = kept;
}

/* Of the caller's, spoilt before each execution and not written past its end. */
static void lent(ndft_plan *plan, ndft_op op, const float complex *in, const float complex *own,
                 const char *id)
{
    enum { END = 64, TURNS = 2 };
    static float complex out[MOST];
    size_t bytes;
    unsigned char end[END];
    must(ndft_plan_workspace(plan, &bytes));
    char *memory = device_take(bytes + END);
    void *spoilt = malloc(bytes + END);
    if (!memory || !spoilt) fail_msg("no memory");
    memset(spoilt, 0xff, bytes + END);
    must(ndft_plan_use(plan, memory, bytes));
    for (int turn = 0; turn < TURNS; turn++) {
        device_copy(memory, spoilt, bytes + END);
        execute(plan, op, in, out);
        double worst = 0, largest = 0;
        for (int64_t i = 0; i < coils * elements(op, false); i++) {
            const double difference = cabs(out[i] - own[i]);
            worst = difference <= worst ? worst : difference;
            largest = fmax(largest, cabs(own[i]));
        }
        if (!(worst <= 1e-5 * largest)) fail_msg("%s op %d reads what was lent", id, op);
        device_copy(end, memory + bytes, END);
        for (int i = 0; i < END; i++) assert_int_equal(end[i], 0xff);
    }
    must(ndft_plan_use(plan, NULL, 0));
    device_give(memory);
    free(spoilt);
}

static bool asked(const char *id, const problem *p, ndft_op op)
{
    static float complex in[MOST], out[MOST];
    const ndft_plan_options o = {.struct_size = sizeof o, .variant = id};
    ndft_problem *problem;
    ndft_plan *plan;
    must(ndft_problem_create(device, &p->desc, &problem));
    const ndft_status status = ndft_plan_create(problem, op, &o, &plan);
    ndft_problem_destroy(problem);
    if (status == NDFT_EUNSUPPORTED) return false;
    must(status);
    for (int i = 0; i < MOST; i++) in[i] = (float complex)mixed(i);
    execute(plan, op, in, out);
    lent(plan, op, in, out, id);
    misaligned(plan, op, in, out, id);
    one_coil_not_finite(plan, op, p->desc.layout, in, out, id);
    ndft_plan_destroy(plan);
    return true;
}

static void every_engine(void **state)
{
    static problem p;
    (void)state;
    enum { ROOM = MOST * sizeof(float complex) + 64 };
    int served = 0, decayed = 0, phased = 0;
    for (int side = 0; side < 2; side++) there[side] = device_take(ROOM);
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        const bool may_be = strstr(engines[i].rest, "NULL, NULL, NDFT_NONUNIFORM");
        if (!may_be || strncmp(engines[i].backend, device_name(), strlen(engines[i].backend)))
            continue;
        for (int maps = 0; maps < 4; maps++) /* none, times, decay, phase */
            for (int layout = NDFT_PLANAR; layout <= NDFT_INTERLEAVED + 1; layout++) {
                const bool many = layout > NDFT_INTERLEAVED;
                coils = many ? MANY : COILS;
                make(&p, maps > 0, maps == 2, maps == 3, many ? NDFT_PLANAR : (ndft_layout)layout);
                for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
                    const bool serves = asked(on_device(engines[i].name), &p, (ndft_op)op);
                    served += serves;
                    decayed += serves && maps == 2;
                    phased += serves && maps == 3;
                }
            }
    }
    coils = COILS;
    for (int side = 0; side < 2; side++) device_give(there[side]);
    printf("%d times an engine and an operation, %d with decay, %d with a phase\n", served, decayed,
           phased);
    assert_true(served >= 60 && decayed > 0 && phased > 0);
}

/* What an engine does not take it refuses, also where it is asked for by name. */
static void refuses(bool decays, bool phase, const char *words)
{
    static problem p;
    const ndft_plan_options o = {.struct_size = sizeof o, .variant = on_device("nufft_toeplitz")};
    ndft_problem *problem;
    ndft_plan *plan;
    if (!has_fft()) skip();
    make(&p, true, decays, phase, NDFT_PLANAR);
    must(ndft_problem_create(device, &p.desc, &problem));
    assert_int_equal(ndft_plan_create(problem, NDFT_NORMAL, &o, &plan), NDFT_EUNSUPPORTED);
    said(words);
    ndft_problem_destroy(problem);
}

static void no_decay_and_no_phase(void **state)
{
    (void)state;
    refuses(true, false, "it has no decay (R2*)");
    refuses(false, true, "it has no phase of higher order");
}

/* Beside a normal operator an engine has the tolerance of its parts, by which it chooses, here a
 * narrower window: what is said of forward is said of that. */
static void forward_beside_normal(void **state)
{
    (void)state;
    enum { FEW = 101 };
    static float k[FEW], t[FEW], nothing[1];
    const float complex one[1] = {1};
    static float complex found[FEW];
    const ndft_problem_desc desc = {.struct_size = sizeof desc,
                                    .dim = 1,
                                    .n = {1},
                                    .tol = 4.96e-5,
                                    .tol_kind = NDFT_TOL_ANY,
                                    .n_samples = FEW,
                                    .k = {k},
                                    .t = t,
                                    .field = nothing};
    const ndft_plan_options o = {
        .struct_size = sizeof o, .one_engine = true, .variant = on_device("nufft_scatter")};
    ndft_problem *problem;
    ndft_plan *plan;
    char text[2048];
    double worst = 0;
    if (!has_fft()) skip();
    for (int j = 0; j < FEW; j++) {
        k[j] = (float)(j % 7 - 3);
        t[j] = -1e-3f - 1e-5f * (float)j;
    }
    must(ndft_problem_create(device, &desc, &problem));
    must(ndft_plan_create(problem, NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL, &o, &plan));
    must(ndft_execute_host(plan, NDFT_FORWARD, one, found));
    for (int j = 0; j < FEW; j++) worst = fmax(worst, cabs((double complex)found[j] - 1));
    must(ndft_plan_describe(plan, text, sizeof text));
    assert_true(worst <= atof(strstr(text, "\"any\":") + 6));
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_engine),
                                       cmocka_unit_test(no_decay_and_no_phase),
                                       cmocka_unit_test(forward_beside_normal)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
