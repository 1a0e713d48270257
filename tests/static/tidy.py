#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs clang-tidy (the checks of .clang-tidy) on every source of the library and the program.

Headers are seen through the sources that include them. The header of the git id is written by a build, so
build first. Exits 77 (skipped) when clang-tidy has another version than the one the checks were chosen for.

Most of the time goes into the headers of other projects, which all checks walk through. So sources of one
folder with the same flags are joined to one text, a batch at a time: names differ within a room (layout.py). (A file
that includes them would not do: the analyzer and a few checks look at the main file alone.) Where a batch has a
finding, or does not compile, each of its sources is checked alone, and that verdict counts. What is included twice is asked of a file that includes
the sources, since joined ones include most things again.

usage: tidy.py ROOT BUILD_FOLDER
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

VERSION = 14
SKIPPED = 77
MOST_IN_BATCH = 12
DUPLICATES = "readability-duplicate-include"


def find_clang_tidy():
    """The program and its major version; (None, None) when there is none."""
    for name in (f"clang-tidy-{VERSION}", "clang-tidy"):
        program = shutil.which(name)
        if program:
            text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
            return program, int(re.search(r"version (\d+)", text).group(1))
    return None, None


def flags_of(entry):
    """The folder of an entry of compile_commands.json and the compiler's flags, without what names the files."""
    words = entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])
    words = words[next(k for k, word in enumerate(words) if word.startswith("-")):]
    return entry["directory"], tuple(word for k, word in enumerate(words)
                                     if word not in ("-c", "-o", entry["file"]) and (k == 0 or words[k - 1] != "-o"))


def sources_of(file):
    """The sources that are compiled with this one: those that a joined one includes, or itself."""
    if not file.name.startswith("unity_"):
        return [str(file)]
    return re.findall(r'#include "([^"]+)"', file.read_text())


def checked_sources(root, build):
    """{source: folder and flags}"""
    commands = json.loads((build / "compile_commands.json").read_text())
    files = {source: flags_of(entry) for entry in commands
             for source in sources_of(pathlib.Path(entry["directory"], entry["file"]))}
    return {f: flags for f, flags in sorted(files.items()) if f.startswith(str(root / "src") + os.sep)}


class Tidy:
    def __init__(self, program, root, folder):
        self.program, self.root, self.folder = program, root, folder

    def run(self, source, flags, *options):
        """Status and findings."""
        directory, options_of_compiler = flags
        run = subprocess.run([self.program, "--quiet", f"--config-file={self.root / '.clang-tidy'}", *options,
                              source, "--", *options_of_compiler], cwd=directory, capture_output=True, text=True)
        return run.returncode, run.stdout.strip()

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def is_clean_together(self, number, sources, flags):
        directory, options = flags
        quiet = directory, (*options, "-w")  # with one check alone, -Werror would make findings of its own
        joined = self.write(f"{number}.cpp", "".join(pathlib.Path(source).read_text() for source in sources))
        including = self.write(f"{number}_includes.cpp", "".join(f'#include "{source}"\n' for source in sources))
        return (self.run(joined, flags, f"--checks=-{DUPLICATES}")[0] == 0 and
                self.run(including, quiet, f"--checks=-*,{DUPLICATES}")[0] == 0)

    def check(self, number, batch, flags):
        """[(source, findings)]"""
        if len(batch) > 1 and self.is_clean_together(number, batch, flags):
            return []
        alone = [(source, *self.run(source, flags)) for source in batch]
        return [(source, output) for source, status, output in alone if status != 0]


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
    groups = collections.defaultdict(list)
    for source, flags in sources.items():
        groups[os.path.dirname(source), flags].append(source)
    folder = build / "tidy"
    folder.mkdir(exist_ok=True)
    tidy = Tidy(program, root, folder)
    batches = [(group[k:k + MOST_IN_BATCH], flags) for (_, flags), group in groups.items()
               for k in range(0, len(group), MOST_IN_BATCH)]
    batches.sort(key=lambda batch: -len(batch[0]))  # what takes longest first
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        findings = [found for some in pool.map(tidy.check, range(len(batches)), *zip(*batches)) for found in some]
    for source, output in findings:
        print(f"{source}\n{output}\n")
    print(f"{len(sources)} sources in {len(batches)} batches, {len(findings)} with findings")
    return 1 if findings or not sources else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
