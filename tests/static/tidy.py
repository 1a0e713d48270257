#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs clang-tidy (the checks of .clang-tidy) on every source of the library and the program.

Headers are seen through the sources that include them. The header of the git id is written by a build, so
build first. Exits 77 (skipped) when clang-tidy has another version than the one the checks were chosen for.

usage: tidy.py ROOT BUILD_FOLDER
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

VERSION = 14
SKIPPED = 77


def find_clang_tidy():
    """The program and its major version; (None, None) when there is none."""
    for name in (f"clang-tidy-{VERSION}", "clang-tidy"):
        program = shutil.which(name)
        if program:
            text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
            return program, int(re.search(r"version (\d+)", text).group(1))
    return None, None


def checked_sources(root, build):
    commands = json.loads((build / "compile_commands.json").read_text())
    files = {str(pathlib.Path(entry["directory"], entry["file"])) for entry in commands}
    return sorted(f for f in files if f.startswith(str(root / "src") + os.sep))


def check(program, build, source):
    run = subprocess.run([program, "-p", str(build), "--quiet", source], capture_output=True, text=True)
    return source, run.returncode, run.stdout.strip()


def main(root, build):
    root, build = pathlib.Path(root).resolve(), pathlib.Path(build).resolve()
    program, version = find_clang_tidy()
    if program is None:
        print(f"clang-tidy is not installed (Debian: apt-get install clang-tidy-{VERSION})")
        return 1
    if version != VERSION:
        print(f"skipped: {program} has version {version}, the checks are chosen for {VERSION}")
        return SKIPPED
    sources = checked_sources(root, build)
    num_failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, status, output in pool.map(lambda s: check(program, build, s), sources):
            if status != 0:
                num_failed += 1
                print(f"{source}\n{output}\n")
    print(f"{len(sources)} sources, {num_failed} with findings")
    return 1 if num_failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
