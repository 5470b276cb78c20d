#!/usr/bin/env bash
# A shared library shows what the public headers mark POISSON3D_API, all of it and nothing else, and the C API.
# Arguments: the library; the rooms whose headers it carries out. C++ names are compared without their arguments:
# poisson3d::function or poisson3d::Class::member, and what the run-time type of a marked class consists of.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
library=$1
shift

# marked ROOM…: the names that headers of these rooms mark.
marked() {
    local room
    for room in "$@"; do
        grep -rhoE 'POISSON3D_API [^(;{]*' "$root/$room/include" --include='*.hpp' |
            sed -E '/__attribute__/d; s/^POISSON3D_API //; s/ :.*//; s/ +$//; s/.*[ *&]//'
    done | sort -u
}
for room in "$@"; do
    awk -f "$root/tests/package/unmarked.awk" "$root/$room"/include/poisson3d/*.hpp
done
shown=$(nm -DC --defined-only "$library" | cut -d ' ' -f 3- | sed 's/\[abi:cxx11\]//g')
all=$(marked lib transpose solvers)

printf '%s\n' "$shown" | awk -v names="$all" '
    BEGIN { n = split(names, list, "\n"); for (i = 1; i <= n; ++i) public[list[i]] = 1 }
    /^poisson3d_[a-z0-9_]*$/ { next }
    {
        whole = $0
        type = sub(/^(typeinfo|typeinfo name|vtable) for /, "")
        local = /\)::/                      # something inside a function
        sub(/\(.*/, "")                     # arguments
        while (gsub(/<[^<>]*>/, "")) {}     # of templates
        sub(/.* /, "")                      # what a function template returns
        depth = split($0, part, "::")
        if (local || part[1] != "poisson3d" || !(part[2] in public) || depth > (type ? 2 : 3)) {
            print "leaks: " whole
            leaks = 1
        }
    }
    END { exit leaks }' || { echo "$library shows the symbols above, which no public header marks"; exit 1; }

missing=0
for name in $(marked "$@"); do
    grep -qE "poisson3d::$name($|[(<:])" <<<"$shown" || { echo "$library lacks poisson3d::$name"; missing=1; }
done
echo "$(basename "$library"): $(wc -l <<<"$shown") symbols, $(marked "$@" | wc -l) marked names"
exit $missing
