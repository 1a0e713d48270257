# SPDX-License-Identifier: BSD-3-Clause
"""More particles than there can be are refused at once, by `check` and `run` alike; one signal ends a placement."""
import signal
import subprocess
import time
import unittest

from support.program import EXE, ProgramTest, ranks_of, seconds_of, used_seconds

INPUT = """\
box: {size: [1.0e+7, 1.0e+7, 1.0e+7], boundary: periodic}
species:
  - {name: ball, radius: 0.5, mass: 1, count: 1000}
placement: {method: random}
dynamics: {type: ballistic, kT: 1}
run: {timestep: 0.001, steps: 2, seed: 3}
output: {file: gas.h5md, trajectory_every: 0, observables_every: 0, collisions: none}
"""
DENSE = """\
box: {size: [240, 240, 240], boundary: periodic}
species:
  - {name: ball, radius: {lognormal: {median: 0.5, sigma: 0.1, min: 0.3, max: 0.8}}, mass: 1, volume_fraction: 0.33}
placement: {method: random}
dynamics: {type: ballistic, kT: 1}
run: {timestep: 0.001, steps: 1000000, seed: 3}
output: {file: gas.h5md, trajectory_every: 0, observables_every: 0, collisions: none}
"""


class LargeCounts(ProgramTest):
    def refusal(self, command, count, *options, ranks=1):
        error = self.fail_with(2, command, "input.yaml", "--set", f"species.0.count={count}", *options, ranks=ranks,
                               timeout=200)
        if ranks == 1:  # mpiexec adds lines of its own
            self.assertEqual(error.count("\n"), 1, error)
        return error

    def test_are_refused_by_arithmetic(self):
        self.write("input.yaml", INPUT)
        for count in (10**10, 10**12, 10**15):
            with self.subTest(count=count):
                error = self.refusal("check", count)
                self.assertIn(f"input.yaml: species: got {count} particles", error)
                self.assertIn("expected at most 4227858432", error)
                self.assertEqual(self.refusal("run", count), error)
        self.assertIn("expected", self.refusal("check", 2 * 10**15))
        self.assertIn("on each of 2 ranks", self.refusal("run", 10**10, ranks=2))
        self.assertIn("on each of 100 ranks", self.refusal("check", 10**12, "--ranks", 100))

    def test_are_refused_by_memory(self):
        """With what would fit; two ranks on one node share its memory."""
        self.write("input.yaml", INPUT)
        for ranks, need in ((1, r"8\d\d GB"), (2, r"1\.6\d* TB")):
            for command in ("check", "run"):
                error = self.refusal(command, 4 * 10**9, ranks=ranks)
                self.assertRegex(error, rf"input.yaml: species: got 4000000000 particles, which need about {need} of "
                                 rf"memory on a node with {ranks} of the {ranks} ranks, expected at most the .* that "
                                 r"are available there: take at most about \S+ particles")
        self.assertIn("note: 2 ranks need about 1.6", self.succeed("check", "input.yaml", "--ranks", 2, "--set",
                                                                 "species.0.count=4000000000"))

    def stop(self, command, number):
        """Seconds of processors that a start takes which the signal ends; it must end by itself, with a sentence."""
        start = used_seconds()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        while sum(map(seconds_of, [process.pid, *ranks_of(process)])) < 3:
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        process.send_signal(number)
        output, error = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 85, output + error)
        self.assertIn("stopped by a signal before the first step", output)
        return used_seconds() - start

    def test_one_signal_ends_a_placement(self):
        self.write("input.yaml", DENSE)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
            self.assertLess(self.stop([EXE, "run", "input.yaml"], number), 20)
        self.assertLess(self.stop(["mpiexec", "-n", "2", EXE, "run", "input.yaml"], signal.SIGUSR1), 20)


if __name__ == "__main__":
    unittest.main()
