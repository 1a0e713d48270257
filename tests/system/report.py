# SPDX-License-Identifier: BSD-3-Clause
"""`ricochet report`: its numbers against independent computations and theory, its page in Chromium."""
import base64
import csv
import io
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import unittest
from unittest import mock

import h5py
import numpy as np

from support.browser import CHROMIUM, open_page, probe
from support.program import EXE, GAS, SOURCE, ProgramTest

DENSE = GAS.replace("[9, 7, 7]", "[12, 11, 10]").replace("steps: 20", "steps: 60")
DILUTE = """\
title: "Dilute <Brownian> & free"
box: {size: [40, 30, 30], boundary: periodic}
species:
  - {name: tracer, radius: 0.05, diffusion: 0.8, count: 4000}
  - {name: slow, radius: 0.05, diffusion: 0.2, count: 2000}
placement: {method: random}
dynamics: {type: brownian, kT: 2}
run: {timestep: 0.01, steps: 400, seed: 11}
output: {file: dilute.h5md, trajectory_every: 80, observables_every: 2, collisions: none}
"""
WALLS = """\
box: {size: [12, 9], boundary: [periodic, reflecting]}
species:
  - {name: small, radius: 0.2, mass: 1, count: 60}
  - {name: large, radius: 0.4, mass: 4, count: 20}
placement: {method: random}
dynamics: {type: ballistic, kT: 1}
contacts: {restitution: 0.9}
run: {timestep: 0.05, steps: 30, seed: 5}
output: {file: walls.h5md, trajectory_every: 3, observables_every: 1, collisions: all}
"""
REPORT_FOLDER = SOURCE / "src/app/report"


def read_csv(path):
    """{column: values} of a CSV of the report; numbers where all are."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    for name, values in columns.items():
        try:
            columns[name] = np.array(values, float)
        except ValueError:
            pass
    return columns


def read_summary(folder):
    """{name: (value, standard error, expected)}, nothing as None."""
    table = {}
    with open(pathlib.Path(folder) / "summary.csv", newline="") as file:
        for row in csv.DictReader(file):
            values = (row[name] for name in ("value", "standard_error", "expected"))
            table[row["name"]] = tuple(float(text) if text else None for text in values)
    return table


def equal_sphere_rate(fraction):
    """Collisions per particle and time, diameter = m = kT = 1: Boublik and Kolafa's pressure."""
    p = fraction
    z = (1 + p + p * p - 2 / 3 * p**3 * (1 + p)) / (1 - p)**3
    return z, (z - 1) * 6 / np.sqrt(np.pi)


class Report(ProgramTest):
    def result(self, text, name):
        self.write("input.yaml", text)
        self.succeed("run", "input.yaml", "--output", name, ranks=2)
        return name

    def report(self, text, name="run.h5md", *options):
        path = self.result(text, name)
        self.succeed("report", path, "-o", "page", "--force", *options, timeout=120)
        return h5py.File(path, "r"), read_summary("page")

    def test_dense_gas_is_the_one_of_theory(self):
        file, summary = self.report(DENSE)
        with file:
            number = int(file["ricochet"].attrs["num_particles"])
            contacts = file["ricochet/observables/contacts"]["value"][-1].sum()
            temperature = file["ricochet/observables/temperature/value"][:].mean()
        z, unit_rate = equal_sphere_rate(number * np.pi / 6 / (12 * 11 * 10))
        rate, error, expected = summary["collision rate per particle"]
        self.assertAlmostEqual(rate, 2 * contacts / (number * 6.0), places=9)
        self.assertAlmostEqual(expected, unit_rate * np.sqrt(temperature), places=9)
        self.assertAlmostEqual(error, rate / np.sqrt(contacts), places=9)
        self.assertLess(abs(rate - expected), 4 * error + expected * 3 / number + 0.01 * expected)
        measured, error, expected = summary["compressibility P V / (N kT)"]
        self.assertAlmostEqual(expected, z, places=9)
        self.assertLess(abs(measured - z), 4 * error + 3 / number * z + 0.01 * z)
        impulse, error, expected = summary["mean impulse / (2 sqrt(mu T))"]
        self.assertLess(abs(impulse - expected), 5 * error)
        path, _, expected = summary["mean free path"]
        self.assertLess(abs(path / expected - 1), 0.05)

    def test_free_flights_are_those_of_a_separate_count(self):
        file, summary = self.report(DENSE)
        with file:
            rows = file["ricochet/collisions"][:]
            size = file["ricochet"].attrs["size"]
            radius = dict(zip(file["particles/trajectory/id/value"][0].tolist(), file["particles/trajectory/radius"]))
        latest, times, paths = {}, [], []
        for row in rows:
            when = int(row["step"]) * 0.1 + row["time"]
            for side, sign in (("a", -1), ("b", 1)):
                one = int(row[side])
                where = row["point"] + sign * radius[one] * row["normal"]
                if one in latest:
                    moved = where - latest[one][1]
                    moved -= size * np.round(moved / size)
                    times.append(when - latest[one][0])
                    paths.append(np.linalg.norm(moved))
                latest[one] = (when, where)
        self.assertAlmostEqual(summary["mean free time"][0], np.mean(times), places=9)
        self.assertAlmostEqual(summary["mean free path"][0], np.mean(paths), places=9)
        for name, values, column in (("free_times", times, "time"), ("free_paths", paths, "path")):
            table = read_csv(f"page/{name}.csv")
            width = table[column][1] - table[column][0]
            edges = np.append(table[column] - width / 2, table[column][-1] + width / 2)
            counts = np.histogram(values, edges)[0]
            self.assertLessEqual(abs(counts - table["count"]).sum(), 4)  # values on an edge
            self.assertTrue(np.allclose(table["density"], table["count"] / (len(values) * width)))
            self.assertAlmostEqual((table["theory"] * width).sum(), 1, delta=0.03)
            few = table["count"] > 100
            self.assertLess(abs(table["theory"][few] / table["density"][few] - 1).max(), 0.4)

    def test_dense_gas_has_the_structure_of_hard_spheres(self):
        file, _ = self.report(DENSE)
        file.close()
        table = read_csv("page/gr.csv")
        r, g = table["r"], table["g"]
        width = r[1] - r[0]
        self.assertEqual(g[r + width / 2 < 1].max(), 0)
        # Carnahan and Starling's contact value at fraction 0.25 is 2.074; the bin averages over a slope.
        at_contact = g[(r - width / 2 > 1) & (r < 1.12)].mean()
        self.assertAlmostEqual(at_contact, 1.95, delta=0.2)
        far = r > 2.5
        weight = r[far]**2
        self.assertAlmostEqual((g[far] * weight).sum() / weight.sum(), 1, delta=0.02)
        speeds = read_csv("page/speeds.csv")
        residual = (speeds["density"] - speeds["maxwell"]) / np.maximum(speeds["standard_error"], 1e-3)
        self.assertLess(abs(residual).max(), 5)
        self.assertAlmostEqual(speeds["density"].sum() * (speeds["speed"][1] - speeds["speed"][0]), 1, places=9)

    def test_g_of_r_is_that_of_all_pairs(self):
        """The sampled g(r) of each pair of species against all pairs of the same frames, within its error."""
        file, _ = self.report(DILUTE)
        table = read_csv("page/gr.csv")
        with file:
            size = file["ricochet"].attrs["size"]
            frame = file["particles/trajectory/position/value"][-1]
            species = file["particles/trajectory/species/value"][-1]
        edges = np.append(table["r"] - table["r"][0], 2 * table["r"][-1] - table["r"][-2] + table["r"][0])
        near = table["r"] < 4
        counts = np.zeros(near.sum())
        slow = frame[species == 1]
        for k, one in enumerate(slow):
            apart = slow[k + 1:] - one
            apart -= size * np.round(apart / size)
            counts += np.histogram(np.linalg.norm(apart, axis=1), edges[:near.sum() + 1])[0]
        shells = 4 * np.pi / 3 * np.diff(edges**3)[:near.sum()]
        exact = counts / (len(slow) * (len(slow) - 1) / 2 * shells / size.prod())
        sampled = table["g_slow_slow"][near]
        weight = shells / shells.sum()
        self.assertAlmostEqual(float(weight @ sampled), float(weight @ exact), delta=0.03)

    def test_dilute_brownian_particles_are_free(self):
        file, summary = self.report(DILUTE)
        with file:
            fraction = 6000 * 4 / 3 * np.pi * 0.05**3 / 36000
            time = file["ricochet/observables/mean_square_displacement/time"][:]
            msd = file["ricochet/observables/mean_square_displacement/value"][:]
        self.assertLess(fraction, 1e-4)
        table = read_csv("page/msd.csv")
        for k, (name, free) in enumerate((("tracer", 0.8), ("slow", 0.2))):
            diffusion, error, expected = summary[f"diffusion coefficient of {name}"]
            self.assertEqual(expected, free)
            self.assertLess(abs(diffusion - free), 4 * error)
            self.assertLess(error, 0.05 * free)
            late = time >= 0.2 * time[-1]
            slope = np.polyfit(time[late], msd[late, k], 1)[0]
            self.assertAlmostEqual(diffusion, slope / 6, places=6)
            self.assertTrue(np.array_equal(table[f"msd_{name}"], msd[:, k]))
        g = read_csv("page/gr.csv")
        far = g["r"] > 1
        self.assertLess(abs((g["g"][far] - 1) / g["standard_error"][far]).max(), 5.5)
        self.assertAlmostEqual(g["g"][far].mean(), 1, delta=0.03)
        self.assertAlmostEqual(summary["temperature"][0], 2, delta=0.01)

    def test_the_error_of_d_is_that_of_many_runs(self):
        """The stated error of the fit against the scatter over 400 simulated sets of free particles."""
        fit = self.module("series").fit_diffusion
        random = np.random.default_rng(3)
        time = np.arange(1, 41) * 0.5
        estimates, errors = [], []
        for _ in range(400):
            place = random.normal(0, np.sqrt(2 * 0.7 * 0.5), (40, 50, 3)).cumsum(axis=0)
            msd = (place**2).sum(axis=2).mean(axis=1)
            estimate, error, _ = fit(time[8:], msd[8:], 3, 50)
            estimates.append(estimate)
            errors.append(error)
        self.assertAlmostEqual(np.mean(estimates), 0.7, delta=4 * np.std(estimates) / 20)
        self.assertAlmostEqual(np.mean(errors) / np.std(estimates), 1, delta=0.15)

    def module(self, name):
        """A module of the report's scripts."""
        sys.path.insert(0, str(REPORT_FOLDER))
        self.addCleanup(sys.path.remove, str(REPORT_FOLDER))
        return __import__(name)

    def test_blocks_change_no_number(self):
        """Read in blocks of a few rows, all series, histograms and flights are the same."""
        path = self.result(DENSE, "run.h5md")
        module, contacts = self.module("result"), self.module("contacts")
        structure = self.module("structure")
        theory = {"dynamics": "ballistic", "kT": 1, "elastic": True, "equal": True}

        def numbers():
            result = module.Result(path, theory)
            sections = [structure.speeds(result), structure.pair_distribution(result), *contacts.log_sections(result)]
            return [(name, column, values) for section in sections for name, table in section.tables.items()
                    for column, values in table.items()] + [("rate", "mean", result.averaged("pressure")[1])]

        whole = numbers()
        with mock.patch.multiple(module, ROWS_PER_BLOCK=17), mock.patch.multiple(contacts, ROWS_PER_READ=13):
            pieces = numbers()
        for (name, column, a), (_, _, b) in zip(whole, pieces):
            self.assertTrue(np.allclose(a, b, rtol=1e-12, equal_nan=True), (name, column))

    def test_averages_weigh_intervals(self):
        path = self.result(DENSE.replace("observables_every: 2", "observables_every: 7"), "run.h5md")
        module = self.module("result")
        result = module.Result(path, {})
        group = result.run["observables/collision_rate"]
        time, value = group["time"][:], group["value"][:]
        exact = (np.diff(time) * value[1:]).sum() / (time[-1] - time[0])
        with mock.patch.multiple(module, MOST_POINTS=2, ROWS_PER_BLOCK=3):
            middles, means = result.averaged("collision_rate")
            self.assertLessEqual(len(means), 3)
            times, _ = result.thinned("temperature")
        self.assertEqual((times[0], times[-1]), (time[0], time[-1]))
        widths = np.diff(time[[0, 5, 9]]) if len(means) == 2 else None
        if widths is not None:
            self.assertAlmostEqual((widths * means).sum() / widths.sum(), exact, places=9)

    def test_walls_mixtures_and_restitution_have_no_false_references(self):
        file, summary = self.report(WALLS)
        file.close()
        self.assertIsNone(summary["collision rate per particle"][2])
        self.assertIsNone(summary["pressure"][2])
        self.assertNotIn("diffusion coefficient of small", summary)
        self.assertIn("pressure on the wall y low", summary)
        self.assertNotIn("theory", read_csv("page/free_times.csv"))
        self.assertIn("g_small_large", read_csv("page/gr.csv"))

    def test_load_balance_is_that_of_the_ranks(self):
        file, summary = self.report(DENSE)
        with file:
            provenance = dict(file["ricochet/provenance"].attrs)
        per_rank = [float(word) for word in provenance["computing_seconds"].split()]
        self.assertEqual(len(per_rank), 2)
        self.assertEqual(read_csv("page/ranks.csv")["computing_seconds"].tolist(), per_rank)
        self.assertAlmostEqual(summary["load balance"][0], sum(per_rank) / 2 / max(per_rank), places=9)
        phases = read_csv("page/phases.csv")
        self.assertEqual([part.split()[0] for part in provenance["seconds_per_phase"].split(";")], phases["phase"])
        self.assertTrue((phases["least"] <= phases["mean"]).all() and (phases["mean"] <= phases["most"]).all())
        search, contacts = (phases["phase"].index(name) for name in ("search", "contacts"))
        computing = phases["mean"][search] + phases["mean"][contacts]
        self.assertAlmostEqual(computing / (sum(per_rank) / 2), 1, delta=0.01)

    def test_a_file_with_little_makes_a_short_page(self):
        path = self.result(GAS, "run.h5md")
        with h5py.File(path, "r+") as file:
            complete = file["ricochet/complete"][:]
            for name in ("frames", "collisions", "samples"):
                complete[name] = 0
            file["ricochet/complete"][:] = complete
        self.succeed("report", path, "-o", "page")
        text = pathlib.Path("page/report.html").read_text()
        self.assertEqual(re.findall(r'<img [^>]*alt="([^"]*)"', text), ["Load balance"])
        self.assertTrue("<h1>Small gas</h1>" in text)

    def test_rows_beyond_the_counters_are_void(self):
        """As a killed run leaves them: the page shows the frames, samples and contacts announced complete."""
        path = self.result(GAS, "run.h5md")
        with h5py.File(path, "r+") as file:
            complete = file["ricochet/complete"][:]
            complete["frames"], complete["samples"], complete["collisions"] = 3, 6, 500
            file["ricochet/complete"][:] = complete
            file["particles/trajectory/position/value"][3:] = np.nan
            for name in ("energy", "temperature", "pressure", "collision_rate", "mean_square_displacement"):
                file["ricochet/observables"][name]["value"][6:] = np.nan
            contacts = file["ricochet/observables/contacts/value"][5].sum()
        self.succeed("report", path, "-o", "page")
        text = pathlib.Path("page/report.html").read_text()
        self.assertTrue("at step 10, time 1;" in text)
        self.assertTrue("From 500 logged contacts" in text)
        table = read_csv("page/temperature.csv")
        self.assertEqual(len(table["time"]), 6)
        self.assertFalse(np.isnan(table["temperature"]).any())
        self.assertAlmostEqual(read_summary("page")["collision rate per particle"][0], 2 * contacts / 211, places=9)

    def test_page_opens_in_chromium(self):
        if CHROMIUM is None:
            self.skipTest("chromium is not installed (apt-get install chromium)")
        kind = "mp4" if shutil.which("ffmpeg") else "gif"
        self.report(WALLS, "run.h5md", "--animation", kind)[0].close()
        html, console = open_page("page/report.html")
        self.assertEqual(console, [])
        self.assertIn("Collision rate", html)
        seen = probe("page/report.html")
        expected = pathlib.Path("page/report.html").read_text().count("<img ")
        self.assertEqual(len(seen["pictures"]), expected)
        self.assertGreaterEqual(expected, 10)
        for picture in seen["pictures"]:
            self.assertTrue(picture["loaded"] and picture["width"] > 300 and picture["height"] > 200, picture)
        self.assertEqual(seen["asked"], [])
        if kind == "mp4":
            self.assertEqual([video["error"] for video in seen["videos"]], [None])
            self.assertGreater(seen["videos"][0]["width"], 100)

    def test_page_asks_for_nothing_and_escapes_what_it_quotes(self):
        self.report(DILUTE)[0].close()
        text = pathlib.Path("page/report.html").read_text()
        self.assertIn("<h1>Dilute &lt;Brownian&gt; &amp; free</h1>", text)
        sources = re.findall(r'(?:src|href)="([^"]{0,30})', text)
        self.assertTrue(sources and all(source.startswith("data:") for source in sources))
        self.assertNotIn("<script", text)
        for group in ("unit of length", "wall_time_seconds", "git", "dynamics:"):
            self.assertIn(group, text)

    def test_animation_has_a_picture_per_frame(self):
        from PIL import Image
        self.report(WALLS, "run.h5md", "--animation", "gif")[0].close()
        text = pathlib.Path("page/report.html").read_text()
        data = re.search(r"data:image/gif;base64,([^\"]+)", text)[1]
        with Image.open(io.BytesIO(base64.b64decode(data))) as animation:
            self.assertEqual(animation.n_frames, 11)

    def test_picture_shows_true_radii(self):
        """The area that discs cover in the picture is that of the discs."""
        from PIL import Image
        self.report(WALLS)[0].close()
        text = pathlib.Path("page/report.html").read_text()
        data = re.search(r'data:image/png;base64,([^"]+)" alt="Last frame"', text)[1]
        pixels = np.array(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")).astype(int)
        blue = (abs(pixels - [31, 119, 180]).max(axis=2) < 40).sum()
        orange = (abs(pixels - [255, 127, 14]).max(axis=2) < 40).sum()
        # The legend holds a patch of each, some hundred pixels.
        self.assertAlmostEqual(orange / blue, 20 * 0.4**2 / (60 * 0.2**2), delta=0.15)

    def test_refuses_in_a_sentence(self):
        path = self.result(GAS, "run.h5md")
        pathlib.Path("file").write_text("")
        os.mkdir("taken")
        pathlib.Path("taken/report.html").write_text("mine")
        for arguments, sentence in (
                (["none.h5md", "-o", "page"], "there is no such file"),
                ([path, "-o", "taken"], "taken/report.html: it exists; give --force"),
                ([path, "-o", "file"], "output folder file: is a file"),
                ([path, "-o", "no/where"], "output folder no/where: cannot be created"),
                ([path], "--output"),
                ([path, "-o", "page", "--animation", "avi"], "avi")):
            with self.subTest(arguments):
                self.assertIn(sentence, self.fail_with(2, "report", *arguments))
        self.assertEqual(pathlib.Path("taken/report.html").read_text(), "mine")
        self.assertFalse(os.path.exists("page"))

    def test_says_what_to_install(self):
        path = self.result(GAS, "run.h5md")
        bare = pathlib.Path("bare_python").resolve()
        bare.write_text('#!/bin/sh\necho "No module named h5py" >&2\nexit 1\n')
        bare.chmod(bare.stat().st_mode | stat.S_IXUSR)
        with mock.patch.dict(os.environ, RICOCHET_PYTHON=str(bare)):
            error = self.fail_with(1, "report", path, "-o", "page")
        self.assertIn("apt-get install python3-h5py python3-matplotlib", error)
        self.assertFalse(os.path.exists("page"))

    def test_works_from_an_installed_tree(self):
        """Also under a name that a link gives the program, and with a folder of scripts that cannot be written."""
        path = self.result(GAS, "run.h5md")
        build = pathlib.Path(EXE).parent
        subprocess.run(["cmake", "--install", build, "--prefix", "prefix"], check=True, capture_output=True)
        os.symlink("prefix/bin/ricochet", "linked")
        process = subprocess.run(["./linked", "report", path, "-o", "page"], capture_output=True, text=True)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertEqual(process.stdout, "page/report.html\n")
        scripts = sorted(item.name for item in pathlib.Path("prefix/share/ricochet/report").iterdir())
        self.assertEqual(scripts, sorted(item.name for item in REPORT_FOLDER.glob("*.py")))
        shutil.rmtree("prefix/share")
        process = subprocess.run(["./linked", "report", path, "-o", "other"], capture_output=True, text=True)
        self.assertEqual(process.returncode, 1)
        self.assertIn("share/ricochet/report) are missing", process.stderr)


if __name__ == "__main__":
    unittest.main()
