#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that each room includes only what src/CMakeLists.txt allows it.

There a room (a folder of src and of include/ricochet) is declared after all those that it may include:
`ricochet_add_room(engine ROOMS core model ...)`. So includes point down. A room may lean on five others; run and
app, which bring everything together, on more. A room that is allowed but not included is reported too.
Libraries from outside are for some rooms only, or for one file. Reads the text of #include lines, so an include behind
an #ifdef counts too. The table of rooms in src/README.md must say the same.

usage: layering.py ROOT      prints file:line: what, exits 1 when there is any
"""
import pathlib
import re
import sys

MOST_ROOMS_BELOW = 5
LEANS_ON_MANY = {"run", "process", "study", "app"}  # the top: they join the others
RESTRICTED = [
    (re.compile(r"mpi\.h$|boost/mpi"), {"mpi", "app/main.cpp"}, "MPI"),
    (re.compile(r"H5\w*\.h$|hdf5(_hl)?\.h$"), {"hdf5", "result", "checkpoint"}, "HDF5"),
    (re.compile(r"yaml-cpp/"), {"config"}, "YAML"),
    (re.compile(r"CLI/"), {"app"}, "the command line library"),
]
ADD_ROOM = re.compile(r"ricochet_add_room\((\w+)([^)]*)\)")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
ROW = re.compile(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$", re.MULTILINE)
SUFFIXES = {".hpp", ".cpp", ".h", ".c", ".inc"}


def allowed_rooms(root):
    """Of each room, those that it may include, as src/CMakeLists.txt declares them."""
    allowed = {}
    for room, words in ADD_ROOM.findall((root / "src" / "CMakeLists.txt").read_text()):
        words = words.split()
        below = words[words.index("ROOMS") + 1:] if "ROOMS" in words else []
        ends = [below.index(word) for word in ("LIBRARIES", "PUBLIC_LIBRARIES") if word in below]
        allowed[room] = set(below[:min(ends)] if ends else below)
        above = allowed[room] - (allowed.keys() - {room})
        if above:
            print(f"src/CMakeLists.txt: {room} leans on {', '.join(sorted(above))}, which must stand before it")
            raise SystemExit(1)
    return allowed


def room_of_include(header, room, allowed):
    """The room that an include names, or None for a header from outside."""
    parts = header.split("/")
    if parts[0] == "ricochet":
        return parts[1] if len(parts) > 2 else "(none)"
    if parts[0] in allowed and len(parts) > 1:
        return parts[0]
    return room if parts[0] in (".", "..") else None


def violations_in(path, room, allowed, used):
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        match = INCLUDE.match(line)
        if not match:
            continue
        header = match.group(1)
        target = room_of_include(header, room, allowed)
        if ".." in header.split("/"):
            yield number, f"{header}: write the include from the room down, not with .."
        elif target is not None and target != room:
            used[room].add(target)
            if target not in allowed[room]:
                yield number, (f"{room} includes {header}, but may include only: "
                               f"{', '.join(sorted(allowed[room])) or 'itself'}")
        for pattern, rooms, what in RESTRICTED:
            if target is None and pattern.match(header) and not rooms & {room, f"{room}/{path.name}"}:
                yield number, f"{room} includes {header}, but {what} is for {', '.join(sorted(rooms))}"


def room_violations(allowed, used):
    for room, below in allowed.items():
        if len(below) > MOST_ROOMS_BELOW and room not in LEANS_ON_MANY:
            yield f"src/CMakeLists.txt: {room} leans on {len(below)} rooms, at most {MOST_ROOMS_BELOW} are allowed"
        for unused in sorted(below - used[room]):
            yield f"src/CMakeLists.txt: {room} may include {unused}, but does not"


def table_violations(root, allowed):
    document = root / "src" / "README.md"
    if not document.exists():
        return
    table = {room: set(below.split(", ")) - {"–"} for room, below in ROW.findall(document.read_text())}
    for room in sorted(allowed.keys() | table.keys()):
        if room not in allowed:
            yield f"src/README.md: its table has a room {room}, but src/CMakeLists.txt has none"
        elif table.get(room) != allowed[room]:
            yield f"src/README.md: in its table {room} must lean on: {', '.join(sorted(allowed[room])) or '–'}"


def main(root):
    root = pathlib.Path(root)
    allowed = allowed_rooms(root)
    used = {room: set() for room in allowed}
    num_files, problems = 0, []
    for base in (root / "include" / "ricochet", root / "src"):
        for path in sorted(p for p in base.rglob("*") if p.suffix in SUFFIXES and p.parent != base):
            room = path.relative_to(base).parts[0]
            if room not in allowed:
                problems.append(f"{path}: not in a known room")
                continue
            num_files += 1
            problems += [f"{path}:{number}: {what}" for number, what in violations_in(path, room, allowed, used)]
    problems += [*room_violations(allowed, used), *table_violations(root, allowed)]
    print("".join(problem + "\n" for problem in problems) + f"{num_files} files, {len(problems)} violations")
    return 1 if problems or num_files == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
