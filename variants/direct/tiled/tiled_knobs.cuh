/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TILED_KNOBS_CUH
#define NDFT_TILED_KNOBS_CUH

#include "direct/staged.cuh"

/* The knobs of tiled.cuda; its ablations have all but the last. */

namespace
{

const char *const sincos_words[] = {"auto", "hardware", "libm", nullptr};
enum { SINCOS_AUTO, SINCOS_HARDWARE, SINCOS_LIBM };
enum { TILE, OUTPUTS, THREADS, SINCOS }; /* knobs, in order */

const ndft_knob knobs[] = {
    {"tile", "inputs", "inputs staged at a time", nullptr, 512, 6, {32, 64, 128, 256, 512, 1024}},
    {"outputs",
     "per thread",
     "outputs in the registers of a thread; 0 chooses by the problem",
     nullptr,
     0,
     5,
     {0, 1, 2, 4, 8}},
    {"threads",
     "per block",
     "most threads of a block; fewer where registers or outputs are",
     nullptr,
     1024,
     4,
     {128, 256, 512, 1024}},
    {"sincos",
     "",
     "sine and cosine; auto is hardware in f32, libm in f64",
     sincos_words,
     0,
     3,
     {SINCOS_AUTO, SINCOS_HARDWARE, SINCOS_LIBM}},
};

ndft_staging staging_of(const int *k) { return {k[TILE], k[OUTPUTS], k[THREADS]}; }

} // namespace

#endif
