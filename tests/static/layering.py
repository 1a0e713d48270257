#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that includes point down only.

app > {io, parallel} > engine > {search, dynamics, contact, events} > geometry > core. Layers of the same
height do not include each other, except that events (the vocabulary of contacts) may be included by its
siblings. MPI is for io, app and the files mpi_* of parallel, whose rest works on an abstract exchange; HDF5
and YAML are for io and app. Reads the text of #include lines, so an include behind an #ifdef counts too.

usage: layering.py ROOT      prints file:line: what, exits 1 when there is any
"""
import pathlib
import re
import sys

BELOW = {"core": set()}
BELOW["geometry"] = {"core"}
BELOW["events"] = {"core", "geometry"}
for layer in ("search", "dynamics", "contact"):
    BELOW[layer] = {"core", "geometry", "events"}
BELOW["engine"] = {"core", "geometry", "events", "search", "dynamics", "contact"}
for layer in ("parallel", "io"):
    BELOW[layer] = BELOW["engine"] | {"engine"}
BELOW["app"] = BELOW["engine"] | {"engine", "parallel", "io"}

# Headers from outside that only some layers may use, "parallel/mpi_" standing for the files mpi_* there.
RESTRICTED = [
    (re.compile(r"mpi\.h$|boost/mpi|mpi/"), {"parallel/mpi_", "io", "app"}, "MPI"),
    (re.compile(r"H5\w*\.h$|hdf5(_hl)?\.h$"), {"io", "app"}, "HDF5"),
    (re.compile(r"yaml-cpp/"), {"io", "app"}, "YAML"),
    (re.compile(r"CLI/"), {"app"}, "the command line library"),
]
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
SUFFIXES = {".hpp", ".cpp", ".h", ".c", ".inc"}


def layer_of_include(header, layer):
    """The layer that an include names, or None for a header from outside."""
    parts = header.split("/")
    if parts[0] == "ricochet":
        return parts[1] if len(parts) > 2 else "(none)"
    if parts[0] in BELOW and len(parts) > 1:
        return parts[0]
    return layer if parts[0] in (".", "..") else None


def violations_in(path, layer):
    role = "parallel/mpi_" if layer == "parallel" and path.name.startswith("mpi_") else layer
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        match = INCLUDE.match(line)
        if not match:
            continue
        header = match.group(1)
        target = layer_of_include(header, layer)
        if ".." in header.split("/"):
            yield number, f"{header}: write the include from the layer down, not with .."
        elif target is not None and target != layer and target not in BELOW[layer]:
            yield number, f"{layer} includes {header}, but may include only: {', '.join(sorted(BELOW[layer])) or 'itself'}"
        if layer == "parallel" and role == layer and header.split("/")[-1].startswith("mpi_"):
            yield number, f"{header} brings MPI: only the files mpi_* of parallel may include it"
        for pattern, allowed, what in RESTRICTED:
            if target is None and pattern.match(header) and role not in allowed:
                yield number, f"{layer} includes {header}, but {what} is for {', '.join(sorted(allowed))}"


def main(root):
    root = pathlib.Path(root)
    num_files = num_violations = 0
    for base in (root / "include" / "ricochet", root / "src"):
        for path in sorted(p for p in base.rglob("*") if p.suffix in SUFFIXES):
            layer = path.relative_to(base).parts[0]
            if layer not in BELOW:
                print(f"{path}: not in a known layer")
                num_violations += 1
                continue
            num_files += 1
            for number, what in violations_in(path, layer):
                print(f"{path}:{number}: {what}")
                num_violations += 1
    print(f"{num_files} files, {num_violations} violations")
    return 1 if num_violations or num_files == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
