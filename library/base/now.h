/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NOW_H
#define NDFT_NOW_H

/* Seconds of a clock that only goes forward. */
double ndft_now_s(void);

#endif
