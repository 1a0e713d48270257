#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the documents (*.md): what they link to is there, files and headings alike; so are the files of this
project that they name in passing or in commands; the README is at most 6 kB.

usage: links.py ROOT      prints what is wrong, exits 1 when there is anything
"""
import pathlib
import re
import sys

MOST_BYTES_OF_README = 6000
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
NAMED = re.compile(r"(?<![\w/.-])(?:inputs|jobs|tests|src|include)/[\w./-]*\w")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def documents(root):
    for folder in (".github", "inputs", "jobs", "src", "tests"):
        yield from sorted((root / folder).rglob("*.md"))
    yield root / "README.md"


def anchors(path):
    """The headings of a document as the fragments under which they are found."""
    headings = re.findall(r"^#+ +(.*)$", FENCE.sub("", path.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_links(path):
    for target in LINK.findall(FENCE.sub("", path.read_text())):
        if ":" in target:
            continue  # elsewhere: a test needs no network
        name, _, fragment = target.partition("#")
        linked = (path.parent / name) if name else path
        if not linked.exists():
            yield f"links to {target}, which is not there"
        elif fragment and fragment not in anchors(linked):
            yield f"links to {target}, and {linked.name} has no such heading"


def check_names(root, path):
    for name in NAMED.findall(path.read_text()):
        if "NAME" not in name and not (root / name).exists() and not list(root.glob(name + "*")):
            yield f"names {name}, which is not there"


def main(root):
    root = pathlib.Path(root)
    problems = [f"{path}: {problem}" for path in documents(root)
                for problem in [*check_links(path), *check_names(root, path)]]
    if (size := (root / "README.md").stat().st_size) > MOST_BYTES_OF_README:
        problems.append(f"README.md: {size} bytes, at most {MOST_BYTES_OF_README} are allowed")
    print("\n".join(problems) or "in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
