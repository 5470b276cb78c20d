"""Tests that are named after an engine, a memory mode, a backend, a way between devices or an instruction set run with
just that, and all of a device carry the label gpu. Arguments: ctest, build folder."""

import json
import subprocess
import sys

# The first words of a name: the environment, and whether it needs a device. Longer ones first.
ENVIRONMENTS = {
    "fused.low.": ({"POISSON3D_TEST_ENGINE": "fused", "POISSON3D_TEST_MEMORY": "low"}, True),
    "fused.standard.": ({"POISSON3D_TEST_ENGINE": "fused", "POISSON3D_TEST_MEMORY": "standard"}, True),
    "fused.": ({"POISSON3D_TEST_ENGINE": "fused"}, True),
    "cufft.": ({"POISSON3D_TEST_ENGINE": "cufft"}, True),
    "avx2.": ({"POISSON3D_INSTRUCTIONS": "avx2"}, False),
    "baseline.": ({"POISSON3D_INSTRUCTIONS": "baseline"}, False),
    "cuda/": ({"POISSON3D_TEST_BACKEND": "cuda"}, True),
    "host/": ({"POISSON3D_TEST_BACKEND": "host"}, False),
    "mpi.device_ranks_2_nccl": ({"POISSON3D_TEST_WAY": "nccl"}, True),
    "mpi.device_ranks_2_staged": ({"POISSON3D_TEST_WAY": "staged"}, True),
    "": ({}, None),
}
OURS = ("POISSON3D_TEST_", "POISSON3D_INSTRUCTIONS")

ctest, build = sys.argv[1:3]
listed = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"], check=True, stdout=subprocess.PIPE, text=True)
met, names = set(), set()
for test in json.loads(listed.stdout)["tests"]:
    name = test["name"]
    properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
    entries = properties.get("ENVIRONMENT", []) + properties.get("ENVIRONMENT_MODIFICATION", [])
    variables = dict(entry.replace("=set:", "=").split("=", 1) for entry in entries)
    ours = {key: value for key, value in variables.items() if key.startswith(OURS)}
    start = next(start for start in ENVIRONMENTS if name.startswith(start))
    wanted, on_device = ENVIRONMENTS[start]
    assert ours == wanted, f"{name} runs with {ours}, wanted {wanted}"
    labelled = "gpu" in properties.get("LABELS", [])
    assert on_device is None or labelled == on_device, f"{name}: label gpu is {labelled}, wanted {on_device}"
    assert name not in names, f"there are two tests {name}"
    names.add(name)
    met.add(start)
assert met >= {"", "fused.", "cufft.", "fused.low.", "fused.standard.", "host/", "cuda/"}, f"no tests but those of {sorted(met)}"
