"""Where an output really goes, and who may read it then: symbolic links and permissions."""

import os
import pathlib
import stat
import struct
import tempfile
import unittest

from program import ProgramTest, main, noise

OTHER_DISK = "/dev/shm"  # usually another file system than that of temporary directories


class Outputs(ProgramTest):
    def setUp(self):
        super().setUp()
        self.field("field.h5", noise(8, 8, 8))
        (self.dir / "away").mkdir()

    def solve(self, **options):
        return self.run_well("-i", "field.h5", "-o", "u.h5", "--json", "u.json", "-q", **options)

    def names(self, folder="."):
        return {path.name for path in (self.dir / folder).iterdir()}


class Links(Outputs):
    def expect(self, folder):
        """The links are still links, and the files are in that folder."""
        for name in ("u.h5", "u.json"):
            self.assertTrue((self.dir / name).is_symlink(), name)
            self.assertTrue((pathlib.Path(folder) / name).is_file(), name)
            self.assertGreater((self.dir / name).stat().st_size, 100)
        self.assertEqual(self.names(), {"field.h5", "away", "u.h5", "u.json"} | self.extra)

    extra = set()

    def link(self, folder, prefix=""):
        for name in ("u.h5", "u.json"):
            (self.dir / name).symlink_to(f"{folder}/{prefix}{name}")

    def test_to_a_file_that_is_not_there_yet(self):
        self.link("away")
        self.solve()
        self.expect(self.dir / "away")
        self.solve()  # and now it is
        self.expect(self.dir / "away")
        self.assertEqual(self.names("away"), {"u.h5", "u.json"})

    def test_to_another_file_system(self):
        with tempfile.TemporaryDirectory(dir=OTHER_DISK if os.path.isdir(OTHER_DISK) else None) as folder:
            self.link(folder)
            self.solve()
            self.expect(folder)
            (pathlib.Path(folder) / "u.h5").write_text("older")
            self.solve()
            self.expect(folder)
            self.assertEqual({path.name for path in pathlib.Path(folder).iterdir()}, {"u.h5", "u.json"})

    def test_chain(self):
        """Relative links are relative to the directory that they stand in."""
        (self.dir / "far").mkdir()
        self.extra = {"far"}
        self.link("away")
        for name in ("u.h5", "u.json"):
            (self.dir / "away" / name).symlink_to(f"../far/{name}")
        self.solve()
        self.expect(self.dir / "far")
        self.assertTrue((self.dir / "away" / "u.h5").is_symlink())

    def test_linked_folder(self):
        (self.dir / "folder").symlink_to("away")
        self.run_well("-i", "field.h5", "-o", "folder/u.h5", "-q")
        self.assertEqual(self.names("away"), {"u.h5"})

    def test_refused(self):
        (self.dir / "loop").symlink_to("loop")
        (self.dir / "lost").symlink_to("nowhere/file")
        (self.dir / "folder").symlink_to("away")
        for name, words in (("loop", ["itself"]), ("lost", ["nowhere"]), ("folder", ["is a directory"])):
            with self.subTest(name=name):
                self.refuse(6, [name, *words], "-i", "field.h5", "-o", name)
                self.refuse(6, ["--json", name, *words], "-i", "field.h5", "--json", name)
                (self.dir / f"{name}.png").symlink_to(name)
                self.refuse(6, [f"{name}.png", *words], "-i", "field.h5", "--preview", f"{name}.png")

    @unittest.skipIf(os.geteuid() != 0, "needs another user's link")
    def test_planted_link(self):
        """What the kernel does not follow either: a link of somebody else where everybody may write."""
        public = self.dir / "public"
        public.mkdir()
        (public / "u.h5").symlink_to("../away/u.h5")
        os.chown(public / "u.h5", 12345, 12345, follow_symlinks=False)
        public.chmod(0o1777)
        self.refuse(6, ["public/u.h5", "another user"], "-i", "field.h5", "-o", "public/u.h5")

    def test_two_outputs_that_lead_to_one_file(self):
        (self.dir / "link").symlink_to("u.h5")
        self.refuse(2, ["--json", "output"], "-i", "field.h5", "-o", "u.h5", "--json", "link")
        (self.dir / "link.png").symlink_to("u.h5")
        self.refuse(2, ["--preview", "output"], "-i", "field.h5", "-o", "u.h5", "--preview", "link.png")

    def test_report_to_an_open_file(self):
        """A stream that goes to a file is written on, not replaced."""
        # Not by /dev/stdout, which a program that is wrong here could replace.
        (self.dir / "stream").symlink_to("/proc/self/fd/1")
        with open(self.dir / "out", "w+") as out:
            self.run_well("-i", "field.h5", "--json", "stream", stdout=out)
            out.seek(0)
            text = out.read()
        self.assertIn('"status": 0', text)
        self.assertIn("residual", text.split("\n}\n")[-1])
        self.refuse(6, ["/proc/self/fd/0"], "-i", "field.h5", "-o", "/proc/self/fd/0")


class Permissions(Outputs):
    def modes(self):
        return [stat.S_IMODE((self.dir / name).stat().st_mode) for name in ("u.h5", "u.json")]

    def test_new_files(self):
        for mask in (0o022, 0o027, 0o077, 0o002):
            with self.subTest(mask=oct(mask)):
                self.solve(before=lambda mask=mask: os.umask(mask))
                self.assertEqual(self.modes(), [0o666 & ~mask] * 2)
                for name in ("u.h5", "u.json"):
                    (self.dir / name).unlink()

    def test_replaced_files(self):
        self.solve()
        for mode in (0o600, 0o640, 0o664, 0o755):
            with self.subTest(mode=oct(mode)):
                for name in ("u.h5", "u.json"):
                    (self.dir / name).chmod(mode)
                before = (self.dir / "u.h5").stat().st_ino
                self.solve()
                self.assertNotEqual((self.dir / "u.h5").stat().st_ino, before)
                self.assertEqual(self.modes(), [mode] * 2)

    def test_access_list(self):
        """One more reader, whom the mode does not name; and none by way of a directory that names him."""
        entries = [(0x01, 6, 0xFFFFFFFF), (0x02, 4, 12345), (0x04, 0, 0xFFFFFFFF), (0x10, 4, 0xFFFFFFFF),
                   (0x20, 0, 0xFFFFFFFF)]
        access = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
        self.solve()
        try:
            os.setxattr(self.dir / "u.h5", "system.posix_acl_access", access)
            os.setxattr(self.dir, "system.posix_acl_default", access)
        except OSError as error:
            self.skipTest(f"no access control lists here: {error}")
        (self.dir / "u.json").chmod(0o640)
        self.solve()
        self.assertEqual(os.getxattr(self.dir / "u.h5", "system.posix_acl_access"), access)
        self.assertNotIn("system.posix_acl_access", os.listxattr(self.dir / "u.json"))

    @unittest.skipIf(os.geteuid() != 0, "only root may give files away")
    def test_owner(self):
        self.solve()
        for name in ("u.h5", "u.json"):
            os.chown(self.dir / name, 12345, 23456)
        self.solve()
        for name in ("u.h5", "u.json"):
            found = (self.dir / name).stat()
            self.assertEqual((found.st_uid, found.st_gid), (12345, 23456))


if __name__ == "__main__":
    main()
