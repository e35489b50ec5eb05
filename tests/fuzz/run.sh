#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/fuzz/run.sh SECONDS: builds libFuzzer's programs and runs each for its share of the time, as
# many beside each other as there are cores. What is new to them stays in build-asan/found; an input
# that breaks a promise fails the run, which prints the command that repeats it.
set -u
cd "$(dirname "$0")/../.." || exit 3
seconds=${1:-60}
case $seconds in
*[!0-9]* | '') echo "usage: tests/fuzz/run.sh SECONDS, not '$seconds'" >&2 && exit 2 ;;
esac

if ! echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
    clang -fsanitize=fuzzer -x c -o /dev/null - 2>/dev/null; then
    echo "clang or its libFuzzer is missing; on Debian and Ubuntu:" \
        "apt-get install clang libclang-rt-dev libomp-dev" >&2
    exit 3
fi
cores=$(nproc)
[ -f build-asan/build.ninja ] || cmake --preset asan >/dev/null || exit 3
cmake --build --preset fuzz -j "$cores" || exit 3

TMPDIR=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) || exit 3
export TMPDIR OMP_NUM_THREADS=1 UBSAN_OPTIONS=print_stacktrace=1
export ASAN_OPTIONS=intercept_tls_get_addr=0 # tests/CMakeLists.txt says why
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 4' INT TERM

mkdir -p build-asan/failures
# The words of the grammars and the fields of files are what the sources compare with.
find harness/case harness/files harness/cli variants -name '*.c' \
    -exec grep -oh '"[A-Za-z_:=./ ]\{2,40\}"' {} + | sort -u >build-asan/words

targets=$(find tests/fuzz -name 'fuzz_*.c' -exec basename {} .c \; | sort)
share=$((seconds * cores / $(echo "$targets" | wc -l)))
[ $share -le "$seconds" ] || share=$seconds
export share

# Without sanitizers, and on a machine that has nothing else to do, 30 s are one or two.
# shellcheck disable=SC2016 # expanded by the inner shell
echo "$targets" | xargs -P "$cores" -n 1 sh -c '
    log=build-asan/$0.log
    mkdir -p "build-asan/found/$0"
    "build-asan/tests/fuzz/$0" -max_total_time="$share" -timeout=30 -malloc_limit_mb=512 \
        -dict=build-asan/words -artifact_prefix="build-asan/failures/$0-" \
        "build-asan/found/$0" "build-asan/tests/fuzz/corpus/${0#fuzz_}" >"$log" 2>&1 &&
        printf "%s: %s\n" "$0" "$(tail -n 1 "$log")" && exit
    grep -a -E "broken promise|ERROR:|runtime error" "$log"
    found=$(sed -n "s/.*Test unit written to //p" "$log")
    echo "$0 failed, see $log; repeat it: build-asan/tests/fuzz/$0 $found"
    exit 1' || exit 1
