# SPDX-License-Identifier: BSD-3-Clause
"""Starts from texts: every export starts the run that the result itself starts, and files of other programs are read."""
import gzip
import pathlib
import re
import shutil
import unittest

import h5py
import numpy as np
from support.program import ProgramTest

SOURCE = """\
box: {size: [12, 12, 12], boundary: [periodic, periodic, reflecting]}
species:
  - {name: A, radius: 0.5, mass: 1, count: 60}
  - {name: B, radius: 0.4, mass: 2, count: 40}
dynamics: {type: ballistic, kT: 1}
run: {timestep: 0.1, steps: 8}
output: {file: source.h5md, trajectory_every: 2}
"""
START = SOURCE.replace(", count: 60", "").replace(", count: 40", "").replace("source.h5md", "next.h5md").replace(
    "kT: 1", "kT: 1, velocities: given") + "placement: {method: file, path: source.h5md}\n"
FLAT = {"[12, 12, 12]": "[25, 20]", "[periodic, periodic, reflecting]": "[periodic, reflecting]"}
LAST = "frame 4, the last of 5 frames, was read (placement.frame chooses another)"

# One species in a periodic box of 10 x 10 x 10, for files of other programs.
ONE = """\
box: {size: [10, 10, 10], boundary: periodic}
species: [{name: ball, radius: 0.5, mass: 1}]
placement: {method: file, path: start}
dynamics: {type: ballistic, kT: 1, velocities: maxwell}
run: {timestep: 0.1, steps: 1}
output: {file: one.h5md}
"""
# As ase.io.write(..., format="extxyz") writes it.
ASE = """\
2
Lattice="10.0 0.0 0.0 0.0 10.0 0.0 0.0 0.0 10.0" Properties=species:S:1:pos:R:3:momenta:R:3:charge:R:1 pbc="T T T"
Ar       1.00000000       2.00000000       3.00000000       0.1 0.2 0.3  1
Ar      -1.00000000       5.00000000       4.00000000       0.0 0.0 0.0 -1
"""
# As OVITO writes a box about the origin.
OVITO = """\
2
Lattice="10 0 0 0 10 0 0 0 10" Origin="-5 -5 -5" Properties=id:I:1:species:S:1:pos:R:3:velo:R:3 Time=0
7 ball -4 -3 -2 1 0 0
9 ball 4 0 -1 0 1 0
"""
PLAIN = "2\nmade by hand\nAr 1 2 3\nAr 9 5 4 0.7\n"
DUMP = """\
ITEM: UNITS
lj
ITEM: TIME
0.5
ITEM: TIMESTEP
100
ITEM: NUMBER OF ATOMS
2
ITEM: BOX BOUNDS pp pp pp
-5.0000000000000000e+00 5.0000000000000000e+00
-5.0000000000000000e+00 5.0000000000000000e+00
-5.0000000000000000e+00 5.0000000000000000e+00
ITEM: ATOMS id type q xs ys zs
1 1 0.5 0.1 0.2 0.3
2 1 0.5 0.9 0.5 0.4
"""
DATA = """\
LAMMPS data file via write_data, version 2 Aug 2023, timestep = 100

2 atoms
1 atom types

-5 5 xlo xhi
-5 5 ylo yhi
-5 5 zlo zhi

Masses

1 3

Atoms # sphere

2 1 1 1.5 -4 -3 -2 0 0 0
1 1 0.5 1.5 4 0 -1 1 0 0

Velocities

2 1 0 0 0 0 0
1 0 2 0 0 0 0
"""


class TextStarts(ProgramTest):
    def make_source(self, changes=()):
        source, start = SOURCE, START
        for old, new in dict(changes).items():
            source, start = source.replace(old, new), start.replace(old, new)
        self.write("source.yaml", source)
        self.write("start.yaml", start)
        self.succeed("run", "source.yaml", "--force")
        self.succeed("run", "start.yaml", "--force")
        shutil.move("next.h5md", "expected.h5md")

    def start(self, path, *settings, ranks=1):
        sets = [part for setting in (f"placement.path={path}", *settings) for part in ("--set", setting)]
        return self.succeed("run", "start.yaml", "--force", *sets, ranks=ranks)

    def test_exports_start_what_the_result_starts(self):
        for changes in ((), FLAT):
            self.make_source(changes)
            for form in ("csv", "xyz", "lammps"):
                self.succeed("export", "source.h5md", "--format", form, "--output", f"frames.{form}", "--force")
                for ranks in (1, 3):
                    out = self.start(f"frames.{form}", ranks=ranks)
                    self.assertEqual(out.count(f"frames.{form}: {LAST}"), 1, out)
                    self.assert_same_results("next.h5md", "expected.h5md")

    def test_other_frames_are_chosen(self):
        self.make_source()
        self.start("source.h5md", "placement.frame=2")
        shutil.move("next.h5md", "expected.h5md")
        for form in ("csv", "xyz", "lammps"):
            self.succeed("export", "source.h5md", "--format", form, "--output", f"frames.{form}")
            self.assertNotIn("the last of", self.start(f"frames.{form}", "placement.frame=2"))
            self.assert_same_results("next.h5md", "expected.h5md")
            message = self.fail_with(2, "check", "start.yaml", "--set", f"placement.path=frames.{form}", "--set",
                                     "placement.frame=5")
            self.assertRegex(message, "got 5 frames, of frame 0 to 4, expected one of number 5|got 5 frames, expected one of number 5")
        self.succeed("export", "source.h5md", "--format", "csv", "--frames", "2", "--output", "one.csv")
        self.assertNotIn("the last of", self.start("one.csv"))
        self.assert_same_results("next.h5md", "expected.h5md")

    def test_packed_texts_are_read(self):
        self.make_source()
        self.succeed("export", "source.h5md", "--format", "csv")
        text = pathlib.Path("source.csv").read_bytes()
        pathlib.Path("packed.csv.gz").write_bytes(gzip.compress(text))
        for ranks in (1, 3):
            self.start("packed.csv.gz", ranks=ranks)
            self.assert_same_results("next.h5md", "expected.h5md")
        pathlib.Path("packed.csv.gz").write_bytes(gzip.compress(text)[:-500])
        self.assertIn("packed.csv.gz: cannot be unpacked", self.fail_with(
            2, "run", "start.yaml", "--set", "placement.path=packed.csv.gz", "--force", ranks=2))
        pathlib.Path("packed.h5").write_bytes(gzip.compress(pathlib.Path("source.h5md").read_bytes()))
        self.assertIn("got HDF5 packed by gzip, expected it unpacked (gunzip)", self.fail_with(
            2, "run", "start.yaml", "--set", "placement.path=packed.h5", "--force"))

    def test_a_torn_last_frame_is_refused(self):
        self.make_source()
        for form, said in (("xyz", "as its first line says"), ("lammps", "as NUMBER OF ATOMS says")):
            self.succeed("export", "source.h5md", "--format", form, "--output", f"frames.{form}")
            lines = pathlib.Path(f"frames.{form}").read_text().splitlines(keepends=True)
            self.write(f"frames.{form}", "".join(lines[:-3]))
            message = self.fail_with(2, "check", "start.yaml", "--set", f"placement.path=frames.{form}", ranks=2)
            self.assertIn("placement.frame chooses a complete one", message)
            self.assertIn(said, message)
            self.start(f"frames.{form}", "placement.frame=3")

    def read(self, text, *settings):
        """Positions of the first frame, by id, and what was said."""
        self.write("one.yaml", ONE)
        self.write("start", text)
        sets = [part for setting in settings for part in ("--set", setting)]
        out = self.succeed("run", "one.yaml", "--force", *sets)
        with h5py.File("one.h5md") as file:
            frame = {name: file[f"particles/trajectory/{name}/value"][0]
                     for name in ("position", "velocity", "id", "image", "species")}
            frame["mass"] = file["particles/trajectory/mass"][()]
            self.assertEqual(file["ricochet/species"].attrs["count"].sum(), len(frame["id"]))
            return frame, out

    def assert_positions(self, frame, expected):
        np.testing.assert_allclose(frame["position"], expected, rtol=0, atol=1e-14)

    def test_files_of_other_programs_are_read(self):
        frame, out = self.read(ASE)
        self.assert_positions(frame, [[1, 2, 3], [9, 5, 4]])
        self.assertEqual(frame["image"].tolist(), [[0, 0, 0], [-1, 0, 0]])
        self.assertIn("the only species is called Ar and was read as ball", out)
        self.assertIn("columns without use here were left out: momenta, charge", out)
        frame, out = self.read(OVITO, "dynamics.velocities=given")
        self.assert_positions(frame, [[1, 2, 3], [9, 5, 4]])
        self.assertEqual(frame["velocity"].tolist(), [[1, 0, 0], [0, 1, 0]])
        self.assertEqual(frame["id"].tolist(), [7, 9])
        self.assertIn("positions are counted from the lowest corner of the file's box", out)
        self.assertNotIn("are replaced by new ones", out)
        out = self.read(OVITO, "dynamics.velocities=maxwell")[1]
        self.assertIn("velocities of start are replaced by new ones; dynamics.velocities: given keeps them", out)
        frame, out = self.read(OVITO, "dynamics.velocities=given_or_maxwell")
        self.assertEqual(frame["velocity"].tolist(), [[1, 0, 0], [0, 1, 0]])
        frame, out = self.read(PLAIN)
        self.assert_positions(frame, [[1, 2, 3], [9, 5, 4]])
        self.assertIn("values without a name were left out in 1 of 2 rows", out)
        frame, out = self.read("timestep id x y z\n0 0 1 2 3\n0 1 9 5 4\n500 0 2 2 3\n500 1 8 5 4\n")
        self.assert_positions(frame, [[2, 2, 3], [8, 5, 4]])
        self.assertIn("timestep 500, the last of 2 frames, was read", out)
        frame, out = self.read(DUMP)
        self.assert_positions(frame, [[1, 2, 3], [9, 5, 4]])
        self.assertIn("columns without use here were left out: q", out)
        self.assertEqual(frame["id"].tolist(), [0, 1])
        frame, out = self.read(DATA, "dynamics.velocities=given")
        self.assertEqual(frame["id"].tolist(), [0, 1])
        self.assert_positions(frame, [[9, 5, 4], [1, 2, 3]])
        self.assertEqual(frame["velocity"].tolist(), [[0, 2, 0], [1, 0, 0]])
        self.assertEqual(frame["image"].tolist(), [[1, 0, 0], [0, 0, 0]])
        self.assertIn("1 of 2 radii are those of the file", out)
        without_title = "\n".join(["", *DATA.splitlines()[2:]]) + "\n"
        self.assert_positions(self.read(without_title)[0], [[9, 5, 4], [1, 2, 3]])

    def test_missing_velocities_are_drawn_at_kT(self):
        frame, out = self.read(PLAIN, "dynamics.velocities=")
        self.assertIn("start has no velocities: they are drawn at dynamics.kT", out)
        drawn, out = self.read(PLAIN, "dynamics.velocities=maxwell")
        self.assertNotIn("has no velocities", out)
        self.assertEqual(frame["velocity"].tolist(), drawn["velocity"].tolist())
        self.assertTrue((frame["velocity"] != 0).all())
        for unset in ([], ["--set", "dynamics.velocities=given"]):
            self.assertIn("start: has no velocities (columns vx, vy, vz), expected them", self.fail_with(
                2, "check", "one.yaml", "--set", "dynamics.velocities=", "--set", "dynamics.kT=", *unset))

    def test_velocities_in_another_order(self):
        frame, _ = self.read(DATA.replace("2 1 0 0 0 0 0\n1 0 2 0 0 0 0", "1 0 2 0\n2 1 0 0"), "dynamics.velocities=given")
        self.assertEqual(frame["id"].tolist(), [0, 1])
        self.assertEqual(frame["velocity"].tolist(), [[0, 2, 0], [1, 0, 0]])

    def test_masses_under_labels(self):
        data = ("title\n\n2 atoms\n1 atom types\n\nAtom Type Labels\n\n1 C\n\nMasses\n\nC 3\n\n"
                "Atoms # atomic\n\n1 C 1 2 3\n2 C 9 5 4\n")
        self.assertEqual(self.read(data)[0]["mass"].tolist(), [3, 3])

    def test_boxes_in_other_forms(self):
        def other(lattice):
            return OVITO.replace('Lattice="10 0 0 0 10 0 0 0 10" Origin="-5 -5 -5"', lattice)
        for lattice in ("Lattice='10 0 0 0 10 0 0 0 10' Origin='-5 -5 -5'", "Lattice={10 0 0 0 10 0 0 0 10} Origin={-5 -5 -5}",
                        "Lattice=10 0 0 0 10 0 0 0 10 Origin=-5 -5 -5", "cell=[[10, 0, 0], [0, 10, 0], [0, 0, 10]] "
                        "origin=[-5, -5, -5]", 'name="a=b c" cell = "10 10 10" Origin = "-5 -5 -5"'):
            self.assert_positions(self.read(other(lattice))[0], [[1, 2, 3], [9, 5, 4]])
            message = self.refusal(other(lattice), "box.size=[12, 10, 10]")
            self.assertIn(f"{'cell' if 'cell' in lattice else 'Lattice'}: got 10 x 10 x 10, expected 12 x 10 x 10", message)
        self.assertIn("Lattice: got 4 numbers, expected 9", self.refusal(other("Lattice=10 0 0 1")))
        self.assertIn("pbc: got maybe, expected T or F", self.refusal(ASE.replace("T T T", "maybe")))

    def write_h5md(self, boundary=None, offset=None):
        with h5py.File("start", "w") as file:
            group = file.create_group("particles/all")
            group.create_dataset("position", data=[[-4, -3, -2], [4, 0, -1.0]])
            box = group.create_group("box")
            box["edges"] = [10.0, 10, 10]
            if boundary:
                box.attrs["boundary"] = boundary
            if offset:
                box[offset] = np.full((1, 3) if offset.endswith("value") else 3, -5.0)

    def test_more_files_of_other_programs(self):
        elements = DUMP.replace(" type ", " element ").replace(" 1 0.5 ", " Ar 0.5 ")
        for text in (ASE.replace(":charge:R:1", ":type:I:1"), elements, PLAIN.replace("Ar", "2")):
            self.assert_positions(self.read(text)[0], [[1, 2, 3], [9, 5, 4]])
        general = DUMP.replace("BOX BOUNDS pp", "BOX BOUNDS abc origin pp").replace(
            "-5.0000000000000000e+00 5.0000000000000000e+00", "{}")
        self.assert_positions(self.read(general.format("10 0 0 -5", "0 10 0 -5", "0 0 10 -5"))[0], [[1, 2, 3], [9, 5, 4]])
        self.assertIn("edges are not along the axes", self.refusal(general.format("10 1 0 -5", "0 10 0 -5", "0 0 10 -5")))
        bounds = "-5 5 xlo xhi\n-5 5 ylo yhi\n-5 5 zlo zhi\n"
        vectors = "10 0 0 avec\n0 10 0 bvec\n0 0 10 cvec\n-5 -5 -5 abc origin\n"
        self.assert_positions(self.read(DATA.replace(bounds, vectors))[0], [[9, 5, 4], [1, 2, 3]])
        self.assertIn("avec: got 10 x 10 x 10, expected 12", self.refusal(DATA.replace(bounds, vectors), "box.size=[12, 10, 10]"))
        for text in (PLAIN.replace("Ar 1", "1 1").replace("Ar 9", "2 9"), ASE.replace("species:S", "type:I").replace(
                "Ar  ", "1  ", 1).replace("Ar  ", "2  ")):
            species, out = self.species_of(text)
            self.assertEqual(species, [0, 1])
            self.assertIn("types, from 1, were read as species in the order of the input: a, b", out)
        self.assertIn("start:3:1: got 1.0, expected the name of a species before its coordinates",
                      self.refusal("1\n\n1.0 2 3 0.5\n"))
        self.assertIn("start:3:1: got 3 values, expected 4 for a name and three coordinates", self.refusal("1\n\n1 2 3\n"))

    def test_offset_of_a_box(self):
        self.write("one.yaml", ONE)
        corner = [[1, 2, 3], [9, 5, 4]]
        for offset, expected in (("offset", corner), ("offset/value", corner), (None, [[6, 7, 8], [4, 0, 9]])):
            self.write_h5md(offset=offset)
            self.succeed("run", "one.yaml", "--force")
            with h5py.File("one.h5md") as file:
                self.assert_positions({"position": file["particles/trajectory/position/value"][0]}, expected)

    def test_boundaries_are_compared(self):
        slit = "box.boundary=[periodic, periodic, reflecting]"
        said = "expected walls along z as box.boundary has (a file without the word for periodic may start between walls)"
        self.assertIn(f"start: pbc: got T T T, {said}", self.refusal(ASE, slit))
        self.assertIn(f"start: BOX BOUNDS: got pp pp pp, {said}", self.refusal(DUMP, slit))
        for text, words in ((ASE.replace("T T T", "T T F"), "pbc: T T F"), (DUMP.replace("pp pp pp", "pp pp fs"),
                                                                           "BOX BOUNDS: pp pp fs")):
            self.assertIn(f"the box is periodic along z, though the file has {words}", self.read(text)[1])
            self.assertNotIn("though the file", self.read(text, slit)[1])
        self.assertNotIn("though the file", self.read(ASE)[1] + self.read(DUMP)[1] + self.read(OVITO)[1])
        no_box = ASE.replace('Lattice="10.0 0.0 0.0 0.0 10.0 0.0 0.0 0.0 10.0" ', "").replace("T T T", "F F F")
        self.assertNotIn("though the file", self.read(no_box)[1])
        self.write("one.yaml", ONE)
        self.write_h5md(["periodic", "periodic", "periodic"], "offset")
        self.assertIn("the box has walls along z, though the file has box/boundary: periodic periodic periodic",
                      self.succeed("check", "one.yaml", "--set", slit))
        with h5py.File("start", "r+") as file:
            file.create_group("ricochet")
        for ranks in (1, 2):
            self.assertIn(f"start: box/boundary: got periodic periodic periodic, {said}",
                          self.fail_with(2, "check", "one.yaml", "--set", slit, ranks=ranks))
        self.write_h5md("none", "offset")
        self.succeed("check", "one.yaml", "--set", slit)
        self.assertIn("the box is periodic along x, y, z, though the file has box/boundary: none none none",
                      self.succeed("check", "one.yaml"))

    def test_units_of_lammps_are_compared(self):
        title = "LAMMPS data file via write_data, version 2 Aug 2023, timestep = 100"
        for make in (lambda style: DUMP.replace("\nlj\n", f"\n{style}\n"),
                     lambda style: DATA.replace(title, f"{title}, units = {style}")):
            self.assertIn("start: unit of length: got nm, expected um as units.length has",
                          self.refusal(make("nano"), "units.length=um"))
            self.assertIn("start: unit of time: got ps, expected fs as units.time has",
                          self.refusal(make("metal"), "units.length=A", "units.time=fs"))
            self.read(make("nano"), "units.length=nanometer", "units.time=ns")
            self.read(make("nano"))
            self.read(make("lj"), "units.length=um")

    def refusal(self, text, *settings, ranks=1):
        self.write("one.yaml", ONE)
        self.write("start", text)
        sets = [part for setting in settings for part in ("--set", setting)]
        return self.fail_with(2, "check", "one.yaml", *sets, ranks=ranks)

    def test_what_is_not_certain_is_refused(self):
        other_box = "expected 12 x 10 x 10 as box.size has"
        for text, name in ((ASE, "Lattice"), (OVITO, "Lattice"), (DUMP, "BOX BOUNDS"), (DATA, "xlo xhi")):
            self.assertIn(f"{name}: got 10 x 10 x 10, {other_box}", self.refusal(text, "box.size=[12, 10, 10]"))
        self.assertIn("a box whose edges are not along the axes", self.refusal(ASE.replace("10.0 0.0 0.0 0", "10.0 1 0 0")))
        self.assertIn("expected Ar as before, for one species", self.refusal(ASE.replace("\nAr      -", "\nKr      -")))
        two = "species=[{name: a, radius: 0.5, mass: 1}, {name: b, radius: 0.5, mass: 1}]"
        self.assertIn("species: got Ar, expected one of a, b", self.refusal(ASE, two))
        self.assertIn("type: got 2, expected a whole number from 1 to 1", self.refusal(DUMP.replace("2 1 0.5", "2 2 0.5")))
        self.assertIn("got 0, expected a whole number from 1", self.refusal(DUMP.replace("1 1 0.5", "0 1 0.5")))
        self.assertIn("start:19: Velocities: got none of atom 2, expected one for each of 2 atoms",
                      self.refusal(DATA.replace("2 1 0 0 0 0 0", "3 1 0 0 0 0 0")))
        self.assertIn("start:19: Velocities: got atom 1 twice", self.refusal(DATA.replace("2 1 0 0 0 0 0", "1 1 0 0 0 0 0")))
        self.assertIn("expected Atoms # STYLE", self.refusal(DATA.replace(" # sphere", " # dipole")))
        self.assertIn("got 2 atoms, expected 3 as the header says", self.refusal(DATA.replace("2 atoms", "3 atoms")))

    def species_of(self, text, *settings, names="[{name: a, radius: 0.5, mass: 1}, {name: b, radius: 0.4, mass: 2}]"):
        """Numbers of species by id, and what was said."""
        frame, out = self.read(text, f"species={names}", *settings)
        return frame["species"].tolist(), out

    def test_names_count_more_than_numbers(self):
        """A type is a number of the file, whose species may stand in another order than those of the input."""
        dump = DUMP.replace("id type", "id element type").replace("\n1 1 ", "\n1 b 1 ").replace("\n2 1 ", "\n2 a 7 ")
        species, out = self.species_of(dump)
        self.assertEqual(species, [1, 0])
        self.assertIn("species were read by their names in column element", out)
        data = DATA.replace("2 atoms\n", "2 atoms\n3 atom types\n").replace("1 atom types\n", "")
        labels = "Atom Type Labels\n\n1 b\n2 c\n3 a\n\nAtoms"
        species, out = self.species_of(data.replace("Atoms", labels))
        self.assertEqual(species, [1, 1])
        self.assertIn("types were read as species by the names that the file has for them", out)
        masses = "Masses\n\n1 1.5 # a\n2 2.5 # c\n3 3.5 # b\n"
        self.assertEqual(self.species_of(data.replace("Masses\n\n1 3\n", masses))[0], [0, 0])
        masses = "Masses\n\n1 1.5 # a\n2 2.5\n3 3.5\n"
        species, out = self.species_of(data.replace("Masses\n\n1 3\n", masses))
        self.assertEqual(species, [0, 0])
        self.assertIn("types were read as species by the names that the file has for them", out)
        self.assertNotIn("none of the file's names", self.species_of(data.replace("1 3\n", "1 3\n2 1\n3 1\n"))[1])
        # No name of the file is one of the input.
        for text in (dump.replace(" b 1 ", " Ar 1 ").replace(" a 7 ", " Kr 2 "), data.replace("Atoms", labels.replace(
                "1 b", "1 Ar").replace("3 a", "3 Kr"))):
            self.assertIn("none of the file's names for them is one of these", self.species_of(text)[1])

    def test_contradicting_names_are_refused(self):
        two = "species=[{name: a, radius: 0.5, mass: 1}, {name: b, radius: 0.4, mass: 2}]"
        dump = DUMP.replace("id type", "id element type").replace("\n1 1 ", "\n1 b 1 ").replace("\n2 1 ", "\n2 c 1 ")
        self.assertIn("element: got c, expected one of a, b", self.refusal(dump, two))
        self.assertIn("element: got b, expected no species of the input, as in the rows above", self.refusal(
            dump.replace(" b 1 ", " c 1 ").replace("\n2 c 1 ", "\n2 b 2 "), two))
        data = DATA.replace("2 atoms\n", "2 atoms\n2 atom types\n").replace("1 atom types\n", "")
        labels = data.replace("Atoms", "Atom Type Labels\n\n1 c\n2 a\n\nAtoms")
        self.assertIn("got c, expected one of a, b", self.refusal(labels, two))
        masses = data.replace("Masses\n\n1 3\n", "Masses\n\n1 1.5\n2 2.5 # a\n")
        self.assertIn("species: got no name of number 1, expected one of a, b", self.refusal(masses, two))

    def test_enumerations_name_species(self):
        for names, expected in ((("b", "a"), [0, 1]), (("a", "b"), [1, 0])):
            with h5py.File("start", "w") as file:
                group = file.create_group("particles/all")
                group.create_dataset("position", data=[[1, 2, 3], [4, 5, 6.0]])
                numbers = h5py.enum_dtype({name: k for k, name in enumerate(names)}, basetype="i2")
                group.create_dataset("species", data=[1, 0], dtype=numbers)
            start = pathlib.Path("start").read_bytes()
            self.write("one.yaml", ONE)
            pathlib.Path("start").write_bytes(start)
            species = "species=[{name: a, radius: 0.5, mass: 1}, {name: b, radius: 0.4, mass: 2}]"
            self.succeed("run", "one.yaml", "--force", "--set", species)
            with h5py.File("one.h5md") as file:
                self.assertEqual(file["particles/trajectory/species/value"][0].tolist(), expected)
        message = self.fail_with(2, "run", "one.yaml", "--force", "--set", species.replace("name: a", "name: c"))
        self.assertIn("got a, expected one of c, b", message)

    def test_texts_name_species(self):
        """Of fixed and of variable length, with and without time, padded by zeros or blanks."""
        two = ("--set", "species=[{name: a, radius: 0.5, mass: 1}, {name: b, radius: 0.4, mass: 2}]")
        variable = np.array(["b", "a", "b"], dtype=h5py.string_dtype())
        for words in (np.array([b"b", b"a", b"b"]), np.array([b"b ", b"a", b"b"], "S4"), variable):
            for name in ("species", "species/value"):
                with h5py.File("start", "w") as file:
                    group = file.create_group("particles/all")
                    positions = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9.0]])
                    group["position/value" if "/" in name else "position"] = positions[None] if "/" in name else positions
                    group.create_dataset(name, data=words[None] if "/" in name else words, dtype=words.dtype)
                self.write("one.yaml", ONE)
                out = self.succeed("run", "one.yaml", "--force", *two, ranks=2)
                self.assertNotIn("does not name its species", out)
                with h5py.File("one.h5md") as file:
                    self.assertEqual(file["particles/trajectory/species/value"][0].tolist(), [1, 0, 1])
        message = self.fail_with(2, "run", "one.yaml", "--force", "--set", two[1].replace("name: a", "name: c"))
        self.assertIn("start: row 1: species: got a, expected one of c, b", message)
        with h5py.File("start", "r+") as file:
            del file["particles/all/species"]
            file["particles/all/species"] = np.array([b"a", b"b"])
        self.assertIn("the shape of species does not fit that of position", self.fail_with(2, "check", "one.yaml", *two))

    def test_labels_of_a_dump_name_species(self):
        two = "species=[{name: a, radius: 0.5, mass: 1}, {name: b, radius: 0.4, mass: 2}]"
        labels = DUMP.replace("\n1 1 0.5 ", "\n1 b 0.5 ").replace("\n2 1 0.5 ", "\n2 a 0.5 ").replace(" type ", " typelabel ")
        self.assertEqual(self.read(labels, two)[0]["species"].tolist(), [1, 0])
        both = labels.replace("id typelabel ", "id type typelabel ").replace("\n1 b", "\n1 7 b").replace("\n2 a", "\n2 7 a")
        frame, out = self.read(both, two)
        self.assertEqual(frame["species"].tolist(), [1, 0])
        self.assertIn("species were read by their names in column typelabel", out)
        self.assertIn("typelabel: got c, expected one of a, b", self.refusal(both.replace("7 a", "7 c"), two))
        all_three = both.replace("typelabel ", "element typelabel ").replace(" 7 ", " 7 a ")
        self.assertEqual(self.read(all_three, two)[0]["species"].tolist(), [1, 0])

    def test_a_file_without_line_end_may_be_cut(self):
        said = "start: its last line has no line end: if the file was cut, so was the last number"
        positions = DATA[:DATA.index("\nVelocities")]
        for text in (ASE, OVITO, PLAIN, DUMP, DATA, positions, "x,y,z\n1,2,3\n4,5,6.25\n"):
            self.assertNotIn("line end", self.read(text)[1])
            self.assertIn(said, self.read(text.rstrip("\n"))[1])
        self.assertNotIn("line end", self.read((DUMP + DUMP).rstrip("\n"), "placement.frame=0")[1])

    def test_a_missing_boundary_is_said(self):
        self.write("one.yaml", ONE)
        for boundary, is_said in ((None, True), (["none"] * 3, False), (["periodic"] * 3, False)):
            self.write_h5md(boundary, "offset")
            for box, axes in (("periodic", "x, y, z"), ("[reflecting, periodic, reflecting]", "y")):
                said = f"the box is periodic along {axes}, of which the file says nothing (no box/boundary)"
                out = self.succeed("check", "one.yaml", "--set", f"box.boundary={box}")
                self.assertEqual(said in out, is_said, (boundary, box))
            self.assertNotIn("says nothing", self.succeed("check", "one.yaml", "--set", "box.boundary=reflecting"))

    def test_names_for_vmd_name_species(self):
        for names, expected in (((b"b", b"a"), [0, 1]), ((b"He", b"Ar"), [1, 0])):
            with h5py.File("start", "w") as file:
                group = file.create_group("particles/all")
                group.create_dataset("position", data=[[1, 2, 3], [4, 5, 6.0]])
                group.create_dataset("species", data=[1, 0])
                names_for_vmd = file.create_group("parameters/vmd_structure")
                names_for_vmd["indexOfSpecies"], names_for_vmd["name"] = [0, 1], np.array(names, "S16")
            self.write("one.yaml", ONE)
            out = self.succeed("run", "one.yaml", "--force", "--set",
                               "species=[{name: a, radius: 0.5, mass: 1}, {name: b, radius: 0.4, mass: 2}]")
            with h5py.File("one.h5md") as file:
                self.assertEqual(file["particles/trajectory/species/value"][0].tolist(), expected)
            self.assertEqual("does not name its species" in out, names[0] == b"He")

    def test_exports_start_species_in_another_order(self):
        self.make_source()
        for form in ("csv", "xyz", "lammps"):
            self.succeed("export", "source.h5md", "--format", form, "--output", f"frames.{form}", "--force")
        text = pathlib.Path("start.yaml").read_text()
        species = re.findall(r"(?m)^  - \{name: .*\n", text)
        self.assertEqual(len(species), 2)
        self.write("start.yaml", text.replace("".join(species), "".join(reversed(species))))
        self.succeed("run", "start.yaml", "--force")
        shutil.move("next.h5md", "expected.h5md")
        for form in ("csv", "xyz", "lammps"):
            self.start(f"frames.{form}")
            self.assert_same_results("next.h5md", "expected.h5md")

    def test_estimates_take_sizes_of_the_file(self):
        rows = [f"{i + .5},{j + .5},{k + .5},0.4" for i in range(10) for j in range(10) for k in range(10)]
        brownian = ONE.replace("radius: 0.5, mass: 1", "radius: 0.2, diffusion: 1").replace(
            "type: ballistic, kT: 1, velocities: maxwell", "type: brownian, kT: 1").replace("timestep: 0.1", "timestep: 0.0001")
        self.write("brownian.yaml", brownian)
        self.write("start", "\n".join(["x,y,z,radius", *rows]))
        for command in ("check", "run"):
            self.assertIn("note: ball: D 1 when free, step 0.0354 radii (rms along an axis), volume fraction 0.268",
                          self.succeed(command, "brownian.yaml", ranks=2))

    def test_reaction_steps_go_by_sizes_of_the_file(self):
        """Check and run take the same radii; a run that has started goes on."""
        brownian = ONE.replace("radius: 0.5, mass: 1", "radius: 0.4, diffusion: 1").replace(
            "type: ballistic, kT: 1, velocities: maxwell", "type: brownian, kT: 1").replace(
            "steps: 1", "steps: 4").replace("[10, 10, 10]", "[40, 40, 40]").replace("output: {", "output: {checkpoint: {every_steps: 2}, ")
        self.write("brownian.yaml", brownian + "contacts: {pairs: [{between: [ball, ball], react: {to: [ball], rate: 1}}]}\n")
        rows = [f"{5 * i + 1},{5 * j + 1},1" for i in range(2) for j in range(2)]
        for radius, is_accepted in (("0.4", True), ("0.04", False)):
            self.write("start", "\n".join(["x,y,z,radius", *[f"{row},{radius}" for row in rows]]) + "\n")
            for of_input in ("0.4", "0.04"):
                arguments = "brownian.yaml", "--set", f"species.0.radius={of_input}"
                for command in (("check",), ("run", "--force")):
                    if is_accepted:
                        self.succeed(*command, *arguments)
                    else:
                        self.assertIn("the relative step is 7.91 contact distances, expected at most 3",
                                      self.fail_with(2, *command, *arguments))
                if is_accepted:
                    self.succeed("run", *arguments, "--force", "--steps", "2")
                    self.succeed("run", *arguments, "--continue")

    def test_more_than_a_file_says_is_refused(self):
        more = DUMP.replace("ATOMS\n2", "ATOMS\n1")
        self.assertIn("start:15:1: got more atoms of frame 0, expected 1 as NUMBER OF ATOMS says",
                      self.refusal(more, ranks=2))
        self.assertIn("start:15:1: got more atoms of frame 0", self.refusal(more + DUMP, "placement.frame=0"))
        self.assertIn("start:17:1: got more atoms, expected 1 as the header says",
                      self.refusal(DATA.replace("2 atoms", "1 atoms")))
        self.assertIn("start:23:1: got more velocities, expected one for each of 2 atoms",
                      self.refusal(DATA + "3 9 9 9 0 0 0\n"))

        self.assertIn("start:5:1: got Ar 2 2 2, expected the number of particles of a frame",
                      self.refusal(PLAIN + "Ar 2 2 2\n", "placement.frame=0"))
        no_box = re.sub(r"ITEM: BOX BOUNDS.*\n.*\n.*\n.*\n", "", DUMP)
        self.assertIn("got coordinates as parts of a box, expected the box before them", self.refusal(no_box))

    def test_image_of_a_position_at_the_upper_edge(self):
        frame, out = self.read("id,x,y,z,ix,iy,iz\n0,10,2,20,0,0,-1\n1,5,10,5,3,0,0\n")
        self.assertEqual(frame["image"].tolist(), [[1, 0, 1], [3, 1, 0]])
        self.assert_positions(frame, [[0, 2, 0], [5, 0, 5]])
        self.assertIn("2 of 2 positions beyond the box were moved into it", out)


if __name__ == "__main__":
    unittest.main()
