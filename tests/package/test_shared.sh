#!/usr/bin/env bash
# Shared libraries, without CUDA, built by a stranger's project that takes poisson3d in as a folder; installed, moved,
# consumed; their symbols. The build has no optimisation: what is asked here does not depend on it.
# Arguments: source folder of poisson3d, CMake generator.
# shellcheck disable=SC1091,SC2034  # what is sourced is checked by itself, and uses what is set here
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$1
generator=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/consume.sh"

parent=(-G "$generator" -S "$here/parent" "-DPOISSON3D=$source" -DPOISSON3D_CUDA=OFF -DPOISSON3D_INSTALL=ON
    -DPOISSON3D_DISPATCH=OFF -DPOISSON3D_INNER_LOOPS=-O0)  # one instruction set of three is enough
# What static libraries hand on must be known in the parent, too: that the projects can be generated says so.
quietly cmake "${parent[@]}" -B "$work/static" -DBUILD_SHARED_LIBS=OFF
quietly cmake "${parent[@]}" -B "$work/parent" -DCMAKE_INSTALL_LIBDIR=lib
quietly cmake --build "$work/parent" --parallel "$(nproc)"
"$work/parent/solves"
"$work/parent/transposes"

quietly cmake --install "$work/parent" --prefix "$work/first"
rm -rf "$work/parent"
mv "$work/first" "$work/moved"
no_traces "$work/moved" "$work/first" "$work/parent"
# The solver finds the transposes beside it.
needs=$(ldd "$work/moved/lib/libpoisson3d.so")
grep -qF "$work/moved/lib/libpoisson3d_transpose.so" <<<"$needs" || {
    echo "libpoisson3d.so does not find libpoisson3d_transpose.so where both were moved:"
    echo "$needs"
    exit 1
}
consume "$work/moved"
consume_by_pkg_config "$work/moved"
bash "$here/symbols.sh" "$work/moved/lib/libpoisson3d_transpose.so" lib transpose
bash "$here/symbols.sh" "$work/moved/lib/libpoisson3d.so" solvers
