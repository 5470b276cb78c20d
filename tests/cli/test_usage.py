"""Command lines that make no sense: exit code 2, whatever files there are, and what --json - says then."""

from program import ProgramTest, h5py, main, noise


class Usage(ProgramTest):
    def setUp(self):
        super().setUp()
        self.field("field.h5", noise(6, 5, 4))

    def refuse_options(self, words, *options):
        self.refuse(2, words, "--input", "field.h5", *options)

    def test_nothing_to_do(self):
        self.refuse(2, ["--input", "--help"])

    def test_unknown_option(self):
        self.refuse_options(["--colour"], "--colour", "red")

    def test_unexpected_word(self):
        self.refuse(2, ["other.h5"], "field.h5", "other.h5")
        self.refuse(2, ["--input", "field.h5"], "--input", "field.h5", "field.h5")

    def test_suggestions(self):
        """The nearest word, of options, subcommands, words, boundaries, known fields; none where none is near."""
        for meant, words in (
            ("--boundary", ["field.h5", "--boundry", "neumann"]),
            ("--boundary", ["--boundry=neumann", "-i", "field.h5"]),
            ("--points", ["make", "sine", "--pionts", "4"]),
            ("info", ["inof", "field.h5"]),
            ("devices", ["devises"]),
            ("transpose", ["bench", "transposes"]),
            ("host", ["field.h5", "--engine", "hots"]),
            ("dirichlet", ["field.h5", "--boundary", "x=dirichet"]),
            ("node", ["field.h5", "--centering", "nodes"]),
            ("sine", ["make", "sinus"]),
            ("boundary", ["help", "boundry"]),
        ):
            with self.subTest(words=words):
                self.refuse(2, [f"did you mean {meant}?"], *words)
        self.refuse(3, ["/rho", "did you mean /rhs?"], "field.h5", "--dataset", "/rho")
        self.refuse(2, ["poisson3d make has it"], "field.h5", "--points", "4")
        for words in (["field.h5", "--colour", "red"], ["tangent"], ["field.h5", "--engine", "bogus"]):
            self.assertNotIn("did you mean", self.refuse(2, [words[-1] if len(words) == 1 else words[1]], *words).stderr)

    def test_file_without_input(self):
        self.run_well("field.h5", "-q")
        with h5py.File(self.dir / "field.solution.h5") as file:
            self.assertEqual(file["solution"].shape, (6, 5, 4))
        self.refuse(3, ["nothing.h5", "no such file"], "nothing.h5")
        (self.dir / "info").write_bytes((self.dir / "field.h5").read_bytes())
        self.run_well("./info", "-q")

    def test_missing_value(self):
        self.refuse_options(["--scale"], "--scale")

    def test_option_twice(self):
        self.refuse_options(["--scale"], "--scale", "1", "--scale", "2")

    def test_unknown_subcommand_of_bench(self):
        self.refuse(2, [], "bench")
        self.refuse(2, ["transposes"], "bench", "transposes")

    def test_numbers(self):
        for option in ("--scale", "--helmholtz", "--tolerance"):
            for word in ("one", "nan", "inf", "1e999", "1,5", "", "0x10", "1 2"):
                with self.subTest(option=option, word=word):
                    self.refuse_options([option, f"'{word}'", "finite number"], option, word)
        for option in ("--threads", "--device"):
            for word in ("-1", "1.5", "many", "99999999999999999999"):
                with self.subTest(option=option, word=word):
                    self.refuse_options([option, word], option, word)
        self.refuse_options(["--tolerance", "'-1e-3'", "0 up"], "--tolerance", "-1e-3")

    def test_spacing(self):
        for word in ("0", "-0.1", "nan", "inf", "0.1,0.1", "0.1,0.1,0.1,0.1", "0.1,,0.1", "x=0.1,x=0.2", "x:0.1"):
            with self.subTest(word=word):
                self.refuse_options(["--spacing", "wanted"], "--spacing", word)
        self.refuse_options(["--spacing", "'q='", "x, y, z"], "--spacing", "q=0.1")

    def test_boundary(self):
        self.refuse_options(["--boundary", "'dirichet'", "periodic, dirichlet, neumann, robin or free"], "--boundary", "dirichet")
        self.refuse_options(["--boundary", "'periodic:neumann'", "both sides"], "--boundary", "x=periodic:neumann")
        self.refuse_options(["--boundary", "lower:upper"], "--boundary", "neumann:neumann:neumann")
        self.refuse_options(["--boundary", "axis x only once"], "--boundary", "x=neumann,x=dirichlet")
        self.refuse_options(["--boundary", "'a='", "x, y, z"], "--boundary", "a=neumann")
        self.refuse_options(["--boundary", "three"], "--boundary", "neumann,neumann")
        self.refuse_options(["--boundary"], "--boundary", "")

    def test_centering(self):
        self.refuse_options(["--centering", "'corner'", "cell or node"], "--centering", "corner")
        self.refuse_options(["--centering", "'y=node,cell'"], "--centering", "y=node,cell")

    def test_words(self):
        for option, listed in (
            ("--discretization", "second-order, spectral"),
            ("--precision", "double, single"),
            ("--engine", "automatic, host, cufft, fused"),
            ("--memory", "automatic, fast, standard, low"),
            ("--progress", "auto, always, never"),
        ):
            with self.subTest(option=option):
                self.refuse_options([option, "'bogus'", listed], option, "bogus")

    def test_gauge(self):
        for word in ("median", "1,2", "1,2,3,4", "-1,0,0", "0.5,0,0"):
            with self.subTest(word=word):
                self.refuse_options(["--gauge", "wanted"], "--gauge", word)

    def test_gauge_outside(self):
        done = self.run_any("-i", "field.h5", "--boundary", "neumann", "--gauge", "6,0,0")
        self.assertIn(done.status, (2, 3))
        self.assertIn("6", done.stderr)

    def test_flags_that_exclude_each_other(self):
        self.refuse_options(["--quiet", "--verbose"], "-q", "-v")
        self.refuse_options(["--tolerance", "--no-verify"], "--no-verify", "--tolerance", "1e-3")
        self.refuse_options(["--device", "--engine host"], "--engine", "host", "--device", "0")
        self.refuse(2, ["--spacing", "--length"], "make", "sine", "--spacing", "1", "--length", "1")
        self.refuse(2, ["--discretization", "--discrete"], "make", "sine", "--discretization", "spectral")
        self.refuse(2, ["--input", "info"], "--input", "field.h5", "info", "field.h5")

    def test_mixed_precision_is_for_solving_second_order(self):
        self.refuse(2, ["--precision mixed", "double or single"], "make", "sine", "--precision", "mixed")
        self.refuse_options(["mixed", "spectral", "double"], "--precision", "mixed",
                            "--discretization", "spectral")

    def test_engines_that_are_not_there(self):
        for engine in self.report("devices")["engines"]:
            if not engine["available"]:
                with self.subTest(engine=engine["name"]):
                    done = self.run_any("-i", "field.h5", "--engine", engine["name"])
                    self.assertIn(done.status, (2, 5))
                    self.assertIn(engine["reason"], done.stderr)

    def test_device_that_is_not_there(self):
        self.refuse(5, ["--device", "99"], "-i", "field.h5", "--device", "99")

    def test_empty_values(self):
        """As of --json=$UNSET: the next word is not the value."""
        for word in ("--output=", "--json=", "--verbose="):
            with self.subTest(word=word):
                self.refuse(2, [word, "no value"], "--input", "field.h5", word, "-q")
        self.assertEqual([path.name for path in self.dir.iterdir() if path.name.startswith("-")], [])

    def test_empty_names(self):
        for option in ("--output", "--json", "--dataset", "--exact"):
            with self.subTest(option=option):
                self.refuse_options([option, "empty"], option, "")
        self.refuse(2, ["--input", "empty"], "--input", "")

    def test_make(self):
        self.refuse(2, ["'tangent'", "sine", "taylor-green"], "make", "tangent")
        self.refuse(2, ["name"], "make")
        for points in ("0", "-4", "4,4", "4,4,4,4", "4x4", "four", "1e3"):
            with self.subTest(points=points):
                self.refuse(2, ["--points", "wanted"], "make", "sine", "--points", points)
        self.refuse(2, ["axis x", "2 points", "3"], "make", "sine", "--points", "2", "--centering", "node")
        self.refuse(2, ["--length", "above 0"], "make", "sine", "--length", "0")
        self.refuse(2, ["--seed"], "make", "random", "--seed", "-1")

    def test_json_is_told_even_so(self):
        for args in (
            ["--colour", "red", "--json", "-"],
            ["--json=-", "--input", "field.h5", "--scale", "one"],
            ["make", "tangent", "--json", "-"],
            ["bench", "solve", "--points", "none", "--json", "-"],
        ):
            with self.subTest(args=args):
                done = self.run_well(*args, status=2)
                self.assertEqual(set(done.json), {"status", "message"})
                self.assertEqual(done.json["status"], 2)
                self.assertIn(done.json["message"], done.stderr)

    def test_order_does_not_matter(self):
        """A wrong word is found before any file is touched."""
        self.refuse(2, ["--scale"], "--scale", "one", "--input", "missing.h5")

    def test_help(self):
        for args in ([], ["make"], ["info"], ["devices"], ["bench"], ["bench", "solve"]):
            done = self.run_well(*args, "--help")
            self.assertIn(" ".join(["Usage:", "poisson3d", *args]), done.stdout)
            self.assertEqual(done.stderr, "")
        text = self.run_well("--help").stdout
        for word in ("[/rhs]", "[1]", "Example", "--tolerance", "Exit codes", "The problem"):
            self.assertIn(word, text)

    def test_version(self):
        text = self.run_well("--version").stdout
        self.assertRegex(text, r"^poisson3d \d+\.\d+\.\d+ \(revision \S+, built with(out)? CUDA.*\)\n$")


if __name__ == "__main__":
    main()
