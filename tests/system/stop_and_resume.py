# SPDX-License-Identifier: BSD-3-Clause
"""A run that is stopped, and continued on another number of ranks and with another search, has the bits of one
that never stopped: in one file."""
import os
import pathlib
import random
import re
import signal
import subprocess
import time
import unittest
import unittest.mock

import h5py

from support.program import ATTRACTING, ATTRACTING_IMAGES, EXE, GAS, ProgramTest, ranks_of, ricochet

LONG = bool(os.environ.get("RICOCHET_LONG"))
SEARCHES = ["auto", "cells", "slices", "all_pairs", "sorted_slices", "boxes", "octree", "spatial_tree",
            "sweep_and_prune"]
RESUMABLE = 85

BROWNIAN = """\
title: Brownian spheres of two sizes
box: {size: [16, 9, 9], boundary: [periodic, reflecting, periodic]}
species:
  - {name: large, radius: 1, diffusion: 0.5, count: 12}
  - {name: small, radius: 0.3, diffusion: 1.5, count: 300}
placement: {method: random}
dynamics: {type: brownian, kT: 1}
run: {timestep: 0.01, steps: 60, seed: 5, equilibrate: {collisions_per_particle: 0.2}}
output: {file: out.h5md, trajectory_every: 10, observables_every: 7, collisions: [[large, small], [small, wall]],
         precision: float32, compression: gzip}
"""

DISCS = """\
title: Inelastic discs between walls
box: {size: [14, 8], boundary: [reflecting, periodic]}
species:
  - {name: small, radius: 0.4, mass: 1, count: 60}
  - {name: large, radius: 0.6, mass: 3, count: 20}
placement: {method: random}
dynamics: {type: ballistic, kT: 1, velocities: equal_speed}
contacts: {restitution: 0.9, walls: {restitution: 0.95}}
run: {timestep: 0.2, steps: 60, seed: 2}
output: {file: out.h5md, trajectory_every: 8, observables_every: 3, collisions: all, collision_byte_budget: 100000}
"""

# Bounces soon after a contact are elastic: when that was, a checkpoint must know.
FALLING = """\
title: Inelastic discs that fall
box: {size: [14, 8], boundary: [periodic, reflecting]}
species:
  - {name: small, radius: 0.4, mass: 1, count: 40}
  - {name: large, radius: 0.6, mass: 3, count: 15}
placement: {method: random}
dynamics: {type: ballistic, kT: 1}
fields: {gravity: [0.1, -1]}
contacts: {restitution: 0.8, walls: {restitution: 0.7}, collapse: {duration: 0.05}}
run: {timestep: 0.1, steps: 60, seed: 2}
output: {file: out.h5md, trajectory_every: 8, observables_every: 3, collisions: all}
"""

SHAPES = """\
title: Shapes that react, between walls
box: {size: [18, 9, 9], boundary: [reflecting, periodic, periodic]}
species:
  - {name: cube, shape: {cube: 1}, mass: 1, count: 150}
  - {name: pyramid, shape: {pyramid: [1, 1.2]}, mass: 2, count: 100}
  - {name: ball, radius: 0.4, mass: 1, count: 100}
placement: {method: random}
dynamics: {type: ballistic, kT: 1}
contacts:
  restitution: 0.9
  pairs: [{between: [cube, ball], react: {to: [pyramid, ball], probability: 0.3}}]
run: {timestep: 0.1, steps: 60, seed: 2}
output: {file: out.h5md, trajectory_every: 8, observables_every: 3, collisions: all}
"""

# Directions change every seventh step: most stops come while one is kept.
DRIVEN = """\
title: Driven spheres of two sizes
box: {size: [24, 12, 12], boundary: [reflecting, periodic, periodic]}
species:
  - {name: large, radius: 0.9, mass: 2, count: 30}
  - {name: small, radius: 0.4, mass: 1, count: 200}
placement: {method: random}
dynamics:
  type: ballistic
  kT: 1
  drive: {type: DRIVE, min_acceleration: 1, max_acceleration: 10, speed_limit: 6}
run: {timestep: 0.02, steps: 60, seed: 8, equilibrate: {collisions_per_particle: 0.5}}
output: {file: out.h5md, trajectory_every: 7, observables_every: 4, collisions: all}
"""
FOR_DRIVEN = ["time_bounds", "cells", "all_pairs"]
DIRECTIONS, FLOW = "random_accelerations, redirect_every: 0.14", "velocity_field, flow_speed: 5"

# The box is not that of the input; a checkpoint must know which one growth has found.
GROWN = """\
title: Spheres between walls that grow to a pressure and react
box: {size: [2, 1, 1], boundary: [periodic, reflecting, periodic]}
species:
  - {name: small, radius: 0.4, mass: 1, count: 200}
  - {name: large, radius: 0.55, mass: 1, count: 120}
placement: {method: grow, rate: 0.2, until_pressure: 14}
dynamics: {type: ballistic, kT: 1}
contacts:
  restitution: 0.95
  pairs: [{between: [small, large], react: {to: [large, small], probability: 0.2}}]
run: {timestep: 0.01, steps: 60, seed: 2}
output: {file: out.h5md, trajectory_every: 8, observables_every: 3, collisions: all}
"""

# More than ten collisions per particle in each step, so that each part of the run leaves a mark.
SETTLING = """\
title: Spheres too dense for a random start
box: {size: [14, 12, 12]}
species: [{name: ball, radius: 0.5, mass: 1, volume_fraction: 0.48}]
dynamics: {type: ballistic, kT: 1}
run: {timestep: 0.4, steps: 100000, seed: 3}
output: {file: out.h5md, trajectory_every: 5, observables_every: 1, collisions: none}
"""

# Binding sites at rest, and receptors in a plane.
AT_REST = """\
title: Particles that are bound and set free
box: {size: [14, 8, 8], boundary: [periodic, periodic, reflecting]}
species:
  - {name: free, radius: 0.3, diffusion: 1, count: 150}
  - {name: site, radius: 0.3, diffusion: 1, count: 20, moves: []}
  - {name: bound, radius: 0.3, diffusion: 1, count: 0, moves: []}
  - {name: receptor, radius: 0.4, diffusion: 0.2, count: 12, moves: [x, y]}
placement: {method: random}
dynamics: {type: brownian, kT: 1}
contacts:
  pairs:
    - {between: [free, site], react: {to: [bound], rate: 2}}
decays: [{from: bound, to: [free, site], rate: 5}]
run: {timestep: 0.005, steps: 60, seed: 4}
output: {file: out.h5md, trajectory_every: 7, observables_every: 3, collisions: all}
"""

RECEPTOR = "  - {name: receptor, radius: 0.4, diffusion: 0.2, count: 12, moves: [x, y]}\n"
VESICLE = "bodies: [{name: vesicle, sphere: {centre: [7, 4, 4], radius: 1.5}, side: both}]\nspecies:"
VESICLE_RULE = "  pairs:\n    - {between: [free, vesicle], pass: {rate: 3}}\n"

HEAVY_INTO_LIGHT = """\
title: Heavy discs that make light ones at rest faster than the halo expects
box: {size: [64, 32], boundary: [periodic, reflecting]}
species:
  - {name: heavy, radius: 2, mass: 100}
  - {name: light, radius: 0.5, mass: 0.01}
placement: {method: file, path: start.csv}
dynamics: {type: ballistic}
run: {timestep: 0.5, steps: 60, seed: 2, halo_margin: 0.1}
output: {file: out.h5md, trajectory_every: 8, observables_every: 3, collisions: all}
"""


def as_text(attribute):
    return attribute.decode() if isinstance(attribute, bytes) else attribute


def heavy_into_light():
    light = [(12 + k // 20 * 5 + 0.25 * (k % 3), 1.5 * (k % 20) + 1) for k in range(40)]
    rows = [f"{k},light,{x},{y},0,0" for k, (x, y) in enumerate(light)]
    rows += [f"{40 + k},heavy,8,{4 + 8 * k},6,0.25" for k in range(4)]
    return "\n".join(["id,species,x,y,vx,vy", *rows]) + "\n"


class Resumed(ProgramTest):
    def resume(self, input_name, ranks, *arguments, status=0):
        process = ricochet("run", input_name, "--continue", *arguments, ranks=ranks)
        self.assertEqual(process.returncode, status, process.stdout + process.stderr)
        return process.stdout

    def check_random_stops(self, text, seed, num_stops, searches=SEARCHES):
        """Parts that end at random steps, each on a random number of ranks and with a random search."""
        chance = random.Random(seed)
        self.write("input.yaml", text)
        self.succeed("run", "input.yaml", "--output", "whole.h5md")
        for stop in sorted(chance.sample(range(60), num_stops)) + [60]:
            self.resume("input.yaml", chance.choice([1, 2, 3, 4]), "--output", "parts.h5md", "--steps", stop, "--set",
                        f"search.method={chance.choice(searches)}")
        self.assert_same_results("whole.h5md", "parts.h5md")

    def test_with_other_tuning_state(self):
        """Halos adapt to steps that had to be redone; a checkpoint does not hold what they learnt, and no bit shows
        it."""
        self.write("start.csv", heavy_into_light())
        self.write("redone.yaml", HEAVY_INTO_LIGHT)
        out = self.succeed("run", "redone.yaml", "--output", "redone.h5md", "--verbose", ranks=4)
        redone = int(re.search(r"(\d+) steps redone with a wider halo", out).group(1))
        self.assertGreater(redone, 0)
        self.check_random_stops(HEAVY_INTO_LIGHT, 4, 20 if LONG else 4)
        self.assert_same_results("whole.h5md", "redone.h5md")

    def test_gas(self):
        self.check_random_stops(GAS.replace("steps: 20", "steps: 60"), 1, 20 if LONG else 4)

    def test_brownian_mixture_after_equilibration(self):
        self.check_random_stops(BROWNIAN, 2, 20 if LONG else 3)

    def test_driven_in_random_directions(self):
        self.check_random_stops(DRIVEN.replace("DRIVE", DIRECTIONS), 5, 20 if LONG else 4, FOR_DRIVEN)

    def test_driven_by_a_flow(self):
        self.check_random_stops(DRIVEN.replace("DRIVE", FLOW), 6, 20 if LONG else 4, FOR_DRIVEN)

    def test_particles_at_rest_that_react(self):
        self.check_random_stops(AT_REST, 9, 20 if LONG else 3)
        self.expect_outcomes()

    def test_particles_that_react_and_pass_a_vesicle(self):
        text = AT_REST.replace(RECEPTOR, "").replace("species:", VESICLE).replace("  pairs:\n", VESICLE_RULE)
        self.check_random_stops(text, 10, 20 if LONG else 3)
        self.expect_outcomes()

    def expect_outcomes(self):
        """All rules and decays have come to something."""
        with h5py.File("whole.h5md") as file:
            outcomes = file["ricochet/observables/outcomes/value"][-1]
            self.assertGreater(outcomes.min(), 0, outcomes)

    def test_inelastic_under_gravity(self):
        self.check_random_stops(FALLING, 7, 20 if LONG else 4)

    def test_shapes_that_react(self):
        self.check_random_stops(SHAPES, 4, 20 if LONG else 4)

    def test_grown_to_a_pressure(self):
        self.check_random_stops(GROWN, 11, 20 if LONG else 3)
        with h5py.File("parts.h5md") as file:
            run = file["ricochet"].attrs
            self.assertAlmostEqual(run["start_pressure"] / 14, 1, delta=0.02)
            self.assertAlmostEqual(run["size"][0] / run["size"][1], 2, delta=1e-12)
            edges = file["particles/trajectory/box/edges/value"][:]
            self.assertTrue((edges == [[[run["size"][k] if k == l else 0 for l in range(3)] for k in range(3)]]).all())
            self.assertIn(f"size: [{float(run['size'][0])!r}, ", as_text(file["ricochet/input"].attrs["effective"]))
            self.assertIn(f", found by growth to the pressure pV/(NkT) = {run['start_pressure']:.6g}",
                          self.succeed("info", "parts.h5md"))

    def test_searches_in_the_box_that_was_found(self):
        self.write("input.yaml", GROWN)
        self.assertIn("octree", self.succeed("study", "input.yaml", "--steps", 5, "--search", "cells,octree",
                                             "--after-steps", ranks=2))

    def test_another_shape_or_pressure_is_refused(self):
        self.write("input.yaml", GROWN)
        self.succeed("run", "input.yaml", "--output", "parts.h5md", "--steps", 3)
        for change in ("box.size=[3, 1, 1]", "box.size=[4, 2, 2]", "placement.until_pressure=15"):
            process = ricochet("run", "input.yaml", "--output", "parts.h5md", "--continue", "--set", change)
            self.assertEqual(process.returncode, 2, process.stdout + process.stderr)
            self.assertIn("parts.h5md.checkpoint-3: ", process.stderr)

    def test_mutual_gravity(self):
        self.check_random_stops(ATTRACTING.replace("steps: 40", "steps: 60"), 8, 12 if LONG else 3)

    def test_attraction_through_faces(self):
        self.check_random_stops(ATTRACTING_IMAGES.replace("steps: 40", "steps: 60"), 9, 12 if LONG else 2)

    def test_discs_whose_log_ends_early(self):
        self.check_random_stops(DISCS, 3, 20 if LONG else 4)


class Stopped(ProgramTest):
    """Ends of a run that do not come from the input."""

    def setUp(self):
        super().setUp()
        self.write("input.yaml", GAS.replace("steps: 20", "steps: 100000").replace("[9, 7, 7]", "[14, 8, 8]"))

    def finish_and_compare(self, path, ranks):
        """Continues to a step soon after where the run stopped, and compares with a run in one part."""
        # Not those that the run was writing when it was ended: they end in .tmp.
        end = max(step_of(checkpoint) for checkpoint in pathlib.Path().glob(path + ".checkpoint-*[0-9]")) + 25
        self.succeed("run", "input.yaml", "--output", path, "--continue", "--steps", end, ranks=ranks)
        self.succeed("run", "input.yaml", "--output", "whole.h5md", "--steps", end)
        self.assert_same_results("whole.h5md", path)

    def start(self, ranks, *arguments, **environment):
        command = ["mpiexec", "--timeout", "1000", "-n", str(ranks), EXE, "run", "input.yaml", "--output",
                   "part.h5md", "--continue", *arguments]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env={**os.environ, **environment})

    def wait_for_lock(self, process):
        deadline = time.monotonic() + 600
        while not pathlib.Path("part.h5md.lock").exists() and time.monotonic() < deadline:
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        time.sleep(0.1)

    def wait_for_steps(self, process, file="part.h5md"):
        """The file may be an earlier run's; the lock is this one's, and taken when signals are heeded."""
        deadline = time.monotonic() + 600
        while not all(any(pathlib.Path().glob(name)) for name in (file, "part.h5md.lock")) and \
                time.monotonic() < deadline:
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        time.sleep(0.5)

    def test_by_a_signal_that_mpirun_forwards(self):
        process = self.start(3)
        self.wait_for_steps(process)
        process.send_signal(signal.SIGUSR1)
        out, err = process.communicate(timeout=600)
        self.assertEqual(process.returncode, RESUMABLE, out + err)
        self.assertIn("signal USR1: stopping at a checkpoint", out)
        self.assertIn("run again with --continue", out)
        self.finish_and_compare("part.h5md", 2)

    def test_by_term_to_mpirun(self):
        """mpirun passes TERM on after a delay, kills its ranks after another, and ends with a status of its own. A run
        that writes little has little to sync within the second."""
        text = pathlib.Path("input.yaml").read_text()
        self.write("input.yaml", text.replace("steps: 100000", "steps: 100000000").replace(
            "every: 5, observables_every: 2, collisions: all", "every: 500, observables_every: 50, collisions: none"))
        for seconds, is_long_enough in (("0", False), ("20", True)):
            earlier = time_of_change("part.h5md")
            process = self.start(2, OMPI_MCA_odls_base_sigkill_timeout=seconds)
            self.wait_for_steps(process)
            while time_of_change("part.h5md") == earlier and process.poll() is None:
                time.sleep(0.02)  # until this run has a file: before, a busy machine may take its time
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=600)
            self.assertEqual(process.returncode, 1, out + err)
            if is_long_enough:
                # mpirun may end before it has passed on the last lines.
                self.assertIn("signal TERM: stopping at a checkpoint, step ", out)
                step = re.search(r"stopping at a checkpoint, step (\d+)", out).group(1)
                self.assertTrue(pathlib.Path("part.h5md.checkpoint-" + step).exists(), out + err)
        self.finish_and_compare("part.h5md", 3)

    def test_by_term_and_int_to_a_single_process(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            process = subprocess.Popen([EXE, "run", "input.yaml", "--output", "part.h5md", "--continue"],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.wait_for_steps(process)
            process.send_signal(number)
            out, err = process.communicate(timeout=600)
            self.assertEqual(process.returncode, RESUMABLE, out + err)
        self.finish_and_compare("part.h5md", 2)

    def test_by_term_to_the_ranks(self):
        process = self.start(3)
        self.wait_for_steps(process)
        os.kill(ranks_of(process)[2], signal.SIGTERM)
        out, err = process.communicate(timeout=600)
        self.assertEqual(process.returncode, RESUMABLE, out + err)
        self.assertIn("signal TERM: stopping at a checkpoint", out)
        self.finish_and_compare("part.h5md", 1)

    def test_during_the_placement(self):
        """Close to what random placement reaches, a start takes seconds. There is nothing to save yet."""
        text = pathlib.Path("input.yaml").read_text()
        self.write("input.yaml", text.replace("[14, 8, 8]", "[40, 40, 40]").replace("fraction: 0.25", "fraction: 0.34"))
        for ranks, number in ((1, signal.SIGTERM), (1, signal.SIGINT), (3, signal.SIGUSR1)):
            process = self.start(ranks) if ranks > 1 else subprocess.Popen(
                [EXE, "run", "input.yaml", "--output", "part.h5md", "--continue"], stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True)
            self.wait_for_lock(process)
            process.send_signal(number)
            out, err = process.communicate(timeout=600)
            self.assertEqual(process.returncode, RESUMABLE, out + err)
            self.assertEqual(out.count("stopped by a signal before the first step: nothing was written"), 1, out)
            self.assertEqual(list(pathlib.Path().glob("part*")), [])
        self.succeed("run", "input.yaml", "--output", "part.h5md", "--continue", "--steps", 1, "--set",
                     "output.collisions=none", ranks=2)

    def test_while_mpi_starts(self):
        library = os.path.abspath("signal_in_init.so")
        subprocess.run([os.environ.get("RICOCHET_C_COMPILER", "cc"), "-shared", "-fPIC", "-o", library,
                        pathlib.Path(__file__).parent / "support/signal_in_init.c"], check=True)
        process = subprocess.run([EXE, "run", "input.yaml", "--output", "part.h5md", "--continue"],
                                 env=os.environ | {"LD_PRELOAD": library}, capture_output=True, text=True, timeout=600)
        self.assertEqual(process.returncode, RESUMABLE, process.stdout + process.stderr)
        self.assertEqual(process.stdout.count("stopped by a signal before the first step"), 1, process.stdout)
        self.assertEqual(list(pathlib.Path().glob("part*")), [])

        for command in (["--version"], ["options", "run"], ["check", "input.yaml"], ["info", "part.h5md"]):
            process = subprocess.run([EXE, *command], env=os.environ | {"LD_PRELOAD": library}, capture_output=True,
                                     timeout=600)
            self.assertNotEqual(process.returncode, -signal.SIGTERM, f"{command} starts MPI")

    def test_start_under_a_limit_on_files(self):
        """No daemon of Open MPI is started, which would wait for ever."""
        process = subprocess.run(["bash", "-c", f"ulimit -f 1; exec {EXE} run input.yaml --output part.h5md"],
                                 capture_output=True, text=True, timeout=600)
        self.assertEqual(process.returncode, 1, process.stdout + process.stderr)
        self.assertIn("File too large", process.stderr)

    def test_serial_run_has_no_session_folder(self):
        """Serial runs of a user would share it: one removed it while another created it, which then did not begin."""
        self.write("no folder", "")
        place = {"OMPI_MCA_orte_tmpdir_base": os.path.abspath("no folder")}
        with unittest.mock.patch.dict(os.environ, place):
            self.succeed("run", "input.yaml", "--output", "part.h5md", "--steps", "5")

    def test_at_once_by_a_second_signal(self):
        """Also in the middle of a step: here one that does not end, because a neighbour does not answer."""
        process = self.start(2)
        self.wait_for_steps(process)
        waiting, silent = ranks_of(process)
        os.kill(silent, signal.SIGSTOP)
        os.kill(waiting, signal.SIGTERM)
        time.sleep(1.1)  # what follows within a second counts as the same request
        self.assertIsNone(process.poll())
        os.kill(waiting, signal.SIGTERM)
        out, err = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM, out + err)

    def test_by_a_time_limit(self):
        process = ricochet("run", "input.yaml", "--output", "part.h5md", "--max-hours", 0.0002, ranks=2)
        self.assertEqual(process.returncode, RESUMABLE, process.stdout + process.stderr)
        self.assertIn("--max-hours: stopping", process.stdout)
        self.finish_and_compare("part.h5md", 3)

    def test_at_a_time_of_day(self):
        os.environ["RICOCHET_STOP_AT"] = str(int(time.time()) + 1)
        try:
            process = ricochet("run", "input.yaml", "--output", "part.h5md", ranks=2)
        finally:
            del os.environ["RICOCHET_STOP_AT"]
        self.assertEqual(process.returncode, RESUMABLE, process.stdout + process.stderr)
        self.finish_and_compare("part.h5md", 1)

    def test_by_the_watchdog_when_a_rank_hangs(self):
        process = self.start(3, "--set", "run.watchdog=0.2", "--set", "output.checkpoint.every_steps=10")
        self.wait_for_steps(process, "part.h5md.checkpoint-*[0-9]")
        os.kill(ranks_of(process)[1], signal.SIGSTOP)
        out, err = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 1, out + err)
        for rank in (0, 2):
            self.assertIn(f"watchdog: no progress for 0.2 minutes (run.watchdog): rank {rank} on", err)
        self.finish_and_compare("part.h5md", 2)

    def test_during_equilibration(self):
        text = pathlib.Path("input.yaml").read_text()
        self.write("input.yaml", text.replace("seed: 3", "seed: 3, equilibrate: {collisions_per_particle: 40}"))
        process = ricochet("run", "input.yaml", "--output", "part.h5md", "--max-hours", 0, ranks=2)
        self.assertEqual(process.returncode, RESUMABLE, process.stdout + process.stderr)
        self.assertIn("equilibration step", process.stdout)
        self.assertIn("stopped in the equilibration: no step is recorded yet\n", process.stdout)
        self.assertNotIn("time per rank", process.stdout)
        self.finish_and_compare("part.h5md", 3)

    def test_while_a_dense_start_settles(self):
        """What is compared to know when it has settled is kept in the checkpoint."""
        self.write("input.yaml", SETTLING)
        for ranks in (3, 2, 1):
            options = ["--continue"] if ranks < 3 else []
            process = ricochet("run", "input.yaml", "--output", "part.h5md", "--max-hours", 1e-5, *options,
                               ranks=ranks)
            self.assertEqual(process.returncode, RESUMABLE, process.stdout + process.stderr)
            self.assertIn("equilibration step", process.stdout)
        self.finish_and_compare("part.h5md", 3)
        notes = []
        for name in ("part.h5md", "whole.h5md"):
            with h5py.File(name) as file:
                notes.append(file["ricochet/provenance"].attrs["start"])
        self.assertEqual(notes[0], notes[1])
        self.assertIn("the dense start is equilibrated: ", notes[0])


def time_of_change(path):
    """In nanoseconds; nothing where there is no file."""
    return os.stat(path).st_mtime_ns if os.path.exists(path) else None


def step_of(checkpoint):
    return int(checkpoint.name.rpartition("-")[2])


class Beginnings(ProgramTest):
    """What --continue does with what it finds."""

    def setUp(self):
        super().setUp()
        self.write("input.yaml", GAS)

    def test_the_same_command_again_and_again(self):
        for _ in range(3):
            self.succeed("run", "input.yaml", "--continue", ranks=2)
        self.succeed("run", "input.yaml", "--output", "whole.h5md")
        self.assert_same_results("whole.h5md", "gas.h5md")

    def test_times_cover_all_parts(self):
        def accounts():
            with h5py.File("gas.h5md") as file:
                texts = file["ricochet/provenance"].attrs
                phases = {words[0]: [float(word) for word in words[1:]]
                          for words in (part.split() for part in texts["seconds_per_phase"].split(";"))}
                return int(texts["parts"]), float(texts["wall_time_seconds"]), phases

        def seconds_in_checkpoint():
            """What the next part goes on from: a run that ends has spent more since."""
            found = []
            with h5py.File(max(pathlib.Path().glob("gas.h5md.checkpoint-*[0-9]"), key=step_of)) as file:
                file.visititems(lambda _, item: found.append(dict(item.attrs)))
            [times] = [attributes for attributes in found if "wall_seconds" in attributes]
            return float(times["wall_seconds"]), times["phase_seconds"].reshape(-1, 3)

        self.succeed("run", "input.yaml", "--continue", "--steps", 15)
        parts, _, phases = accounts()
        self.assertEqual(parts, 1)
        for expected, ranks in ((2, 3), (3, 1)):
            seconds_before, phases_before = seconds_in_checkpoint()
            self.assertEqual(len(phases_before), len(phases))
            self.assertGreater(phases_before.sum(), 0)
            out = self.succeed("run", "input.yaml", "--continue", "--steps", 10 + 5 * expected, ranks=ranks)
            self.assertIn(f"all {expected} parts of this run: ", out)
            self.assertIn(f"part {expected} of this run; what follows is of its ", out)
            parts, seconds, phases = accounts()
            self.assertEqual(parts, expected)
            self.assertGreater(seconds, seconds_before)
            self.assertLess(sum(values[1] for values in phases.values()), seconds)
            for (name, values), earlier in zip(phases.items(), phases_before):
                for value, part in zip(values, earlier):
                    self.assertGreaterEqual(value, 0.9994 * part, name)  # the text has four digits
        self.assertGreater(phases["output"][1], 0)

    def test_a_longer_run_with_other_cadences(self):
        self.succeed("run", "input.yaml", "--continue", "--steps", 13)
        other = ["--set", "output.trajectory_every=3", "--set", "output.observables_every=1"]
        self.succeed("run", "input.yaml", "--continue", *other, ranks=2)
        with h5py.File("gas.h5md") as file:
            frames = list(file["particles/trajectory/position/step"])
            samples = list(file["ricochet/observables/energy/step"])
        self.assertEqual(frames, [0, 5, 10, 15, 18, 20])
        self.assertEqual(samples, list(range(0, 13, 2)) + list(range(13, 21)))

    def test_refusal_has_all_changed_keys(self):
        """Refuses a changed input with all changed keys."""
        self.succeed("run", "input.yaml", "--continue")
        text = self.fail_with(2, "run", "input.yaml", "--continue", "--set", "run.timestep=0.05", "--set",
                              "dynamics.kT=2", "--set", "search.method=cells", ranks=2)
        self.assertIn("run.timestep was 0.1 and is 0.05", text)
        self.assertIn("dynamics.kT was 1 and is 2", text)
        self.assertNotIn("search", text)

    def test_refuses_fewer_steps_than_were_done(self):
        self.succeed("run", "input.yaml", "--continue")
        self.assertIn("run.steps is 10", self.fail_with(2, "run", "input.yaml", "--continue", "--steps", 10))

    def test_does_not_forget_checkpoints_silently(self):
        self.succeed("run", "input.yaml", "--continue")
        os.remove("gas.h5md")
        self.assertIn("--continue", self.fail_with(2, "run", "input.yaml"))
        self.assertIn("gas.h5md", self.fail_with(2, "run", "input.yaml", "--continue"))
        self.succeed("run", "input.yaml", "--force")
        self.assertEqual(list(pathlib.Path().glob("*.checkpoint-*")), [pathlib.Path("gas.h5md.checkpoint-20")])

    def test_every_run_can_be_made_longer(self):
        self.succeed("run", "input.yaml", "--steps", "7", ranks=2)
        self.succeed("run", "input.yaml", "--continue", "--steps", "12")
        self.succeed("run", "input.yaml", "--continue", ranks=3)
        self.succeed("run", "input.yaml", "--output", "whole.h5md")
        with h5py.File("whole.h5md") as whole, h5py.File("gas.h5md") as parts:
            frames = [file["particles/trajectory/position"] for file in (whole, parts)]
            self.assertEqual([list(frame["step"]) for frame in frames], [[0, 5, 10, 15, 20]] * 2)
        self.assert_same_results("whole.h5md", "gas.h5md")

    def test_keeps_the_newest(self):
        every = ["--set", "output.checkpoint.every_steps=3"]
        self.succeed("run", "input.yaml", *every, "--set", "output.checkpoint.keep=3")
        steps = sorted(step_of(path) for path in pathlib.Path().glob("*.checkpoint-*"))
        self.assertEqual(steps, [15, 18, 20])

    def test_keeps_none_of_a_run_that_has_ended(self):
        none = ["--set", "output.checkpoint.keep=0"]
        self.succeed("run", "input.yaml", "--output", "whole.h5md")
        self.fail_with(RESUMABLE, "run", "input.yaml", "--max-hours", "0", *none)
        self.assertEqual(len(list(pathlib.Path().glob("gas.h5md.checkpoint-*"))), 1)
        pathlib.Path("gas.h5md.checkpoint-70").write_bytes(b"precious")  # not this run's
        self.succeed("run", "input.yaml", "--continue", *none, ranks=3)
        self.assertEqual(list(pathlib.Path().glob("gas.h5md.checkpoint-*")), [pathlib.Path("gas.h5md.checkpoint-70")])
        self.assert_same_results("whole.h5md", "gas.h5md")
        os.remove("gas.h5md.checkpoint-70")
        self.assertIn("nothing is left to do", self.succeed("run", "input.yaml", "--continue", *none))


if __name__ == "__main__":
    unittest.main()
