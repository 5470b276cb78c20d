#!/usr/bin/env bash
# Installs what is missing, builds everything, runs all tests. Options are handed to ctest: bash tests/run.sh -R cli
# shellcheck disable=SC1091,SC2154  # the sourced file is not followed
. "$(dirname "${BASH_SOURCE[0]}")/../app/setup.sh"

install_missing "${build_packages[@]}" "${test_packages[@]}"
choose_preset tests
choose_python
configure -DPOISSON3D_BUILD_TESTS=ON "${python_options[@]}"
build
ctest --test-dir "build/$preset" --output-on-failure --no-tests=error --parallel "$(nproc)" "$@"
