#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The arithmetic of jobs/slurm-scaling.sh.

scaling.py weak-options INPUT RANKS [KEY=VALUE ...] < OUTPUT OF `ricochet check INPUT --set KEY=VALUE ...`
    prints the options of `ricochet run` for a system RANKS times as long, with RANKS times the particles.
scaling.py collect FOLDER
    reads the logs KIND-RANKS-REPEAT.log, each the report of a run and the description of its result, prints
    the table and writes scaling.csv, scaling.md and scaling.png. Exits 1 when a run failed or when results
    that must be the same bits are not.

With T(n) the seconds of the steps on n ranks (median of the repeats) and m the fewest ranks of the sweep: the
efficiency is m T(m) / (n T(n)) in the strong sweep and T(m) / T(n) in the weak one, the speed-up n times that.
The same of the seconds per step in FOLDER/model.csv is the efficiency by model; there need not be any.
"""
import argparse
import csv
import pathlib
import re
import statistics
import sys

COMPUTING = ("binning", "search", "events", "rollback")
COMMUNICATION = ("migration", "halo", "exchange")
NEW_NAMES = {"cells": "binning", "primaries": "search", "islands": "events", "repair": "rollback"}  # of old logs
COLUMNS = ("sweep", "ranks", "particles", "steps", "repeats", "seconds", "slowest seconds", "particle steps/s",
           "speed-up", "efficiency", "efficiency by model", "computing %", "communication %", "state")


def species_with_count(input_path, overrides):
    """Indices of the species whose number is a count, not a density."""
    import yaml
    species = dict(enumerate(yaml.safe_load(input_path.read_text())["species"]))
    counted = {index for index, one in species.items() if "count" in one}
    for override in overrides:
        found = re.fullmatch(r"species\.(\d+)\.count=(.*)", override)
        if found:
            (counted.add if found[2] else counted.discard)(int(found[1]))
    return counted


def weak_options(effective_text, input_path, overrides, ranks):
    """Options for ranks times the system. Densities stay: they grow with the box by themselves."""
    import yaml
    config = yaml.safe_load(effective_text.partition("# The plan:")[0])
    if config["placement"]["method"] == "file":
        sys.exit("placement.method is file: the particles of a file cannot be multiplied")
    edges = config["box"]["size"]
    yield f"--set=box.size=[{', '.join(str(edge) for edge in [edges[0] * ranks, *edges[1:]])}]"
    for index in sorted(species_with_count(input_path, overrides)):
        yield f"--set=species.{index}.count={config['species'][index]['count'] * ranks}"


def read_log(path):
    """What a run's log says as a dictionary, or None when the run did not end well."""
    text = path.read_text(errors="replace")
    steps = re.search(r"^(\d+) steps in ", text, re.MULTILINE)
    phases = {NEW_NAMES.get(name, name): (float(mean), float(largest)) for name, mean, largest in
              re.findall(r"^  (\w+) +[\d.]+ +([\d.]+) +([\d.]+)$", text, re.MULTILINE)}
    particles = re.search(r"^  particles +(\d+)", text, re.MULTILINE)
    state = re.search(r"^  state +step \d+, hash (\w+)", text, re.MULTILINE)
    if not (steps and particles and state and "all" in phases):
        return None
    all_mean, seconds = phases["all"]

    def share(names):
        return 100 * sum(phases[name][0] for name in names) / all_mean if all_mean > 0 else 0.0
    return {"steps": int(steps[1]), "particles": int(particles[1]), "state": state[1], "seconds": seconds,
            "computing %": share(COMPUTING), "communication %": share(COMMUNICATION)}


def read_runs(folder):
    """(sweep, ranks) -> list of runs; and the names of the logs of runs that failed."""
    points, failed = {}, []
    for path in sorted(folder.glob("*.log")):
        name = re.fullmatch(r"(strong|weak)-(\d+)-(\d+)", path.stem)
        if name:
            run = read_log(path)
            points.setdefault((name[1], int(name[2])), []).extend([run] if run else [])
            failed += [] if run else [path.name]
    return {key: runs for key, runs in sorted(points.items()) if runs}, failed


def read_model(folder):
    """(sweep, ranks) -> foreseen seconds per step."""
    path = folder / "model.csv"
    rows = csv.DictReader(path.read_text().splitlines()) if path.exists() else ()
    return {(row["sweep"], int(row["ranks"])): float(row["seconds per step"]) for row in rows
            if row["seconds per step"]}


def efficiency(sweep, first_ranks, first_seconds, ranks, seconds):
    return first_seconds / seconds * (first_ranks / ranks if sweep == "strong" else 1)


def rows_of(points, model):
    rows = []
    for (sweep, ranks), runs in points.items():
        seconds = max(statistics.median(run["seconds"] for run in runs), 1e-9)
        row = {"sweep": sweep, "ranks": ranks, "repeats": len(runs), "seconds": seconds,
               "slowest seconds": max(run["seconds"] for run in runs)}
        row.update({name: runs[0][name] for name in ("particles", "steps", "state")})
        for name in ("computing %", "communication %"):
            row[name] = statistics.mean(run[name] for run in runs)
        row["particle steps/s"] = row["particles"] * row["steps"] / seconds
        first = next((other for other in rows if other["sweep"] == sweep), row)
        row["efficiency"] = efficiency(sweep, first["ranks"], first["seconds"], ranks, seconds)
        row["efficiency by model"] = ""
        if {(sweep, first["ranks"]), (sweep, ranks)} <= model.keys():
            row["efficiency by model"] = efficiency(sweep, first["ranks"], model[sweep, first["ranks"]], ranks,
                                                    model[sweep, ranks])
        row["speed-up"] = ranks * row["efficiency"]
        rows.append(row)
    return rows


def different_bits(points):
    """What should have the same state and does not: repeats, and the whole strong sweep."""
    states = {}
    for (sweep, ranks), runs in points.items():
        group = "the strong sweep" if sweep == "strong" else f"the weak sweep on {ranks} ranks"
        states.setdefault(group, set()).update(run["state"] for run in runs)
    return [group for group, found in states.items() if len(found) > 1]


def shown(value):
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def markdown(rows):
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    lines += ["| " + " | ".join(shown(row[name]) for name in COLUMNS) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def draw(rows, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for sweep, marker in (("strong", "o"), ("weak", "s")):
        own = [row for row in rows if row["sweep"] == sweep]
        if own:
            ranks = [row["ranks"] for row in own]
            left.plot(ranks, [row["speed-up"] for row in own], marker=marker, label=sweep)
            right.plot(ranks, [row["efficiency"] for row in own], marker=marker, label=sweep)
            foreseen = [row for row in own if row["efficiency by model"] != ""]
            if foreseen:
                right.plot([row["ranks"] for row in foreseen], [row["efficiency by model"] for row in foreseen],
                           color=right.lines[-1].get_color(), linestyle="--", label=f"{sweep}, model")
    every = sorted({row["ranks"] for row in rows})
    left.plot(every, every, color="grey", linestyle=":", label="ideal")
    right.axhline(1, color="grey", linestyle=":", label="ideal")
    left.set(xscale="log", yscale="log", ylabel="speed-up")
    right.set(xscale="log", ylabel="efficiency", ylim=(0, None))
    for axes in (left, right):
        axes.set_xlabel("ranks")
        axes.set_xticks(every, [str(ranks) for ranks in every])
        axes.set_xticks([], minor=True)
        axes.legend()
    figure.savefig(path, dpi=150)


def collect(folder):
    points, failed = read_runs(folder)
    rows = rows_of(points, read_model(folder))
    table = markdown(rows)
    problems = [f"failed: {folder / name}" for name in failed]
    problems += [f"not the same bits: {group}" for group in different_bits(points)]
    with open(folder / "scaling.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    (folder / "scaling.md").write_text(table + "".join(f"\n{problem}\n" for problem in problems))
    if rows:
        draw(rows, folder / "scaling.png")
    print(table, *problems, sep="\n")
    return 1 if problems or not rows else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    weak = commands.add_parser("weak-options")
    weak.add_argument("input", type=pathlib.Path)
    weak.add_argument("ranks", type=int)
    weak.add_argument("overrides", nargs="*")
    commands.add_parser("collect").add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.command == "weak-options":
        print(*weak_options(sys.stdin.read(), arguments.input, arguments.overrides, arguments.ranks), sep="\n")
        return 0
    return collect(arguments.folder)


if __name__ == "__main__":
    sys.exit(main())
