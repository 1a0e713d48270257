# SPDX-License-Identifier: BSD-3-Clause
"""Results in MDAnalysis, as a user opens them: positions, velocities, box and times of a 3D and a
2D run, with and without units that it knows, observables, and ids beside it, which its H5MD reader
does not read. Nothing here is skipped: the
packages belong to the test suite."""
import unittest
import warnings

import h5py
import numpy as np

from support.program import GAS, ProgramTest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import MDAnalysis
    from MDAnalysis.lib.distances import self_distance_array

DISCS = GAS.replace("[9, 7, 7], boundary: periodic", "[13, 11], boundary: periodic")
LISTED = """\
box: {size: [9, 7, 7], boundary: periodic}
species: [{name: ball, radius: 0.5, mass: 1}]
placement: {method: file, path: start.csv}
dynamics: {type: ballistic, velocities: given}
run: {timestep: 0.1, steps: 20}
output: {file: listed.h5md, trajectory_every: 5, observables_every: 2, collisions: all}
"""
START = """\
id,species,x,y,z,vx,vy,vz
90,ball,1,1,1,1,0.5,0
7,ball,3,3,3,-1,0.25,0.5
1234567890123,ball,5,1,6,0.5,-1,0
42,ball,7,5,2,0,-0.5,1
"""


class Readers(ProgramTest):
    def open(self, text, name):
        self.succeed("run", self.write("input.yaml", text), "--output", name, ranks=2)
        file = h5py.File(name, "r")
        self.addCleanup(file.close)
        number = int(file["ricochet"].attrs["num_particles"])
        return file, MDAnalysis.Universe(name, n_atoms=number, convert_units=False)

    def check_frames(self, file, universe):
        group = file["particles/trajectory"]
        self.assertEqual(len(universe.trajectory), int(file["ricochet/complete"][0]["frames"]))
        for k, step in enumerate(universe.trajectory):
            self.assertTrue(np.array_equal(step.positions, group["position/value"][k].astype("f4")))
            self.assertTrue(
                np.array_equal(step.velocities, group["velocity/value"][k].astype("f4"))
            )
            self.assertEqual(step.time, group["position/time"][k])
            self.assertEqual(step.data["step"], group["position/step"][k])
        return universe.trajectory[-1]

    def test_spheres(self):
        file, universe = self.open(GAS, "gas.h5md")
        step = self.check_frames(file, universe)
        self.assertTrue(np.array_equal(step.dimensions, [9, 7, 7, 90, 90, 90]))
        # With MDAnalysis' own minimum image no spheres overlap: box and positions fit.
        self.assertGreater(self_distance_array(step.positions, box=step.dimensions).min(), 1 - 1e-5)

    def test_discs(self):
        file, universe = self.open(DISCS, "discs.h5md")
        step = self.check_frames(file, universe)
        self.assertTrue(np.array_equal(step.dimensions, [13, 11, 1, 90, 90, 90]))
        self.assertTrue((step.positions[:, 2] == 0).all())
        self.assertGreater(self_distance_array(step.positions, box=step.dimensions).min(), 1 - 1e-5)

    def run_in_units(self, length, time):
        """A result whose name no file had that is still open."""
        name = f"{length}-{time}.h5md"
        units = f"units: {{length: {length}, time: {time}, energy: zJ}}\n"
        self.succeed("run", self.write("input.yaml", units + GAS), "--output", name)
        return name

    def test_known_units_are_converted(self):
        """Known units need no argument and are converted."""
        for length, time, to_angstrom, to_ps in (("nm", "ns", 10, 1000), ("A", "ps", 1, 1), ("pm", "ps", 0.01, 1)):
            name = self.run_in_units(length, time)
            universe = MDAnalysis.Universe(name)
            with h5py.File(name) as file:
                group = file["particles/trajectory"]
                for k, step in enumerate(universe.trajectory):
                    self.assertAlmostEqual(step.time, group["position/time"][k] * to_ps)
                    self.assertTrue(np.allclose(step.dimensions[:3], to_angstrom * np.array([9, 7, 7])))
                    for got, name, factor in (
                        (step.positions, "position", to_angstrom),
                        (step.velocities, "velocity", to_angstrom / to_ps),
                    ):
                        expected = factor * group[name]["value"][k]
                        self.assertTrue(np.allclose(got, expected, rtol=1e-6, atol=0), name)

    def test_unknown_units_are_no_obstacle(self):
        """Units that it does not know are no obstacle."""
        for words in (("um", "s"), ("sigma", "tau"), ("nm", "us"), ("A", "fs")):
            name = self.run_in_units(*words)
            with h5py.File(name) as file:
                number = int(file["ricochet"].attrs["num_particles"])
            with self.assertRaisesRegex(ValueError, "convert_units"):
                MDAnalysis.Universe(name)
            universe = MDAnalysis.Universe(name, n_atoms=number, convert_units=False)
            self.assertEqual(universe.trajectory[-1].time, 2.0)

    def test_observables_belong_to_their_frames(self):
        """Observables belong to the frames they come with."""
        _, universe = self.open(GAS, "sparse.h5md")
        self.assertNotIn("energy", universe.trajectory[0].data)
        file, universe = self.open(GAS.replace("observables_every: 2", "observables_every: 5"), "all.h5md")
        values = file["ricochet/observables/mean_square_displacement/value"][:, 0]
        self.assertEqual(len(values), 5)
        for k, step in enumerate(universe.trajectory):
            self.assertEqual(step.data["mean_square_displacement"], values[k])

    def test_more_frequent_observables_leave(self):
        """Observables leave when a continued run has more of them."""
        together = GAS.replace("observables_every: 2", "observables_every: 5, checkpoint: {every_steps: 10}")
        self.succeed("run", self.write("input.yaml", together), ranks=2)
        with h5py.File("gas.h5md") as file:
            self.assertIn("observables", file)
        apart = self.write("input.yaml", together.replace("observables_every: 5", "observables_every: 2"))
        self.succeed("run", apart, "--continue", "--steps", "24", ranks=2)
        with h5py.File("gas.h5md") as file:
            self.assertNotIn("observables", file)
            self.assertIn("energy", file["ricochet/observables"])
            self.assertRegex(file["ricochet/provenance"].attrs["part_2"], "command: .*--continue.*date: ")

    def test_any_row_can_be_named_by_its_id(self):
        self.write("start.csv", START)
        file, universe = self.open(LISTED, "listed.h5md")
        self.check_frames(file, universe)
        ids = file["particles/trajectory/id/value"]
        universe.trajectory[0]
        places = {90: (1, 1, 1), 7: (3, 3, 3), 1234567890123: (5, 1, 6), 42: (7, 5, 2)}
        self.assertEqual(ids[0].tolist(), sorted(places))
        for row, one in enumerate(ids[0].tolist()):
            self.assertEqual(tuple(universe.atoms[row].position), places[one])
        for k in range(len(universe.trajectory)):
            self.assertEqual(ids[k].tolist(), sorted(places))
        # Free flight of one particle, followed by its row, through MDAnalysis.
        row = ids[0].tolist().index(90)
        last = universe.trajectory[-1]
        self.assertTrue(
            np.allclose(
                universe.atoms[row].position,
                (np.array([1, 1, 1]) + 2 * np.array([1, 0.5, 0])),
                atol=1e-6,
            ),
            last.time,
        )

    def test_displacement_from_unwrapped_frames(self):
        """Mean squared displacement from unwrapped frames. Positions, images and box give the observable that the run
        has written itself."""
        file, universe = self.open(GAS, "gas.h5md")
        group = file["particles/trajectory"]
        series = file["ricochet/observables/mean_square_displacement"]
        steps = series["step"][:].tolist()
        start = group["position/value"][0]
        for k, step in enumerate(universe.trajectory):
            when = int(group["position/step"][k])
            if when not in steps:
                continue
            unwrapped = step.positions + group["image/value"][k] * step.dimensions[:3]
            mean = ((unwrapped - start) ** 2).sum(axis=1).mean()
            self.assertAlmostEqual(
                mean, series["value"][steps.index(when), 0], delta=1e-4 * (1 + mean)
            )


if __name__ == "__main__":
    unittest.main()
