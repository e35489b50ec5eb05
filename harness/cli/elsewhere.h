/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ELSEWHERE_H
#define NDFT_ELSEWHERE_H

#include "base/exec.h"

/*
 * A device that need not be here, "cuda" or "cuda:capability=89,units=128,mhz=2520,gb=24,gbs=1008":
 * the one that the library's model is of, with other values for what is named (gb: of memory; gbs:
 * that it moves in a second). NDFT_EINVAL names the word
 * that is none.
 */
ndft_status ndft_elsewhere_parse(const char *text, ndft_device *, ndft_error *);

#endif
