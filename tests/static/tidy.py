#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs clang-tidy (the checks of .clang-tidy) on every source of the library and the program.

Headers are seen through the sources that include them. The header of the git id is written by a build, so
build first. Exits 77 (skipped) when clang-tidy has another version than the one the checks were chosen for.

The analyzer walks through paths of each function. It stops after 20,000 states of one, with --deep after its own
225,000.

Most of the time goes into the headers of other projects. So sources with the same flags are joined to one text, a batch
at a time (batches.py). (A file that includes them would not do: the analyzer and a few checks look at the main file
alone.) A batch with a finding, or that does not compile, is halved until single sources have it, and their verdict
counts. Includes are left to layout.py, since joined sources include most things again.

A batch without findings is remembered by its content (checks, flags, and the text that the compiler sees, comments
included) in the user's cache folder, and is not checked again there. RICOCHET_NO_CACHE=1 checks all.

usage: tidy.py ROOT BUILD_FOLDER [--deep]
"""
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

from batches import batches_of

VERSION = 14
SKIPPED = 77
MOST_IN_BATCH = 50
MOST_STATES = 20000
DAYS_KEPT = 60


def find_clang_tidy():
    """The program and its major version; (None, None) when there is none."""
    for name in (f"clang-tidy-{VERSION}", "clang-tidy"):
        program = shutil.which(name)
        if program:
            text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
            return program, int(re.search(r"version (\d+)", text).group(1))
    return None, None


def flags_of(entry):
    """The folder of an entry of compile_commands.json, the compiler and its flags, without what names the files."""
    words = entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])
    first = next(k for k, word in enumerate(words) if word.startswith("-"))
    compiler, words = words[first - 1], words[first:]
    return entry["directory"], compiler, tuple(word for k, word in enumerate(words)
                                               if word not in ("-c", "-o", entry["file"])
                                               and (k == 0 or words[k - 1] != "-o"))


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


class Clean:
    """The contents that had no findings: an empty file each, in a folder of the user's cache."""

    def __init__(self, root, checks):
        self.root, self.checks = str(root).encode(), checks
        cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
        self.folder = None if os.environ.get("RICOCHET_NO_CACHE") else cache / "ricochet" / "tidy"
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            for old in self.folder.iterdir():
                if old.stat().st_mtime < time.time() - 86400 * DAYS_KEPT:
                    old.unlink(missing_ok=True)

    def file_of(self, source, flags):
        """The file that stands for this source and all that it includes. None: it cannot be told."""
        if self.folder is None:
            return None
        directory, compiler, options = flags
        text = subprocess.run([compiler, *options, "-E", "-C", "-dD", "-P", source], cwd=directory, capture_output=True)
        if text.returncode != 0:
            return None
        words = [self.checks, *(option.encode() for option in options), text.stdout]
        content = b"\0".join(word.replace(self.root, b"") for word in words)
        return self.folder / hashlib.sha256(content).hexdigest()


class Tidy:
    def __init__(self, program, root, folder, is_deep):
        self.program, self.folder = program, folder
        self.options = ["--quiet", f"--config-file={root / '.clang-tidy'}"]
        if not is_deep:
            self.options += [f"--extra-arg={word}" for word in
                             ("-Xclang", "-analyzer-config", "-Xclang", f"max-nodes={MOST_STATES}")]
        version = subprocess.run([program, "--version"], capture_output=True, check=True).stdout
        self.clean = Clean(root, version + " ".join(self.options).encode() + (root / ".clang-tidy").read_bytes())

    def run(self, source, flags):
        """Status and findings."""
        directory, _, options_of_compiler = flags
        words = [word for word in options_of_compiler if not word.startswith("--param=")]  # of GCC alone
        run = subprocess.run([self.program, *self.options, source, "--", *words], cwd=directory, capture_output=True,
                             text=True)
        return run.returncode, run.stdout.strip()

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def check(self, number, batch, flags):
        """[(source, findings)]"""
        if len(batch) == 1:
            joined = batch[0]
        else:
            joined = self.write(f"batch_{number}.cpp", "".join(pathlib.Path(source).read_text() for source in batch))
        known = self.clean.file_of(joined, flags)
        if known is not None and known.exists():
            known.touch()
            return []
        status, output = self.run(joined, flags)
        found = [] if status == 0 else [(joined, output)] if len(batch) == 1 else self.check_halves(number, batch, flags)
        if known is not None and not found:
            known.touch()
        return found

    def check_halves(self, number, batch, flags):
        middle = len(batch) // 2
        return self.check(f"{number}a", batch[:middle], flags) + self.check(f"{number}b", batch[middle:], flags)


def main(root, build, *options):
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
        groups[flags].append(source)
    folder = build / "tidy"
    folder.mkdir(exist_ok=True)
    tidy = Tidy(program, root, folder, "--deep" in options)
    batches = [(batch, flags) for flags, group in groups.items() for batch in batches_of(group, MOST_IN_BATCH)]
    batches.sort(key=lambda batch: -len(batch[0]))  # what takes longest first
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        findings = [found for some in pool.map(tidy.check, range(len(batches)), *zip(*batches)) for found in some]
    for source, output in findings:
        print(f"{source}\n{output}\n")
    print(f"{len(sources)} sources in {len(batches)} batches, {len(findings)} with findings")
    return 1 if findings or not sources else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
