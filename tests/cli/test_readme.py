"""Every command block of the README runs, in order, in an empty folder, with the program on the PATH."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from program import PROGRAM, draws_pictures

README = pathlib.Path(__file__).parents[2] / "README.md"


class Readme(unittest.TestCase):
    def test_commands(self):
        blocks = re.findall(r"^```sh\n(.*?)^```", README.read_text(encoding="utf-8"), re.S | re.M)
        self.assertGreaterEqual(len(blocks), 2)
        environment = dict(os.environ)
        environment["PATH"] = f"{pathlib.Path(PROGRAM).resolve().parent}:{environment['PATH']}"
        if not draws_pictures():
            blocks = [re.sub(r"^.*\b(plot|--preview)\b.*\n", "", block, flags=re.M) for block in blocks]
        with tempfile.TemporaryDirectory() as folder:
            for block in blocks:
                done = subprocess.run(["bash", "-e", "-c", block], cwd=folder, env=environment,
                                      capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, f"{block}\n{done.stdout}\n{done.stderr}")


if __name__ == "__main__":
    unittest.main()
