"""Without NumPy or h5py tests are skipped, never failed: every test that is a script of Python, with the module blocked.

Arguments: ctest, the build folder. A script must end with 77, or what its test has instead, which ctest shows as
skipped; with 0 if it needs none.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77
ALONE = {"package.missing_modules", "package.environments", "python.install"}  # itself, and tests that build
MODULES = ("numpy", "h5py")


def scripts(ctest, build):
    """Name, command, environment, folder and exit code when skipped of each test that is a script, without those that build programs."""
    listed = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True,
                            check=False)
    for test in json.loads(listed.stdout)["tests"]:
        command = test.get("command", [])
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        if len(command) > 1 and command[1].endswith(".py") and test["name"] not in ALONE:
            pairs = (entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
            yield (test["name"], command, dict(pairs), properties.get("WORKING_DIRECTORY", build),
                   int(properties.get("SKIP_RETURN_CODE", SKIPPED)))


def needs(script, module):
    """Does the script, or a module beside it, import the module?"""
    beside = [script, *script.parent.glob("*.py")]
    return any(f"import {module}" in path.read_text(encoding="utf-8") for path in beside)


def main():
    ctest, build = sys.argv[1:]
    wrong, seen = [], 0
    with tempfile.TemporaryDirectory(prefix="poisson3d-") as folder:
        for module in MODULES:
            blocked = pathlib.Path(folder) / module
            blocked.mkdir()
            (blocked / f"{module}.py").write_text(f"raise ImportError('No module named {module}: blocked')\n")
            for name, command, environment, where, skipped in scripts(ctest, build):
                if not needs(pathlib.Path(command[1]), module):
                    continue
                path = os.pathsep.join(filter(None, (str(blocked), environment.get("PYTHONPATH", ""))))
                done = subprocess.run(command, cwd=where, env={**os.environ, **environment, "PYTHONPATH": path},
                                      capture_output=True, text=True, timeout=300, check=False)
                seen += 1
                if done.returncode not in (0, SKIPPED, skipped):
                    wrong.append(f"{name} without {module}: exit code {done.returncode}\n{done.stderr[-500:]}")
    print(f"{seen} runs")
    print("\n".join(wrong))
    return 1 if wrong or seen == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
