# Sourced by the package tests, which set `here` (this folder), `generator` and `work` (scratch): what strangers do with
# an installed tree.
# shellcheck shell=bash disable=SC2154

# quietly COMMAND…: what it says is shown only if it fails.
quietly() {
    "$@" >"$work/log" 2>&1 && return
    cat "$work/log"
    echo "failed: $*"
    exit 1
}

# consume PREFIX: every project here that finds the package: configured, built, its program `consumer` run.
consume() {
    local project name
    for project in "$here"/*/CMakeLists.txt; do
        grep -q 'find_package(poisson3d' "$project" || continue
        name=$(basename "$(dirname "$project")")
        if [ "$name" = fortran ] && ! command -v "${FC:-gfortran}" >/dev/null; then
            echo "fortran: skipped, there is no ${FC:-gfortran}"
            continue
        fi
        rm -rf "${work:?}/$name"
        quietly cmake -G "$generator" -S "$here/$name" -B "$work/$name" -DCMAKE_PREFIX_PATH="$1"
        quietly cmake --build "$work/$name"
        "$work/$name/consumer"
    done
    if grep -ri cufft "$(package_folder "$1" poisson3d_transposeTargets.cmake)"/poisson3d_transposeTargets*; then
        echo "the transposes want an FFT library"
        exit 1
    fi
}

# package_folder PREFIX FILE: where it lies below the prefix.
package_folder() { dirname "$(find "$1" -name "$2")"; }

# pc_flags PREFIX PACKAGE: what pkg-config says of a package there, with a run path for shared libraries.
pc_flags() {
    local pc
    pc=$(package_folder "$1" "$2.pc")
    PKG_CONFIG_PATH="$pc${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}" pkg-config --cflags --libs "$2"
    echo "-Wl,-rpath,$(dirname "$pc")"
}

by_two_ranks() {
    quietly env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
        OMPI_MCA_btl_vader_single_copy_mechanism=none mpirun -n 2 "$@"
}

# consume_by_pkg_config PREFIX: the same sources, a compiler and pkg-config. The transposes alone, too.
consume_by_pkg_config() {
    local flags
    read -r -d '' -a flags < <(pc_flags "$1" poisson3d) || true
    quietly c++ -std=c++20 "$here/cxx/main.cpp" -o "$work/by_pc" "${flags[@]}"
    "$work/by_pc"
    if compgen -G "$here/c/*.c" >/dev/null; then
        quietly cc -std=c11 "$here"/c/*.c -o "$work/by_pc" "${flags[@]}" -lm
        "$work/by_pc"
    fi
    if [ -n "$(find "$1" -name poisson3d-mpi.pc)" ]; then
        read -r -d '' -a flags < <(pc_flags "$1" poisson3d-mpi) || true
        quietly mpicxx -std=c++20 "$here/../../app/examples/projection_ranks.cpp" -o "$work/by_pc" "${flags[@]}"
        by_two_ranks "$work/by_pc"
        if command -v mpifort >/dev/null; then
            local sources=() package
            for package in poisson3d poisson3d-mpi; do
                sources+=("$(PKG_CONFIG_PATH=$(package_folder "$1" "$package.pc") \
                    pkg-config --variable=fortran_source "$package")")
            done
            quietly mpifort -J"$work" "${sources[@]}" "$here/../../app/examples/projection_ranks.f90" -o "$work/by_pc" \
                "${flags[@]}"
            by_two_ranks "$work/by_pc"
        fi
    fi
    if compgen -G "$here/fortran/*.f90" >/dev/null && command -v "${FC:-gfortran}" >/dev/null; then
        local module
        module=$(PKG_CONFIG_PATH=$(package_folder "$1" poisson3d.pc) pkg-config --variable=fortran_source poisson3d)
        quietly "${FC:-gfortran}" -J"$work" "$module" "$here"/fortran/*.f90 -o "$work/by_pc" "${flags[@]}"
        "$work/by_pc"
    fi
    read -r -d '' -a flags < <(PKG_CONFIG_LIBDIR=/nowhere PKG_CONFIG_PATH='' pc_flags "$1" poisson3d-transpose) || true
    quietly c++ -std=c++20 "$here/transpose/main.cpp" -o "$work/by_pc" "${flags[@]}"
    "$work/by_pc"
}

# headers_stand_alone PREFIX [NVCC]: each public header compiles alone and twice, without a warning; the C header as C
# too, those for kernels where there is a CUDA compiler.
headers_stand_alone() {
    local include=$1/include flags=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror)
    # shellcheck disable=SC2016
    (cd "$include" && find . \( -name '*.h' -o -name '*.hpp' \) ! -name mpi.hpp ! -name poisson3d_mpi.h) | xargs -P "$(nproc)" -I{} bash -c \
        'printf "#include \"%s\"\n#include \"%s\"\n" "$0" "$0" | c++ -std=c++20 -fsyntax-only -x c++ "${@}" -' {} \
        -I "$include" "${flags[@]}" || { echo "a header does not compile alone, see above"; exit 1; }
    if [ -e "$include/poisson3d/mpi.hpp" ]; then
        printf '#include <poisson3d/mpi.hpp>\n#include <poisson3d_mpi.h>\n#include <poisson3d/mpi.hpp>\n' |
            quietly mpicxx -std=c++20 -fsyntax-only -x c++ -I "$include" -
        echo '#include <poisson3d_mpi.h>' | quietly mpicc -std=c11 -fsyntax-only -x c -I "$include" -
    fi
    local header
    for header in "$include"/*.h; do
        [ -e "$header" ] && [ "${header##*/}" != poisson3d_mpi.h ] || continue
        echo "#include \"$header\"" | quietly cc -std=c11 -fsyntax-only -x c "${flags[@]}" -
    done
    [ -z "${2:-}" ] || for header in "$include"/poisson3d/*.cuh; do
        echo "#include \"$header\"" >"$work/header.cu"
        quietly "$2" -std=c++20 -cuda -I "$include" "$work/header.cu" -o "$work/header.ii"
    done
}

# no_traces PREFIX PATH…: nothing in the installed tree knows where it was built or first installed.
no_traces() {
    local path traces=() found
    for path in "${@:2}"; do traces+=(-e "$path"); done
    found=$(grep -rlF "${traces[@]}" --include='*.cmake' --include='*.pc' --include='*.h*' "$1") || return 0
    printf '%s\nthe files above carry absolute paths\n' "$found"
    exit 1
}
