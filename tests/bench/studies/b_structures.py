#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Table 1 of Gavrilova and Rokne, columns A to G, measured: exponents in the number of particles.

Elastic spheres in three dimensions, volume fractions 0.01, 0.1 and 0.3, equal ones and 2 % that are 20 times as large.
  A  neighbours of a particle                       D  microseconds per contact, without its topological events
  B  contact times asked per topological event      E  topological events per contact
  C  microseconds per topological event             F  milliseconds to build the structure and ask all neighbours
  G  bytes per particle
A and F are those of a very short step. B and C are those of a step of spheres that are too small to meet, at the same
centres' density. D is what is left of a step's time.

A second table has events and certificates per contact of equal spheres, half a contact each per step. A third has
CPU time per contact over that of cells in windows.
"""
import math

import studies

METHODS = {"delaunay": 4000, "cells_crossing": 16000, "spatial_tree/queue": 16000, "sweep_and_prune/queue": 4000}
CONTACTS_PER_STEP = 0.1  # of a particle
LARGE_SHARE = 0.02


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


def measure(build, count, fraction, ratio, steps):
    methods = [method for method, most in METHODS.items() if count <= most]
    whole = studies.study(build, gas(count, fraction, ratio), methods, steps)
    begin = studies.study(build, gas(count, fraction, ratio, share_of_step=1e-6), methods, steps)
    points = studies.study(build, gas(count, fraction, ratio, shrunk=1e-3), methods, steps)
    rows = []
    for method in methods:
        all_of, start, free = whole[method], begin[method], points[method]
        contacts = all_of["contacts_per_step"]
        topological = all_of["topological_per_contact"]
        free_events = free["topological_per_step"]
        free_tests = (free["exact_tests_per_particle_step"] - start["exact_tests_per_particle_step"]) * count
        per_event = (free["cpu_seconds_per_step"] - start["cpu_seconds_per_step"]) / free_events if free_events else 0
        rest = all_of["cpu_seconds_per_step"] - start["cpu_seconds_per_step"] - contacts * topological * per_event
        rows.append({"method": method, "particles": count, "fraction": fraction, "ratio": ratio,
                     "A": 2 * start["exact_tests_per_particle_step"],
                     "B": free_tests / free_events if free_events else 0,
                     "C": 1e6 * per_event, "D": 1e6 * rest / contacts, "E": topological,
                     "F": 1e3 * start["cpu_seconds_per_step"], "G": all_of["search_bytes_per_particle"]})
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
             "events_per_contact": row["topological_per_step"] / row["contacts_per_step"]}
            for method, row in found.items()]


def exponents(rows):
    """Of the columns, by method, fraction and ratio."""
    found = []
    for key in sorted({(row["method"], row["fraction"], row["ratio"]) for row in rows}):
        own = [row for row in rows if (row["method"], row["fraction"], row["ratio"]) == key]
        line = dict(zip(("method", "fraction", "ratio"), key))
        for column in "ABCDEFG":
            points = [(row["particles"], row[column]) for row in own if row[column] > 0]
            line[column] = round(studies.slope(points), 2) if len(points) > 2 else ""
        found.append(line)
    return found


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
    studies.write_csv(chosen.output / "b_exponents.csv", exponents(rows))
    panels = {f"ratio {ratio}, fraction {fraction}": {
        method: [(row["particles"], row["E"]) for row in rows
                 if (row["method"], row["fraction"], row["ratio"]) == (method, fraction, ratio)]
        for method in METHODS} for ratio in ratios for fraction in fractions}
    studies.plot(chosen.output / "b_structures.png", panels, "particles", "topological events per contact")


if __name__ == "__main__":
    main()
