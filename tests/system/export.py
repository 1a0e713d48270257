# SPDX-License-Identifier: BSD-3-Clause
"""`ricochet export`, read back by readers written here from the formats' definitions (and by
MDAnalysis where it has one), each value compared with the result file bit by bit."""
import csv
import os
import pathlib
import re
import struct
import subprocess
import unittest
import warnings
import xml.etree.ElementTree as ElementTree

import h5py
import numpy as np

from support.program import EXE, GAS, ProgramTest

MIXTURE = GAS.replace(
    "  - {name: ball, radius: 0.5, mass: 1, volume_fraction: 0.25}\n",
    "  - {name: small, radius: 0.4, mass: 1, count: 70}\n"
    "  - {name: large, radius: 0.7, mass: 2.744, count: 41}\n",
)
DISCS = GAS.replace("[9, 7, 7], boundary: periodic", "[13, 11], boundary: [periodic, reflecting]")
SINGLE = GAS.replace("collisions: all", "collisions: all, precision: float32")
MANY = GAS.replace("[9, 7, 7]", "[60, 50, 50]").replace("steps: 20", "steps: 1")
BODIES = GAS.replace("[9, 7, 7], boundary: periodic", "[12, 12, 12], boundary: [periodic, periodic, reflecting]").replace(
    "species:", """bodies:
  - {name: post, sphere: {centre: [2, 0, 7], radius: 1}}
  - {name: rod, capsule: {from: [4, 6, 5], to: [7, 6, 5], radius: 0.8}}
  - {name: pipe, cylinder: {point: [0, 3, 2.5], axis: [1, 0, 0], radius: 0.7}}
  - {name: block, box: {low: [8, 8, 3.5], high: [10, 10, 4.5]}}
  - {name: lid, plane: {point: [0, 0, 10.5], normal: [0, 0, -1]}}
  - {name: grains, spheres: [[0.5, 10, 8.5, 0.4], [2, 10, 8.5, 0.4]]}
species:""")
FLAT_BODIES = GAS.replace("[9, 7, 7], boundary: periodic", "[13, 11], boundary: [periodic, reflecting]").replace(
    "species:", """bodies:
  - {name: post, disc: {centre: [4, 4], radius: 1}}
  - {name: rod, stadium: {from: [8, 3], to: [10, 3], radius: 0.5}}
  - {name: block, rectangle: {low: [8, 6], high: [10, 8]}}
  - {name: lid, line: {point: [0, 10], normal: [0, -1]}}
species:""")
WEDGE = "{points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.2, 0.2, 0.2]]}"
SHAPES = GAS.replace("species:\n", f"""species:
  - {{name: "a--cube-", shape: {{cube: 0.6}}, mass: 1, count: 20}}
  - {{name: wedge, shape: {WEDGE}, mass: 1, count: 20}}
""")
FLAT_SHAPES = DISCS.replace("species:\n", """species:
  - {name: triangle, shape: {triangle: [0.8, 0.9]}, mass: 1, count: 20}
""")
VTK_TYPES = {"Float64": "<f8", "UInt64": "<u8", "UInt32": "<u4", "Int64": "<i8"}


class Truth:
    """A complete frame, straight from the HDF5 file."""

    def __init__(self, path, frame):
        with h5py.File(path, "r") as file:
            self.num_frames = int(file["ricochet/complete"][0]["frames"])
            group = file["particles/trajectory"]
            for name in ("position", "velocity", "image", "id", "species"):
                setattr(self, name, group[name]["value"][frame])
            self.radius, self.mass = group["radius"][:], group["mass"][:]
            self.step = int(group["position/step"][frame])
            self.time = float(group["position/time"][frame])
            self.edges = np.diag(group["box/edges/value"][frame])
            self.size = file["ricochet"].attrs["size"]
            self.dimension = int(file["ricochet"].attrs["dimension"])
            self.names = list(file["ricochet/species"].attrs["name"])
            periodic = [word == "periodic" for word in file["ricochet"].attrs["boundary"]]
            self.periodic = periodic + [False] * (3 - len(periodic))


def read_xyz(path):
    """Frames of an extended XYZ file as (attributes, columns)."""
    frames = []
    with open(path) as file:
        while head := file.readline():
            comment = file.readline()
            attributes = {
                key: quoted or plain
                for key, quoted, plain in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', comment)
            }
            fields = attributes["Properties"].split(":")
            rows = [file.readline().split() for _ in range(int(head))]
            columns, at = {}, 0
            for name, kind, width in zip(fields[0::3], fields[1::3], map(int, fields[2::3])):
                convert = {"S": str, "R": float, "I": int}[kind]
                values = [[convert(text) for text in row[at : at + width]] for row in rows]
                columns[name] = np.array(values if width > 1 else [value[0] for value in values])
                at += width
            assert all(len(row) == at for row in rows)
            frames.append((attributes, columns))
    return frames


def read_lammps(path):
    """Frames of a LAMMPS text dump as (step, bounds, flags, columns)."""
    frames = []
    with open(path) as file:
        while file.readline().strip() == "ITEM: TIMESTEP":
            step = int(file.readline())
            assert file.readline().strip() == "ITEM: NUMBER OF ATOMS"
            number = int(file.readline())
            flags = file.readline().split()[3:]
            bounds = [tuple(map(float, file.readline().split())) for _ in range(3)]
            names = file.readline().split()[2:]
            rows = [file.readline().split() for _ in range(number)]
            columns = {name: [row[k] for row in rows] for k, name in enumerate(names)}
            frames.append((step, bounds, flags, columns))
    return frames


def read_vtp(path):
    """Arrays of an XML PolyData file with raw appended data, by name."""
    data = pathlib.Path(path).read_bytes()
    head, rest = data.split(b'<AppendedData encoding="raw">\n_', 1)
    root = ElementTree.fromstring(head + b"</VTKFile>")
    assert root.get("header_type") == "UInt64" and root.get("byte_order") == "LittleEndian"
    piece = root.find("./PolyData/Piece")
    arrays = {}
    for item in piece.iter("DataArray"):
        offset = int(item.get("offset"))
        (length,) = struct.unpack_from("<Q", rest, offset)
        values = np.frombuffer(rest[offset + 8 : offset + 8 + length], VTK_TYPES[item.get("type")])
        width = int(item.get("NumberOfComponents"))
        arrays[item.get("Name")] = values.reshape(-1, width) if width > 1 else values
    assert rest.endswith(b"\n  </AppendedData>\n</VTKFile>\n")
    fields = {
        item.get("Name"): item.text for item in root.findall("./PolyData/FieldData/DataArray")
    }
    return arrays, fields, int(piece.get("NumberOfPoints"))


def open_edges(cells, chosen):
    """How many edges of the chosen polygons have no other polygon that goes along them the other way."""
    edges = {(a, b) for cell in np.array(cells, object)[chosen] for a, b in zip(cell, np.roll(cell, -1))}
    return sum((b, a) not in edges for a, b in edges)


def volume_within(points, cells, chosen):
    """The volume within closed polygons whose corners go round anticlockwise, seen from outside."""
    return sum(np.dot(points[cell[0]], np.cross(points[cell[k]], points[cell[k + 1]])) / 6
               for cell in np.array(cells, object)[chosen] for k in range(1, len(cell) - 1))


class Export(ProgramTest):
    inputs = {"mixture": MIXTURE, "discs": DISCS, "single": SINGLE}

    def result(self, text, name="gas.h5md"):
        self.write("input.yaml", text)
        self.succeed("run", "input.yaml", "--output", name, ranks=2)
        return name

    def each_result(self):
        for name, text in self.inputs.items():
            with self.subTest(name):
                yield self.result(text, f"{name}.h5md")

    def assert_equal(self, got, expected):
        """Equal bits: shape and every value."""
        self.assertEqual(np.shape(got), np.shape(expected))
        self.assertTrue((np.asarray(got) == np.asarray(expected)).all())

    def test_xyz_has_every_value(self):
        for path in self.each_result():
            self.succeed("export", path, "--format", "xyz")
            frames = read_xyz(pathlib.Path(path).with_suffix(".xyz"))
            self.assertEqual(len(frames), Truth(path, 0).num_frames)
            for k, (attributes, columns) in enumerate(frames):
                truth = Truth(path, k)
                for name, expected in (
                    ("pos", truth.position),
                    ("velo", truth.velocity),
                    ("id", truth.id),
                    ("radius", truth.radius),
                    ("mass", truth.mass),
                    ("image", truth.image),
                    ("type", np.array(truth.names)[truth.species]),
                ):
                    self.assert_equal(columns[name], expected)
                # Not among them: "species", in which ASE expects chemical symbols.
                self.assertEqual(len(columns), 7)
                lattice = np.array(attributes["Lattice"].split(), float).reshape(3, 3)
                self.assert_equal(lattice, np.diag(truth.edges))
                self.assertEqual(float(attributes["Time"]), truth.time)
                self.assertEqual(int(attributes["Step"]), truth.step)
                self.assertEqual(attributes["pbc"], " ".join("FT"[flag] for flag in truth.periodic))
                if truth.dimension == 2:
                    self.assertEqual(attributes["Origin"], f"0 0 {-truth.edges[2] / 2:g}")

    def test_lammps_dump_has_every_value(self):
        for path in self.each_result():
            self.succeed("export", path, "--format", "lammps", "-o", "out.dump", "--force")
            frames = read_lammps("out.dump")
            self.assertEqual(len(frames), Truth(path, 0).num_frames)
            for k, (step, bounds, flags, columns) in enumerate(frames):
                truth = Truth(path, k)
                self.assertEqual(step, truth.step)
                self.assertEqual(flags, ["pp" if flag else "ff" for flag in truth.periodic])
                self.assert_equal([high - low for low, high in bounds], truth.edges)
                expected = {
                    "id": truth.id + 1,
                    "type": truth.species + 1,
                    "radius": truth.radius,
                    "mass": truth.mass,
                }
                for axis, letter in enumerate("xyz"):
                    expected[letter] = truth.position[:, axis]
                    expected["v" + letter] = truth.velocity[:, axis]
                    expected["i" + letter] = truth.image[:, axis]
                self.assertEqual(set(columns), {*expected, "element"})
                self.assertEqual(columns["element"], [truth.names[k] for k in truth.species])
                for name, values in expected.items():
                    convert = int if values.dtype.kind in "iu" else float
                    self.assert_equal([convert(text) for text in columns[name]], values)

    def test_units_stand_where_formats_have_a_place(self):
        """And a start compares them. Words that would end a quoted text, or a comment of XML, are left out."""
        units = {"length": "sigma = 3 um", "time": "s -- or so", "energy": 'a "kT"'}
        words = ", ".join(f"{name}: '{word}'" for name, word in units.items())
        text = f"units: {{{words}}}\n" + GAS.replace("volume_fraction: 0.25", "count: 150")
        path = self.result(text)
        for kind in ("xyz", "vtk"):
            self.succeed("export", path, "--format", kind, "--frames", "-1")
        ((attributes, _),) = read_xyz("gas.xyz")
        self.assertEqual({key: word for key, word in attributes.items() if key.endswith("_unit")},
                         {"length_unit": "sigma = 3 um"})
        (vtp,) = pathlib.Path().glob("gas_*.vtp")
        self.assertIn(b"?>\n<!-- length in sigma = 3 um -->\n<VTKFile", vtp.read_bytes())
        read_vtp(vtp)
        self.write("input.yaml", text.replace(", count: 150", ""))
        start = ["--set", "placement={method: file, path: gas.xyz}", "--output", "next.h5md"]
        self.succeed("run", "input.yaml", *start)
        self.assertIn("gas.xyz: unit of length: got sigma = 3 um, expected nm as units.length has",
                      self.fail_with(2, "run", "input.yaml", *start, "--force", "--set", "units.length=nm"))

    def test_mdanalysis_reads_the_lammps_dump(self):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                import MDAnalysis
        except ImportError:
            self.skipTest("MDAnalysis is not installed")
        path = self.result(MIXTURE)
        self.succeed("export", path, "--format", "lammps")
        truth = Truth(path, 0)
        universe = MDAnalysis.Universe(
            "gas.lammpstrj",
            format="LAMMPSDUMP",
            topology_format="LAMMPSDUMP",
            lammps_coordinate_convention="unscaled",
        )
        self.assertEqual(len(universe.trajectory), truth.num_frames)
        for k, step in enumerate(universe.trajectory):
            truth = Truth(path, k)
            self.assert_equal(step.positions, truth.position.astype("f4"))
            self.assertTrue(np.allclose(step.dimensions, [*truth.edges, 90, 90, 90], rtol=1e-6))

    def test_csv_has_every_value(self):
        for path in self.each_result():
            self.succeed("export", path, "--format", "csv", "--frames", "0:4:3")
            with open(pathlib.Path(path).with_suffix(".csv"), newline="") as file:
                rows = list(csv.DictReader(file))
            number = len(Truth(path, 0).id)
            self.assertEqual(len(rows), 2 * number)
            for frame, part in ((0, rows[:number]), (3, rows[number:])):
                truth = Truth(path, frame)
                column = {name: [row[name] for row in part] for name in part[0]}
                self.assertEqual(set(column["frame"]), {str(frame)})
                self.assertEqual(set(column["step"]), {str(truth.step)})
                self.assertEqual(set(map(float, column["time"])), {truth.time})
                self.assert_equal([int(text) for text in column["id"]], truth.id)
                self.assertEqual(column["species"], [truth.names[k] for k in truth.species])
                for axis, letter in enumerate("xyz"):
                    self.assert_equal([float(t) for t in column[letter]], truth.position[:, axis])
                    self.assert_equal(
                        [float(t) for t in column["v" + letter]], truth.velocity[:, axis]
                    )
                    self.assert_equal([int(t) for t in column["i" + letter]], truth.image[:, axis])
                self.assert_equal([float(t) for t in column["radius"]], truth.radius)
                self.assert_equal([float(t) for t in column["mass"]], truth.mass)

    def test_vtk_has_every_value(self):
        for path in self.each_result():
            self.succeed("export", path, "--format", "vtk", "--frames", "::2")
            collection = pathlib.Path(path).with_suffix(".pvd")
            entries = ElementTree.parse(collection).getroot().findall("./Collection/DataSet")
            frames = range(0, Truth(path, 0).num_frames, 2)
            self.assertEqual(len(entries), len(frames))
            for entry, frame in zip(entries, frames):
                truth = Truth(path, frame)
                self.assertEqual(float(entry.get("timestep")), truth.time)
                arrays, fields, number = read_vtp(entry.get("file"))
                self.assertEqual(number, len(truth.id))
                for name in ("position", "velocity", "image", "id", "species", "radius", "mass"):
                    self.assert_equal(arrays[name], getattr(truth, name))
                self.assert_equal(arrays["connectivity"], np.arange(number))
                self.assert_equal(arrays["offsets"], np.arange(number) + 1)
                self.assertEqual(float(fields["TimeValue"]), truth.time)
                self.assert_equal([float(text) for text in fields["box"].split()], truth.edges)

    def test_vtk_has_bodies(self):
        """A file of polygons: their points lie on the bodies, closed ones have no gaps, and contain what they should."""
        path = self.result(BODIES)
        self.succeed("export", path, "--format", "vtk", "--frames", "0")
        arrays, _, number = read_vtp("gas_bodies.vtp")
        points, body = arrays["position"], arrays["body"]
        self.assertEqual(number, len(points))
        cells = np.split(arrays["connectivity"], arrays["offsets"][:-1])
        self.assertEqual(len(cells), len(body))
        x, y, z = points.T
        onto_line = np.clip(x, 4, 7)
        grains = [[0.5, 10, 8.5], [2, 10, 8.5]]
        distance = [
            np.min([np.abs(np.sqrt((x - 2)**2 + (y - shift)**2 + (z - 7)**2) - 1) for shift in (0, 12)], axis=0),
            np.abs(np.sqrt((x - onto_line)**2 + (y - 6)**2 + (z - 5)**2) - 0.8),
            np.abs(np.hypot(y - 3, z - 2.5) - 0.7),
            np.max(np.abs(points - [9, 9, 4]) / [1, 1, 0.5], axis=1) - 1,
            z - 10.5,
            np.min([np.abs(np.linalg.norm(points - centre, axis=1) - 0.4) for centre in grains], axis=0),
        ]
        for k, of_body in enumerate(distance):
            own = np.concatenate([cell for cell, of in zip(cells, body) if of == k])
            self.assertLess(np.abs(of_body[own]).max(), 1e-12, k)
        ball = 4 / 3 * np.pi
        volume = {0: 2 * ball, 1: 0.64 * np.pi * (3 + 4 / 3 * 0.8), 3: 4, 5: 2 * ball * 0.4**3}
        for k, expected in volume.items():
            self.assertEqual(open_edges(cells, body == k), 0)
            self.assertLess(abs(volume_within(points, cells, body == k) / expected - 1), 0.02, k)
        plane, = [cell for cell, of in zip(cells, body) if of == 4]
        self.assertEqual(sorted(map(tuple, points[plane])), [(0, 0, 10.5), (0, 12, 10.5), (12, 0, 10.5), (12, 12, 10.5)])
        cylinder = points[np.concatenate([cell for cell, of in zip(cells, body) if of == 2])]
        self.assertEqual(set(cylinder[:, 0]), {0, 12})

    def test_vtk_has_outlines_of_bodies_of_discs(self):
        path = self.result(FLAT_BODIES)
        self.succeed("export", path, "--format", "vtk", "--frames", "0")
        arrays, _, _ = read_vtp("gas_bodies.vtp")
        x, y, z = arrays["position"].T
        self.assertFalse(z.any())
        distance = [np.abs(np.hypot(x - 4, y - 4) - 1),
                    np.abs(np.hypot(x - np.clip(x, 8, 10), y - 3) - 0.5),
                    np.max(np.abs(np.transpose([x - 9, y - 7])), axis=1) - 1,
                    np.abs(y - 10)]
        outlines = np.split(arrays["connectivity"], arrays["offsets"][:-1])
        self.assertEqual(list(arrays["body"]), [0, 1, 2, 3])
        for k, (outline, of_body) in enumerate(zip(outlines, distance)):
            self.assertLess(np.abs(of_body[outline]).max(), 1e-12, k)
            self.assertEqual(outline[0] == outline[-1], k < 3)

    def test_vtk_has_glyphs_of_shapes(self):
        """A file for each species that is no sphere: closed faces about the centre of mass, seen from outside."""
        path = self.result(SHAPES)
        text = self.succeed("export", path, "--format", "vtk", "--frames", "0")
        self.assertIn("note: a--cube-, wedge: points are centres of mass, and radius is that of the sphere around", text)
        self.assertIn("glyphs for the points of each species are in gas_shape_0.vtp, gas_shape_1.vtp\n", text)
        self.assertFalse(os.path.exists("gas_shape_2.vtp"))
        with h5py.File(path) as file:
            first, corners = file["ricochet/shapes/first"][:], file["ricochet/shapes/corners"][:]
        for species, (num_faces, volume) in enumerate(((6, 0.216), (4, 1 / 6))):
            arrays, _, number = read_vtp(f"gas_shape_{species}.vtp")
            self.assert_equal(arrays["position"], corners[first[species]:first[species + 1]])
            self.assertEqual(number, len(arrays["position"]))
            cells = np.split(arrays["connectivity"], arrays["offsets"][:-1])
            self.assert_equal(arrays["species"], np.full(num_faces, species))
            everything = np.full(num_faces, True)
            self.assertEqual(open_edges(cells, everything), 0)
            self.assertAlmostEqual(volume_within(arrays["position"], cells, everything), volume, places=12)
        process = self.fail_with(2, "export", path, "--format", "vtk", "--frames", "1", "--output", "gas.pvd")
        self.assertIn("it exists", process)
        self.assertIn("\nnote: a--cube-, wedge", self.succeed("export", path, "--format", "xyz"))

    def test_vtk_has_polygons_of_flat_shapes(self):
        path = self.result(FLAT_SHAPES)
        self.succeed("export", path, "--format", "vtk", "--frames", "0")
        arrays, _, number = read_vtp("gas_shape_0.vtp")
        (x, y, z), cell = arrays["position"].T, arrays["connectivity"]
        self.assertEqual((number, sorted(cell), list(arrays["offsets"])), (3, [0, 1, 2], [3]))
        self.assertFalse(z.any())
        a, b, c = cell
        area = ((x[b] - x[a]) * (y[c] - y[a]) - (x[c] - x[a]) * (y[b] - y[a])) / 2
        self.assertAlmostEqual(area, 0.36, places=12)

    def test_more_rows_than_a_block_holds(self):
        path = self.result(MANY)
        truth = Truth(path, 1)
        self.assertGreater(len(truth.id), 65536)
        self.succeed("export", path, "--format", "vtk", "--frames", "1")
        arrays, _, _ = read_vtp("gas_000001.vtp")
        for name in ("position", "velocity", "image", "id", "radius"):
            self.assert_equal(arrays[name], getattr(truth, name))
        self.succeed("export", path, "--format", "xyz", "--frames", "-1")
        ((_, columns),) = read_xyz("gas.xyz")
        self.assert_equal(columns["pos"], truth.position)
        self.assert_equal(columns["id"], truth.id)

    def test_frames_are_chosen_like_python_slices(self):
        """Frames are chosen as python slices choose."""
        path = self.result(GAS)
        everything = [frame[0] for frame in self.lammps_frames(path, ":")]
        self.assertEqual(everything, [0, 5, 10, 15, 20])
        for text, expected in (
            ("2", [10]),
            ("-1", [20]),
            ("1:4", [5, 10, 15]),
            ("::2", [0, 10, 20]),
            ("-2:", [15, 20]),
            (":-3", [0, 5]),
            ("1::3", [5, 20]),
        ):
            self.assertEqual([frame[0] for frame in self.lammps_frames(path, text)], expected, text)

    def lammps_frames(self, path, frames):
        self.succeed("export", path, "--format", "lammps", f"--frames={frames}", "--force")
        return read_lammps("gas.lammpstrj")

    def test_void_frames_are_left_out(self):
        path = self.result(GAS)
        with h5py.File(path, "r+") as file:
            complete = file["ricochet/complete"][:]
            complete["frames"] = 3
            file["ricochet/complete"][:] = complete
        self.assertEqual([frame[0] for frame in self.lammps_frames(path, ":")], [0, 5, 10])
        error = self.fail_with(2, "export", path, "--format", "csv", "--frames", "3")
        self.assertIn("the file has 3 complete frames, 0 to 2", error)
        with h5py.File(path, "r+") as file:
            complete["frames"] = 0
            file["ricochet/complete"][:] = complete
        self.assertIn("no complete frame", self.fail_with(2, "export", path, "--format", "csv"))

    def test_refuses_in_a_sentence_and_writes_nothing(self):
        path = self.result(GAS)
        before = sorted(os.listdir("."))
        pathlib.Path("taken.xyz").write_text("mine")
        os.mkdir("folder")
        cases = [
            (["--format", "xyz", "--frames", bad], "--frames " + bad)
            for bad in (
                "5",
                "0:6",
                "3:3",
                "4:2",
                "::0",
                "::-1",
                "a:b",
                "1:2:3:4",
                "-6",
                "1.5",
                "9" * 30,
            )
        ]
        cases += [
            (["--format", "pdb"], "expected xyz, lammps, csv or vtk"),
            (["--format", "xyz", "-o", "taken.xyz"], "taken.xyz: it exists; give --force"),
            (["--format", "xyz", "-o", "nowhere/a.xyz"], "the folder nowhere does not exist"),
            (["--format", "xyz", "-o", "folder"], "not a regular file"),
            (["--format", "xyz", "-o", "gas.h5md", "--force"], "is the result itself"),
            (["--format", "vtk", "-o", "frames.vtk"], "ends in .pvd"),
            ([], "--format"),
        ]
        for arguments, sentence in cases:
            with self.subTest(arguments):
                error = self.fail_with(2, "export", path, *arguments)
                self.assertIn(sentence, error)
                self.assertLessEqual(error.count("\n"), 2)
        self.assertEqual(pathlib.Path("taken.xyz").read_text(), "mine")
        self.assertEqual(sorted(os.listdir(".")), sorted(before + ["taken.xyz", "folder"]))
        self.assertIn(
            "there is no such file", self.fail_with(2, "export", "none.h5md", "--format", "xyz")
        )
        self.succeed("export", path, "--format", "xyz", "-o", "taken.xyz", "--force", ranks=2)
        self.assertEqual(len(read_xyz("taken.xyz")), 5)

    def test_a_failed_write_leaves_no_file(self):
        """A limit on the size of files, with room for Open MPI's, fails as a full disk does."""
        path = self.result(MANY)
        process = subprocess.run(
            [
                "bash",
                "-c",
                f"ulimit -f 16384; trap '' XFSZ; exec '{EXE}' export {path} --format csv",
            ],
            capture_output=True,
            text=True,
            timeout=600,
        )
        self.assertEqual(process.returncode, 1, process.stderr)
        self.assertRegex(process.stderr, r"gas\.csv: cannot write \d+ bytes: File too large; the unfinished file is removed")
        self.assertFalse(os.path.exists("gas.csv"))

    def test_memory_stays_bounded(self):
        """Ten times the particles, frames 65 MB larger: about the same peak of memory."""
        peaks = []
        for size in ("[60, 50, 50]", "[180, 90, 90]"):
            path = self.result(MANY.replace("[60, 50, 50]", size), f"{len(peaks)}.h5md")
            child = subprocess.Popen(
                [EXE, "export", path, "--format", "lammps", "--force"], stdout=subprocess.DEVNULL
            )
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(child.returncode, 0)
            peaks.append(usage.ru_maxrss)
            os.remove(path)
        self.assertLess(peaks[1], peaks[0] + 16_000, peaks)


if __name__ == "__main__":
    unittest.main()
