# SPDX-License-Identifier: BSD-3-Clause
"""Pages of `ricochet report` on particles that have shapes: their faces and pixels against independent
computations. What holds for spheres alone is left out."""
import base64
import io
import pathlib
import re
import unittest

import h5py
import numpy as np

from support.program import GAS
from support.report import ReportTest, read_csv, read_summary

SOLIDS = """
box: {size: [9, 9, 9]}
species:
  - {name: ball, radius: 0.4, mass: 1, count: 60}
  - {name: cube, shape: {cube: 0.8}, mass: 1, count: 60}
  - {name: wedge, shape: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}, mass: 2, count: 60}
units: {length: nm, time: ns, energy: kJ}
dynamics: {type: ballistic, kT: 1}
run: {timestep: 0.1, steps: 60, seed: 3}
output: {file: run.h5md, trajectory_every: 10, observables_every: 1}
"""
FLAT = """
box: {size: [14, 12]}
species:
  - {name: square, shape: {square: 0.8}, mass: 1, count: 40}
  - {name: triangle, shape: {triangle: [1, 1.1]}, mass: 1, count: 40}
  - {name: disc, radius: 0.4, mass: 1, count: 40}
dynamics: {type: ballistic, kT: 1}
run: {timestep: 0.05, steps: 20, seed: 3}
output: {file: run.h5md, trajectory_every: 10, observables_every: 5}
"""
BROWNIAN = """
box: {size: [9, 9, 9]}
species: [{name: cube, shape: {cube: 0.8}, diffusion: 1, count: 100}]
dynamics: {type: brownian, kT: 1}
run: {timestep: 0.001, steps: 40, seed: 3}
output: {file: run.h5md, trajectory_every: 5, observables_every: 5}
"""
REACTING = SOLIDS.replace("dynamics:", """contacts:
  pairs:
    - {between: [ball, cube], react: {probability: 0.2, to: [wedge]}}
    - {between: [cube, cube], react: {probability: 0.2, to: []}}
dynamics:""")
CUBE = 0.5 * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
BLUE, ORANGE, GREEN = [31, 119, 180], [255, 127, 14], [44, 160, 44]


def image_of_page(title, folder="page"):
    """The PNG or GIF of a section."""
    text = pathlib.Path(folder, "report.html").read_text()
    data = re.search(rf'data:image/\w+;base64,([^"]+)" alt="{title}"', text)[1]
    return io.BytesIO(base64.b64decode(data))


def pixels_of_page(title):
    from PIL import Image

    return np.array(Image.open(image_of_page(title)).convert("RGB")).astype(int)


def number_of_pixels(pixels, colour):
    return int((abs(pixels - colour).max(axis=2) < 40).sum())


def volume_of(faces):
    """By the theorem of Gauss, over triangles of each face."""
    volume = 0.0
    for _, points in faces:
        for b, c in zip(points[1:], points[2:]):
            volume += points[0] @ np.cross(b, c) / 6
    return volume


def entry_into_cubes(places, half, axes, x, y):
    """[cube, pixel]: how far towards the eye a line of sight at (x, y) leaves a cube; -inf where it passes."""
    through = x[:, None] * axes[0] + y[:, None] * axes[1]
    slabs = np.array([[place - half, place + half] for place in places])[:, None] - through[None, :, None, :]
    ends = np.sort(slabs / axes[2], axis=2)
    into, out = ends[:, :, 0].max(axis=2), ends[:, :, 1].min(axis=2)
    return np.where(into < out, out, -np.inf)


class Shapes(ReportTest):
    def test_faces_of_a_cube(self):
        """Six squares, of which each lies in its plane."""
        faces = self.module("shapes").faces_of(CUBE)
        self.assertEqual(sorted(np.rint(normal).astype(int).tolist() for normal, _ in faces),
                         sorted((sign * row).tolist() for row in np.eye(3, dtype=int) for sign in (-1, 1)))
        for normal, points in faces:
            self.assertEqual(len(points), 4)
            self.assertLess(abs(points @ normal - 0.5).max(), 1e-12)
        self.assertAlmostEqual(volume_of(faces), 1, places=12)

    def test_faces_close_the_body(self):
        """Every edge is in two faces, once in each direction; their number is Euler's; all are seen from outside."""
        random = np.random.default_rng(3)
        points = random.normal(size=(64, 3))
        points /= np.linalg.norm(points, axis=1)[:, None]
        angle = np.pi / 3 * np.arange(6)
        prism = np.array([[np.cos(a), np.sin(a), z] for a in angle for z in (-0.7, 0.7)])
        for corners, num_faces in ((points - points.mean(axis=0), 2 * 64 - 4), (prism, 8), (0.001 * prism, 8)):
            faces = self.module("shapes").faces_of(corners)
            self.assertEqual(len(faces), num_faces)
            edges = [(tuple(a), tuple(b)) for _, loop in faces for a, b in zip(loop, np.roll(loop, -1, axis=0))]
            self.assertEqual(len(set(edges)), len(edges))
            self.assertEqual(set(edges), {(b, a) for a, b in edges})
            for normal, loop in faces:
                self.assertGreater(np.cross(loop[1] - loop[0], loop[2] - loop[1]) @ normal, 0)
                self.assertLess((corners @ normal - loop[0] @ normal).max(), 1e-9)
        self.assertAlmostEqual(volume_of(self.module("shapes").faces_of(prism)), 1.5 * np.sqrt(3) * 1.4, places=12)

    def test_stamps_have_the_area_of_shadows(self):
        solids, axes = self.module("solids"), self.module("picture").screen_axes()
        cube = solids.stamp_of_shape(CUBE, axes, 200)
        self.assertAlmostEqual(np.isfinite(cube.depth).sum() / 200**2, abs(axes[2]).sum(), delta=0.02)
        sphere = solids.stamp_of_sphere(0.5, 200)
        self.assertAlmostEqual(np.isfinite(sphere.depth).sum() / 200**2, np.pi / 4, delta=0.02)
        self.assertAlmostEqual(float(cube.depth.max()), float((CUBE @ axes[2]).max()), delta=0.02)

    def test_pixels_show_what_is_nearest(self):
        """Crowded cubes, and a row of them in which the one that is in front has its centre farther away."""
        solids, axes = self.module("solids"), self.module("picture").screen_axes()
        shift = np.random.default_rng(5).random((4, 4))
        places = np.array([[1.02 * x + shift[y, z], 1.02 * y, 1.02 * z]
                           for x in range(4) for y in range(4) for z in range(4)]
                          + [[5 + 0.85 * k, 1.01 * k, 0.85 * k] for k in range(8)])
        screen = places @ axes.T
        canvas = solids.Canvas(screen[:, :2].min(axis=0) - 1, screen[:, :2].max(axis=0) + 1, 240)
        canvas.put([solids.stamp_of_shape(CUBE, axes, canvas.scale)], [0] * len(places), screen)
        row, column = np.divmod(np.arange(canvas.owner.size), canvas.owner.shape[1])
        x, y = canvas.low[0] + (column + 0.5) / canvas.scale, canvas.low[1] + (row + 0.5) / canvas.scale
        depth = entry_into_cubes(places, 0.5, axes, x, y)
        expected = np.where(np.isfinite(depth.max(axis=0)), depth.argmax(axis=0), -1)
        self.assertGreater((expected >= 0).sum(), 8_000)
        shown = expected.reshape(canvas.owner.shape)
        shifts = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        is_inside = np.all([np.roll(shown, shift, axis=(0, 1)) == shown for shift in shifts], axis=0)
        self.assertGreater(is_inside.mean(), 0.8)
        self.assertTrue((canvas.owner == shown)[is_inside].all())
        by_centres = np.where(np.isfinite(depth), screen[:, 2][:, None], -np.inf).argmax(axis=0)
        self.assertGreater((by_centres != expected)[expected >= 0].sum(), 20)

    def test_picture_shows_true_areas(self):
        self.report(FLAT)[0].close()
        pixels = pixels_of_page("Last frame")
        squares, triangles, discs = (number_of_pixels(pixels, colour) for colour in (BLUE, ORANGE, GREEN))
        self.assertAlmostEqual(triangles / squares, 0.55 / 0.64, delta=0.08)
        self.assertAlmostEqual(discs / squares, np.pi * 0.16 / 0.64, delta=0.05)
        self.assertIn("true sizes", pathlib.Path("page/report.html").read_text())

    def test_page_of_solids(self):
        """Free times, impulses and g(r) hold for shapes; free paths and theory of spheres are left out."""
        from PIL import Image

        file, summary = self.report(SOLIDS, "run.h5md", "--animation", "gif")
        with file:
            number = int(file["ricochet"].attrs["num_particles"])
            contacts = file["ricochet/observables/contacts/value"][-1].sum()
        text = pathlib.Path("page/report.html").read_text()
        self.assertIn("cube (8 corners, volume 0.512 nm³), wedge (4 corners, volume 0.1667 nm³)", text)
        self.assertIn("Free paths are left out", text)
        self.assertNotIn("<h2>Free paths</h2>", text)
        self.assertNotIn("theory", read_csv("page/free_times.csv"))
        self.assertAlmostEqual(summary["collision rate per particle"][0], 2 * contacts / (number * 6), places=9)
        self.assertIsNone(summary["collision rate per particle"][2])
        impulse, error, expected = summary["mean impulse / (2 sqrt(mu T))"]
        self.assertLess(abs(impulse - expected), 5 * error)
        self.assertIn("g_cube_wedge", read_csv("page/gr.csv"))
        with Image.open(image_of_page("Animation")) as animation:
            self.assertEqual(animation.n_frames, 7)
        pixels = pixels_of_page("Last frame")
        saturated = np.ptp(pixels, axis=2) > 40
        self.assertGreater(saturated.mean(), 0.1)

    def test_pages_of_other_runs_of_shapes(self):
        self.report(BROWNIAN)[0].close()
        text = pathlib.Path("page/report.html").read_text()
        self.assertIn("The radius of a particle that has a shape is the distance of its farthest corner", text)
        self.assertIsNone(read_summary("page")["diffusion coefficient of cube"][2])
        self.report(REACTING, "reacting.h5md")[0].close()
        text = pathlib.Path("page/report.html").read_text()
        self.assertIn("true sizes", text)
        self.report(GAS, "gas.h5md")[0].close()
        self.assertIn("true radii", pathlib.Path("page/report.html").read_text())

    def test_a_file_without_frames(self):
        self.report(SOLIDS.replace("trajectory_every: 10", "trajectory_every: 0"))[0].close()
        self.assertIn("Free paths are left out", pathlib.Path("page/report.html").read_text())

    def test_corners_that_make_no_sense_are_refused(self):
        path = self.result(SOLIDS, "run.h5md")
        with h5py.File(path, "r+") as file:
            del file["ricochet/shapes/corners"], file["ricochet/shapes/first"]
            file["ricochet/shapes/corners"] = np.random.default_rng(1).random((10_000, 3))
            file["ricochet/shapes/first"] = np.array([0, 0, 10_000, 10_000], np.uint64)
        text = self.fail_with(2, "report", path, "-o", "page")
        self.assertIn("run.h5md: no page can be made of it: /ricochet/shapes", text)
        self.assertNotIn("shape", self.succeed("export", path, "--format", "vtk", "--frames", "0"))


if __name__ == "__main__":
    unittest.main()
