#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the grid of grid.py and the peers, and writes results.json and table.md. Started by run.sh.

Each repetition goes once through everything before the next begins, so that a loud minute hits all cases
alike; what is reported are medians over the repetitions, and for 2 ranks the median of the ratios to the run
on 1 rank just before. Where it matters what 2 ranks gain, they and one take turns within one run, after the
repetitions (turns_bench). Repetitions have different seeds; the same seed must give the same number of
contacts on 1 and 2 ranks, and all repetitions together the rate of theory.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time

import grid
import peers
import summary
import table
import whole_run


def options():
    parser = argparse.ArgumentParser(prog="tests/bench/run.sh")
    parser.add_argument("mode", nargs="?", choices=("quick", "full"), default="quick")
    parser.add_argument("--output", type=pathlib.Path, help="folder for table.md and results.json")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only cases whose names match")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--ranks", type=int, choices=(1, 2), help="only on so many")
    parser.add_argument("--no-peers", action="store_true", help="ricochet alone")
    parser.add_argument("--no-counts", action="store_true", help="do not count instructions with callgrind")
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    parser.add_argument("--build", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--default-output", type=pathlib.Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def words(one, **more):
    return [f"{key}={value}" for key, value in (one["keys"] | more).items()]


def on_ranks(ranks, command):
    return (["mpirun", "-n", str(ranks)] if ranks > 1 else []) + [str(word) for word in command]


def run_json(command):
    """The one line of JSON that a program writes; also where it ends with status 1, a rate that is off."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode not in (0, 1) or len(lines) != 1:
        raise RuntimeError(f"status {done.returncode} of {' '.join(command)}\n{done.stdout}{done.stderr}")
    return json.loads(lines[0])


def run_case(build, one, ranks, repetition, **more):
    begin = time.monotonic()
    command = [build / "tests/step_bench", *words(one, seed=1 + 2 * repetition, **more)]
    result = run_json(on_ranks(ranks, command))
    return result | {"name": one["name"], "repetition": repetition,
                     "seconds_with_start": time.monotonic() - begin}


def run_turns(build, one):
    return run_json(on_ranks(2, [build / "tests/turns_bench", *words(one)])) | {"name": one["name"]}


def run_machine(build, repetition):
    return [run_json(on_ranks(ranks, [build / "tests/machine_bench"])) | {"repetition": repetition}
            for ranks in (1, 2)]


def is_shown_by_valgrind(build):
    """False where a library of the program takes instructions that valgrind does not know, as on some new CPUs."""
    # A case that makes no sense: the program loads its libraries, says so and ends.
    done = subprocess.run(["valgrind", "--tool=none", str(build / "tests/step_bench"), "dimension=0"],
                          capture_output=True, text=True, check=False)
    return "valgrind: Unrecognised instruction" not in done.stderr


def count_instructions(build, one):
    """By callgrind, which shows programs a machine without AVX-512."""
    is_elastic = one["keys"]["dynamics"] == "elastic"
    short = {"contacts": 4000 if is_elastic else 1, "contacts_per_particle": 0, "steps": 8, "check": 0,
             "equilibrate": 20 if one["keys"]["fraction"] > 0.4 else 4}
    command = [str(build / "tests/step_bench"), *words(one, **short)]
    with tempfile.TemporaryDirectory() as folder:
        tool = ["valgrind", "--tool=callgrind", "--toggle-collect=measured_steps",
                f"--callgrind-out-file={folder}/out"]
        result = run_json(tool + command)
        found = re.search(r"^(?:summary|totals): (\d+)", pathlib.Path(folder, "out").read_text(), re.M)
    return result | {"name": one["name"], "instructions": int(found.group(1)), "by": "callgrind"}


def cpu_name():
    info = pathlib.Path("/proc/cpuinfo")
    text = info.read_text() if info.exists() else ""
    found = re.search(r"model name\s*: (.*)", text)
    name = found.group(1) if found else platform.machine()
    return name + (" (virtual machine)" if " hypervisor" in text else "")


def program_version(build):
    program = build / "ricochet"
    if not program.exists():
        return "unknown"
    text = subprocess.run([str(program), "--version"], capture_output=True, text=True, check=False).stdout
    return text.split("\n")[0]


def say(text):
    print(text, flush=True)


class Measurement:
    """Everything that was measured, in the order in which it was."""

    def __init__(self, build, mode, repetitions, ranks=(1, 2)):
        self.build, self.ranks = build, ranks
        self.results = {"mode": mode, "repetitions": repetitions, "version": program_version(build),
                        "cpu": cpu_name(), "num_cpus": len(os.sched_getaffinity(0)),
                        "started": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                        "lammps": peers.version(), "machine": [], "runs": [], "turns": [], "whole": [],
                        "peers": [], "counts": [], "failures": []}

    def attempt(self, name, into, work):
        try:
            self.results[into].append(work())
        except (RuntimeError, OSError) as error:
            say(f"FAILED: {name}\n{error}")
            self.results["failures"].append(f"{name}: {str(error).splitlines()[0]}")

    def repeat(self, cases, whole_cases, peer_cases):
        for repetition in range(self.results["repetitions"]):
            begin = time.monotonic()
            self.results["machine"] += run_machine(self.build, repetition)
            for one in cases:
                for ranks in sorted(set(one["ranks"]) & set(self.ranks)):
                    self.attempt(f"{one['name']} on {ranks}", "runs",
                                 lambda: run_case(self.build, one, ranks, repetition))
            for one in whole_cases:
                self.attempt(one["name"], "whole", lambda: whole_run.run(self.build, one, repetition))
            for one in peer_cases:
                for ranks in self.ranks:
                    self.attempt(f"{one['name']} on {ranks}", "peers",
                                 lambda: peers.run(one, ranks, repetition))
            say(f"repetition {repetition + 1} of {self.results['repetitions']}: "
                f"{time.monotonic() - begin:.0f} s")

    def take_turns(self, cases):
        for one in cases if self.ranks == (1, 2) else []:
            self.attempt(one["name"], "turns", lambda: run_turns(self.build, one))

    def count(self, cases):
        has_counters = any(run["instructions"] is not None for run in self.results["runs"])
        if has_counters:
            return
        if shutil.which("valgrind") is None:
            say("No hardware counters and no valgrind (Debian: apt-get install valgrind): "
                "instructions are not counted")
            return
        if not is_shown_by_valgrind(self.build):
            say("valgrind does not know all instructions that libraries take on this CPU: instructions are not counted")
            return
        for one in cases:
            self.attempt(f"{one['name']} under callgrind", "counts",
                         lambda: count_instructions(self.build, one))


def main():
    wanted = options()
    pattern = re.compile(wanted.filter)

    def matching(cases):
        return [one for one in cases if pattern.search(one["name"])]

    cases = matching(grid.quick() if wanted.mode == "quick" else grid.full())
    turns_cases = matching(grid.turns(wanted.mode))
    whole_cases = matching(whole_run.cases(wanted.mode))
    peer_cases = [] if wanted.no_peers else matching(peers.cases(wanted.mode))
    if wanted.list:
        say("\n".join(one["name"] for one in cases + turns_cases + whole_cases + peer_cases))
        return 0
    if not cases and not turns_cases and not whole_cases and not peer_cases:
        say(f"No case matches {wanted.filter}; --list shows them")
        return 2
    output = wanted.output or wanted.default_output / wanted.mode
    output.mkdir(parents=True, exist_ok=True)
    if not wanted.no_peers and peers.PROGRAM is None:
        say("LAMMPS (lmp) is not installed: no peers (Debian: apt-get install lammps)")
    measurement = Measurement(wanted.build, wanted.mode, wanted.repetitions,
                              (wanted.ranks,) if wanted.ranks else (1, 2))
    measurement.repeat(cases, whole_cases, peer_cases)
    measurement.take_turns(turns_cases)
    if not wanted.no_counts:
        measurement.count(grid.counted(cases, wanted.mode))
    results = summary.add(measurement.results)
    (output / "results.json").write_text(json.dumps(results, indent=1))
    (output / "table.md").write_text(table.markdown(results))
    say(table.markdown(results))
    say(f"Written: {output}/table.md and results.json")
    for failure in results["failures"]:
        say(f"FAILED: {failure}")
    return 1 if results["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
