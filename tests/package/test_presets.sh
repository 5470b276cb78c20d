#!/usr/bin/env bash
# Which preset app/run.sh and tests/run.sh build: nvcc played by scripts, whose programs find a GPU or do not.
# Argument: source folder.
set -euo pipefail
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# compiler NAME VERSION STATUS: what it "compiles" ends with STATUS; with STATUS `none` it cannot compile.
compiler() {
    cat >"$work/$1" <<END
#!/bin/sh
[ "\$1" = --version ] && { echo "Cuda compilation tools, release $2, V$2.99"; exit 0; }
[ $3 = none ] && exit 1
printf '#!/bin/sh\nexit $3\n' >"\$3" && chmod +x "\$3"
END
    chmod +x "$work/$1"
}
compiler with_gpu 12.4 0
compiler without_gpu 13.0 1
compiler too_old 12.3 0
compiler not_for_this_gcc 12.9 none

# expect WANTED program|tests COMPILER [PRESET]: the preset and its options, or `refused`.
expect() {
    local wanted=$1 found
    found=$(CUDACXX=$work/$3 POISSON3D_PRESET=${4:-} bash -c \
        '. "$1/app/setup.sh"; choose_preset "$2"; echo "$preset ${cuda_options[*]}"' sh "$source" "$2" \
        2>"$work/said") || found=refused
    [ "${found% }" = "$wanted" ] || { echo "$2 with $3 ${4:-}: $found, wanted $wanted"; cat "$work/said"; failed=1; }
}
says() { grep -qF "$1" "$work/said" || { echo "nothing said of: $1"; cat "$work/said"; failed=1; }; }

expect gpu-native program with_gpu
expect gpu-native tests with_gpu
expect cpu program without_gpu
says "POISSON3D_PRESET=gpu bash"
expect "gpu -DCMAKE_CUDA_ARCHITECTURES=90-virtual" tests without_gpu
for nvcc in too_old not_for_this_gcc; do
    expect cpu program $nvcc
    expect cpu tests $nvcc
    says "cannot be used"
done
expect cpu tests missing
says "is not there"
expect gpu program without_gpu gpu
expect gpu tests without_gpu gpu  # asked for: every architecture
expect cpu tests with_gpu cpu
expect dev tests with_gpu dev
expect refused program with_gpu gpu-natve
says "there are: cpu gpu gpu-native dev"
expect refused program with_gpu "cpu gpu"
exit $failed
