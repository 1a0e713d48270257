#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Table 1 of Gavrilova and Rokne, columns A to G, measured: exponents in the number of particles.

Elastic spheres in three dimensions, volume fractions 0.01, 0.1 and 0.3, equal ones and 2 % that are 20 times as large.
  A  neighbours of a particle                       D  microseconds per contact, without its topological events
  B  contact times asked per topological event      E  topological events per contact
  C  microseconds per topological event             F  milliseconds to build the structure and ask all neighbours
  G  bytes per particle
A and F are those of a very short step. B and C are those of a step of spheres that are too small to meet, at the same
centres' density, less those of a fiftieth of it. D is what is left of a step's time. C and D are differences of times.
What is not more than twice its error, by the quartiles of the steps, is left out of exponents. Where large spheres make
large cells, an event takes another time than for those that are too small to meet. There D means nothing.

b_orders.csv has the orders that the source's Table 1 claims beside measured exponents in the number of particles.
A second table has events and certificates per contact of equal spheres, half a contact each per step. A third has
CPU time per contact over that of cells in windows; and the bytes that an array of floor(L / M)^3 cells would take.
"""
import math

import studies

METHODS = {"delaunay": 4000, "cells_crossing": 16000, "spatial_tree/queue": 16000, "sweep_and_prune/queue": 4000}
CONTACTS_PER_STEP = 0.1  # of a particle
LARGE_SHARE = 0.02
SHORT_FOR_POINTS = 0.02  # of a step; the plan of ranks takes long where neither size nor path is a length
COLUMNS = "ACDEFG"
BYTES_PER_CELL = 4  # the first particle in it
# Table 1 of the source in three dimensions, and what that is as a power of n. In a box of side L at fixed density
# k = L / M grows as n^(1/3). log n grows from 500 to 16,000 particles as n^0.13. lambda(n) is hardly more than n.
CLAIMS = {
    "delaunay": {"A": ("n", 1), "C": ("log n", 0.13), "D": ("log n", 0.13), "E": ("n^2 lambda(n)", 3), "F": ("n^2", 2),
                 "G": ("n^2", 2)},
    "cells_crossing": {"A": ("1", 0), "C": ("log n", 0.13), "D": ("log n", 0.13), "E": ("n k", 1.33),
                       "F": ("n + k^3", 1), "G": ("n + k^3", 1)},
    "spatial_tree/queue": {"A": ("1", 0), "C": ("log n", 0.13), "D": ("log n", 0.13), "E": ("n k", 1.33),
                           "F": ("n log n", 1.13), "G": ("n", 1)},
    "sweep_and_prune/queue": {"A": ("1", 0), "C": ("log n", 0.13), "D": ("n", 1), "E": ("n^2", 2),
                              "F": ("n log n", 1.13), "G": ("n", 1)},
}


def gas(count, fraction, ratio, shrunk=1.0, share_of_step=1.0):
    """Its input; shrunk spheres keep the box and the timestep of those that are not."""
    large = 0 if ratio == 1 else round(LARGE_SHARE * count)
    side = (((count - large) + large * ratio**3) * math.pi / 6 / fraction) ** (1 / 3)
    density = count / side**3
    cross_section = math.pi * (1 + (LARGE_SHARE * (ratio**2 / 2) if ratio > 1 else 0))
    contact_value = (1 - fraction / 2) / (1 - fraction) ** 3
    rate = density * cross_section * contact_value * 4 / math.sqrt(math.pi)
    timestep = min(CONTACTS_PER_STEP / rate, side / 40) * share_of_step
    species = [f"{{name: small, radius: {0.5 * shrunk}, mass: 1, count: {count - large}}}"]
    if large:
        species.append(f"{{name: large, radius: {0.5 * ratio * shrunk}, mass: {ratio**3}, count: {large}}}")
    return f"""
box: {{size: [{side}, {side}, {side}], boundary: periodic}}
species: [{", ".join(species)}]
dynamics: {{type: ballistic, kT: 1}}
run: {{timestep: {timestep}, steps: 1}}
output: {{file: none.h5md}}
"""


def time_and_error(row):
    """CPU seconds of a step, the median, and how far another median would be from it, by the quartiles."""
    spread = row["cpu_seconds_per_step_q3"] - row["cpu_seconds_per_step_q1"]
    return row["cpu_seconds_per_step"], spread / math.sqrt(row["steps"])


def difference(first, second):
    return first[0] - second[0], math.hypot(first[1], second[1])


def measure(build, count, fraction, ratio, steps):
    methods = [method for method, most in METHODS.items() if count <= most]

    def table(**shares):
        return studies.study(build, gas(count, fraction, ratio, **shares), methods, steps)

    whole, begin = table(), table(share_of_step=1e-6)
    points, begin_of_points = table(shrunk=1e-3), table(shrunk=1e-3, share_of_step=SHORT_FOR_POINTS)
    rows = []
    for method in methods:
        all_of, start, free, free_start = (of[method] for of in (whole, begin, points, begin_of_points))
        contacts = all_of["contacts_per_step"]
        topological = all_of["topological_per_contact"]
        free_events = free["topological_per_step"] - free_start["topological_per_step"]
        free_tests = (free["exact_tests_per_particle_step"] - free_start["exact_tests_per_particle_step"]) * count
        events_time, events_error = difference(time_and_error(free), time_and_error(free_start))
        of_events = contacts * topological / free_events if free_events else 0
        rest, rest_error = difference(difference(time_and_error(all_of), time_and_error(start)),
                                      (of_events * events_time, of_events * events_error))
        neighbours = 2 * start["exact_tests_per_particle_step"]
        is_alike = ratio == 1 or "cells" not in method and "tree" not in method
        rows.append({"method": method, "particles": count, "fraction": fraction, "ratio": ratio,
                     "A": neighbours, "B": free_tests / free_events if free_events else 0,
                     "C": 1e6 * events_time / free_events if free_events else 0,
                     "C_error": 1e6 * events_error / free_events if free_events else 0,
                     "D": 1e6 * rest / contacts if is_alike else "", "D_error": 1e6 * rest_error / contacts if is_alike else "",
                     "E": topological, "F": 1e3 * start["cpu_seconds_per_step"],
                     "G": all_of["search_bytes_per_particle"]})
    return rows


def equal_spheres(count, fraction, timestep):
    side = studies.cube(count, fraction)
    return f"""
box: {{size: [{side}, {side}, {side}], boundary: periodic}}
species: [{{name: sphere, radius: 0.5, mass: 1, count: {count}}}]
dynamics: {{type: ballistic, kT: 1}}
run: {{timestep: {timestep}, steps: 1}}
output: {{file: none.h5md}}
"""


def events_of(build, count, fraction, steps):
    """Certificates are times at which a facet must flip or two ends exchange (`ricochet study --help`)."""
    text = equal_spheres(count, fraction, 0.015 / fraction)
    methods = ["delaunay", "sweep_and_prune/queue", "cells_crossing"] if count == 1000 else ["sweep_and_prune/queue"]
    rows = []
    for method, row in studies.study(build, text, methods, steps).items():
        contacts = row["contacts_per_step"]
        rows.append({"method": method, "particles": count, "fraction": fraction,
                     "events_per_contact": row["topological_per_step"] / contacts,
                     "certificates_per_contact": row["certificates_per_step"] / contacts,
                     "changed_certificates_per_contact": row["changed_certificates_per_step"] / contacts,
                     "first_certificates_per_particle": row["first_certificates_per_step"] / count})
    return rows


def times_over_cells(build, count, fraction, timestep, steps):
    """Of CPU time per contact; also what a queue costs that searches as cells do."""
    methods = ["cells", "cells/queue", *METHODS]
    found = studies.study(build, equal_spheres(count, fraction, timestep), methods, steps)
    cells = found["cells"]["cpu_seconds_per_step"]
    return [{"method": method, "particles": count, "fraction": fraction,
             "contacts_per_particle_step": row["contacts_per_step"] / count,
             "microseconds_per_contact": 1e6 * row["cpu_seconds_per_step"] / row["contacts_per_step"],
             "over_cells": row["cpu_seconds_per_step"] / cells,
             "events_per_contact": row["topological_per_step"] / row["contacts_per_step"],
             "bytes_per_particle": row["search_bytes_per_particle"],
             "bytes_of_all_cells_per_particle": BYTES_PER_CELL * math.floor(studies.cube(count, fraction))**3 / count}
            for method, row in found.items()]


def points_of(rows, column):
    """Those that say something. G is of all particles together."""
    def value(row):
        return row[column] * (row["particles"] if column == "G" else 1)
    return [(row["particles"], value(row)) for row in rows
            if row[column] != "" and row[column] > 2 * row.get(f"{column}_error", 0)]


def exponent(rows, column):
    """"" where there are less than four sizes, or more than one of a method's sizes says nothing."""
    points = points_of(rows, column)
    if len(points) < 4 or len(points) < len(rows) - 1:
        return ""
    return round(studies.slope(points), 2)


def orders(rows):
    """Claimed and measured, by method, ratio and column."""
    found = []
    for method, claims in CLAIMS.items():
        for ratio in sorted({row["ratio"] for row in rows}):
            for column in COLUMNS:
                claim, power = claims[column]
                line = {"method": method, "ratio": ratio, "column": column, "claimed": claim, "claimed_exponent": power}
                for fraction in sorted({row["fraction"] for row in rows}):
                    own = [row for row in rows if (row["method"], row["fraction"], row["ratio"]) == (method, fraction, ratio)]
                    line[f"exponent_{fraction}"] = exponent(own, column)
                found.append(line)
    return found


def print_orders(lines):
    for line in lines:
        measured = ", ".join(f"{value:5.2f}" if value != "" else "    –" for name, value in line.items()
                             if name.startswith("exponent_"))
        print(f"{line['method']:22} 1:{line['ratio']:<3} {line['column']}  {line['claimed']:14} "
              f"{line['claimed_exponent']:5}  measured {measured}")


def main():
    chosen = studies.options(__doc__, steps=4)
    counts = [500] if chosen.quick else [500, 1000, 2000, 4000, 8000, 16000]
    fractions, ratios = ((0.1,), (1,)) if chosen.quick else ((0.01, 0.1, 0.3), (1, 20))
    rows = [row for ratio in ratios for fraction in fractions for count in counts
            for row in measure(chosen.build, count, fraction, ratio, chosen.steps)]
    studies.write_csv(chosen.output / "b_structures.csv", rows)
    events = [row for count in ([1000] if chosen.quick else [1000, 2000, 4000]) for fraction in (0.3, 0.1)
              for row in events_of(chosen.build, count, fraction, 1 if chosen.quick else 8)]
    studies.write_csv(chosen.output / "b_events.csv", events)
    timesteps = {0.1: 0.08} if chosen.quick else {0.3: 0.02, 0.1: 0.08, 0.01: 0.8, 0.001: 1.5}
    count = 500 if chosen.quick else 4000
    times = [row for fraction, timestep in timesteps.items()
             for row in times_over_cells(chosen.build, count, fraction, timestep, 6 * chosen.steps)]
    studies.write_csv(chosen.output / "b_times.csv", times)
    if chosen.quick:
        return
    lines = orders(rows)
    studies.write_csv(chosen.output / "b_orders.csv", lines)
    print_orders(lines)
    panels = {f"ratio {ratio}, fraction {fraction}": {
        method: [(row["particles"], row["E"]) for row in rows
                 if (row["method"], row["fraction"], row["ratio"]) == (method, fraction, ratio)
                 and row["E"] > 0]
        for method in METHODS} for ratio in ratios for fraction in fractions}
    studies.plot(chosen.output / "b_structures.png", panels, "particles", "topological events per contact")


if __name__ == "__main__":
    main()
