# SPDX-License-Identifier: BSD-3-Clause
"""Storage that fails: damaged checkpoints, a disk that is full, a folder that cannot be written. Disks of their own
size need the right to mount (root in the container of CI); without it those tests are skipped, and say so."""
import os
import pathlib
import subprocess
import unittest

import h5py

from support.program import GAS, ProgramTest

PARTS = ["--set", "output.checkpoint.every_steps=5", "--steps", "12"]
FRAME_EVERY_STEP = ["--set", "output.trajectory_every=1"]


class DamagedCheckpoints(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("input.yaml", GAS)
        self.succeed("run", "input.yaml", "--continue", *PARTS, ranks=2)
        self.newest, self.older = pathlib.Path("gas.h5md.checkpoint-12"), pathlib.Path("gas.h5md.checkpoint-10")
        self.assertTrue(self.newest.exists() and self.older.exists())

    def expect_warning_and_right_bits(self):
        out = self.succeed("run", "input.yaml", "--continue", ranks=3)
        self.assertIn("warning: gas.h5md.checkpoint-12: is damaged: it", out)
        self.assertIn("continuing from gas.h5md.checkpoint-10, step 10", out)
        self.succeed("run", "input.yaml", "--output", "whole.h5md")
        self.assert_same_results("whole.h5md", "gas.h5md")

    def test_truncated(self):
        os.truncate(self.newest, self.newest.stat().st_size * 2 // 3)
        self.expect_warning_and_right_bits()

    def test_empty(self):
        os.truncate(self.newest, 0)
        self.expect_warning_and_right_bits()

    def test_one_bit_flipped(self):
        content = bytearray(self.newest.read_bytes())
        content[len(content) // 2] ^= 4
        self.newest.write_bytes(content)
        self.expect_warning_and_right_bits()

    def test_all_of_them(self):
        for path in (self.newest, self.older):
            os.truncate(path, 100)
        text = self.fail_with(2, "run", "input.yaml", "--continue", ranks=2)
        for words in ("checkpoint-12: is damaged", "checkpoint-10: is damaged", "no checkpoint is usable", "--force"):
            self.assertIn(words, text)


class SmallDisks(ProgramTest):
    def mount(self, *options):
        """A disk in memory, mounted at ./disk until the test ends."""
        os.makedirs("disk", exist_ok=True)
        process = subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", "disk"],
                                 capture_output=True, text=True)
        if process.returncode != 0:
            self.skipTest(f"no right to mount a disk: {process.stderr.strip()}")
        path = os.path.abspath("disk")
        self.addCleanup(subprocess.run, ["umount", path], check=False)

    def setUp(self):
        super().setUp()
        self.write("input.yaml", GAS.replace("steps: 20", "steps: 6000").replace("file: gas", "file: disk/gas"))

    def test_that_are_full(self):
        """The run ends with status 1, a path and a number of bytes; what was announced stays; with more room it
        goes on to the right bits."""
        self.mount("size=22m")
        more = [*FRAME_EVERY_STEP, "--set", "output.checkpoint.every_steps=40"]
        text = self.fail_with(1, "run", "input.yaml", "--continue", *more, ranks=2)
        self.assertRegex(text, r"disk/gas.*needs \d+ bytes.*has \d+ bytes left")
        with h5py.File("disk/gas.h5md") as file:
            complete = file["ricochet/complete"][0]
            frames = file["particles/trajectory/position/value"][:complete["frames"]]
            self.assertGreater(len(frames), 40)
        checkpoints = sorted(int(path.name.rpartition("-")[2]) for path in pathlib.Path("disk").glob("*.checkpoint-*"))
        self.assertEqual(len(checkpoints), 2)
        subprocess.run(["mount", "-o", "remount,size=200m", os.path.abspath("disk")], check=True)
        last = checkpoints[-1] + 100
        self.succeed("run", "input.yaml", "--continue", *more, "--steps", last, ranks=3)
        self.succeed("run", "input.yaml", "--output", "whole.h5md", *FRAME_EVERY_STEP, "--steps", last)
        self.assert_same_results("whole.h5md", "disk/gas.h5md")

    def test_without_room_for_a_checkpoint(self):
        """A result that hardly grows, and a checkpoint that does not fit: the one before stays."""
        self.mount("size=19m")
        quiet = ["--set", "output.trajectory_every=0", "--set", "output.collisions=none", "--set",
                 "output.observables_every=0"]
        self.succeed("run", "input.yaml", "--continue", *quiet, "--steps", 20, ranks=2)
        disk = os.statvfs("disk")
        pathlib.Path("disk/ballast").write_bytes(bytes(disk.f_bavail * disk.f_frsize - (16 << 20) - 500_000))
        text = self.fail_with(1, "run", "input.yaml", "--continue", *quiet, "--steps", 40, ranks=2)
        self.assertRegex(text, r"disk/gas.h5md.checkpoint-40: the next output needs \d+ bytes")
        self.assertTrue(pathlib.Path("disk/gas.h5md.checkpoint-20").exists())
        os.remove("disk/ballast")
        self.succeed("run", "input.yaml", "--continue", *quiet, "--steps", 40)

    def test_that_are_read_only(self):
        self.mount("size=40m")
        self.succeed("run", "input.yaml", "--continue", "--steps", "20")
        subprocess.run(["mount", "-o", "remount,ro", os.path.abspath("disk")], check=True)
        text = self.fail_with(2, "run", "input.yaml", "--continue", "--steps", "40", ranks=2)
        self.assertIn("not writable", text)


if __name__ == "__main__":
    unittest.main()
