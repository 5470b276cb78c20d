#!/usr/bin/env bash
# Installs what is missing, builds, computes the electrostatic potential of a water molecule from its charge
# density, and draws it. Options are handed to the program: bash app/run.sh --verbose
# POISSON3D_PRESET=gpu bash app/run.sh builds for all GPUs; without it, for the GPU that is here, or for none.
# shellcheck disable=SC1091,SC2154  # the sourced file is not followed
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install_missing "${build_packages[@]}"
choose_preset program
# The tests need more packages; a build directory that has them keeps them.
if [ -e "build/$preset/CMakeCache.txt" ]; then configure; else configure -DPOISSON3D_BUILD_TESTS=OFF; fi
build --target poisson3d_program poisson3d_shell_files

# The scale is −4π: charge density in, potential out, in atomic units. Spectral, because the density is smooth and
# resolved by its grid (data/samples/README.md has the numbers).
"build/$preset/bin/poisson3d" --input data/samples/water.h5 --scale -12.566370614359172 \
    --discretization spectral --output build/water.solution.h5 \
    --preview build/water.solution.png "$@"

cat >&2 <<END

The program: $PWD/build/$preset/bin/poisson3d
To install it, for example into ~/.local:
    cmake --build $PWD/build/$preset --parallel && cmake --install $PWD/build/$preset --prefix ~/.local
It is then ~/.local/bin/poisson3d. poisson3d help lists what it can do.
END
