/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DEVICE_FORKS_H
#define NDFT_DEVICE_FORKS_H

/* From now on plans may be executed, and made, in processes that the caller forks. */
void ndft_take_forks(void);

#endif
