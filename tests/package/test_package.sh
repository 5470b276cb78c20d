#!/usr/bin/env bash
# Installs into a clean prefix, moves the prefix, and builds a separate project against it twice: through CMake's
# find_package and through pkg-config, which also builds the example of the README. Arguments: build folder, source folder of this test, CMake generator.
set -euo pipefail
build=$1
source=$2
generator=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" > "$work/install.log"
mv "$work/first" "$work/moved"

cmake -G "$generator" -S "$source/consumer" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$work/moved" > "$work/configure.log" ||
    { cat "$work/configure.log"; exit 1; }
cmake --build "$work/consumer" > "$work/build.log" || { cat "$work/build.log"; exit 1; }
"$work/consumer/consumer"

pc=$(dirname "$(find "$work/moved" -name poisson3d.pc)")
export PKG_CONFIG_PATH="$pc${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
c++ -std=c++20 "$source/consumer/main.cpp" -o "$work/by_pkg_config" $(pkg-config --cflags --libs --static poisson3d)
"$work/by_pkg_config"

# The program text of the README, as a reader would copy it.
sed -n '/^```cpp$/,/^```$/p' "$source/../../README.md" | sed '1d;$d' > "$work/readme.cpp"
c++ -std=c++20 -Wall "$work/readme.cpp" -o "$work/readme" $(pkg-config --cflags --libs --static poisson3d)
"$work/readme"

# Nothing in the installed tree knows where it was built or first installed.
if grep -rlF -e "$work/first" -e "$build" "$work/moved/lib"*/cmake "$work/moved/lib"*/pkgconfig "$work/moved/include"; then
    echo "the files above carry absolute paths"
    exit 1
fi
echo "package: all consumers built and ran"
