#!/usr/bin/env bash
# The libraries of the main build, installed into a clean prefix that is then moved: strangers' projects, headers alone,
# the example of the README. Arguments: build folder, CMake generator, CUDA compiler (may be empty).
# shellcheck disable=SC1091,SC2034  # what is sourced is checked by itself, and uses what is set here
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$1
generator=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/consume.sh"

quietly cmake --install "$build" --prefix "$work/first"
mv "$work/first" "$work/moved"
no_traces "$work/moved" "$work/first" "$build"
headers_stand_alone "$work/moved" "${3:-}"
consume "$work/moved"
consume_by_pkg_config "$work/moved"

# The program text of the README, as a reader would copy it.
sed -n '/^```cpp$/,/^```$/p' "$here/../../README.md" | sed '1d;$d' >"$work/readme.cpp"
read -r -d '' -a flags < <(pc_flags "$work/moved" poisson3d) || true
quietly c++ -std=c++20 -Wall "$work/readme.cpp" -o "$work/readme" "${flags[@]}"
"$work/readme"
