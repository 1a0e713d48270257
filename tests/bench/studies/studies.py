# SPDX-License-Identifier: BSD-3-Clause
"""What the studies of this folder share: their options, `ricochet study` on an input, CSV files and plots."""
import argparse
import csv
import math
import os
import pathlib
import random
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]


def options(what, **defaults):
    """The options of a study; `quick` is for tests: its smallest form, whose numbers say nothing."""
    parser = argparse.ArgumentParser(description=what)
    build = os.environ.get("RICOCHET_BUILD", ROOT / "build/release")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(build), help="build folder")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/bench/studies",
                        help="folder for the CSV file and the plot")
    parser.add_argument("--quick", action="store_true", help="the smallest form, which says nothing")
    for name, value in defaults.items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    chosen = parser.parse_args()
    chosen.output.mkdir(parents=True, exist_ok=True)
    return chosen


def cube(number, fraction, radius=0.5):
    """The side of a cube for spheres at a volume fraction."""
    return (number * 4 / 3 * math.pi * radius**3 / fraction) ** (1 / 3)


def blob(path, per_side, fraction, offset, seed=1):
    """Positions and velocities of spheres on a jittered lattice as a start file."""
    numbers = random.Random(seed)
    spacing = cube(1, fraction)
    room = 0.45 * (spacing - 1)
    with path.open("w", encoding="utf-8") as file:
        file.write("x,y,z,vx,vy,vz\n")
        for k in range(per_side**3):
            at = (k % per_side, k // per_side % per_side, k // per_side**2)
            place = [offset + (i + 0.5) * spacing + numbers.uniform(-room, room) for i in at]
            file.write(",".join(repr(x) for x in place + [numbers.gauss(0, 1) for _ in at]) + "\n")


def brownian_timestep(mean_path, diffusion=1.0):
    """In which a sphere in three dimensions moves that far on average: |x| = s sqrt(8/pi), s^2 = 2 D dt."""
    return mean_path**2 * math.pi / 16 / diffusion


def run_program(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"status {done.returncode} of {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


# Columns of `ricochet study` that are 0 where the time of a method is its own.
STAND_INS = {"on_cells_per_step": "cells stood in for the triangulation",
             "replaced_per_step": "a contact was lost, and a reserve did the step again,"}


def require_own_time(rows):
    """Ends the study where something else did a part of a method's work."""
    for method, row in rows.items():
        for column, what in STAND_INS.items():
            if row[column] > 0:
                raise SystemExit(f"{method}: {what} {row[column]:g} times per step, so its time is not its own")


def study(build, text, methods, steps, turn=1, sets=(), may_have_stand_ins=False):
    """Rows of the CSV file of `ricochet study`, with numbers as numbers, by method.

    Stand-ins are allowed only by a study whose section of the page says so.
    """
    with tempfile.TemporaryDirectory() as folder:
        source, table = pathlib.Path(folder, "input.yaml"), pathlib.Path(folder, "table.csv")
        source.write_text(text, encoding="utf-8")
        changes = [word for change in sets for word in ("--set", change)]
        run_program([build / "ricochet", "study", source, "--search", ",".join(methods), "--steps", steps,
                     "--turn", turn, "--csv", table, *changes])
        with table.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    found = {row["method"]: {name: number(value) for name, value in row.items()} for row in rows}
    if not may_have_stand_ins:
        require_own_time(found)
    return found


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


def write_csv(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    print(path)


def slope(points):
    """Exponent of a power law through points (x, y), by least squares of logarithms."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    return (sum((x - mean_x) * (y - mean_y) for x, y in logs) /
            sum((x - mean_x) ** 2 for x, _ in logs))


def plot(path, panels, x_label, y_label):
    """Panels side by side, {title: {line: [(x, y)]}}, both axes logarithmic."""
    try:
        import matplotlib
    except ImportError:
        print("no plot: this Python has no matplotlib (on Debian /usr/bin/python3 and python3-matplotlib)")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(1, len(panels), figsize=(5.5 * len(panels), 4.5), squeeze=False, sharey=True)
    for axis, (title, lines) in zip(axes[0], panels.items()):
        for name, points in lines.items():
            axis.loglog(*zip(*sorted(points)), marker="o", markersize=3, label=name)
        axis.set(title=title, xlabel=x_label)
        axis.grid(alpha=0.3, which="both")
        axis.legend(fontsize=7)
    axes[0][0].set_ylabel(y_label)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    print(path)
