/* SPDX-License-Identifier: Apache-2.0 */
#include "device_memory.h"

/* Uniform transforms: every domain, batches, strides, in place, against sums in double. */

enum { ROOM = 4096 };

/* Element e of a tensor, by its modes. */
static int64_t place_of(const ndft_tensor *t, const int64_t index[NDFT_MODES])
{
    int64_t place = 0;
    for (int i = 0; i < NDFT_MODES; i++) place += index[i] * t->stride[i];
    return place;
}

static bool next(const int64_t shape[NDFT_MODES], int64_t index[NDFT_MODES])
{
    for (int i = 0; i < NDFT_MODES; i++) {
        if (++index[i] < shape[i]) return true;
        index[i] = 0;
    }
    return false;
}

static double complex read_at(const ndft_tensor *t, const void *data, ndft_prec prec,
                              const int64_t index[NDFT_MODES])
{
    const int64_t place = place_of(t, index);
    if (t->real) return ndft_real_at(data, prec, place);
    return ndft_real_at(data, prec, 2 * place) + I * ndft_real_at(data, prec, 2 * place + 1);
}

/* The input at these modes; of half a spectrum, the other half is mirrored. */
static double complex input_at(const ndft_transform *t, const void *in,
                               const int64_t index[NDFT_MODES])
{
    int64_t other[NDFT_MODES];
    memcpy(other, index, sizeof other);
    if (t->domain != NDFT_C2R || index[1] <= t->shape[1] / 2)
        return read_at(&t->in, in, t->prec, index);
    for (int i = 1; i <= 3; i++) other[i] = (t->shape[i] - index[i]) % t->shape[i];
    return conj(read_at(&t->in, in, t->prec, other));
}

static double complex sum_at(const ndft_transform *t, const void *in, const int64_t out[NDFT_MODES])
{
    const double pi = 3.14159265358979323846;
    int64_t from[NDFT_MODES] = {0};
    double complex sum = 0;
    do {
        double turns = 0;
        if (from[0] != out[0] || from[NDFT_MODE_K] != out[NDFT_MODE_K]) continue;
        for (int i = 1; i <= 3; i++)
            turns += (double)(from[i] * out[i] % t->shape[i]) / (double)t->shape[i];
        sum += input_at(t, in, from) * cexp(I * t->sign * 2 * pi * turns);
    } while (next(t->shape, from));
    return sum;
}

/* Where half a spectrum is its own mirror image it is that of a real signal. */
static void make_real_signal(const ndft_transform *t, void *in)
{
    int64_t index[NDFT_MODES] = {0}, other[NDFT_MODES];
    do {
        if (index[1] && 2 * index[1] != t->shape[1]) continue;
        memcpy(other, index, sizeof other);
        for (int i = 2; i <= 3; i++) other[i] = (t->shape[i] - index[i]) % t->shape[i];
        const int64_t a = place_of(&t->in, index), b = place_of(&t->in, other);
        const double im = a == b ? 0 : ndft_real_at(in, t->prec, 2 * a + 1);
        ndft_put_real(in, t->prec, 2 * b, ndft_real_at(in, t->prec, 2 * a));
        ndft_put_real(in, t->prec, 2 * a + 1, im);
        if (a != b) ndft_put_real(in, t->prec, 2 * b + 1, -im);
    } while (next(t->in.shape, index));
}

/* Of arrays that lie so many bytes past an alignment. */
static void right_past(const char *descriptor, double scale, size_t past)
{
    const ndft_transform_options o = {.struct_size = sizeof o, .scale = scale};

    static double whole[3][2 * ROOM + 2]; /* what is given, what is overwritten, its copy */
    enum { BYTES = 2 * ROOM * sizeof(double) };
    void *memory[3];
    for (int i = 0; i < 3; i++) memory[i] = (char *)whole[i] + past;
    ndft_transform t;
    ndft_problem *problem;
    ndft_plan *plan;
    int64_t in_room, out_room, index[NDFT_MODES] = {0};
    double worst = 0, largest = 0;
    must(ndft_transform_parse(descriptor, &t));
    must(ndft_transform_create(device, &t, &o, &problem));
    ndft_problem_lengths(problem, &in_room, &out_room);
    assert_true(in_room <= ROOM && out_room <= ROOM);
    for (int64_t i = 0; i < 2 * ROOM; i++)
        ndft_put_real(memory[0], t.prec, i, creal(mixed((int)i)));
    if (t.domain == NDFT_C2R) make_real_signal(&t, memory[0]);
    memcpy(memory[1], memory[0], BYTES);
    must(ndft_plan_create(problem, NDFT_FORWARD, NULL, &plan));
    memcpy(memory[2], memory[0], BYTES);
    must(ndft_execute_host(plan, NDFT_FORWARD, t.in_place ? memory[1] : memory[0], memory[1]));
    assert_memory_equal(memory[0], memory[2], BYTES);
    do {
        const double complex wanted = (scale != 0 ? scale : 1) * sum_at(&t, memory[0], index);
        worst = fmax(worst, cabs(read_at(&t.out, memory[1], t.prec, index) - wanted));
        largest = fmax(largest, cabs(wanted));
    } while (next(t.out.shape, index));
    if (!(worst < (t.prec == NDFT_F64 ? 1e-8 : 1e-3) * largest))
        fail_msg("%s: error %g of %g", descriptor, worst, largest);
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
}

static void right(const char *descriptor, double scale) { right_past(descriptor, scale, 0); }

static void every_domain(void **state)
{
    static const char *const descriptors[] = {
        "scfo13",    "dcbo2.12*3", "scfi7*4",         "srfo15*2",      "drbo10x6",  "drfo9x4x3*2",
        "scbo5x4x3", "srbi8x6*2",  "dcfo16*5i1,2,40", "scfo17o1,3,60", "scfo101*3", "dcbi6x5"};
    (void)state;
    for (size_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++) {
        right(descriptors[i], 0);
        right(descriptors[i], -1.0 / 7);
    }
}

/* As a view of somebody else's array lies. */
static void arrays_of_any_alignment(void **state)
{
    static const char *const descriptors[] = {"scfo64",   "dcfo96*3",   "scfo16x16", "drfo64*5",
                                              "srbo64*2", "dcfo16x8x4", "scfo61*7"};
    (void)state;
    for (size_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++)
        right_past(descriptors[i], 0, sizeof(double));
}

/* On the device, each side a number past an alignment of 256 bytes, as when it has that. */
static void past_on_the_device(const char *descriptor, const char *variant)
{
    enum { FLOATS = 2 * ROOM };
    static float in[FLOATS], out[2][FLOATS];
    const ndft_plan_options o = {.struct_size = sizeof o, .variant = variant};
    char *there[] = {device_take(sizeof in + 16), device_take(sizeof in + 16)};
    ndft_transform t;
    ndft_problem *problem;
    ndft_plan *plan;
    must(ndft_transform_parse(descriptor, &t));
    must(ndft_transform_create(device, &t, NULL, &problem));
    for (int i = 0; i < FLOATS; i++) in[i] = (float)creal(mixed(i));
    assert_true(there[0] && there[1]);
    if (ndft_plan_create(problem, NDFT_FORWARD, &o, &plan) == NDFT_OK) {
        for (int past = 0; past < 2; past++) {
            char *from = there[0] + past * (t.in.real ? 4 : 8);
            char *to = there[1] + past * (t.out.real ? 4 : 8);
            memset(out[past], 0, sizeof out[past]);
            device_copy(from, in, sizeof in);
            device_copy(to, out[past], sizeof in);
            must(ndft_execute(plan, NDFT_FORWARD, from, to));
            must(ndft_device_sync(device));
            device_copy(out[past], to, sizeof in);
        }
        if (memcmp(out[0], out[1], sizeof in)) fail_msg("%s: %s", descriptor, variant);
        ndft_plan_destroy(plan);
    }
    ndft_problem_destroy(problem);
    device_give(there[0]);
    device_give(there[1]);
}

static void arrays_on_the_device_of_any_alignment(void **state)
{
    static const char *const descriptors[] = {"scfo12*37", "scfo30*64", "scfo21*63",  "scfo84*24",
                                              "srfo60*33", "srbo60*33", "srfo24*100", "srbo24*100"};
    (void)state;
    for (size_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++)
        past_on_the_device(descriptors[i], on_device("stockham"));
}

/* Between the elements of an output there is somebody else's, and remains so. */
static void outputs_between_each_other(void **state)
{
    (void)state;
    enum { N = 4 };
    float in[2][2 * N], out[4 * N];
    ndft_transform t;
    ndft_problem *problem;
    ndft_plan *plans[2];
    for (int i = 0; i < 4 * N; i++) out[i] = 7;
    must(ndft_transform_parse("scfo4i1,1,4o1,2,8", &t));
    must(ndft_transform_create(device, &t, NULL, &problem));
    for (int p = 0; p < 2; p++) {
        for (int i = 0; i < 2 * N; i++) in[p][i] = i == 0 ? (float)(p + 1) : 0;
        must(ndft_plan_create(problem, NDFT_FORWARD, NULL, &plans[p]));
    }
    for (int p = 0; p < 2; p++)
        must(ndft_execute_host_begin(plans[p], NDFT_FORWARD, in[p], out + 2 * p));
    for (int p = 0; p < 2; p++) must(ndft_execute_host_end(plans[p]));
    for (int i = 0; i < 2 * N; i++) {
        assert_float_equal(out[2 * i], (i % 2 + 1), 1e-3);
        assert_float_equal(out[2 * i + 1], 0, 1e-3);
    }
    for (int p = 0; p < 2; p++) ndft_plan_destroy(plans[p]);
    ndft_problem_destroy(problem);
}

/* What is promised with a scale is within tol, or the engine is not taken. */
static void scale_has_its_part_of_tol(void **state)
{
    (void)state;
    ndft_transform t;
    ndft_problem *problem;
    ndft_plan *plan;
    char text[512];
    int taken = 0;
    ndft_plan_options named = {.struct_size = sizeof named, .variant = on_device("uniform_naive")};
    must(ndft_transform_parse("scfo16", &t));
    for (double tol = 1e-7; tol < 1e-5; tol *= 1.05) {
        const ndft_transform_options o = {.struct_size = sizeof o, .tol = tol, .scale = 0.25};
        must(ndft_transform_create(device, &t, &o, &problem));
        if (ndft_plan_create(problem, NDFT_FORWARD, &named, &plan) == NDFT_OK) {
            must(ndft_plan_describe(plan, text, sizeof text));
            assert_true(atof(strstr(text, "\"typical\":") + 10) <= 1.001 * tol);
            taken++;
        }
        ndft_plan_destroy(plan);
        ndft_problem_destroy(problem);
    }
    assert_true(taken > 0);
}

static struct {
    ndft_plan *plan;
    float in[16], out[2][16];
    int asked;
} within;

/* Executes the plan that it is executed by. */
static ndft_value load_by_itself(ndft_slot from, const int64_t *index, const void *data)
{
    (void)index, (void)data;
    if (!within.asked++) {
        assert_int_equal(ndft_execute(within.plan, NDFT_FORWARD, within.in, within.out[1]),
                         NDFT_EINVAL);
        said("another call executes the plan; ndft_plan_clone makes one for each");
    }
    return ndft_read(from);
}

static void calls_of_one_plan_at_once(void **state)
{
    (void)state;
    static const ndft_callback load = {.name = "load_by_itself", .load = load_by_itself};
    const ndft_device_options alone = {.struct_size = sizeof alone, .threads = 1};
    ndft_transform t;
    ndft_device *cpu;
    ndft_problem *problem;
    must(ndft_device_open("cpu", &alone, &cpu));
    must(ndft_transform_parse("scfo8", &t));
    t.load = &load;
    must(ndft_transform_create(cpu, &t, NULL, &problem));
    must(ndft_plan_create(problem, NDFT_FORWARD, NULL, &within.plan));
    must(ndft_execute(within.plan, NDFT_FORWARD, within.in, within.out[0]));
    assert_true(within.asked > 1);
    must(ndft_execute(within.plan, NDFT_FORWARD, within.in, within.out[0]));
    ndft_plan_destroy(within.plan);
    ndft_problem_destroy(problem);
    ndft_device_close(cpu);
}

static void bad_transforms(void **state)
{
    (void)state;
    ndft_transform t;
    ndft_problem *problem;
    ndft_plan *plan;
    ndft_transform_options o = {.struct_size = sizeof o};
    static const ndft_callback store;
    static float in[64], out[64];
    assert_int_equal(ndft_transform_parse("scfx8", &t), NDFT_EINVAL);
    said("character 4: expected the placement");
    assert_int_equal(ndft_transform_parse(NULL, &t), NDFT_EINVAL);
#define REFUSED(change, status, words)                                                             \
    must(ndft_transform_parse("scfo8*2", &t));                                                     \
    change;                                                                                        \
    assert_int_equal(ndft_transform_create(device, &t, &o, &problem), status);                     \
    assert_null(problem);                                                                          \
    said(words)
    REFUSED(t.dim = 0, NDFT_EINVAL, "dim=0; 1 to 3");
    REFUSED(t.sign = 0, NDFT_EINVAL, "sign=0");
    REFUSED(t.shape[1] = -1, NDFT_EINVAL, "shape[1]=-1");
    REFUSED(t.shape[2] = INT64_MAX, NDFT_EINVAL, "shape[2]=9223372036854775807");
    REFUSED(t.shape[1] = 9, NDFT_EINVAL, "elements overlap");
    REFUSED(t.in.shape[1] = 9, NDFT_EINVAL, "do not agree; nearest: scfo8*2");
    REFUSED(t.out.real = true, NDFT_EINVAL, "do not agree; nearest: scfo8*2");
    REFUSED(t.domain = NDFT_C2R, NDFT_EINVAL, "do not agree");
    REFUSED(t.in.stride[4] = 3, NDFT_EINVAL, "elements overlap");
    REFUSED(t.in_place = true; t.in.stride[4] = 9, NDFT_EINVAL, "same size; nearest: scfi8*2");
    REFUSED(o.scale = INFINITY, NDFT_EINVAL, "scale=inf");
    REFUSED(o.scale = 1e-46, NDFT_EINVAL, "scale=1e-46; 0, which is 1, or of 1.17549e-38");
    REFUSED(t.store = &store;
            o.scale = 0.5, NDFT_EUNSUPPORTED, "scale=0.5 beside a store function");
    o.scale = 1;
    REFUSED(o.tol = 2, NDFT_EINVAL, "tol=2");
    o.tol = 1e-5;
#undef REFUSED
    must(ndft_transform_parse("scfi8", &t));
    must(ndft_transform_create(device, &t, &o, &problem));
    assert_int_equal(ndft_plan_create(problem, NDFT_ADJOINT, NULL, &plan), NDFT_EINVAL);
    said("the one operation NDFT_FORWARD");
    const ndft_plan_options named = {.struct_size = sizeof named, .variant = on_device("tiled")};
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, &named, &plan), NDFT_EUNSUPPORTED);
    said("does not serve problems of this kind");
    must(ndft_plan_create(problem, NDFT_FORWARD, NULL, &plan));
    assert_int_equal(ndft_execute_host(plan, NDFT_FORWARD, in, out), NDFT_EINVAL);
    said("the transform is in place");
    must(ndft_execute_host(plan, NDFT_FORWARD, in, in));
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_domain),
        cmocka_unit_test(arrays_of_any_alignment),
        cmocka_unit_test(arrays_on_the_device_of_any_alignment),
        cmocka_unit_test(outputs_between_each_other),
        cmocka_unit_test(scale_has_its_part_of_tol),
        cmocka_unit_test(calls_of_one_plan_at_once),
        cmocka_unit_test(bad_transforms),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
