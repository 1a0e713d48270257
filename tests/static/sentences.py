#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the comments of C++ files: no sentence has more than 25 words, calls a particle, a slot, a caller or a rank
a person ("nobody"), or says "so many" for a number. The program's own names, in `backticks`, may be such words.

A sentence ends at ". ", "? " or "! " before a capital letter, at an empty comment line, where the indentation changes,
before a bullet or the row of a table (a gap of two spaces or more), and where the comment ends. Words have two letters
or more, or are "a"; numbers and the symbols of formulas do not count. All ROOMS are checked.

usage: sentences.py ROOT [ROOM...]     prints what is wrong, exits 1 when there is anything
"""
import pathlib
import re
import sys

ROOMS = ("core", "model", "geometry", "search", "contact", "engine", "dynamics", "gravity", "observe", "parallel",
         "slabs", "placement", "mpi", "files", "hdf5", "config", "result", "checkpoint", "theory", "plan", "run", "export",
         "app")
MOST_WORDS = 25
COMMENT = re.compile(r'^((?:[^"/]|"(?:[^"\\]|\\.)*"|/(?!/))*?)(//[/!]?<?)(.*)$')
SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z(`\"])|(?<=[.?!][)\"])\s+(?=[A-Z(`\"])")
BEGINS_ANEW = re.compile(r"\s*(?:[*-]\s|\d+[.)]\s|\S.* {2,}\S)")
NAME_OF_PROGRAM = re.compile(r"`[^`]*`")
UNCLEAR = re.compile(r"\b(nobody|somebody|everybody|anybody|whoever|so many)\b", re.IGNORECASE)
PERSON_ADVICE = "name the particle, the slot, the caller or the rank that is meant"
NUMBER_ADVICE = "say which number is meant, as in 'this many' or 'the number of'"
ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|cf|vs|[A-Z])\.$")


def comments(text):
    """(number of its first line, lines) of each comment; a comment beside code goes on in lines of nothing else."""
    block = []
    for number, line in enumerate(text.splitlines(), 1):
        found = COMMENT.match(line)
        begins_anew = found is None or found[1].strip() or (block and found[2] != block[-1][1])
        if block and begins_anew:
            yield block[0][0], [words for _, _, words in block]
            block = []
        if found:
            block.append((number, found[2], found[3]))
    if block:
        yield block[0][0], [words for _, _, words in block]


def paragraphs(number, lines):
    part, begin, indent = [], number, None
    for offset, line in enumerate(lines):
        if not line.strip() or len(line) - len(line.lstrip()) != indent or BEGINS_ANEW.match(line):
            yield begin, " ".join(part)
            part = []
        if not part:
            begin = number + offset
        indent = len(line) - len(line.lstrip())
        part.append(line.strip())
    yield begin, " ".join(part)


def sentences(paragraph):
    sentence = ""
    for part in SENTENCE_END.split(paragraph):
        sentence += part
        if not ABBREVIATION.search(sentence):
            yield sentence
            sentence = ""
        else:
            sentence += " "
    yield sentence


def num_words(sentence):
    return sum(1 for word in sentence.split() if re.search(r"[^\W\d_]{2}", word) or word == "a")


def problems_of(sentence):
    if (count := num_words(sentence)) > MOST_WORDS:
        yield f"{count} words, at most {MOST_WORDS} are allowed"
    for word in UNCLEAR.findall(NAME_OF_PROGRAM.sub("", sentence)):
        yield f"'{word}': {NUMBER_ADVICE if word.lower() == 'so many' else PERSON_ADVICE}"


def check(path):
    for number, lines in comments(path.read_text()):
        for begin, paragraph in paragraphs(number, lines):
            for sentence in sentences(paragraph):
                for problem in problems_of(sentence):
                    yield f"{path}:{begin}: {problem}: {sentence}"


def main(root, *rooms):
    files = (path for room in rooms or ROOMS for folder in ("include/ricochet", "src")
             for path in sorted((pathlib.Path(root) / folder / room).rglob("*")) if path.suffix in {".hpp", ".cpp"})
    problems = [problem for path in files for problem in check(path)]
    print("\n".join(problems) or "in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
