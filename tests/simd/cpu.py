# SPDX-License-Identifier: BSD-3-Clause
"""What this machine can run.

usage: cpu.py TARGET      exits 0 when it runs programs for the target
"""
import pathlib
import sys

NEEDED_FLAGS = {"avx512": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}}
SKIPPED = 77


def missing_flags(target):
    """The processor's features that a program built for the target needs and this machine does not have."""
    flags = set()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            flags = set(line.split(":", 1)[1].split())
            break
    return sorted(NEEDED_FLAGS.get(target, set()) - flags)


if __name__ == "__main__":
    sys.exit(1 if missing_flags(sys.argv[1]) else 0)
