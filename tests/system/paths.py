# SPDX-License-Identifier: BSD-3-Clause
"""Names of files that mean something else, or lead to something endless: refused at once, or they work."""
import os
import pathlib
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from support.program import EXE, GAS, ProgramTest, ricochet

FAST = GAS.replace("steps: 20", "steps: 2")


class OutputNames(ProgramTest):
    def test_a_colon_is_refused_by_check_and_run(self):
        for name in ("a:b.h5md", "ufs:b.h5md", "nfs:b.h5md", "c:/b.h5md"):
            with self.subTest(name=name):
                self.write("input.yaml", FAST.replace("gas.h5md", f"'{name}'"))
                error = self.fail_with(2, "check", "input.yaml")
                self.assertIn(f"input.yaml:8:16: output.file: got {name}, expected no colon", error)
                self.assertEqual(self.fail_with(2, "run", "input.yaml"), error)
                self.write("input.yaml", FAST)
                self.assertIn(f"--output: got {name}, expected no colon",
                              self.fail_with(2, "run", "input.yaml", "--output", name))
        self.assertEqual(os.listdir(), ["input.yaml"])

    def test_colons_of_input_and_folder_are_allowed(self):
        """A colon in the name of the input or of the folder is none in that of the output."""
        pathlib.Path("at 10:30").mkdir()
        os.chdir("at 10:30")
        self.write("gas 1:1.yaml", FAST.replace("file: gas.h5md, ", ""))
        self.succeed("run", "gas 1:1.yaml", ranks=2)
        self.assertTrue(pathlib.Path("gas 1-1.h5md").exists())


    def test_names_of_exports_that_xml_must_escape(self):
        """Both files in XML name others: the index beside the result, and the collection of an export."""
        self.write("input.yaml", FAST)
        name = 'salt & <pepper> "x" \'y\''
        self.succeed("run", "input.yaml", "--output", name + ".h5md")
        self.succeed("export", name + ".h5md", "--format", "vtk")
        entries = ElementTree.parse(name + ".pvd").getroot().findall("./Collection/DataSet")
        self.assertEqual([entry.get("file") for entry in entries], [f"{name}_{k:06}.vtp" for k in range(len(entries))])
        self.assertGreater(len(entries), 0)
        self.assertTrue(all(os.path.exists(entry.get("file")) for entry in entries))
        named = {item.text.strip().partition(".h5md:")[0] for item in ElementTree.parse(name + ".xdmf").iter("DataItem")
                 if ".h5md:" in item.text}
        self.assertEqual(named, {name})
        for bad in ("a\x01", b"\xe4".decode("utf-8", "surrogateescape"), "a\nb"):
            error = self.fail_with(2, "export", name + ".h5md", "--format", "vtk", "-o", bad + ".pvd")
            self.assertIn("expected a name in UTF-8 without control characters", error)

    def test_exports_leave_what_belongs_to_the_result(self):
        self.write("input.yaml", FAST)
        self.succeed("run", "input.yaml", "--set", "output.checkpoint.every_steps=1", "--set", "output.checkpoint.keep=3")
        before = pathlib.Path("gas.h5md.checkpoint-1").read_bytes()
        os.symlink("gas.h5md.checkpoint-1", "link.csv")
        os.mkdir("folder")
        for name in ("gas.h5md.checkpoint-1", "./folder/../gas.h5md.checkpoint-7", "gas.h5md.lock", "gas.h5md.undo",
                     "gas.xdmf", "link.csv"):
            error = self.fail_with(2, "export", "gas.h5md", "--format", "csv", "--force", "-o", name)
            self.assertIn("is a file of the result's own, or would be taken for one", error)
        self.assertEqual(pathlib.Path("gas.h5md.checkpoint-1").read_bytes(), before)
        self.succeed("export", "gas.h5md", "--format", "csv", "-o", "folder/gas.h5md.checkpoint-1")


class Inputs(ProgramTest):
    def refused(self, path, sentence, **options):
        error = self.fail_with(2, "check", path, timeout=200, **options)
        self.assertIn(f"{path}: cannot be read: {sentence}", error)
        self.assertEqual(error.count("\n"), 1)

    def test_what_is_no_regular_file_is_refused(self):
        os.mkfifo("pipe.yaml")
        self.refused("/dev/zero", "is a device")
        self.refused("pipe.yaml", "is a pipe")
        self.refused(".", "is a folder")

    def test_long_files_are_refused(self):
        with open("long.yaml", "wb") as file:
            file.truncate(20 << 30)  # a hole
        self.assertIn("long.yaml: is longer than 64 MB", self.fail_with(2, "check", "long.yaml", timeout=200))

    def test_standard_input_has_the_same_limit(self):
        """Standard input works and has the same limit."""
        run = subprocess.run([EXE, "check", "/dev/stdin"], input=FAST, text=True, capture_output=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        with open("/dev/zero") as zeros:
            run = subprocess.run([EXE, "check", "/dev/stdin"], stdin=zeros, text=True, capture_output=True, timeout=200)
        self.assertEqual(run.returncode, 2)
        self.assertIn("is longer than 64 MB", run.stderr)

    def test_wrong_start_file_is_named_by_its_key(self):
        """A start file that is none is named by its key."""
        text = FAST.replace("{method: random}", "{method: file, path: start.csv}").replace(
            ", volume_fraction: 0.25", "")
        self.write("input.yaml", text)
        for command in ("check", "run"):
            self.assertIn("input.yaml: placement.path: got start.csv: there is no such file",
                          self.fail_with(2, command, "input.yaml"))
        with open("start.csv", "wb") as file:
            file.truncate(20 << 30)
        for begin, says in ((b"", "start.csv: got a text in UTF-16, or bytes that are 0"),
                            (b"x" * (2 << 20), "start.csv:1: got a line of more than 1 MB")):
            with open("start.csv", "r+b") as file:
                file.write(begin)
            process = ricochet("check", "input.yaml", timeout=200)
            self.assertEqual(process.returncode, 2)
            self.assertIn(says, process.stderr)

    def test_limits_of_time_that_are_none(self):
        self.write("input.yaml", FAST)
        for hours in ("nan", "inf", "-1", "soon"):
            self.assertIn("--max-hours", self.fail_with(2, "run", "input.yaml", f"--max-hours={hours}"))

    def test_step_too_long_is_named_with_its_line(self):
        """A step too long for the box is named with its line."""
        text = FAST.replace("type: ballistic", "type: brownian").replace("mass: 1", "diffusion: 1")
        self.write("input.yaml", text.replace("timestep: 0.1", "timestep: 2"))
        self.assertRegex(self.fail_with(2, "check", "input.yaml"), r"^input.yaml:\d+:\d+: run.timestep: got 2, too long")


if __name__ == "__main__":
    unittest.main()
