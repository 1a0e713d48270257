#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether `search.method: auto` takes the fastest of cells, slices and all pairs, and what it took before.

Systems of the benchmark (tests/bench/grid.py) up to 32,000 elastic and 10,000 Brownian particles, small systems, and
channels along x. In each case the methods take turns over the same steps. `ricochet check` says which of them auto takes.
A time is the lower quartile of the turns, since other work on the machine only adds to them.

Slices and all pairs are too slow for larger systems. So in a second table, of the whole grid of the benchmark up to a
million particles, only choices are compared: what auto takes, and what it took before slices were measured against cells
and the other searches were added. Where the two differ, both are measured.
"""
import dataclasses
import math
import pathlib
import re
import sys
import tempfile

import studies

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import grid as benchmark  # of tests/bench

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
MOST_FOR_ALL_PAIRS = 1000
ALLOWED = 1.05
TURNS, TURNS_OF_FEW, FEW = 7, 41, 100  # few particles: their times vary more
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


@dataclasses.dataclass
class System:
    """Particles of several kinds, (diameter, count)."""

    dynamics: str
    box: list
    kinds: list
    timestep: float

    def number(self):
        return sum(count for _, count in self.kinds)

    def text(self):
        """The input."""
        brief = self.dynamics == "ballistic" and self.timestep < 0.2
        equilibrate = "equilibrate: {collisions_per_particle: 2}" if brief else ""
        species = [f"{{name: s{size:g}, radius: {size / 2}, "
                   + (f"diffusion: {1 / size}" if self.dynamics == "brownian" else f"mass: {size**3}")
                   + f", count: {count}}}" for size, count in self.kinds]
        return f"""
box: {{size: {self.box}, boundary: periodic}}
species: [{", ".join(species)}]
dynamics: {{type: {self.dynamics}, kT: 1}}
run: {{timestep: {self.timestep}, steps: 1, {equilibrate}}}
output: {{file: none.h5md}}
"""

    def mean_reach(self):
        """Radius plus half the displacement in a step."""
        mean_speed = math.sqrt(math.pi / 2 if len(self.box) == 2 else 8 / math.pi)

        def step(size):
            return math.sqrt(2 * self.timestep / size) if self.dynamics == "brownian" else self.timestep / size**1.5
        return sum(count * (size + mean_speed * step(size)) / 2 for size, count in self.kinds) / self.number()


def gas(dynamics, dimension, fraction, number, ratio):
    """A cube or square, or None where it is too small."""
    large = round(benchmark.MIXTURES.get(ratio, 0) * number)
    content = (number - large + large * ratio**dimension) * math.pi / (6 if dimension == 3 else 4)
    side = (content / fraction) ** (1 / dimension)
    if side < SHORTEST_BOX:
        return None
    kinds = [(1, number - large)] + ([(ratio, large)] if large else [])
    return System(dynamics, [side] * dimension, kinds, timestep(dynamics, dimension, fraction))


def cases(grid, quick):
    for dynamics, dimension, fractions, numbers, ratio in grid:
        for fraction in fractions:
            for number in numbers:
                system = gas(dynamics, dimension, fraction, number, ratio)
                if system is not None:
                    yield f"{dynamics} {dimension}D {fraction:g} 1:{ratio}", system
    for width, per_length in CHANNELS[:0 if quick else None]:
        for number in (300, 3000):
            box = [number / per_length, width, width]
            yield (f"channel {width}, {per_length:g} per length",
                   System("brownian", box, [(1, number)], timestep("brownian", 3, 0.1)))


def taken_by_auto(chosen, system):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "input.yaml")
        source.write_text(system.text(), encoding="utf-8")
        plan = studies.run_program([chosen.build / "ricochet", "check", source])
    return re.search(r"search +(\w+)[^\n]*, chosen automatically", plan)[1]


def taken_before(system):
    """By the costs of a query that auto had then: a query reaches into a slab or a cube four reaches wide."""
    shares = [min(1, 4 * system.mean_reach() / length) for length in system.box]
    in_slab, in_cube = system.number() * shares[0], system.number() * math.prod(shares)
    costs = {"all_pairs": system.number(), "cells": 9 / 4 + in_cube / 30, "slices": 1 + in_slab / 30}
    return min(costs, key=costs.get)


def times_of(chosen, methods, system):
    """Nanoseconds per particle and step."""
    number = system.number()
    turns = TURNS_OF_FEW if number <= FEW else TURNS
    turn = max(2, chosen.work // turns // number)
    found = studies.study(chosen.build, system.text(), methods, turns * turn, turn)
    return {method: 1e9 * row["cpu_seconds_per_step_q1"] / number for method, row in found.items()}


def measure(chosen, name, system):
    methods = ["cells", "slices"] + (["all_pairs"] if system.number() <= MOST_FOR_ALL_PAIRS else [])
    times = times_of(chosen, methods, system)
    taken, before, fastest = taken_by_auto(chosen, system), taken_before(system), min(times, key=times.get)
    return {"case": name, "particles": system.number(), "taken": taken, "before": before, "fastest": fastest,
            **{f"ns_{method}": times.get(method, "") for method in ("cells", "slices", "all_pairs")},
            "over_fastest": times[taken] / times[fastest], "over_before": times[taken] / times[before],
            "over_cells": times[taken] / times["cells"]}


def compare_choices(chosen, name, system):
    taken, before = taken_by_auto(chosen, system), taken_before(system)
    times = {} if taken == before else times_of(chosen, [taken, before], system)
    return {"case": name, "particles": system.number(), "taken": taken, "before": before,
            "over_before": times[taken] / times[before] if times else 1}


def cases_of_benchmark(quick):
    for one in benchmark.quick()[:1] if quick else benchmark.full():
        keys = one["keys"]
        dynamics = "ballistic" if keys["dynamics"] == "elastic" else "brownian"
        yield one["name"], gas(dynamics, keys["dimension"], keys["fraction"], keys["particles"], keys.get("ratio", 1))


def show(row, *words):
    mark = "" if row["over_before"] <= ALLOWED else "  <- slower than before"
    print(f"{row['case']:30}{row['particles']:8} auto takes {row['taken']:10} before {row['before']:10}"
          f"{row['over_before']:5.2f} of it", *words, mark, flush=True)


def main():
    chosen = studies.options(__doc__, work=400_000)
    rows = []
    for case in cases(QUICK if chosen.quick else GRID, chosen.quick):
        row = measure(chosen, *case)
        rows.append(row)
        mark = "" if row["over_fastest"] <= ALLOWED else "  <- slower"
        show(row, f"fastest {row['fastest']:10}{row['over_fastest']:5.2f} of it{mark}")
    studies.write_csv(chosen.output / "h_auto.csv", rows)
    of_benchmark = []
    for case in cases_of_benchmark(chosen.quick):
        of_benchmark.append(compare_choices(chosen, *case))
        show(of_benchmark[-1])
    studies.write_csv(chosen.output / "h_benchmark.csv", of_benchmark)
    slower = [row for row in rows if row["over_fastest"] > ALLOWED]
    print(f"{len(rows)} cases; auto takes more than {ALLOWED} of the fastest in {len(slower)}")
    for what, of in (("measured cases", rows), ("cases of the benchmark", of_benchmark)):
        others = [row for row in of if row["taken"] != row["before"]]
        slower = [row for row in others if row["over_before"] > ALLOWED]
        print(f"{len(of)} {what}; auto takes another than before in {len(others)}, and more than {ALLOWED} of its time "
              f"in {len(slower)}")


if __name__ == "__main__":
    main()
