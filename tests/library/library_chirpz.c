/* SPDX-License-Identifier: Apache-2.0 */
#include "device_memory.h"

/* Chirp z-transforms against their sums. */

enum { MOST = 200, BATCH = 3, ALL = NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL };

static const ndft_chirpz_desc shapes[] = {
    {.n = 1},
    {.n = 97, .batch = 3},
    {.n = 60, .outputs = 200, .batch = 2},
    {.n = 200, .outputs = 60, .w = {.turns = -1e-3}, .a = {.turns = 0.25}}, /* an arc */
    {.n = 128, .outputs = 31, .w = {1, 0.3}, .a = {0.99, -1}},
    {.n = 100, .w = {0.999, -0.01}}, /* spirals inwards, outwards */
    {.n = 64, .outputs = 97, .batch = 2, .w = {0.998, -0.003}, .a = {0.95, 0.1}},
    {.n = 100, .outputs = 80, .w = {1.005, 0.123}, .a = {1.2, 1}},
    {.n = 16, .w = {0.9, -0.1}, .a = {0.06, 0}}, /* entries of 2e18 */
    {.n = 5, .outputs = 1, .w = {0.9, 0.3}, .a = {2, 0}},
    {.n = 1, .outputs = 5, .w = {3, -0.3}},
    {.n = 7, .outputs = 9, .w = {1, 0}}};

static double complex a[MOST][MOST], gram[MOST][MOST], in[MOST], right[MOST];
static double complex given[BATCH * MOST], made[BATCH * MOST], again[BATCH * MOST];

static double complex entry_of(const ndft_polar *w, const ndft_polar *start, int n, int k)
{
    const long double turns =
        fmodl((long double)(n * k) * w->turns, 1) - fmodl((long double)n * start->turns, 1);
    const long double angle = 2 * acosl(-1) * turns;
    const long double size = expl(n * (k * logl(w->modulus) - logl(start->modulus)));
    return (double)(size * cosl(angle)) + I * (double)(size * sinl(angle));
}

/* a[k][n], of what is usual where nothing is said. */
static void fill(const ndft_chirpz_desc *d, int inputs, int outputs)
{
    ndft_polar w = d->w, start = d->a;
    if (!w.modulus) w = (ndft_polar){1, w.turns != 0 ? w.turns : -1.0 / outputs};
    if (!start.modulus) start.modulus = 1;
    for (int k = 0; k < outputs; k++)
        for (int n = 0; n < inputs; n++) a[k][n] = entry_of(&w, &start, n, k);
    memset(gram, 0, sizeof gram);
    for (int n = 0; n < inputs; n++)
        for (int l = 0; l < inputs; l++)
            for (int k = 0; k < outputs; k++) gram[n][l] += conj(a[k][n]) * a[k][l];
}

static double complex element(ndft_op op, int row, int column)
{
    return op == NDFT_NORMAL    ? gram[row][column]
           : op == NDFT_FORWARD ? a[row][column]
                                : conj(a[column][row]);
}

/* Numbers at random between -1 and 1. */
static double white(void)
{
    static uint32_t state = 1;
    state = 1664525 * state + 1013904223;
    return (double)(int32_t)state / 0x1p31;
}

/* What the plan promises of an operation, by tol's kind. */
static double promise_of(const ndft_plan *plan, ndft_op op, ndft_tol_kind kind)
{
    static const char *const names[] = {[NDFT_FORWARD] = "\"op\":\"forward\"",
                                        [NDFT_ADJOINT] = "\"op\":\"adjoint\"",
                                        [NDFT_NORMAL] = "\"op\":\"normal\""};
    char text[4096];
    must(ndft_plan_describe(plan, text, sizeof text));
    const char *at = strstr(text, names[op]);
    at = at ? strstr(at, kind == NDFT_TOL_ANY ? "\"any\":" : "\"typical\":") : NULL;
    assert_non_null(at);
    return atof(strchr(at, ':') + 1);
}

/* In the caller's memory of the device, on its stream or the default one. */
static void execute_there(ndft_plan *plan, bool default_stream, ndft_op op, size_t in_bytes,
                          size_t out_bytes)
{
    void *from = device_take(in_bytes), *to = device_take(out_bytes);
    void *const stream = default_stream && !is_of_the_host() ? (void *)1 : NULL;
    device_copy(from, given, in_bytes);
    must(ndft_execute_on(plan, stream, op, from, to));
    must(ndft_device_sync(device));
    device_copy(again, to, out_bytes);
    device_give(from);
    device_give(to);
    assert_memory_equal(again, made, out_bytes);
}

/* What each of the batch errs by, within what is promised, and that is within tol. */
static void expect(const ndft_chirpz_desc *d, ndft_plan *plan, ndft_op op, int inputs, int outputs)
{
    const int batch = d->batch ? d->batch : 1, rows = op == NDFT_FORWARD ? outputs : inputs;
    const int columns = op == NDFT_ADJOINT ? outputs : inputs;
    const double promise = promise_of(plan, op, d->tol_kind);
    double largest = 0, squares = 0;
    assert_true(promise <= d->tol);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            const double size = cabs(element(op, r, c));
            squares += size * size / columns;
            largest = fmax(largest, size);
        }
    if (op == NDFT_NORMAL) /* by the largest entry of what it is made of */
        for (int k = 0; k < outputs; k++)
            for (int n = 0; n < inputs; n++)
                largest = fmax(largest, outputs * pow(cabs(a[k][n]), 2));
    for (int i = 0; i < batch * columns; i++) {
        const double complex value = white() + I * white();
        to_prec(d->prec, &value, 1, (char *)given + (size_t)i * 2 * ndft_real_size(d->prec));
    }
    must(ndft_execute_host(plan, op, given, made));
    execute_there(plan, columns % 2, op, (size_t)(batch * columns) * 2 * ndft_real_size(d->prec),
                  (size_t)(batch * rows) * 2 * ndft_real_size(d->prec));
    for (int b = 0; b < batch; b++) {
        double sum = 0, worst = 0;
        for (int c = 0; c < columns; c++) {
            in[c] = complex_at(given, d->prec, b * columns + c);
            sum += cabs(in[c]);
        }
        for (int r = 0; r < rows; r++) {
            long double complex exact = 0;
            for (int c = 0; c < columns; c++)
                exact += (long double complex)element(op, r, c) * in[c];
            right[r] = (double complex)(exact - complex_at(made, d->prec, b * rows + r));
            worst = fmax(worst, cabs(right[r]));
        }
        const double error =
            d->tol_kind == NDFT_TOL_ANY
                ? worst / largest / sum
                : complex_norm(right, rows) / sqrt(squares) / complex_norm(in, columns);
        if (!(error <= promise))
            fail_msg("%d of %d to %d, op %d: off by %g of %g", b, inputs, outputs, (int)op, error,
                     promise);
    }
}

static ndft_problem *problem_of(const ndft_chirpz_desc *d)
{
    ndft_problem *problem;
    must(ndft_chirpz_create(device, d, &problem));
    return problem;
}

/* By an engine, or the library's choice; how many were served. */
static int run(const ndft_chirpz_desc *d, const char *variant)
{
    const ndft_plan_options o = {.struct_size = sizeof o, .variant = variant};
    ndft_problem *problem = problem_of(d);
    ndft_plan *plan;
    int64_t inputs, outputs;
    ndft_problem_lengths(problem, &inputs, &outputs);
    const ndft_status status = ndft_plan_create(problem, ALL, &o, &plan);
    ndft_problem_destroy(problem);
    if (status != NDFT_OK) {
        assert_int_equal(status, NDFT_EUNSUPPORTED);
        assert_non_null(variant);
        return 0;
    }
    fill(d, (int)inputs, (int)outputs);
    for (int op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1)
        expect(d, plan, (ndft_op)op, (int)inputs, (int)outputs);
    ndft_plan_destroy(plan);
    return 1;
}

static void sums_of_every_shape(void **state)
{
    static const char *const engines[] = {"chirpz_naive", "chirpz_bluestein",
                                          "chirpz_bluestein.%s:chirp_fft=execute",
                                          "chirpz_bluestein.%s:deterministic=1"};
    int served[4] = {0}, tried = 0;
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int prec = NDFT_F32; prec <= NDFT_F64; prec++)
            for (int kind = NDFT_TOL_TYPICAL; kind <= NDFT_TOL_ANY; kind++, tried++) {
                ndft_chirpz_desc d = shapes[i];
                d.struct_size = sizeof d;
                d.prec = (ndft_prec)prec;
                d.tol = prec == NDFT_F32 ? 1e-3 : 1e-9;
                d.tol_kind = (ndft_tol_kind)kind;
                assert_int_equal(run(&d, NULL), 1);
                for (int e = 0; e < 4; e++) {
                    char id[96];
                    if (e < 2)
                        snprintf(id, sizeof id, "%s", on_device(engines[e]));
                    else
                        snprintf(id, sizeof id, engines[e], strchr(on_device(""), '.') + 1);
                    served[e] += run(&d, id);
                }
            }
    printf("of %d: naive %d, bluestein %d, its chirp in every execution %d, deterministic %d\n",
           tried, served[0], served[1], served[2], served[3]);
    assert_int_equal(served[0], tried);
    if (has_fft())
        for (int e = 1; e < 3; e++) assert_true(served[e] > tried * 3 / 4);
}

static ndft_plan *plan_for(const ndft_chirpz_desc *d, const ndft_plan_options *o)
{
    ndft_problem *problem = problem_of(d);
    ndft_plan *plan;
    must(ndft_plan_create(problem, ALL, o, &plan));
    ndft_problem_destroy(problem);
    return plan;
}

/* Beside each other: a clone, and a plan in memory of the caller's, do as the plan. */
static void beside(const char *variant, int vectors)
{
    const ndft_chirpz_desc d = {.struct_size = sizeof d, .n = 97, .prec = NDFT_F64};
    const size_t bytes = 97 * sizeof *made;
    const ndft_plan_options o = {.struct_size = sizeof o, .variant = variant};
    ndft_plan *plan = plan_for(&d, &o), *clone;
    size_t size = 0;
    for (int i = 0; i < 97; i++) given[i] = white();
    must(ndft_execute_host(plan, NDFT_NORMAL, given, made));
    must(ndft_plan_clone(plan, &clone));
    must(ndft_plan_workspace(plan, &size));
    assert_true(size >= (size_t)vectors * bytes);
    void *memory = device_take(size);
    must(ndft_plan_use(plan, memory, size));
    must(ndft_execute_host(plan, NDFT_NORMAL, given, again));
    assert_memory_equal(again, made, bytes);
    ndft_plan_destroy(plan);
    device_give(memory);
    must(ndft_execute_host(clone, NDFT_NORMAL, given, again));
    assert_memory_equal(again, made, bytes);
    ndft_plan_destroy(clone);
}

static void clones_and_workspaces(void **state)
{
    (void)state;
    beside(on_device("chirpz_naive"), 1);
    if (has_fft())
        beside(on_device("chirpz_bluestein"), 4); /* input, cells of 2, outputs between */
}

/* Whether a plan of the same bits from execution to execution says so of its engine. */
static bool says(const ndft_chirpz_desc *d, ndft_plan_mode mode, const char *words)
{
    const ndft_plan_options o = {
        .struct_size = sizeof o, .mode = mode, .time_limit_s = 0.1, .deterministic = true};
    char text[4096];
    ndft_plan *plan = plan_for(d, &o);
    must(ndft_plan_describe(plan, text, sizeof text));
    ndft_plan_destroy(plan);
    assert_non_null(strstr(text, "\"deterministic\":true"));
    return strstr(text, words);
}

/* By estimate fast, or the fastest as measured, which plans of another W of the same modulus know.
 */
static void choices(void **state)
{
    (void)state;
    ndft_chirpz_desc d = {.struct_size = sizeof d, .n = 4000, .prec = NDFT_F64};
    assert_true(!has_fft() || says(&d, NDFT_ESTIMATE, "chirpz_bluestein"));
    d = (ndft_chirpz_desc){.struct_size = sizeof d, .n = 50, .outputs = 20, .w = {1, 0.1}};
    assert_true(says(&d, NDFT_MEASURE, "\"fastest as measured\""));
    d.w.turns = 0.2;
    assert_true(says(&d, NDFT_ESTIMATE, "\"fastest as measured before\""));
    d.w.modulus = 0.99;
    assert_true(says(&d, NDFT_ESTIMATE, "\"fastest by estimate\""));
    ndft_wisdom_forget();
}

/* Where one of a batch is not finite, the others stay what they are. */
static void numbers_that_are_not_finite(void **state)
{
    (void)state;
    enum { N = 12 };
    static float complex x[2][N], y[2][N];
    const ndft_chirpz_desc d = {.struct_size = sizeof d, .n = N, .batch = 2};
    x[0][3] = NAN;
    x[1][0] = 1;
    ndft_plan *plan = plan_for(&d, NULL);
    for (unsigned op = NDFT_FORWARD; op <= NDFT_ADJOINT; op <<= 1) {
        must(ndft_execute_host(plan, (ndft_op)op, x, y));
        for (int i = 0; i < N; i++) {
            assert_false(isfinite(crealf(y[0][i])) && isfinite(cimagf(y[0][i])));
            assert_true(cabsf(y[1][i] - 1) < 1e-3);
        }
    }
    ndft_plan_destroy(plan);
}

static void wrong(ndft_chirpz_desc d, const char *words)
{
    ndft_problem *problem = (ndft_problem *)&d;
    assert_int_equal(ndft_chirpz_create(device, &d, &problem), NDFT_EINVAL);
    assert_null(problem);
    said(words);
}

static void unplanned(const ndft_chirpz_desc *d, const ndft_plan_options *o, ndft_status status,
                      const char *words)
{
    ndft_problem *problem = problem_of(d);
    ndft_plan *plan = (ndft_plan *)problem;
    assert_int_equal(ndft_plan_create(problem, ALL, o, &plan), status);
    assert_null(plan);
    said(words);
    ndft_problem_destroy(problem);
}

static void what_is_refused(void **state)
{
    (void)state;
    const ndft_chirpz_desc d = {.struct_size = sizeof d, .n = 100};
    ndft_chirpz_desc other = d;
    other.n = 0, wrong(other, "n=0; 1 to 67108864");
    other = d, other.n = 1 << 27, wrong(other, "n=134217728; 1 to 67108864");
    other = d, other.outputs = -1, wrong(other, "outputs=-1; 1 to 67108864");
    other = d, other.batch = 257, wrong(other, "batch=257; 1 to 256");
    other = d, other.w = (ndft_polar){1e7, 0}, wrong(other, "w.modulus=10000000; 1e-06 to 1e+06");
    other = d, other.w = (ndft_polar){1e-7, 0}, wrong(other, "w.modulus=1e-07");
    other = d, other.a.turns = 1.5, wrong(other, "a.turns=1.5; -1 to 1");
    other = d, other.w = (ndft_polar){1.1, 0.01};
    wrong(other, "w.modulus=1.1: an entry A^-n W^(n k) reaches 1e406, and f32 takes 1e19; a "
                 "modulus of at most 1.00");
    other = d, other.prec = NDFT_F64, other.a = (ndft_polar){1e-4, 0};
    wrong(other, "a.modulus=0.0001: an entry A^-n W^(n k) reaches 1e396, and f64 takes 1e154; a "
                 "modulus of at least 0.02");
    other = d, other.tol = 1e-8;
    unplanned(&other, NULL, NDFT_EUNSUPPORTED, "is above tol=1e-08");
    other = d, other.n = 500, other.w = (ndft_polar){0.999, -0.002};
    const ndft_plan_options named = {.struct_size = sizeof named,
                                     .variant = on_device("chirpz_bluestein")};
    unplanned(&other, &named, NDFT_EUNSUPPORTED, "the dynamic range of its chirps");
    ndft_plan *plan = plan_for(&d, NULL);
    assert_int_equal(ndft_plan_set_field(plan, &other), NDFT_EINVAL);
    said("the plan is of a chirp z-transform");
    ndft_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_every_shape),
        cmocka_unit_test(clones_and_workspaces),
        cmocka_unit_test(choices),
        cmocka_unit_test(numbers_that_are_not_finite),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
