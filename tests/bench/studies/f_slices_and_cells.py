#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Where slices are faster than cells: a map in the number of particles and their volume fraction.

Algorithm: for each number of particles, fraction, dimension and drive, `ricochet study` continues one random start with
`slices`, `cells` and, up to 1,000 particles, `all_pairs`, in turns over the same steps. It ends where they differ in a
single bit. Each method does as many steps as make some hundred thousand particle steps, in nine turns. The number is
the lower quartile of the turns, since other work on the machine only adds to them.

Brownian particles go 0.1 diameters a step along each axis, elastic ones 0.1 diameters: the time of a step is that of
the search, and hardly that of contacts. So the map shows the searches at their most different.

Source: Johnson & Whalley 2002, sections 4.3 (cells) and 4.4 (slices). Under 10 minutes on 2 cores.

usage: f_slices_and_cells.py --program build/release/ricochet --csv f.csv [--png f.png] [--quick]
"""
import argparse
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

PARTICLES = [30, 100, 300, 1000, 3000, 10000, 30000]
FRACTIONS = [1e-6, 1e-4, 1e-2, 0.1, 0.3]
SHORTEST_BOX = 5.5  # diameters: for nearest images
QUICK = ([100, 1000], [1e-3, 0.1])
MOST_ALL_PAIRS = 1000
PARTICLE_STEPS, TURNS = 200_000, 9
COLUMNS = ["dimension", "drive", "particles", "fraction", "method", "nanoseconds_per_particle_step", "links_per_particle"]


def box_length(dimension, particles, fraction):
    return (particles * (math.pi / 6 if dimension == 3 else math.pi / 4) / fraction) ** (1 / dimension)


def input_text(dimension, drive, particles, fraction):
    size = ", ".join([repr(box_length(dimension, particles, fraction))] * dimension)
    matter = "diffusion: 1" if drive == "brownian" else "mass: 1"
    timestep = 0.005 if drive == "brownian" else 0.1
    return (f"box: {{size: [{size}], boundary: periodic}}\n"
            f"species:\n  - {{name: sphere, radius: 0.5, {matter}, count: {particles}}}\n"
            f"dynamics: {{type: {drive}, kT: 1}}\n"
            f"run: {{timestep: {timestep}, steps: 1, seed: 1}}\n"
            "output: {file: none.h5md}\n")


def compare(program, folder, case):
    """The rows of one case, by method."""
    dimension, drive, particles, fraction = case
    text, table = folder / "case.yaml", folder / "case.csv"
    text.write_text(input_text(*case))
    methods = ["slices", "cells"] + (["all_pairs"] if particles <= MOST_ALL_PAIRS else [])
    turn = max(4, PARTICLE_STEPS // TURNS // particles)
    subprocess.run([program, "study", text, "--search", ",".join(methods), "--steps", str(TURNS * turn), "--turn", str(turn),
                    "--csv", table, "--force"], check=True, stdout=subprocess.DEVNULL)
    with open(table, newline="") as rows:
        for row in csv.DictReader(rows):
            nanoseconds = 1e9 * float(row["seconds_per_step_q1"]) / particles
            yield dict(zip(COLUMNS, [dimension, drive, particles, fraction, row["method"], f"{nanoseconds:.4g}",
                                     row["links_per_particle"]]))


def cases(quick):
    particles, fractions = QUICK if quick else (PARTICLES, FRACTIONS)
    return [(dimension, drive, n, fraction) for dimension in (3, 2) for drive in ("brownian", "ballistic")
            for n in particles for fraction in fractions
            if box_length(dimension, n, fraction) > SHORTEST_BOX]


def ratios(rows):
    """{(dimension, drive): {(particles, fraction): time of slices / time of cells}}"""
    found = {}
    times = {}
    for row in rows:
        key = (int(row["dimension"]), row["drive"]), (int(row["particles"]), float(row["fraction"]))
        times.setdefault(key, {})[row["method"]] = float(row["nanoseconds_per_particle_step"])
    for (panel, point), by_method in times.items():
        found.setdefault(panel, {})[point] = by_method["slices"] / by_method["cells"]
    return found


def print_map(rows):
    for (dimension, drive), points in ratios(rows).items():
        print(f"\n{dimension}D, {drive}: time of slices / time of cells")
        fractions = sorted({fraction for _, fraction in points})
        print("N".rjust(8) + "".join(f"{fraction:>8g}" for fraction in fractions))
        for n in sorted({n for n, _ in points}):
            print(f"{n:>8}" + "".join(f"{points[n, f]:>8.2f}" if (n, f) in points else " " * 8 for f in fractions))


def plot(rows, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(2, 2, figsize=(9, 7), sharex=True)
    for axis, ((dimension, drive), points) in zip(axes.flat, ratios(rows).items()):
        n, fraction = zip(*points)
        shown = axis.scatter(n, fraction, c=[math.log2(r) for r in points.values()], s=160, cmap="RdBu_r", vmin=-2, vmax=2)
        for point, ratio in points.items():
            axis.annotate(f"{ratio:.2g}", point, ha="center", va="center", fontsize=6)
        axis.set(xscale="log", yscale="log", xlabel="particles", ylabel="fraction", title=f"{dimension}D, {drive}")
        figure.colorbar(shown, ax=axis, label="log2(slices / cells)")
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/release/ricochet")
    parser.add_argument("--csv", default="f.csv", help="file for the numbers")
    parser.add_argument("--png", help="file for the map")
    parser.add_argument("--quick", action="store_true", help="a few points only")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for case in cases(options.quick):
            rows += compare(pathlib.Path(options.program).resolve(), pathlib.Path(folder), case)
            print(".", end="", file=sys.stderr, flush=True)
    with open(options.csv, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    print_map(rows)
    if options.png:
        plot(rows, options.png)


if __name__ == "__main__":
    main()
