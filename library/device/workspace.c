/* SPDX-License-Identifier: Apache-2.0 */
#include "workspace.h"

#include <stddef.h>
#include <string.h>

static const char *const names[] = {
    "a copy of the input",
    "a grid between axes",
    "an array between axes",
    "an array between two axes",
    "arrays between axes",
    "cells of a convolution",
    "data in units",
    "folded data",
    "grid",
    "grids",
    "grids of lines",
    "grids of the convolution",
    "image",
    "image of a batch",
    "images of all coils",
    "input times a chirp",
    "outputs of a convolution",
    "oversampled grids",
    "packed input",
    "packed output",
    "padded lines",
    "parts of shared sums",
    "parts of split sums",
    "results",
    "samples between forward and adjoint",
    "scales of data",
    "split data",
    "staged input",
    "sums of chains",
    "sums over slabs",
    "the FFT's work area",
    "the grid",
    "the lattice",
    "voxels in order",
    "workspace",
};

bool ndft_is_workspace(const char *what)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], what)) return true;
    return false;
}
