/* SPDX-License-Identifier: Apache-2.0 */
#include "trajectory.h"

#include "files/role.h"
#include "positions.h"
#include "rng.h"

#include <math.h>

/* Shots of so many samples, and with them the clock. */
static void set_clock(ndft_trajectory *traj, int64_t length)
{
    traj->length = length;
    traj->dwell = ndft_dwell(traj->problem->t, length);
#pragma omp parallel for
    for (int64_t j = 0; j < traj->problem->m; j++) traj->t[j] = (double)(j % length) * traj->dwell;
}

/* First sample of a shot; m for shots beyond. */
static int64_t first_of(const ndft_trajectory *traj, int64_t shot)
{
    int64_t m = traj->problem->m;
    return shot > m / traj->length ? m : shot * traj->length < m ? shot * traj->length : m;
}

/* Rounds toward 0 to a multiple of 2^-15 cycles/FOV (coarser where n > 1024 leaves float no room),
 * so that lines are exactly uniform in float and never leave [-n/2, n/2]. */
static double snap(double k, int64_t n)
{
    double grid = 0x1p-15;
    while ((double)n / 2 > grid * 0x1p24) grid *= 2;
    return trunc(k / grid) * grid;
}

/*
 * A shot becomes a straight line through the centre of k-space, of `length` samples for its whole
 * diameter: sample i at direction * n_d * (i - floor(length/2)) / length. direction: within [-1, 1]
 * per axis.
 */
static void fill_diameter(ndft_trajectory *traj, int64_t shot, const double *direction, int axes)
{
    const int64_t first = first_of(traj, shot), count = first_of(traj, shot + 1) - first;
    const int64_t length = traj->length;
    for (int d = 0; d < axes; d++) {
        int64_t n = traj->problem->n[d];
        double step = snap(direction[d] * (double)n / (double)length, n);
        for (int64_t i = 0; i < count; i++) traj->k[d][first + i] = step * (double)(i - length / 2);
    }
}

/* Independent uniform positions in [-N/2, N/2) per axis: the worst case for every locality. */
static void fill_random(ndft_trajectory *traj)
{
    const ndft_case *c = traj->problem;
    for (int d = 0; d < c->dim; d++) {
        double reach = (double)c->n[d] / 2;
#pragma omp parallel for
        for (int64_t j = 0; j < c->m; j++)
            traj->k[d][j] =
                ndft_rng_uniform(c->seed, NDFT_STREAM_K + (uint64_t)d, (uint64_t)j, -reach, reach);
    }
}

/*
 * Straight spokes over the full diameter through the centre of k-space.
 *
 * radial: spoke j of S at the angle pi j / S (P. C. Lauterbur, Nature 242, 1973).
 * golden: spoke j at j times 111.246 degrees, pi over the golden ratio (S. Winkelmann et al., "An
 *   optimal radial profile order based on the golden ratio", IEEE Trans. Med. Imaging 26, 2007).
 * sos: a stack of stars: P planes along kz, each with the S spokes of radial, turned by pi p/(S P)
 *   from plane to plane (Z. Zhou et al., "Golden-ratio rotated stack-of-stars acquisition", Magn.
 *   Reson. Med. 78, 2017, turns by the golden angle instead). Plane p of P at
 *   nz (p - floor(P/2)) / P; plane by plane.
 */
static double angle_of(const ndft_source *source, int64_t shot)
{
    const double golden = M_PI * (sqrt(5.0) - 1) / 2;
    double spokes = (double)source->a;
    if (source->kind == NDFT_TRAJ_GOLDEN) return fmod((double)shot * golden, 2 * M_PI);
    if (source->kind == NDFT_TRAJ_RADIAL) return M_PI * (double)shot / spokes;
    double plane = (double)(shot / source->a), spoke = (double)(shot % source->a);
    return M_PI * (spoke + plane / (double)source->b) / spokes;
}

static void fill_radial(ndft_trajectory *traj)
{
    const ndft_source *source = &traj->problem->traj;
#pragma omp parallel for
    for (int64_t shot = 0; shot < traj->shots; shot++) {
        double angle = angle_of(source, shot), direction[2] = {cos(angle), sin(angle)};
        fill_diameter(traj, shot, direction, 2);
        if (source->kind != NDFT_TRAJ_SOS) continue;
        int64_t n = traj->problem->n[2], plane = shot / source->a - source->b / 2;
        double kz = snap((double)n * (double)plane / (double)source->b, n);
        for (int64_t j = first_of(traj, shot); j < first_of(traj, shot + 1); j++)
            traj->k[2][j] = kz;
    }
}

/*
 * Diameters through the centre of 3D k-space, their ends on a Fibonacci hemisphere: of S spokes,
 * spoke j at the height (j + 1/2)/S and the azimuth pi (3 - sqrt 5) j (R. Swinbank, R. J. Purser,
 * "Fibonacci grids: a novel approach to global modelling", Q. J. R. Meteorol. Soc. 132, 2006).
 */
static void fill_kooshball(ndft_trajectory *traj)
{
    const double turn = M_PI * (3 - sqrt(5.0));
#pragma omp parallel for
    for (int64_t shot = 0; shot < traj->shots; shot++) {
        double z = ((double)shot + 0.5) / (double)traj->shots, radius = sqrt(1 - z * z);
        double azimuth = fmod(turn * (double)shot, 2 * M_PI);
        double direction[3] = {radius * cos(azimuth), radius * sin(azimuth), z};
        fill_diameter(traj, shot, direction, 3);
    }
}

/*
 * Fermat's spirals on cones, S shots over three orthogonal hubs in turn (FLORET: J. G. Pipe et al.,
 * "A new design and rationale for 3D orthogonally oversampled k-space trajectories", Magn. Reson.
 * Med. 66, 2011). The cones of a hub have evenly spaced elevations up to 45 degrees either way of
 * its equator and are turned by the golden angle pi (3 - sqrt 5) from one to the next. On each the
 * azimuth grows with the square of the radius, T turns in all: the half-plane through a hub's axis
 * is then crossed at one density everywhere, with T = (pi/4) (N/2)^2 / cones once for every
 * (cycle/FOV)^2. Designed for the longest axis, others are scaled down; samples are read at equal
 * steps of the radius, from 0 to the reach, and no limit of gradients is checked.
 */
enum { HUBS = 3 };

static double floret_turns(const ndft_case *c, int64_t cones)
{
    const int64_t longest = c->n[0] > c->n[1] ? c->n[0] : c->n[1];
    const double reach = (double)(longest > c->n[2] ? longest : c->n[2]) / 2;
    return M_PI / 4 * reach * reach / (double)cones;
}

static void fill_cone(ndft_trajectory *traj, int64_t shot)
{
    const int64_t first = first_of(traj, shot), count = first_of(traj, shot + 1) - first;
    const int64_t hub = shot % HUBS, cone = shot / HUBS;
    const int64_t cones = (traj->shots - hub + HUBS - 1) / HUBS;
    const double elevation = M_PI / 4 * ((2 * (double)cone + 1) / (double)cones - 1);
    const double turned = fmod(M_PI * (3 - sqrt(5.0)) * (double)cone, 2 * M_PI);
    const double turns = floret_turns(traj->problem, cones);
    for (int64_t i = 0; i < count; i++) {
        const double rho = traj->length > 1 ? (double)i / (double)(traj->length - 1) : 0;
        const double azimuth = turned + 2 * M_PI * turns * rho * rho;
        const double place[HUBS] = {cos(elevation) * cos(azimuth), cos(elevation) * sin(azimuth),
                                    sin(elevation)};
        for (int d = 0; d < HUBS; d++) {
            const int axis = (int)(d + hub) % HUBS; /* the hub's own is z, x, y in turn */
            traj->k[axis][first + i] = (double)traj->problem->n[axis] / 2 * rho * place[d];
        }
    }
}

static void fill_floret(ndft_trajectory *traj)
{
#pragma omp parallel for
    for (int64_t shot = 0; shot < traj->shots; shot++) fill_cone(traj, shot);
}

int64_t ndft_epi_train(const ndft_case *c, int64_t length)
{
    const int64_t shots = ndft_case_shots(c), train = (c->n[1] + shots - 1) / shots;
    return train < length ? train : length;
}

/*
 * Interleaved echo-planar imaging (P. Mansfield, J. Phys. C 10, 1977; K. Butts et al., "Interleaved
 * echo planar imaging on a standard MRI system", Magn. Reson. Med. 31, 1994): each shot is a train
 * of lines along kx, read there and back. Together the S shots' trains cover ky evenly, about ny
 * lines in all; shot s reads lines s, s + S, s + 2S ... A shot's samples are spread over its lines,
 * the last of which may be cut short. Readout goes on without a pause between lines: ramps and
 * blips take no time.
 */
static void fill_epi(ndft_trajectory *traj)
{
    const ndft_case *c = traj->problem;
    int64_t nx = c->n[0], ny = c->n[1];
    int64_t train = ndft_epi_train(c, traj->length);
    int64_t width = (traj->length + train - 1) / train; /* samples of a line */
    double step = snap((double)nx / (double)width, nx);
#pragma omp parallel for
    for (int64_t j = 0; j < c->m; j++) {
        int64_t shot = j / traj->length, i = j % traj->length, line = i / width, x = i % width;
        int64_t ky = shot + line * traj->shots;
        if (line % 2) x = width - 1 - x;
        traj->k[0][j] = step * (double)(x - width / 2);
        traj->k[1][j] =
            snap((double)ny * (double)ky / (double)(train * traj->shots), ny) - (double)(ny / 2);
    }
}

/*
 * Positions from a file, as they are. The clock runs through all samples of an .npy file; where a
 * .cfl file has shots, it starts anew in each of them.
 */
static ndft_status fill_file(ndft_trajectory *traj, ndft_error *err)
{
    const ndft_case *c = traj->problem;
    int64_t shot_length;
    NDFT_TRY(ndft_positions_read(c->traj.path, &ndft_role_traj, c->dim, c->m, traj->scratch,
                                 traj->k, &shot_length, err));
    if (!shot_length) return NDFT_OK;
    traj->shots = c->m / shot_length;
    set_clock(traj, shot_length);
    return NDFT_OK;
}

/* dim 0: the family serves every dimension. */
static const struct {
    int dim;
    void (*fill)(ndft_trajectory *); /* NULL: one that may fail */
} families[] = {[NDFT_SOURCE_RANDOM] = {0, fill_random},
                [NDFT_SOURCE_FILE] = {0, NULL},
                [NDFT_TRAJ_RADIAL] = {2, fill_radial},
                [NDFT_TRAJ_GOLDEN] = {2, fill_radial},
                [NDFT_TRAJ_SPIRAL] = {2, NULL},
                [NDFT_TRAJ_VDSPIRAL] = {2, NULL},
                [NDFT_TRAJ_EPI] = {2, fill_epi},
                [NDFT_TRAJ_SOS] = {3, fill_radial},
                [NDFT_TRAJ_KOOSHBALL] = {3, fill_kooshball},
                [NDFT_TRAJ_FLORET] = {3, fill_floret}};

static ndft_status fill(ndft_trajectory *traj, ndft_error *err)
{
    const ndft_source_kind kind = traj->problem->traj.kind;
    if (kind == NDFT_SOURCE_FILE) return fill_file(traj, err);
    if (!families[kind].fill) return ndft_trajectory_spiral(traj, err);
    families[kind].fill(traj);
    return NDFT_OK;
}

ndft_status ndft_trajectory_make(const ndft_case *c, ndft_arena *scratch, ndft_trajectory *traj,
                                 ndft_error *err)
{
    if (c->traj.kind == NDFT_SOURCE_NONE || c->traj.kind > NDFT_TRAJ_FLORET)
        return ndft_fail(err, NDFT_EINVAL, "traj: no such trajectory");
    const int dim = families[c->traj.kind].dim;
    if (dim && dim != c->dim)
        return ndft_fail(err, NDFT_EINVAL, "traj: this trajectory exists in %dd, the case is %dd",
                         dim, c->dim);
    const int64_t shots = ndft_case_shots(c);
    if (shots < 1 || shots > c->m)
        return ndft_fail(err, NDFT_EINVAL, "traj: %lld shots for m=%lld samples; 1 to m are valid",
                         (long long)shots, (long long)c->m);
    *traj = (ndft_trajectory){.problem = c, .shots = shots, .scratch = scratch};
    for (int d = 0; d < c->dim; d++) {
        traj->k[d] = ndft_arena_alloc(scratch, "trajectory", c->m, sizeof(double), err);
        if (!traj->k[d]) return NDFT_ENOMEM;
    }
    traj->t = ndft_arena_alloc(scratch, "readout times", c->m, sizeof(double), err);
    if (!traj->t) return NDFT_ENOMEM;
    set_clock(traj, (c->m - 1) / shots + 1);
    NDFT_TRY(fill(traj, err));
    if (c->times.kind != NDFT_SOURCE_FILE) return NDFT_OK;
    return ndft_reals_read(c->times.path, &ndft_role_times, (int64_t[]){c->m}, 1, scratch, traj->t,
                           err);
}
