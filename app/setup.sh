# What app/run.sh and tests/run.sh share: the packages, the preset, the build. Sourced, not run.
# Works from any directory; asks for root only if a package is missing.
# shellcheck shell=bash disable=SC2034  # what is set here is used by those who source it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s\n' "$*" >&2; }
fail() { say "$0: $*"; exit 1; }

build_packages=(g++ cmake libhdf5-dev zlib1g-dev libcairo2-dev pkg-config libcli11-dev nlohmann-json3-dev)
test_packages=(libgtest-dev libbenchmark-dev python3-numpy python3-h5py python3-vtk9 hdf5-tools valgrind gfortran
    python3-dev python3-venv python3-scipy python3-matplotlib python3-xarray python3-h5netcdf libfftw3-double3 libfftw3-single3
    libopenmpi-dev openmpi-bin)

installed() { [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# install_missing PACKAGE…: nothing to do, and nothing asked of the network, if all are there.
install_missing() {
    local missing=() package
    # Either build tool will do; the faster one is what is installed where there is none.
    command -v ninja >/dev/null || command -v make >/dev/null || set -- "$@" ninja-build
    if ! command -v dpkg-query >/dev/null; then
        say "This is no Debian or Ubuntu: going on with what is there. Needed are the likes of: $*"
        return
    fi
    for package in "$@"; do
        installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    say "Installing ${missing[*]}"
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || fail "packages are missing, and there is neither root nor sudo to" \
            "install them. Have somebody run: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update >&2 || say "The package lists could not be updated: trying with those that are there."
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
        "${missing[@]}" >&2 || fail "these packages could not be installed: ${missing[*]}"
}

# The CUDA compiler: what CUDACXX says, and only that if it says something; else what is on the machine.
find_nvcc() {
    if [ -n "${CUDACXX:-}" ]; then
        command -v "$CUDACXX" || true
    else
        command -v nvcc || command -v /usr/local/cuda/bin/nvcc || true
    fi
}

# What the CUDA compiler $1 is good for: `nothing`, to `compile`, or to compile and `run`. Found is not enough: it must go
# with the C++ compiler that is there and be no older than the code allows, and a GPU must answer to what it makes.
use_of_nvcc() {
    local scratch version use=nothing
    version=$("$1" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\.[0-9]*\).*/\1/p')
    if [ -n "$version" ] && [ "$(printf '%s\n12.4\n' "$version" | sort -V | head -n 1)" = 12.4 ]; then
        scratch=$(mktemp -d)
        echo 'int main() { int n = 0; return cudaGetDeviceCount(&n) != cudaSuccess || n == 0; }' >"$scratch/try.cu"
        if "$1" -std=c++20 -o "$scratch/try" "$scratch/try.cu" >/dev/null 2>&1; then
            use=compile
            ! "$scratch/try" >/dev/null 2>&1 || use=run
        fi
        rm -r "$scratch"
    fi
    echo "$use"
}

# choose_preset program|tests: sets `preset`, and `cuda_options` for configure. POISSON3D_PRESET decides; else this GPU
# and no other where one answers. Without one the program needs no CUDA, and the tests compile it to PTX.
choose_preset() {
    local nvcc use=nothing presets why
    cuda_options=()
    nvcc=$(find_nvcc)
    if [ -n "$nvcc" ]; then
        use=$(use_of_nvcc "$nvcc")
        if [ "$use" = nothing ]; then
            say "$nvcc is there but cannot be used (wanted: CUDA 12.4 or newer that works with $(c++ --version | head -n 1))"
        else
            export CUDACXX="$nvcc"
        fi
    elif [ -n "${CUDACXX:-}" ]; then
        say "CUDACXX=$CUDACXX is not there: going on without CUDA"
    fi
    if [ -n "${POISSON3D_PRESET:-}" ]; then
        presets=$(cmake --list-presets | sed -n 's/^ *"\([^"]*\)".*/\1/p' | paste -sd ' ')
        grep -qxF -- "$POISSON3D_PRESET" <<<"${presets// /$'\n'}" ||
            fail "POISSON3D_PRESET=$POISSON3D_PRESET is no preset; there are: $presets"
        preset=$POISSON3D_PRESET
        why="as POISSON3D_PRESET says"
    elif [ "$use" = run ]; then
        preset=gpu-native
        why="for the GPU that is here"
    elif [ "$use" = compile ] && [ "$1" = tests ]; then
        preset=gpu
        cuda_options=(-DCMAKE_CUDA_ARCHITECTURES=90-virtual)  # every nvcc that is new enough knows it
        # What nobody will run need not be fast: a ninth of the time for the largest kernels.
        ! "$nvcc" --help | grep -- --Ofast-compile >/dev/null || cuda_options+=(-DCMAKE_CUDA_FLAGS=--Ofast-compile=max)
        why="to PTX alone: no GPU answers, so CUDA code is compiled and not run, and machine code takes twice as long"
    else
        preset=cpu
        why="no GPU answers to a CUDA compiler; for NVIDIA's GPUs in general: POISSON3D_PRESET=gpu bash $0"
    fi
    say "Building with the preset $preset ($why)"
}

# Sets `python_options`, for configure. nanobind and scikit-build-core come from PyPI, once, into an environment of their
# own that sees the system's packages; where that cannot be made, the tests of the Python package show as skipped.
choose_python() {
    local environment=build/python system=/usr/bin/python3
    local needed="import nanobind, scikit_build_core"
    [ -x "$system" ] || system=python3
    python_options=(-DPOISSON3D_BUILD_PYTHON=OFF)
    if ! "$environment/bin/python" -c "$needed" 2>/dev/null; then
        say "Making an environment for Python in $environment"
        if "$system" -m venv --clear --system-site-packages "$environment" >&2; then
            "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
                "nanobind>=2.4" "scikit-build-core>=0.10" >&2 || true
        fi
    fi
    if "$environment/bin/python" -c "$needed" 2>/dev/null; then
        python_options=(-DPOISSON3D_BUILD_PYTHON=ON "-DPython_EXECUTABLE=$PWD/$environment/bin/python")
    else
        say "No nanobind and scikit-build-core, and none to be had from PyPI: going on without the Python package"
    fi
}

# configure OPTION…: keeps the generator of a build directory that exists. A new one compiles sources that belong together
# as one: from nothing that takes a quarter less.
configure() {
    local first=()
    if [ ! -e "build/$preset/CMakeCache.txt" ]; then
        first=(-DPOISSON3D_UNITY=ON)
        ! command -v ninja >/dev/null || first+=(-G Ninja)
    fi
    cmake --preset "$preset" "${first[@]}" "${cuda_options[@]}" "$@" >&2
}

build() { cmake --build "build/$preset" --parallel "$(nproc)" "$@" >&2; }
