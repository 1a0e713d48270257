# SPDX-License-Identifier: BSD-3-Clause
"""usage: run.py TARGET PROGRAM ARGUMENTS...   runs a program built for an instruction set, where there is one."""
import subprocess
import sys

from cpu import SKIPPED, missing_flags


def main():
    target, *command = sys.argv[1:]
    if missing := missing_flags(target):
        print(f"skipped: this processor has no {', '.join(missing)}")
        return SKIPPED
    return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
