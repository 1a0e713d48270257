#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Result files as others see them: h5py, the H5MD specification, MDAnalysis (when installed), XDMF.

The files are checked against the layout in src/result/FORMAT.md, for three dimensions, for
two, and in single precision.

usage: result_file.py            runs the program on 2 ranks
       result_file.py FILE...    checks existing files
"""
import pathlib
import re
import sys
import tempfile
import unittest
import warnings
import xml.etree.ElementTree as ElementTree

import h5py
import numpy as np

from support.program import INPUTS, SOURCE, ricochet

ELEMENTS = {"position": 3, "velocity": 3, "image": 3, "id": 1, "species": 1}
COLLISION_FIELDS = ["step", "time", "generation", "a", "b", "species_a", "species_b", "point", "normal",
                    "impulse", "speed"]
FIRST_WALL = 2**63
WALL_SPECIES = 2**32 - 1

SHORT = ["--set", "run.steps=20", "--set", "output.trajectory_every=5", "--set", "output.observables_every=2",
         "--set", "output.collisions=all"]
BODIES = "bodies=[{name: post, sphere: {centre: [4, 4, 4], radius: 1.5}}, " \
         "{name: pegs, spheres: [[7, 7, 7, 1], [7.5, 7, 7, 1]]}]"
RUNS = [("sphere_gas.yaml", SHORT),
        ("disc_gas.yaml", SHORT),
        ("walls.yaml", SHORT + ["--set", "output.precision=float32", "--set", BODIES]),
        ("parallel_cubes.yaml", SHORT + ["--set", "species.0.volume_fraction=0.05",
                                         "--set", "units.length=sigma", "--set", "units.time=sigma sqrt(m/kT)"]),
        ("ecoli_protocell.yaml", SHORT + ["--set", "output.observables_every=5"])]


def run_program(folder):
    """Runs short forms of some inputs on 2 ranks; returns the files that they write."""
    files = []
    for name, options in RUNS:
        path = folder / (pathlib.Path(name).stem + ".h5md")
        process = ricochet("run", INPUTS / name, "--output", path, *options, ranks=2, timeout=1200)
        if process.returncode != 0:
            sys.exit(f"{name}:\n{process.stdout}\n{process.stderr}")
        files.append(path)
    return files


class ResultFile(unittest.TestCase):
    path = None  # set per file

    def setUp(self):
        self.file = h5py.File(self.path, "r")
        self.addCleanup(self.file.close)
        self.run = self.file["ricochet"]
        self.trajectory = self.file["particles/trajectory"]
        self.complete = self.run["complete"][0]
        self.num_particles = int(self.run.attrs["num_particles"])
        self.dimension = int(self.run.attrs["dimension"])
        self.size = self.run.attrs["size"]

    def values(self, name):
        return self.trajectory[name]["value"]

    def test_has_the_groups_of_h5md(self):
        self.assertEqual(list(self.file["h5md"].attrs["version"]), [1, 1])
        self.assertIsInstance(self.file["h5md/author"].attrs["name"], str)
        self.assertEqual(self.file["h5md/creator"].attrs["name"], "ricochet")
        self.assertTrue(self.file["h5md/creator"].attrs["version"])
        self.assertEqual(list(self.file["particles"]), ["trajectory"])

    def test_the_page_on_the_format_names_all_parts(self):
        names = set()

        def add(path, thing):
            if not path.startswith(("ricochet/observables/", "observables/")):
                names.add(path.rpartition("/")[2])
            if path not in ("ricochet/units", "ricochet/notes"):  # the keys are the user's
                names.update(name for name in thing.attrs if not name.startswith("part_"))
            names.update(getattr(thing, "dtype", None) and thing.dtype.names or ())
        self.file.visititems(add)
        page = (SOURCE / "src/result/FORMAT.md").read_text(encoding="utf-8")
        words = set(re.findall(r"\w+", page))
        self.assertGreater(len(names), 60)
        self.assertEqual(sorted(name for name in names if name not in words), [])

    def test_h5md_observables_need_one_per_frame(self):
        """Observables of h5md are there when frames have one each."""
        samples = self.run["observables/energy/step"][:].tolist()
        if samples == self.trajectory["position/step"][:].tolist():
            self.assertEqual(self.file["observables"], self.run["observables"])
        else:
            self.assertNotIn("observables", self.file)

    def test_units_are_words_that_readers_know(self):
        """Units are in words that readers know or not there."""
        words = self.run["units"].attrs
        units = {"position/time": words["time"], "position/value": words["length"],
                 "velocity/value": f"{words['length']} {words['time']}-1", "box/edges/value": words["length"],
                 "radius": words["length"]}
        is_known = words["length"] == "nm"
        for name, unit in units.items():
            self.assertEqual(self.trajectory[name].attrs.get("unit"), unit if is_known else None, name)

    def test_columns_of_the_log_have_units(self):
        units = dict(zip(COLLISION_FIELDS, self.run["collisions"].attrs["units"], strict=True))
        is_nm = self.run["units"].attrs["length"] == "nm"
        self.assertEqual(units["point"], "nm" if is_nm else "sigma")
        self.assertEqual(units["speed"], "nm ns-1" if is_nm else "sigma (sigma sqrt(m/kT))-1")
        self.assertEqual(units["impulse"], "zJ ns nm-1" if is_nm else "kT (sigma sqrt(m/kT)) sigma-1")
        self.assertEqual({units[name] for name in ("step", "a", "b", "species_a", "normal")}, {"1"})

    def test_box_is_one_that_readers_accept(self):
        box = self.trajectory["box"]
        self.assertEqual(box.attrs["dimension"], 3)
        walls = [word == "reflecting" for word in self.run.attrs["boundary"]]
        expected = ["none" if wall else "periodic" for wall in walls] + ["none"] * (3 - len(walls))
        self.assertEqual(list(box.attrs["boundary"]), expected)
        edges = box["edges/value"][:]
        self.assertEqual(edges.shape, (self.complete["frames"], 3, 3))
        lengths = list(self.size[:self.dimension])
        if self.dimension == 2:
            lengths.append(2 * self.trajectory["radius"][:].max())
        self.assertTrue((edges == np.diag(lengths)).all())

    def test_elements_have_their_shapes_and_types(self):
        real = np.dtype("<f8" if self.run.attrs["precision"] == "float64" else "<f4")
        types = {"position": real, "velocity": real, "image": "<i8", "id": "<u8", "species": "<u4"}
        for name, width in ELEMENTS.items():
            shape = (self.complete["frames"], self.num_particles) + ((3,) if width == 3 else ())
            self.assertEqual(self.values(name).shape, shape, name)
            self.assertEqual(self.values(name).dtype, types[name], name)
        for name in ("radius", "mass"):
            self.assertEqual(self.trajectory[name].shape, (self.num_particles,))
            self.assertTrue((self.trajectory[name][:] > 0).all())

    def test_elements_share_step_and_time(self):
        step, time = self.trajectory["position/step"], self.trajectory["position/time"]
        for element in [self.trajectory[name] for name in ELEMENTS] + [self.trajectory["box/edges"]]:
            self.assertEqual(element["step"], step)
            self.assertEqual(element["time"], time)
        self.assertEqual(step.shape, (self.complete["frames"],))
        self.assertTrue((np.diff(step[:].astype(int)) > 0).all())
        self.assertTrue(np.allclose(time[:], step[:] * self.run.attrs["timestep"], rtol=1e-12))

    def test_ids_ascend_and_stay(self):
        ids = self.values("id")[:]
        self.assertTrue((ids[:, 1:] > ids[:, :-1]).all())
        self.assertTrue((ids == ids[0]).all())

    def test_particles_are_in_the_box(self):
        position = self.values("position")[:]
        for axis in range(self.dimension):
            self.assertTrue((position[..., axis] >= 0).all())
            self.assertTrue((position[..., axis] < self.size[axis]).all())
        if self.dimension == 2:
            for name in ("position", "velocity", "image"):
                self.assertTrue((self.values(name)[:][..., 2] == 0).all())

    def test_species_are_counted_right(self):
        species = self.run["species"].attrs
        self.assertEqual(len(species["name"]), len(species["count"]))
        for frame in self.values("species")[:]:
            counts = np.bincount(frame, minlength=len(species["count"]))
            self.assertEqual(list(counts), list(species["count"]))

    def test_bodies_have_a_table(self):
        if "bodies" not in self.run:
            return
        bodies = self.run["bodies"]
        table, surfaces = bodies["table"][:], bodies["surfaces"][:]
        self.assertEqual(list(table.dtype.names), ["name", "shape", "side", "numbers"])
        self.assertEqual([name.decode() for name in table["name"]], ["post", "pegs"])
        self.assertEqual([bodies.attrs["shapes"][k] for k in table["shape"]], ["sphere", "spheres"])
        self.assertEqual([bodies.attrs["sides"][k] for k in table["side"]], ["outside", "outside"])
        self.assertEqual(list(table["numbers"][0]), [4, 4, 4, 1.5, 0, 0, 0])
        self.assertEqual(bodies["spheres"][:].tolist(), [[7, 7, 7, 1], [7.5, 7, 7, 1]])
        self.assertEqual(surfaces.tolist(), [0, 1, 1])
        rows = self.run["collisions"][:]
        of_bodies = rows["b"][rows["b"] >= FIRST_WALL + 6] - np.uint64(FIRST_WALL + 6)
        self.assertGreater(len(of_bodies), 0)
        self.assertLess(of_bodies.max(), len(surfaces))

    def test_shapes_have_their_corners(self):
        if "shapes" not in self.run:
            return
        shapes = self.run["shapes"]
        corners = shapes["corners"][:]
        self.assertEqual(shapes["first"][:].tolist(), [0, 8])
        self.assertEqual(sorted(map(tuple, abs(corners))), [(0.5, 0.5, 0.5)] * 8)
        self.assertEqual(len(np.unique(corners, axis=0)), 8)
        self.assertAlmostEqual(shapes["volume"][0], 1, places=12)
        self.assertLess(abs(self.trajectory["radius"][:] - np.sqrt(0.75)).max(), 1e-11)

    def test_collision_log_is_chronological(self):
        log = self.run["collisions"]
        rows = log[:]
        self.assertEqual(list(rows.dtype.names), COLLISION_FIELDS)
        self.assertEqual(rows.dtype.itemsize, 112)
        self.assertEqual(len(rows), self.complete["collisions"])
        self.assertEqual(log.attrs["sorted"], 1)
        keys = [tuple(row[name] for name in COLLISION_FIELDS[:5]) for row in rows]
        self.assertTrue(all(earlier < later for earlier, later in zip(keys, keys[1:])))

    def test_collisions_make_sense(self):
        rows = self.run["collisions"][:]
        self.assertTrue((rows["a"] < rows["b"]).all())
        self.assertTrue((rows["time"] >= 0).all() and (rows["time"] < self.run.attrs["timestep"]).all())
        self.assertTrue(np.allclose(np.linalg.norm(rows["normal"], axis=1), 1, rtol=1e-9))
        self.assertTrue((rows["speed"] > 0).all() and (rows["impulse"] >= 0).all())
        self.assertTrue(((rows["species_b"] == WALL_SPECIES) == (rows["b"] >= FIRST_WALL)).all())
        self.assertTrue((rows["step"] < self.complete["steps"]).all())

    def test_observables_have_their_shapes(self):
        for name, group in self.run["observables"].items():
            self.assertIsInstance(group.attrs["meaning"], str)
            for part in ("step", "time", "value"):
                self.assertEqual(group[part].shape[0], self.complete["samples"], name)
            if "labels" in group.attrs:
                self.assertEqual(group["value"].shape[1], len(group.attrs["labels"]))

    def test_tells_where_it_comes_from(self):
        self.assertIsInstance(self.run["input"].attrs["text"], str)
        self.assertTrue(self.run["input"].attrs["effective"])
        for name in ("program", "git", "compiler", "compiler_flags", "cpu", "MPI", "HDF5", "Boost"):
            self.assertTrue(self.run["provenance"].attrs[name], name)
        self.assertGreater(self.run["provenance"].attrs["ranks"], 0)
        self.assertRegex(self.run["provenance"].attrs["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertIn(" run ", self.run["provenance"].attrs["command"])
        self.assertIn("-ffp-contract=off", self.run["provenance"].attrs["compiler_flags"])
        self.assertGreaterEqual(self.run["provenance"].attrs["wall_time_seconds"], 0)

    def test_states_its_chunks(self):
        text = self.run["provenance"].attrs["chunks"]
        datasets = {name: self.trajectory[name + "/value"] for name in ELEMENTS}
        for name, dataset in (datasets | {"collisions": self.run["collisions"]}).items():
            self.assertIn(f"{name} {' x '.join(map(str, dataset.chunks))} (", text)
            num_bytes = dataset.dtype.itemsize * np.prod(dataset.chunks)
            self.assertLessEqual(num_bytes, 2**20)
            # One more row would not fit, or there is only one.
            self.assertTrue(dataset.chunks[0] == 1 or num_bytes + num_bytes // dataset.chunks[0] > 2**16)

    def test_mdanalysis_reads_all_frames(self):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                import MDAnalysis
        except ImportError:
            self.skipTest("MDAnalysis is not installed")
        universe = MDAnalysis.Universe(str(self.path), n_atoms=self.num_particles, convert_units=False)
        self.assertEqual(len(universe.atoms), self.num_particles)
        self.assertEqual(len(universe.trajectory), self.complete["frames"])
        for k, step in enumerate(universe.trajectory):
            self.assertTrue(np.array_equal(step.positions, self.values("position")[k].astype("f4")))
            self.assertTrue(np.array_equal(step.velocities, self.values("velocity")[k].astype("f4")))
            lengths = np.diag(self.trajectory["box/edges/value"][k])
            self.assertTrue(np.allclose(step.dimensions, [*lengths, 90, 90, 90], rtol=1e-6))
            self.assertEqual(step.time, self.trajectory["position/time"][k])
            self.assertEqual(step.data["step"], self.trajectory["position/step"][k])

    def test_xdmf_names_what_is_there(self):
        root = ElementTree.parse(self.path.with_suffix(".xdmf")).getroot()
        grids = root.findall("./Domain/Grid/Grid")
        times = [float(grid.find("Time").get("Value")) for grid in grids]
        self.assertEqual(times, list(self.trajectory["position/time"][:]))
        for k, grid in enumerate(grids):
            for item in grid.iter("DataItem"):
                self.check_data_item(item, k)

    def check_data_item(self, item, frame):
        """The hyperslab of an item is that frame of an existing dataset of that shape and type."""
        location, selection = item.text.split("|")
        name, dataset = location.split(":")
        self.assertEqual(name, self.path.name)
        dataset = self.file[dataset]
        self.assertEqual(dataset.dtype.itemsize, int(item.get("Precision")))
        start, stride, count, shape = ([int(n) for n in part.split()] for part in selection.split(":"))
        self.assertEqual(tuple(shape), dataset.shape)
        per_frame = dataset.name.endswith("value")
        self.assertEqual(start, [frame if per_frame else 0] + [0] * (dataset.ndim - 1))
        self.assertEqual(stride, [1] * dataset.ndim)
        self.assertEqual(count, ([1] if per_frame else []) + list(dataset.shape[per_frame:]))
        self.assertEqual([int(n) for n in item.get("Dimensions").split()], count[per_frame:])


def suite_of(paths):
    suite = unittest.TestSuite()
    for path in paths:
        case = type("ResultFile_" + path.stem, (ResultFile,), {"path": path})
        suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(case))
    return suite


def main():
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(name) for name in sys.argv[1:]] or run_program(pathlib.Path(folder))
        result = unittest.TextTestRunner(verbosity=1).run(suite_of(paths))
    sys.exit(0 if result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()
