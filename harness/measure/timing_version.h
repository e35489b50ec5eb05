/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TIMING_VERSION_H
#define NDFT_TIMING_VERSION_H

/*
 * Of the clock: what a sample is, how samples are taken, and what is published of them. To be
 * raised whenever the same kernel on the same device would be recorded with another time or another
 * interval: another warm-up, other rounds, modes that queue or flush otherwise, a stopping rule,
 * another estimate. A field that is only added is no reason. Records of ndft-results/1 are of 1.
 *
 * 2: steady timings and bursts, transforms in place on data that are put back before they grow
 * beyond all bounds, intervals of several processes.
 *
 * 3: what a variant says of its cost is not timed. On a processor, where 2 timed it, a nonuniform
 * FFT with a field map took up to twice its time. On a device that queues both are the same: there
 * it was done while the device worked, or such samples are host-bound.
 */
enum { NDFT_TIMING_VERSION = 3 };

#endif
