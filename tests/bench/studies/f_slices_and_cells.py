#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Where slices are faster than cells: a map in the number of particles and the fraction of the box that they fill.

Cubes and squares, Brownian and elastic particles, whose paths are some 0.1 diameters a step. So the time of a step is
that of the search rather than of contacts. Methods do the same steps in nine turns. A time is the lower quartile of the
turns, since other work on the machine only adds to them.

Source: Johnson & Whalley 2002, sections 4.3 (cells) and 4.4 (slices).
"""
import math

import studies

PARTICLES = [30, 100, 300, 1000, 3000, 10000, 30000]
FRACTIONS = [1e-6, 1e-4, 1e-2, 0.1, 0.3]
METHODS = ["slices", "cells"]
MOST_FOR_ALL_PAIRS = 1000
SHORTEST_BOX = 5.5  # diameters: paths must have nearest images
TURNS = 9


def side(dimension, particles, fraction):
    if dimension == 3:
        return studies.cube(particles, fraction)
    return math.sqrt(particles * math.pi / 4 / fraction)


def system(dimension, drive, length, particles):
    is_brownian = drive == "brownian"
    return f"""
box: {{size: {[length] * dimension}, boundary: periodic}}
species: [{{name: sphere, radius: 0.5, {"diffusion" if is_brownian else "mass"}: 1, count: {particles}}}]
dynamics: {{type: {drive}, kT: 1}}
run: {{timestep: {0.005 if is_brownian else 0.1}, steps: 1}}
output: {{file: none.h5md}}
"""


def measure(chosen, dimension, drive, particles, fraction):
    methods = METHODS + (["all_pairs"] if particles <= MOST_FOR_ALL_PAIRS else [])
    turn = max(4, chosen.work // TURNS // particles)
    text = system(dimension, drive, side(dimension, particles, fraction), particles)
    found = studies.study(chosen.build, text, methods, TURNS * turn, turn)
    return [{"dimension": dimension, "drive": drive, "particles": particles, "fraction": fraction, "method": method,
             "ns_per_particle_step": 1e9 * row["cpu_seconds_per_step_q1"] / particles,
             "links_per_particle": row["links_per_particle"]} for method, row in found.items()]


def ratios(rows):
    """{title: {fraction: [(particles, time of slices / time of cells)]}}"""
    times = {}
    for row in rows:
        case = f"{row['dimension']}D, {row['drive']}", f"fraction {row['fraction']:g}", row["particles"]
        times.setdefault(case, {})[row["method"]] = row["ns_per_particle_step"]
    panels = {}
    for (title, line, particles), of in times.items():
        panels.setdefault(title, {}).setdefault(line, []).append((particles, of["slices"] / of["cells"]))
    return panels


def main():
    chosen = studies.options(__doc__, work=200_000)
    particles, fractions = ([30, 100], [1e-4]) if chosen.quick else (PARTICLES, FRACTIONS)
    rows = []
    for dimension in (3, 2):
        for drive in ("brownian", "ballistic"):
            for count in particles:
                for fraction in fractions:
                    if side(dimension, count, fraction) > SHORTEST_BOX:
                        rows += measure(chosen, dimension, drive, count, fraction)
    studies.write_csv(chosen.output / "f_slices_and_cells.csv", rows)
    panels = ratios(rows)
    for title, lines in panels.items():
        print(f"{title}: time of slices / time of cells")
        for line, points in lines.items():
            print(f"  {line:15}", *(f"{count}: {ratio:.2f}" for count, ratio in points))
    studies.plot(chosen.output / "f_slices_and_cells.png", panels, "particles", "time of slices / time of cells")


if __name__ == "__main__":
    main()
