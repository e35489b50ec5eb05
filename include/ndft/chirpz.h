/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHIRPZ_H
#define NDFT_CHIRPZ_H

#include <ndft/polar.h>
#include <ndft/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The chirp z-transform (Rabiner, Schafer and Rader, Bell Syst. Tech. J. 48, 1969) with any complex
 * ratio W and start A: samples X of the z-transform of x at A W^-k, on an arc of the unit circle
 * (a zoom into the spectrum) or a spiral off it,
 *
 *     forward   X_k = sum_n x_n A^-n W^(n k)             input -> output
 *     adjoint   x_n = sum_k X_k conj(A^-n W^(n k))       output -> input
 *     normal    forward and then adjoint                 input -> input
 *
 * with n = 0..N-1 and k = 0..M-1. Arrays are complex numbers of prec, real and imaginary part side
 * by side, [batch][N] and [batch][M]. Nothing is scaled: adjoint is not inverse. tol is of the
 * error over the root of the sum of all |entries|^2, as is to be expected of white data (typical),
 * or of the largest over |x|_1 and the largest entry, of normal over its square times M, whatever
 * the data (any).
 */
typedef struct ndft_chirpz_desc {
    size_t struct_size;     /* sizeof(ndft_chirpz_desc) */
    int64_t n;              /* N, 1 to 2^26 */
    int64_t outputs;        /* M, 1 to 2^26; 0: N */
    ndft_polar w;           /* W: modulus 1e-6..1e6, turns -1..1; a modulus of 0 is 1, and all 0
                             * exp(-2 pi i/M), M samples around the circle */
    ndft_polar a;           /* A, likewise; all 0: 1 */
    ndft_prec prec;         /* of data, and of the computation */
    int batch;              /* 1..256 inputs of one execution, one after the other; 0: 1 */
    double tol;             /* error that is allowed, 1e-13..1; 0: 1e-4 (f32), 1e-9 (f64) */
    ndft_tol_kind tol_kind; /* of what error */
} ndft_chirpz_desc;

/*
 * A chirp z-transform as a problem, whose plans have all three operations, by the engines that
 * `ndft list` has of kind chirpz: a convolution with chirps (Bluestein, IEEE Trans. Audio
 * Electroacoust. 18, 1970), whose error grows where |W| is not 1, or the sum itself, which takes
 * N M steps. ndft_problem_lengths has N and M in place of voxels and samples. NDFT_EINVAL names the
 * field that is wrong with the nearest right one, and where entries exceed the root of the
 * precision's largest number the nearest modulus that does; ndft_plan_create is NDFT_EUNSUPPORTED
 * where no engine promises tol, with what each promises.
 */
NDFT_API ndft_status ndft_chirpz_create(ndft_device *, const ndft_chirpz_desc *,
                                        ndft_problem **problem);

#ifdef __cplusplus
}
#endif
#endif
