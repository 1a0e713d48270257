# SPDX-License-Identifier: BSD-3-Clause
"""Frames, samples and blocks of the log are written from memory that a run keeps: more of them touch no more of it."""
import pathlib
import resource
import unittest

from support.program import ProgramTest

GAS = """\
box: {size: [40, 40, 40], boundary: periodic}
species: [{name: ball, radius: 0.5, mass: 1, count: 20000}]
placement: {method: lattice, type: sc}
dynamics: {type: ballistic, kT: 1}
run: {timestep: 0.02, steps: 20, seed: 3, equilibrate: {collisions_per_particle: 0}}
output: {file: gas.h5md, trajectory_every: 1, observables_every: 1, collisions: all}
"""
FRAME_PAGES = 20000 * (3 + 3) * 8 // resource.getpagesize()  # of positions and velocities alone
# A log of about 1.1 MB a step, and nothing else.
LOG = """\
box: {size: [33, 33, 33], boundary: periodic}
species: [{name: ball, radius: 0.5, mass: 1, count: 20000}]
placement: {method: lattice, type: sc}
dynamics: {type: ballistic, kT: 1}
run: {timestep: 0.1, steps: 40, seed: 3, equilibrate: {collisions_per_particle: 3}}
output: {file: log.h5md, trajectory_every: 0, observables_every: 0, collisions: all}
"""


class KeptMemory(ProgramTest):
    def faults_of(self, *options):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
        self.succeed("run", "input.yaml", "--force", *options)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before

    def test_later_frames_touch_no_new_memory(self):
        self.write("input.yaml", GAS)
        self.faults_of()  # whatever the first start of the program has to do
        for name, options in (("frames", ()), ("packed", ("--set", "output.compression=gzip")),
                              ("checkpoints", ("--set", "output.checkpoint.every_steps=2"))):
            few, many = (self.faults_of("--steps", steps, *options) for steps in (20, 60))
            self.assertLess((many - few) / 40, FRAME_PAGES / 4, name)
            pathlib.Path("gas.h5md").unlink()

    def test_later_blocks_touch_no_new_memory(self):
        """Of the log. The block that is being filled may be fuller in the longer run, by what comes in a quarter of a second."""
        self.write("input.yaml", LOG)
        self.faults_of()
        (few, short), (many, long) = ((self.faults_of("--steps", steps), pathlib.Path("log.h5md").stat().st_size)
                                      for steps in (40, 240))
        pages = (long - short) // resource.getpagesize()
        self.assertGreater(pages, 40000)
        self.assertLess(many - few, pages / 8)


if __name__ == "__main__":
    unittest.main()
