"""Includes between the rooms of the source tree: each room's #include "…" lines against what it may see.

Argument: source folder. A file belongs to the longest folder of ROOMS that holds it. An include means the file of that
name beside the one that includes it or in one of the include folders. To allow more, or to
move a room, change the table.
"""

import pathlib
import re
import sys

# Folder: what it may include beside itself. Public headers are rooms of their own.
LIB = ["lib/include"]
TRANSPOSE = LIB + ["transpose/include"]
COMMON = TRANSPOSE + ["lib/cuda", "lib/simd", "transpose/common"]
SOLVERS = TRANSPOSE + ["solvers/include"]
PROBLEM = SOLVERS + ["lib", "lib/cuda", "lib/simd", "solvers/problem"]
LINES = PROBLEM + ["solvers/lines"]
ENGINES = LINES + ["solvers/engines"]
DEVICE = ENGINES + ["solvers/engines/device"]
PASSES = DEVICE + ["solvers/engines/device/passes"]
ROOMS = {
    "lib/include": [],
    "lib/cuda": LIB,
    "lib/simd": LIB,
    "lib/src": LIB + ["lib/cuda"],
    "transpose/include": LIB,
    "transpose": COMMON + ["transpose/in_place", "transpose/out_of_place", "transpose/rectangle", "transpose/structures"],
    "transpose/common": COMMON,
    "transpose/baselines": COMMON,
    "transpose/out_of_place": COMMON + ["transpose/baselines"],
    "transpose/rectangle": COMMON + ["transpose/out_of_place", "transpose/structures"],
    "transpose/in_place": COMMON + ["transpose/baselines", "transpose/rectangle"],
    "transpose/structures": COMMON + ["transpose/out_of_place"],
    "solvers/include": TRANSPOSE,
    "solvers/problem": SOLVERS,
    "solvers/lines": PROBLEM,
    "solvers/engines": LINES,
    "solvers/engines/host": ENGINES,
    "solvers/engines/device": ENGINES,
    "solvers/engines/device/passes": DEVICE,
    "solvers/engines/device/cufft": PASSES,
    "solvers/engines/device/fused": PASSES,
    "solvers/engines/device/walled": PASSES,
    "solvers/engines/device/members": PASSES + ["solvers/engines/device/fused"],
    "solvers/engines/absent": ENGINES,
    "solvers/solver": ENGINES,
    "solvers/distributed": ENGINES,
    "solvers/distributed/devices": ENGINES + ["solvers/distributed"],
    "solvers/mpi/include": TRANSPOSE + ["solvers/include"],
    "solvers/mpi": SOLVERS + ["solvers/mpi/include", "solvers/distributed", "solvers/c"],
    "solvers/c": SOLVERS + ["solvers/problem"],
    "data": SOLVERS,
    "app": SOLVERS + ["data", "solvers/mpi/include"],
    "app/python": SOLVERS + ["app", "solvers/mpi/include"],
    "app/examples": SOLVERS,
    "transpose/example": TRANSPOSE,
}
# What holds today and should not: (room, room). It must be used, so that the list can only become shorter.
EXCEPTIONS = set()
# Where the compiler looks.
FOLDERS = ["lib/include", "lib", "lib/src", "transpose/include", "transpose",
           "solvers/include", "solvers/problem", "solvers/lines", "solvers/engines", "solvers/engines/host",
           "solvers/engines/absent", "solvers/engines/device", "solvers/engines/device/passes",
           "solvers/engines/device/cufft", "solvers/engines/device/fused", "solvers/engines/device/members",
           "solvers/engines/device/walled", "solvers/distributed",
           "solvers/mpi/include", "solvers/c", "data/include", "data/src", "app"]
GENERATED = {"poisson3d_revision.hpp", "peer_scipy.hpp"}

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
CODE = re.compile(r"\.(cpp|hpp|cu|cuh|c|h|inc)(\.in)?$")


def room_of(path):
    """The room of a path relative to the source folder; None if there is none."""
    return next((str(p) for p in path.parents if str(p) in ROOMS), None)


def targets_of(source, file, name):
    """The files that `file` may mean by `name`, relative to the source folder."""
    found = [folder / name for folder in [file.parent, *map(pathlib.Path, FOLDERS)] if (source / folder / name).is_file()]
    return [(source / path).resolve().relative_to(source) for path in found]


def check(source):
    """All that is wrong, and the exceptions that were needed."""
    wrong, used = [], set()
    files = [p for top in sorted({room.split("/")[0] for room in ROOMS}) for p in (source / top).rglob("*")
             if CODE.search(p.name)]
    for path in sorted(files):
        file = path.relative_to(source)
        room = room_of(file)
        if room is None:
            wrong.append(f"{file} is in no room of the table")
            continue
        for name in INCLUDE.findall(path.read_text()):
            if name in GENERATED:
                continue
            targets = targets_of(source, file, name)
            if not targets:
                wrong.append(f'{file} includes "{name}", which is in no folder of the table')
                continue
            if any(room_of(target) in [room, *ROOMS[room]] for target in targets):
                continue
            other = room_of(targets[0])
            if (room, other) in EXCEPTIONS:
                used.add((room, other))
                continue
            wrong.append(f"{file} includes {targets[0]}: {room} may not see {other}")
    return wrong, used


def main():
    """Checks the tree."""
    source = pathlib.Path(sys.argv[1]).resolve()
    for room in ROOMS:
        if not (source / room).is_dir():
            sys.exit(f"{room} of the table is no folder")
    wrong, used = check(source)
    wrong += [f"the exception {rooms} is no longer needed" for rooms in sorted(EXCEPTIONS - used)]
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
