# SPDX-License-Identifier: BSD-3-Clause
"""Starts from frames of results: species go by their names, and dimensions must agree."""
import pathlib
import shutil
import unittest

import h5py
import numpy as np
from support.program import ProgramTest, ricochet

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
PASSING = SOURCE.replace("diffusion: 0.1, count: 10", "diffusion: 0.1, count: 600").replace(
    "output:", "contacts: {pairs: [{between: [slow, slow], pass: {}}]}\noutput:").replace("[20, 20, 20]", "[12, 12, 12]")
SWELLING = """\
box: {size: [12, 12, 12], boundary: [reflecting, periodic, periodic]}
bodies:
  - {name: peg, sphere: {centre: [6, 6, 6], radius: 2}}
species:
  - {name: small, radius: 0.1, diffusion: 5, count: 300}
  - {name: large, radius: 0.4, diffusion: 0.001, count: 0}
dynamics: {type: brownian, kT: 1}
contacts:
  pairs:
    - {between: [small, wall], react: {to: [large]}}
    - {between: [small, peg], react: {to: [large]}}
run: {timestep: 0.001, steps: 400}
output: {file: source.h5md}
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

    def test_files_that_were_cut_are_refused(self):
        self.make_source()
        content = pathlib.Path("start.h5md").read_bytes()
        pathlib.Path("start.h5md").write_bytes(content[:len(content) // 2])
        for command in ("check", "run", "study"):
            for ranks in (1, 3):
                message = self.fail_with(2, command, "start.yaml", ranks=ranks)
                self.assertRegex(message, r"start\.h5md: is cut off: it has \d+ bytes, and HDF5 wrote \d+; the file is "
                                          "damaged or was not copied to its end: take a whole one")
                self.assertEqual(message.count("start.h5md"), 1, message)
                self.assertNotIn("eof", message)
        self.assertNotIn("eof", ricochet("info", "start.h5md").stderr)

    def test_flat_results_start_no_box(self):
        self.make_source(FLAT)
        said = "start.h5md: has positions in two dimensions, expected three as box.size has"
        self.assertEqual(self.fail_with(2, "run", "start.yaml", ranks=2).count(said), 1)
        self.write("start.yaml", START.replace("[20, 20, 20]", "[20, 20]"))
        self.succeed("run", "start.yaml")
        self.assertEqual(self.counts(), [30, 10])

    def write_groups(self, with_species=False):
        """Two groups of particles, as programs write them that keep species apart."""
        sites = np.stack(np.meshgrid(*[np.arange(5)] * 3), -1).reshape(-1, 3) * 2.0 + 1
        with h5py.File("start.h5md", "w") as file:
            file.create_group("h5md").attrs["version"] = [1, 1]
            for number, (name, some) in enumerate((("fast", sites[:60]), ("slow", sites[60:]))):
                group = file.create_group(f"particles/{name}")
                group["position/step"], group["position/time"] = [0], [0.0]
                group["position/value"] = some[None]
                group["box/edges"] = [20.0, 20.0, 20.0]
                if with_species:
                    group["species"] = np.full(len(some), 1 - number)
        self.write("start.yaml", START)

    def test_all_groups_are_read(self):
        for with_species, counts in ((False, [60, 65]), (True, [65, 60])):
            self.write_groups(with_species)
            for ranks in (1, 3):
                out = self.succeed("run", "start.yaml", "--force", ranks=ranks)
                self.assertIn("125 particles of the groups fast, slow were read together", out)
                self.assertEqual(self.counts(), counts)
        self.succeed("run", "start.yaml", "--force", "--set", "placement.group=slow")
        self.assertEqual(self.counts(), [65, 0])
        self.assertIn("has no group thick of particles, expected one of fast, slow", self.fail_with(
            2, "check", "start.yaml", "--set", "placement.group=thick", ranks=2))

    def test_a_particle_in_two_groups_is_refused(self):
        self.write_groups()
        with h5py.File("start.h5md", "r+") as file:
            file["particles/fast/position/value"][0, 0] = file["particles/slow/position/value"][0, 0]
        message = self.fail_with(2, "run", "start.yaml", ranks=3)
        self.assertIn("overlaps particle", message)
        self.assertIn("the groups fast, slow were read together, placement.group chooses one", message)
        self.write_groups()
        with h5py.File("start.h5md", "r+") as file:
            file["particles/fast/position/step"][0] = 7
        self.assertIn("got step 7 of group fast and step 0 of group slow", self.fail_with(2, "run", "start.yaml"))

    def test_another_box_and_other_units_are_refused(self):
        self.make_source(SOURCE + "units: {length: nm}\n")
        self.succeed("run", "start.yaml")
        for ranks in (1, 3):
            said = "start.h5md: box/edges: got 20 x 20 x 20, expected 32 x 32 x 32 as box.size has"
            self.assertIn(said, self.fail_with(2, "run", "start.yaml", "--force", "--set", "box.size=[32, 32, 32]",
                                               ranks=ranks))
            said = "start.h5md: unit of length: got nm, expected um as units.length has"
            self.assertIn(said, self.fail_with(2, "run", "start.yaml", "--force", "--set", "units.length=um",
                                               ranks=ranks))
        self.succeed("run", "start.yaml", "--force", "--set", "units.length=nm")

    def test_another_unit_of_velocities_is_refused(self):
        for name, text in (("source.yaml", SOURCE), ("start.yaml", START)):
            self.write(name, text.replace("diffusion: 0.1", "mass: 1").replace("diffusion: 5", "mass: 2")
                       .replace("type: brownian", "type: ballistic"))
        self.succeed("run", "source.yaml")
        shutil.copy("source.h5md", "start.h5md")
        units = ("--set", "units.length=nm", "--set", "units.time=ps")
        for unit, wrong in (("Angstrom ps-1", "length in velocity: got Angstrom, expected nm as units.length has"),
                            ("nm/fs", "time in velocity: got fs, expected ps as units.time has"),
                            ("nanometer picosecond^-1", None), ("m s-1 kg", None)):
            with h5py.File("start.h5md", "r+") as file:
                file["particles/trajectory/velocity/value"].attrs["unit"] = unit
            if wrong is None:
                self.succeed("run", "start.yaml", "--force", *units)
                continue
            for ranks in (1, 3):
                self.assertIn(f"start.h5md: unit of {wrong}",
                              self.fail_with(2, "run", "start.yaml", "--force", *units, ranks=ranks))
            self.succeed("run", "start.yaml", "--force", *units, "--set", "dynamics.velocities=maxwell")

    def test_allowed_overlaps_start_another_run(self):
        self.write("source.yaml", PASSING)
        self.succeed("run", "source.yaml", "--set", "run.steps=400")
        again = PASSING.replace(", count: 600", "").replace(", count: 30", "").replace("source.h5md", "next.h5md")
        self.write("start.yaml", again + "placement: {method: file, path: source.h5md}\n")
        for ranks in (1, 3):
            out = self.succeed("run", "start.yaml", "--force", ranks=ranks)
            self.assertIn(" pairs overlap, which contact rules allow", out)
        self.assertIn("overlaps particle", self.fail_with(2, "run", "start.yaml", "--force", "--set", "contacts="))
        message = self.fail_with(2, "run", "start.yaml", "--force", "--set", "run.equilibrate.collisions_per_particle=1")
        self.assertIn("overlaps particle", message)
        self.assertEqual(message.count("source.h5md: while the run equilibrates all particles bounce"), 1)

    def test_products_may_reach_into_walls_and_bodies(self):
        """Small particles become large ones at a wall and a peg; the last frame starts a run that goes on from there."""
        self.write("source.yaml", SWELLING)
        self.succeed("run", "source.yaml", ranks=2)
        again = SWELLING.replace(", count: 300", "").replace(", count: 0", "").replace("source.h5md", "next.h5md")
        self.write("start.yaml", again + "placement: {method: file, path: source.h5md, frame: last}\n")
        for ranks in (1, 3):
            out = self.succeed("run", "start.yaml", "--force", ranks=ranks)
            self.assertRegex(out, r"\d\d of 300 particles reach into walls or bodies, which contact rules allow")
            shutil.copy("next.h5md", f"next_{ranks}.h5md")
        self.assert_same_results("next_1.h5md", "next_3.h5md")
        with h5py.File("next.h5md") as file:
            place = file["particles/trajectory/position/value"][-1]
        self.assertTrue(((place[:, 0] > 0) & (place[:, 0] < 12)).all())
        self.assertTrue((np.linalg.norm(place - 6, axis=1) > 2).all())
        message = self.fail_with(2, "run", "start.yaml", "--force", "--set", "run.equilibrate.collisions_per_particle=1")
        self.assertIn("expected a centre at least its radius 0.4 from the walls", message)
        self.assertIn("overlaps the body peg", message)
        self.assertIn("so that none may overlap others, walls or bodies at its start", message)
        alone = self.fail_with(2, "run", "start.yaml", "--force", "--set", "contacts=")
        self.assertIn("overlaps the body peg", alone)
        with h5py.File("source.h5md", "r+") as file:
            position = file["particles/trajectory/position/value"]
            large = int(np.flatnonzero(file["particles/trajectory/species/value"][-1] == 1)[0])
            place = position[-1, large]
            position[-1, large] = (-0.1, place[1], place[2])
        self.assertIn("got -0.1, expected a centre between the walls", self.fail_with(2, "run", "start.yaml", "--force"))


if __name__ == "__main__":
    unittest.main()
