#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the scripts, also those that no machine of ours can run: bash must parse every shell script and
shellcheck find nothing in it; Python must compile every Python script, the Spack recipe included; each opens
with the SPDX line.

usage: scripts.py ROOT      prints what is wrong, exits 1 when there is anything, or when a tool is missing
"""
import pathlib
import shutil
import subprocess
import sys

SPDX = "SPDX-License-Identifier: BSD-3-Clause"
FOLDERS = ("jobs", "tests", "inputs")


def scripts(root, ending):
    return [path for folder in FOLDERS for path in sorted((root / folder).rglob(f"*{ending}"))]


def check_shell(root):
    paths = [path for path in [*scripts(root, ".sh"), root / ".ci" / "run"] if path.exists()]
    for path in paths:
        parsed = subprocess.run(["bash", "-n", str(path)], capture_output=True, text=True)
        if parsed.returncode != 0:
            yield parsed.stderr.strip()
    if paths and shutil.which("shellcheck") is None:
        yield "shellcheck is not installed (Debian: apt-get install shellcheck)"
    elif paths:
        run = subprocess.run(["shellcheck", "--external-sources", "--format=gcc", *map(str, paths)], cwd=root,
                             capture_output=True, text=True)
        yield from run.stdout.splitlines() + run.stderr.splitlines()


def check_python(root):
    for path in scripts(root, ".py"):
        try:
            compile(path.read_text(), str(path), "exec")
        except SyntaxError as error:
            yield f"{path}:{error.lineno}: {error.msg}"


def check_heads(root):
    for path in [*scripts(root, ".sh"), *scripts(root, ".py")]:
        if SPDX not in "\n".join(path.read_text().splitlines()[:2]):
            yield f"{path}:1: the first line, or the second after #!, must be # {SPDX}"


def main(root):
    root = pathlib.Path(root)
    problems = [*check_shell(root), *check_python(root), *check_heads(root)]
    print("\n".join(problems) or "in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
