#!/usr/bin/env bash
# The recipes of docs/container, built as they are by buildah without a registry, and used.
#
#     bash tests/package/containers.sh cpu
#     bash tests/package/containers.sh cuda [TOOLKIT]      TOOLKIT: a CUDA toolkit, /usr/local/cuda
#
# In the place of the images that the recipes begin with stands a minimal Debian of the release of this machine, made by
# debootstrap; for cuda the toolkit lies in it as in NVIDIA's. Then the image solves a made sample. Debian's packages are
# downloaded, so this is no part of ctest. Exit code 77, skipped: not root, no debootstrap or no buildah.
# POISSON3D_MIRROR names another mirror, POISSON3D_BARE_ROOT a folder that keeps the root for the next time.
# POISSON3D_ARCHITECTURES and CUDAFLAGS: what CUDA code is compiled for and how; POISSON3D_CCACHE: a cache that compilers use.
set -euo pipefail
recipe=${1:?"which recipe, please: cpu or cuda"}
toolkit=$(readlink -f "${2:-/usr/local/cuda}")
mirror=${POISSON3D_MIRROR:-http://deb.debian.org/debian}
if [ "$(id -u)" != 0 ] || ! command -v debootstrap > /dev/null || ! command -v buildah > /dev/null; then
    echo "skipped: needs root, debootstrap and buildah"
    exit 77
fi
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
builder=(buildah --storage-driver vfs --root "$work/images" --runroot "$work/run")
trap '"${builder[@]}" rm --all > /dev/null 2>&1 || true; rm -rf --one-file-system "$work"' EXIT
root=${POISSON3D_BARE_ROOT:-$work/root}
if [ ! -x "$root/bin/sh" ]; then
    release=$(. /etc/os-release && echo "$VERSION_CODENAME")
    debootstrap --variant=minbase "$release" "$root" "$mirror" > "$work/debootstrap.log" 2>&1 ||
        { tail "$work/debootstrap.log"; exit 1; }
fi

# image NAME [OPTION …]: the root under a name that a recipe begins with; options of `buildah config`.
image() {
    local container
    container=$("${builder[@]}" from scratch)
    "${builder[@]}" add -q "$container" "$root" / > /dev/null
    "${builder[@]}" config --env PATH=/usr/local/cuda/bin:/usr/sbin:/usr/bin:/sbin:/bin --env DEBIAN_FRONTEND=noninteractive \
        "${@:2}" "$container"
    case " $* " in
        *ccache*) inside "$container" -- /bin/sh -e -c 'apt-get update && apt-get install -y ccache ninja-build' \
            > "$work/apt.log" 2>&1 || { tail "$work/apt.log"; return 1; } ;;
    esac
    "${builder[@]}" commit -q --rm "$container" "docker.io/$1" > /dev/null
}

inside() { "${builder[@]}" run --isolation chroot "$@"; }

mounts=()
cache=()
if [ -n "${POISSON3D_CCACHE:-}" ]; then
    mounts+=(-v "$POISSON3D_CCACHE:/ccache")
    cache=(--env LANG="${LANG:-C.UTF-8}" --env CCACHE_DIR=/ccache --env CCACHE_BASEDIR=/src --env CCACHE_NOHASHDIR=1 --env CMAKE_GENERATOR=Ninja)
    for language in C CXX CUDA; do cache+=(--env CMAKE_${language}_COMPILER_LAUNCHER=ccache); done
fi
arguments=()
case $recipe in
    cpu)
        image library/debian:bookworm "${cache[@]}"
        image library/debian:bookworm-slim
        ;;
    cuda)
        mounts+=(-v "$toolkit:/usr/local/cuda:ro")
        arguments=(--build-arg CUDA=here --build-arg "ARCHITECTURES=${POISSON3D_ARCHITECTURES:-portable}")
        image nvidia/cuda:here-devel-ubuntu24.04 ${CUDAFLAGS:+--env CUDAFLAGS="$CUDAFLAGS"} "${cache[@]}"
        image nvidia/cuda:here-runtime-ubuntu24.04
        ;;
    *) echo "$recipe: wanted cpu or cuda"; exit 2 ;;
esac

mkdir "$work/context" "$work/data"
git -C "$source" archive HEAD | tar -x -C "$work/context"
"${builder[@]}" bud --isolation chroot --pull-never "${mounts[@]}" "${arguments[@]}" -t poisson3d \
    -f "$source/docs/container/$recipe.Dockerfile" "$work/context"

# As `docker run --rm -v data:/data poisson3d …` would, without a GPU: the chroot isolates nothing but files.
container=$("${builder[@]}" from --pull-never localhost/poisson3d)
read -ra program <<<"$("${builder[@]}" inspect --format '{{range .OCIv1.Config.Entrypoint}}{{.}} {{end}}' "$container")"
folder=$("${builder[@]}" inspect --format '{{.OCIv1.Config.WorkingDir}}' "$container")
solver() { inside -v "$work/data:$folder" "$container" -- "${program[@]}" "$@"; }
solver --version
solver make mixed --points 23x19x17 --discrete -o mixed.h5 -q
solver mixed.h5 --exact /exact --json report.json -q
solver plot mixed.solution.h5 -o picture.png
file "$work/data/picture.png"
solver devices
if [ "$recipe" = cuda ]; then
    [[ $(solver --version) == *"built with CUDA"* ]]
    solver devices | grep -q "GPU  *none: .*found no NVIDIA driver"
fi
python3 - "$work/data/report.json" <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
assert report["status"] == 0 and 0 < report["error"]["max"] < 1e-12, report
print("solved, error", report["error"]["max"])
END
"${builder[@]}" images
