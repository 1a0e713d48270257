#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the top level and the sources against the house rules.

Top level: exactly src, include, inputs, jobs, tests, CMakeLists.txt, README.md, plus LICENSE, CMakePresets.json
and dotfiles; in a clone, what git ignores does not count. Sources: the SPDX line first, #pragma once in headers,
nothing included twice; lines of at most 120 characters; files of at most 400 lines, 5 % of them up to 600. Tests: "Suite.Case" of at most 45
characters. Types are named LikeThis, and no name is one of those that C++ keeps for compilers (two underscores, or one
before a capital) but those that they and other libraries declare. Unnamed namespaces: no two of a room declare the same
name, nor that of a type in a header of the room, since sources are compiled together. Files: the system's calls on them stand in files/system_calls.cpp only.

usage: layout.py ROOT      prints what is wrong, exits 1 when there is anything
"""
import pathlib
import re
import subprocess
import sys

from batches import unnamed_names

REQUIRED = {"src", "include", "inputs", "jobs", "tests", "CMakeLists.txt", "README.md"}
ALLOWED = REQUIRED | {"LICENSE", "CMakePresets.json"}
SPDX = "SPDX-License-Identifier: BSD-3-Clause"
USUAL_LINES, MOST_LINES = 400, 600
MOST_CHARACTERS = 120
LONGEST_TEST_NAME = 45
TEST = re.compile(r"^(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", re.MULTILINE)
TYPE = re.compile(r"^(?:struct|class|enum class|enum|using) (\w+)\b(?!;)", re.MULTILINE)  # no forward declaration
DOOR = "files/system_calls"
FILE_CALL = re.compile(r"#include <(?:sys/stat|sys/statvfs|sys/file)\.h>|"
                       r"(?<![\w.>:])(?:::)?(?:pread|pwrite|fsync|fdatasync|ftruncate|fallocate|mkstemp)\(|"
                       r"(?<!\w)::(?:open|unlink|rename)\(|"
                       r"(?:fs|filesystem)::(?:remove|rename|resize_file)\(|\bstd::ofstream\b")
TYPE_NAME = re.compile(r"^ *(?:struct|class|enum class|enum) (\w+)(?= (?:final )?[{:])")
CAMEL_CASE = re.compile(r"[A-Z][A-Za-z0-9]*$")
RESERVED = re.compile(r"(?<!\w)(?:_[A-Z]\w*|\w*__\w*)")
RESERVED_OF_OTHERS = re.compile(r"__(?:linux|GLIBC|x86_64|SANITIZE_ADDRESS|extension|int128|restrict|attribute|"
                                r"builtin_\w+|LINE|FILE|PRETTY_FUNCTION|main)_*$|_(?:SC|PC)_\w+$|_Exit$|H5\w+$")
PYTHON_TEST = re.compile(r"^ *def (test_\w+)\(self", re.MULTILINE)


def top_level(root):
    if (root / ".git").exists():
        listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others",
                                 "--exclude-standard"],
                                cwd=root, capture_output=True, text=True, check=True).stdout
        names = {name.split("/")[0] for name in listed.split("\0") if name and (root / name).exists()}
    else:
        names = {path.name for path in root.iterdir()} - {"build"}
    return {name for name in names if not name.startswith(".")}


def check_top_level(root):
    names = top_level(root)
    for name in sorted(names - ALLOWED):
        yield f"{name}: does not belong on the top level"
    for name in sorted(REQUIRED - names):
        yield f"{name}: missing on the top level"


def sources(root):
    for folder in ("include", "src", "tests"):
        yield from sorted(p for p in (root / folder).rglob("*") if p.suffix in {".hpp", ".cpp"})


def check_names(line):
    if (declared := TYPE_NAME.match(line)) and not CAMEL_CASE.match(declared[1]):
        yield f"the type {declared[1]} is not named LikeThis"
    for name in RESERVED.findall(line):
        if not RESERVED_OF_OTHERS.match(name):
            yield f"the name {name} is reserved for compilers"


def check_sources(root):
    num_files, long_files = 0, []
    for path in sources(root):
        lines = path.read_text().splitlines()
        num_files += 1
        if not lines or SPDX not in lines[0]:
            yield f"{path}:1: the first line must be // {SPDX}"
        if path.suffix == ".hpp" and "#pragma once" not in lines:
            yield f"{path}:1: no #pragma once"
        included = [line for line in lines if line.startswith("#include")]
        for line in sorted(set(line for line in included if included.count(line) > 1)):
            yield f"{path}: {line} stands there twice"
        for number, line in enumerate(lines, 1):
            if len(line) > MOST_CHARACTERS:
                yield f"{path}:{number}: {len(line)} characters, at most {MOST_CHARACTERS} are allowed"
            for problem in check_names(line):
                yield f"{path}:{number}: {problem}"
        if len(lines) > MOST_LINES:
            yield f"{path}: {len(lines)} lines, at most {MOST_LINES} are allowed"
        elif len(lines) > USUAL_LINES:
            long_files.append(f"{path}: {len(lines)} lines")
    if len(long_files) > 0.05 * num_files:
        yield f"more than 5 % of {num_files} files have over {USUAL_LINES} lines:\n  " + "\n  ".join(long_files)


def check_test_names(root):
    paths = [path for path in (root / "tests").rglob("*") if path.suffix in (".cpp", ".py")]
    for path in sorted(paths):
        text = path.read_text()
        for test in (PYTHON_TEST if path.suffix == ".py" else TEST).finditer(text):
            name = ".".join(test.groups())
            if len(name) > LONGEST_TEST_NAME:
                line = text.count("\n", 0, test.start()) + 1
                yield (f"{path}:{line}: {name} has {len(name)} characters, at most {LONGEST_TEST_NAME} are allowed: "
                       "put the sentence into a comment above")


def check_unnamed_names(root):
    for room in sorted(path for path in (root / "src").iterdir() if path.is_dir()):
        declared = {name: path for path in sorted(room.glob("*.hpp")) for name in TYPE.findall(path.read_text())}
        for path in sorted(room.glob("*.cpp")):
            for name in sorted(unnamed_names(path)):
                first = declared.setdefault(name, path)
                if first != path:
                    yield (f"{path}: its unnamed namespace declares {name}, as that of {first.name} does: "
                           "sources of a room are compiled together")


def check_door(root):
    for path in sorted((root / "src").rglob("*.?pp")):
        if path.relative_to(root / "src").with_suffix("").as_posix() == DOOR:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if FILE_CALL.search(line.split("//")[0]):
                yield f"{path}:{number}: a call of the system on files, which belongs into src/{DOOR}.cpp"


def main(root):
    root = pathlib.Path(root)
    problems = [*check_top_level(root), *check_sources(root), *check_test_names(root),
                *check_unnamed_names(root), *check_door(root)]
    print("\n".join(problems) or "in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
