# SPDX-License-Identifier: BSD-3-Clause
"""Every input that ships runs, in a short form, and `check` plans every one in full."""
import unittest

from support.program import INPUTS, ProgramTest

STEPS = 3
# The whole cell, made small enough for a test.
SMALLER = {"ecoli_cell": ["--set", "box.size=[200, 100, 100]", "--set", "species.0.count=1300", "--set",
                          "bodies.0.capsule={from: [50, 50, 50], to: [150, 50, 50], radius: 49}"]}


class ShippedInputs(ProgramTest):
    def test_all_run(self):
        inputs = sorted(INPUTS.glob("*.yaml"))
        self.assertGreaterEqual(len(inputs), 11)
        for path in inputs:
            with self.subTest(path.stem):
                text = self.succeed("run", path, "--steps", STEPS, "--output", "out.h5md", "--force", "--set",
                                    "run.equilibrate.collisions_per_particle=0", *SMALLER.get(path.stem, []),
                                    ranks=2, timeout=1200)
                self.assertIn(f"{STEPS} steps in", text)
                self.assertIn(f"steps 0 to {STEPS}", self.succeed("info", "out.h5md"))

    def test_all_can_be_planned(self):
        for path in sorted(INPUTS.glob("*.yaml")):
            with self.subTest(path.stem):
                self.assertIn("# The plan:", self.succeed("check", path, "--ranks", 2))


if __name__ == "__main__":
    unittest.main()
