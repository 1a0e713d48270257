# SPDX-License-Identifier: BSD-3-Clause
"""What the system tests share: running the built program under mpirun, and inputs to run.

The environment names the program (RICOCHET_EXE) and the source tree (RICOCHET_SOURCE). Each test script runs in
a temporary folder of its own, which goes away with it.
"""
import contextlib
import os
import pathlib
import pty
import resource
import subprocess
import tempfile
import unittest

EXE = os.environ.get("RICOCHET_EXE", "ricochet")
SOURCE = pathlib.Path(os.environ.get("RICOCHET_SOURCE", pathlib.Path(__file__).parents[2]))
INPUTS = SOURCE / "inputs"

# mpirun that ends removes folders that another may just have made. So the runs of each script have a folder of their own.
SESSIONS = tempfile.TemporaryDirectory(prefix="sessions-", ignore_cleanup_errors=True)
os.environ.setdefault("OMPI_MCA_orte_tmpdir_base", SESSIONS.name)

GAS = """\
title: Small gas
box: {size: [9, 7, 7], boundary: periodic}
species:
  - {name: ball, radius: 0.5, mass: 1, volume_fraction: 0.25}
placement: {method: random}
dynamics: {type: ballistic, kT: 1}
run: {timestep: 0.1, steps: 20, seed: 3}
output: {file: gas.h5md, trajectory_every: 5, observables_every: 2, collisions: all}
"""

# Spheres that fall together, merge and break.
ATTRACTING = """\
title: Spheres that attract each other, merge and decay
box: {size: [24, 14, 14], boundary: reflecting}
species:
  - {name: rock, radius: 0.4, mass: 1, count: 300}
  - {name: ice, radius: 0.5, mass: 0.5, count: 60}
  - {name: post, radius: 0.6, mass: 20, count: 3, moves: []}
placement: {method: random}
dynamics: {type: ballistic, kT: 1}
self_gravity: {constant: 0.5, softening: 0.05, opening: 0.7}
contacts:
  pairs:
    - {between: [rock, rock], coalesce: {}}
    - {between: [ice, wall], react: {to: []}}
decays: [{from: ice, to: [rock], rate: 0.2}]
run: {timestep: 0.02, steps: 40, seed: 6, equilibrate: {collisions_per_particle: 0.2}}
output: {file: out.h5md, trajectory_every: 10, observables_every: 3, collisions: all}
"""

# The same in a box without walls.
ATTRACTING_IMAGES = ATTRACTING.replace("boundary: reflecting", "boundary: periodic").replace("[ice, wall]", "[ice, ice]")


def used_seconds():
    """Of processors, by all processes that have been started and have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def ranks_of(launcher):
    """The processes that a running mpirun has started; none when it has ended."""
    try:
        text = pathlib.Path(f"/proc/{launcher.pid}/task/{launcher.pid}/children").read_text()
    except OSError:
        return []
    return [int(child) for child in text.split()]


def seconds_of(process):
    """Of processors, that a running process has used so far: how far it has come, however busy the machine is."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ricochet(*arguments, ranks=1, timeout=600):
    """Runs the program. Returns the finished process with .seconds, of processors, on which other programs have no
    influence; the timeout is for what hangs."""
    command = [EXE, *map(str, arguments)]
    if ranks > 1:
        command = ["mpiexec", "--timeout", str(timeout), "-n", str(ranks), *command]
    start = used_seconds()
    process = subprocess.run(command, capture_output=True, text=True, timeout=timeout + 10)
    process.seconds = used_seconds() - start
    return process


def on_terminal(*arguments):
    """What the program writes to a terminal."""
    terminal, end = pty.openpty()
    outside_of_mpi = {name: value for name, value in os.environ.items() if name != "OMPI_COMM_WORLD_SIZE"}
    process = subprocess.Popen([EXE, *map(str, arguments)], stdout=end, stderr=end, env=outside_of_mpi)
    os.close(end)
    shown = b""
    with contextlib.suppress(OSError):  # at the end of what is written
        while part := os.read(terminal, 65536):
            shown += part
    os.close(terminal)
    process.wait(60)
    return shown.decode()


class ProgramTest(unittest.TestCase):
    """A test in a folder of its own, with the program's results checked in readable words."""

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self._folder.name)

    def write(self, name, text):
        pathlib.Path(name).write_text(text)
        return name

    def succeed(self, *arguments, **options):
        process = ricochet(*arguments, **options)
        self.assertEqual(process.returncode, 0, f"{arguments}:\n{process.stdout}\n{process.stderr}")
        return process.stdout

    def fail_with(self, status, *arguments, **options):
        """Runs what must end with this status and returns what it wrote to stderr."""
        process = ricochet(*arguments, **options)
        self.assertEqual(process.returncode, status, f"{arguments}:\n{process.stdout}\n{process.stderr}")
        return process.stderr

    def assert_verified(self, path):
        """The program's own process for it: `info --verify` without MPI."""
        process = ricochet("verify", path)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)

    def is_verified_unless_interrupted(self, path):
        """After a kill or a failed write. False when the run ended in the middle of a write, as the program then says:
        --continue puts back what is in the journal, and only then the file can be read."""
        process = ricochet("info", "--verify", path)
        if process.returncode == 0:
            self.assertIn("verified", process.stdout)
            return True
        self.assertEqual(process.returncode, 2, process.stdout + process.stderr)
        self.assertIn(f"{path}: its run ended while it wrote this file", process.stderr)
        self.assertIn("run it again with --continue", process.stderr)
        return False

    def assert_same_results(self, a, b):
        self.assertEqual(self.succeed("compare", a, b), "identical\n")
