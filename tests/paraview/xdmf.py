# SPDX-License-Identifier: BSD-3-Clause
"""ParaView opens results through the .xdmf beside them, and exports through the .pvd: point counts
and exact ranges at several times, in 3D, in 2D and in single precision; and it renders spheres of
the true radii where there is a virtual display (Xvfb). Exits with 77
(skipped) where pvpython is not installed.
"""
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))
from support.program import GAS, ProgramTest  # noqa: E402

DUMP = pathlib.Path(__file__).resolve().with_name("dump.py")
DISCS = GAS.replace("[9, 7, 7], boundary: periodic", "[13, 11], boundary: [periodic, reflecting]")
SINGLE = GAS.replace("collisions: all", "collisions: all, precision: float32")
MIXTURE = GAS.replace(
    "radius: 0.5, mass: 1, volume_fraction: 0.25",
    "radius: {lognormal: {median: 0.4, sigma: 0.2, min: 0.2, max: 0.7}}, mass: 1, count: 60",
)


@contextlib.contextmanager
def virtual_display():
    """Names a display of our own, which the X server chooses itself so that none is taken twice."""
    read_end, write_end = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "800x600x24", "-nolisten", "tcp"],
        pass_fds=[write_end],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write_end)
    try:
        with open(read_end) as pipe:
            yield ":" + pipe.readline().strip()
    finally:
        server.terminate()
        server.wait()


def pvpython(path, picture="-", display=None):
    """What dump.py tells of a file, as JSON. XDMF finds its HDF5 file only beside a full path."""
    path = str(pathlib.Path(path).resolve())
    environment = {**os.environ, "DISPLAY": display} if display else None
    process = subprocess.run(
        ["pvpython", "--force-offscreen-rendering", str(DUMP), path, picture],
        capture_output=True,
        text=True,
        timeout=200,
        env=environment,
    )
    for line in process.stdout.splitlines():
        if line.startswith("JSON ") and process.returncode == 0:
            return json.loads(line[5:])
    raise AssertionError(process.stdout + process.stderr)


def ranges_of(values):
    """Of each component, as ParaView gives them."""
    values = np.asarray(values, float)
    return [[column.min(), column.max()] for column in values.reshape(len(values), -1).T]


class ParaView(ProgramTest):
    inputs = {"gas": GAS, "discs": DISCS, "single": SINGLE, "mixture": MIXTURE}

    def check(self, path, seen):
        with h5py.File(path, "r") as file:
            group = file["particles/trajectory"]
            times = group["position/time"][:].tolist()
            self.assertEqual(seen["times"], times)
            self.assertEqual(len(seen["frames"]), 3)
            for frame in seen["frames"]:
                k = times.index(frame["time"])
                self.assertEqual(frame["points"], group["id/value"].shape[1])
                bounds = np.array(ranges_of(group["position/value"][k])).ravel()
                self.assertTrue((bounds == frame["bounds"]).all(), (bounds, frame["bounds"]))
                for name in ("id", "species", "velocity"):
                    self.assertEqual(
                        frame["arrays"][name], ranges_of(group[name]["value"][k]), name
                    )
                for name in ("radius", "mass"):
                    self.assertEqual(frame["arrays"][name], ranges_of(group[name][:]), name)

    def test_xdmf_has_points_and_ranges(self):
        """Xdmf has the points and ranges of the result."""
        for name, text in self.inputs.items():
            with self.subTest(name):
                self.succeed(
                    "run", self.write("input.yaml", text), "--output", f"{name}.h5md", ranks=2
                )
                self.check(f"{name}.h5md", pvpython(f"{name}.xdmf"))

    def test_exported_collection_has_them_too(self):
        self.succeed("run", self.write("input.yaml", MIXTURE), "--output", "a.h5md", ranks=2)
        self.succeed("export", "a.h5md", "--format", "vtk")
        self.check("a.h5md", pvpython("a.pvd"))

    def test_renders_spheres(self):
        if shutil.which("Xvfb") is None:
            self.skipTest("Xvfb is not installed (apt-get install xvfb): nothing is rendered")
        from PIL import Image

        self.succeed("run", self.write("input.yaml", MIXTURE), "--output", "a.h5md", ranks=2)
        with virtual_display() as display:
            pvpython("a.xdmf", str(pathlib.Path("a.png").resolve()), display)
        pixels = np.array(Image.open("a.png").convert("RGB")).astype(int)
        self.assertEqual(pixels.shape, (300, 400, 3))
        covered = (abs(pixels - pixels[0, 0]).max(axis=2) > 30).mean()
        self.assertGreater(covered, 0.05)
        self.assertLess(covered, 0.9)


if __name__ == "__main__":
    if shutil.which("pvpython") is None:
        print("skipped: pvpython is not installed (apt-get install paraview python3-paraview)")
        sys.exit(77)
    unittest.main()
