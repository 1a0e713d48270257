# SPDX-License-Identifier: BSD-3-Clause
"""Writes that fail although the free space was looked at before: the run says so once, with the path and the bytes
that it needed, ends with status 1 on all ranks, and what it announced stays; with room again it goes on to the bits
of a run that was left alone.

The writes fail for real, with an error of the kernel: the test sets a limit on the size of files (RLIMIT_FSIZE) for
ranks that are running. A limit on rank 0 is met where the room is reserved, before anything has changed; one on
another rank is met half-way, in the middle of a collective write, and on that rank alone.
"""
import os
import pathlib
import random
import resource
import signal
import subprocess
import time
import unittest

import h5py

from support.program import EXE, GAS, ProgramTest, ranks_of

NUM_TRIALS = 8 if os.environ.get("RICOCHET_LONG") else 1
LIMIT_SECONDS = 600  # what takes longer hangs
EVERY_STEP = ("trajectory_every: 1, observables_every: 1, collisions: all, flush_every_seconds: 0, "
              "checkpoint: {every_steps: 10}")
LOG_ONLY = EVERY_STEP.replace("trajectory_every: 1", "trajectory_every: 0")
# A checkpoint, of 2,000 particles, is larger than the result.
CHECKPOINTS_ONLY = ("trajectory_every: 0, observables_every: 0, collisions: none, "
                    "checkpoint: {every_steps: 10}")


def gas(output, size="[9, 7, 7]"):
    text = GAS.replace("trajectory_every: 5, observables_every: 2, collisions: all", output)
    return text.replace("steps: 20", "steps: 10000000").replace("[9, 7, 7]", size)


def checkpoint_steps():
    return sorted(int(path.name.rpartition("-")[2]) for path in pathlib.Path().glob("gas.h5md.checkpoint-*[0-9]"))


def signal_all(processes, number):
    for process in processes:
        os.kill(process, number)


class FailingWrites(ProgramTest):
    def run_into_limit(self, text, ranks, room):
        """Starts a run on 3 ranks; after its second checkpoint `ranks` may write no file beyond the size of the result
        and `room` bytes. Returns what the run wrote to stderr."""
        self.write("input.yaml", text)
        launcher = subprocess.Popen(["mpiexec", "--timeout", "1000", "-n", "3", EXE, "run", "input.yaml", "--continue"],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while len(checkpoint_steps()) < 2:
            self.assertIsNone(launcher.poll(), "the run ended by itself")
            time.sleep(0.01)
        limit = os.path.getsize("gas.h5md") + room
        running = ranks_of(launcher)
        self.halt_between_checkpoints(running)
        for rank in ranks:
            resource.prlimit(running[rank], resource.RLIMIT_FSIZE, (limit, limit))
        signal_all(running, signal.SIGCONT)
        out, err = launcher.communicate(timeout=LIMIT_SECONDS)
        self.assertEqual(launcher.returncode, 1, out + err)
        return err

    def halt_between_checkpoints(self, running):
        """A limit that falls between the reservation and the write of one is told in other words."""
        signal_all(running, signal.SIGSTOP)
        while list(pathlib.Path().glob("*.tmp")):
            signal_all(running, signal.SIGCONT)
            time.sleep(0.003)
            signal_all(running, signal.SIGSTOP)

    def expect_one_message(self, err, pattern):
        lines = [line for line in err.splitlines() if "gas.h5md" in line]
        self.assertEqual(len(lines), 1, err)
        self.assertRegex(lines[0], pattern)

    def expect_announced_frames_and_right_end(self, text):
        with h5py.File("gas.h5md") as file:
            complete = file["ricochet/complete"][0]
            positions = file["particles/trajectory/position/value"][:complete["frames"]]
            log = file["ricochet/collisions"][:complete["collisions"]]
        self.is_verified_unless_interrupted("gas.h5md")
        last = checkpoint_steps()[-1] + 40
        self.succeed("run", "input.yaml", "--continue", "--steps", last, ranks=2)
        self.write("whole.yaml", text)
        self.succeed("run", "whole.yaml", "--output", "whole.h5md", "--steps", last, "--set",
                     "output.checkpoint.every_steps=0")
        self.assert_same_results("whole.h5md", "gas.h5md")
        with h5py.File("whole.h5md") as file:
            # The run that failed may have come further than the one that went on from its checkpoint.
            num_frames, num_rows = file["ricochet/complete"][0]["frames"], len(file["ricochet/collisions"])
            self.assertGreaterEqual(num_frames + (len(positions) == 0), len(positions))
            whole = file["particles/trajectory/position/value"][:len(positions)]
            self.assertEqual(whole.tobytes(), positions.tobytes())
            self.assertEqual(file["ricochet/collisions"][:len(log)].tobytes(), log[:num_rows].tobytes())

    def check(self, text, seed, pattern, ranks, most_room):
        chance = random.Random(seed)
        for _ in range(NUM_TRIALS):
            for path in pathlib.Path().glob("*.h5md*"):
                path.unlink()
            self.expect_one_message(self.run_into_limit(text, ranks, chance.randrange(most_room)), pattern)
            self.expect_announced_frames_and_right_end(text)

    # What comes next may be the result or a checkpoint.
    RESERVING = (r"^gas\.h5md(\.checkpoint-\d+\.tmp)?: cannot reserve room: File too large: "
                 r"the next output needs \d+ bytes")
    HALF_WAY = r"^rank [12]: gas\.h5md: cannot (write|flush|extend).*needs \d+ bytes and the disk has \d+ bytes left"

    def test_frames_without_room(self):
        self.check(gas(EVERY_STEP), 1, self.RESERVING, [0, 1, 2], 400_000)

    def test_frames_half_way(self):
        self.check(gas(EVERY_STEP), 11, self.HALF_WAY, [1], 200_000)

    def test_collision_log_without_room(self):
        self.check(gas(LOG_ONLY), 2, self.RESERVING, [0, 1, 2], 200_000)

    def test_collision_log_half_way(self):
        self.check(gas(LOG_ONLY), 3, self.HALF_WAY, [2], 200_000)

    def test_checkpoints_without_room(self):
        self.check(gas(CHECKPOINTS_ONLY, "[24, 14, 14]"), 4,
                   r"gas\.h5md\.checkpoint-\d+\.tmp: cannot reserve room: File too large: .* needs \d+ bytes",
                   [0, 1, 2], 100_000)

    def test_checkpoints_half_way(self):
        self.check(gas(CHECKPOINTS_ONLY, "[24, 14, 14]"), 5,
                   r"gas\.h5md\.checkpoint-\d+\.tmp: cannot .* needs \d+ bytes and the disk has \d+ bytes left",
                   [2], 100_000)


if __name__ == "__main__":
    unittest.main()
