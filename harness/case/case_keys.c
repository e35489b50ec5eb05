/* SPDX-License-Identifier: Apache-2.0 */
#include "case_keys.h"

#include "base/words.h"
#include "units.h"

#include <string.h>

static const ndft_unit seconds[] = {{"s", 0, true}, {"ms", -3, true}, {"us", -6, true}, {0}};
static const ndft_unit metres[] = {{"m", 0, true}, {"cm", -2, false}, {"mm", -3, true}, {0}};

/* The largest values are far beyond any scanner; they keep every product finite in float. */
static const ndft_real_range readout = {seconds, true, 1e4, "25ms"};
static const ndft_real_range extent = {metres, false, 1e3, "220mm"};
static const ndft_real_range tolerance = {NULL, false, 1, "1e-4"};

static const ndft_whole samples = {1, INT32_MAX, sizeof(int64_t)};
static const ndft_whole coils = {1, NDFT_MAX_COILS, sizeof(int)};
static const ndft_whole seed = {0, UINT64_MAX, sizeof(uint64_t)};

static const char *const layouts[] = {
    [NDFT_PLANAR] = "planar", [NDFT_INTERLEAVED] = "interleaved", NULL};
static const char *const tolerances[] = {
    [NDFT_TOL_TYPICAL] = "typical", [NDFT_TOL_ANY] = "any", NULL};
static const char *const precisions[] = {[NDFT_F32] = "f32", [NDFT_F64] = "f64", NULL};

enum { IN_2D = 1 << 2, IN_3D = 1 << 3, IN_ANY = 1 << 1 | IN_2D | IN_3D };

static const ndft_source_word trajectories[] = {
    {"random", NDFT_SOURCE_RANDOM, NDFT_TAKES_SHOTS, IN_ANY},
    {"radial", NDFT_TRAJ_RADIAL, NDFT_TAKES_SHOTS, IN_2D},
    {"golden", NDFT_TRAJ_GOLDEN, NDFT_TAKES_SHOTS, IN_2D},
    {"spiral", NDFT_TRAJ_SPIRAL, NDFT_TAKES_SHOTS, IN_2D},
    {"vdspiral", NDFT_TRAJ_VDSPIRAL, NDFT_TAKES_SHOTS, IN_2D},
    {"epi", NDFT_TRAJ_EPI, NDFT_TAKES_SHOTS, IN_2D},
    {"sos", NDFT_TRAJ_SOS, NDFT_TAKES_PARTITIONS, IN_3D},
    {"kooshball", NDFT_TRAJ_KOOSHBALL, NDFT_TAKES_SHOTS, IN_3D},
    {"floret", NDFT_TRAJ_FLORET, NDFT_TAKES_SHOTS, IN_3D},
    {"file", NDFT_SOURCE_FILE, NDFT_TAKES_PATH, IN_ANY},
    {0}};

/* Of a clock, and of voxels off the grid. */
static const ndft_source_word files[] = {{"none", NDFT_SOURCE_NONE, NDFT_TAKES_NOTHING, IN_ANY},
                                         {"file", NDFT_SOURCE_FILE, NDFT_TAKES_PATH, IN_ANY},
                                         {0}};

static const ndft_source_word fields[] = {{"none", NDFT_SOURCE_NONE, NDFT_TAKES_NOTHING, IN_ANY},
                                          {"const", NDFT_FIELD_CONST, NDFT_TAKES_HERTZ, IN_ANY},
                                          {"linear", NDFT_FIELD_LINEAR, NDFT_TAKES_HERTZ, IN_ANY},
                                          {"smooth", NDFT_FIELD_SMOOTH, NDFT_TAKES_HERTZ, IN_ANY},
                                          {"random", NDFT_SOURCE_RANDOM, NDFT_TAKES_HERTZ, IN_ANY},
                                          {"file", NDFT_SOURCE_FILE, NDFT_TAKES_PATH, IN_ANY},
                                          {0}};

static const ndft_source_word decays[] = {{"none", NDFT_SOURCE_NONE, NDFT_TAKES_NOTHING, IN_ANY},
                                          {"const", NDFT_FIELD_CONST, NDFT_TAKES_RATE, IN_ANY},
                                          {"linear", NDFT_FIELD_LINEAR, NDFT_TAKES_RATE, IN_ANY},
                                          {"smooth", NDFT_FIELD_SMOOTH, NDFT_TAKES_RATE, IN_ANY},
                                          {"random", NDFT_SOURCE_RANDOM, NDFT_TAKES_RATE, IN_ANY},
                                          {"file", NDFT_SOURCE_FILE, NDFT_TAKES_PATH, IN_ANY},
                                          {0}};

static const ndft_source_word phases[] = {
    {"none", NDFT_SOURCE_NONE, NDFT_TAKES_NOTHING, IN_ANY},
    {"concomitant", NDFT_PHASE_CONCOMITANT, NDFT_TAKES_TESLA, IN_2D | IN_3D},
    {"random", NDFT_SOURCE_RANDOM, NDFT_TAKES_TERMS, IN_ANY},
    {"file", NDFT_SOURCE_FILE, NDFT_TAKES_PATHS, IN_ANY},
    {0}};

static const ndft_source_word gradients[] = {
    {"none", NDFT_SOURCE_NONE, NDFT_TAKES_NOTHING, IN_ANY},
    {"field", NDFT_GRAD_FIELD, NDFT_TAKES_NOTHING, IN_ANY},
    {"random", NDFT_SOURCE_RANDOM, NDFT_TAKES_HERTZ, IN_ANY},
    {"file", NDFT_SOURCE_FILE, NDFT_TAKES_PATH, IN_ANY},
    {0}};

static const ndft_source_word masks[] = {{"none", NDFT_SOURCE_NONE, NDFT_TAKES_NOTHING, IN_ANY},
                                         {"disk", NDFT_MASK_DISK, NDFT_TAKES_NOTHING, IN_ANY},
                                         {"file", NDFT_SOURCE_FILE, NDFT_TAKES_PATH, IN_ANY},
                                         {0}};

static const ndft_source_word coil_maps[] = {
    {"none", NDFT_SOURCE_NONE, NDFT_TAKES_NOTHING, IN_ANY},
    {"birdcage", NDFT_MAPS_BIRDCAGE, NDFT_TAKES_NOTHING, IN_ANY},
    {"random", NDFT_SOURCE_RANDOM, NDFT_TAKES_NOTHING, IN_ANY},
    {"file", NDFT_SOURCE_FILE, NDFT_TAKES_PATH, IN_ANY},
    {0}};

static const ndft_source_word data[] = {{"random", NDFT_SOURCE_RANDOM, NDFT_TAKES_NOTHING, IN_ANY},
                                        {"phantom", NDFT_DATA_PHANTOM, NDFT_TAKES_NOTHING, IN_ANY},
                                        {"file", NDFT_SOURCE_FILE, NDFT_TAKES_PATH, IN_ANY},
                                        {0}};

static const ndft_source_word kernels[] = {
    {"random", NDFT_SOURCE_RANDOM, NDFT_TAKES_NOTHING, IN_ANY},
    {"file", NDFT_SOURCE_FILE, NDFT_TAKES_PATH, IN_ANY},
    {0}};

enum {
    OF_CASES = 1 << NDFT_NONUNIFORM,
    OF_TRANSFORMS = 1 << NDFT_UNIFORM,
    OF_CONVOLUTIONS = 1 << NDFT_CONVOLUTION,
    OF_CHIRPS = 1 << NDFT_CHIRPZ,
    OF_ALL = OF_CASES | OF_TRANSFORMS | OF_CONVOLUTIONS | OF_CHIRPS
};

static const ndft_key keys[] = {
    {"load", OF_TRANSFORMS, "none", NULL, &ndft_value_callback, ndft_load_words,
     offsetof(ndft_case, load)},
    {"store", OF_TRANSFORMS, "none", NULL, &ndft_value_callback, ndft_store_words,
     offsetof(ndft_case, store)},
    {"outputs", OF_CONVOLUTIONS | OF_CHIRPS, "same", NULL, &ndft_value_box, NULL,
     offsetof(ndft_case, outputs)},
    {"cells", OF_CONVOLUTIONS, "same", NULL, &ndft_value_box, NULL, offsetof(ndft_case, cells)},
    {"kernel", OF_CONVOLUTIONS, "random", NULL, &ndft_value_source, kernels,
     offsetof(ndft_case, kernel)},
    {"w", OF_CHIRPS, "dft", NULL, &ndft_value_polar, "dft", offsetof(ndft_case, w)},
    {"a", OF_CHIRPS, "1:0", NULL, &ndft_value_polar, NULL, offsetof(ndft_case, a)},
    {"n", OF_CASES, NULL, "n=64x64", &ndft_value_sizes, NULL, offsetof(ndft_case, n)},
    {"m", OF_CASES, NULL, "m=4096", &ndft_value_whole, &samples, offsetof(ndft_case, m)},
    {"traj", OF_CASES, "random", NULL, &ndft_value_source, trajectories, offsetof(ndft_case, traj)},
    {"t", OF_CASES, "0", NULL, &ndft_value_real, &readout, offsetof(ndft_case, t)},
    {"times", OF_CASES, "none", NULL, &ndft_value_source, files, offsetof(ndft_case, times)},
    {"field", OF_CASES, "none", NULL, &ndft_value_source, fields, offsetof(ndft_case, field)},
    {"decay", OF_CASES, "none", NULL, &ndft_value_source, decays, offsetof(ndft_case, decay)},
    {"phase", OF_CASES, "none", NULL, &ndft_value_source, phases, offsetof(ndft_case, phase)},
    {"grad", OF_CASES, "none", NULL, &ndft_value_source, gradients, offsetof(ndft_case, grad)},
    {"grid", OF_CASES, "none", NULL, &ndft_value_source, files, offsetof(ndft_case, grid)},
    {"mask", OF_CASES, "none", NULL, &ndft_value_source, masks, offsetof(ndft_case, mask)},
    {"fov", OF_CASES, "220mm", NULL, &ndft_value_real, &extent, offsetof(ndft_case, fov)},
    {"coils", OF_CASES, "1", NULL, &ndft_value_whole, &coils, offsetof(ndft_case, coils)},
    {"maps", OF_CASES, "none", NULL, &ndft_value_source, coil_maps, offsetof(ndft_case, maps)},
    {"layout", OF_CASES, "planar", NULL, &ndft_value_word, layouts, offsetof(ndft_case, layout)},
    {"prec", OF_CASES, "f32", NULL, &ndft_value_word, precisions, offsetof(ndft_case, prec)},
    {"tol", OF_ALL, "1e-4", NULL, &ndft_value_real, &tolerance, offsetof(ndft_case, tol)},
    {"tol_kind", OF_ALL, "typical", NULL, &ndft_value_word, tolerances,
     offsetof(ndft_case, tol_kind)},
    {"data", OF_ALL, "random", NULL, &ndft_value_source, data, offsetof(ndft_case, data)},
    {"seed", OF_ALL, "1", NULL, &ndft_value_whole, &seed, offsetof(ndft_case, seed)},
};

enum { KEYS = sizeof keys / sizeof *keys };

const ndft_key *ndft_key_next(ndft_kind_of_problem kind, const ndft_key *key)
{
    key = key ? key + 1 : keys;
    while (key < keys + KEYS && !(key->kinds >> kind & 1)) key++;
    return key < keys + KEYS ? key : NULL;
}

const ndft_key *ndft_key_of(ndft_kind_of_problem kind, const char *name, size_t size)
{
    const ndft_key *key = NULL;
    while ((key = ndft_key_next(kind, key)))
        if (strlen(key->name) == size && !memcmp(key->name, name, size)) break;
    return key;
}

const ndft_key *ndft_key_find(const char *name, size_t size)
{
    return ndft_key_of(NDFT_NONUNIFORM, name, size);
}

unsigned ndft_key_bit(const ndft_key *key) { return 1u << (key - keys); }

bool ndft_is_spiral(const ndft_case *c)
{
    return c->traj.kind == NDFT_TRAJ_SPIRAL || c->traj.kind == NDFT_TRAJ_VDSPIRAL;
}

bool ndft_has_fov(const ndft_case *c)
{
    return ndft_is_spiral(c) || c->phase.kind == NDFT_PHASE_CONCOMITANT;
}

bool ndft_key_is_printed(const ndft_key *key, const ndft_case *c)
{
    if (key->type == &ndft_value_callback)
        return ((const ndft_case_callback *)ndft_key_value(key, c))->word != NDFT_CALLBACK_NONE;
    if (key->offset == offsetof(ndft_case, fov)) return ndft_has_fov(c);
    if (key->offset == offsetof(ndft_case, times)) return c->times.kind != NDFT_SOURCE_NONE;
    if (key->offset == offsetof(ndft_case, decay)) return c->decay.kind != NDFT_SOURCE_NONE;
    if (key->offset == offsetof(ndft_case, grid)) return c->grid.kind != NDFT_SOURCE_NONE;
    if (key->offset == offsetof(ndft_case, maps)) return c->maps.kind != NDFT_SOURCE_NONE;
    if (key->offset == offsetof(ndft_case, phase)) return c->phase.kind != NDFT_SOURCE_NONE;
    if (key->offset == offsetof(ndft_case, tol_kind)) return c->tol_kind != NDFT_TOL_TYPICAL;
    if (key->offset == offsetof(ndft_case, data))
        return c->kind == NDFT_NONUNIFORM || c->data.kind != NDFT_SOURCE_RANDOM;
    return true;
}

const char *ndft_key_nearest(ndft_kind_of_problem kind, const char *name)
{
    const char *names[KEYS + 1] = {NULL};
    int n = 0;
    for (const ndft_key *key = NULL; (key = ndft_key_next(kind, key));) names[n++] = key->name;
    return ndft_nearest(name, names);
}
