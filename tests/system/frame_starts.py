# SPDX-License-Identifier: BSD-3-Clause
"""Starts from frames of results: species go by their names, and dimensions must agree."""
import shutil
import unittest

import h5py
from support.program import ProgramTest

SOURCE = """\
box: {size: [20, 20, 20]}
species:
  - {name: slow, radius: 0.5, diffusion: 0.1, count: 10}
  - {name: fast, radius: 0.5, diffusion: 5, count: 30}
dynamics: {type: brownian, kT: 1}
run: {timestep: 0.001, steps: 4}
output: {file: source.h5md}
"""
START = """\
box: {size: [20, 20, 20]}
species:
  - {name: fast, radius: 0.5, diffusion: 5}
  - {name: slow, radius: 0.5, diffusion: 0.1}
placement: {method: file, path: start.h5md}
dynamics: {type: brownian, kT: 1}
run: {timestep: 0.001, steps: 4}
output: {file: next.h5md}
"""
FLAT = SOURCE.replace("[20, 20, 20]", "[20, 20]")


class FrameStarts(ProgramTest):
    def make_source(self, text=SOURCE):
        self.write("source.yaml", text)
        self.succeed("run", "source.yaml")
        shutil.copy("source.h5md", "start.h5md")
        self.write("start.yaml", START)

    def counts(self):
        """Of the species in the first frame, by number."""
        with h5py.File("next.h5md") as file:
            numbers = list(file["particles/trajectory/species/value"][0])
        return [numbers.count(0), numbers.count(1)]

    def test_species_are_found_by_their_names(self):
        self.make_source()
        for ranks in (1, 3):
            out = self.succeed("run", "start.yaml", "--force", ranks=ranks)
            self.assertEqual(self.counts(), [30, 10])
            self.assertNotIn("does not name its species", out)
            shutil.copy("next.h5md", f"next_{ranks}.h5md")
        self.assert_same_results("next_1.h5md", "next_3.h5md")

    def test_other_names_are_refused(self):
        self.make_source()
        self.write("start.yaml", START.replace("name: fast", "name: quick"))
        for ranks in (1, 3):
            message = self.fail_with(2, "run", "start.yaml", ranks=ranks)
            self.assertEqual(message.count("species: got fast, expected one of quick, slow"), 10, message)
            self.assertEqual(message.count("and 20 more unknown species"), 1, message)

    def test_numbers_count_where_there_are_no_names(self):
        self.make_source()
        with h5py.File("start.h5md", "r+") as file:
            del file["ricochet"]
        said = "start.h5md does not name its species: their numbers, from 0, are taken as those of fast, slow"
        self.assertEqual(self.succeed("check", "start.yaml", ranks=2).count(said), 1)
        self.assertEqual(self.succeed("run", "start.yaml", ranks=2).count(said), 1)
        self.assertEqual(self.counts(), [10, 30])

    def test_flat_results_start_no_box(self):
        self.make_source(FLAT)
        said = "start.h5md: has positions in two dimensions, expected three as box.size has"
        self.assertEqual(self.fail_with(2, "run", "start.yaml", ranks=2).count(said), 1)
        self.write("start.yaml", START.replace("[20, 20, 20]", "[20, 20]"))
        self.succeed("run", "start.yaml")
        self.assertEqual(self.counts(), [30, 10])


if __name__ == "__main__":
    unittest.main()
