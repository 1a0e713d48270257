# SPDX-License-Identifier: BSD-3-Clause
"""jobs/slurm-array.sh: a small ensemble on this machine and the same through a private Slurm; the means are
computed again here, from the members' results."""
import csv
import os
import pathlib
import shlex
import signal
import subprocess
import unittest

import h5py
import numpy as np

from support.job_scripts import SweepTest, job, path_without
from support.private_slurm import PrivateSlurm, num_complete_frames, wait_until
from support.program import EXE, INPUTS, SOURCE

SWEEP = ("--sweep", "contacts.restitution=1 0.9", "--sweep=dynamics.velocities=maxwell equal_speed")
POINTS = [(restitution, velocities) for restitution in ("1", "0.9") for velocities in ("maxwell", "equal_speed")]
FOLDER = pathlib.Path("gas-ensemble")


class ArrayScript(SweepTest):
    script, folder = "slurm-array.sh", FOLDER

    def check_means(self, num_seeds):
        """The table has the means and standard errors of the members' results."""
        with open(FOLDER / "means.csv", newline="") as file:
            rows = {(row["contacts.restitution"], row["dynamics.velocities"]): row for row in csv.DictReader(file)
                    if row["observable"] == "temperature"}
        self.assertEqual(list(rows), POINTS)
        for index, point in enumerate(POINTS):
            means, lasts = [], []
            for member in range(index * num_seeds, (index + 1) * num_seeds):
                with h5py.File(FOLDER / f"{member}.h5md") as file:
                    self.assertEqual(int(file["ricochet"].attrs["seed"]), 1 + member % num_seeds)
                    values = file["ricochet/observables/temperature/value"][:]
                means.append(values[5:].mean())  # 11 samples, from the middle on
                lasts.append(values[-1])
            row = rows[point]
            for name, numbers in (("mean", means), ("last", lasts)):
                self.assertAlmostEqual(float(row[name]), np.mean(numbers), places=12)
                error = row["standard error" if name == "mean" else "last standard error"]
                self.assertAlmostEqual(float(error), np.std(numbers, ddof=1) / num_seeds ** 0.5, places=12)
            self.assertEqual(int(row["seeds"]), num_seeds)
        self.assertLess(float(rows["0.9", "maxwell"]["last"]), float(rows["1", "maxwell"]["last"]))
        self.assertIn("| 0.9 | equal_speed | temperature |", (FOLDER / "means.md").read_text())
        self.check_courses(num_seeds)
        for name in ("means.png", "courses.png"):
            self.assertTrue((FOLDER / name).read_bytes().startswith(b"\x89PNG\r\n\x1a\n"))

    def check_courses(self, num_seeds):
        """A row for each time of each point, with the means over the seeds."""
        with open(FOLDER / "courses.csv", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["observable"] == "pressure"]
        self.assertEqual(len(rows), len(POINTS) * 11)
        for index, point in enumerate(POINTS):
            samples = []
            for member in range(index * num_seeds, (index + 1) * num_seeds):
                with h5py.File(FOLDER / f"{member}.h5md") as file:
                    samples.append(file["ricochet/observables/pressure/value"][:])
                    steps = file["ricochet/observables/pressure/step"][:].tolist()
            course = [row for row in rows if (row["contacts.restitution"], row["dynamics.velocities"]) == point]
            self.assertEqual([int(row["step"]) for row in course], steps)
            self.assertEqual([int(row["seeds"]) for row in course], [0] + [num_seeds] * 10)  # the first has no interval
            means, errors = np.mean(samples, axis=0), np.std(samples, axis=0, ddof=1) / num_seeds ** 0.5
            np.testing.assert_allclose([float(row["mean"]) for row in course], means, rtol=1e-12)
            np.testing.assert_allclose([float(row["standard error"]) for row in course], errors, rtol=1e-9)
            np.testing.assert_allclose([float(row["time"]) for row in course], 0.1 * np.array(steps), rtol=1e-12)

    def check_theory(self):
        """The pressure of elastic spheres is near that of Carnahan and Starling, the cooling of the others is Haff's law,
        and energy has no theory."""
        with open(FOLDER / "courses.csv", newline="") as file:
            rows = {(row["contacts.restitution"], row["observable"], row["step"]): row for row in csv.DictReader(file)
                    if row["dynamics.velocities"] == "maxwell"}
        with h5py.File(FOLDER / "0.h5md") as file:
            fraction = np.sum(4 / 3 * np.pi * file["particles/trajectory/radius"][:] ** 3) / (9 * 7 * 7)
        factor = (1 + fraction + fraction ** 2 - fraction ** 3) / (1 - fraction) ** 3
        self.assertAlmostEqual(float(rows["1", "compressibility", "20"]["theory"]) / factor, 1, delta=0.004)
        self.assertEqual(float(rows["1", "temperature", "20"]["theory"]), 1)
        start, end = (float(rows["0.9", "temperature", step]["theory"]) for step in ("0", "20"))
        rate = start ** -0.5 * ((start / end) ** 0.5 - 1) / 2  # over the time 2
        contact_rate = float(rows["1", "collision_rate", "20"]["theory"])
        self.assertAlmostEqual(rate, (1 - 0.9 ** 2) * contact_rate / 6, places=9)
        self.assertEqual(rows["0.9", "pressure", "20"]["theory"], "nan")
        self.assertEqual(rows["1", "energy", "20"]["theory"], "nan")

    def test_local_ensemble_has_means_and_errors(self):
        process = job("slurm-array.sh", "gas.yaml", "1", *SWEEP, "--seeds=2", "--local", "--per-job=3")
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        self.check_means(2)
        self.check_theory()
        self.assertEqual(list(FOLDER.glob("*.checkpoint-*")), [])
        # A member is the run that its line says.
        self.succeed("run", "gas.yaml", "--set", "contacts.restitution=0.9", "--set",
                     "dynamics.velocities=equal_speed", "--set", "run.seed=2", "--output", "same.h5md")
        self.assert_same_results(FOLDER / "7.h5md", "same.h5md")

    def test_signal_stops_all_members_of_a_job(self):
        """The job is queued again once, and its next member does not begin."""
        folder = pathlib.Path("packed").resolve()
        folder.mkdir()
        (folder / "members.txt").write_text("--set=run.seed=1\n--set=run.seed=2\n")
        options = ["--steps", "10000000", "--set", "output.trajectory_every=1000", "--set", "output.collisions=none"]
        words = [folder, 0, 2, 1, f"echo queued >>{shlex.quote(str(folder / 'queue'))}", EXE, "run", "gas.yaml",
                 "--continue", *options]
        (folder / "job.sh").write_text("set -euo pipefail\n"
                                       f"source {shlex.quote(str(SOURCE / 'jobs/in_job.sh'))}\n"
                                       f"ricochet_array_job {shlex.join(map(str, words))}\n")
        process = subprocess.Popen(["bash", folder / "job.sh"], env={**os.environ, "SLURM_ARRAY_TASK_ID": "0"})
        self.addCleanup(process.kill)
        wait_until(lambda: num_complete_frames(folder / "0.h5md") > 0, "no frame")
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(process.wait(timeout=600), 85)
        self.assertEqual((folder / "queue").read_text(), "queued\n")
        self.assertIn("stopped with status 85", (folder / "0.log").read_text())
        self.assertFalse((folder / "1.log").exists())

    def test_pictures_leave_out_what_is_constant(self):
        """Of a gas in a periodic box the momentum is rounding, and contacts with walls are none."""
        self.succeed("run", "gas.yaml", "--output", "0.h5md")
        self.write("members.csv", "member,run.seed\n0,3\n")
        code = ("import pathlib, sys; sys.path.insert(0, sys.argv[1]); import ensemble\n"
                "points = {(): [ensemble.read_member(pathlib.Path(sys.argv[2]))]}\n"
                "print(*[name for name in points[()][0].columns if ensemble.is_worth_a_panel(name, points)], sep=',')")
        # Elsewhere: this folder has modules that are not to be imported.
        process = subprocess.run(["/usr/bin/python3", "-B", "-c", code, SOURCE / "jobs", pathlib.Path("0.h5md").resolve()],
                                 cwd=SOURCE / "jobs", capture_output=True, text=True)
        self.assertEqual(process.stdout, "collision_rate,compressibility,contacts ball-ball,"
                         "mean_square_displacement ball,pressure\n", process.stderr)

    def test_unfinished_members_are_left_out(self):
        """Members without a finished result are named and left out."""
        path = pathlib.Path("fails").resolve()
        path.write_text('#!/bin/sh\ncase "$*" in *--set=run.seed=2*) exit 1 ;; esac\n'
                        f'exec "{EXE}" "$@"\n')
        path.chmod(0o755)
        process = job("slurm-array.sh", "gas.yaml", "1", "--seeds=3", "--local", program=path)
        self.assertEqual(process.returncode, 1, process.stdout + process.stderr)
        self.assertIn("no finished result of members 1;", process.stdout)
        with open(FOLDER / "means.csv", newline="") as file:
            self.assertEqual({row["seeds"] for row in csv.DictReader(file)}, {"2"})

    def test_numbers_that_there_are_not_are_left_out(self):
        """An observable of a species that comes by reactions has no number at first."""
        process = job("slurm-array.sh", INPUTS / "membrane_dimers.yaml", "1", "--seeds=2", "--local", "--from=0", "--",
                      "--steps", "60")
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        folder = pathlib.Path("membrane_dimers-ensemble")
        with open(folder / "means.csv", newline="") as file:
            rows = {row["observable"]: row for row in csv.DictReader(file)}
        num_left_out = 0
        with h5py.File(folder / "0.h5md") as one, h5py.File(folder / "1.h5md") as two:
            for name, group in one["ricochet/observables"].items():
                if group["value"].ndim > 1:
                    continue
                members = [file[f"ricochet/observables/{name}/value"][:] for file in (one, two)]
                means = [np.mean(values[~np.isnan(values)]) for values in members if not np.all(np.isnan(values))]
                num_left_out += sum(np.isnan(values).any() for values in members)
                self.assertEqual(int(rows[name]["seeds"]), len(means), name)
                np.testing.assert_allclose(float(rows[name]["mean"]), np.mean(means) if means else np.nan, rtol=1e-12)
        print(f"{num_left_out} series with samples that are no numbers, of {len(rows)} rows")
        self.assertTrue((folder / "means.png").exists())

    def test_refuses_before_anything_runs(self):
        self.refused("usage:", "gas.yaml")
        self.refused("There is no input file none.yaml", "none.yaml", "1", "--local")
        self.refused("RANKS: got x", "gas.yaml", "x", "--local")
        self.refused("--sweep: got run.timestep", "gas.yaml", "1", "--local", "--sweep", "run.timestep")
        self.refused("--seeds: got 0", "gas.yaml", "1", "--local", "--seeds=0")
        self.refused("--per-job: got 0", "gas.yaml", "1", "--local", "--per-job=0")
        self.refused("--from: got 1.5", "gas.yaml", "1", "--local", "--from=1.5")
        self.refused("run.timestep", "gas.yaml", "1", "--local", "--sweep", "run.timestep=0.1 -1")
        self.refused("not longer than the warning", "gas.yaml", "1", "--time=4")
        self.refused("There is no sbatch", "gas.yaml", "1", status=1,
                     environment={**os.environ, "PATH": path_without("sbatch")})

    def test_slurm_array_is_collected_at_its_end(self):
        """Slurm array is collected when the members have ended."""
        with PrivateSlurm(cpus=4) as slurm:
            process = job("slurm-array.sh", "gas.yaml", "2", *SWEEP, "--seeds=2", "--at-most=1", "--time=00:10:00",
                          environment=slurm.environment)
            self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
            self.assertRegex(process.stdout, r"Submitted 8 members as job array \d+ \d+\n")  # of 5 and 3
            collector = process.stdout.split("Submitted batch job ")[1].split()[0]
            state = slurm.wait_for_job(collector)["JobState"]
            self.assertEqual(state, "COMPLETED", "\n".join(log.read_text() for log in FOLDER.glob("*.log")))
        self.check_means(2)

    def test_stopped_member_is_queued_again(self):
        """A member that is stopped is queued again and counts. A run that ends before the signal arrives is tried
        again with more steps."""
        with PrivateSlurm(cpus=4) as slurm:
            environment = {**slurm.environment, "OMPI_MCA_odls_base_sigkill_timeout": "1"}
            for num_steps in (2000, 20000, 200000):
                folder = pathlib.Path(f"ensemble-{num_steps}")
                process = job("slurm-array.sh", "gas.yaml", "2", "--seeds=2", f"--folder={folder}", "--", "--steps",
                              num_steps, "--set", "output.trajectory_every=100", "--set", "output.collisions=none",
                              environment=environment)
                self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
                array = process.stdout.split("as job array ")[1].split()[0]
                collector = process.stdout.split("Submitted batch job ")[1].split()[0]
                log = folder / "1.log"
                wait_until(lambda: num_complete_frames(folder / "1.h5md") > 0 or
                           log.exists() and "ended with" in log.read_text(), process.stdout)
                slurm.ask("scancel", "--batch", "--signal=USR1", f"{array}_1")
                num_restarts = int(slurm.wait_for_job(f"{array}_1")["Restarts"])
                self.assertEqual(slurm.wait_for_job(collector)["JobState"], "COMPLETED", log.read_text())
                if num_restarts > 0:
                    break
        self.assertIn("stopped with status 85; queueing this job again", log.read_text())
        self.assertEqual((folder / "0.log").read_text().count("start 1: "), 1)
        self.assertNotIn("start 2: ", (folder / "0.log").read_text())
        with open(folder / "means.csv", newline="") as file:
            self.assertEqual({row["seeds"] for row in csv.DictReader(file)}, {"2"})
        self.succeed("run", "gas.yaml", "--steps", num_steps, "--set", "output.trajectory_every=100", "--set",
                     "output.collisions=none", "--set", "run.seed=2", "--output", "one.h5md", timeout=2400)
        self.assert_same_results("one.h5md", folder / "1.h5md")


if __name__ == "__main__":
    unittest.main()
