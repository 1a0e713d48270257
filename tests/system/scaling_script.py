# SPDX-License-Identifier: BSD-3-Clause
"""jobs/slurm-scaling.sh: a short sweep on this machine and the same through a private Slurm."""
import csv
import os
import pathlib
import subprocess
import sys
import unittest

from support.job_scripts import SweepTest, job, path_without
from support.private_slurm import PrivateSlurm
from support.program import EXE, GAS, SOURCE

NUM_PARTICLES = 211  # of GAS
PNG = b"\x89PNG\r\n\x1a\n"


class ScalingScript(SweepTest):
    script, folder = "slurm-scaling.sh", pathlib.Path("gas-scaling")

    def check_sweep(self, folder, ranks, repeats):
        """Table, page and plot are there and agree with what was run."""
        with open(folder / "scaling.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(row["sweep"], int(row["ranks"])) for row in rows],
                         [("strong", n) for n in ranks] + [("weak", n) for n in ranks])
        first = {row["sweep"]: row for row in reversed(rows)}
        for row in rows:
            growth = int(row["ranks"]) if row["sweep"] == "weak" else 1
            self.assertAlmostEqual(int(row["particles"]), NUM_PARTICLES * growth, delta=1 * growth)
            self.assertEqual((int(row["steps"]), int(row["repeats"])), (8, repeats))
            is_first = row is first[row["sweep"]]
            self.assertLessEqual(float(row["efficiency by model"]), 1)
            self.assertEqual(float(row["efficiency by model"]) == 1, is_first)
            self.assertGreater(float(row["seconds"]), 0)
            ideal = float(first[row["sweep"]]["seconds"]) / float(row["seconds"])
            if row["sweep"] == "strong":
                self.assertAlmostEqual(float(row["speed-up"]), ideal * ranks[0])
            else:
                self.assertAlmostEqual(float(row["efficiency"]), ideal)
        self.assertEqual(len({row["state"] for row in rows if row["sweep"] == "strong"}), 1)
        self.assertEqual((folder / "scaling.md").read_text().count("\n"), 2 + len(rows))
        self.assertTrue((folder / "scaling.png").read_bytes().startswith(PNG))
        self.assertEqual(list(folder.glob("*.h5md")), [])

    def test_local_sweep_makes_table_and_plot(self):
        process = job("slurm-scaling.sh", "gas.yaml", "1 2", "--local", "--repeats=2", "--", "--steps", "8")
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        self.assertIn("| strong | 2 |", process.stdout)
        self.check_sweep(pathlib.Path("gas-scaling"), [1, 2], 2)

    def test_logs_with_old_names_of_phases_are_read(self):
        names = {"binning": "cells", "search": "primaries", "events": "islands", "rollback": "repair"}
        process = job("slurm-scaling.sh", "gas.yaml", "1", "--local", "--strong", "--", "--steps", "8")
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        folder = pathlib.Path("gas-scaling")
        [log] = folder.glob("strong-*.log")
        table = (folder / "scaling.csv").read_text()
        text = log.read_text()
        for new, old in names.items():
            self.assertEqual(text.count(f"\n  {new} "), 1)
            text = text.replace(f"\n  {new} ", f"\n  {old} ")
        log.write_text(text)
        subprocess.run([sys.executable, "-B", SOURCE / "jobs/scaling.py", "collect", folder], check=True,
                       capture_output=True)
        self.assertEqual((folder / "scaling.csv").read_text(), table)

    def test_counts_grow_with_the_ranks(self):
        """Counts grow with the ranks like densities."""
        self.write("gas.yaml", GAS.replace("volume_fraction: 0.25", f"count: {NUM_PARTICLES}"))
        process = job("slurm-scaling.sh", "gas.yaml", "1 3", "--local", "--weak", "--", "--steps=2")
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        with open("gas-scaling/scaling.csv", newline="") as file:
            self.assertEqual([int(row["particles"]) for row in csv.DictReader(file)],
                             [NUM_PARTICLES, 3 * NUM_PARTICLES])

    def test_failed_run_is_named(self):
        """A failed run is named and the others are collected."""
        process = job("slurm-scaling.sh", "gas.yaml", "1 2", "--local", "--strong", "--", "--steps", "2",
                      "--set", "output.collisions=none", program=self.fails_on(2))
        self.assertEqual(process.returncode, 1, process.stdout + process.stderr)
        self.assertIn("| strong | 1 |", process.stdout)
        self.assertNotIn("| strong | 2 |", process.stdout)
        self.assertRegex(process.stdout, r"failed: .*strong-2-1\.log")

    def fails_on(self, ranks):
        """The program, except that it fails when it runs on so many ranks."""
        path = pathlib.Path("fails").resolve()
        path.write_text('#!/bin/sh\n[ "${OMPI_COMM_WORLD_SIZE:-1}" != %d ] || exit 1\nexec "%s" "$@"\n'
                        % (ranks, EXE))
        path.chmod(0o755)
        return path

    def test_refuses_before_anything_runs(self):
        self.refused("usage:", "gas.yaml")
        self.refused("There is no input file none.yaml", "none.yaml", "1 2", "--local")
        self.refused("RANKS: got two", "gas.yaml", "1 two", "--local")
        self.refused("RANKS: got nothing", "gas.yaml", "", "--local")
        self.refused("--repeats: got many", "gas.yaml", "1", "--local", "--repeats=many")
        self.refused("--time=1: not an option", "gas.yaml", "1", "--local", "--time=1")
        self.refused("ranks", "gas.yaml", "1 2 900", "--local")
        self.refused("run.timestep", "gas.yaml", "1", "--local", "--", "--set", "run.timestep=-1")
        self.refused("There is no sbatch", "gas.yaml", "1", status=1,
                     environment={**os.environ, "PATH": path_without("sbatch")})
        self.refused("There is no program none", "gas.yaml", "1", "--local", status=1, program="none")

    def test_what_slurm_does_not_accept_is_named(self):
        """What slurm does not accept is named and the others are collected. Three ranks on a node of two."""
        words = "More processors requested than permitted"
        with PrivateSlurm(cpus=2) as slurm:
            process = job("slurm-scaling.sh", "gas.yaml", "1 3 2", "--strong", "--time=00:10:00", "--", "--steps", "4",
                          environment=slurm.environment)
            self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
            self.assertRegex(process.stdout, f"strong-3-1 was not accepted by Slurm: .*{words}")
            slurm.wait_for_job(process.stdout.split("Submitted batch job ")[1].split()[0])
        log = pathlib.Path("gas-scaling/collect.log").read_text()
        for ranks, is_there in ((1, True), (2, True), (3, False)):
            self.assertEqual(f"| strong | {ranks} |" in log, is_there, log)
        self.assertRegex(log, r"failed: .*strong-3-1\.log")
        self.assertIn(words, pathlib.Path("gas-scaling/strong-3-1.log").read_text())

    def test_slurm_sweep_is_collected_at_its_end(self):
        """Slurm sweep is collected when the jobs have ended."""
        with PrivateSlurm(cpus=4) as slurm:
            process = job("slurm-scaling.sh", "gas.yaml", "1 2", "--time=00:10:00", "--", "--steps", "8",
                          environment=slurm.environment)
            self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
            collector = process.stdout.split("Submitted batch job ")[1].split()[0]
            state = slurm.wait_for_job(collector)["JobState"]
            self.assertEqual(state, "COMPLETED", "\n".join(
                log.read_text() for log in pathlib.Path("gas-scaling").glob("*.log")))
        self.check_sweep(pathlib.Path("gas-scaling"), [1, 2], 1)


if __name__ == "__main__":
    unittest.main()
