#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that clang-format would change nothing.

Versions of clang-format disagree with each other; the project is formatted with version 14. Exits 77
(skipped) when there is another one only, 1 when a file would change or there is none at all.

usage: format.py ROOT
"""
import pathlib
import re
import shutil
import subprocess
import sys

VERSION = 14
SKIPPED = 77


def find_clang_format():
    """The program and its major version; (None, None) when there is none."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        program = shutil.which(name)
        if program:
            text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
            return program, int(re.search(r"version (\d+)", text).group(1))
    return None, None


def main(root):
    program, version = find_clang_format()
    if program is None:
        print(f"clang-format is not installed (Debian: apt-get install clang-format-{VERSION})")
        return 1
    if version != VERSION:
        print(f"skipped: {program} has version {version}, the project is formatted with {VERSION}")
        return SKIPPED
    root = pathlib.Path(root)
    files = [str(p) for folder in ("include", "src", "tests")
             for p in sorted((root / folder).rglob("*")) if p.suffix in {".hpp", ".cpp"}]
    print(f"{len(files)} files")
    return subprocess.run([program, "--dry-run", "--Werror", "--style=file", *files]).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
