/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_POLAR_H
#define NDFT_POLAR_H

/* A complex number, modulus exp(2 pi i turns): a phase in turns is reduced without an error. */
typedef struct ndft_polar {
    double modulus; /* its magnitude */
    double turns;   /* its phase over 2 pi */
} ndft_polar;

#endif
