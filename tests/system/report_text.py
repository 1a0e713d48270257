# SPDX-License-Identifier: BSD-3-Clause
"""`ricochet report` on files from anywhere, in folders with anything in them: text is shown, nothing in the
folder is run, and a file with missing parts is refused in a sentence."""
import os
import pathlib
import unittest
from unittest import mock

import h5py

from support.program import GAS
from support.report import WALLS, ReportTest

HOSTILE = ("$\\text{ns}$ <b>&\"' {0}%s\\", "_a_" + "a" * 5000 + "\u00b5m\u00b2/s $")
MINE = "open('run.txt', 'w').write('run')\n"


def set_text(file, text):
    """Writes the text to every attribute of the result that has text for people."""
    run = file["ricochet"]
    run.attrs["title"] = text
    for group, names in ((run["units"], run["units"].attrs), (run["provenance"], ("host", "git"))):
        for name in list(names):
            group.attrs[name] = text
    run["species"].attrs["name"] = [text, "_" + text]
    run["observables/pressure"].attrs["meaning"] = text
    run["input"].attrs["effective"] = "no input: " + text


class ReportText(ReportTest):
    def test_text_of_the_file_is_shown_as_text(self):
        """Text of the file is shown and means nothing."""
        path = self.result(WALLS, "run.h5md")
        for text in HOSTILE:
            with self.subTest(text=text):
                with h5py.File(path, "r+") as file:
                    set_text(file, text)
                self.succeed("report", path, "-o", "page", "--force", "--animation", "gif")
                page = pathlib.Path("page/report.html").read_text(encoding="utf-8")
                self.assertNotIn("<b>", page)

    def test_legends_have_species_with_an_underscore(self):
        """Species with an underscore are in legends. A legend shows as many names as there are species: with and
        without _ it is equally large."""
        for name in ("xax", "_a_"):
            path = self.result(WALLS.replace("name: large", f"name: {name}"), f"{name}.h5md")
            self.succeed("report", path, "-o", "page", "--force")
            page = pathlib.Path("page/report.html").read_text(encoding="utf-8")
            self.assertIn(f"60 small, 20 {name}", page)
        labels = self.labels_of_last_frame(path)
        self.assertEqual([label.strip("\u200b") for label in labels], ["small", "_a_"])

    def labels_of_last_frame(self, path):
        """The texts of the legend that the scripts draw."""
        picture, result = self.module("picture"), self.module("result")
        _, axes = picture.pyplot.subplots()
        picture.add_legend(axes, result.Result(path, {}))
        return [text.get_text() for text in axes.get_legend().get_texts()]

    def test_names_that_are_not_utf_8(self):
        path = self.result(WALLS, "run.h5md")
        with h5py.File(path, "r+") as file:
            for group, name in ((file["ricochet"], "title"), (file["ricochet/units"], "time")):
                del group.attrs[name]
                group.attrs.create(name, b"\xff\xfe", dtype=h5py.string_dtype())
        os.rename(path, b"\xff.h5md")
        self.succeed("report", os.fsdecode(b"\xff.h5md"), "-o", "page")
        self.assertIn("\ufffd", pathlib.Path("page/report.html").read_text(encoding="utf-8"))

    def test_missing_parts_are_one_sentence(self):
        self.result(GAS, "run.h5md")
        whole = pathlib.Path("run.h5md").read_bytes()
        for part in ("particles/trajectory/radius", "ricochet/observables/temperature/time"):
            with self.subTest(part=part):
                pathlib.Path("part.h5md").write_bytes(whole)
                with h5py.File("part.h5md", "r+") as file:
                    del file[part]
                error = self.fail_with(2, "report", "part.h5md", "-o", "page", "--force")
                self.assertNotIn("Traceback", error)
                self.assertIn("part.h5md", error)

    def test_nothing_in_the_folder_is_run(self):
        """Neither modules nor Matplotlib's settings, whatever is in PYTHONPATH; the page is as elsewhere."""
        path = self.result(GAS, "run.h5md")
        for name in ("h5py", "numpy", "matplotlib", "json", "contacts", "sitecustomize"):
            self.write(f"{name}.py", MINE)
        self.write("matplotlibrc", "text.usetex: True\nbackend: module://none\n")
        for python_path in ("", ":."):
            with self.subTest(python_path=python_path), mock.patch.dict(os.environ, PYTHONPATH=python_path):
                self.succeed("report", path, "-o", "page", "--force")
                self.assertFalse(os.path.exists("run.txt"))

    def test_a_python_of_ones_own(self):
        """By a relative path, with modules from PYTHONPATH."""
        path = self.result(GAS, "run.h5md")
        pathlib.Path("own").mkdir()
        self.write("own/mine.py", "")
        python = pathlib.Path(self.write("own/python", '#!/bin/sh\n/usr/bin/python3 -c "import mine" || exit 1\n'
                                         'exec /usr/bin/python3 "$@"\n'))
        python.chmod(0o755)
        with mock.patch.dict(os.environ, RICOCHET_PYTHON="own/python", PYTHONPATH=os.path.abspath("own")):
            self.succeed("report", path, "-o", "page")


if __name__ == "__main__":
    unittest.main()
