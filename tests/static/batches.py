#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Divides sources into batches that compile as one text: names of their unnamed namespaces occur in no other source.

More than half of a test's compile time, and most of clang-tidy's, goes into headers of other projects, which a batch
reads once. The rooms of src need no such division: there names differ (layout.py).

usage: batches.py MOST SOURCE...      prints the batches, one a line, their sources separated by semicolons
"""
import pathlib
import re
import sys

# What a line of an unnamed namespace declares: a type or an alias; a function or a constant.
DECLARED = re.compile(r"(?:struct|class|enum class|enum|using)\s+(\w+)(?!\w*::)|"
                      r"(?:template\b.*>\s*)?[A-Za-z_][\w:<>,*& \[\]]*?[\s*&](\w+)(?:\[\w*\])?\s*[({=]")
CONSTANT = re.compile(r"(?<![.\w])(\w+) = ")  # of a line that declares several
COMMENT = re.compile(r"//.*")
WORD = re.compile(r"(?<!\.)(?<!->)\b[A-Za-z_]\w*\b")  # but those of members
NOT_DECLARATIONS = re.compile(r"(?:TYPED_)?TEST|INSTANTIATE_|TYPED_TEST|static_assert|return\b|namespace|using namespace")


def unnamed_names(source, opening="namespace {"):
    """The names that the unnamed namespaces of a source declare, or those with another opening line."""
    names, is_inside = set(), False
    for line in pathlib.Path(source).read_text().splitlines():
        if line.startswith(opening):
            is_inside = True
        elif line.startswith("}  // namespace"):
            is_inside = False
        elif is_inside and not NOT_DECLARATIONS.match(line):
            found = DECLARED.match(line)
            names.update(name for name in (found.groups() if found else ()) if name)
            names.update(CONSTANT.findall(line) if line.startswith("constexpr ") else ())
    return names


def declared_names(source):
    return unnamed_names(source) | unnamed_names(source, "namespace HWY_NAMESPACE {")


def used_words(source):
    return set(WORD.findall(COMMENT.sub("", pathlib.Path(source).read_text())))


def batches_of(sources, most):
    """[sources], of at most `most` each. No text of a batch has a word that another source of it declares."""
    known = [(source, declared_names(source), used_words(source)) for source in sources]
    known.sort(key=lambda each: -len(each[1]))  # what hardly fits goes first, for few batches
    batches = []
    for source, names, words in known:
        for batch, taken, used in batches:
            if len(batch) < most and not names & used and not words & taken:
                batch.append(source)
                taken |= names
                used |= words
                break
        else:
            batches.append(([source], names, words))
    return [batch for batch, _, _ in batches]


if __name__ == "__main__":
    print("\n".join(";".join(batch) for batch in batches_of(sys.argv[2:], int(sys.argv[1]))))
