#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The experiments with time bounds: CPU time and events for a simulated second, against the side of a subspace.

1,000 spheres in a closed box of 200 x 200 x 200, radii from 0.5 to 2, accelerations from 1 to 10, in a new direction
every 0.1, or towards a flow; speeds up to 10. Timestep 0.01. Beside them `cells`, which searches each step anew, and the
source's rival: space-time bounds tested all against all (all_against_all.cpp), against their horizon, the time for which
a bound lasts; and once with eight times as many spheres.

The source has 1.372 s (directions) and 2.846 s (flow) per simulated second. It does not say which radii, speeds and
machine. Times include the contacts, the walls and the drive.
"""
import json
import pathlib
import tempfile

import studies

SIDES = (0, 6, 8, 10, 14, 20, 26, 33)
HORIZONS = (0.1, 0.2, 0.4, 0.6, 0.9, 1.3)
MANY = 8  # times as many spheres, for how the rival's time grows
HORIZONS_OF_MANY = (0.2, 0.4)
PUBLISHED = {"directions": 1.372, "flow": 2.846}
DRIVES = {"directions": "type: random_accelerations, redirect_every: 0.1",
          "flow": "type: velocity_field, flow_speed: 10"}
TIMESTEP = 0.01
RIVALS = ("all_against_all, own row again", "all_against_all, all pairs again")
# Counts of `ricochet study`, and of the program for the rival.
EVENTS = ("pair_contacts", "contacts", "resets", "entered", "left", "bound_pairs", "bound_walls")


def gas(drive, times=1):
    edge = 200 * round(times ** (1 / 3), 9)
    return f"""
box: {{size: [{edge}, {edge}, {edge}], boundary: reflecting}}
species:
  - {{name: sphere, radius: {{lognormal: {{median: 1, sigma: 0.6, min: 0.5, max: 2}}}}, mass: 1, count: {1000 * times}}}
dynamics:
  type: ballistic
  kT: 8.333333333333334
  velocities: equal_speed
  drive: {{{DRIVES[drive]}, min_acceleration: 1, max_acceleration: 10, speed_limit: 10}}
run: {{timestep: {TIMESTEP}, steps: 1}}
output: {{file: none.h5md}}
"""


def row_of(drive, program, parameter, row, times=1):
    """Per simulated second; the parameter is a side, or a horizon of the rival."""
    seconds = row["cpu_seconds_per_step"] / TIMESTEP
    found = {"drive": drive, "particles": 1000 * times, "program": program, "method": row["method"],
             "side_or_horizon": parameter,
             "cpu_ms": 1e3 * seconds, "published_over_this": PUBLISHED[drive] / seconds if times == 1 else ""}
    found.update({event: row[f"{event}_per_step"] / TIMESTEP for event in EVENTS})
    tests = row["certificates_per_step"] + row["first_certificates_per_step"]
    return {**found, "pair_tests": tests / TIMESTEP, "bytes_per_particle": row["search_bytes_per_particle"]}


def time_bounds(chosen, drive, steps):
    rows = []
    for side in SIDES[:2] if chosen.quick else SIDES:
        methods = ["time_bounds"] + (["cells"] if side == 0 else [])
        found = studies.study(chosen.build, gas(drive), methods, steps, turn=max(steps // 5, 1),
                              sets=[f"search.time_bounds.side={side}"])
        rows += [row_of(drive, "study", side, found[method]) for method in methods]
    return rows


def rival(chosen, drive, steps, horizons, times=1):
    """The program's own `cells` and `time_bounds` come first: they show what is left of the study's times."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "input.yaml")
        source.write_text(gas(drive, times), encoding="utf-8")
        for horizon in horizons:
            lines = studies.run_program([chosen.build / "tests/all_against_all", source, f"steps={steps}",
                                         f"turn={max(steps // 5, 1)}", f"horizon={horizon}"]).splitlines()
            found = [row_of(drive, "all_against_all", horizon, json.loads(line), times) for line in lines]
            rows += [row for row in found if not rows or row["method"] in RIVALS]
    return rows


def main():
    chosen = studies.options(__doc__, steps=5000)
    steps = 200 if chosen.quick else chosen.steps
    horizons = HORIZONS[2:3] if chosen.quick else HORIZONS
    rows = [row for drive in DRIVES
            for row in time_bounds(chosen, drive, steps) + rival(chosen, drive, steps, horizons)]
    if not chosen.quick:
        rows += rival(chosen, "directions", steps // 50, HORIZONS_OF_MANY, MANY)
    studies.write_csv(chosen.output / "d_time_bounds.csv", rows)
    panels = {f"{drive}, {title}": {
        method: [(row["side_or_horizon"], row["cpu_ms"]) for row in rows
                 if (row["drive"], row["program"], row["method"]) == (drive, program, method)
                 and row["side_or_horizon"] and row["particles"] == 1000] for method in methods}
        for drive in DRIVES for title, program, methods in (("time bounds", "study", ("time_bounds",)),
                                                            ("rival", "all_against_all", RIVALS))}
    studies.plot(chosen.output / "d_time_bounds.png", panels, "side of a subspace, or time for which a bound lasts",
                 "CPU ms per simulated second")


if __name__ == "__main__":
    main()
