#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The experiments with time bounds: seconds of computing for a simulated second, against the side of a subspace.

1,000 spheres in a closed box of 200 x 200 x 200, radii from 0.5 to 2, accelerations from 1 to 10, in a new direction
every 0.1, or towards a flow; speeds up to 10. Timestep 0.01. Beside them `cells`, which searches each step anew.

The source has 1.372 s (directions) and 2.846 s (flow) per simulated second. It does not say which radii, speeds and
machine. Times include the contacts, the walls and the drive.
"""
import studies

SIDES = (0, 6, 8, 10, 14, 20, 26, 33)
PUBLISHED = {"directions": 1.372, "flow": 2.846}
DRIVES = {"directions": "type: random_accelerations, redirect_every: 0.1",
          "flow": "type: velocity_field, flow_speed: 10"}
TIMESTEP = 0.01


def gas(drive):
    return f"""
box: {{size: [200, 200, 200], boundary: reflecting}}
species:
  - {{name: sphere, radius: {{lognormal: {{median: 1, sigma: 0.6, min: 0.5, max: 2}}}}, mass: 1, count: 1000}}
dynamics:
  type: ballistic
  kT: 8.333333333333334
  velocities: equal_speed
  drive: {{{DRIVES[drive]}, min_acceleration: 1, max_acceleration: 10, speed_limit: 10}}
run: {{timestep: {TIMESTEP}, steps: 1}}
output: {{file: none.h5md}}
"""


def row_of(drive, side, row):
    per_second = 1 / TIMESTEP
    seconds = row["seconds_per_step"] * per_second
    return {"drive": drive, "method": row["method"], "side": side, "seconds_per_simulated_second": seconds,
            "published_over_this": PUBLISHED[drive] / seconds,
            "contacts_per_simulated_second": row["contacts_per_step"] * per_second,
            "events_of_bounds_per_simulated_second":
                row["topological_per_contact"] * row["contacts_per_step"] * per_second,
            "bytes_per_particle": row["search_bytes_per_particle"]}


def main():
    chosen = studies.options(__doc__, steps=1000)
    steps = 20 if chosen.quick else chosen.steps
    rows = []
    for drive in DRIVES:
        for side in SIDES[:2] if chosen.quick else SIDES:
            methods = ["time_bounds"] + (["cells"] if side == 0 else [])
            found = studies.study(chosen.build, gas(drive), methods, steps, turn=max(steps // 5, 1),
                                  sets=[f"search.time_bounds.side={side}"])
            rows += [row_of(drive, side, found[method]) for method in methods]
    studies.write_csv(chosen.output / "d_time_bounds.csv", rows)
    panels = {drive: {"time_bounds": [(row["side"], 1e3 * row["seconds_per_simulated_second"]) for row in rows
                                      if (row["drive"], row["method"]) == (drive, "time_bounds") and row["side"]]}
              for drive in DRIVES}
    studies.plot(chosen.output / "d_time_bounds.png", panels, "side of a subspace", "ms per simulated second")


if __name__ == "__main__":
    main()
