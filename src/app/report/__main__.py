# SPDX-License-Identifier: BSD-3-Clause
"""Makes the page of a result: the part of `ricochet report` that plots, with h5py and matplotlib.

The program checks the file, passes what theory says about the run's input, and runs this folder,
from this folder, so that nothing in the user's folder is imported or read as settings:
    python3 report RESULT FOLDER --theory JSON [--animation gif|mp4] [--attempts N]
Each module makes sections (page.Section) from the open result (result.Result); a section that the
file has no numbers for is left out. Exit status: 0, or 2 with one sentence, also for a file in
which parts are missing or are not what ricochet writes.

A run that writes the file overwrites parts of it in place, and a reader in between meets what looks like damage. So the
program asks for several attempts while a process writes. Counted rows are complete at any time.

Text of a file is shown as it is: mathtext is off, and text.as_label() makes labels of it.
"""
import argparse
import json
import os
import pathlib
import sys
import time

os.environ.setdefault("HDF5_USE_FILE_LOCKING", "FALSE")
os.environ.setdefault("MPLBACKEND", "Agg")

import matplotlib  # noqa: E402  (the environment comes first)

import clusters  # noqa: E402
import contacts  # noqa: E402
import cooling  # noqa: E402
import pairs  # noqa: E402
import picture  # noqa: E402
import reactions  # noqa: E402
import series  # noqa: E402
import spreading  # noqa: E402
import structure  # noqa: E402
import timing  # noqa: E402
from page import write_page  # noqa: E402
from result import Result  # noqa: E402
from text import plain  # noqa: E402

SECONDS_BETWEEN_ATTEMPTS = 0.1

# What reading raises where a part is missing, or has another type or shape than ricochet writes.
NOT_A_RESULT = (AttributeError, IndexError, KeyError, OSError, TypeError, ValueError)

STEADY = {
    "collision_rate": series.collision_rate,
    "pressure": series.pressure,
    "wall_pressure": series.wall_pressure,
}
CONSERVED = {"temperature": series.temperature, "energy": series.energy}
UNSTEADY = {  # of particles that react or are driven
    "temperature": series.temperature,
    "given_energy": series.given_energy,
    "wall_pressure": series.wall_pressure,
}
COOLING = {
    "temperature": cooling.temperature,
    "energy": cooling.dissipation,
    "collision_rate": cooling.collision_rate,
    "pressure": cooling.pressure,
}


def series_of(result):
    """The observables to show, each with what makes its section.

    The energies of Brownian particles are drawn anew in every step and show nothing. Where particles
    change, nothing that is divided by their number is steady. Driven particles have no equilibrium to be
    compared with.
    """
    if result.is_changing or result.is_driven:
        return {} if result.is_brownian else UNSTEADY
    if result.is_cooling:
        return COOLING
    return STEADY if result.is_brownian else {**STEADY, **CONSERVED}


def series_sections(result):
    """Of the observables in the file; rates and pressures need an interval between samples."""
    for name, make in series_of(result).items():
        needed = 1 if make in CONSERVED.values() else 2
        if result.has_observable(name) and result.num_samples >= needed:
            yield make(result)


def all_sections(result, animation):
    yield picture.last_frame(result)
    if animation and result.num_frames > 0:
        yield picture.animation(result, animation)
    yield from reactions.sections(result)
    yield from clusters.sections(result)
    yield from series_sections(result)
    if result.has_observable("mean_square_displacement") and result.num_samples > 1:
        yield from spreading.displacement(result)
    yield structure.pair_distribution(result)
    if not result.is_brownian and not result.is_driven:
        yield structure.speeds(result)
    if result.has_observable("contacts") and result.num_samples > 1:
        if not result.is_changing:
            yield pairs.contacts_by_pair(result)
        if not result.is_brownian and not result.is_driven:
            yield from contacts.log_sections(result)
    yield timing.load_balance(result)


def make_page(path, folder, theory, animation):
    with Result(path, theory) as result:
        sections = [section for section in all_sections(result, animation) if section is not None]
        write_page(folder, result, sections)


def make_page_while_written(options):
    """Makes the page; an attempt that fails is repeated, but for the last one."""
    for left in reversed(range(max(1, options.attempts))):
        try:
            return make_page(options.result, options.folder, options.theory, options.animation)
        except NOT_A_RESULT:
            if left == 0:
                raise
        time.sleep(SECONDS_BETWEEN_ATTEMPTS)


def parse_arguments():
    parser = argparse.ArgumentParser(prog="report")
    parser.add_argument("result")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--theory", type=json.loads, default={})
    parser.add_argument("--animation", choices=("gif", "mp4"))
    parser.add_argument("--attempts", type=int, default=1)
    return parser.parse_args()


def main():
    options = parse_arguments()
    matplotlib.rcParams["text.parse_math"] = False
    missing = picture.find_missing_tool(options.animation)
    if missing:
        print(missing, file=sys.stderr)
        return 2
    try:
        make_page_while_written(options)
    except NOT_A_RESULT as error:
        print(f"{plain(options.result)}: no page can be made of it: {plain(error)}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
