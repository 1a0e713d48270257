#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a giant among small spheres costs: the time per contact with it, over that of the small spheres alone.

Elastic spheres at volume fraction 0.01, and one giant of their material among as many in a box of the same size. Both
take turns, as programs of their own.
"""
import json
import math
import statistics

import studies

FRACTION = 0.01


def side(particles):
    return studies.cube(particles, FRACTION)


def fraction_with(ratio, particles):
    """Of small spheres and giant together, in the box of the small ones alone."""
    content = math.pi / 6 * (particles - 1 + ratio**3)
    return content / side(particles) ** 3


def measure(chosen, ratio):
    """CPU microseconds per contact, and counts per contact, of one run."""
    keys = {"dynamics": "elastic", "particles": chosen.particles, "fraction": FRACTION, "steps": chosen.steps,
            "contacts": 1, "contacts_per_particle": 0, "equilibrate": 1, "step": 0.1, "check": 0}
    if ratio > 1:
        keys |= {"ratio": ratio, "large_share": 1 / chosen.particles, "fraction": fraction_with(ratio, chosen.particles)}
    text = studies.run_program([chosen.build / "tests/step_bench", *(f"{key}={value}" for key, value in keys.items())])
    found = json.loads(text)
    contacts = found["contacts"]
    return {"ratio": ratio, "particles": found["particles"], "contacts": contacts,
            "microseconds_per_contact": 1e6 * found["cpu_seconds"] / contacts,
            "windows_per_step": found["windows"] / found["steps"], "merges_per_step": found["merges"] / found["steps"],
            "searches_per_contact": found["searches"] / contacts,
            "events_share": found["phases"]["events"] / sum(found["phases"].values())}


def main():
    chosen = studies.options(__doc__, particles=176_872, ratio=100, steps=16, turns=7)
    if chosen.quick:
        chosen.particles, chosen.ratio, chosen.steps, chosen.turns = 2000, 10, 4, 1
    rows = [measure(chosen, ratio) | {"turn": turn} for turn in range(chosen.turns) for ratio in (1, chosen.ratio)]
    studies.write_csv(chosen.output / "g_giant.csv", rows)
    alone, among = ([row for row in rows if row["ratio"] == ratio] for ratio in (1, chosen.ratio))
    ratios = [b["microseconds_per_contact"] / a["microseconds_per_contact"] for a, b in zip(alone, among)]
    for name, of in (("without", alone), ("with", among)):
        print(f"{name:8}", *(f"{key} {statistics.median(row[key] for row in of):.4g};" for key in list(of[0])[2:-1]))
    print(f"time per contact with a giant over that without: {statistics.median(ratios):.3f}, "
          f"single ratios {min(ratios):.3f} to {max(ratios):.3f}")


if __name__ == "__main__":
    main()
