"""Help, the manual page and completion: made from the table of options, and understood by those who read them."""

import pathlib
import re
import shutil
import subprocess

from program import PROGRAM, ProgramTest, main

PAGES = pathlib.Path(__file__).parents[2] / "docs" / "help"
SUBCOMMANDS = ("make", "info", "plot", "devices", "bench", "bench solve", "bench transpose", "help", "completion")


def options_of(text):
    return set(re.findall(r"--[a-z][a-z-]*", text))


class Help(ProgramTest):
    def completed(self, *words):
        """What bash offers for the last word."""
        script = self.run_well("completion", "bash").stdout
        line = " ".join(f"'{word}'" for word in words)
        asked = f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _poisson3d; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        done = subprocess.run(["bash", "-c", asked], cwd=self.dir, capture_output=True, text=True, check=True)
        return done.stdout.split()

    def test_overview_lists_all(self):
        text = self.run_well("help").stdout
        for page in PAGES.glob("*.md"):
            self.assertIn(f"  {page.stem} ", text)
        for name in ("make", "info", "devices", "bench", "completion"):
            self.assertIn(f"  {name} ", text)

    def test_topics_are_the_pages(self):
        for page in PAGES.glob("*.md"):
            with self.subTest(page=page.name):
                text = page.read_text(encoding="utf-8")
                self.assertEqual("# " + self.run_well("help", page.stem).stdout, text)
                self.assertLessEqual(max(map(len, text.splitlines())), 79)

    def test_lines_fit_a_terminal(self):
        for name in ("", *SUBCOMMANDS):
            text = self.run_well(*name.split(), "--help").stdout
            self.assertEqual([line for line in text.splitlines() if len(line) > 80], [], name)
            # Nothing is lost: option and explanation stand side by side, or the explanation a line below.
            self.assertRegex(text, r"(?m)^  -h,--help(?: +|\n {27})\S")

    def test_options_that_topics_name_exist(self):
        known = {"--json", "--help"}.union(*(options_of(self.run_well(*name.split(), "--help").stdout)
                                              for name in ("", *SUBCOMMANDS)))
        for page in PAGES.glob("*.md"):
            self.assertEqual(options_of(page.read_text(encoding="utf-8")) - known, set(), page.name)

    def test_subcommands(self):
        for name in SUBCOMMANDS:
            self.assertEqual(self.run_well("help", *name.split()).stdout.split("Usage:")[1],
                             self.run_well(*name.split(), "--help").stdout.split("Usage:")[1], name)
        self.assertIn("--boundary", self.run_well("help", "solve").stdout)

    def test_manual(self):
        text = self.run_well("help", "man").stdout
        found = options_of(text.replace("\\-", "-"))
        for name in ("", *SUBCOMMANDS):
            self.assertEqual(options_of(self.run_well(*name.split(), "--help").stdout) - found, set(), name)
        self.assertNotRegex(text, "(?m)^\\.(?!SH|TH|TP|PP|B|br|nf|fi|\\\\)")
        if shutil.which("mandoc"):
            lint = subprocess.run(["mandoc", "-Tlint", "-Wwarning"], input=text, capture_output=True, text=True,
                                  check=False)
            # The page is a function of the source alone, so it has no date.
            self.assertEqual([line for line in lint.stdout.splitlines() if "missing date" not in line], [])

    def test_bash(self):
        (self.dir / "field.h5").touch()
        (self.dir / "a b.h5").touch()
        self.assertEqual(self.completed("poisson3d", "--bou"), ["--boundary"])
        self.assertEqual(self.completed("poisson3d", "in"), ["info"])
        self.assertEqual(self.completed("poisson3d", "fi"), ["field.h5"])
        self.assertEqual(self.completed("poisson3d", "--engine", "h"), ["host"])
        self.assertEqual(self.completed("poisson3d", "--engine", "=", "f"), ["fused"])
        self.assertEqual(self.completed("poisson3d", "-i", "fi"), ["field.h5"])
        self.assertEqual(self.completed("poisson3d", "make", "tay"), ["taylor-green"])
        self.assertEqual(self.completed("poisson3d", "bench", "tr"), ["transpose"])
        self.assertEqual(self.completed("poisson3d", "bench", "solve", "--bat"), ["--batch"])
        self.assertEqual(self.completed("poisson3d", "help", "bou"), ["boundary"])
        self.assertEqual(self.completed("poisson3d", "--scale", ""), [])

    def test_other_shells_read_their_scripts(self):
        for shell, marks in (("bash", ()), ("zsh", ("#compdef", "--boundary=")), ("fish", ("complete -c", "-l boundary"))):
            script = self.run_well("completion", shell).stdout
            for mark in marks:
                self.assertIn(mark, script)
            if shutil.which(shell):
                path = self.dir / shell
                path.write_text(script)
                done = subprocess.run([shell, "-n", path], capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""), shell)

    def test_refused(self):
        self.refuse(2, ["no topic 'nothing'"], "help", "nothing")
        self.refuse(2, ["shell"], "completion")
        self.refuse(2, ["bash, zsh, fish"], "completion", "tcsh")


if __name__ == "__main__":
    main()
