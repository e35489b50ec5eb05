/* SPDX-License-Identifier: Apache-2.0 */
#include "trajectory_families.h"

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
ndft_status ndft_trajectory_epi(ndft_trajectory *traj, ndft_error *err)
{
    (void)err;
    const ndft_case *c = traj->problem;
    int64_t nx = c->n[0], ny = c->n[1];
    int64_t train = ndft_epi_train(c, traj->length);
    int64_t width = (traj->length + train - 1) / train; /* samples of a line */
    double step = ndft_snap((double)nx / (double)width, nx);
#pragma omp parallel for
    for (int64_t j = 0; j < c->m; j++) {
        int64_t shot = j / traj->length, i = j % traj->length, line = i / width, x = i % width;
        int64_t ky = shot + line * traj->shots;
        if (line % 2) x = width - 1 - x;
        traj->k[0][j] = step * (double)(x - width / 2);
        traj->k[1][j] = ndft_snap((double)ny * (double)ky / (double)(train * traj->shots), ny) -
                        (double)(ny / 2);
    }
    return NDFT_OK;
}
