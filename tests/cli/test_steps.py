"""Many right-hand sides of one file: steps of a data set of four and more dimensions, and data sets by a pattern.
Each result has the bits of a run of its own."""

from program import UNIT_BOX, ProgramTest, h5py, main, noise, np

BOX = {"spacing": (0.1, 0.2, 0.3), "boundary": ["dirichlet", "periodic", "neumann"]}
SINGULAR = {"spacing": (0.1, 0.2, 0.3), "boundary": "neumann"}


class StepsTest(ProgramTest):
    def alone(self, values, attributes, *options, exact=None):
        """Solution and report of one right-hand side in a file of its own."""
        path = self.field("alone.h5", values, attributes=attributes)
        if exact is not None:
            with h5py.File(path, "a") as file:
                file["exact"] = exact
        report = self.report("-i", "alone.h5", "--engine", "host", *options)
        return self.solution("alone.solution.h5"), report

    def solve(self, *options, name="field.h5", status=0):
        return self.report("-i", name, "--engine", "host", *options, status=status)


class Steps(StepsTest):
    def test_all(self):
        """The output has the shape of the input; every step has the bits of a run of its own."""
        for attributes, options, dtype in (
            (BOX, [], "f8"),
            (BOX, [], "f4"),
            (SINGULAR, ["--discretization", "spectral"], "f8"),
            (SINGULAR, ["--discretization", "spectral"], "f4"),
            (BOX, ["--precision", "mixed"], "f8"),
            (BOX, ["--members", "2", "--method", "transpose"], "f4"),
            (SINGULAR, ["--members", "2", "--method", "transpose", "--discretization", "spectral"], "f4"),
        ):
            with self.subTest(attributes=attributes, options=options, dtype=dtype):
                f = noise(3, 7, 8, 33, dtype=dtype)
                self.field("field.h5", f, attributes=attributes)
                report = self.solve("--step", "all", *options)
                u = self.solution()
                self.assertEqual(u.shape, f.shape)
                self.assertEqual([step["step"] for step in report["steps"]], [0, 1, 2])
                for i, step in enumerate(report["steps"]):
                    expected, alone = self.alone(f[i], attributes, *options)
                    np.testing.assert_array_equal(u[i], expected)
                    self.assertEqual(step["residual"], alone["residual"])
                    self.assertEqual(step["mean_removed"], alone["mean_removed"])
                worst = max(step["residual"]["backward"] for step in report["steps"])
                self.assertEqual(report["residual"]["backward"], worst)
                attributes_of = self.attributes()
                self.assertEqual(attributes_of["residual_backward"], worst)
                self.assertEqual(attributes_of["input_steps"], "all")

    def test_choices(self):
        f = noise(7, 3, 4, 5)
        self.field("field.h5", f, attributes=BOX)
        every = self.solve("--step", "all") and self.solution()
        for text, wanted in (
            ("0:7:2", range(0, 7, 2)), ("2:", range(2, 7)), (":3", range(3)), ("-2:", (5, 6)), ("::3", (0, 3, 6)),
            ("3:4", (3,)),
        ):
            report = self.solve(f"--step={text}")
            self.assertEqual([step["step"] for step in report["steps"]], list(wanted))
            np.testing.assert_array_equal(self.solution(), every[list(wanted)])
        for text, step in ("4", 4), ("-1", 6):
            report = self.solve(f"--step={text}", "--preview", "step.png", "--vtk", "step.vtkhdf")
            self.assertNotIn("steps", report)
            self.assertEqual(report["step"], step)
            np.testing.assert_array_equal(self.solution(), every[step])
            self.assertEqual(self.attributes()["input_step"], step)

    def test_more_dimensions(self):
        """Steps are counted over all leading dimensions in C order."""
        f = noise(2, 3, 5, 4, 6)
        self.field("field.h5", f, attributes=BOX, chunks=(1, 2, 2, 4, 6), compression="gzip")
        self.solve("--step", "all")
        every = self.solution()
        self.assertEqual(every.shape, f.shape)
        for step in 0, 4, 5:
            self.solve("--step", str(step))
            np.testing.assert_array_equal(self.solution(), every[step // 3, step % 3])
            np.testing.assert_array_equal(self.solution(), self.alone(f[step // 3, step % 3], BOX)[0])

    def test_gradient_and_exact(self):
        f, exact = noise(3, 5, 6, 7), noise(3, 5, 6, 7, seed=2)
        path = self.field("field.h5", f, attributes=BOX)
        with h5py.File(path, "a") as file:
            file["exact"] = exact
        report = self.solve("--step", "all", "--gradient", "--exact", "/exact")
        for i in range(3):
            alone = self.alone(f[i], BOX, "--gradient", "--exact", "/exact", exact=exact[i])[1]
            self.assertEqual(report["steps"][i]["error"], alone["error"])
            for axis in "xyz":
                np.testing.assert_array_equal(self.solution(dataset=f"/gradient/{axis}")[i],
                                              self.solution("alone.solution.h5", f"/gradient/{axis}"))
        self.assertEqual(report["error"]["max"], max(step["error"]["max"] for step in report["steps"]))

    def test_boundary_values(self):
        f = noise(3, 5, 6, 7)
        path = self.field("field.h5", f, attributes=UNIT_BOX)
        with h5py.File(path, "a") as file:
            file["boundary_values/x_lower"] = 2.5
        self.solve("--step", "1:")
        u = self.solution()
        with h5py.File(path, "a") as file:
            del file["rhs"]
            file["rhs"] = f[2]
            file["rhs"].attrs.update(UNIT_BOX)
        self.solve("-o", "one.h5")
        np.testing.assert_array_equal(u[1], self.solution("one.h5"))

    def test_variable_coefficient(self):
        """One for all steps, or one for each; a pattern has that of the file."""
        f, epsilon = noise(3, 5, 6, 7), np.exp(noise(3, 5, 6, 7, seed=2))
        for one_for_all in True, False:
            path = self.field("field.h5", f, attributes=BOX)
            with h5py.File(path, "a") as file:
                file["coefficient"] = epsilon[0] if one_for_all else epsilon
            report = self.solve("--step", "all")
            u = self.solution()
            for i in range(3):
                path = self.field("alone.h5", f[i], attributes=BOX)
                with h5py.File(path, "a") as file:
                    file["coefficient"] = epsilon[0 if one_for_all else i]
                alone = self.report("-i", "alone.h5", "--engine", "host")
                np.testing.assert_array_equal(u[i], self.solution("alone.solution.h5"))
                self.assertEqual(report["steps"][i]["coefficient"], alone["coefficient"])
            worst = max(step["coefficient"]["residual"] for step in report["steps"])
            self.assertEqual(report["coefficient"]["residual"], worst)
        with h5py.File(path, "w") as file:
            file["coefficient"] = epsilon[0]
            for i in range(2):
                file[f"rhs_{i}"] = f[i]
                file[f"rhs_{i}"].attrs.update(BOX)
        self.solve("--dataset", "/rhs_*", "-o", "many.h5", name="alone.h5")
        for i in range(2):
            self.solve("--dataset", f"/rhs_{i}", "-o", "one.h5", name="alone.h5")
            np.testing.assert_array_equal(self.solution("many.h5", f"/rhs_{i}/solution"),
                                          self.solution("one.h5"))

    def test_compressed_with_scales(self):
        """Chunks hold one step; all dimensions have coordinates."""
        f = noise(3, 5, 6, 7)
        self.field("field.h5", f, attributes=BOX)
        self.solve("--step", "all", "-o", "plain.h5")
        self.solve("--step", "all", "--compress", "4")
        np.testing.assert_array_equal(self.solution(), self.solution("plain.h5"))
        with h5py.File(self.dir / "field.solution.h5") as file:
            solution = file["solution"]
            self.assertEqual((solution.chunks[0], solution.compression), (1, "gzip"))
            self.assertEqual([dimension.keys() for dimension in solution.dims], [["step"], ["x"], ["y"], ["z"]])

    def test_other_formats_hold_one(self):
        f = noise(3, 5, 6, 7)
        np.save(self.dir / "field.npy", f[0])
        np.save(self.dir / "many.npy", f)
        self.field("field.h5", f, attributes=BOX)
        box = ["--spacing", "0.1,0.2,0.3", "--boundary", "dirichlet"]
        self.solve("--step", "1", "-o", "u.npy")
        self.solve("--step", "1", "-o", "u.h5")
        np.testing.assert_array_equal(np.load(self.dir / "u.npy"), self.solution("u.h5"))
        for status, words, options in (
            (2, ["one field", "3"], ["-i", "field.h5", "--step", "all", "-o", "u.npy"]),
            (3, ["3-D", "leave --step out"], ["-i", "field.npy", *box, "--step", "0"]),
            (3, ["4-D", "3 x 5 x 6 x 7"], ["-i", "many.npy", *box, "--step", "0"]),
            (2, ["field.npy", "pattern", "HDF5"], ["-i", "field.npy", *box, "--dataset", "/f*"]),
            (2, ["pattern", "HDF5"], ["-i", "-", *box, "--dataset", "/f*", "-o", "u.h5"]),
        ):
            self.refuse(status, words, *options)

    def test_worst_decides(self):
        """A tolerance that one step does not meet: exit 1, that step is named, all is written."""
        f = noise(3, 8, 8, 8)
        f[1] *= 1e-3
        self.field("field.h5", f, attributes=BOX)
        report = self.solve("--step", "all")
        backward = [step["residual"]["backward"] for step in report["steps"]]
        self.assertEqual(len(set(backward)), 3)
        worst, next_one = sorted(backward, reverse=True)[:2]
        report = self.solve("--step", "all", "--tolerance", repr((worst + next_one) / 2), status=1)
        self.assertEqual([step["status"] for step in report["steps"]], [int(b == worst) for b in backward])
        self.assertIn(f"step {backward.index(worst)}: the backward error", report["message"])
        self.assertEqual(self.solution().shape, f.shape)

    def test_table(self):
        self.field("field.h5", noise(4, 5, 5, 5), attributes=SINGULAR)
        text = self.run_well("-i", "field.h5", "--step", "1:", "--engine", "host").stdout
        for words in "fields", "3, step 1 to step 3", "step 2", "backward error":
            self.assertIn(words, text)
        told = self.run_well("info", "field.h5").stdout
        self.assertIn("4, 0 to 3", told)
        self.assertRegex(told, r"time +about .* for each of 4: an estimate")
        self.field("field.h5", np.arange(2.0**5).reshape(2, 2, 2, 4), attributes=SINGULAR)
        self.assertIn("0 … 31, mean 15.5", self.run_well("info", "field.h5").stdout)

    def test_refused(self):
        f = noise(4, 5, 5, 5)
        path = self.field("field.h5", f, attributes=BOX)
        with h5py.File(path, "a") as file:
            file["three"] = f[0]
            file["three"].attrs.update(BOX)
            file["short"] = f[:3]
            bad = file.create_dataset("bad", data=f)
            bad[2, 1, 2, 3] = np.nan
            bad.attrs.update(BOX)
        for status, words, options in (
            (3, ["4-D", "4 x 5 x 5 x 5", "3-D", "--step"], []),
            (3, ["/rhs", "found 4 steps, 0 to 3", "--step 4"], ["--step", "4"]),
            (3, ["--step -5"], ["--step=-5"]),
            (3, ["--step 2:5", "out of that range"], ["--step", "2:5"]),
            (3, ["means none"], ["--step", "2:2"]),
            (3, ["/three", "3-D", "leave --step out"], ["--dataset", "/three", "--step", "0"]),
            (3, ["/short", "3 x 5 x 5 x 5", "4 x 5 x 5 x 5"], ["--step", "all", "--exact", "/short"]),
            (3, ["step 2: ", "/bad", "[2, 1, 2, 3]", "nan"], ["--dataset", "/bad", "--step", "all"]),
            (2, ["--preview", "4 right-hand sides", "--step"], ["--step", "all", "--preview", "a.png"]),
            (2, ["--vtk", "4 right-hand sides"], ["--step", "all", "--vtk", "a.vtkhdf"]),
            (2, ["--step", "'x'"], ["--step", "x"]),
            (2, ["--step", "stride"], ["--step", "0:4:0"]),
            (2, ["--step", "''"], ["--step", ""]),
            (2, ["--step", "0:1:1:1"], ["--step", "0:1:1:1"]),
        ):
            self.refuse(status, words, "-i", "field.h5", "--engine", "host", *options)


class Patterns(StepsTest):
    def make(self, count=11, attributes=BOX):
        """/step0/rho … with /step0/phi; a name that does not match, a group that has no rho."""
        self.f, self.exact = noise(count, 5, 6, 33), noise(count, 5, 6, 33, seed=2)
        with h5py.File(self.dir / "field.h5", "w") as file:
            for i in range(count):
                file[f"step{i}/rho"] = self.f[i]
                file[f"step{i}/rho"].attrs.update(attributes)
                file[f"step{i}/phi"] = self.exact[i]
            file["other/rho"] = self.f[0]
            file.create_group("step_without")

    def test_groups(self):
        self.make()
        report = self.solve("--dataset", "/step*/rho", "--gradient", "--exact", "/step*/phi")
        self.assertEqual([step["dataset"] for step in report["steps"]], [f"/step{i}/rho" for i in range(11)])
        for i in 0, 1, 10:
            expected, alone = self.alone(self.f[i], BOX, "--gradient", "--exact", "/exact", exact=self.exact[i])
            self.assertEqual(report["steps"][i]["solution"], f"/step{i}/solution")
            np.testing.assert_array_equal(self.solution(dataset=f"/step{i}/solution"), expected)
            np.testing.assert_array_equal(self.solution(dataset=f"/step{i}/gradient/y"),
                                          self.solution("alone.solution.h5", "/gradient/y"))
            self.assertEqual(report["steps"][i]["error"], alone["error"])
            attributes = self.attributes(dataset=f"/step{i}/solution")
            self.assertEqual(attributes["input_dataset"], f"/step{i}/rho")
            self.assertEqual(attributes["residual_backward"], alone["residual"]["backward"])

    def test_names_in_one_group(self):
        with h5py.File(self.dir / "field.h5", "w") as file:
            for i in 9, 10:
                file[f"run/rho_{i}"] = noise(4, 4, 4, seed=i)
                file[f"run/rho_{i}"].attrs.update(UNIT_BOX)
        report = self.solve("--dataset", "/run/rho_?*")
        self.assertEqual([step["solution"] for step in report["steps"]],
                         ["/run/rho_9/solution", "/run/rho_10/solution"])

    def test_one_match_may_be_drawn(self):
        self.make(count=1)
        self.solve("--dataset", "/step[0-9]/rho", "--preview", "a.png", "--vtk", "a.vtkhdf")
        self.assertTrue((self.dir / "a.png").exists() and (self.dir / "a.vtkhdf").exists())

    def test_refused(self):
        self.make(count=3)
        for status, words, options in (
            (3, ["/time*/rho", "matches no data set", "/step0/rho"], ["--dataset", "/time*/rho"]),
            (2, ["--step", "pattern"], ["--dataset", "/step*/rho", "--step", "1"]),
            (2, ["--exact", "/other*/phi", "/step*"], ["--dataset", "/step*/rho", "--exact", "/other*/phi"]),
            (2, ["--exact", "pattern"], ["--dataset", "/step0/rho", "--exact", "/step*/phi"]),
            (3, ["/step0/nothing", "not found"], ["--dataset", "/step*/rho", "--exact", "/step*/nothing"]),
            (2, ["--preview", "3 right-hand sides"], ["--dataset", "/step*/rho", "--preview", "a.png"]),
        ):
            self.refuse(status, words, "-i", "field.h5", "--engine", "host", *options)

    def test_differing(self):
        for what, change in (
            ("spacing", lambda rho: rho.attrs.update(spacing=(1, 1, 1))),
            ("boundary", lambda rho: rho.attrs.update(boundary="periodic")),
            ("helmholtz", lambda rho: rho.attrs.update(helmholtz=1.0)),
            ("origin", lambda rho: rho.attrs.update(origin=(0, 1, 0))),
            ("shape", None),
            ("precision", None),
        ):
            with self.subTest(what):
                self.make(count=3)
                with h5py.File(self.dir / "field.h5", "a") as file:
                    if change:
                        change(file["step1/rho"])
                    else:
                        del file["step1/rho"]
                        shape, dtype = ((5, 6, 34), "f8") if what == "shape" else ((5, 6, 33), "f4")
                        file["step1/rho"] = np.zeros(shape, dtype)
                        file["step1/rho"].attrs.update(BOX)
                self.refuse(3, ["/step1/rho", what, "/step0/rho"],
                            "-i", "field.h5", "--engine", "host", "--dataset", "/step*/rho")


if __name__ == "__main__":
    main()
