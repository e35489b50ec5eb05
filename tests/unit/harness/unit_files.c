/* SPDX-License-Identifier: Apache-2.0 */
#include "support/own_files.h"

#include "make/export.h"

#include <math.h>
#include <stdio.h>

/* Every element type and rank comes back as it was written. */
static void npy_round_trip(void **state)
{
    (void)state;
    double values[24];
    for (int i = 0; i < 24; i++) values[i] = sin(i);
    for (int e = NDFT_ELEMENT_BOOL; e <= NDFT_ELEMENT_C128; e++) {
        for (int rank = 0; rank <= 3; rank++) {
            ndft_arena arena = {NULL};
            ndft_array a;
            ndft_error err;
            write_npy("a.npy", (ndft_element)e, values, rank, (int64_t[]){3, 2, 2});
            assert_int_equal(ndft_npy_read("a.npy", &arena, &a, &err), NDFT_OK);
            assert_true(a.element == (ndft_element)e && a.rank == rank);
            assert_memory_equal(a.data, values,
                                (size_t)ndft_array_count(&a) * ndft_element_size(a.element));
            ndft_arena_free(&arena);
        }
    }
}

static void same_arrays(const ndft_made *a, const ndft_made *b)
{
    assert_memory_equal(a->hash, b->hash, sizeof a->hash);
    assert_true(a->problem.phi_max == b->problem.phi_max);
}

static void exported_case_reads_back(ndft_prec prec, ndft_layout layout, int dim, ndft_op op)
{
    ndft_case c = a_case(dim, 7, dim > 1 ? 6 : 1, dim > 2 ? 3 : 1, 40);
    c.op = op;
    c.coils = 3;
    c.prec = prec;
    c.layout = layout;
    c.t = 5e-3;
    c.field = (ndft_source){.kind = NDFT_FIELD_SMOOTH, .largest = 150};
    c.grad.kind = NDFT_GRAD_FIELD;
    ndft_made first = made_of(&c);
    ndft_error err = {0};
    if (ndft_export(&c, &first, "out/of/it", &err) != NDFT_OK) fail_msg("%s", err.message);
    use(&c.traj, "out/of/it/k.npy");
    use(&c.field, "out/of/it/dw.npy");
    use(&c.grad, "out/of/it/grad.npy");
    use(&c.data, op == NDFT_ADJOINT ? "out/of/it/kspace.npy" : "out/of/it/image.npy");
    ndft_made again = made_of(&c);
    same_arrays(&first, &again);
    ndft_made_free(&first);
    ndft_made_free(&again);
}

static void exports_read_back(void **state)
{
    (void)state;
    exported_case_reads_back(NDFT_F32, NDFT_PLANAR, 1, NDFT_FORWARD);
    exported_case_reads_back(NDFT_F32, NDFT_INTERLEAVED, 2, NDFT_ADJOINT);
    exported_case_reads_back(NDFT_F64, NDFT_INTERLEAVED, 3, NDFT_NORMAL);
}

static void masked_export_is_the_full_grid(void **state)
{
    (void)state;
    ndft_case c = a_case(2, 8, 6, 1, 4);
    c.mask.kind = NDFT_MASK_DISK;
    c.field = (ndft_source){.kind = NDFT_FIELD_CONST, .largest = 1};
    c.coils = 2;
    ndft_made made = made_of(&c);
    ndft_error err;
    ndft_arena arena = {NULL};
    ndft_array mask, image, dw;
    assert_int_equal(ndft_export(&c, &made, "masked", &err), NDFT_OK);
    assert_int_equal(ndft_npy_read("masked/mask.npy", &arena, &mask, &err), NDFT_OK);
    assert_int_equal(ndft_npy_read("masked/image.npy", &arena, &image, &err), NDFT_OK);
    assert_int_equal(ndft_npy_read("masked/dw.npy", &arena, &dw, &err), NDFT_OK);
    assert_true(mask.rank == 3 && mask.shape[1] == 6 && mask.shape[2] == 8);
    assert_true(image.rank == 4 && image.shape[0] == 2);
    for (int64_t i = 0, v = 0; i < 48; i++) {
        bool inside = ((const unsigned char *)mask.data)[i];
        const float *z = (const float *)image.data + 2 * (48 + i);
        assert_true(inside == (((const float *)dw.data)[i] != 0));
        if (inside)
            assert_memory_equal(z, (const float *)made.image + 2 * (made.problem.n_voxels + v++),
                                8);
        else
            assert_true(z[0] == 0 && z[1] == 0);
    }
    use(&c.mask, "masked/mask.npy");
    ndft_made again = made_of(&c);
    same_arrays(&made, &again);
    ndft_arena_free(&arena);
    ndft_made_free(&again);
    ndft_made_free(&made);
}

/* A result in double with the coils fastest, as the reference writes. */
static void vectors_become_planar(void **state)
{
    (void)state;
    ndft_case c = file_case();
    ndft_made made = made_of(&c);
    double result[24];
    for (int i = 0; i < 24; i++) result[i] = i;
    ndft_error err;
    ndft_arena arena = {NULL};
    ndft_array a;
    assert_int_equal(ndft_export_vector("v.npy", &made.problem, NDFT_SIDE_KSPACE, result, NDFT_F64,
                                        NDFT_INTERLEAVED, &err),
                     NDFT_OK);
    assert_int_equal(ndft_npy_read("v.npy", &arena, &a, &err), NDFT_OK);
    for (int i = 0; i < 12; i++) /* coil i / 6, sample i % 6 */
        assert_true(((const double *)a.data)[2 * i] == 2 * (i % 6 * 2 + i / 6));
    ndft_arena_free(&arena);
    ndft_made_free(&made);
}

static void wrong_contents_are_refused(void **state)
{
    (void)state;
    double map[20] = {0};
    ndft_case c = file_case();
    use(&c.field, "f.npy");
    write_npy("f.npy", NDFT_ELEMENT_F64, map, 3, (int64_t[]){1, 5, 4});
    REFUSED(&c, NDFT_EINVAL, "field=file:f.npy", "(nz,ny,nx) = (1,4,5)", "found (1,5,4)");
    write_npy("f.npy", NDFT_ELEMENT_BOOL, map, 2, (int64_t[]){4, 5});
    REFUSED(&c, NDFT_EINVAL, "the type is bool", "float32, float64");
    write_npy("f.npy", NDFT_ELEMENT_C64, map, 2, (int64_t[]){4, 5});
    REFUSED(&c, NDFT_EINVAL, "the type is complex64");
    map[7] = NAN;
    write_npy("f.npy", NDFT_ELEMENT_F64, map, 2, (int64_t[]){4, 5});
    REFUSED(&c, NDFT_EINVAL, "element (1,2) is nan");
    map[7] = -INFINITY;
    write_npy("f.npy", NDFT_ELEMENT_F64, map, 2, (int64_t[]){4, 5});
    REFUSED(&c, NDFT_EINVAL, "element (1,2) is -inf");
    map[7] = 1e300;
    write_npy("f.npy", NDFT_ELEMENT_F64, map, 2, (int64_t[]){4, 5});
    REFUSED(&c, NDFT_EINVAL, "field map", "beyond float");

    c = file_case();
    use(&c.mask, "m.npy");
    map[7] = 0;
    write_npy("m.npy", NDFT_ELEMENT_F64, map, 2, (int64_t[]){4, 5});
    REFUSED(&c, NDFT_EINVAL, "mask=file:m.npy", "leaves no voxel");
    c = file_case();
    use(&c.data, "m.npy");
    REFUSED(&c, NDFT_EINVAL, "(coils,nz,ny,nx) = (2,1,4,5)", "found (4,5)");
    c.coils = 1;
    map[7] = 1e300;
    write_npy("m.npy", NDFT_ELEMENT_F64, map, 2, (int64_t[]){4, 5});
    REFUSED(&c, NDFT_EINVAL, "data=file:m.npy", "beyond float");
}

/* Overwrites bytes of a good file of 20 doubles, or cuts it. */
static void damage(long at, const char *text, long length)
{
    double map[20] = {0};
    write_npy("f.npy", NDFT_ELEMENT_F64, map, 2, (int64_t[]){4, 5});
    FILE *file = fopen("f.npy", "r+b");
    fseek(file, at, SEEK_SET);
    fputs(text, file);
    fclose(file);
    if (length) assert_int_equal(truncate("f.npy", length), 0);
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    ndft_case c = file_case();
    use(&c.field, "f.npy");
    const struct {
        long at;
        const char *text;
        long length;
        const char *message;
    } cases[] = {
        {1, "X", 0, "not an npy file"},
        {6, "\x09", 0, "npy version 9"},
        {0, "", 5, "not an npy file"},
        {0, "", 40, "header is cut short"},
        {0, "", 128 + 159, "cut short: 160 bytes of data expected by its header, 159 found"},
        {0, "", 128 + 161, "trailing bytes: 160 bytes of data expected by its header, 161 found"},
        {21, ">", 0, "the type is '>f8'"},
        {21, "<i8", 0, "the type is '<i8'"},
        {44, "True ", 0, "fortran_order is True"},
        {61, "-", 0, "no shape of whole numbers"},
        {64, "L", 0, "no shape of whole numbers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        damage(cases[i].at, cases[i].text, cases[i].length);
        REFUSED(&c, NDFT_EINVAL, "f.npy", cases[i].message);
    }
    damage(0, "", 0);
    ndft_made made = made_of(&c);
    ndft_made_free(&made);
}

static void paths_that_do_not_work(void **state)
{
    (void)state;
    ndft_case c = file_case();
    use(&c.field, "none.npy");
    REFUSED(&c, NDFT_EIO, "none.npy", "No such file");
    use(&c.field, "map.mat");
    REFUSED(&c, NDFT_EINVAL, "map.mat", ".npy, .cfl or .hdr");
    use(&c.traj, "."); /* the trajectory is read after the field */
    c.field.kind = NDFT_SOURCE_NONE;
    REFUSED(&c, NDFT_EINVAL, "traj=file:.", ".npy");

    c = file_case();
    ndft_made made = made_of(&c);
    ndft_error err;
    write_text("a-file", "");
    assert_int_equal(ndft_export(&c, &made, "a-file/folder", &err), NDFT_EIO);
    ndft_made_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(npy_round_trip),
        cmocka_unit_test(exports_read_back),
        cmocka_unit_test(masked_export_is_the_full_grid),
        cmocka_unit_test(vectors_become_planar),
        cmocka_unit_test(wrong_contents_are_refused),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(paths_that_do_not_work),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
