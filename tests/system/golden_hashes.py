# SPDX-License-Identifier: BSD-3-Clause
"""The bits of the shipped inputs do not change unnoticed: short runs of each are held against golden_hashes.csv.

A hash covers by value, not by the layout of the file, everything that a run decides: positions, velocities, images,
ids, species, radii, masses, the collision log and the observables. It belongs to the compiler that it was made with.
With another one, of which the table has no rows, the differences are told and the test is skipped.

After a change that is meant to change bits, from the root of the source tree:
    RICOCHET_UPDATE_GOLDEN=1 tests/run.sh -R system.golden_hashes
writes the rows of this compiler anew; say in the commit why they changed.
"""
import csv
import hashlib
import os
import pathlib
import unittest

import h5py

from support.program import INPUTS, ProgramTest

TABLE = pathlib.Path(__file__).with_name("golden_hashes.csv")
COLUMNS = ["input", "steps", "compiler", "hash"]
COMPILER = os.environ.get("RICOCHET_COMPILER", "unknown")
IS_UPDATE = bool(os.environ.get("RICOCHET_UPDATE_GOLDEN"))
STEPS = 6
MORE_STEPS = {"newtons_cradle": 24}
OPTIONS = ["run.equilibrate.collisions_per_particle=0.2", "output.trajectory_every=2", "output.observables_every=1",
           "output.collisions=all", "output.precision=float64"]
# The whole cell, made small enough for a test.
SMALLER = {"ecoli_cell": ["box.size=[200, 100, 100]", "species.0.count=1300",
                          "bodies.0.capsule={from: [50, 50, 50], to: [150, 50, 50], radius: 49}"]}


def dataset_names(file):
    frames = "particles/trajectory"
    names = [f"{frames}/{name}/value" for name in ("position", "velocity", "image", "id", "species")]
    names += [f"{frames}/position/step"]
    changes = isinstance(file[f"{frames}/radius"], h5py.Group)  # contacts change particles: a value per frame
    names += [f"{frames}/{name}/value" if changes else f"{frames}/{name}" for name in ("radius", "mass")]
    names += ["ricochet/collisions"]
    return names + [f"ricochet/observables/{name}/value" for name in sorted(file["ricochet/observables"])]


def hash_of(path):
    """Of the values of all datasets, with their names and shapes."""
    total = hashlib.sha256()
    with h5py.File(path) as file:
        for name in dataset_names(file):
            values = file[name][...]
            fields = [values[field] for field in values.dtype.names] if values.dtype.names else [values]
            total.update(f"{name} {values.shape}".encode())
            for field in fields:
                total.update(field.astype(field.dtype.newbyteorder("<")).tobytes())
    return total.hexdigest()[:16]


def read_table():
    with open(TABLE, newline="") as file:
        return list(csv.DictReader(file))


def write_table(rows):
    with open(TABLE, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: (row["compiler"], row["input"])))


class GoldenHashes(ProgramTest):
    def run_and_hash(self, path):
        steps = MORE_STEPS.get(path.stem, STEPS)
        options = [word for option in OPTIONS + SMALLER.get(path.stem, []) for word in ("--set", option)]
        self.succeed("run", path, "--steps", steps, "--output", "out.h5md", "--force", *options, ranks=2, timeout=1200)
        return {"input": path.stem, "steps": str(steps), "compiler": COMPILER, "hash": hash_of("out.h5md")}

    def test_of_all_inputs(self):
        found = [self.run_and_hash(path) for path in sorted(INPUTS.glob("*.yaml"))]
        self.assertGreaterEqual(len(found), 11)
        if IS_UPDATE:
            others = [row for row in (read_table() if TABLE.exists() else []) if row["compiler"] != COMPILER]
            write_table(others + found)
            self.skipTest(f"wrote the hashes of {COMPILER} to {TABLE}")
        expected = read_table()
        if any(row["compiler"] == COMPILER for row in expected):
            self.maxDiff = None
            self.assertEqual(found, [row for row in expected if row["compiler"] == COMPILER])
        else:
            self.tell_differences(found, expected)

    def tell_differences(self, found, expected):
        others = {(row["input"], row["compiler"]): row["hash"] for row in expected}
        texts = [f"{row['input']} {'has' if others[row['input'], compiler] == row['hash'] else 'does not have'} the bits "
                 f"of {compiler}" for row in found for name, compiler in others if name == row["input"]]
        self.skipTest(f"no hashes of {COMPILER}: " + "; ".join(texts))

    def test_see_every_value(self):
        """A change of one bit anywhere changes the hash."""
        self.run_and_hash(INPUTS / "tunnelling.yaml")
        before = hash_of("out.h5md")
        with h5py.File("out.h5md") as file:
            names = [name for name in dataset_names(file) if file[name].size > 0]
        for name in names:
            with h5py.File("out.h5md", "r+") as file:
                original = file[name][...]
                changed = original.copy()
                changed.view("u1").reshape(-1)[-1] ^= 1
                file[name][...] = changed
            self.assertNotEqual(hash_of("out.h5md"), before, name)
            with h5py.File("out.h5md", "r+") as file:
                file[name][...] = original
        self.assertEqual(hash_of("out.h5md"), before)


if __name__ == "__main__":
    unittest.main()
