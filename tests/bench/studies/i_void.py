#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What clusters in a void cost: a step of a blob in a box 20 times as long, over that of the same blob in its own box.

The blob is a jittered lattice at volume fraction 0.3, in a cube that fills its own box; Brownian, and ballistic. A path is
0.05 diameters per step on average. Both take turns, as programs of their own. The method is `cells`, which `auto` takes.
Beside it is `spatial_tree`, whose cells are the occupied ones of the size of the reach.
"""
import math
import pathlib
import statistics
import tempfile

import studies

FRACTION = 0.3
PATH = 0.05  # diameters per step
TIMES_LONGER = 20
METHODS = ("cells", "spatial_tree")
# Also the timestep: of Maxwell's distribution the mean speed is sqrt(8 / pi).
DYNAMICS = {"brownian": ("diffusion: 1", studies.brownian_timestep(PATH)),
            "ballistic": ("mass: 1", PATH / math.sqrt(8 / math.pi))}


def system(start, dynamics, per_side, times_longer):
    """Writes the start file. Returns the input."""
    side = per_side * studies.cube(1, FRACTION)
    length = times_longer * side
    studies.blob(start, per_side, FRACTION, 0.5 * (length - side))
    property_of_species, timestep = DYNAMICS[dynamics]
    return f"""
box: {{size: [{length}, {length}, {length}], boundary: periodic}}
species: [{{name: sphere, radius: 0.5, {property_of_species}}}]
placement: {{method: file, path: {start}}}
dynamics: {{type: {dynamics}, kT: 1}}
run: {{timestep: {timestep}, steps: 1}}
output: {{file: none.h5md}}
"""


def measure(chosen, inputs, turn):
    """One turn of each kind of motion in each box."""
    rows = []
    for (dynamics, box), text in inputs.items():
        for method, row in studies.study(chosen.build, text, METHODS, chosen.steps).items():
            rows.append({"dynamics": dynamics, "box": box, "method": method, "turn": turn,
                         "particles": round(row["particles"]), "contacts_per_step": row["contacts_per_step"],
                         "ms_per_step": 1e3 * row["cpu_seconds_per_step"],
                         "compared_per_particle_step": row["compared_per_particle_step"],
                         "search_bytes_per_particle": row["search_bytes_per_particle"]})
    return rows


def print_ratios(rows):
    """Of the turns, void over own box."""
    for dynamics in DYNAMICS:
        for method in METHODS:
            own, void = ([row["ms_per_step"] for row in rows
                          if (row["dynamics"], row["method"], row["box"]) == (dynamics, method, box)]
                         for box in ("own", "void"))
            ratios = [b / a for a, b in zip(own, void)]
            print(f"{dynamics:10}{method:14}{statistics.median(own):8.2f} ms in its own box, "
                  f"{statistics.median(void):8.2f} ms in the void: {statistics.median(ratios):.3f} "
                  f"({min(ratios):.3f} to {max(ratios):.3f})")


def main():
    chosen = studies.options(__doc__, side=46, steps=8, turns=7)
    if chosen.quick:
        chosen.side, chosen.steps, chosen.turns = 8, 2, 1
    with tempfile.TemporaryDirectory() as folder:
        inputs = {(dynamics, box): system(pathlib.Path(folder, f"{dynamics}_{box}.csv"), dynamics, chosen.side, longer)
                  for dynamics in DYNAMICS for box, longer in (("own", 1), ("void", TIMES_LONGER))}
        rows = [row for turn in range(chosen.turns) for row in measure(chosen, inputs, turn)]
    studies.write_csv(chosen.output / "i_void.csv", rows)
    print_ratios(rows)


if __name__ == "__main__":
    main()
