"""Damaged .npy, .npz and cube files: the program takes or refuses each, with exit code 0, 1 or 3 and one sentence.

    fuzz_arrays.py --program PROGRAM [--seconds 20] [--seed N] [--kind KIND] [--keep DIRECTORY] [--repeat SEED:NUMBER]
"""

import argparse
import io
import pathlib
import random
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing} (needed: python3-numpy)")
    sys.exit(77)

CUBE = "title\nmore\n1 0.1 0.2 0.3\n3 0.5 0 0\n4 0 0.5 0\n5 0 0 0.5\n8 0 1 1 1\n"


KINDS = ["npy", "npz", "cube"]


def whole_file(chance, kinds):
    """A good file, and its ending."""
    values = np.random.default_rng(chance.getrandbits(32)).uniform(-1, 1, (3, 4, 5))
    values = values.astype(chance.choice(["<f8", ">f4", "<f2", "i4", "u1", ">i8"]))
    values = np.asfortranarray(values) if chance.random() < 0.5 else values
    stream = io.BytesIO()
    kind = chance.choice(kinds)
    if kind == "npy":
        np.save(stream, values)
    elif kind == "npz":
        chance.choice([np.savez, np.savez_compressed])(stream, rhs=values, exact=values)
    else:
        stream.write((CUBE + "\n".join(map(str, values.ravel()))).encode())
    return bytearray(stream.getvalue()), kind


def damage(data, chance):
    """Bytes changed, left out, doubled or cut off; headers more often than numbers."""
    for _ in range(chance.choice([1, 1, 1, 2, 5, 20])):
        if not data:
            break
        near = chance.choice([len(data), 128, 30])
        at = chance.randrange(min(len(data), near))
        if chance.random() < 0.2:
            at = len(data) - 1 - at
        way = chance.randrange(6)
        if way == 0:
            data[at] ^= 1 << chance.randrange(8)
        elif way == 1:
            data[at] = chance.choice(b"\x00\xff\x7f-+ 0129eE.\n(){},:'<>")
        elif way == 2:
            data[at:at + chance.choice([1, 2, 4, 8])] = chance.choice([b"\xff" * 8, b"\x00" * 4, b"9" * 20, b"-1"])
        elif way == 3:
            del data[at:at + chance.randrange(1, 9)]
        elif way == 4:
            data[at:at] = data[at:at + chance.randrange(1, 40)]
        else:
            del data[at if chance.random() < 0.2 else len(data):]
    return data


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--kind", choices=KINDS, help="only these; all by default")
    parser.add_argument("--repeat")
    options = parser.parse_args()
    seed, number = map(int, options.repeat.split(":")) if options.repeat else (options.seed, 0)
    end = time.monotonic() + options.seconds
    wrong, seen = 0, {}
    with tempfile.TemporaryDirectory() as directory:
        while time.monotonic() < end:
            chance = random.Random(f"{seed}:{number}")
            data, kind = whole_file(chance, [options.kind] if options.kind else KINDS)
            data = damage(data, chance)
            path = pathlib.Path(directory) / f"damaged.{kind}"
            path.write_bytes(data)
            words = [options.program, "-i", str(path), "-o", directory + "/" + chance.choice(["u.npy", "u.cube"])]
            words += ["--spacing", "0.1", "--boundary", "dirichlet", "--threads", "1", "-q"]
            try:
                done = subprocess.run(words, capture_output=True, timeout=60, check=False)
                status, text = done.returncode, done.stderr.decode(errors="replace")
            except subprocess.TimeoutExpired:
                status, text = "no end", ""
            seen[status] = seen.get(status, 0) + 1
            # 5: a header may describe a field that no memory holds; 6: or no disk.
            if status not in (0, 1, 3, 5, 6) or (status != 0 and text.count("\n") != 1):
                wrong += 1
                print(f"{seed}:{number} ({kind}): status {status}\n{text[:2000]}", flush=True)
                if options.keep:
                    options.keep.mkdir(parents=True, exist_ok=True)
                    (options.keep / f"{seed}-{number}.{kind}").write_bytes(data)
            if options.repeat:
                break
            number += 1
    print(f"{sum(seen.values())} files from seed {seed}, by exit code: {seen}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
