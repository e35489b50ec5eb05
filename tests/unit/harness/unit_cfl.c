/* SPDX-License-Identifier: Apache-2.0 */
#include "support/own_files.h"

#include <math.h>

static void cfl_round_trip(void **state)
{
    (void)state;
    float values[24];
    for (int i = 0; i < 24; i++) values[i] = sinf((float)i);
    ndft_array a = {.element = NDFT_ELEMENT_C64, .rank = 3, .shape = {2, 1, 6}, .data = values}, b;
    ndft_arena arena = {NULL};
    ndft_error err;
    assert_int_equal(ndft_cfl_write("a.cfl", &a, &err), NDFT_OK);
    assert_int_equal(ndft_cfl_read("a.hdr", &arena, &b, &err), NDFT_OK);
    assert_int_equal(b.shape[15], 6);
    assert_int_equal(b.shape[13], 2);
    assert_memory_equal(b.data, values, sizeof values);
    a.element = NDFT_ELEMENT_C128;
    assert_int_equal(ndft_cfl_write("a.cfl", &a, &err), NDFT_EINVAL);
    ndft_arena_free(&arena);
}

/* BART: [3, samples, shots], a clock per shot; a field of the other sign. */
static void bart_conventions_are_converted(void **state)
{
    (void)state;
    float k[36] = {0}, map[40] = {0};
    for (int j = 0; j < 6; j++) {
        k[6 * j] = (float)j / 4;
        k[6 * j + 2] = (float)-j / 4;
    }
    for (int v = 0; v < 20; v++) map[2 * v] = (float)v;
    ndft_array traj = {.element = NDFT_ELEMENT_C64, .rank = 3, .shape = {2, 3, 3}, .data = k};
    ndft_array field = {.element = NDFT_ELEMENT_C64, .rank = 2, .shape = {4, 5}, .data = map};
    ndft_error err;
    assert_int_equal(ndft_cfl_write("k.cfl", &traj, &err), NDFT_OK);
    assert_int_equal(ndft_cfl_write("w.cfl", &field, &err), NDFT_OK);
    ndft_case c = file_case();
    use(&c.traj, "k.cfl");
    use(&c.field, "w.hdr");
    c.t = 3e-3;
    ndft_made made = made_of(&c);
    for (int j = 0; j < 6; j++) {
        assert_true(((const float *)made.problem.k[0])[j] == (float)j / 4);
        assert_true(((const float *)made.problem.k[1])[j] == (float)-j / 4);
        assert_true(((const float *)made.problem.t)[j] == ((const float *)made.problem.t)[j % 3]);
    }
    assert_true(fabs(ndft_real_at(made.problem.t, NDFT_F32, 1) - 1e-3) < 1e-8);
    for (int v = 0; v < 20; v++) assert_true(((const float *)made.problem.dw)[v] == (float)-v);
    ndft_made_free(&made);

    k[6 * 4 + 4] = 0.5; /* kz of sample 4 */
    assert_int_equal(ndft_cfl_write("k.cfl", &traj, &err), NDFT_OK);
    REFUSED(&c, NDFT_EINVAL, "traj=file:k.cfl", "z = 0.5 at [4]", "beyond 2d");
    k[6 * 4 + 4] = 0;
    k[6 * 4 + 1] = 0.5;
    assert_int_equal(ndft_cfl_write("k.cfl", &traj, &err), NDFT_OK);
    REFUSED(&c, NDFT_EINVAL, "imaginary part 0.5");
}

/* Images and k-space of BART keep every value's place. */
static void bart_vectors_keep_their_places(void **state)
{
    (void)state;
    float values[80];
    for (int i = 0; i < 80; i++) values[i] = (float)i;
    ndft_array image = {
        .element = NDFT_ELEMENT_C64, .rank = 4, .shape = {2, 1, 4, 5}, .data = values};
    ndft_array data = {
        .element = NDFT_ELEMENT_C64, .rank = 4, .shape = {2, 3, 2, 1}, .data = values};
    ndft_error err;
    assert_int_equal(ndft_cfl_write("im.cfl", &image, &err), NDFT_OK);
    assert_int_equal(ndft_cfl_write("ks.cfl", &data, &err), NDFT_OK);
    ndft_case c = file_case();
    use(&c.data, "im.cfl");
    ndft_made made = made_of(&c);
    assert_memory_equal(made.image, values, 80 * sizeof(float));
    ndft_made_free(&made);
    c.op = NDFT_ADJOINT;
    use(&c.data, "ks.cfl");
    made = made_of(&c);
    assert_memory_equal(made.kspace, values, 24 * sizeof(float));
    ndft_made_free(&made);
}

static void damaged_bart_files_are_refused(void **state)
{
    (void)state;
    ndft_case c = file_case();
    use(&c.field, "b.cfl");
    REFUSED(&c, NDFT_EIO, "b.hdr", "No such file");
    write_text("b.cfl", "12345678");
    write_text("b.hdr", "# Command\n1\n");
    REFUSED(&c, NDFT_EINVAL, "b.hdr", "# Dimensions");
    write_text("b.hdr", "# Dimensions\n5 four 1\n");
    REFUSED(&c, NDFT_EINVAL, "b.hdr", "'four'");
    write_text("b.hdr", "# Dimensions\n5 0 1\n");
    REFUSED(&c, NDFT_EINVAL, "b.hdr", "5 0 1");
    write_text("b.hdr", "# Dimensions\n5 4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n");
    REFUSED(&c, NDFT_EINVAL, "b.hdr");
    write_text("b.hdr", "# Dimensions\n99999999999 99999999999\n");
    REFUSED(&c, NDFT_EINVAL, "b.hdr");
    write_text("b.hdr", "# Dimensions\n5 4 1\n");
    REFUSED(&c, NDFT_EINVAL, "b.cfl", "160 bytes of data expected", "8 found");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cfl_round_trip),
        cmocka_unit_test(bart_conventions_are_converted),
        cmocka_unit_test(bart_vectors_keep_their_places),
        cmocka_unit_test(damaged_bart_files_are_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
