/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RENEW_H
#define NDFT_RENEW_H

#include "rig.h"

/*
 * Whoever overwrites its input transforms, when it is executed again, what it has left there. So
 * that such data stay finite the input is put back after every sample, outside of what is timed,
 * and a sample has no more executions than the data can take.
 */

/* Puts the input of the rig's operation back: queues a copy on the device, or uploads it where
 * memory for a copy is lacking. */
ndft_status ndft_rig_renew(ndft_rig *);

/* Executions in a row that no datum can overflow in: 1 where it is not known how fast they grow. */
int ndft_most_in_a_row(const ndft_rig *);

#endif
