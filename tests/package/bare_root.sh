#!/usr/bin/env bash
# Each package in a root that has nothing else: a minimal Debian of the release of this machine, made by debootstrap.
#
#     bash tests/package/bare_root.sh PACKAGE …        names that end in .deb, .tar.gz or .whl
#
# Debian's packages and, for a wheel, NumPy are downloaded, so this is no part of ctest. Exit code 77, skipped: not root,
# or no debootstrap. POISSON3D_MIRROR names another mirror, POISSON3D_BARE_ROOT a folder that keeps the root for the next
# time. A .deb brings what it depends on; for a .tar.gz the libraries are installed that a .deb of the same build names,
# which must be beside it; a wheel gets Python and its venv.
set -euo pipefail
mirror=${POISSON3D_MIRROR:-http://deb.debian.org/debian}
if [ "$(id -u)" != 0 ] || ! command -v debootstrap > /dev/null; then
    echo "skipped: needs root and debootstrap"
    exit 77
fi
[ $# -gt 0 ] || { echo "usage: bare_root.sh PACKAGE …"; exit 2; }
for package in "$@"; do
    [ -f "$package" ] || { echo "$package: no such file"; exit 2; }
done
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
work=$(mktemp -d)
fresh=$work/fresh
let_go() {
    if mountpoint -q "$fresh/proc"; then umount "$fresh/proc"; fi
    rm -rf --one-file-system "$fresh"
}
trap 'let_go; rm -rf --one-file-system "$work"' EXIT
root=${POISSON3D_BARE_ROOT:-$work/root}
if [ ! -x "$root/bin/sh" ]; then
    debootstrap --variant=minbase "$release" "$root" "$mirror" > "$work/debootstrap.log" 2>&1 ||
        { tail "$work/debootstrap.log"; exit 1; }
fi

# inside ROOT COMMAND …: in that root, without the environment of this one.
inside() {
    chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "${@:2}"
}
# install ROOT PACKAGE …: by apt, with what they need and nothing that is only recommended.
install() {
    inside "$1" apt-get install -qq -y --no-install-recommends "${@:2}" > "$work/apt.log" 2>&1 ||
        { tail -30 "$work/apt.log"; return 1; }
}

# solve ROOT PROGRAM: a made sample is solved to its exact solution, looked at and, where the build can, drawn.
solve() {
    inside "$1" /bin/sh -e -c '
        program=$1
        cd /root
        "$program" --version
        "$program" make mixed --points 23x19x17 --discrete -o mixed.h5 -q
        "$program" mixed.h5 --exact /exact -o solution.h5 --json report.json -q
        "$program" info solution.h5 --dataset /solution > info.txt
        grep -q "time  *about" info.txt
        "$program" devices > devices.txt
        if "$program" --version | grep -q "built with CUDA"; then  # and no driver, nor any library of CUDA
            grep "GPU  *none: .*found no NVIDIA driver" devices.txt
            "$program" mixed.h5 --engine fused -o none.h5 2> words.txt && exit 1 || test $? = 5
            grep "use --engine host" words.txt
        fi
        "$program" help boundary > help.txt
        if "$program" plot solution.h5 -o picture.png 2> words.txt; then
            test -s picture.png && echo "draws pictures"
        else
            grep "without Cairo" words.txt
        fi' - "$2"
    python3 - "$1/root/report.json" <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
assert report["status"] == 0 and report["residual"]["backward"] < 1e-14, report
assert 0 < report["error"]["max"] < 1e-12, report["error"]  # the right-hand side is the operator applied to /exact
print("solved, error", report["error"]["max"])
END
}

try_deb() {
    cp "$1" "$2/root/poisson3d.deb"
    install "$2" /root/poisson3d.deb
    solve "$2" poisson3d
    inside "$2" test -s /usr/share/man/man1/poisson3d.1 -o -s /usr/share/man/man1/poisson3d.1.gz
    inside "$2" /bin/sh -e -c 'apt-get remove -qq -y poisson3d > /dev/null 2>&1; ! test -e /usr/bin/poisson3d'
}

try_archive() {
    local debs
    debs=("$(dirname "$1")"/*.deb)
    [ -f "${debs[0]}" ] || { echo "no .deb beside $1 that says what it needs"; return 1; }
    # shellcheck disable=SC2046  # words of a list
    install "$2" $(dpkg-deb -f "${debs[0]}" Depends | sed 's/([^)]*)//g; s/|[^,]*//g; s/,/ /g')
    mkdir "$2/opt/poisson3d"
    tar -xzf "$1" -C "$2/opt/poisson3d" --strip-components=1
    local program
    program=$(cd "$2" && find opt/poisson3d -path '*/bin/poisson3d')
    solve "$2" "/$program"
}

try_wheel() {
    install "$2" python3-venv
    local version
    version=$(inside "$2" python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    # With what it depends on, fetched here, so that the root needs no certificates.
    python3 -m pip download -q --disable-pip-version-check --only-binary :all: --python-version "$version" \
        --dest "$2/root/wheels" "$1"
    inside "$2" python3 -m venv /root/venv
    inside "$2" /root/venv/bin/pip install -q --disable-pip-version-check --no-index --find-links /root/wheels poisson3d
    solve "$2" /root/venv/bin/poisson3d
    inside "$2" /root/venv/bin/python -c '
import numpy, poisson3d
f = numpy.random.default_rng(1).uniform(-1, 1, (5, 7, 9))
solver = poisson3d.Solver(f.shape, spacing=0.1, boundary=("periodic", "dirichlet:neumann", "dirichlet"))
assert abs(solver.apply(solver.solve(f)) - f).max() < 1e-12
print("Python:", solver.description)'
}

for package in "$@"; do
    echo "== $(basename "$package"), Debian $release"
    let_go
    cp -a "$root" "$fresh"
    mount -t proc proc "$fresh/proc"  # libraries beside a program are found by it
    cp /etc/resolv.conf "$fresh/etc/resolv.conf"
    case $package in
        *.deb) try_deb "$package" "$fresh" ;;
        *.tar.gz) try_archive "$package" "$fresh" ;;
        *.whl) try_wheel "$package" "$fresh" ;;
        *) echo "$package: wanted a name that ends in .deb, .tar.gz or .whl"; exit 2 ;;
    esac
done
echo "all work"
