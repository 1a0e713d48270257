# SPDX-License-Identifier: BSD-3-Clause
"""Many more ranks than cores, most of them without particles or anything to write: the bits of one rank, also when
the run is stopped and continued on one rank, and no hang."""
import unittest

from support.program import ProgramTest

NUM_RANKS = 31
INPUT = """\
title: All in one corner of a long box
box: {size: [128, 8, 8], boundary: [periodic, periodic, periodic]}
species: [{name: sphere, radius: 0.5, mass: 1}]
placement: {method: file, path: start.csv}
dynamics: {type: ballistic, kT: 1, velocities: maxwell}
run: {timestep: 0.2, steps: 20, seed: 4}
output: {file: out.h5md, trajectory_every: 5, observables_every: 4, collisions: all, compression: gzip}
"""


def start():
    """Spheres in the first twelfth of the box."""
    rows = [f"{x},{y},{z}" for x in range(1, 10, 2) for y in range(1, 8, 2) for z in range(1, 8, 2)]
    return "x,y,z\n" + "\n".join(rows) + "\n"


class ManyRanks(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("input.yaml", INPUT)
        self.write("start.csv", start())
        self.succeed("run", "input.yaml", "--output", "one.h5md")

    def test_have_the_bits_of_one_rank(self):
        self.succeed("run", "input.yaml", "--output", "many.h5md", ranks=NUM_RANKS)
        self.assert_same_results("one.h5md", "many.h5md")

    def test_stop_for_one_rank_to_go_on(self):
        parts = ["run", "input.yaml", "--continue", "--output", "parts.h5md"]
        self.succeed(*parts, "--steps", "9", ranks=NUM_RANKS)
        self.succeed(*parts)
        self.assert_same_results("one.h5md", "parts.h5md")


if __name__ == "__main__":
    unittest.main()
