/* SPDX-License-Identifier: Apache-2.0 */
#include "instruments.h"

const ndft_instruments *const ndft_all_instruments[] = {&ndft_instruments_cpu,
                                                        &ndft_instruments_cuda, NULL};
