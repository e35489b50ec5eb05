/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Gives a target every file of a corpus, so that what was once found stays found without libFuzzer:
 * fuzz_NAME FOLDER. The last name printed is the one that failed. */

static void replay(const char *folder, const char *name)
{
    static uint8_t data[1 << 20];
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    printf("%s\n", path);
    fflush(stdout);
    FILE *file = fopen(path, "rb");
    fuzz_holds(file != NULL, "cannot read %s", path);
    const size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    const clock_t start = clock();
    LLVMFuzzerTestOneInput(data, size);
    fuzz_holds(clock() - start < CLOCKS_PER_SEC, "it takes more than a second");
}

static int visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

int main(int argc, char **argv)
{
    struct dirent **names = NULL;
    const int count = argc == 2 ? scandir(argv[1], &names, visible, alphasort) : -1;
    for (int i = 0; i < count; i++) {
        replay(argv[1], names[i]->d_name);
        free(names[i]);
    }
    free(names);
    if (count < 1) fprintf(stderr, "usage: fuzz_NAME FOLDER, a folder with a file or more\n");
    return count < 1;
}
