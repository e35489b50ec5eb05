#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Sweeps that are killed, parent and worker, at random moments, and resumed until they are done: no
# finished record is lost or doubled, and --resume finishes. Then disks that are full, and folders
# that cannot be written. Run from the repository root.
#
# usage: tests/cli/resume.sh        NDFT_PROGRAM: what to test (build/ndft); NDFT_SEED: of the moments
set -u
program=${NDFT_PROGRAM:-build/ndft} seed=${NDFT_SEED:-$(date +%s)}
folder=$(mktemp -d) || exit 3
trap 'rm -rf "$folder"' EXIT
export NDFT_CACHE=
line='naive[.]cpu : {forward,adjoint} 2d n={8x8,9x9,10x10} m={300,301,302}'
planned=18

fail() {
    echo "failed with NDFT_SEED=$seed: $*" >&2
    tail -n 3 "$folder/said" >&2
    sed 's/"samples_s":\[[^]]*\]/"samples_s":[...]/' "$out" | cut -c 1-300 >&2
    exit 1
}

# sweep FILE [OPTION]...
sweep() {
    "$program" sweep --case "$line" --budget 0.1 -o "$@"
}

# The keys of finished records, in order, repetitions and all.
keys() {
    grep '^{"type":"case".*}$' "$1" | grep -v '"stop":"interrupted"' |
        sed 's/.*"key":"\([0-9a-f]*\)".*/\1/' | sort
}

# One line a round: seconds until the worker is killed, or none; seconds until the parent gets a
# signal; which.
moments() {
    awk -v seed="$1" 'BEGIN {
        srand(seed); split("KILL TERM INT HUP QUIT", signals)
        for (i = 0; i < 200; i++) printf "%s %.2f %s\n",
            rand() < 0.4 ? sprintf("%.2f", 0.02 + 0.2 * rand()) : "none",
            0.02 + 0.3 * rand(), signals[int(1 + 5 * rand())] }'
}

# round WORKER PARENT SIGNAL: runs a sweep and disturbs it; its exit status is in $status.
round() {
    "$program" sweep --case "$line" --budget 0.1 -o "$out" --resume >/dev/null 2>"$folder/said" &
    pid=$! # of the program itself, not of a shell around it
    if [ "$1" != none ]; then
        sleep "$1"
        kill -s KILL $(cat "/proc/$pid/task/$pid/children" 2>/dev/null) 2>/dev/null
    fi
    sleep "$2"
    kill -s "$3" $pid 2>/dev/null
    wait $pid 2>/dev/null
    status=$?
}

# Kills and resumes until a sweep reaches its end.
ordeal() {
    out=$folder/$1.jsonl rounds=0
    : >"$out"
    moments "$1" >"$folder/moments"
    while read -r worker parent signal; do
        cp "$out" "$folder/before"
        round "$worker" "$parent" "$signal" </dev/null
        rounds=$((rounds + 1))
        head -c "$(wc -c <"$folder/before")" "$out" | cmp -s - "$folder/before" ||
            fail "a record was changed after SIG$signal"
        [ -z "$(keys "$out" | uniq -d)" ] || fail "a record was doubled"
        case $status in
        0 | 1) break ;;                          # 1: a worker was killed, which is a crash
        4) [ "$signal" != KILL ] || fail "exit 4 without an interruption" ;;
        129 | 130 | 131 | 137 | 143) ;;          # killed, or before it could listen
        *) fail "exit $status after SIG$signal" ;;
        esac
    done <"$folder/moments"
    keys "$out" | cmp -s - "$folder/keys" || fail "after $rounds rounds the keys differ"
    sweep "$out" --resume >/dev/null 2>&1
    again=$?
    [ $again -eq $status ] || fail "exit $status, and $again of the finished sweep resumed"
    keys "$out" | cmp -s - "$folder/keys" || fail "a finished sweep was run again"
    sweep "$out" --retry >/dev/null 2>&1 || fail "--retry does not finish"
    passed=$(grep '"verdict":"pass"' "$out" | grep -v '"stop":"interrupted"' |
        sed 's/.*"key":"\([0-9a-f]*\)".*/\1/' | sort -u | wc -l)
    [ "$passed" -eq $planned ] || fail "$passed of $planned pass after --retry"
    echo "seed $1: done after $rounds rounds, $(grep -c '"verdict":"crashed"' "$out") crashes"
}

# refused FILE: a sweep into it exits 3 before anything has run.
refused() {
    sweep "$1" >"$folder/said" 2>&1
    status=$?
    [ $status -eq 3 ] || fail "exit $status for $1"
    ! grep -q ETA "$folder/said" || fail "something ran although $1 cannot be written"
}

out=$folder/undisturbed.jsonl
echo "seed $seed"
sweep "$out" >/dev/null 2>&1 || fail "an undisturbed sweep fails"
keys "$out" >"$folder/keys"
[ "$(uniq "$folder/keys" | wc -l)" -eq $planned ] || fail "not $planned keys"

seeds='0 1'
[ -z "${NDFT_TURNS:-}" ] || seeds=$(($(date +%s) / 86400 % 2)) # by turns
for more in $seeds; do
    ordeal $((seed + more))
done

[ ! -e /dev/full ] || refused /dev/full
refused "$out/below-a-file.jsonl"
out=$folder/full.jsonl
half=$(($(wc -c <"$folder/undisturbed.jsonl") / 1024)) # in blocks of 512 bytes
(ulimit -f $half && sweep "$out" >/dev/null 2>&1)
[ $? -eq 3 ] || fail "a disk that becomes full is not exit 3"
! grep -qv '^{.*}$' "$out" || fail "a full disk left a torn line"
[ "$(keys "$out" | wc -l)" -ge 1 ] || fail "a full disk kept nothing"
sweep "$out" --resume >/dev/null 2>&1 || fail "what a full disk left does not resume"
keys "$out" | cmp -s - "$folder/keys" || fail "the keys after a full disk differ"
echo "full disks and unwritable folders: refused, or the records intact"
