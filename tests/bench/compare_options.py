"""The command line of compare_peers.py."""

import argparse

import peers

WALLS = ("periodic", "dirichlet", "neumann", "dirichlet:neumann", "neumann:dirichlet")
MIXES = ("dirichlet", "neumann", "dirichlet:neumann", "periodic", "periodic,periodic,dirichlet",
         "periodic,dirichlet,neumann")


def per_axis(text, words):
    """"a", "a,b,c" or "x=a,y=b,z=c" as three words."""
    parts = text.split(",")
    if parts[0][1:2] == "=":
        named = dict(part.split("=") for part in parts)
        parts = [named.get(axis) for axis in "xyz"]
    parts = parts * 3 if len(parts) == 1 else parts
    if len(parts) != 3 or any(part not in words for part in parts):
        raise argparse.ArgumentTypeError(f"found '{text}', wanted one of {', '.join(words)}, or three, or x=…,y=…,z=…")
    return parts


def points(text):
    sizes = [tuple(int(n) for n in part.split("x")) for part in text.split(",")]
    if any(len(size) not in (1, 3) or min(size) < 1 for size in sizes):
        raise ValueError
    return [size * 3 if len(size) == 1 else size for size in sizes]


def choice(*words):
    def parse(text):
        chosen = text.split(",")
        if any(word not in words for word in chosen):
            raise argparse.ArgumentTypeError(f"found '{text}', wanted some of {', '.join(words)}")
        return chosen

    return parse


def read_options(arguments, description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=points, default="64,128", help="cubes like 128, boxes like 97x131x89 [64,128]")
    parser.add_argument("--boundary", action="append", help="as the program takes it, or all: six usual mixes [dirichlet]")
    parser.add_argument("--centering", type=lambda text: per_axis(text, ("cell", "node")), default="cell")
    parser.add_argument("--discretization", choices=("second-order", "spectral"), default="second-order")
    parser.add_argument("--precision", type=choice("double", "single", "mixed"), default="double", help="a list [double]")
    parser.add_argument("--engine", choices=("host", "fused", "cufft"), default="host")
    parser.add_argument("--device", type=int, default=0, help="number of the GPU [0]")
    parser.add_argument("--threads", type=int, default=0, help="0: all there are")
    parser.add_argument("--repeat", type=int, default=0, help="runs; 0: what fits into a second, at least 5")
    parser.add_argument("--peers", type=choice(*(kind.name for kind in peers.ALL)), help="a list [all]")
    parser.add_argument("--json", help="the report, a file, or - for stdout")
    options = parser.parse_args(arguments)
    asked = [one for word in options.boundary or ["dirichlet"] for one in (MIXES if word == "all" else [word])]
    try:
        options.boundary = [(text, [(word.split(":")[0], word.split(":")[-1]) for word in per_axis(text, WALLS)])
                            for text in asked]
    except argparse.ArgumentTypeError as error:
        parser.error(f"argument --boundary: {error}")
    return options
