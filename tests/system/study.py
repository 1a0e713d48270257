# SPDX-License-Identifier: BSD-3-Clause
"""The command study: the same contacts by every search on any number of ranks, numbers that programs can read, no
result file, and refusals."""
import csv
import os
import re
import signal
import subprocess
import unittest

from support.program import EXE, GAS, ProgramTest, on_terminal, ricochet

COUNTS = ("particles", "steps", "compared_per_particle_step", "candidates_per_particle_step",
          "exact_tests_per_particle_step", "links_per_particle", "contacts_per_step", "searches_per_contact",
          "enlargements_per_contact", "seconds_per_step",
          "seconds_per_step_q1", "seconds_per_step_q3", "cpu_seconds_per_step", "cpu_seconds_per_step_q1",
          "cpu_seconds_per_step_q3", "binning_seconds_per_step", "search_seconds_per_step",
          "events_seconds_per_step", "contacts_per_second_per_core", "engine_bytes_per_particle")
OF_STEP_SEARCHES = ("compared_per_particle_step", "links_per_particle", "enlargements_per_contact",
                    "binning_seconds_per_step", "search_seconds_per_step")
QUEUES = ("cells_crossing", "cells_every_move", "delaunay", "time_bounds")
KEPT_BYTES = ("cells", "slices", "all_pairs", "sorted_slices", "boxes", "octree")


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class Study(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("gas.yaml", GAS)

    def study(self, *arguments, **options):
        self.succeed("study", "gas.yaml", "--csv", "out.csv", "--force", *arguments, **options)
        return rows_of("out.csv")

    def test_methods_and_ranks_agree(self):
        one = self.study("--steps", 9)
        self.assertGreaterEqual({row["method"] for row in one}, set(KEPT_BYTES))
        three = self.study("--steps", 9, "--search", "slices,cells", ranks=3)
        self.assertEqual([row["method"] for row in three], ["slices", "cells"])
        for hashes in ("contacts_hash", "state_hash"):
            self.assertEqual(len({row[hashes] for row in one + three}), 1)
        self.assertEqual({row["ranks"] for row in three}, {"3"})
        loops = self.study("--steps", 9, "--search",
                           "cells,cells/queue,spatial_tree/queue,slices/restart,slices/precheck,boxes/queue",
                           ranks=2)
        self.assertEqual({row["state_hash"] for row in loops}, {one[0]["state_hash"]})
        tests = {row["method"]: float(row["exact_tests_per_particle_step"]) for row in loops}
        self.assertGreater(tests["slices/restart"], 5 * tests["cells/queue"])
        self.assertGreater(tests["slices/restart"], 2 * tests["slices/precheck"])
        self.assertEqual(sorted(os.listdir()), ["gas.yaml", "out.csv"])

    def test_numbers_are_those_of_the_steps(self):
        for row in self.study("--steps", 9, "--turn", 2):
            for name in COUNTS:
                if row["method"] not in QUEUES or name not in OF_STEP_SEARCHES:
                    self.assertGreater(float(row[name]), 0, f"{name} of {row['method']}")
            if row["method"] in QUEUES:
                self.assertEqual(float(row["links_per_particle"]), 0)
            if row["method"] in KEPT_BYTES:
                self.assertGreater(float(row["search_bytes_per_particle"]), 0, row["method"])
            self.assertEqual(row["steps"], "9")
            for clock in ("", "cpu_"):
                quartiles = [float(row[f"{clock}seconds_per_step{part}"]) for part in ("_q1", "", "_q3")]
                self.assertEqual(quartiles, sorted(quartiles), clock)
            rate = float(row["contacts_per_step"]) / float(row["seconds_per_step"])
            self.assertAlmostEqual(float(row["contacts_per_second_per_core"]) / rate, 1, places=4)
        # The contacts of the run that the study stands for.
        self.succeed("run", "gas.yaml", "--steps", 9)
        text = self.succeed("info", "gas.h5md")
        contacts = int(re.search(r"collisions +(\d+) rows", text)[1])
        self.assertAlmostEqual(9 * float(row["contacts_per_step"]), contacts, places=2)

    def test_topological_events_are_counted(self):
        plain, queue, crossing = self.study(
            "--steps", 4, "--search", "sweep_and_prune,sweep_and_prune/queue,cells_crossing", ranks=2)
        self.assertEqual(plain["contacts_hash"], queue["contacts_hash"])
        events = [float(row["topological_per_contact"]) for row in (plain, crossing, queue)]
        self.assertEqual(events[0], 0)
        self.assertLess(0, events[1])
        self.assertLess(events[1], events[2])

    def test_table_and_help_name_what_there_is(self):
        text = self.succeed("study", "gas.yaml", "--steps", 2, "--search", "cells,slices")
        self.assertRegex(text, r"(?m)^cells +\d")
        self.assertRegex(text, r"(?m)^slices +\d")
        self.assertEqual(sorted(os.listdir()), ["gas.yaml"])
        explained = self.succeed("study", "--help")
        for name in self.study("--steps", 1)[0]:
            self.assertIn(f"\n  {name} ", explained)

    def test_looks_after_steps(self):
        (plain,) = self.study("--steps", 4, "--search", "cells")
        self.assertEqual(plain["touching_pairs_per_step"], "")
        text = self.succeed("study", "gas.yaml", "--steps", 4, "--search", "cells", "--after-steps")
        self.assertRegex(text, r"looking for overlaps after each step: of \d+ pairs that touch in a step, \d+ overlap")
        (one,) = self.study("--steps", 4, "--search", "cells", "--after-steps")
        (three,) = self.study("--steps", 4, "--search", "slices", "--after-steps", ranks=3)
        for name in ("touching_pairs_per_step", "overlapping_after_step"):
            self.assertGreater(float(one[name]), 0)
            self.assertEqual(one[name], three[name])
        self.assertLess(float(one["overlapping_after_step"]), float(one["touching_pairs_per_step"]))

    def test_turns_are_told(self):
        process = ricochet("study", "gas.yaml", "--steps", 8, "--turn", 4, "--search", "cells,slices", ranks=2)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertEqual(process.stderr, "turn 1 of 2: cells\nturn 1 of 2: slices\n")
        shown = on_terminal("study", "gas.yaml", "--steps", 8, "--turn", 4, "--search", "cells,slices")
        self.assertRegex(shown, r"turn 1 of 2: slices.*turn 2 of 2: slices, about \d\S* s left"
                                r".*turn 2 of 2: cells, about \d\S* s left")

    def test_signals_leave_the_turns_done(self):
        process = subprocess.Popen([EXE, "study", "gas.yaml", "--steps", "1000000", "--search", "cells,slices"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and "turn 1 of 250000: slices" not in process.stderr.readline():
            pass
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 1, out + err)
        steps = int(re.search(r"(?m)^ended by a signal after (\d+) of 1000000 steps:$", out)[1])
        self.assertIn(f"particles, {steps} steps on 1 rank", out)
        self.assertRegex(out, r"(?m)^slices +\d")

    def test_all_pairs_is_for_few_unless_named(self):
        many = ("--set", "box.size=[40,40,40]", "--set", "species.0.volume_fraction=0.1", "--steps", 1)
        text = self.succeed("study", "gas.yaml", *many)
        self.assertIn("all_pairs is left out", text)
        self.assertNotRegex(text, r"(?m)^all_pairs +\d")

    def test_nothing_is_divided_by_no_contacts(self):
        text = GAS.replace("volume_fraction: 0.25", "count: 2").replace("[9, 7, 7]", "[900, 700, 700]")
        self.write("gas.yaml", text)
        table = self.succeed("study", "gas.yaml", "--csv", "out.csv", "--search", "cells,cells_crossing")
        rows = rows_of("out.csv")
        self.assertEqual({row["contacts_per_step"] for row in rows}, {"0"})
        for row in rows:
            self.assertEqual(row["searches_per_contact"], "")
            self.assertFalse([name for name, value in row.items() if "nan" in value or "inf" in value], row)
        self.assertNotRegex(table, r"\b(nan|inf)\b")
        self.assertIn("none", table)

    def test_refusals(self):
        for ranks in (1, 3):
            message = self.fail_with(2, "study", "gas.yaml", "--search", "cells,fly", ranks=ranks)
            self.assertIn("--search: got fly, expected some of cells, slices, all_pairs", message)
        message = self.fail_with(2, "study", "gas.yaml", "--search", "cells,cells_crossing/windows")
        self.assertIn("got cells_crossing/windows, expected queue, restart or precheck after the slash", message)
        self.assertIn("--steps", self.fail_with(2, "study", "gas.yaml", "--steps", 0))
        self.assertIn("--turn", self.fail_with(2, "study", "gas.yaml", "--turn", 0))
        self.assertIn("got cells twice", self.fail_with(2, "study", "gas.yaml", "--search", "cells,cells"))
        self.assertIn("run.steps", self.fail_with(2, "study", "gas.yaml", "--set", "run.steps=-1"))
        self.assertIn("is the input", self.fail_with(2, "study", "gas.yaml", "--csv", "./gas.yaml", "--force"))
        self.write("out.csv", "precious")
        self.assertIn("out.csv", self.fail_with(2, "study", "gas.yaml", "--csv", "out.csv"))
        self.assertIn("contact_cap", self.fail_with(1, "study", "gas.yaml", "--set", "run.contact_cap=2"))


if __name__ == "__main__":
    unittest.main()
