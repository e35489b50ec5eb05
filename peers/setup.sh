# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: Apache-2.0
# Other people's libraries, a part of the front door, which reads it: its $root, $build, $python, say
# and install.

# Python packages, without what they depend on, into a folder of their own.
pip_peer() {
    "$python" -m pip install --quiet --disable-pip-version-check --root-user-action ignore \
        --upgrade --no-deps --target "$build/peers" "$@"
}

install_peer() {
    say "ndft: installing $* (Python's package index) below build/peers/"
    pip_peer "$@" >&2
}

# FINUFFT from its source, that of the index or the folder NDFT_FINUFFT_SOURCE, as its authors would
# run it: its CMake's defaults are -march=native and FFTW, and what else it needs it fetches from
# GitHub, unless CMAKE_ARGS names folders (docs/peers.md). FILE.built says that it may rank.
build_finufft() {
    say "ndft: building FINUFFT from its source for this processor (minutes) below build/peers/"
    mkdir -p "$build/peers"
    if ! has_header fftw3.h && ! install libfftw3-dev; then
        echo "error: libfftw3-dev could not be installed" >"$build/peers/finufft.log"
        return 1
    fi
    rm -rf "$build"/peers/finufft-*.dist-info # of another release
    pip_peer --no-cache-dir --no-binary finufft "${NDFT_FINUFFT_SOURCE:-finufft}" >"$build/peers/finufft.log" 2>&1 || return 1
    version=$(basename "$build"/peers/finufft-*.dist-info .dist-info)
    fftw="FFTW that it fetched"
    if ldd "$finufft" 2>/dev/null | grep -q libfftw3; then
        fftw="FFTW $(pkg-config --modversion fftw3 2>/dev/null || echo "of the system")"
    fi
    echo "${version#finufft-} native: $(${CXX:-g++} --version | head -n 1), -march=native, its CMake's \
defaults, $fftw" >"$finufft.built"
}

# The wheel where the source cannot be built, and why.
install_finufft() {
    finufft=$build/peers/finufft/libfinufft.so
    ! build_finufft || return 0
    why=$(grep -iE 'error|fatal' "$build/peers/finufft.log" | grep -v subprocess |
        sed '1!d; s/^ *//' | cut -c 1-200)
    why="FINUFFT could not be built from its source (${why:-no reason given}; all that was said: \
build/peers/finufft.log)"
    if [ -e "$finufft.built" ]; then
        say "ndft: $why: the one that was built before stays"
        return
    fi
    say "ndft: $why: its wheel for any x86-64 is taken instead, and never ranks. One that you build does: \
NDFT_FINUFFT=FILE names it, and FILE.built holds one line with its version and how it was built, '2.5.1 \
native: gcc 14, FFTW 3.3.10'"
    install_peer finufft
}

has_gpu() { [ -e /dev/nvidia0 ] || command -v nvidia-smi >/dev/null; }

# What bench finds below build/peers/ when nothing else is named. Loaders look for the CUDA 12 of
# cuFINUFFT's package beside the CUDA that we were built with: their files have other names.
find_peers() {
    for name in finufft cufinufft vkfft; do
        file=$build/peers/$name/lib$name.so
        variable=NDFT_$(echo $name | tr '[:lower:]' '[:upper:]')
        eval "named=\${$variable:-}"
        if [ -z "$named" ] && [ -e "$file" ]; then export "$variable=$file"; fi
    done
    for folder in "$build"/peers/nvidia/*/lib; do
        [ ! -d "$folder" ] || export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder"
    done
}

# VkFFT's headers, as the source package of pyvkfft carries them; they are compiled for this CUDA.
vkfft_headers() {
    source=pyvkfft-2025.1.1
    say "ndft: getting VkFFT's headers ($source, Python's package index) below build/peers/"
    "$python" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: \
        --dest "$build/peers" pyvkfft==2025.1.1 >&2 || :
    [ -e "$build/peers/$source.tar.gz" ] && tar -xzf "$build/peers/$source.tar.gz" -C "$build/peers" &&
        [ -e "$build/peers/$source/src/VkFFT/vkFFT/vkFFT.h" ]
}

build_vkfft() {
    if [ -z "$nvcc" ] || ! has_gpu; then
        say "ndft: no nvcc or no NVIDIA GPU here: VkFFT is left out"
    elif vkfft_headers && setup ndft &&
        cmake -S "$root" -B "$build" -DNDFT_VKFFT="$build/peers/$source/src/VkFFT/vkFFT" >&2 &&
        compile vkfft; then
        say "ndft: VkFFT is build/peers/vkfft/libvkfft.so"
    else
        say "ndft: going on without VkFFT; -DNDFT_VKFFT=DIR builds with the folder of its vkFFT.h, \
NDFT_VKFFT=FILE names a libvkfft.so built so"
    fi
}

setup_peers() {
    install_missing
    missing=
    need python3-pip has_module pip
    need g++ command -v g++
    need git command -v git
    # shellcheck disable=SC2086 # a list of package names
    [ -z "$missing" ] || install $missing || die 3 "could not install:$missing"
    install_finufft || die 3 "FINUFFT could not be installed: no network, or no index that has \
it for this machine; NDFT_FINUFFT=FILE names a libfinufft.so that you have"
    if has_gpu; then
        install_peer cufinufft nvidia-cuda-runtime-cu12 nvidia-cufft-cu12 nvidia-nvjitlink-cu12 ||
            say "ndft: going on without cuFINUFFT; NDFT_CUFINUFFT=FILE names a libcufinufft.so"
    else
        say "ndft: no NVIDIA GPU here: cuFINUFFT is left out"
    fi
    build_vkfft
    find_peers
    program
    "$build/ndft" list --variant '(cu)?finufft[.].*|vkfft[.].*' | grep 'peer:'
}
