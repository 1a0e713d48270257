#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The arithmetic of jobs/slurm-array.sh.

ensemble.py plan SEEDS "KEY=VALUE VALUE ..." ... [--csv]
    prints the members, all combinations of the values times the seeds 1 to SEEDS: as options of `ricochet run`,
    one member per line, quoted for a shell; with --csv as a table.
ensemble.py collect FOLDER --from FRACTION --program RICOCHET
    reads members.csv and the results N.h5md, prints the means over the seeds and writes means.csv, means.md,
    means.png, courses.csv and courses.png. Exits 1 when members are missing; they are named, and the means are those
    of the others.

Of each observable's component there is, of each member, the mean over the samples from FRACTION of the run's
time on, and the last sample (the one that means something when it grows with time). Of these numbers x of the n
seeds the tables have the mean and its standard error s / sqrt(n), s^2 = sum (x - mean)^2 / (n - 1).

Of each sample's time, too, there are the mean over the seeds and its standard error: courses.csv, and with bands of one
standard error courses.png. Pictures leave out what is the same at all times and for all members, and momentum that is
rounding alone (below 1e-9 of what the energy could give all the mass).

Where a theory is that of the run (`ricochet info --json --theory`), the column `theory` and dashed lines have its value:
temperature (kT of the input, or the cooling of a granular gas), collision_rate, compressibility and pressure.

NaN is no number: an observable has none where nothing is to be averaged, such as the temperature of a species that is
not there yet. Such samples are left out of a member's mean, and members without any number out of the mean over the
seeds. The columns `seeds` and `last seeds` say how many have one.
"""
import argparse
import csv
import itertools
import math
import pathlib
import json
import shlex
import subprocess
import sys

COURSE_NUMBERS = ("seeds", "mean", "standard error", "theory")
NUMBERS = ("seeds", "mean", "standard error", "last seeds", "last", "last standard error", "theory")


def plan(num_seeds, sweeps):
    """The members as dictionaries KEY -> value, run.seed last."""
    keys = [sweep.partition("=")[0] for sweep in sweeps]
    values = [sweep.partition("=")[2].split() for sweep in sweeps]
    return [{**dict(zip(keys, combination)), "run.seed": str(seed)}
            for combination in itertools.product(*values) for seed in range(1, num_seeds + 1)]


def print_plan(members, as_csv):
    if as_csv:
        writer = csv.DictWriter(sys.stdout, ["member", *members[0]], lineterminator="\n")
        writer.writeheader()
        writer.writerows({"member": index, **member} for index, member in enumerate(members))
        return
    for member in members:
        print(shlex.join(f"--set={key}={value}" for key, value in member.items()))


def component_names(name, group):
    labels = [str(label) for label in group.attrs.get("labels", [])]
    count = math.prod(group["value"].shape[1:])
    if group["value"].ndim == 1:
        return [name]
    return [f"{name} {label}" for label in (labels if len(labels) == count else range(count))]


class Theory:
    """What theory says of a run, where it says something."""

    def __init__(self, known=None, num_particles=0, volume=math.nan):
        self.known = known or {}
        self.num_particles, self.volume = num_particles, volume

    @classmethod
    def of(cls, program, path):
        """Of the run of a result, by the program that knows; nothing where it does not answer."""
        answer = subprocess.run([program, "info", "--json", "--theory", str(path)], capture_output=True, text=True)
        if answer.returncode != 0:
            return cls()
        facts = json.loads(answer.stdout)
        return cls(facts["theory"], facts["result"]["particles"]["at_start"], math.prod(facts["result"]["box"]["size"]))

    def at(self, observable, times):
        """At each of the times; NaN where it says nothing."""
        kT = self.known.get("kT", math.nan)
        compressibility = self.known.get("compressibility", math.nan)
        if observable == "temperature" and (self.known.get("elastic") or "cooling_rate" in self.known):
            rate = self.known.get("cooling_rate", 0)
            return [kT / (1 + rate * time) ** 2 for time in times]
        constant = {"collision_rate": 2 * self.known.get("contact_rate", math.nan) / max(self.num_particles, 1),
                    "compressibility": compressibility,
                    "pressure": compressibility * self.num_particles * kT / self.volume}
        return [constant.get(observable, math.nan) for _ in times]


class Member:
    """The samples of a finished run. `columns`: component of an observable -> its values at `times`."""

    def __init__(self, file, num_samples):
        self.columns = {}
        for name, group in file["ricochet/observables"].items():
            values = group["value"][:num_samples].reshape(num_samples, -1)
            self.times, self.steps = group["time"][:num_samples], group["step"][:num_samples]
            self.columns.update(zip(component_names(name, group), values.T))
        masses = file.get("particles/trajectory/mass")
        self.has_masses = hasattr(masses, "shape")  # not where contacts change them
        self.largest_momentum = math.nan
        if self.has_masses and "energy" in self.columns:
            self.largest_momentum = math.sqrt(2 * float(self.columns["energy"].max()) * float(masses[:].sum()))

    def is_late(self, begin):
        """By sample: means over time begin at a fraction of it."""
        return self.times >= self.times[0] + begin * (self.times[-1] - self.times[0])

    def mean_and_last(self, component, begin):
        import numpy
        column = self.columns[component]
        late = column[self.is_late(begin)]
        present = late[~numpy.isnan(late)]
        return (float(numpy.mean(present)) if present.size else math.nan, float(column[-1]))


def read_member(path):
    """None when the run is not finished."""
    import h5py
    import yaml
    try:
        with h5py.File(path, "r") as file:
            complete = file["ricochet/complete"][0]
            config = yaml.safe_load(file["ricochet/input"].attrs["effective"])
            num_samples = int(complete["samples"])
            # The log may have ended before, at its byte budget.
            num_steps = max(int(complete["steps"]), int(file["ricochet/provenance"].attrs.get("num_steps", 0)))
            if num_steps < config["run"]["steps"] or num_samples == 0:
                return None
            return Member(file, num_samples)
    except (OSError, KeyError):
        return None


def count_mean_and_error(numbers):
    """Of those that are not NaN; the error is NaN for fewer than two."""
    import numpy
    present = numpy.array([number for number in numbers if not math.isnan(number)])
    mean = float(numpy.mean(present)) if present.size else math.nan
    error = float(numpy.std(present, ddof=1)) / math.sqrt(present.size) if present.size > 1 else math.nan
    return present.size, mean, error


def rows_of(points, theories, keys, begin):
    """points: values of the keys -> members; theories: likewise -> Theory."""
    rows = []
    for values, members in points.items():
        late = members[0].times[members[0].is_late(begin)]
        for observable in members[0].columns:
            expected = theories[values].at(observable, late)
            pairs = [member.mean_and_last(observable, begin) for member in members]
            numbers = [number for kind in (0, 1) for number in count_mean_and_error([pair[kind] for pair in pairs])]
            rows.append({**dict(zip(keys, values)), "observable": observable,
                         **dict(zip(NUMBERS, [*numbers, sum(expected) / len(expected)]))})
    return rows


def courses_of(points, theories, keys):
    """A row per point, observable and time that all members of the point have."""
    import numpy
    rows = []
    for values, members in points.items():
        steps = sorted(set.intersection(*(set(member.steps.tolist()) for member in members)))
        places = [numpy.searchsorted(member.steps, steps) for member in members]
        times = members[0].times[places[0]]
        for observable in members[0].columns:
            columns = [member.columns[observable][place] for member, place in zip(members, places)]
            expected = theories[values].at(observable, times.tolist())
            for step, time, theory, *numbers in zip(steps, times, expected, *columns):
                rows.append({**dict(zip(keys, values)), "observable": observable, "step": step, "time": float(time),
                             **dict(zip(COURSE_NUMBERS, [*count_mean_and_error(numbers), theory]))})
    return rows


def is_worth_a_panel(observable, points):
    """Neither the same everywhere nor rounding."""
    import numpy
    members = [member for some in points.values() for member in some]
    values = numpy.concatenate([member.columns[observable] for member in members])
    values = values[~numpy.isnan(values)]
    if values.size == 0:
        return False
    size, spread = numpy.abs(values).max(), numpy.ptp(values)
    largest = max((member.largest_momentum for member in members), default=math.nan)
    if observable.startswith("momentum ") and size < 1e-9 * largest:
        return False
    return bool(spread > 1e-9 * size)


def markdown(rows, columns):
    def shown(value):
        return f"{value:.6g}" if isinstance(value, float) else str(value)
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(shown(row[name]) for name in columns) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def as_numbers(values):
    """The values as numbers; when they are not all numbers their places in the list."""
    try:
        return [float(value) for value in values], None
    except ValueError:
        return list(range(len(values))), values


def new_panels(observables, has_legend):
    """A figure, pairs of a panel and an observable, and a panel for the legend of all, or None."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    num_rows = max(1, math.ceil((len(observables) + has_legend) / 3))
    figure, panels = pyplot.subplots(num_rows, 3, figsize=(12, 3 * num_rows), layout="constrained", squeeze=False)
    for axes in panels.flat[len(observables):]:
        axes.set_axis_off()
    return figure, list(zip(panels.flat, observables)), panels.flat[len(observables)] if has_legend else None


def draw_legend(axes, panels):
    """One for all panels: they have the same lines, in the same colours. Long labels would widen their panel."""
    if axes is None or not panels:
        return
    handles, labels = panels[0][0].get_legend_handles_labels()
    legend = axes.legend(handles, [label.replace(", ", "\n") for label in labels], loc="upper left", fontsize="small",
                         frameon=False, borderaxespad=0)
    legend.set_in_layout(False)


def save(figure, path):
    from matplotlib import pyplot
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def draw_theory(axes, x, expected, colour):
    if not all(map(math.isnan, expected)):
        axes.plot(x, expected, linestyle="--", linewidth=1.5, color=colour, alpha=0.6)


def draw_means(rows, observables, keys, path):
    """A panel per observable against the first key, a line for each combination of the others."""
    key = keys[0] if keys else None
    ticks = list(dict.fromkeys(row[key] for row in rows)) if key else [""]
    places, names = as_numbers(ticks) if key else ([0.0], [""])
    place_of = dict(zip(ticks, places))
    figure, panels, legend = new_panels(observables, has_legend=len(keys) > 1)
    for axes, observable in panels:
        lines = {}
        for row in rows:
            if row["observable"] == observable:
                other = ", ".join(f"{name}={row[name]}" for name in keys[1:])
                lines.setdefault(other, []).append((place_of[row[key] if key else ""], row["mean"],
                                                    row["standard error"], row["theory"]))
        for label, points in lines.items():
            x, y, errors, expected = zip(*points)
            line, *_ = axes.errorbar(x, y, [0 if math.isnan(error) else error for error in errors], marker="o",
                                     capsize=3, label=label or None)
            draw_theory(axes, x, expected, line.get_color())
        axes.set(title=observable, xlabel=key or "")
        if names:
            axes.set_xticks(places, names)
    draw_legend(legend, panels)
    save(figure, path)


def draw_courses(rows, observables, keys, path):
    """A panel per observable against time, for each point a line with a band of one standard error."""
    lines = {}
    for row in rows:
        label = ", ".join(f"{key}={row[key]}" for key in keys)
        lines.setdefault((row["observable"], label), []).append((row["time"], row["mean"], row["standard error"],
                                                                 row["theory"]))
    figure, panels, legend = new_panels(observables, has_legend=bool(keys))
    for axes, observable in panels:
        for (name, label), points in lines.items():
            if name != observable:
                continue
            times, means, errors, expected = zip(*points)
            line, = axes.plot(times, means, linewidth=1, label=label or None)
            axes.fill_between(times, [mean - error for mean, error in zip(means, errors)],
                              [mean + error for mean, error in zip(means, errors)], color=line.get_color(), alpha=0.3)
            draw_theory(axes, times, expected, line.get_color())
        axes.set(title=observable, xlabel="time")
    draw_legend(legend, panels)
    save(figure, path)


def write_table(path, rows, columns):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def collect(folder, begin, program):
    with open(folder / "members.csv", newline="") as file:
        table = list(csv.DictReader(file))
    keys = [key for key in table[0] if key not in ("member", "run.seed")]
    points, theories, missing = {}, {}, []
    for row in table:
        path, point = folder / f"{row['member']}.h5md", tuple(row[key] for key in keys)
        member = read_member(path)
        if member is None:
            missing.append(row["member"])
            continue
        points.setdefault(point, []).append(member)
        if point not in theories:
            theories[point] = Theory.of(program, path)
    rows, columns = rows_of(points, theories, keys, begin), [*keys, "observable", *NUMBERS]
    write_table(folder / "means.csv", rows, columns)
    courses = courses_of(points, theories, keys)
    write_table(folder / "courses.csv", courses, [*keys, "observable", "step", "time", *COURSE_NUMBERS])
    text = markdown(rows, columns)
    if missing:
        text += f"\nno finished result of members {','.join(missing)}; their logs: {folder}/N.log\n"
    (folder / "means.md").write_text(text)
    if rows:
        shown = [name for name in dict.fromkeys(row["observable"] for row in rows) if is_worth_a_panel(name, points)]
        draw_means(rows, shown, keys, folder / "means.png")
        draw_courses(courses, shown, keys, folder / "courses.png")
    print(text, end="")
    return 1 if missing else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    planned = commands.add_parser("plan")
    planned.add_argument("seeds", type=int)
    planned.add_argument("sweeps", nargs="*")
    planned.add_argument("--csv", action="store_true")
    collected = commands.add_parser("collect")
    collected.add_argument("folder", type=pathlib.Path)
    collected.add_argument("--program", default="ricochet", help="ricochet")
    collected.add_argument("--from", dest="begin", type=float, default=0.5)
    arguments = parser.parse_args()
    if arguments.command == "plan":
        print_plan(plan(arguments.seeds, arguments.sweeps), arguments.csv)
        return 0
    return collect(arguments.folder, arguments.begin, arguments.program)


if __name__ == "__main__":
    sys.exit(main())
