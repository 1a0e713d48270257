# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of `ricochet report` share: runs to report on, and readers of the CSV files."""
import csv
import pathlib
import sys

import h5py
import numpy as np

from support.program import GAS, SOURCE, ProgramTest

DENSE = GAS.replace("[9, 7, 7]", "[12, 11, 10]").replace("steps: 20", "steps: 60")
DILUTE = """\
title: "Dilute <Brownian> & free"
box: {size: [40, 30, 30], boundary: periodic}
species:
  - {name: tracer, radius: 0.05, diffusion: 0.8, count: 4000}
  - {name: slow, radius: 0.05, diffusion: 0.2, count: 2000}
placement: {method: random}
dynamics: {type: brownian, kT: 2}
run: {timestep: 0.01, steps: 400, seed: 11}
output: {file: dilute.h5md, trajectory_every: 80, observables_every: 2, collisions: none}
"""
COOLING = DENSE.replace("run:", "contacts: {restitution: 0.9}\nrun:")
CROWDED = """\
box: {size: [8, 8, 8], boundary: periodic}
species:
  - {name: ball, radius: 0.5, diffusion: 1, volume_fraction: 0.3}
placement: {method: random}
dynamics: {type: brownian, kT: 1}
run: {timestep: TIMESTEP, steps: 60, seed: 4}
output: {file: crowded.h5md, trajectory_every: 10, observables_every: 10, collisions: none}
"""
LOG_NORMAL = """\
box: {size: [10, 10, 10], boundary: periodic}
species:
  - {name: ball, radius: {lognormal: {median: 0.4, sigma: 0.25, min: 0.1, max: 1}}, mass: 1, count: 700}
placement: {method: random}
dynamics: {type: ballistic, kT: 1}
run: {timestep: 0.1, steps: 100, seed: 4, equilibrate: {collisions_per_particle: 5}}
output: {file: mixed.h5md, trajectory_every: 20, observables_every: 1, collisions: none}
"""
WALLS = """\
box: {size: [12, 9], boundary: [periodic, reflecting]}
species:
  - {name: small, radius: 0.2, mass: 1, count: 60}
  - {name: large, radius: 0.4, mass: 4, count: 20}
placement: {method: random}
dynamics: {type: ballistic, kT: 1}
contacts: {restitution: 0.9}
run: {timestep: 0.05, steps: 30, seed: 5}
output: {file: walls.h5md, trajectory_every: 3, observables_every: 1, collisions: all}
"""
REPORT_FOLDER = SOURCE / "src/app/report"


def read_csv(path):
    """{column: values} of a CSV of the report; numbers where all are."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    for name, values in columns.items():
        try:
            columns[name] = np.array(values, float)
        except ValueError:
            pass
    return columns


def read_summary(folder):
    """{name: (value, standard error, expected)}, nothing as None."""
    table = {}
    with open(pathlib.Path(folder) / "summary.csv", newline="") as file:
        for row in csv.DictReader(file):
            values = (row[name] for name in ("value", "standard_error", "expected"))
            table[row["name"]] = tuple(float(text) if text else None for text in values)
    return table


class ReportTest(ProgramTest):
    def result(self, text, name):
        self.write("input.yaml", text)
        self.succeed("run", "input.yaml", "--output", name, ranks=2)
        return name

    def report(self, text, name="run.h5md", *options):
        path = self.result(text, name)
        self.succeed("report", path, "-o", "page", "--force", *options, timeout=1200)
        return h5py.File(path, "r"), read_summary("page")

    def module(self, name):
        """A module of the report's scripts."""
        sys.path.insert(0, str(REPORT_FOLDER))
        self.addCleanup(sys.path.remove, str(REPORT_FOLDER))
        return __import__(name)
