/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RENEW_H
#define NDFT_RENEW_H

#include "fixture.h"

/*
 * Whoever overwrites its input transforms, when it is executed again, what it has left there. So
 * that such data stay finite the input is put back after every sample, outside of what is timed,
 * and a sample has no more executions than the data can take.
 */

/* Puts the input of the fixture's operation back: queues a copy on the device, or uploads it where
 * memory for a copy is lacking. */
ndft_status ndft_fixture_renew(ndft_fixture *);

/* Executions in a row that no datum can overflow in: 1 where it is not known how fast they grow. */
int ndft_most_in_a_row(const ndft_fixture *);

#endif
