/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RAPL_H
#define NDFT_RAPL_H

/*
 * Joules that all packages of the processor have counted, as the kernel tells in the folders
 * intel-rapl:N of powercap (AMD's packages too): "The Linux kernel user-space API guide, Power
 * Capping Framework". NaN where there are none, or they are not for this user to read. A counter
 * that has run over begins at 0 again.
 */
double ndft_rapl_joules(const char *powercap);

#endif
