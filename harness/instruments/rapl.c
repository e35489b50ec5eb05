/* SPDX-License-Identifier: Apache-2.0 */
#include "rapl.h"

#include <math.h>
#include <stdio.h>

double ndft_rapl_joules(const char *powercap)
{
    double sum = 0, microjoules;
    int package = 0;
    while (1) {
        char path[256];
        snprintf(path, sizeof path, "%s/intel-rapl:%d/energy_uj", powercap, package);
        FILE *file = fopen(path, "r");
        const int read = file ? fscanf(file, "%lf", &microjoules) : 0;
        if (file) fclose(file);
        if (read != 1) return package ? sum : NAN;
        sum += 1e-6 * microjoules;
        package++;
    }
}
