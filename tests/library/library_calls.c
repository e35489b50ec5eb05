/* SPDX-License-Identifier: Apache-2.0 */
#include "outside.h"

/* Problems and plans. */

static void all_operations(void **state)
{
    (void)state;
    static small s;
    static double complex image[COILS * GRID], samples[COILS * SAMPLES], back[COILS * GRID];
    small_make(&s, 1);
    small_image(&s, image);
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL, NULL);
    must(ndft_execute_host(plan, NDFT_FORWARD, image, samples));
    for (int c = 0; c < COILS; c++)
        assert_true(small_error_forward(&s, c, samples + c * SAMPLES) < 1e-9);
    must(ndft_execute_host(plan, NDFT_ADJOINT, s.kspace, back));
    for (int c = 0; c < COILS; c++)
        assert_true(small_error_adjoint(&s, c, back + c * s.voxels) < 1e-9);
    must(ndft_execute_host(plan, NDFT_NORMAL, image, back));
    for (int c = 0; c < COILS; c++) {
        memcpy(s.kspace[c], samples + c * SAMPLES, sizeof s.kspace[c]);
        assert_true(small_error_adjoint(&s, c, back + c * s.voxels) < 1e-7);
    }
    ndft_plan_destroy(plan);
}

static void interleaved_floats_of_the_whole_grid(void **state)
{
    (void)state;
    static small s;
    static float k[2][SAMPLES];
    static float complex image[GRID][COILS], samples[SAMPLES][COILS];
    static double complex column[SAMPLES];
    small_make(&s, 2);
    for (int j = 0; j < SAMPLES; j++) {
        s.kx[j] = k[0][j] = (float)s.kx[j];
        s.ky[j] = k[1][j] = (float)s.ky[j];
    }
    memset(s.field, 0, sizeof s.field);
    s.voxels = GRID;
    for (int v = 0; v < GRID; v++) {
        s.voxel[v] = v;
        for (int c = 0; c < COILS; c++)
            s.image[c][v] = image[v][c] = (float complex)mixed(v + 9 * c);
    }
    s.desc.prec = NDFT_F32;
    s.desc.layout = NDFT_INTERLEAVED;
    s.desc.tol = 0;
    s.desc.k[0] = k[0], s.desc.k[1] = k[1];
    s.desc.t = s.desc.field = NULL;
    s.desc.mask = NULL;
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD, NULL);
    must(ndft_execute_host(plan, NDFT_FORWARD, image, samples));
    for (int c = 0; c < COILS; c++) {
        for (int j = 0; j < SAMPLES; j++) column[j] = samples[j][c];
        assert_true(small_error_forward(&s, c, column) < 1e-2);
    }
    ndft_plan_destroy(plan);
}

/* One field of a good description is made bad at a time. */
static void bad_descriptions(void **state)
{
    (void)state;
    static small s;
    ndft_problem *problem;
    ndft_problem_desc *d = &s.desc;
#define REFUSED(change, status, words)                                                             \
    small_make(&s, 3);                                                                             \
    change;                                                                                        \
    assert_int_equal(ndft_problem_create(device, d, &problem), status);                            \
    assert_null(problem);                                                                          \
    said(words)
    REFUSED(d->struct_size = 0, NDFT_EINVAL, "struct_size is 0");
    REFUSED(d->dim = 4, NDFT_EINVAL, "dim=4; 1 to 3");
    REFUSED(d->n[0] = 0, NDFT_EINVAL, "n[0]=0");
    REFUSED(d->n[1] = (int64_t)1 << 40, NDFT_EINVAL, "n[1]=1099511627776");
    REFUSED(d->n[2] = 3, NDFT_EINVAL, "n[2]=3 with dim=2");
    REFUSED(d->prec = (ndft_prec)7, NDFT_EINVAL, "prec=7");
    REFUSED(d->layout = (ndft_layout)7, NDFT_EINVAL, "layout=7");
    REFUSED(d->tol_kind = (ndft_tol_kind)7, NDFT_EINVAL, "tol_kind=7");
    REFUSED(d->coils = 257, NDFT_EINVAL, "coils=257; 1 to 256");
    REFUSED(d->coils = -1, NDFT_EINVAL, "coils=-1");
    REFUSED(d->tol = NAN, NDFT_EINVAL, "tol=nan");
    REFUSED(d->tol = 1e-20, NDFT_EINVAL, "tol=1e-20");
    REFUSED(d->n_samples = 0, NDFT_EINVAL, "n_samples=0");
    REFUSED(d->k[1] = NULL, NDFT_EINVAL, "k[1] is NULL with dim=2");
    REFUSED(d->k[2] = s.kx, NDFT_EINVAL, "k[2] is given with dim=2");
    REFUSED(d->t = NULL, NDFT_EINVAL, "field needs times");
    REFUSED(d->gradient[1] = s.field, NDFT_EINVAL, "gradient: of all 2 axes");
    REFUSED(d->gradient[2] = s.field, NDFT_EINVAL, "gradient[2] is given with dim=2");
    REFUSED(d->struct_size = (size_t)1 << 40, NDFT_EINVAL, "struct_size is 1099511627776");
    REFUSED(d->tol = 1.0000001, NDFT_EINVAL, "tol=1.0000001; 1e-13 to 1");
    REFUSED(d->frames = -1, NDFT_EINVAL, "frames=-1; 0 or 1");
    REFUSED(d->frames = 2, NDFT_EUNSUPPORTED, "frames=2");
    REFUSED(d->decay = s.field, NDFT_EINVAL,
            "decay is -8.75985669 at element 8; with decay it must be at least 0");
    REFUSED((d->decay = s.decay, s.decay[11] = -2), NDFT_EINVAL,
            "decay is -2 at element 11; with decay it must be at least 0");
    REFUSED((d->decay = s.decay, s.decay[13] = NAN), NDFT_EINVAL, "decay is nan at element 13");
    REFUSED((d->decay = s.decay, s.decay[13] = INFINITY), NDFT_EINVAL,
            "decay is inf at element 13; it must be finite");
    REFUSED((d->decay = s.decay, s.t[5] = -1e-3), NDFT_EINVAL,
            "t is -0.001 at element 5; with decay it must be at least 0");
    REFUSED((d->decay = s.decay, d->field = d->t = NULL), NDFT_EINVAL,
            "t is NULL, but decay needs times");
    REFUSED(d->position[0] = s.field, NDFT_EINVAL, "position: of all 2 axes, or of none");
    REFUSED(s.ky[17] = NAN, NDFT_EINVAL, "k[1] is nan at element 17");
    REFUSED(s.kx[3] = 0x1p31, NDFT_EINVAL, "k[0] is 2147483648 at element 3");
    REFUSED(s.kx[3] = 1e10, NDFT_EINVAL,
            "k[0] is 1e+10 at element 3; it must be finite and below 2147483648");
    REFUSED(s.t[39] = INFINITY, NDFT_EINVAL, "t is inf at element 39");
    REFUSED(s.field[0] = NAN, NDFT_EINVAL, "field is nan at element 0");
    REFUSED(memset(s.mask, 0, sizeof s.mask), NDFT_EINVAL, "leaves no voxel");
#undef REFUSED
    small_make(&s, 3);
    s.field[2] = NAN; /* outside of the mask */
    s.decay[2] = -3;
    d->decay = s.decay;
    must(ndft_problem_create(device, d, &problem));
    int64_t voxels = 0, samples = 0;
    ndft_problem_lengths(problem, &voxels, &samples);
    assert_int_equal(voxels, s.voxels);
    assert_int_equal(samples, SAMPLES);
    ndft_problem_destroy(problem);
    assert_int_equal(ndft_problem_create(NULL, d, &problem), NDFT_EINVAL);
}

static void structures_of_other_releases(void **state)
{
    (void)state;
    static small s;
    struct {
        ndft_problem_desc desc;
        double later;
    } newer;
    ndft_problem *problem;
    small_make(&s, 4);
    memset(&newer, 0, sizeof newer);
    newer.desc = s.desc;
    newer.desc.struct_size = sizeof newer;
    must(ndft_problem_create(device, &newer.desc, &problem));
    ndft_problem_destroy(problem);
    newer.later = 1;
    assert_int_equal(ndft_problem_create(device, &newer.desc, &problem), NDFT_EINVAL);
    said("of a later release");
    s.desc.struct_size = offsetof(ndft_problem_desc, mask); /* an older one had no mask */
    must(ndft_problem_create(device, &s.desc, &problem));
    int64_t voxels = 0;
    ndft_problem_lengths(problem, &voxels, NULL);
    assert_int_equal(voxels, GRID);
    ndft_problem_destroy(problem);
}

static void bad_plans(void **state)
{
    (void)state;
    static small s;
    static double complex image[COILS * GRID], out[COILS * GRID];
    ndft_problem *problem;
    ndft_plan *plan;
    ndft_plan_options o = {.struct_size = sizeof o};
    small_make(&s, 5);
    must(ndft_problem_create(device, &s.desc, &problem));
    assert_int_equal(ndft_plan_create(problem, 0, NULL, &plan), NDFT_EINVAL);
    said("ops=0");
    assert_int_equal(ndft_plan_create(problem, 8, NULL, &plan), NDFT_EINVAL);
    o.variant = on_device("naiv");
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, &o, &plan), NDFT_EINVAL);
    assert_null(plan);
    said("nearest: naive.cpu, naive.cuda");
    o.variant = on_device("nufft_line"); /* for samples in lines, which these are not */
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, &o, &plan), NDFT_EUNSUPPORTED);
    o.variant = on_device("tiled_no_trig");
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, &o, &plan), NDFT_EUNSUPPORTED);
    said("ablation");
    static char word[2000];
    memset(word, 'x', sizeof word - 1);
    o.variant = word;
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, &o, &plan), NDFT_EINVAL);
    said("variant has 1999 characters; an id has 255 at most");
    o.variant = NULL;
    o.memory_limit = 1000;
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, &o, &plan), NDFT_ENOMEM);
    assert_null(strstr(ndft_message(), "00000 are free")); /* but what the limit leaves */
    o.memory_limit = 0;
    must(ndft_plan_create(problem, NDFT_ADJOINT, &o, &plan));
    assert_int_equal(ndft_execute(plan, NDFT_FORWARD, image, out), NDFT_EINVAL);
    said("op=1: the plan was made for ops=2 (1 forward, 2 adjoint, 4 normal)");
    assert_int_equal(ndft_execute(plan, NDFT_ADJOINT, NULL, out), NDFT_EINVAL);
    assert_int_equal(ndft_execute(plan, NDFT_ADJOINT, out, out), NDFT_EINVAL);
    said("the same memory");
    assert_int_equal(ndft_execute(plan, NDFT_ADJOINT, (char *)out + sizeof *out, out), NDFT_EINVAL);
    said("in and out overlap");
    assert_int_equal(ndft_execute(NULL, NDFT_ADJOINT, image, out), NDFT_EINVAL);
    assert_int_equal(ndft_execute_host(NULL, NDFT_ADJOINT, image, out), NDFT_EINVAL);
    assert_int_equal(ndft_execute_on(NULL, NULL, NDFT_ADJOINT, image, out), NDFT_EINVAL);
    if (!strcmp(device_name(), "cpu")) {
        assert_int_equal(ndft_execute_on(plan, plan, NDFT_ADJOINT, image, out), NDFT_EINVAL);
        said("cpu has no streams");
        must(ndft_execute_on(plan, NULL, NDFT_ADJOINT, image, out));
    }
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
    for (int v = 0; v < GRID; v++) s.field[v] = 1e10;
    s.desc.field = NULL;
    s.desc.gradient[0] = s.desc.gradient[1] = s.field;
    must(ndft_problem_create(device, &s.desc, &problem));
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, NULL, &plan), NDFT_EUNSUPPORTED);
    said("its gradients dephase a voxel by 2^19 turns or more");
    ndft_problem_destroy(problem);
    ndft_plan_destroy(NULL);
    ndft_problem_destroy(NULL);
    ndft_device_close(NULL);
}

static void described(void **state)
{
    (void)state;
    static small s;
    char text[1024], little[16];
    ndft_plan_options o = {.struct_size = sizeof o, .deterministic = true};
    o.variant = on_device("tiled");
    small_make(&s, 6);
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, &o);
    must(ndft_plan_describe(plan, text, sizeof text));
    for (int i = 0; i < 2; i++)
        assert_non_null(strstr(text, i ? "\"op\":\"adjoint\",\"variant\":\"tiled.c"
                                       : "\"op\":\"forward\",\"variant\":\"tiled.c"));
    assert_non_null(strstr(text, "\"why\":\"asked for\",\"estimated_s\":null"));
    assert_non_null(strstr(text, "\"deterministic\":true"));
    assert_true(atof(strstr(text, "\"launches\":") + 11) >= 1);
    const double all = atof(strstr(text, "\"bytes\":") + 8);
    const double of_it = atof(strstr(text, "\"engine_bytes\":") + 15);
    assert_true(of_it > 0 && of_it <= all);
    assert_true(atof(strstr(text, "\"workspace_bytes\":") + 18) <= of_it);
    assert_int_equal(atoi(strstr(text, "\"pinned_bytes\":") + 15), 0); /* none was executed */
    assert_true(atof(strstr(text, "\"deterministic_price\":") + 22) >= 1);
    assert_int_equal(ndft_plan_describe(plan, little, sizeof little), NDFT_EINVAL);
    assert_int_equal(ndft_plan_describe(NULL, text, sizeof text), NDFT_EINVAL);
    assert_int_equal(ndft_plan_describe(plan, NULL, sizeof text), NDFT_EINVAL);
    assert_null(strstr(text, "\"warning\""));
    ndft_plan_destroy(plan);
    memset(s.t, 0, sizeof s.t);
    plan = plan_of(&s, NDFT_FORWARD, NULL);
    must(ndft_plan_describe(plan, text, sizeof text));
    assert_non_null(strstr(text, "\"warning\":\"no effect of field map, since all samples"));
    ndft_plan_destroy(plan);
    must(ndft_device_describe(device, text, sizeof text));
    assert_non_null(strstr(text, "\"backend\":\"c"));
    assert_int_equal(ndft_device_describe(device, little, sizeof little), NDFT_EINVAL);
}

/* The bytes that a plan is said to hold are a limit that it fits in. */
static void limited_to_what_it_holds(void **state)
{
    (void)state;
    static small s;
    char text[1024];
    ndft_plan_options o = {.struct_size = sizeof o};
    o.variant = on_device("naive");
    small_make(&s, 9);
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD, &o);
    must(ndft_plan_describe(plan, text, sizeof text));
    ndft_plan_destroy(plan);
    o.memory_limit = (size_t)atoll(strstr(text, "\"bytes\":") + 8);
    ndft_plan_destroy(plan_of(&s, NDFT_FORWARD, &o));
    ndft_problem *problem;
    o.memory_limit--;
    must(ndft_problem_create(device, &s.desc, &problem));
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, &o, &plan), NDFT_ENOMEM);
    ndft_problem_destroy(problem);
}

static void deterministic_though_named(void **state)
{
    (void)state;
    small s;
    ndft_problem *problem;
    ndft_plan *plan;
    ndft_plan_options o = {.struct_size = sizeof o, .deterministic = true};
    if (getenv("NDFT_CUDA")) return; /* which has no such variant */
    o.variant = on_device("output_driven");
    small_make(&s, 11);
    must(ndft_problem_create(device, &s.desc, &problem));
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, &o, &plan), NDFT_EUNSUPPORTED);
    said("is not deterministic");
    ndft_problem_destroy(problem);
}

/* The fastest by what is declared: exact sums where they are few, else a nonuniform FFT. */
static void chosen_by_estimate(void **state)
{
    (void)state;
    enum { N = 128, M = 16384 };
    static float k[2][M];
    char text[1024];
    for (int j = 0; j < M; j++) {
        k[0][j] = (float)(60 * sin(0.37 * j));
        k[1][j] = (float)(60 * cos(1.91 * j));
    }
    small s = {.desc = {.struct_size = sizeof s.desc, .dim = 2, .n = {N, N}, .n_samples = M}};
    s.desc.k[0] = k[0], s.desc.k[1] = k[1];
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, NULL);
    must(ndft_plan_describe(plan, text, sizeof text));
    const char *fft = getenv("NDFT_HOST_FFT");
    if (!getenv("NDFT_CUDA") && (!fft || strcmp(fft, "none") != 0))
        assert_non_null(strstr(text, "\"variant\":\"nufft_"));
    assert_null(strstr(text, "naive"));
    ndft_plan_destroy(plan);
}

static void clones_have_the_same_bits(void **state)
{
    (void)state;
    static small s;
    static double complex image[COILS * GRID], one[COILS * SAMPLES], other[COILS * SAMPLES];
    ndft_plan_options o = {.struct_size = sizeof o, .deterministic = true};
    ndft_plan *clone;
    small_make(&s, 8);
    small_image(&s, image);
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD, &o);
    must(ndft_plan_clone(plan, &clone));
    must(ndft_execute_host(plan, NDFT_FORWARD, image, one));
    ndft_plan_destroy(plan);
    must(ndft_execute_host(clone, NDFT_FORWARD, image, other));
    assert_memory_equal(one, other, sizeof one);
    ndft_plan_destroy(clone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_operations),
        cmocka_unit_test(interleaved_floats_of_the_whole_grid),
        cmocka_unit_test(bad_descriptions),
        cmocka_unit_test(structures_of_other_releases),
        cmocka_unit_test(bad_plans),
        cmocka_unit_test(described),
        cmocka_unit_test(limited_to_what_it_holds),
        cmocka_unit_test(deterministic_though_named),
        cmocka_unit_test(chosen_by_estimate),
        cmocka_unit_test(clones_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
