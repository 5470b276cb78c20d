"""A model of solves on clusters of GPUs: what to expect on 16 to 1024 of them, from rates that are parameters.

    python3 model_clusters.py                    # the tables of docs/clusters.md
    python3 model_clusters.py --network 22 --points 2048
    python3 model_clusters.py --check PAGE       # fails unless PAGE has these tables, and the model fits what was measured

Nothing is simulated: a solve is its passes over memory, its exchanges, and what they cost to start. The passes are
measured on one GPU; the exchanges are bytes over rates and messages times a latency.
"""

import argparse
import dataclasses
import pathlib
import sys


@dataclasses.dataclass
class Cluster:
    eliminating: float = 33.9e-12  # s a point for the passes of a member that eliminates (H100, double: 4.55 ms at 512³)
    transposing: float = 40.5e-12  # s a point for those of one that transposes (5.44 ms)
    pencil_pass: float = 2 * 5.2e-12  # s a point for what pencils do besides: the passes before and after a row's exchange
    link: float = 340e9  # bytes/s out of a GPU to the others of its host, all at once (NVLink 4)
    network: float = 45e9  # bytes/s out of a GPU to other hosts (400 Gb/s each)
    per_host: int = 8
    start: float = 100e-6  # s to launch a solve
    exchange: float = 20e-6  # s until the first byte of an exchange is there
    message: float = 1.5e-6  # s that each further message of an exchange takes to start
    hidden: float = 0.8  # part of an exchange that passes beside it hide


ELEMENT = 8  # bytes


def exchange_time(cluster, bytes_out, members, inside):
    """An all-to-all of `members`, `inside` of which share a host, of bytes_out from each to all (itself included)."""
    if members == 1:
        return 0.0
    each = bytes_out / members
    by_link = each * (inside - 1) / cluster.link
    by_network = each * (members - inside) / cluster.network
    return cluster.exchange + (members - 1) * cluster.message + max(by_link, by_network)


def beside(cluster, passes, exchanges):
    """Passes and exchanges of which parts run at the same time."""
    return passes + exchanges - cluster.hidden * min(passes, exchanges)


def slabs(cluster, n, gpus, method):
    """None where there are fewer planes than GPUs."""
    if gpus > n:
        return None
    points, inside = n**3 / gpus, min(gpus, cluster.per_host)
    if method == "transpose":
        two = 2 * exchange_time(cluster, points * ELEMENT, gpus, inside)
        return cluster.start + beside(cluster, points * cluster.transposing, two)
    planes = 2 * exchange_time(cluster, 2 * n**2 * ELEMENT, gpus, inside)
    return cluster.start + points * cluster.eliminating + planes


def pencils(cluster, n, gpus, method):
    """A row is a host: y is transposed over its links, x eliminated or transposed between hosts."""
    columns = min(cluster.per_host, gpus)
    rows = gpus // columns
    if rows == 1 or rows > n:
        return None
    points = n**3 / gpus
    in_rows = 2 * exchange_time(cluster, points * ELEMENT, columns, columns)
    if method == "transpose":
        passes = points * (cluster.transposing + cluster.pencil_pass)
        two = 2 * exchange_time(cluster, points * ELEMENT, rows, 1)
        return cluster.start + beside(cluster, passes, in_rows + two)
    passes = points * (cluster.eliminating + cluster.pencil_pass)
    planes = 2 * exchange_time(cluster, 2 * n**2 / columns * ELEMENT, rows, 1)
    return cluster.start + passes + in_rows + planes  # nothing beside: rows are exchanged as a whole


WAYS = {"slabs, eliminate": (slabs, "eliminate"), "slabs, transpose": (slabs, "transpose"),
        "pencils, eliminate": (pencils, "eliminate"), "pencils, transpose": (pencils, "transpose")}


def spell(seconds):
    return "–" if seconds is None else f"{1e3 * seconds:.3g}"


def table(cluster, n, counts):
    lines = [f"| {n}³ double, ms | " + " | ".join(str(count) for count in counts) + " |",
             "|---|" + "---|" * len(counts)]
    for name, (way, method) in WAYS.items():
        lines.append(f"| {name} | " + " | ".join(spell(way(cluster, n, count, method)) for count in counts) + " |")
    best = [min(t for t in (way(cluster, n, count, method) for way, method in WAYS.values()) if t is not None)
            for count in counts]
    alone = n**3 * 3.88e-3 / 512**3  # one solver on one GPU, were its memory large enough
    lines.append("| efficiency of the best | " + " | ".join(
        f"{100 * alone / (time * count):.0f} %" for time, count in zip(best, counts)) + " |")
    return "\n".join(lines)


# Two H100 of one host (docs/benchmarks.md): points, ms eliminated, ms transposed.
MEASURED = [(256, 0.393, 0.553), (512, 2.40, 3.03), (1024, 20.3, 25.4)]


def fit(cluster):
    """The model beside what was measured, and the worst ratio."""
    lines = ["| two GPUs | eliminated, ms | model | transposed, ms | model |", "|---|---|---|---|---|"]
    worst = 1.0
    for n, eliminated, transposed in MEASURED:
        models = [1e3 * slabs(cluster, n, 2, method) for method in ("eliminate", "transpose")]
        for model, measured in zip(models, (eliminated, transposed)):
            worst = max(worst, model / measured, measured / model)
        lines.append(f"| {n}³ | {eliminated} | {models[0]:.3g} | {transposed} | {models[1]:.3g} |")
    return "\n".join(lines), worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, nargs="+", default=[1024, 2048, 4096])
    parser.add_argument("--gpus", type=int, nargs="+", default=[1 << power for power in range(4, 11)])
    parser.add_argument("--link", type=float, help="GB/s out of a GPU inside its host")
    parser.add_argument("--network", type=float, help="GB/s out of a GPU to other hosts")
    parser.add_argument("--per-host", type=int, help="GPUs of a host")
    parser.add_argument("--message", type=float, help="µs that each further message takes to start")
    parser.add_argument("--check", type=pathlib.Path, metavar="PAGE")
    asked = parser.parse_args()
    cluster = Cluster()
    for name, unit in (("link", 1e9), ("network", 1e9), ("per_host", 1), ("message", 1e-6)):
        if getattr(asked, name) is not None:
            setattr(cluster, name, getattr(asked, name) * unit)
    fitted, worst = fit(cluster)
    tables = [fitted, *(table(cluster, n, asked.gpus) for n in asked.points)]
    print("\n\n".join(tables))
    if asked.check is None:
        return
    page = asked.check.read_text(encoding="utf-8")
    missing = [one for one in tables if one not in page]
    if missing:
        sys.exit(f"{asked.check} has not these tables:\n\n" + "\n\n".join(missing))
    if worst > 1.15:
        sys.exit(f"the model is {worst:.2f} from what was measured, wanted 1.15")


if __name__ == "__main__":
    main()
