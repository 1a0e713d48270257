# SPDX-License-Identifier: BSD-3-Clause
"""jobs/local.sh, jobs/pbs.sh and jobs/lsf.sh, from another folder and with names that need quoting.

jobs/local.sh runs the build folder that these tests belong to (RICOCHET_PRESET); another build folder skips it.
jobs/slurm.sh has a test of its own, slurm_script.py.
"""
import os
import pathlib
import signal
import subprocess
import time
import unittest
from unittest import mock

import h5py

from support.job_scripts import job as job_of_program
from support.program import GAS, SOURCE, ProgramTest


def job(script, *arguments):
    """Runs the script in an environment that does not yet help Open MPI."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OMPI_")}
    return subprocess.run([SOURCE / "jobs" / script, *arguments], capture_output=True, text=True, env=environment,
                          timeout=2500)


@unittest.skipUnless("RICOCHET_PRESET" in os.environ, "the build folder is not that of a preset")
class Local(ProgramTest):
    def setUp(self):
        super().setUp()
        folder = pathlib.Path("a folder with $signs")
        folder.mkdir()
        os.chdir(folder)
        self.write("an input.yaml", GAS)

    def ends_well(self, process):
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        return process.stdout

    def test_local_runs_and_names_its_result(self):
        """Local runs on two ranks and says where the result is."""
        text = self.ends_well(job("local.sh", "an input.yaml"))
        self.assertIn("on 2 ranks", text)
        self.assertTrue(text.rstrip().splitlines()[-1].endswith("gas.h5md"), text)
        self.assertTrue(pathlib.Path("gas.h5md").exists())

    def test_local_passes_ranks_and_options_on(self):
        self.ends_well(job("local.sh", "an input.yaml", "3", "--steps", "4", "--output", "o 3.h5md"))
        self.ends_well(job("local.sh", "an input.yaml", "--steps", "4", "--output", "o 2.h5md"))
        self.assert_same_results("o 3.h5md", "o 2.h5md")

    def test_local_ends_with_the_programs_status(self):
        """Local ends with the status of the program."""
        process = job("local.sh", "an input.yaml", "1", "--set", "run.timestep=-1")
        self.assertEqual(process.returncode, 2, process.stdout)
        self.assertIn("run.timestep", process.stderr)

    def test_local_refuses_what_cannot_be_meant(self):
        for arguments, message in (((), "usage:"), (("none.yaml",), "There is no input file none.yaml"),
                                   (("an input.yaml", "two"), "RANKS: got two"),
                                   (("an input.yaml", "99999"), "RANKS: got 99999, expected at most"),
                                   (("an input.yaml", "12"), "ranks")):
            process = job("local.sh", *arguments)
            self.assertEqual(process.returncode, 2)
            self.assertIn(message, process.stdout + process.stderr)


    def test_an_exported_cdpath_changes_nothing(self):
        """With relative paths of scripts, which cd would look for in CDPATH."""
        pathlib.Path("jobs").mkdir()
        with mock.patch.dict(os.environ, CDPATH=f"{os.getcwd()}:{SOURCE}"):
            process = subprocess.run(["jobs/local.sh", os.path.abspath("an input.yaml"), "1", "--output",
                                      os.path.abspath("gas.h5md")], cwd=SOURCE, capture_output=True, text=True)
        self.ends_well(process)


class Setup(ProgramTest):
    def test_a_signal_ends_what_is_being_built(self):
        """The command and what it has started."""
        script = f"set -euo pipefail; source '{SOURCE}/jobs/setup.sh'; ricochet_logged log sh -c 'sleep 97 & wait'"
        process = subprocess.Popen(["bash", "-c", script])
        wait_until(lambda: num_sleeping() > 0)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(20), -signal.SIGTERM)
        wait_until(lambda: num_sleeping() == 0)
        self.assertEqual(num_sleeping(), 0)

    def test_an_sbatch_without_slurm_is_refused(self):
        self.write("gas.yaml", GAS)
        self.write("none.conf", "ClusterName=none\nSlurmctldHost=localhost(127.0.0.1)\nSlurmctldPort=1\n")
        environment = {**os.environ, "SLURM_CONF": os.path.abspath("none.conf")}
        for script in ("slurm.sh", "slurm-array.sh", "slurm-scaling.sh"):
            process = job_of_program(script, "gas.yaml", "1", environment=environment)
            self.assertEqual(process.returncode, 1, process.stdout)
            self.assertIn("no Slurm answers behind it (scontrol ping: Slurmctld(primary)", process.stderr)


def num_sleeping():
    return len(subprocess.run(["pgrep", "-fx", "sleep 97"], capture_output=True, text=True).stdout.split())


@unittest.skipUnless("RICOCHET_PRESET" in os.environ, "the build folder is not that of a preset")
class StoppedLocal(ProgramTest):
    def stop(self, number):
        """Starts jobs/local.sh, or goes on, and sends it a signal after some steps; returns its process."""
        steps = num_steps_done()
        process = subprocess.Popen([SOURCE / "jobs/local.sh", "input.yaml", "2", "--continue"], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        wait_until(lambda: process.poll() is not None or num_steps_done() > steps)
        process.send_signal(number)
        out, _ = process.communicate(timeout=1000)
        self.assertEqual(process.returncode, 85, out)
        return out

    def test_kill_and_interrupt_end_at_a_checkpoint(self):
        """By kill and by interrupt it ends at a checkpoint."""
        endless = GAS.replace("steps: 20", "steps: 10000000").replace("collisions: all", "collisions: none")
        self.write("input.yaml", endless.replace("trajectory_every: 5", "trajectory_every: 20"))
        for number in (signal.SIGTERM, signal.SIGINT):
            self.assertRegex(self.stop(number), r"checkpoint: gas\.h5md\.checkpoint-\d+; run again with --continue")
        steps = num_steps_done() + 40
        self.succeed("run", "input.yaml", "--continue", "--steps", steps)
        self.succeed("run", "input.yaml", "--output", "whole.h5md", "--steps", steps, ranks=2)
        self.assert_same_results("whole.h5md", "gas.h5md")


def num_steps_done():
    """By the last frame of gas.h5md."""
    try:
        with h5py.File("gas.h5md") as file:
            num_frames = int(file["ricochet/complete"][0]["frames"])
            return int(file["particles/trajectory/position/step"][num_frames - 1]) if num_frames else 0
    except (OSError, KeyError, RuntimeError):
        return 0


def wait_until(condition):
    deadline = time.monotonic() + 1000
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)


class OtherSites(ProgramTest):
    """jobs/pbs.sh and jobs/lsf.sh with a stand-in for qsub and bsub that prints its arguments and runs the job
    at once; so it cannot show more than that the job is whole and its folder, quoting and options arrive."""

    COMMANDS = {"pbs.sh": ("qsub", 'printf "<%s>" "$@"\nshift $(($# - 1))\n'
                           'grep "^#PBS" "$1"\nPBS_O_WORKDIR=$PWD exec bash "$1"\n'),
                "lsf.sh": ("bsub", 'printf "<%s>" "$@"\nexec bash -s\n')}

    def setUp(self):
        super().setUp()
        folder = pathlib.Path("a folder with $signs")
        (folder / "bin").mkdir(parents=True)
        os.chdir(folder)
        self.write("an input.yaml", GAS)
        for command, text in self.COMMANDS.values():
            path = pathlib.Path("bin", command)
            path.write_text("#!/usr/bin/env bash\n" + text)
            path.chmod(0o755)

    def submit(self, script, *arguments):
        path = f"{pathlib.Path('bin').resolve()}:{os.environ['PATH']}"
        # Open MPI waits so many seconds, twice, after a run with a status other than 0.
        environment = {**os.environ, "PATH": path, "OMPI_MCA_odls_base_sigkill_timeout": "1"}
        return job_of_program(script, "an input.yaml", *arguments, environment=environment)

    def test_submit_the_run(self):
        for script, options in (("pbs.sh", ("#PBS -l select=2:ncpus=1:mpiprocs=1", "#PBS -l walltime=01:30:00",
                                            "<-q><long><ricochet-an input.pbs>")),
                                ("lsf.sh", ("<-n><2>", "<-Q><85>", "<-W><90>", "<-q><long>"))):
            with self.subTest(script=script):
                output = f"{script}.h5md"
                process = self.submit(script, "2", "--time=01:30:00", "-q", "long", "--", "--output", output)
                self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
                for option in options:
                    self.assertIn(option, process.stdout)
                self.succeed("run", "an input.yaml", "--output", "one.h5md", "--force")
                self.assert_same_results("one.h5md", output)

    def test_stop_before_the_time_limit_and_go_on(self):
        """With a warning of all but one second of the time, the run stops; PBS's job submits itself again, for
        LSF its status counts."""
        process = self.submit("lsf.sh", "2", "--time=00:10:00", "--warning=599", "--", "--steps", "1000000")
        self.assertEqual(process.returncode, 85, process.stdout + process.stderr)
        self.assertIn("stopped with status 85", process.stdout)
        pathlib.Path("bin/qsub").write_text(
            '#!/usr/bin/env bash\nif [ -n "${INSIDE:-}" ]; then printf "again <%s>" "$@"; exit; fi\n'
            'INSIDE=yes PBS_O_WORKDIR=$PWD exec bash "$1"\n')
        process = self.submit("pbs.sh", "2", "--time=00:10:00", "--warning=599", "--", "--steps", "1000000",
                              "--output", "pbs.h5md")
        self.assertIn("stopped with status 85", process.stdout)
        self.assertIn(f"again <{pathlib.Path('ricochet-an input.pbs').resolve()}>", process.stdout)

    def test_refuse_what_cannot_be_meant(self):
        for script in self.COMMANDS:
            for arguments, message in ((("2",), "--time is missing"), (("two", "--time=10"), "RANKS: got two"),
                                       (("2", "--time=4"), "not longer than the warning"),
                                       (("4000", "--time=10"), "ranks")):
                with self.subTest(script=script, arguments=arguments):
                    process = self.submit(script, *arguments)
                    self.assertEqual(process.returncode, 2, process.stdout + process.stderr)
                    self.assertIn(message, process.stderr)


if __name__ == "__main__":
    unittest.main()
