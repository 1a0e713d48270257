# SPDX-License-Identifier: BSD-3-Clause
"""Errors of single writes, on one rank, behind a successful reservation of room: a quota, a server that answers EIO.

support/write_faults.c, preloaded into the ranks, lets the k-th call of one rank fail that writes, syncs or cuts the
result or a checkpoint. Calls are chosen from all parts of a run: creation, frames, flushes, checkpoints, the end.
Every error must end all ranks in seconds with status 1 and one sentence: file, cause, bytes; no rank may hang or die
by a signal; and the run goes on to the bits of one that was left alone. A call that hangs is for the watchdog, and
is chosen by what it writes: each rank must say in which part of the run it waits.
"""
import concurrent.futures
import errno
import itertools
import os
import pathlib
import random
import shutil
import subprocess
import time
import unittest

from support.program import EXE, GAS, ProgramTest

NUM_INJECTIONS = 300 if os.environ.get("RICOCHET_LONG") else 30
NUM_RANKS = 3
LIMIT_SECONDS = 600  # what takes longer hangs; on a quiet machine it is 2
FAULTS_SOURCE = pathlib.Path(__file__).parent / "support/write_faults.c"
INPUT = GAS.replace("steps: 20", "steps: 12").replace("trajectory_every: 5, observables_every: 2", (
    "trajectory_every: 2, observables_every: 2, flush_every_seconds: 0, sync_every_seconds: 0, "
    "checkpoint: {every_steps: 5}"))


def parts_of(calls):
    """Numbers, from 1, of the calls of a rank, by the part of the run they belong to."""
    creation = calls.index("fsync gas.h5md")
    parts = {"creation": [], "frames": [], "flush": [], "checkpoint": [], "end": []}
    for number, call in enumerate(calls, 1):
        if "checkpoint" in call:
            part = "checkpoint"
        elif number <= creation:
            part = "creation"
        elif number > len(calls) - 15:
            part = "end"
        else:
            part = "frames" if call.startswith("pwrite") else "flush"
        parts[part].append(number)
    return parts


class WriteErrors(ProgramTest):
    def setUp(self):
        super().setUp()
        self.library = os.path.abspath("write_faults.so")
        subprocess.run([os.environ.get("RICOCHET_C_COMPILER", "cc"), "-shared", "-fPIC", "-O1", "-o", self.library,
                        FAULTS_SOURCE, "-ldl"], check=True)
        self.write("input.yaml", INPUT)

    def run_with(self, folder, *options, **faults):
        """Runs the input in a folder of its own. Returns the finished process, with .seconds added."""
        os.makedirs(folder)
        shutil.copy("input.yaml", folder)
        faults = {"LD_PRELOAD": self.library, "FAULT_FILE": "gas.h5md", "FAULT_LOG": "calls"} | faults
        variables = itertools.chain.from_iterable(["-x", f"{name}={value}"] for name, value in faults.items())
        start = time.monotonic()
        process = subprocess.run(["mpiexec", "--timeout", "1000", *variables, "-n", str(NUM_RANKS), EXE, "run",
                                  "input.yaml", *options], cwd=folder, capture_output=True, text=True)
        process.seconds = time.monotonic() - start
        return process

    def calls_of_whole_run(self):
        process = self.run_with("whole")
        self.assertEqual(process.returncode, 0, process.stderr)
        return [pathlib.Path(f"whole/calls.{rank}").read_text().splitlines() for rank in range(NUM_RANKS)]

    def injections(self):
        """(rank, call, errno, whether it stays), all parts and ranks in turn."""
        chance = random.Random(1)
        parts = [parts_of(calls) for calls in self.calls_of_whole_run()]
        places = itertools.cycle(itertools.product(parts[0], range(NUM_RANKS)))
        kinds = itertools.cycle(itertools.product((errno.ENOSPC, errno.EDQUOT, errno.EIO), (0, 1)))
        for (part, rank), (error, stays) in itertools.islice(zip(places, kinds), NUM_INJECTIONS):
            yield rank, chance.choice(parts[rank][part]), error, stays

    def inject(self, case):
        """The number of calls differs a little from run to run: a run that has fewer says which is its last."""
        rank, call, error, stays = case
        folder = f"{rank}-{call}-{error}-{stays}"
        while True:
            process = self.run_with(folder, FAULT_RANK=rank, FAULT_CALL=call, FAULT_ERROR=error, FAULT_STAYS=stays)
            num_calls = len(pathlib.Path(f"{folder}/calls.{rank}").read_text().splitlines())
            if process.returncode != 0 or num_calls >= call:
                return folder, error, process
            call = num_calls
            shutil.rmtree(folder)

    def expect_orderly_end(self, error, process):
        lines = [line for line in process.stderr.splitlines() if "gas.h5md" in line]
        self.assertEqual(process.returncode, 1, process.stderr)
        self.assertEqual(len(lines), 1, process.stderr)
        self.assertRegex(lines[0], rf"gas\.h5md\S*: cannot .*: {os.strerror(error)}")
        if "cannot write" in lines[0]:
            self.assertRegex(lines[0], r"\d+ bytes")
        self.assertNotIn("signal", process.stderr)
        self.assertLess(process.seconds, LIMIT_SECONDS)

    def expect_right_end(self, folder):
        """Goes on from a checkpoint; before the first one nothing tells a half-created result from another file."""
        has_checkpoint = any(pathlib.Path(folder).glob("gas.h5md.checkpoint-*[0-9]"))
        if has_checkpoint:
            self.is_verified_unless_interrupted(f"{folder}/gas.h5md")
        self.succeed("run", f"{folder}/input.yaml", "--continue" if has_checkpoint else "--force", "--output",
                     f"{folder}/gas.h5md")
        self.assert_verified(f"{folder}/gas.h5md")
        self.assert_same_results("whole/gas.h5md", f"{folder}/gas.h5md")
        shutil.rmtree(folder)

    def test_end_all_ranks_with_a_sentence(self):
        cases = list(dict.fromkeys(self.injections()))
        self.assertGreater(len(cases), NUM_INJECTIONS // 2)
        with concurrent.futures.ThreadPoolExecutor(4) as threads:
            for folder, error, process in threads.map(self.inject, cases):
                with self.subTest(folder):
                    self.expect_orderly_end(error, process)
                    self.expect_right_end(folder)

    def syncs_of(self, folder, *options):
        """How often rank 1 waits for the disk, which writes through MPI alone."""
        process = self.run_with(folder, *options)
        self.assertEqual(process.returncode, 0, process.stderr)
        return pathlib.Path(f"{folder}/calls.1").read_text().splitlines().count("fsync gas.h5md")

    def test_waits_for_the_disk_when_asked_to(self):
        """At the checkpoints of steps 5, 10 and 12 and at the end, or also at seven frames."""
        rarely = self.syncs_of("rarely", "--set", "output.sync_every_seconds=1e6")
        self.assertEqual(rarely, 4)
        for option in ("output.sync_every_seconds=0", "output.survives=power_loss"):
            folder = option.split("=")[1]
            self.assertGreaterEqual(self.syncs_of(folder, "--set", "output.sync_every_seconds=1e6", "--set", option),
                                    rarely + 7)
            self.assert_same_results("rarely/gas.h5md", f"{folder}/gas.h5md")

    def expect_watchdog(self, phase, *options, **faults):
        """The call of rank 1 that `faults` choose hangs; all ranks say that they are at `phase`."""
        folder = f"hangs-at-{phase}"
        process = self.run_with(folder, "--set", "run.watchdog=0.1", *options, FAULT_RANK=1, FAULT_CALL=1,
                                FAULT_ERROR=0, **faults)
        self.assertEqual(process.returncode, 1, process.stdout + process.stderr)
        self.assertLess(process.seconds, LIMIT_SECONDS)
        for rank in range(NUM_RANKS):
            self.assertRegex(process.stderr, rf"\(run\.watchdog\): rank {rank} on \S+ is at [\w ]*{phase}")
        calls = pathlib.Path(f"{folder}/calls.1").read_text().splitlines()
        self.assertEqual(calls.count("hangs"), 1, process.stderr)
        return calls[calls.index("hangs") - 1]

    def test_that_hang_meet_the_watchdog(self):
        """Without frames, what follows the checkpoint of the last step is the closing."""
        self.assertRegex(self.expect_watchdog("opening"), r"gas\.h5md\.new-\w+$")
        self.assertRegex(self.expect_watchdog("checkpoint", FAULT_FILE="gas.h5md.checkpoint-5"),
                         r"gas\.h5md\.checkpoint-5\.tmp$")
        self.assertRegex(self.expect_watchdog("closing", "--set", "output.trajectory_every=0",
                                              FAULT_AFTER="fsync gas.h5md.checkpoint-12.tmp"), r"gas\.h5md$")


if __name__ == "__main__":
    unittest.main()
