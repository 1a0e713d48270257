#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Naive search, boxes and octree of Goodwin, against the number of boxes and against max_count.

Elastic spheres, uniform in their box or in a blob that fills a thousandth of it. The blob is a jittered lattice at
volume fraction 0.3, and expands little while it is measured.
"""
import pathlib
import tempfile

import studies

FRACTION = 0.3


def system(start, per_side, times_longer):
    """Its start file, and its input."""
    side = per_side * studies.cube(1, FRACTION)
    length = times_longer * side
    studies.blob(start, per_side, FRACTION, 0.5 * (length - side))
    return f"""
box: {{size: [{length}, {length}, {length}], boundary: periodic}}
species: [{{name: sphere, radius: 0.5, mass: 1}}]
placement: {{method: file, path: {start}}}
dynamics: {{type: ballistic, kT: 1}}
run: {{timestep: 0.02, steps: 1}}
output: {{file: none.h5md}}
"""


def measure(chosen, name, text, count):
    rows = []

    def add(method, parameter, value, sets=()):
        row = studies.study(chosen.build, text, [method], chosen.steps, sets=sets)[method]
        rows.append({"system": name, "particles": count, "method": method, "parameter": parameter, "value": value,
                     "ms_per_step": 1e3 * row["cpu_seconds_per_step"],
                     "compared_per_particle_step": row["compared_per_particle_step"],
                     "candidates_per_particle_step": row["candidates_per_particle_step"],
                     "search_bytes_per_particle": row["search_bytes_per_particle"]})

    if count <= 4096:
        add("all_pairs", "", 0)
    add("cells", "", 0)
    for boxes in (0, 4, 8, 16, 32, 64):
        add("boxes", "n", boxes, [f"search.boxes={boxes}"])
    for most in (2, 4, 8, 16, 32, 64):
        add("octree", "max_count", most, [f"search.octree.max_count={most}"])
    return rows


def main():
    chosen = studies.options(__doc__, steps=6)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for per_side in ((6,) if chosen.quick else (8, 16, 32)):
            for name, times_longer in (("uniform", 1), ("clustered", 10)):
                text = system(pathlib.Path(folder, "start.csv"), per_side, times_longer)
                rows += measure(chosen, name, text, per_side**3)
    studies.write_csv(chosen.output / "c_boxes_and_octree.csv", rows)
    panels = {}
    for row in rows:
        lines = panels.setdefault(f"{row['system']}, {row['particles']} spheres", {})
        label = row["method"] if not row["parameter"] else f"{row['method']} against {row['parameter']}"
        if row["parameter"]:
            points = lines.setdefault(label, [])
            if row["value"] > 0:
                points.append((row["value"], row["ms_per_step"]))
        else:
            lines[label] = [(2, row["ms_per_step"]), (64, row["ms_per_step"])]
    studies.plot(chosen.output / "c_boxes_and_octree.png", panels, "boxes along an axis; max_count", "ms per step")


if __name__ == "__main__":
    main()
