/* SPDX-License-Identifier: Apache-2.0 */
#include "grouped.h"

/* Frames that are dealt over the devices of a group are the plain plans of one. */

enum { FRAMES = 5, VECTORS = 2, LONGEST = FRAMES * VECTORS * COILS * GRID };

typedef struct series {
    small s[FRAMES];
    ndft_problem *problem[FRAMES]; /* of the second and third it is one */
} series;

static void series_make(series *all)
{
    for (int f = 0; f < FRAMES; f++) {
        small_make(&all->s[f], f == 2 ? 1 : f);
        if (f == 4) all->s[f].desc.n_samples = 33; /* frames may be shorter */
        if (f == 2)
            all->problem[f] = all->problem[1];
        else
            must(ndft_problem_create(device, &all->s[f].desc, &all->problem[f]));
    }
}

static void series_free(series *all)
{
    for (int f = 0; f < FRAMES; f++)
        if (f != 2) ndft_problem_destroy(all->problem[f]);
}

static int64_t frame_length(const series *all, int f, ndft_op op, bool in)
{
    const small *s = &all->s[f];
    return op == (in ? NDFT_ADJOINT : NDFT_FORWARD) ? COILS * s->desc.n_samples : COILS * s->voxels;
}

static int64_t series_length(const series *all, ndft_op op, bool in)
{
    int64_t length = 0;
    for (int f = 0; f < FRAMES; f++) length += VECTORS * frame_length(all, f, op, in);
    return length;
}

static ndft_group_frames *frames_of(const series *all, int devices, int parts)
{
    const ndft_plan_options fixed = {.struct_size = sizeof fixed, .deterministic = true};
    ndft_group *group;
    ndft_group_frames *frames;
    must(try_group(devices, parts, NULL, &group));
    must(ndft_group_frames_create(group, FRAMES, (const ndft_problem *const *)all->problem,
                                  NORMAL_TOO, parts ? NULL : &fixed, &frames));
    ndft_group_destroy(group);
    return frames;
}

/* In host memory, and in memory of the first device. */
static void execute_frames(const series *all, ndft_group_frames *frames, ndft_op op,
                           const double complex *in, double complex *out)
{
    static double complex other[LONGEST];
    const size_t bytes_in = (size_t)series_length(all, op, true) * sizeof *in;
    const size_t bytes_out = (size_t)series_length(all, op, false) * sizeof *out;
    void *from = device_take(bytes_in), *to = device_take(bytes_out);
    device_copy(from, in, bytes_in);
    memset(out, 0xff, bytes_out);
    must(ndft_group_frames_execute_host(frames, op, VECTORS, in, out));
    must(ndft_group_frames_execute(frames, op, VECTORS, from, to));
    device_copy(other, to, bytes_out);
    assert_memory_equal(out, other, bytes_out);
    device_give(from);
    device_give(to);
}

static void expect_plain_frames(const series *all, ndft_op op, const double complex *in,
                                const double complex *out)
{
    static double complex right[COILS * GRID];
    const ndft_plan_options fixed = {.struct_size = sizeof fixed, .deterministic = true};
    for (int f = 0; f < FRAMES; f++) {
        const int64_t n = frame_length(all, f, op, false);
        ndft_plan *plain = plan_of(&all->s[f], NORMAL_TOO, &fixed);
        for (int v = 0; v < VECTORS; v++) {
            must(ndft_execute_host(plain, op, in, right));
            for (int64_t i = 0; i < n; i++) right[i] -= out[i];
            assert_true(complex_norm(right, n) <= 1e-9 * complex_norm(out, n));
            in += frame_length(all, f, op, true);
            out += n;
        }
        ndft_plan_destroy(plain);
    }
}

static void as_plain_plans(void **state)
{
    (void)state;
    static series all;
    static double complex in[LONGEST], out[LONGEST];
    series_make(&all);
    for (int devices = 1; devices <= 7; devices += 2) { /* of seven two have none */
        ndft_group_frames *frames = frames_of(&all, devices, 0);
        for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
            fill(in, series_length(&all, op, true));
            execute_frames(&all, frames, op, in, out);
            expect_plain_frames(&all, op, in, out);
        }
        ndft_group_frames_destroy(frames);
    }
    series_free(&all);
}

static void the_same_bits(void **state)
{
    (void)state;
    static series all;
    static double complex in[LONGEST], out[LONGEST], right[LONGEST];
    series_make(&all);
    fill(in, series_length(&all, NDFT_NORMAL, true));
    for (int devices = 1; devices <= 8; devices *= 2) {
        ndft_group_frames *frames = frames_of(&all, devices, 8);
        execute_frames(&all, frames, NDFT_NORMAL, in, devices > 1 ? out : right);
        if (devices > 1) assert_memory_equal(out, right, sizeof out);
        ndft_group_frames_destroy(frames);
    }
    series_free(&all);
}

static void described_frames(void **state)
{
    (void)state;
    static series all;
    char line[1 << 13], few[8];
    series_make(&all);
    ndft_group_frames *frames = frames_of(&all, 2, 0);
    must(ndft_group_frames_describe(frames, FRAMES - 1, line, sizeof line));
    assert_non_null(strstr(line, "\"deterministic\":true"));
    assert_int_equal(ndft_group_frames_describe(frames, 0, few, sizeof few), NDFT_EINVAL);
    assert_int_equal(ndft_group_frames_describe(frames, FRAMES, line, sizeof line), NDFT_EINVAL);
    said("frame=5; 0 to 4");
    ndft_group_frames_destroy(frames);
    frames = frames_of(&all, 2, 8); /* the same bits */
    must(ndft_group_frames_describe(frames, 0, line, sizeof line));
    assert_non_null(strstr(line, "\"deterministic\":true"));
    ndft_group_frames_destroy(frames);
    series_free(&all);
}

static void refused_frames(void **state)
{
    (void)state;
    static series all;
    static double complex in[LONGEST], out[LONGEST];
    ndft_group *group;
    ndft_group_frames *frames;
    series_make(&all);
    const ndft_problem *problems[] = {all.problem[0], NULL};
    const ndft_plan_options tilde = {.struct_size = sizeof tilde, .variant = "tilde.cpu"},
                            capacity = {.struct_size = sizeof capacity, .capacity = problems[0]};
    must(try_group(2, 0, NULL, &group));
    assert_int_equal(ndft_group_frames_create(group, 0, problems, 1, NULL, &frames), NDFT_EINVAL);
    said("n=0 frames; nearest: 1");
    assert_int_equal(ndft_group_frames_create(group, 2, problems, 1, NULL, &frames), NDFT_EINVAL);
    said("the problem of a frame is NULL");
    problems[1] = all.problem[1];
    assert_int_equal(ndft_group_frames_create(group, 2, problems, 8, NULL, &frames), NDFT_EINVAL);
    said("ops=8");
    assert_int_equal(ndft_group_frames_create(group, 2, problems, 1, &tilde, &frames), NDFT_EINVAL);
    said("tilde");
    assert_int_equal(ndft_group_frames_create(group, 2, problems, 1, &capacity, &frames),
                     NDFT_EUNSUPPORTED);
    said("capacity");
    assert_null(frames);
    must(ndft_group_frames_create(group, 2, problems, NDFT_FORWARD, NULL, &frames));
    assert_int_equal(ndft_group_frames_execute_host(frames, NDFT_ADJOINT, 1, in, out), NDFT_EINVAL);
    said("op=2: the plans were made for ops=1");
    assert_int_equal(ndft_group_frames_execute_host(frames, NDFT_FORWARD, 0, in, out), NDFT_EINVAL);
    said("vectors=0; nearest: 1");
    assert_int_equal(ndft_group_frames_execute(frames, NDFT_FORWARD, 1, in, in), NDFT_EINVAL);
    assert_int_equal(ndft_group_frames_execute(NULL, NDFT_FORWARD, 1, in, out), NDFT_EINVAL);
    said("frames are NULL");
    ndft_group_frames_destroy(frames);
    ndft_group_frames_destroy(NULL);
    ndft_group_destroy(group);
    series_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_plain_plans),
        cmocka_unit_test(the_same_bits),
        cmocka_unit_test(described_frames),
        cmocka_unit_test(refused_frames),
    };
    return cmocka_run_group_tests(tests, open_first, close_device);
}
