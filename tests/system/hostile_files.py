# SPDX-License-Identifier: BSD-3-Clause
"""Files from somebody else that lead out of themselves or declare more than they store: every command that opens one
refuses it in a sentence, with status 2, within seconds, on all ranks, and touches nothing."""
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

import h5py

from support.program import GAS, SOURCE, ProgramTest, ricochet

LIMIT_SECONDS = 10
VALUE = "particles/trajectory/velocity/value"
PARTS = ["--steps", "10", "--set", "output.checkpoint.every_steps=5"]


def replaced(file):
    """Takes the velocities out of the file; returns their parent, shape and type."""
    shape, kind = file[VALUE].shape, file[VALUE].dtype
    del file[VALUE]
    return file["particles/trajectory/velocity"], shape, kind


def link_out(file):
    replaced(file)
    file[VALUE] = h5py.ExternalLink("secret.h5", "/x")


def link_group_out(file):
    del file["ricochet/provenance"]
    file["ricochet/provenance"] = h5py.ExternalLink("secret.h5", "/")


def link_out_softly(file):
    """A soft link through an external one that nothing else needs."""
    replaced(file)
    file["door"] = h5py.ExternalLink("secret.h5", "/")
    file[VALUE] = h5py.SoftLink("/door/x")


def store_outside(file):
    group, shape, kind = replaced(file)
    group.create_dataset("value", shape, kind, external=[("secret.raw", 0, h5py.h5f.UNLIMITED)])


def store_in_pipe(file):
    group, shape, kind = replaced(file)
    group.create_dataset("value", shape, kind, external=[("pipe", 0, h5py.h5f.UNLIMITED)])


def map_from(source):
    def change(file):
        group, shape, kind = replaced(file)
        layout = h5py.VirtualLayout(shape, kind)
        layout[:] = h5py.VirtualSource(source, "/" + VALUE, shape)
        group.create_virtual_dataset("value", layout)
    return change


def declare_rows(file):
    for name in ("position", "velocity"):
        value = file[f"particles/trajectory/{name}/value"]
        shape, kind = value.shape[1:], value.dtype
        del file[value.name]
        file[f"particles/trajectory/{name}"].create_dataset(
            "value", (2**40, *shape), kind, maxshape=(None, *shape), chunks=(1, *shape))


def count_rows(file):
    complete = file["ricochet/complete"]
    row = complete[0]
    row["frames"] = 2**40
    complete[0] = row


def nest_groups(file):
    file.create_group("/".join(["deep"] * 100))


HOSTILE = {"a link out of the file": link_out, "provenance is a link out": link_group_out,
           "door is a link out": link_out_softly, "has external storage": store_outside,
           "value has external storage": store_in_pipe, "a virtual dataset": map_from("secret.h5"),
           "is a virtual dataset": map_from("hostile.h5md"), "declares": declare_rows,
           "counts 1099511627776 complete rows, but /particles/trajectory/": count_rows,
           "deeper than 32 groups": nest_groups}


class HostileFiles(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("input.yaml", GAS)
        self.succeed("run", "input.yaml", "--continue", *PARTS)
        os.mkfifo("pipe")
        pathlib.Path("secret.raw").write_bytes(b"secret" * 200_000)
        with h5py.File("secret.h5", "w") as file:
            file["x"] = h5py.File("gas.h5md")[VALUE][:]

    def make_hostile(self, change, source="gas.h5md", path="hostile.h5md"):
        shutil.copy(source, path)
        with h5py.File(path, "r+") as file:
            change(file)

    def expect_refusal(self, pattern, *arguments, **options):
        before = {path: path.lstat().st_mtime_ns for path in pathlib.Path().iterdir()}
        process = ricochet(*arguments, **options)
        self.assertEqual(process.returncode, 2, f"{arguments}:\n{process.stdout}\n{process.stderr}")
        self.assertRegex(process.stderr, pattern)
        self.assertLess(process.seconds, LIMIT_SECONDS)
        self.assertEqual(before, {path: path.lstat().st_mtime_ns for path in pathlib.Path().iterdir()})

    def test_all_are_refused(self):
        for pattern, change in HOSTILE.items():
            with self.subTest(pattern):
                self.make_hostile(change)
                self.expect_refusal(r"hostile\.h5md: .*" + pattern, "info", "hostile.h5md")

    def test_all_readers_refuse(self):
        self.make_hostile(map_from("hostile.h5md"))
        for command in (["export", "hostile.h5md", "--format", "xyz", "-o", "out.xyz"],
                        ["compare", "hostile.h5md", "gas.h5md"], ["compare", "gas.h5md", "hostile.h5md"],
                        ["report", "hostile.h5md", "-o", "page"]):
            with self.subTest(command):
                self.expect_refusal(r"hostile\.h5md: .* is a virtual dataset", *command)

    def test_continued_runs_refuse(self):
        shutil.copy("gas.h5md", "good.h5md")
        for pattern, change in HOSTILE.items():
            with self.subTest(pattern):
                self.make_hostile(change, "good.h5md", "gas.h5md")
                self.expect_refusal(r"gas\.h5md: .*" + pattern, "run", "input.yaml", "--continue")
        self.expect_refusal(r"gas\.h5md: ", "run", "input.yaml", "--continue", ranks=2)

    def test_starts_refuse(self):
        text = GAS.replace("method: random", "method: file, path: hostile.h5md")
        self.write("start.yaml", text.replace(", volume_fraction: 0.25", "").replace("file: gas", "file: new"))
        for pattern, change in HOSTILE.items():
            if change is count_rows:
                continue  # a start takes what there is
            with self.subTest(pattern):
                self.make_hostile(change)
                self.expect_refusal(r"hostile\.h5md: .*" + pattern, "check", "start.yaml")
        self.expect_refusal(r"hostile\.h5md: ", "run", "start.yaml", ranks=2)

    def test_starts_without_particles_or_numbers(self):
        text = GAS.replace("method: random", "method: file, path: start.h5md")
        self.write("start.yaml", text.replace(", volume_fraction: 0.25", "").replace("file: gas", "file: new"))
        for elements, pattern in ((dict(id=[-1, -1]), "has no particles in its frame 0: got 2 rows"),
                                  (dict(id=[0, -7]), "row 1: id: got -7"),
                                  (dict(radius=["a", "b"]), "radius holds no numbers"),
                                  (dict(position=["a", "b"]), "position")):
            with self.subTest(pattern), h5py.File("start.h5md", "w") as file:
                for name, values in (dict(position=[[1.0, 1, 1], [5, 5, 5]], velocity=[[1.0, 0, 0]] * 2) | elements).items():
                    file[f"particles/all/{name}"] = values
                file.close()
                self.expect_refusal(r"start\.h5md: .*" + pattern, "check", "start.yaml", ranks=2)

    def test_only_regular_files_are_opened(self):
        os.mkdir("folder")
        os.symlink("/dev/zero", "device")
        text = GAS.replace(", volume_fraction: 0.25", "").replace("file: gas", "file: new")
        for path, pattern in (("pipe", "is a pipe"), ("folder", "is a folder"), ("device", "is a device")):
            self.write("start.yaml", text.replace("method: random", f"method: file, path: {path}"))
            for command in (["info", path], ["compare", "gas.h5md", path], ["export", path, "--format", "xyz"],
                            ["report", path, "-o", "page"], ["check", "start.yaml"]):
                with self.subTest(command):
                    self.expect_refusal(f"{path}: {pattern}", *command)

    def test_outputs_that_are_pipes(self):
        os.mkfifo("new.h5md")
        self.expect_refusal("not a regular file", "run", "input.yaml", "--output", "new.h5md", "--continue")

    def test_links_in_the_place_of_outputs(self):
        """Neither those of files that are about to be written nor exports are written through links."""
        os.symlink("elsewhere", "gas.xdmf.tmp")
        os.symlink("elsewhere", "gas.h5md.checkpoint-15.tmp")
        os.symlink("elsewhere", "out.xyz")
        self.succeed("run", "input.yaml", "--continue")
        self.expect_refusal("out.xyz: it is a link to a file that does not exist", "export", "gas.h5md", "--format",
                            "xyz", "-o", "out.xyz")
        self.assertFalse(os.path.exists("elsewhere"))

    def test_checkpoints_that_are_pipes(self):
        """Passed over as damaged ones are."""
        os.mkfifo("gas.h5md.checkpoint-11")
        out = self.succeed("run", "input.yaml", "--continue", ranks=2)
        self.assertIn("checkpoint-11: is damaged: gas.h5md.checkpoint-11: is not a regular file", out)

    def test_the_scripts_of_the_report_refuse(self):
        """They open the file after the program has looked at it."""
        for change in (link_out, link_group_out, link_out_softly, store_outside, map_from("secret.h5")):
            self.make_hostile(change)
            process = subprocess.run([sys.executable, "-B", SOURCE / "src/app/report", "hostile.h5md", "page"],
                                     capture_output=True, text=True)
            self.assertEqual(process.returncode, 2, process.stderr)
            self.assertRegex(process.stderr, r"^hostile\.h5md: .*: /\S+ is (a link out|stored outside) of the file\n$")


if __name__ == "__main__":
    unittest.main()
