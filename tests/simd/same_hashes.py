# SPDX-License-Identifier: BSD-3-Clause
"""usage: same_hashes.py NAME=PROGRAM...   runs the hash programs (hashes.cpp), each built for another instruction set,
and compares what they print, line by line; and within each program the runs that differ in nothing but the number of
ranks. A program prints first which targets its vector code uses; those that this
processor cannot run are left out, and named."""
import re
import subprocess
import sys

from cpu import missing_flags


def hashes_of(program):
    """The program's heading and {subject: hash}."""
    process = subprocess.run([program], capture_output=True, text=True, timeout=250)
    if process.returncode != 0:
        sys.exit(f"{program} ended with status {process.returncode}\n{process.stdout}{process.stderr}")
    heading, *lines = process.stdout.splitlines()
    return heading, dict(line.rsplit(" ", 1) for line in lines)


def differences_over_ranks(hashes):
    first = {}
    for subject, value in hashes.items():
        run = re.sub(", ranks [0-9]+", "", subject)
        if first.setdefault(run, value) != value:
            yield f"{run} depends on the number of ranks"


def main():
    programs = dict(argument.split("=", 1) for argument in sys.argv[1:])
    results = {}
    for name, program in programs.items():
        if missing := missing_flags(name):
            print(f"{name}: left out, this processor has no {', '.join(missing)}")
            continue
        heading, results[name] = hashes_of(program)
        print(f"{name}: {heading}, {len(results[name])} hashes")
    first, *others = results
    differences = [f"{name} and {first} differ: {subject}" for name in others
                   for subject in results[first] | results[name]
                   if results[name].get(subject) != results[first].get(subject)]
    differences += list(differences_over_ranks(results[first]))
    print("\n".join(differences))
    if differences or not others or not results[first]:
        sys.exit("not the same bits" if differences else "nothing to compare")


if __name__ == "__main__":
    main()
