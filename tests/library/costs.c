/* SPDX-License-Identifier: Apache-2.0 */
#include "base/now.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What the library itself takes of the host, each as a line of JSON with what it may take: making a
 * problem, a plan without and with a field map, new values in a live plan, and an execution beside
 * the engine's own launches. 256² voxels, 256 radial spokes of 256 samples, a readout of 3 ms over
 * a map of up to 200 Hz, which takes 6 terms or 7. NDFT_TEST_DEVICE: cpu, or cuda:N; the argument
 * leaves out all costs but one, for profilers, which repeats it so often. Exit status 1: one is
 * missed, 77: no such device.
 */

enum { N = 256, SPOKES = 256, M = SPOKES * N, LITTLE = 16, ROUNDS = 9, CALLS = 64, SKIPPED = 77 };

typedef struct bench {
    ndft_device *device;
    const char *name;
    const char *only; /* NULL: all */
    int rounds, missed;
    ndft_problem_desc desc, moved;

    ndft_plan *plan, *bare; /* with and without a field map */
    float *field[2];
} bench;

static void must(ndft_status status)
{
    if (status == NDFT_OK) return;
    fprintf(stderr, "%s\n", ndft_message());
    exit(2);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void say(bench *b, const char *what, double seconds, double most)
{
    const bool met = seconds <= most;
    b->missed += !met;
    printf("{\"type\":\"library\",\"device\":\"%s\",\"cost\":\"%s\",\"seconds\":%.4g,\"most\":%.4g,"
           "\"met\":%s}\n",
           b->name, what, seconds, most, met ? "true" : "false");
    fflush(stdout);
}

/* The median of some rounds, after one for what is loaded by need. */
static void cost(bench *b, const char *what, double most, void (*round)(bench *, int))
{
    double *seconds = malloc((size_t)b->rounds * sizeof *seconds);
    if (b->only && strcmp(b->only, what) != 0) return;
    round(b, 1);
    for (int i = 0; i < b->rounds; i++) {
        must(ndft_device_sync(b->device));
        const double begin = ndft_now_s();
        round(b, i);
        seconds[i] = ndft_now_s() - begin;
    }
    qsort(seconds, (size_t)b->rounds, sizeof *seconds, by_value);
    say(b, what, seconds[b->rounds / 2], most);
    free(seconds);
}

static void create_problem(bench *b, int i)
{
    ndft_problem *problem;
    (void)i;
    must(ndft_problem_create(b->device, &b->desc, &problem));
    ndft_problem_destroy(problem);
}

/* Of a problem that nothing was asked about yet; its making is not counted. */
static double plan_s(bench *b, bool mapped)
{
    ndft_problem *problem;
    ndft_plan *plan;
    ndft_problem_desc desc = b->desc;
    if (!mapped) desc.field = NULL;
    must(ndft_problem_create(b->device, &desc, &problem));
    const double begin = ndft_now_s();
    must(ndft_plan_create(problem, NDFT_FORWARD | NDFT_ADJOINT, NULL, &plan));
    const double seconds = ndft_now_s() - begin;
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
    return seconds;
}

static void plan_cost(bench *b, const char *what, double most, bool mapped)
{
    double *seconds = malloc((size_t)b->rounds * sizeof *seconds);
    if (b->only && strcmp(b->only, what) != 0) return;
    (void)plan_s(b, mapped);
    for (int i = 0; i < b->rounds; i++) seconds[i] = plan_s(b, mapped);
    qsort(seconds, (size_t)b->rounds, sizeof *seconds, by_value);
    say(b, what, seconds[b->rounds / 2], most);
    free(seconds);
}

static void move(const bench *b, ndft_plan *plan, int i)
{
    const ndft_problem_desc *d = i % 2 ? &b->moved : &b->desc;
    must(ndft_plan_set_samples(plan, M, d->k, d->t));
}

static void set_samples(bench *b, int i) { move(b, b->bare, i); }

static void set_samples_with_field(bench *b, int i) { move(b, b->plan, i); }

static void set_field(bench *b, int i) { must(ndft_plan_set_field(b->plan, b->field[i % 2])); }

/* Host seconds of a call, of so many that are queued in a row. */
static double call_s(bench *b, const ndft_prepared *engine, ndft_plan *plan, void *in, void *out)
{
    must(ndft_device_sync(b->device));
    const double begin = ndft_now_s();
    for (int i = 0; i < CALLS; i++)
        must(engine ? ndft_prepared_execute(engine, NDFT_FORWARD, in, out)
                    : ndft_execute(plan, NDFT_FORWARD, in, out));
    return (ndft_now_s() - begin) / CALLS;
}

/* On a problem so small that the engine's part is short; the least of many rounds of either. */
static void execute_cost(bench *b, ndft_exec *exec)
{
    enum { MANY = 200 };
    static float k[2][LITTLE];
    void *in, *out;
    double engine = INFINITY, whole = INFINITY;
    ndft_problem_desc desc = {.struct_size = sizeof desc,
                              .dim = 2,
                              .n = {LITTLE, LITTLE},
                              .n_samples = LITTLE,
                              .k = {k[0], k[1]}};
    ndft_problem *problem;
    ndft_plan *plan;
    if (b->only && strcmp(b->only, "execute") != 0) return;
    must(ndft_problem_create(b->device, &desc, &problem));
    must(ndft_plan_create(problem, NDFT_FORWARD, NULL, &plan));
    must(exec->alloc(exec, "input", LITTLE * LITTLE * 2 * sizeof(float), &in));
    must(exec->alloc(exec, "output", LITTLE * 2 * sizeof(float), &out));
    for (int i = 0; i < MANY; i++) {
        whole = fmin(whole, call_s(b, NULL, plan, in, out));
        engine = fmin(engine, call_s(b, ndft_plan_engine(plan), plan, in, out));
    }
    say(b, "execute", whole - engine, 0.5e-6);
    exec->release(exec, in);
    exec->release(exec, out);
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
}

/* Smooth, and of full strength somewhere. */
static void make_field(float *field, double turn)
{
    for (int v = 0; v < N * N; v++) {
        const double x = (double)(v % N) / N - 0.5, y = (double)(v / N) / N - 0.5;
        field[v] = (float)(2 * M_PI * 200 *
                           (exp(-8 * (x - 0.2) * (x - 0.2) - 12 * y * y) -
                            exp(-10 * (x + 0.3) * (x + 0.3) - 9 * (y - turn) * (y - turn))));
    }
}

static void make(bench *b)
{
    static float k[2][2][M], t[M], field[2][N * N];
    for (int moved = 0; moved < 2; moved++)
        for (int j = 0; j < M; j++) {
            const double angle = M_PI * (j / N + 0.5 * moved) / SPOKES, r = j % N - N / 2;
            k[moved][0][j] = (float)(r * cos(angle));
            k[moved][1][j] = (float)(r * sin(angle));
            t[j] = (float)(3e-3 * (j % N) / N);
        }
    for (int i = 0; i < 2; i++) make_field(b->field[i] = field[i], 0.2 - 0.4 * i);
    b->desc = (ndft_problem_desc){.struct_size = sizeof b->desc,
                                  .dim = 2,
                                  .n = {N, N},
                                  .n_samples = M,
                                  .k = {k[0][0], k[0][1]},
                                  .t = t,
                                  .field = field[0]};
    b->moved = b->desc;
    b->moved.k[0] = k[1][0];
    b->moved.k[1] = k[1][1];
}

/* Both ways, with memory for new values, by engines that it says. */
static ndft_plan *plan_of(const bench *b, bool mapped)
{
    ndft_problem *problem;
    ndft_plan *plan;
    ndft_problem_desc desc = b->desc;
    char text[2048];
    if (!mapped) desc.field = NULL;
    must(ndft_problem_create(b->device, &desc, &problem));
    must(ndft_plan_create(
        problem, NDFT_FORWARD | NDFT_ADJOINT,
        &(ndft_plan_options){.struct_size = sizeof(ndft_plan_options), .capacity = problem},
        &plan));
    must(ndft_plan_describe(plan, text, sizeof text));
    fprintf(stderr, "%s\n", text);
    ndft_problem_destroy(problem);
    return plan;
}

int main(int argc, char **argv)
{
    const char *name = getenv("NDFT_TEST_DEVICE");
    bench b = {.name = name ? name : "cpu", .only = argc > 1 ? argv[1] : NULL, .rounds = ROUNDS};
    if (argc > 2) b.rounds = atoi(argv[2]) | 1;
    ndft_exec *exec;
    ndft_error err;
    if (ndft_device_open(b.name, NULL, &b.device) != NDFT_OK) {
        printf("skipped: %s\n", ndft_message());
        return SKIPPED;
    }
    make(&b);
    cost(&b, "problem_create", 2e-3, create_problem);
    plan_cost(&b, "plan", 3e-3, false);
    plan_cost(&b, "plan_with_field", 6e-3, true);
    b.plan = plan_of(&b, true);
    b.bare = plan_of(&b, false);
    cost(&b, "set_samples", 0.6e-3, set_samples);
    cost(&b, "set_samples_with_field", 0.6e-3, set_samples_with_field);
    cost(&b, "set_field", 1e-3, set_field);
    const ndft_backend *backend = ndft_backend_find(strncmp(b.name, "cuda", 4) ? "cpu" : "cuda");
    must(backend->open(0, &exec, &err));
    execute_cost(&b, exec);
    backend->close(exec);
    ndft_plan_destroy(b.plan);
    ndft_plan_destroy(b.bare);
    ndft_device_close(b.device);
    return b.missed ? 1 : 0;
}
