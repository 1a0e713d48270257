#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The experiments with time bounds: CPU time and events for a simulated second, against the side of a subspace.

1,000 spheres in a closed box of 200 x 200 x 200, radii from 0.5 to 2, accelerations from 1 to 10, in a new direction
every 0.1, or towards a flow; speeds up to 10. Timestep 0.01. Radii are uniform, velocities uniform in a ball: the start
and the drive are those of the unit test TimeBounds.HaveAsManyEventsAsInAPrototype, bit by bit. Beside them `cells`, which
searches each step anew, and the source's rival: space-time bounds tested all against all (all_against_all.cpp), against
their horizon, the time for which a bound lasts; and once with eight times as many spheres.

The source has 1.372 s (directions) and 2.846 s (flow) per simulated second. It does not say which radii, speeds and
machine. Times include the contacts, the walls and the drive.

A second table has the events at a subspace side of 8 beside those of a prototype, for several starts, with standard
errors; and once more for half of the timestep.
"""
import itertools
import json
import math
import pathlib
import statistics
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
SPEED_LIMIT = 10
# A prototype's, per simulated second at a subspace side of 8.
PROTOTYPE_SIDE = 8
PROTOTYPE = {"resets": 709, "entered or left": 3459, "two bounds meet": 143, "contacts of pairs": 13.6}
PROTOTYPE_SECONDS = 20
STARTS = 8
RIVALS = ("all_against_all, own row again", "all_against_all, all pairs again")
# Counts of `ricochet study`, and of the program for the rival.
EVENTS = ("pair_contacts", "contacts", "resets", "entered", "left", "bound_pairs", "bound_walls")


class HashRandom:
    """The random numbers of tests/support/hash_random.hpp."""

    MASK = (1 << 64) - 1

    def __init__(self, seed):
        self.state = self.mixed(seed)

    @classmethod
    def mixed(cls, z):
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & cls.MASK
        z = (z ^ z >> 27) * 0x94d049bb133111eb & cls.MASK
        return z ^ z >> 31

    def uniform(self, low, high):
        self.state = (self.state + 0x9e3779b97f4a7c15) & self.MASK
        return low + (high - low) * ((self.mixed(self.state) >> 11) * 2.0**-53)


def spheres(edge, count, seed):
    """(place, velocity, radius), as of tests/support/driven_spheres.hpp."""
    random, found, cells = HashRandom(seed), [], {}
    while len(found) < count:
        radius, place, velocity = random.uniform(0.5, 2), [], []
        for _ in range(3):
            place.append(random.uniform(radius, edge - radius))
            velocity.append(random.uniform(-SPEED_LIMIT, SPEED_LIMIT))
        if math.hypot(*velocity) > SPEED_LIMIT:
            continue
        at = [int(x / 4) for x in place]  # no contact distance is above 4
        near = (other for cell in itertools.product(*((k - 1, k, k + 1) for k in at)) for other in cells.get(cell, ()))
        if all(math.dist(place, other) > radius + size for other, size in near):
            cells.setdefault(tuple(at), []).append((place, radius))
            found.append((place, velocity, radius))
    return found


def write_start(folder, times=1, seed=1):
    """The particles as a CSV file. Returns its path and the edge of the box."""
    edge = 200 * round(times ** (1 / 3), 9)
    path = pathlib.Path(folder, f"start_{times}_{seed}.csv")
    with path.open("w", encoding="utf-8") as file:
        file.write("x,y,z,vx,vy,vz,radius\n")
        for place, velocity, radius in spheres(edge, 1000 * times, seed):
            file.write(",".join(map(repr, (*place, *velocity, radius))) + "\n")
    return path, edge


def gas(drive, start, timestep=TIMESTEP):
    """Of a start file."""
    path, edge = start
    return f"""
box: {{size: [{edge}, {edge}, {edge}], boundary: reflecting}}
species: [{{name: sphere, radius: 2, mass: 1}}]
placement: {{method: file, path: {path}}}
dynamics:
  type: ballistic
  velocities: given
  drive: {{{DRIVES[drive]}, min_acceleration: 1, max_acceleration: 10, speed_limit: {SPEED_LIMIT}}}
run: {{timestep: {timestep}, steps: 1, seed: 5}}
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


def time_bounds(chosen, drive, start, steps):
    rows = []
    for side in SIDES[:2] if chosen.quick else SIDES:
        methods = ["time_bounds"] + (["cells"] if side == 0 else [])
        found = studies.study(chosen.build, gas(drive, start), methods, steps, turn=max(steps // 5, 1),
                              sets=[f"search.time_bounds.side={side}"])
        rows += [row_of(drive, "study", side, found[method]) for method in methods]
    return rows


def rival(chosen, drive, start, steps, horizons, times=1):
    """The program's own `cells` and `time_bounds` come first: they show what is left of the study's times."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "input.yaml")
        source.write_text(gas(drive, start), encoding="utf-8")
        for horizon in horizons:
            lines = studies.run_program([chosen.build / "tests/all_against_all", source, f"steps={steps}",
                                         f"turn={max(steps // 5, 1)}", f"horizon={horizon}"]).splitlines()
            found = [row_of(drive, "all_against_all", horizon, json.loads(line), times) for line in lines]
            rows += [row for row in found if not rows or row["method"] in RIVALS]
    return rows


def events_at_prototype_side(chosen, start, seconds, timestep):
    """Of one start with new directions, per simulated second."""
    steps = round(seconds / timestep)
    row = studies.study(chosen.build, gas("directions", start, timestep), ["time_bounds"], steps, turn=steps,
                        sets=[f"search.time_bounds.side={PROTOTYPE_SIDE}"])["time_bounds"]
    counts = (row["resets_per_step"], row["entered_per_step"] + row["left_per_step"], row["bound_pairs_per_step"],
              row["pair_contacts_per_step"])
    return {event: count / timestep for event, count in zip(PROTOTYPE, counts)}


def beside_prototype(chosen, folder):
    """Means over starts with their standard errors. The first start alone is that of the unit test."""
    starts = [write_start(folder, seed=seed) for seed in range(1, 3 if chosen.quick else 1 + STARTS)]
    second = 1 if chosen.quick else PROTOTYPE_SECONDS
    rows = []
    for of, seconds, timestep in ((starts[:1], second, TIMESTEP), (starts, second, TIMESTEP),
                                  (starts, 2.5 * second, TIMESTEP), (starts, second, TIMESTEP / 2)):
        found = [events_at_prototype_side(chosen, start, seconds, timestep) for start in of]
        for event, prototype in PROTOTYPE.items():
            rates = [one[event] for one in found]
            mean = statistics.mean(rates)
            error = statistics.stdev(rates) / math.sqrt(len(rates)) if len(rates) > 1 else ""
            rows.append({"starts": len(of), "seconds": seconds, "timestep": timestep, "event": event, "per_second": mean,
                         "error": error, "prototype": prototype, "over_prototype": mean / prototype})
    return rows


def main():
    chosen = studies.options(__doc__, steps=5000)
    steps = 200 if chosen.quick else chosen.steps
    horizons = HORIZONS[2:3] if chosen.quick else HORIZONS
    with tempfile.TemporaryDirectory() as folder:
        start = write_start(folder)
        rows = [row for drive in DRIVES
                for row in time_bounds(chosen, drive, start, steps) + rival(chosen, drive, start, steps, horizons)]
        if not chosen.quick:
            rows += rival(chosen, "directions", write_start(folder, MANY), steps // 50, HORIZONS_OF_MANY, MANY)
        events = beside_prototype(chosen, folder)
    studies.write_csv(chosen.output / "d_time_bounds.csv", rows)
    studies.write_csv(chosen.output / "d_events.csv", events)
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
