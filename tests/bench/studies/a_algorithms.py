#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The algorithms of Johnson and Whalley (2002), figure 6: naive, cells, A, B, C; milliseconds per timestep.

Brownian spheres, a path of 0.1 diameters per step on average, volume fractions 0.01 and 0.1. First in the loop of
section 4.1, which searches all particles again after each contact; then in one that searches its two partners only.
The copy of figure 6 that we have has no numbers, so nothing is compared with it.
"""
import studies

# Name in the source: method with restarts, method without, largest number of particles.
ALGORITHMS = {
    "naive": ("all_pairs/restart", "all_pairs/queue", 2000),
    "cells": ("cells_crossing/restart", "cells_crossing/queue", 8000),
    "A": ("cells_every_move/restart", "cells_every_move/queue", 2000),
    "B": ("cells/restart", "cells/queue", 8000),
    "C": ("slices/restart", "slices/queue", 8000),
}
WINDOWS = {"B in windows": "cells", "C in windows": "slices"}


def gas(count, fraction):
    side = studies.cube(count, fraction)
    return f"""
box: {{size: [{side}, {side}, {side}], boundary: periodic}}
species: [{{name: sphere, radius: 0.5, diffusion: 1, count: {count}}}]
dynamics: {{type: brownian, kT: 1}}
run: {{timestep: {studies.brownian_timestep(0.1)}, steps: 1}}
output: {{file: none.h5md}}
"""


def measure(build, count, fraction, steps):
    rows = []
    for loop, column in (("restart", 0), ("queue", 1)):
        names = {algorithm[column]: name for name, algorithm in ALGORITHMS.items() if count <= algorithm[2]}
        if loop == "queue":
            names |= {method: name for name, method in WINDOWS.items()}
        for method, row in studies.study(build, gas(count, fraction), names, steps).items():
            rows.append({"loop": loop, "algorithm": names[method], "particles": count, "fraction": fraction,
                         "ms_per_step": 1e3 * row["cpu_seconds_per_step"],
                         "ms_q1": 1e3 * row["cpu_seconds_per_step_q1"], "ms_q3": 1e3 * row["cpu_seconds_per_step_q3"],
                         "contacts_per_step": row["contacts_per_step"],
                         "tests_per_particle_step": row["exact_tests_per_particle_step"]})
    return rows


def main():
    chosen = studies.options(__doc__)
    counts = [250] if chosen.quick else [250, 500, 1000, 2000, 4000, 8000]
    rows = [row for fraction in (0.01, 0.1) for count in counts
            for row in measure(chosen.build, count, fraction, 2 if chosen.quick else 4)]
    studies.write_csv(chosen.output / "a_algorithms.csv", rows)
    panels = {}
    for row in rows:
        panel = panels.setdefault(f"{row['loop']}, fraction {row['fraction']}", {})
        panel.setdefault(row["algorithm"], []).append((row["particles"], row["ms_per_step"]))
    studies.plot(chosen.output / "a_algorithms.png", panels, "particles", "ms per step")
    if not chosen.quick:
        for title, lines in panels.items():
            exponents = ", ".join(f"{name} {studies.slope(points[1:]):.2f}" for name, points in lines.items())
            print(f"{title}: time grows as N to the power of {exponents}")


if __name__ == "__main__":
    main()
