# SPDX-License-Identifier: BSD-3-Clause
"""jobs/local.sh and jobs/slurm.sh, from another folder and with names that need quoting.

They run the build folder that these tests belong to (RICOCHET_PRESET); another build folder skips them. The
batch system is a stand-in for sbatch that prints its arguments and runs the job at once.
"""
import os
import pathlib
import subprocess
import unittest

from support.job_scripts import path_without
from support.program import GAS, SOURCE, ProgramTest

SBATCH = """\
#!/usr/bin/env bash
printf '<%s>' "$@"
exec bash -s
"""


def job(script, *arguments, path=None):
    """Runs the script in an environment that does not yet help Open MPI."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OMPI_")}
    if path:
        environment["PATH"] = str(path)
    return subprocess.run([SOURCE / "jobs" / script, *arguments], capture_output=True, text=True, env=environment,
                          timeout=250)


@unittest.skipUnless("RICOCHET_PRESET" in os.environ, "the build folder is not that of a preset")
class JobScripts(ProgramTest):
    def setUp(self):
        super().setUp()
        folder = pathlib.Path("a folder with $signs")
        folder.mkdir()
        os.chdir(folder)
        self.write("an input.yaml", GAS)

    def ends_well(self, process):
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        return process.stdout

    def test_local_runs_on_two_ranks_and_says_where_the_result_is(self):
        text = self.ends_well(job("local.sh", "an input.yaml"))
        self.assertIn("on 2 ranks", text)
        self.assertTrue(text.rstrip().splitlines()[-1].endswith("gas.h5md"), text)
        self.assertTrue(pathlib.Path("gas.h5md").exists())

    def test_local_passes_ranks_and_options_on(self):
        self.ends_well(job("local.sh", "an input.yaml", "3", "--steps", "4", "--output", "o 3.h5md"))
        self.ends_well(job("local.sh", "an input.yaml", "--steps", "4", "--output", "o 2.h5md"))
        self.assert_same_results("o 3.h5md", "o 2.h5md")

    def test_local_ends_with_the_status_of_the_program(self):
        process = job("local.sh", "an input.yaml", "1", "--set", "run.timestep=-1")
        self.assertEqual(process.returncode, 2, process.stdout)
        self.assertIn("run.timestep", process.stderr)

    def test_local_refuses_what_cannot_be_meant(self):
        for arguments, message in (((), "usage:"), (("none.yaml",), "There is no input file none.yaml"),
                                   (("an input.yaml", "two"), "RANKS: got two")):
            process = job("local.sh", *arguments)
            self.assertEqual(process.returncode, 2)
            self.assertIn(message, process.stdout + process.stderr)

    def test_slurm_submits_the_same_run(self):
        pathlib.Path("bin").mkdir()
        stand_in = pathlib.Path("bin/sbatch").resolve()
        stand_in.write_text(SBATCH)
        stand_in.chmod(0o755)
        text = self.ends_well(job("slurm.sh", "an input.yaml", "2", "--time=00:10:00", path=f"{stand_in.parent}:{os.environ['PATH']}"))
        self.assertIn("<--ntasks=2>", text)
        self.assertIn("<--time=00:10:00>", text)
        os.rename("gas.h5md", "batch.h5md")
        self.succeed("run", "an input.yaml")
        self.assert_same_results("gas.h5md", "batch.h5md")

    def test_slurm_says_when_there_is_no_batch_system(self):
        process = job("slurm.sh", "an input.yaml", "2", path=path_without("sbatch"))
        self.assertEqual(process.returncode, 1)
        self.assertIn("There is no sbatch", process.stderr)


if __name__ == "__main__":
    unittest.main()
