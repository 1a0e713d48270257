#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compiles each header of the library by itself: it must include all that it needs.

A header may use all that one of its includes brings. So it is as good to compile it after that one, precompiled: the
headers are sorted by the largest header that they include and that many others include too, and each group begins
with that header. Behind it, headers that include each other are compiled in one text, the innermost first: none of them
sees more than it brings itself. Includes between #if and #endif do not count. All flags of the library's sources hold,
warnings too. Rooms of which nothing is compiled are left out.

usage: headers.py ROOT BUILD_FOLDER
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from tidy import checked_sources

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
FEWEST_IN_GROUP = 8  # to precompile a header takes as long as to compile some three
COST_OF_OUTSIDE_HEADER = 1000  # lines


def headers_of(root, rooms):
    """{name as it is included: path}. The header of all rooms needs all: it counts to `run`."""
    headers = {}
    for folder in ("include", "src"):
        for path in sorted((root / folder).rglob("*.hpp")):
            name = path.relative_to(root / folder)
            parts = name.parts[folder == "include":]
            if (parts[0] if len(parts) > 1 else "run") in rooms:
                headers[str(name)] = path
    return headers


def includes_of(path):
    """Those that hold under any condition, as (from outside, name)."""
    depth = 0
    for line in path.read_text().splitlines():
        word = line.lstrip().removeprefix("#").lstrip() if line.lstrip().startswith("#") else ""
        if word.startswith("if"):
            depth += 1
        elif word.startswith("endif"):
            depth -= 1
        elif depth == 0 and (found := INCLUDE.match(line)):
            yield found[1] == "<", found[2]


class Headers:
    """Which headers bring which."""

    def __init__(self, paths):
        self.paths = paths
        self.direct = {name: list(includes_of(path)) for name, path in self.paths.items()}
        self.lines = {name: path.read_text().count("\n") for name, path in self.paths.items()}
        self._brought = {}

    def brought_by(self, name):
        """All that it includes, itself too: {(from outside, name)}"""
        if name not in self._brought:
            self._brought[name] = {(False, name)}  # ends a circle
            brought = {(False, name)}
            for is_outside, other in self.direct[name]:
                brought |= {(is_outside, other)} if is_outside or other not in self.paths else self.brought_by(other)
            self._brought[name] = brought
        return self._brought[name]

    def cost_of(self, name):
        return sum(COST_OF_OUTSIDE_HEADER if is_outside or other not in self.paths else self.lines[other]
                   for is_outside, other in self.brought_by(name))

    def groups(self):
        """{header that is precompiled: those that begin with it}; None for what begins with no other."""
        costs = {name: self.cost_of(name) for name in self.paths}
        inner = {name: {other for is_outside, other in self.brought_by(name) if not is_outside and other in self.paths}
                 for name in self.paths}
        firsts = list(self.paths)
        while True:
            groups = {}
            for name in self.paths:
                first = max((other for other in firsts if other in inner[name] and other != name),
                            key=lambda other: (costs[other], other), default=None)
                groups.setdefault(first, []).append(name)
            few = [first for first, group in groups.items() if first is not None and len(group) < FEWEST_IN_GROUP]
            if not few:
                return groups
            firsts = [name for name in groups if name is not None and name != min(few, key=lambda name: costs[name])]

    def chains(self, names):
        """Lists of these, each name in one: all that one of a list brings is brought by the next, too."""
        left = sorted(names, key=lambda name: (len(self.brought_by(name)), name))
        chains = []
        while left:
            chain = [left.pop()]
            for name in reversed(left):
                if self.brought_by(name) < self.brought_by(chain[0]):
                    chain.insert(0, name)
            left = [name for name in left if name not in chain]
            chains.append(chain)
        return chains


def union_of_flags(sources):
    """The compiler and the flags that the library's sources have together."""
    compiler, union = None, []
    for _, compiler_of_source, flags in sources.values():
        compiler = compiler_of_source
        words = iter(flags)
        for word in words:
            pair = (word, next(words)) if word == "-isystem" else (word,)
            if pair not in union:
                union.append(pair)
    return compiler, [word for pair in union for word in pair]


class Compiler:
    def __init__(self, program, flags, folder):
        self.command, self.folder = [program, *flags], folder

    def check_chain(self, chain, begin):
        """[(header, what the compiler says)]"""
        text = "".join(f'#include "{name}"\n' for name in chain)
        run = subprocess.run([*self.command, *begin, "-fsyntax-only", "-x", "c++", "-"], input=text, text=True,
                             capture_output=True, cwd=self.folder)
        if run.returncode == 0:
            return []
        if len(chain) == 1:
            return [(chain[0], run.stderr)]
        return [failure for name in chain for failure in self.check_chain([name], begin)]

    def check_group(self, number, first, chains):
        """[(header, what the compiler says)]"""
        begin = []
        if first is not None:
            name = f"first_{number}.hpp"
            (self.folder / name).write_text(f'#include "{first}"\n')
            made = subprocess.run([*self.command, "-x", "c++-header", name, "-o", f"{name}.gch"], capture_output=True,
                                  text=True, cwd=self.folder)
            if made.returncode != 0:
                return [(first, made.stderr)]
            begin = ["-include", str(self.folder / name)]
        failed = [failure for chain in chains for failure in self.check_chain(chain, begin)]
        if first is not None:
            (self.folder / f"first_{number}.hpp.gch").unlink()
        return failed


def main(root, build):
    root, build = pathlib.Path(root).resolve(), pathlib.Path(build).resolve()
    sources = checked_sources(root, build)
    program, flags = union_of_flags(sources)
    headers = Headers(headers_of(root, {pathlib.Path(source).relative_to(root).parts[1] for source in sources}))
    groups = sorted(((first, headers.chains(group)) for first, group in headers.groups().items()),
                    key=lambda item: -len(item[1]))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        compiler = Compiler(program, flags, pathlib.Path(folder))
        failed = [each for some in pool.map(compiler.check_group, range(len(groups)), *zip(*groups)) for each in some]
    for header, output in failed:
        print(f"{header} does not compile by itself:\n{output}")
    print(f"{len(headers.paths)} headers, of which {len(failed)} do not compile by themselves")
    return 1 if failed or not headers.paths else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
