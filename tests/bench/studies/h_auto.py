#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether `search.method: auto` takes the fastest of cells, slices and all pairs.

On the grid of tests/bench/run.sh, on small systems and in channels along x. In each case the methods take turns over the
same steps. `ricochet check` says which of them auto takes. A time is the lower quartile of the turns, since other work on
the machine only adds to them.
"""
import math
import pathlib
import re
import tempfile

import studies

# Dynamics, dimension, fractions, numbers, diameter of few large particles. Slices and all pairs are too slow for more.
GRID = [("ballistic", 3, (0.01, 0.1, 0.3, 0.49), (4_000, 32_000), 1),
        ("ballistic", 2, (0.01, 0.1, 0.3, 0.49), (4_000, 32_000), 1),
        ("brownian", 3, (0.001, 0.01, 0.1, 0.3), (10_000,), 1),
        ("brownian", 2, (0.001, 0.01, 0.1, 0.3), (10_000,), 1),
        ("ballistic", 3, (0.3,), (32_000,), 10),
        ("brownian", 3, (1e-4, 0.01, 0.1), (30, 60, 100, 300, 1000), 1),
        ("ballistic", 3, (1e-4, 0.01, 0.1), (30, 60, 100, 300, 1000), 1),
        ("brownian", 2, (1e-4, 0.1), (30, 60, 100, 300, 1000), 1)]
QUICK = [("brownian", 3, (0.01,), (100,), 1)]
CHANNELS = [(4, 0.5), (4, 2), (8, 1), (16, 4)]  # width, particles per length
CONTACTS = {0.49: 1, 0.3: 0.75, 0.1: 0.25}  # of a particle in a step of tests/bench; else 0.1
LARGE_SHARE = 0.001
MOST_FOR_ALL_PAIRS = 1000
ALLOWED = 1.05
TURNS = 7
SHORTEST_BOX = 5.5  # diameters: paths must have nearest images


def contact_rate(dimension, fraction):
    """Enskog's, per particle and unit time."""
    if dimension == 3:
        return 24 / math.sqrt(math.pi) * fraction * (1 - fraction / 2) / (1 - fraction) ** 3
    return 8 / math.sqrt(math.pi) * fraction * (1 - 7 * fraction / 16) / (1 - fraction) ** 2


def timestep(dynamics, dimension, fraction):
    if dynamics == "brownian":
        return 0.1**2 / (2 * dimension)
    return min(CONTACTS.get(fraction, 0.1) / contact_rate(dimension, fraction), 1)


def system(dynamics, box, species, step):
    equilibrate = "equilibrate: {collisions_per_particle: 2}" if dynamics == "ballistic" and step < 0.2 else ""
    return f"""
box: {{size: {box}, boundary: periodic}}
species: [{", ".join(species)}]
dynamics: {{type: {dynamics}, kT: 1}}
run: {{timestep: {step}, steps: 1, {equilibrate}}}
output: {{file: none.h5md}}
"""


def species(dynamics, radius, count):
    size = 2 * radius
    inertia = f"diffusion: {1 / size}" if dynamics == "brownian" else f"mass: {size**3}"
    return f"{{name: s{size:g}, radius: {radius}, {inertia}, count: {count}}}"


def gas(dynamics, dimension, fraction, number, ratio):
    """The input of a cube or square, or None where it is too small."""
    large = round(LARGE_SHARE * number) if ratio > 1 else 0
    content = (number - large + large * ratio**dimension) * math.pi / (6 if dimension == 3 else 4)
    side = (content / fraction) ** (1 / dimension)
    if side < SHORTEST_BOX:
        return None
    kinds = [species(dynamics, 0.5, number - large)] + ([species(dynamics, ratio / 2, large)] if large else [])
    return system(dynamics, [side] * dimension, kinds, timestep(dynamics, dimension, fraction))


def cases(grid, quick):
    for dynamics, dimension, fractions, numbers, ratio in grid:
        for fraction in fractions:
            for number in numbers:
                text = gas(dynamics, dimension, fraction, number, ratio)
                if text is not None:
                    yield f"{dynamics} {dimension}D {fraction:g} 1:{ratio}", number, text
    for width, per_length in CHANNELS[:0 if quick else None]:
        for number in (300, 3000):
            box = [number / per_length, width, width]
            yield (f"channel {width}, {per_length:g} per length", number,
                   system("brownian", box, [species("brownian", 0.5, number)], timestep("brownian", 3, 0.1)))


def taken_by_auto(chosen, text):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "input.yaml")
        source.write_text(text, encoding="utf-8")
        plan = studies.run_program([chosen.build / "ricochet", "check", source])
    return re.search(r"search +(\w+)[^\n]*, chosen automatically", plan)[1]


def measure(chosen, name, number, text):
    methods = ["cells", "slices"] + (["all_pairs"] if number <= MOST_FOR_ALL_PAIRS else [])
    turn = max(2, chosen.work // TURNS // number)
    found = studies.study(chosen.build, text, methods, TURNS * turn, turn)
    times = {method: 1e9 * row["cpu_seconds_per_step_q1"] / number for method, row in found.items()}
    taken, fastest = taken_by_auto(chosen, text), min(times, key=times.get)
    return {"case": name, "particles": number, "taken": taken, "fastest": fastest,
            **{f"ns_{method}": times.get(method, "") for method in ("cells", "slices", "all_pairs")},
            "over_fastest": times[taken] / times[fastest], "over_cells": times[taken] / times["cells"]}


def main():
    chosen = studies.options(__doc__, work=200_000)
    rows = []
    for case in cases(QUICK if chosen.quick else GRID, chosen.quick):
        row = measure(chosen, *case)
        rows.append(row)
        mark = "" if row["over_fastest"] <= ALLOWED else "  <- slower"
        print(f"{row['case']:28}{row['particles']:8} auto takes {row['taken']:10} fastest {row['fastest']:10} "
              f"{row['over_fastest']:.2f} of it, {row['over_cells']:.2f} of cells{mark}", flush=True)
    studies.write_csv(chosen.output / "h_auto.csv", rows)
    slower = [row for row in rows if row["over_fastest"] > ALLOWED]
    print(f"{len(rows)} cases; auto takes more than {ALLOWED} of the fastest in {len(slower)}")


if __name__ == "__main__":
    main()
