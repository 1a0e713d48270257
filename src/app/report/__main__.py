# SPDX-License-Identifier: BSD-3-Clause
"""Makes the page of a result: the part of `ricochet report` that plots, with h5py and matplotlib.

The program checks the file, passes what theory says about the run's input, and runs this folder:
    python3 report RESULT FOLDER --theory JSON [--animation gif|mp4]
Each module makes sections (page.Section) from the open result (result.Result); a section that the
file has no numbers for is left out. Exit status: 0, or 2 with one sentence.
"""
import argparse
import json
import os
import pathlib
import sys

os.environ.setdefault("HDF5_USE_FILE_LOCKING", "FALSE")
os.environ.setdefault("MPLBACKEND", "Agg")

import contacts  # noqa: E402  (the environment comes first)
import picture  # noqa: E402
import series  # noqa: E402
import structure  # noqa: E402
import timing  # noqa: E402
from page import write_page  # noqa: E402
from result import Result  # noqa: E402

SERIES = {
    "collision_rate": series.collision_rate,
    "pressure": series.pressure,
    "mean_square_displacement": series.displacement,
    "temperature": series.temperature,
    "energy": series.energy,
    "wall_pressure": series.wall_pressure,
}


def series_sections(result):
    """Of the observables in the file; rates and pressures need an interval between samples."""
    for name, make in SERIES.items():
        needed = 1 if name in ("temperature", "energy") else 2
        if result.has_observable(name) and result.num_samples >= needed:
            yield make(result)


def all_sections(result, animation):
    yield picture.last_frame(result)
    if animation and result.num_frames > 0:
        yield picture.animation(result, animation)
    yield from series_sections(result)
    yield structure.pair_distribution(result)
    yield structure.speeds(result)
    if result.has_observable("contacts"):
        yield from contacts.log_sections(result)
    yield timing.load_balance(result)


def main():
    parser = argparse.ArgumentParser(prog="report")
    parser.add_argument("result")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--theory", type=json.loads, default={})
    parser.add_argument("--animation", choices=("gif", "mp4"))
    options = parser.parse_args()
    missing = picture.find_missing_tool(options.animation)
    if missing:
        print(missing, file=sys.stderr)
        return 2
    result = Result(options.result, options.theory)
    sections = [
        section for section in all_sections(result, options.animation) if section is not None
    ]
    write_page(options.folder, result, sections)
    return 0


if __name__ == "__main__":
    sys.exit(main())
