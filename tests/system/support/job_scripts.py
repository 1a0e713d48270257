# SPDX-License-Identifier: BSD-3-Clause
"""Running the scripts of jobs/ as a user does, with the program that is under test."""
import os
import pathlib
import subprocess

from support.program import EXE, SOURCE


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
