# SPDX-License-Identifier: BSD-3-Clause
"""Results are held against their checksums by `info --verify` and before a run goes on: whatever has changed is named
in a sentence, whatever passes goes on to the bits of the run that never stopped. Flipped bits are drawn at random."""
import collections
import os
import pathlib
import random
import shutil
import unittest

import h5py

from support.program import GAS, ProgramTest, ricochet

IS_LONG = "RICOCHET_LONG" in os.environ
NUM_RESULT_FLIPS, NUM_CHECKPOINT_FLIPS, NUM_CONTINUED = (10_000, 300, 500) if IS_LONG else (170, 30, 8)
ALL_STEPS = ["--steps", "40"]
TRAJECTORY = "particles/trajectory/"


def change_element(name, row):
    def change(file):
        values = file[name]
        place = (row,) + (0,) * (len(values.shape) - 1)
        value = values[place]
        if values.dtype.fields:
            value["speed"] += 1
        else:
            value += 1
        values[place] = value
    return change


def change_attribute(group, name, value):
    def change(file):
        file[group].attrs[name] = value
    return change


def count_fewer_rows(file):
    complete = file["ricochet/complete"]
    row = complete[0]
    row["samples"] -= 1
    complete[0] = row


FRAMES, COLLISIONS, OBSERVABLES = "its frames", "its rows of collisions", "its observables"
DESCRIPTION, COUNTERS = "its description", "its counters of complete rows"
CHANGES = [(FRAMES, change_element(TRAJECTORY + name, row)) for name, row in (
    ("position/value", 1), ("velocity/value", 0), ("image/value", 2), ("id/value", 1), ("species/value", 2),
    ("position/step", 1), ("position/time", 2), ("box/edges/value", 1), ("radius", 5), ("mass", 0))]
CHANGES += [(COLLISIONS, change_element("ricochet/collisions", 17)),
            (OBSERVABLES, change_element("ricochet/observables/energy/value", 3)),
            (OBSERVABLES, change_element("ricochet/observables/momentum/step", 2)),
            (OBSERVABLES, change_element("ricochet/observables/momentum/value", 4)),
            (COUNTERS, count_fewer_rows),
            (DESCRIPTION, change_attribute("ricochet", "seed", 4)),
            (DESCRIPTION, change_attribute("ricochet/input", "text", "another input")),
            (DESCRIPTION, change_attribute("ricochet/provenance", "cpu", "another one")),
            (DESCRIPTION, change_attribute("ricochet/collisions", "new", 1.5))]


class ChecksumTest(ProgramTest):
    """With gas.h5md of 20 steps, its checkpoints, and whole.h5md of 40 steps."""
    text = GAS

    def setUp(self):
        super().setUp()
        self.write("input.yaml", self.text)
        self.succeed("run", "input.yaml", "--set", "output.checkpoint.every_steps=10", ranks=2)
        self.succeed("run", "input.yaml", "--output", "whole.h5md", *ALL_STEPS)
        os.mkdir("sound")
        self.files = sorted(pathlib.Path().glob("gas.h5md*"))
        for path in self.files:
            shutil.copy(path, "sound")

    def restore(self):
        for path in pathlib.Path().glob("gas.h5md*"):
            path.unlink()
        for path in self.files:
            shutil.copy("sound" / path, ".")

    def flip(self, path, bit):
        content = bytearray(path.read_bytes())
        content[bit // 8] ^= 1 << bit % 8
        path.write_bytes(content)

    def expect_whole(self, **options):
        """Goes on to the end and has the bits of the run that never stopped."""
        self.succeed("run", "input.yaml", "--continue", *ALL_STEPS, **options)
        self.assert_same_results("whole.h5md", "gas.h5md")
        self.assert_verified("gas.h5md")

    def expect_refusal(self, words, **options):
        """By info --verify and by a run that would go on, which leaves the file as it is."""
        text = self.fail_with(2, "info", "--verify", "gas.h5md")
        self.assertIn(words, text)
        self.assertTrue(text.startswith("gas.h5md: is damaged: "), text)
        content = pathlib.Path("gas.h5md").read_bytes()
        text = self.fail_with(2, "run", "input.yaml", "--continue", *ALL_STEPS, **options)
        self.assertIn("gas.h5md: is damaged: ", text)
        self.assertIn("move it away, or give --force", text)
        self.assertEqual(pathlib.Path("gas.h5md").read_bytes(), content)


class Checksums(ChecksumTest):
    def test_sound_results_are_verified(self):
        self.assertIn("verified: ", self.succeed("info", "--verify", "gas.h5md"))
        self.assertNotIn("verified", self.succeed("info", "gas.h5md"))
        self.expect_whole(ranks=3)
        self.assertIn("verified: ", self.succeed("info", "--verify", "gas.h5md", ranks=2))

    def test_every_change_is_named(self):
        for words, change in CHANGES:
            with self.subTest(words):
                self.restore()
                with h5py.File("gas.h5md", "r+") as file:
                    change(file)
                process = ricochet("verify", "gas.h5md")
                self.assertEqual(process.returncode, 1, process.stderr)
                self.assertIn(f"gas.h5md: is damaged: {words}", process.stdout)

    def test_damaged_results_are_not_continued(self):
        """Damaged rows and descriptions are not continued."""
        for words, change in (CHANGES[0], CHANGES[11], CHANGES[-1]):
            with self.subTest(words):
                self.restore()
                with h5py.File("gas.h5md", "r+") as file:
                    change(file)
                self.expect_refusal(words, ranks=2)

    def test_chunks_in_one_place_are_not_continued(self):
        """Chunks that share their place are not continued. The same ids stand in all frames: only the index of chunks
        tells that one of them is not there."""
        with h5py.File("gas.h5md") as file:
            ids = file[TRAJECTORY + "id/value"]
            self.assertGreater(len(file["ricochet/observables/energy/value"]), 3)
            energies = file["ricochet/observables/energy/value"].id.get_chunk_info(0).byte_offset
            chunk = ids.id.get_chunk_info(0).byte_offset
        content = pathlib.Path("gas.h5md").read_bytes()
        old, new = (place.to_bytes(8, "little") for place in (chunk, energies))
        self.assertEqual(content.count(old), 1)
        pathlib.Path("gas.h5md").write_bytes(content.replace(old, new))
        self.expect_refusal("is of two chunks")

    def test_file_that_crashes_hdf5_ends_no_command(self):
        """A file that hdf5 breaks down on ends no command. Any bit that makes a process read out of its memory."""
        generator = random.Random(1)
        for _ in range(1000):
            self.restore()
            self.flip(pathlib.Path("gas.h5md"), generator.randrange(8 * 20_000))
            if ricochet("verify", "gas.h5md").returncode < 0:
                break
        else:
            self.fail("no bit was found on which HDF5 breaks down")
        self.expect_refusal("the HDF5 library breaks down on it", ranks=2)
        for arguments in (["info"], ["compare", "whole.h5md"], ["export", "--format", "xyz"]):
            text = self.fail_with(2, *arguments, "gas.h5md")
            self.assertIn("gas.h5md: is damaged: the HDF5 library breaks down on it", text)

    def test_a_reader_warns_of_a_damaged_description(self):
        with h5py.File("gas.h5md", "r+") as file:
            file["ricochet"].attrs["seed"] = 4
        process = ricochet("info", "gas.h5md")
        self.assertEqual(process.returncode, 0)
        self.assertIn("warning: gas.h5md: is damaged: its description", process.stderr)


class BodyChecksums(ChecksumTest):
    text = GAS.replace("[9, 7, 7], boundary: periodic", "[12, 12, 12], boundary: reflecting").replace("species:", """bodies:
  - {name: post, sphere: {centre: [2, 2, 7], radius: 1}, patches: [{name: door, direction: [1, 0, 0], radius: 0.4}]}
  - {name: grains, spheres: [[6, 10, 8.5, 0.4], [9, 10, 8.5, 0.4]]}
species:""")

    def test_every_change_is_named(self):
        """Of bodies the description has the hash only."""
        self.assertIn("verified: ", self.succeed("info", "--verify", "gas.h5md"))
        for name, field in (("table", "numbers"), ("surfaces", None), ("spheres", None), ("patches", "body")):
            with self.subTest(name):
                self.restore()
                with h5py.File("gas.h5md", "r+") as file:
                    values = file["ricochet/bodies"][name][:]
                    (values if field is None else values[field])[0] += 1
                    file["ricochet/bodies"][name][:] = values
                self.expect_refusal("its bodies are not what was written", ranks=2)


class ShapeChecksums(ChecksumTest):
    text = GAS.replace("species:", "species:\n  - {name: cube, shape: {cube: 0.6}, mass: 1, count: 10}")

    def test_every_change_is_named(self):
        """Of shapes the description has the hash only."""
        self.assertIn("verified: ", self.succeed("info", "--verify", "gas.h5md"))
        for name in ("first", "corners", "volume"):
            with self.subTest(name):
                self.restore()
                with h5py.File("gas.h5md", "r+") as file:
                    values = file["ricochet/shapes"][name][:]
                    values[0] += 1
                    file["ricochet/shapes"][name][:] = values
                self.expect_refusal("its shapes are not what was written", ranks=2)


class BitFlips(ChecksumTest):
    def flips_of(self, path, number, generator):
        """One at a time in a fresh copy, in bytes that are not zero, as most of the unused ones are."""
        used = [place for place, byte in enumerate(path.read_bytes()) if byte]
        for _ in range(number):
            self.restore()
            # Half of them where the file describes itself, which is the smallest part of it.
            place = generator.choice(used if generator.random() < 0.5 else used[:12_000])
            self.flip(path, 8 * place + generator.randrange(8))
            yield place

    def test_in_a_result(self):
        generator, found, num_continued = random.Random(7), collections.Counter(), 0
        for place in self.flips_of(pathlib.Path("gas.h5md"), NUM_RESULT_FLIPS, generator):
            with self.subTest(place=place):
                process = ricochet("verify", "gas.h5md")
                found[process.returncode] += 1
                if process.returncode > 0:
                    self.assertRegex(process.stdout, "gas.h5md: .{10}")
                elif process.returncode == 0 and num_continued < NUM_CONTINUED:
                    num_continued += 1
                    self.expect_whole()
        print(f"flipped bits in a result, by exit status: {dict(found)}, {num_continued} continued")
        self.assertGreater(found[0] * found[1], 0)

    def test_in_a_checkpoint(self):
        """An older one is used instead, and the bits are the same."""
        newest = pathlib.Path("gas.h5md.checkpoint-20")
        for place in self.flips_of(newest, NUM_CHECKPOINT_FLIPS, random.Random(8)):
            with self.subTest(place=place):
                text = self.succeed("run", "input.yaml", "--continue", *ALL_STEPS)
                self.assertIn("warning: gas.h5md.checkpoint-20: is damaged: it", text)
                self.assertIn("continuing from gas.h5md.checkpoint-10", text)
        self.assert_same_results("whole.h5md", "gas.h5md")


if __name__ == "__main__":
    unittest.main(verbosity=2)
