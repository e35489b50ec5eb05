#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# loop_names.sh OUTPUT ISA OBJECT...: writes C by which the loops of these objects, compiled for ISA, have
# the names of those for other instruction sets, too: each is a jump.
set -eu
output=$1 isa=$2
shift 2
nm "$@" | awk -v isa="_${isa}_f" '$2 == "T" && $3 ~ isa {
    for (level = 2; level <= 4; level++) {
        name = $3
        sub(isa, "_v" level "_f", name)
        if (name != $3) printf "__asm__(\".globl %s\\n.hidden %s\\n%s: jmp %s\");\n", name, name, name, $3
    }
}' >"$output"
