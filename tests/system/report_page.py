# SPDX-License-Identifier: BSD-3-Clause
"""The page of `ricochet report`: in Chromium, its pictures, what is refused, installed trees."""
import base64
import io
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import time
import unittest
from unittest import mock

import h5py
import numpy as np

from support.browser import CHROMIUM, open_page, probe
from support.program import EXE, GAS
from support.report import DILUTE, REPORT_FOLDER, WALLS, ReportTest, read_summary


class ReportPage(ReportTest):
    def test_page_waits_for_what_is_being_written(self):
        """The file is no result at first, as in the middle of a write; the attempts of a dead file are one."""
        self.write("input.yaml", DILUTE)
        self.succeed("run", "input.yaml", "--output", "whole.h5md")
        content = pathlib.Path("whole.h5md").read_bytes()
        pathlib.Path("run.h5md").write_bytes(content[:1000])
        pathlib.Path("page").mkdir()
        command = [sys.executable, "-B", str(REPORT_FOLDER), os.path.abspath("run.h5md"), os.path.abspath("page")]
        process = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(process.returncode, 2, process.stderr)
        self.assertIn("run.h5md: no page can be made of it", process.stderr)
        process = subprocess.Popen([*command, "--attempts", "1000"], stderr=subprocess.PIPE, text=True)
        time.sleep(3)
        pathlib.Path("run.h5md").write_bytes(content)
        _, err = process.communicate(timeout=600)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertTrue(pathlib.Path("page/report.html").exists())

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
            self.assertTrue(
                picture["loaded"] and picture["width"] > 300 and picture["height"] > 200, picture
            )
        self.assertEqual(seen["asked"], [])
        if kind == "mp4":
            self.assertEqual([video["error"] for video in seen["videos"]], [None])
            self.assertGreater(seen["videos"][0]["width"], 100)

    def test_page_is_self_contained_and_escaped(self):
        """Page asks for nothing and escapes what it quotes."""
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

    def test_without_frames_the_rest_is_shown(self):
        """Free times need no radii: they are those of the same run with frames."""
        self.report(GAS, "with.h5md")[0].close()
        times = read_summary("page")["mean free time"]
        for text, shown in ((GAS, "Free times"), (WALLS, "Contacts by pair of species"), (DILUTE, "Diffusion")):
            self.report(re.sub(r"trajectory_every: \d+", "trajectory_every: 0", text), f"{len(text)}.h5md")[0].close()
            page = pathlib.Path("page/report.html").read_text()
            self.assertIn("The file has no complete frame", page)
            self.assertIn(f"<h2>{shown}</h2>", page)
            self.assertNotIn("<h2>Free paths</h2>", page)
            if text is GAS:
                self.assertEqual(read_summary("page")["mean free time"][:2], times[:2])

    def test_numbers_of_species_may_be_unknown(self):
        """Those of a start from a file are in the frames alone, or not in the file."""
        self.write("start.csv", "species,x,y,z\n" + "".join(
            f"{'one' if k % 2 else 'two'},{k % 3 * 2 + 1},{k // 3 % 3 * 2 + 1},{k // 9 * 2 + 1}\n" for k in range(27)))
        species = "\n".join(f"  - {{name: {name}, radius: 0.9, mass: 1}}" for name in ("one", "two", "three"))
        text = re.sub("  - .*", species, GAS).replace("method: random", "method: file, path: start.csv")
        text = text.replace("[9, 7, 7]", "[6, 6, 6]").replace("trajectory_every: 5", "trajectory_every: 0")
        path = self.result(text, "run.h5md")
        with h5py.File(path, "r+") as file:
            file["ricochet/species"].attrs.modify("count", np.zeros(3, np.uint64))
        self.succeed("report", path, "-o", "page")
        page = pathlib.Path("page/report.html").read_text()
        self.assertIn("27 in all; without a frame nothing tells the numbers of the species", page)
        self.assertIn("one-two", page)

    def test_few_logged_contacts_have_no_percentage(self):
        self.report(GAS.replace("steps: 20", "steps: 5"))[0].close()
        with open("page/summary.csv") as file:
            text = file.read()
        self.assertIn("far too low: the log has", text)
        self.assertNotIn("low by about", text)

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
            ([path, "-o", "page", "--animation", "avi"], "avi"),
        ):
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
        """Also by a link to the program; and it says so where its scripts are missing."""
        path = self.result(GAS, "run.h5md")
        build = pathlib.Path(EXE).parent
        subprocess.run(
            ["cmake", "--install", build, "--prefix", "prefix"], check=True, capture_output=True
        )
        os.symlink("prefix/bin/ricochet", "linked")
        process = subprocess.run(
            ["./linked", "report", path, "-o", "page"], capture_output=True, text=True
        )
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertEqual(process.stdout, "page/report.html\n")
        scripts = sorted(
            item.name for item in pathlib.Path("prefix/share/ricochet/report").iterdir()
        )
        self.assertEqual(scripts, sorted(item.name for item in REPORT_FOLDER.glob("*.py")))
        shutil.rmtree("prefix/share")
        process = subprocess.run(
            ["./linked", "report", path, "-o", "other"], capture_output=True, text=True
        )
        self.assertEqual(process.returncode, 1)
        self.assertIn("share/ricochet/report) are missing", process.stderr)


if __name__ == "__main__":
    unittest.main()
