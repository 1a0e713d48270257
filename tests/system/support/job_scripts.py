# SPDX-License-Identifier: BSD-3-Clause
"""Running the scripts of jobs/ as a user does, with the program that is under test."""
import os
import pathlib
import subprocess

from support.program import EXE, GAS, SOURCE, ProgramTest


def job(script, *arguments, environment=None, timeout=2500, program=EXE):
    """Runs jobs/SCRIPT, which takes the program under test instead of building one."""
    environment = {**(environment or os.environ), "RICOCHET_EXE": str(program)}
    return subprocess.run([SOURCE / "jobs" / script, *map(str, arguments)], capture_output=True, text=True,
                          env=environment, timeout=timeout)


def path_without(*commands):
    """A PATH, of a folder `few`: the programs that the scripts need before they look for the named ones."""
    folder = pathlib.Path("few")
    folder.mkdir(exist_ok=True)
    for name in {"bash", "dirname", "basename", "cat", "id", "date", "python3", "mpirun"} - set(commands):
        link = folder / name
        if not link.is_symlink():
            link.symlink_to(f"/usr/bin/{name}")
    return str(folder.resolve())


class SweepTest(ProgramTest):
    """A script that runs gas.yaml several times, in a working folder that is no plain word."""
    script = folder = None

    def setUp(self):
        super().setUp()
        folder = pathlib.Path("a folder with $signs")
        folder.mkdir()
        os.chdir(folder)
        self.write("gas.yaml", GAS)
        for name in ("yaml", "h5py", "matplotlib", "csv"):  # not to be imported
            self.write(f"{name}.py", f"raise ValueError('{name}.py of the working folder was run')\n")

    def refused(self, message, *arguments, status=2, **options):
        process = job(self.script, *arguments, **options)
        self.assertEqual(process.returncode, status, process.stdout + process.stderr)
        self.assertIn(message, process.stdout + process.stderr)
        self.assertFalse(self.folder.exists())
