# SPDX-License-Identifier: BSD-3-Clause
"""jobs/slurm.sh in a private Slurm: a job's whole life, and what is refused before it begins.

The signals that Slurm sends before a time limit and at its end are sent with scancel, at a moment when the run
is seen to be under way. Should it end before the signal arrives, on a machine faster than expected, the test
tries again with a longer run.
"""
import os
import pathlib
import unittest

from support.job_scripts import job, path_without
from support.private_slurm import PrivateSlurm, num_complete_frames, wait_until
from support.program import GAS, ProgramTest

LARGER_GAS = GAS.replace("[9, 7, 7]", "[18, 14, 14]").replace("trajectory_every: 5",
                                                              "trajectory_every: 50, flush_every_seconds: 0")
# Open MPI waits this many seconds, twice, after a run with a status other than 0.
os.environ["OMPI_MCA_odls_base_sigkill_timeout"] = "3"


class Refusals(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("gas.yaml", GAS)

    def refused(self, message, *arguments, status=2, **options):
        process = job("slurm.sh", *arguments, **options)
        self.assertEqual(process.returncode, status, process.stdout + process.stderr)
        self.assertIn(message, process.stdout + process.stderr)

    def test_refuses_before_anything_is_submitted(self):
        self.refused("usage:", "gas.yaml")
        self.refused("There is no input file none.yaml", "none.yaml", "4")
        self.refused("RANKS: got four, expected a whole number > 0", "gas.yaml", "four")
        self.refused("--warning: got soon", "gas.yaml", "4", "--warning=soon")
        self.refused("--time: got later", "gas.yaml", "4", "--time=later")
        self.refused("not longer than the warning", "gas.yaml", "4", "--time=0:04:59")
        self.refused("not longer than the warning", "gas.yaml", "4", "--time", "6")
        self.refused("There is no sbatch", "gas.yaml", "4", status=1,
                     environment={**os.environ, "PATH": path_without("sbatch")})

    def test_refuses_what_the_program_refuses(self):
        with PrivateSlurm(cpus=2) as slurm:
            answered = {"environment": slurm.environment}
            self.refused("There is no program nowhere", "gas.yaml", "4", status=1, program="nowhere", **answered)
            self.refused("ranks", "gas.yaml", "4000", **answered)
            self.refused("run.timestep", "gas.yaml", "4", "--", "--set", "run.timestep=-1", **answered)
            self.refused("run.steps", "gas.yaml", "4", "--", "--steps", "many", **answered)


class SlurmScript(ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.slurm = PrivateSlurm(cpus=4)
        cls.slurm.start()
        cls.addClassCleanup(cls.slurm.stop)

    def setUp(self):
        super().setUp()
        folder = pathlib.Path("a folder with $signs")
        folder.mkdir()
        os.chdir(folder)
        self.write("an input.yaml", LARGER_GAS)

    def submit(self, *arguments, ranks=4):
        """Returns the job's number."""
        process = job("slurm.sh", "an input.yaml", ranks, "--time=01:00:00", *arguments,
                      environment={**self.slurm.environment, "OMPI_MCA_odls_base_sigkill_timeout": "3"})
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        self.assertIn(f"on {ranks} ranks", process.stdout)
        return int(process.stdout.split("Submitted batch job ")[1])

    def log(self, number):
        path = pathlib.Path(f"ricochet-{number}.log")
        return path.read_text() if path.exists() else ""

    def ends_well(self, number):
        fields = self.slurm.wait_for_job(number)
        self.assertEqual((fields["JobState"], fields["ExitCode"]), ("COMPLETED", "0:0"), self.log(number))
        return int(fields["Restarts"])

    def interrupt(self, num_steps, *cancel_options):
        """Submits, waits until the run has written frames, and sends it a signal."""
        number = self.submit("--", "--steps", num_steps, "--output", f"{num_steps}.h5md")
        wait_until(lambda: num_complete_frames(f"{num_steps}.h5md") >= 2 or "ended with" in self.log(number),
                   lambda: self.log(number))
        self.slurm.ask("scancel", *cancel_options, str(number))
        return number

    def assert_same_as_one_rank(self, num_steps):
        self.succeed("run", "an input.yaml", "--steps", num_steps, "--output", "one.h5md", timeout=2400)
        self.assert_same_results("one.h5md", f"{num_steps}.h5md")

    def test_warned_job_stops_and_is_queued_again(self):
        """Stops at the warning is queued again and ends with the bits of one rank."""
        for num_steps in (400, 4000, 40000):
            number = self.interrupt(num_steps, "--batch", "--signal=USR1")
            num_restarts = self.ends_well(number)
            if num_restarts > 0:
                break
        self.assertEqual(num_restarts, 1)
        log = self.log(number)
        self.assertEqual(log.count("stopped with status 85; queueing this job again"), 1, log)
        self.assertIn(f"job {number}, start 2: mpirun -n 4", log)
        self.assertRegex(log, r"continuing from .*, step [1-9]\d*")
        self.assertIn("ended with status 0", log)
        self.assert_same_as_one_rank(num_steps)

    def test_cancelled_job_goes_on_with_other_ranks(self):
        """Goes on where it was cancelled on another number of ranks."""
        for num_steps in (400, 4000, 40000):
            number = self.interrupt(num_steps)
            self.slurm.wait_for_job(number)
            ends = ("ended by the batch system", "ended with status 0")  # a run may end just before its signal comes
            wait_until(lambda: any(end in self.log(number) for end in ends), lambda: self.log(number))
            if ends[0] in self.log(number):
                break
        self.assertIn(ends[0], self.log(number))
        second = self.submit("--", "--steps", num_steps, "--output", f"{num_steps}.h5md", ranks=3)
        self.assertEqual(self.ends_well(second), 0)
        self.assertRegex(self.log(second), r"continuing from .*, step [1-9]\d*")
        self.assert_same_as_one_rank(num_steps)

    def test_a_run_that_fails_is_not_queued_again(self):
        number = self.submit("--", "--set", "run.contact_cap=1")
        fields = self.slurm.wait_for_job(number)
        self.assertEqual((fields["JobState"], fields["ExitCode"], fields["Restarts"]), ("FAILED", "1:0", "0"))
        self.assertIn("ended with status 1", self.log(number))


if __name__ == "__main__":
    unittest.main()
