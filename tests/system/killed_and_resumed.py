# SPDX-License-Identifier: BSD-3-Clause
"""A run that is killed (SIGKILL of all processes or of one) again and again, at random moments: after each kill the
result opens and its announced frames are right; continued to its end it has the bits of a run that was left alone.

RICOCHET_LONG asks for the long series, RICOCHET_SEED sets its moments.
"""
import hashlib
import os
import pathlib
import random
import signal
import subprocess
import time
import unittest

import h5py

from reactions import STICKING_BROWNIAN
from support.program import EXE, GAS, ProgramTest, ranks_of

NUM_KILLS = 50 if os.environ.get("RICOCHET_LONG") else 5
SEED = int(os.environ.get("RICOCHET_SEED", "1"))
BUSY_GAS = GAS.replace("steps: 20", "steps: 10000000").replace(
    "trajectory_every: 5, observables_every: 2",
    "trajectory_every: 1, observables_every: 1, flush_every_seconds: 0, checkpoint: {every_steps: 4}")
BUSY_REACTIONS = STICKING_BROWNIAN.replace("steps: 60", "steps: 10000000").replace("out.h5md", "gas.h5md").replace(
    "trajectory_every: 10, observables_every: 5",
    "trajectory_every: 1, observables_every: 1, flush_every_seconds: 0").replace(
        "every_steps: 13", "every_steps: 4").replace("diffusion: 0.8, count: 0", "diffusion: 0.8, count: 40")
FRAME_DATASETS = [f"particles/trajectory/{name}" for name in
                  ("position/value", "velocity/value", "image/value", "id/value", "position/step")]


def kill(processes):
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


def num_frames(path):
    """Announced frames; 0 while there is no file that could announce any."""
    if not path.exists() or path.stat().st_size == 0:
        return 0
    with h5py.File(path, "r") as file:
        return int(file["ricochet/complete"][0]["frames"])


def digests(path, parts):
    """Of the first rows of each dataset, and of the particles that had been born by then."""
    with h5py.File(path, "r") as file:
        return {name: hashlib.sha256(file[name][tuple(slice(size) for size in shape)].tobytes()).hexdigest()
                for name, shape in parts.items()}


def announced(path):
    """The shape of what counts in each dataset."""
    with h5py.File(path, "r") as file:
        complete = file["ricochet/complete"][0]
        rows = dict.fromkeys(FRAME_DATASETS, int(complete["frames"]))
        rows |= {"ricochet/collisions": int(complete["collisions"]),
                 "ricochet/observables/energy/value": int(complete["samples"])}
        return {name: (count,) + file[name].shape[1:] for name, count in rows.items()}


class KilledAndResumed(ProgramTest):
    def run_and_kill(self, chance):
        command = ["mpiexec", "--timeout", "2000", "-n", str(chance.choice([1, 2, 3])), EXE, "run", "input.yaml",
                   "--continue", "--set", f"search.method={chance.choice(['cells', 'slices'])}"]
        launcher = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(chance.uniform(0.1, 1.2))
        ranks = ranks_of(launcher)
        victims = [chance.choice(ranks)] if ranks and chance.random() < 0.5 else ranks + [launcher.pid]
        self.assertIsNone(launcher.poll(), "the run ended by itself")
        kill(victims)
        try:
            launcher.communicate(timeout=200)
        except subprocess.TimeoutExpired:  # mpirun can wait for ever for a rank that died while it started
            kill(ranks_of(launcher) + [launcher.pid])
            launcher.communicate()

    def end_step(self):
        checkpoints = [int(path.name.rpartition("-")[2]) for path in pathlib.Path().glob("gas.h5md.checkpoint-*[0-9]")]
        return max(checkpoints, default=0) + 10

    def check_series(self, text):
        chance = random.Random(SEED)
        self.write("input.yaml", text)
        path, seen = pathlib.Path("gas.h5md"), []
        for _ in range(NUM_KILLS):
            self.run_and_kill(chance)
            if num_frames(path) > 0 and self.is_verified_unless_interrupted(path):
                parts = announced(path)
                seen.append((parts, digests(path, parts)))
        num_announced = [parts[FRAME_DATASETS[0]][0] for parts, _ in seen]
        end = max([self.end_step()] + num_announced)
        self.succeed("run", "input.yaml", "--continue", "--steps", end, ranks=2, timeout=2400)
        self.succeed("run", "input.yaml", "--output", "whole.h5md", "--steps", end, "--set",
                     "output.checkpoint.every_steps=0", timeout=2400)
        self.assert_same_results("whole.h5md", "gas.h5md")
        for parts, digest in seen:
            self.assertEqual(digests("whole.h5md", parts), digest)
        print(f"killed {NUM_KILLS} times, with {num_announced} frames announced")

    def test_ends_with_the_right_bits(self):
        self.check_series(BUSY_GAS)

    def test_reactions_end_with_the_right_bits(self):
        """Particles are born and end, tethers form and break."""
        self.check_series(BUSY_REACTIONS)


if __name__ == "__main__":
    unittest.main()
