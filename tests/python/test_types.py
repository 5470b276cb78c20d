"""What the package says of its types: complete, and right for the examples, which mypy and pyright read in strict mode.
What makes no sense is found before it runs. Without mypy and pyright ends with 77.

    python test_types.py package examples.py…
"""

import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PACKAGE, EXAMPLES = sys.argv[1], [os.path.abspath(one) for one in sys.argv[2:]]
MYPY = importlib.util.find_spec("mypy") is not None
PYRIGHT = shutil.which("pyright", path=os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")]))
if not MYPY and PYRIGHT is None:
    print("skipped: neither mypy nor pyright is here (pip install mypy pyright)")
    sys.exit(77)

# Calls, and whether they make sense.
CALLS = [
    ("poisson3d.Solver((3, 4, 5), spacing=0.1, boundary='dirichlet').solve(f, scale=2.0)", True),
    ("poisson3d.Solver((3, 4, 5), spacing=(0.1, [0.1, 0.2], 0.3), boundary={'x': ('neumann', 'dirichlet'), 'y': 'free',"
     " 'z': ('robin', 1.0, 2.0)}, widths={'y': f})", True),
    ("poisson3d.Solver((3, 4, 5), spacing=0.1, boundary='dirichlet', devices=[0, 1]).solve([f, f])", True),
    ("poisson3d.SolverOnDevices((3, 4, 5), spacing=0.1, boundary='periodic', devices=[0], planes=[3], method='transpose')",
     True),
    ("poisson3d.DistributedSolver((3, 4, 5), spacing=0.1, boundary='periodic').local_shape[0] + 1", True),
    ("poisson3d.VariableSolver((3, 4, 5), spacing=0.1, boundary='periodic').result.iterations + 1", True),
    ("poisson3d.solve(f, spacing=0.1, boundary='dirichlet', centering=('cell', 'node', 'cell'), gauge=(1, 2, 3))", True),
    ("poisson3d.Solver((3, 4, 5), spacing=0.1)", False),
    ("poisson3d.Solver((3, 4, 5), spacing=0.1, boundary=3)", False),
    ("poisson3d.Solver((3, 4, 5), spacing=0.1, boundary='dirichlet', engine='gpu')", False),
    ("poisson3d.Solver((3, 4, 5), spacing=0.1, boundary='dirichlet', devices=2)", False),
    ("poisson3d.Solver((3, 4, 5), spacing=0.1, boundary='dirichlet').solve(f, scales=2.0)", False),
    ("poisson3d.Solver((3, 4, 5), spacing=0.1, boundary='dirichlet').result.mean", False),
    ("poisson3d.SolverOnDevices((3, 4, 5), spacing=0.1, boundary='periodic', devices=[0], method='eliminates')", False),
    ("poisson3d.DistributedSolver((3, 4, 5), spacing=0.1, boundary='periodic', decomposition='cubes')", False),
    ("poisson3d.solve(f, spacing=0.1, boundary='dirichlet', gauge='median')", False),
]


def run(*words):
    environment = {**os.environ, "MYPYPATH": PACKAGE, "PYTHONPATH": PACKAGE}
    return subprocess.run(words, capture_output=True, text=True, env=environment, timeout=500)


CACHE = tempfile.TemporaryDirectory()  # reading PyTorch takes a while


def mypy(*files):
    return run(sys.executable, "-m", "mypy", "--strict", "--allow-untyped-calls", "--follow-imports=silent",
               "--ignore-missing-imports", "--cache-dir", CACHE.name, *files).stdout


def pyright(*files):
    return run(PYRIGHT, "--pythonpath", sys.executable, *files).stdout


def with_imports(files):
    """Those all whose libraries are here."""
    def there(name):
        return importlib.util.find_spec(name) is not None

    needed = {path: set(re.findall(r"^import (\w+)", pathlib.Path(path).read_text(), re.M)) for path in files}
    return [path for path, names in needed.items() if all(there(name) for name in names - {"poisson3d"})]


class Types(unittest.TestCase):
    def check(self, checker):
        examples = with_imports(EXAMPLES)
        self.assertTrue(examples)
        found = checker(*examples)
        self.assertRegex(found, "Success: no issues|^0 errors", found)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "calls.py")
            head = ["import numpy as np", "import poisson3d", "f = np.zeros((3, 4, 5))"]
            with open(path, "w") as file:
                file.write("\n".join(head + [f"{call}" for call, _ in CALLS]) + "\n")
            found = checker(path)
        wrong = {int(line) - len(head) - 1 for line in re.findall(r"calls\.py:(\d+)(?::\d+)?(?: -|:) error", found)}
        for number, (call, right) in enumerate(CALLS):
            self.assertEqual(number not in wrong, right, f"{call}\n{found}")

    @unittest.skipUnless(MYPY, "no mypy")
    def test_mypy(self):
        self.check(mypy)

    @unittest.skipIf(PYRIGHT is None, "no pyright")
    def test_pyright(self):
        self.check(pyright)

    @unittest.skipIf(PYRIGHT is None, "no pyright")
    def test_complete(self):
        found = run(PYRIGHT, "--verifytypes", "poisson3d", "--ignoreexternal", "--pythonpath", sys.executable,
                    "--outputjson")
        completeness = json.loads(found.stdout)["typeCompleteness"]
        self.assertGreater(len(completeness["symbols"]), 100)
        for symbol in completeness["symbols"]:
            # Classes of libraries that are not here, or tell less of themselves, are no fault of the package.
            messages = [one["message"] for one in symbol["diagnostics"] if one["severity"] == "error"
                        and not re.match("Type of (metaclass|base class) unknown", one["message"])]
            self.assertEqual(messages, [], symbol["name"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
