#!/usr/bin/env bash
# Builds the library and the test of threads with the thread sanitizer, and runs it. Arguments: build folder, CMake
# generator, C++ compiler and, if there is one, its launcher. Ends with 77 where the sanitizer does not work.
set -euo pipefail
build=$1
generator=$2
compiler=$3
launcher=${4:-}
source=$(dirname "${BASH_SOURCE[0]}")/sanitized
mkdir -p "$build"

echo 'int main() {}' >"$build/try.cpp"
"$compiler" -fsanitize=thread "$build/try.cpp" -o "$build/try" 2>"$build/try.log" ||
    { echo "skipped: $compiler has no thread sanitizer: $(head -n 1 "$build/try.log")"; exit 77; }
# Older sanitizers cannot place their memory where addresses are randomised widely.
run=()
"$build/try" >"$build/try.log" 2>&1 || run=(setarch "$(uname -m)" --addr-no-randomize)
"${run[@]}" "$build/try" >"$build/try.log" 2>&1 ||
    { echo "skipped: the thread sanitizer does not run here: $(head -n 1 "$build/try.log")"; exit 77; }

cmake -G "$generator" -S "$source" -B "$build" -DCMAKE_CXX_COMPILER="$compiler" \
    ${launcher:+-DCMAKE_CXX_COMPILER_LAUNCHER="$launcher"} >"$build/build.log" 2>&1 &&
    cmake --build "$build" --target test_at_once --parallel "$(nproc)" >>"$build/build.log" 2>&1 ||
    { cat "$build/build.log"; exit 1; }
"${run[@]}" "$build/test_at_once"
