#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Everything that needs a GPU: the gpu tests, compute-sanitizer over small cases, the sweeps of what
# is recorded. For a machine that has the GPU but not the tools to build: the programs are
# relocatable.
#
# usage: tests/gpu.sh PROGRAMS RECORDS [tests|exact|nufft|uniform|sanitize [TURN]]  PROGRAMS holds
#        ndft, ndft-variant-tests, ndft-planted, ndft-clock, ndft-bulk-copies, ndft-split-four,
#        ndft-two-passes, ndft-order, ndft-costs, the library_* that library() runs, libndft.so.0,
#        libndft_cuda.so.0 and, where there is none, libcmocka.so.0; RECORDS is the folder for the
#        record files. tests runs the tests, sanitize those of them that compute-sanitizer watches,
#        the others sweep what is recorded; without the third word all: five, ten, six and two
#        minutes.
#        compute-sanitizer sees every 73rd of its cases at a time, by the day's number, or TURN, of
#        0 to 72. Run from the repository root. Exit status 1: something failed.
set -u
case ${3-all} in all | tests | exact | nufft | uniform | sanitize) ;; *) set -- ;; esac
case ${4-0} in [0-9] | [1-6][0-9] | 7[0-2]) ;; *) set -- ;; esac
[ $# -ge 2 ] && [ $# -le 4 ] || { sed -n '3,16s/^# \{0,1\}//p' "$0" >&2; exit 2; }
programs=$1 records=$2 part=${3-all} turns=73
turn=${4-$(($(date +%s) / 86400 % turns))}
failed=0 began=$(date +%s)
# Programs beside each other share the processor: threads that spin while they wait stop them all.
export OMP_WAIT_POLICY=passive NCCL_NVLS_ENABLE=0 # memory that several GPUs share is not everywhere
# The programs do not carry cuFFT, nor the host's FFT, which nothing here needs.
export LD_LIBRARY_PATH="$programs:/usr/local/cuda/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

step() {
    echo "== $* ($(($(date +%s) - began)) s after the start)"
    "$@"
    case $? in
    0) ;;
    77) echo "== skipped: $*" ;;
    *) echo "== failed: $*"; failed=1 ;;
    esac
}

# What no clock watches runs beside each other, one for every core, on each GPU in turn: aside
# COMMAND..., and together waits for all of them and shows what failed, how many passed, and the
# seconds of each.
asides=0 gpus=$(nvidia-smi -L | grep -c .)
aside() {
    while [ $((asides - $(find "$records" -name 'aside-*.rc' | wc -l))) -ge "$(nproc)" ]; do sleep 0.2; done
    asides=$((asides + 1))
    {
        at=$(date +%s)
        OMP_NUM_THREADS=2 CUDA_VISIBLE_DEVICES=${CUDA_VISIBLE_DEVICES-$((asides % (gpus + !gpus)))} \
            "$@" >"$records/aside-$asides.txt" 2>&1
        echo "$? $(($(date +%s) - at)) s: $*" >"$records/aside-$asides.rc"
    } &
}

ended() {
    read -r code _ <"$records/aside-$1.rc"
    if [ "$code" = 0 ]; then pattern=' passed,'; else pattern=; fi
    grep "$pattern" "$records/aside-$1.txt"
    rm -f "$records/aside-$1.txt" "$records/aside-$1.rc"
    return "$code"
}

together() {
    wait
    while [ $asides -gt 0 ]; do
        step ended $asides "$(cut -d ' ' -f 2- "$records/aside-$asides.rc")"
        asides=$((asides - 1))
    done
}

# sanitize TOOL CASE: every variant. What racecheck cannot judge is left out (judge_racecheck).
sanitize() {
    if [ "$1" = racecheck ]; then left_out=$blind; else left_out=; fi
    # shellcheck disable=SC2086 # an option and its value, or nothing
    compute-sanitizer --tool "$1" --error-exitcode 9 $left_out "$programs/ndft" check "$2" \
        --variant '.*[.]cuda|(tiled_no_trig|tiled_no_mac)[.]cuda' --in-process
}

# coil_gemm takes its data by bulk copies, whose barriers racecheck may not know. It is asked about
# a kernel that does the same and is right: where it sees hazards there, its word on coil_gemm's
# bulk copies is worth nothing, and they are left out.
judge_racecheck() {
    blind=
    "$programs/ndft-bulk-copies" right
    [ $? -ne 77 ] || return 0
    if compute-sanitizer --tool racecheck --error-exitcode 9 "$programs/ndft-bulk-copies" right \
        >"$records/bulk-copies.txt" 2>&1; then
        compute-sanitizer --tool racecheck --error-exitcode 9 "$programs/ndft-bulk-copies" racy \
            >"$records/bulk-copies.txt" 2>&1 && echo "== racecheck sees no hazard in racy bulk copies"
        return 0
    fi
    option=$(compute-sanitizer --help | grep -o 'kernel-[a-z]*-exclude' | head -n 1)
    blind="--${option:-kernel-name-exclude} kernel_substring=ndft_coil_bulk"
    echo "== racecheck leaves out ndft_coil_bulk: it sees hazards in bulk copies that are right"
}

# What compute-sanitizer is to see, a line each: TOOL CASE. Gradients in double have a wider
# tolerance than the usual one, by which an engine spreads thousands of columns under racecheck.
sanitized() {
    for coils in 1 2 3 5 8 9 15 16 17 31 32 33; do
        for shape in 'forward 1d n=65 m=129' 'forward 2d n=61x87 m=503 traj=golden:31' \
            'adjoint 2d n=17x13 m=301 traj=radial:7 layout=interleaved' \
            'forward 3d n=22x19x26 m=401 traj=kooshball:40' \
            'adjoint 3d n=5x7x6 m=131 traj=kooshball:9'; do
            for rest in 'grad=none' 'grad=random:20Hz' 'grad=random:90Hz' 'prec=f64' \
                'prec=f64 tol=1e-6 grad=random:20Hz'; do
                for tool in memcheck racecheck synccheck initcheck; do
                    echo "$tool $shape coils=$coils field=random:150Hz t=20ms $rest"
                done
            done
        done
        for tool in memcheck racecheck synccheck initcheck; do
            echo "$tool uniform:scfo3.17x5*$coils"
            echo "$tool uniform:drbi8x6*2i1,1,7,50o1,1,14,100"
            # initcheck does not see what bulk copies write, which the next axis reads
            case $tool in initcheck) echo "$tool uniform:scfo127*$coils" ;; *) echo "$tool uniform:scfo127x9*$coils" ;; esac
        done
    done
}

# Every 73rd of these, which divides no count in them, beside each other.
run_sanitizers() {
    if ! command -v compute-sanitizer >/dev/null; then
        echo "== skipped: compute-sanitizer is not installed"
        return
    fi
    judge_racecheck
    sanitized | sed -n "$((turn + 1))~${turns}p" >"$records/sanitized.txt"
    while read -r tool case; do
        aside sanitize "$tool" "$case"
    done <"$records/sanitized.txt"
}

# Every variant against the reference, and its claims.
cover() {
    for pattern in 't.*' 'f.*' 's.*' 'h.*' '[ol].*' 'c.*' '([^bcfhlnostu]|n[^u]).*' \
        'uniform_[nv].*' 'uniform_[^nv].*' 'bluestein_f.*' 'bluestein_si.*' 'bluestein_sp.*' \
        'nufft_sc.*' 'nufft_su.*' 'nufft_[lt].*' 'nufft_h.*' 'nufft_o.*' 'nufft_g.*' 'nufft_[^glhost].*'; do
        aside "$programs/ndft-variant-tests" --backend cuda --variant "($pattern)[.]cuda" \
            --coverage tests/conformance/coverage.def
    done
    aside "$programs/ndft-variant-tests" --backend cuda --claims configs/claims.ndft
    aside "$programs/ndft-variant-tests" --backend cuda --variant "(uniform|bluestein)_.*|rader[.]cuda|stockham[.]cuda" \
        --claims configs/claims_uniform.ndft
    for pattern in '[^bnut].*' 't.*' 'n[^u].*' 'uniform_.*' 'bluestein_.*' 'nufft_[^st].*' 'nufft_[st].*'; do
        aside "$programs/ndft-variant-tests" --backend cuda --variant "($pattern)[.]cuda" --adversary
    done
}

# One variant that is lost at one moment: loses VERDICT WORDS DEATH WHEN. The naive variant after it,
# on a device that was lost, must pass.
loses() {
    case='forward 2d n=17x13 m=301'
    printf '%s\n' "deadly[.]cuda death=$3 when=$4 : $case" "deadly[.]cuda death=none : $case" \
        >"$records/deadly.ndft"
    "$programs/ndft-planted" sweep "$records/deadly.ndft" -o "$records/deadly.jsonl" --force --deadline 10 \
        --budget 0.01 >"$records/deadly.txt" 2>&1
    grep "death=$3" "$records/deadly.jsonl" | grep "\"verdict\":\"$1\",\"reason\":\"[^\"]*$2" |
        grep -q "\"phase\":\"$4\"" && grep 'death=none' "$records/deadly.jsonl" |
        grep -q '"verdict":"pass"' || { cat "$records/deadly.txt" "$records/deadly.jsonl"; return 1; }
}

# One variant that is wrong where no first check looks: mistaken MODE WHEN. The naive variant beside
# it must pass.
mistaken() {
    "$programs/ndft-planted" sweep --case \
        "deadly[.]cuda death={wrong,none} when=$2 : forward 2d n=17x13 m=301" --modes "$1" \
        -o "$records/mistaken.jsonl" --force --budget 0.1 --min-samples 101 >"$records/mistaken.txt" 2>&1
    grep 'death=wrong' "$records/mistaken.jsonl" |
        grep -q "\"verdict\":\"wrong\",\"reason\":\"in mode $1: " &&
        grep 'death=none' "$records/mistaken.jsonl" | grep -q '"verdict":"pass"' ||
        { cat "$records/mistaken.txt" "$records/mistaken.jsonl"; return 1; }
}

# Cases beyond 2^28 pairs are held against every output, summed in double on the GPU: refereed
# BACKEND VARIANT CASE.
refereed() {
    told=$(NDFT_CACHE='' "$programs/ndft" check "$3" --backend "$1" --variant "$2" --json 2>&1)
    echo "$told" | grep -q '"verdict": *"pass".*"reference": *"gpu"' || { echo "$told"; return 1; }
}

# Axes of unequal length whose transforms share a kernel: it must be allowed the larger's memory.
long_axes() {
    for case in 'n=800x640 m=64 coils=3' 'n=200x160 m=64 coils=3 prec=f64'; do
        aside "$programs/ndft" check "forward 2d $case" --backend cuda --variant 'nufft_.*[.]cuda'
    done
}

# Planar grids in blocks where lines are many: each length that has kernels, along x, y and z.
many_lines() {
    for n in 48x64x96 64x80x128 80x96x160 96x128x200 128x160x48 160x200x64 200x48x96 256x64x80 64x256x80 \
        48x80x256; do
        for op in forward adjoint; do
            aside "$programs/ndft" check "$op 3d n=$n m=301 traj=kooshball:7" --backend cuda \
                --variant 'nufft_scatter[.]cuda' --knob fft=own
        done
    done
    aside "$programs/ndft" check 'adjoint 2d n=160x128 m=301 traj=golden:7 coils=33' --backend cuda \
        --variant 'nufft_.*[.]cuda'
}

# Lines of one dimension by clusters: each length that has kernels, and coil maps, which others serve.
long_lines() {
    for n in 1000 2048 3077 4095; do
        for prec in f32 f64; do
            aside "$programs/ndft" check "normal 1d n=$n m=301 tol=1e-3 prec=$prec coils=3" --backend cuda \
                --variant 'nufft_(scatter|subproblem|hybrid)[.]cuda'
        done
    done
    aside "$programs/ndft" check 'normal 1d n=2048 m=301 tol=1e-3 coils=3 maps=random' --backend cuda \
        --variant 'nufft_scatter[.]cuda'
}

# Axes that share a kernel of uniform_gemm, and phases whose k/N is rounded alike in every voxel.
rounded_and_shared() {
    for case in 'uniform:scfo127x97' 'uniform:scfo97x127' \
        'adjoint 2d n=255x255 m=1 coils=255 seed=908'; do
        aside "$programs/ndft" check "$case" --backend cuda
    done
}

# Samples on the border of two cells, whose computed place may be a cell beside that of the lists.
on_borders() {
    small='adjoint 2d n=45x45 m=2048 traj=golden:32 tol=1e-5'
    set -- --backend cuda --variant 'nufft_hybrid[.]cuda' --knob trajectory=online
    for case in 'adjoint 2d n=242x168 m=89920 traj=golden:281 coils=5 tol=1e-5' "$small"; do
        aside "$programs/ndft" check "$case" "$@"
    done
    ! command -v compute-sanitizer >/dev/null ||
        aside compute-sanitizer --tool memcheck --error-exitcode 9 "$programs/ndft" check "$small" "$@" --in-process
}

# VkFFT, where NDFT_VKFFT names the libvkfft.so: every layout that it takes, in batch and in a graph.
vkfft() {
    [ -n "${NDFT_VKFFT:-}" ] || { echo "== skipped: NDFT_VKFFT names no libvkfft.so"; return; }
    for shape in scfo1009*256 scbo30030 scfi4096*33 dcfo1783x7 dcbi61x127*3 scfo100003 scfo8.1009*33 \
        scfo16*32i1,1,20 dcfo5.12x9o1,6,80,720 scfo3.16x15x14*2 srfo1000*32 drfo1009x6 srfo65536*4 srfi640*3 \
        drfi9x4*2 srbo1000*32 drbo64x48x20*2 srbo100000 srbi1009*3 'drbi8x6*2i1,1,7,50o1,1,14,100'; do
        aside "$programs/ndft" check "uniform:$shape" --variant 'vkfft[.]cuda' --expect 'vkfft[.]cuda'
    done
    for shape in scfo10007*256 srbo64x48*5 scfi4096*33; do
        aside "$programs/ndft" bench "uniform:$shape" --variant '(uniform_vendor|vkfft)[.]cuda' \
            --modes batch,graph,end-to-end --budget 0.05
    done
}

# Two kernels, of which one is a product of matrices that heats the device: each comes to rest, or
# takes all the time there is for it, and has its clocks, power and energy told.
steady() {
    "$programs/ndft" bench 'forward 2d n=256x256 m=65536 traj=radial:256 coils=64' --backend cuda \
        --variant '(coil_gemm|tiled)[.]cuda' --modes batch,graph --min-time 0.5 --json \
        >"$records/steady.jsonl" || return 1
    python3 - "$records/steady.jsonl" <<'EOF'
import json, sys
for line in open(sys.argv[1]):
    r = json.loads(line)
    told = {name: r[name] for name in ("variant", "mode", "median_s", "blocks", "warm_up_s", "settled",
                                       "window", "energy_j", "host_call_s", "two_modes")}
    print(told, "throttled", {rule: len(n) for rule, n in r["throttled_by"].items()},
          "host-bound", len(r["host_bound"]))
    assert r["verdict"] == "pass" and r["regime"] == "steady" and r["stop"] == "time", r["reason"]
    assert sum(r["samples_s"]) * r["repetitions"] >= 0.5 and r["settled"] is not None
    assert 0 < r["state"]["away_s"] < 1e-4
    assert r["window"]["clock_mhz"]["least"] > 100 and r["window"]["power_w"]["mean"] > 50
    assert 0.2 < r["energy_j"] / r["median_s"] / r["window"]["power_w"]["mean"] < 2
    assert r["host_call_s"] > 0 and len(r["host_bound"]) < len(r["samples_s"]) / 2
EOF
}

# A program beside another on one device: both say so, and neither has a winner.
shared() {
    for which in one other; do
        "$programs/ndft" bench 'forward 2d n=256x256 m=65536 traj=radial:256' --backend cuda \
            --variant 'tiled[.]cuda' --modes batch --min-time 3 --json >"$records/$which.jsonl" &
    done
    wait
    python3 - "$records/one.jsonl" "$records/other.jsonl" <<'EOF'
import json, sys
away = [json.loads(line)["state"]["away_s"] for path in sys.argv[1:] for line in open(path)]
print("turns of the other, s:", away)
assert len(away) == 2 and max(away) > 1e-4
EOF
}

# libndft from outside, with what it opens for CUDA: its tests, and an iteration as a graph.
library() {
    for name in agreement calls capacity chirpz convolution devices engines frames group maps maps_live moments phase \
        positions ranks ranks_lost shared threads live transforms wisdom workspace; do
        step env NDFT_TEST_DEVICE=cuda "$programs/library_$name"
    done
    step "$programs/library_streams"
    step "$programs/library_at_once"
    step "$programs/library_two_gpus"
    step "$programs/ndft-split-four"
    step "$programs/ndft-two-passes"
    step "$programs/ndft" bench 'normal 2d n=48x48 m=4000 traj=radial:40 coils=3 maps=birdcage' --gpus 1 --cg 4 \
        --backend cuda --budget 0.05
    step env NDFT_TEST_DEVICE=cuda "$programs/ndft-costs"
    for name in threads frames group ranks; do
        [ "$(nvidia-smi -L | wc -l)" -lt 2 ] ||
            step env NDFT_TEST_DEVICE=cuda:0,cuda:1 "$programs/library_$name"
    done
    for device in cpu cuda; do
        step python3 tests/library/beside_torch.py "$programs/libndft.so.0" $device
    done
    step nvcc -arch=native -Iinclude examples/graph.cu "-L$programs" -l:libndft.so.0 -o "$records/graph"
    step "$records/graph"
    rm -f "$records/graph"
}

run_tests() {
    cover
    long_axes
    many_lines
    long_lines
    rounded_and_shared
    on_borders
    vkfft
    for rest in '' 'coils=3 layout=interleaved' 'mask=disk field=smooth:150Hz t=20ms' \
        'field=random:100Hz t=20ms grad=random:20Hz coils=2'; do
        for op in forward adjoint normal; do
            aside refereed cuda 'fast_math[.]cuda' "$op 2d n=160x150 m=16384 traj=radial:64 $rest"
        done
    done
    aside refereed cuda 'tiled[.]cuda' 'adjoint 3d n=40x36x32 m=16384 traj=kooshball:64 data=phantom'
    aside refereed cpu 'fast_math[.]cpu' 'forward 2d n=192x192 m=16384 traj=golden:64'
    run_sanitizers
    together
    library
    step "$programs/ndft-variant-tests" --backend cuda --timing
    step "$programs/ndft-order"
    step "$programs/ndft-clock"
    step steady
    step shared
    step "$programs/ndft" bench 'forward 2d n=128x128 m=16384 traj=radial:128 field=smooth:100Hz t=10ms' \
        --backend cuda --modes batch,cold,warm,graph,end-to-end
    for when in plan forward time; do
        step loses crashed 'illegal memory access' illegal_address $when
        step loses crashed 'unspecified launch failure' trap $when
        step loses timeout 'no sign of life for 10 s' spin $when
    done
    for mode_when in 'graph graph' 'batch late' 'graph late' 'end-to-end alone'; do
        # shellcheck disable=SC2086 # two words
        step mistaken $mode_when
    done
}

sweep() {
    suite=configs/$1.ndft
    [ -f "$suite" ] || suite=$(echo studies/*/"$1.ndft")
    name=$1
    shift
    step "$programs/ndft" sweep "$suite" --backend cuda "$@" -o "$records/$name.jsonl"
}

record_exact() {
    step "$programs/ndft" peak --backend cuda --check -o "$records/peak.jsonl"
    sweep mri --budget 0.1
    sweep h200 --budget 0.1
    sweep model --budget 0.05
    sweep roofline --budget 0.05
    step "$programs/ndft" sweep --case \
        '.*[.]cuda : {forward,adjoint} 2d n=128x128 m=16384 field=random:200Hz t=30ms' \
        --modes batch,cold,warm,graph,end-to-end --budget 0.05 -o "$records/modes.jsonl"
}

record_nufft() {
    step python3 -m analysis.peers.archimedes 512 262144 build/spiral-512.npy
    sweep archimedes --budget 0.05
    sweep nufft --modes batch,graph --budget 0.05
    sweep crossover --budget 0.03
    sweep seed002 --modes batch,stages --budget 0.03
    sweep drawn --budget 0.03
}

record_uniform() {
    sweep bluestein --budget 0.03
}

mkdir -p "$records" || exit 3
case $part in all | tests) run_tests ;; sanitize) run_sanitizers; together ;; esac
case $part in all | exact) record_exact ;; esac
case $part in all | nufft) record_nufft ;; esac
case $part in all | uniform) record_uniform ;; esac
exit $failed
