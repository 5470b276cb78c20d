"""pip install, into a folder of its own, without network; then used from another directory.

The module links the library of the build under test, installed first: compiling that once more would only cost time.
Arguments: source folder, build folder.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

source, build = sys.argv[1:3]

try:
    import scikit_build_core  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing} (needed: pip install scikit-build-core)")
    sys.exit(77)

USE = """
import numpy, poisson3d
f = numpy.random.default_rng(1).uniform(-1, 1, (5, 6, 7))
solver = poisson3d.Solver(f.shape, spacing=0.1, boundary=("periodic", "dirichlet:neumann", "neumann"), engine="host")
assert abs(solver.apply(solver.solve(f)) - f).max() < 1e-12
print(poisson3d.__file__, poisson3d.__version__, solver.description)
"""


def run(*command, **options):
    finished = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, **options)
    if finished.returncode != 0:
        sys.exit(f"{finished.stdout}\n{command} ended with {finished.returncode}")
    return finished.stdout


with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    run("cmake", "--install", build, "--prefix", work / "prefix")
    settings = [f"--config-settings={setting}" for setting in (
        "cmake.source-dir=app/python", f"cmake.define.CMAKE_PREFIX_PATH={work / 'prefix'}", "cmake.build-type=Debug")]
    run(sys.executable, "-m", "pip", "wheel", source, "--no-build-isolation", "--no-deps", "--no-index",
        "--wheel-dir", work, *settings)
    (wheel,) = work.glob("poisson3d-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in ("poisson3d/__init__.py", "poisson3d/_core.pyi", "poisson3d/py.typed"):
        assert wanted in names, f"{wanted} is not in {names}"
    foreign = [name for name in names if not name.startswith(("poisson3d/", "poisson3d-"))]
    assert not foreign, f"{foreign} have no place in a wheel"
    run(sys.executable, "-m", "pip", "install", wheel, "--no-deps", "--no-index", "--target", work / "site")
    where = run(sys.executable, "-c", USE, cwd=work, env={**os.environ, "PYTHONPATH": str(work / "site")})
    print(where)
    assert str(work / "site") in where
