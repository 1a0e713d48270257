#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What run.sh makes of its measurements: that it fails where something is wrong, and counts right."""
import json
import os
import pathlib
import re
import stat
import sys
import tempfile
import unittest

import grid
import measure
import peers
import summary
import table
import whole_run

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "studies"))
import studies


def run(ranks, repetition, **changes):
    values = {"name": "case", "ranks": ranks, "repetition": repetition, "dynamics": "elastic", "dimension": 3,
              "fraction": 0.3, "particles": 1000, "ratio": 1, "large_share": 0, "step": 1, "steps": 10,
              "contacts": 10_000, "rate_ratio": 1.01, "rate_error": 0.01, "rate_tolerance": 0.045,
              "wall_seconds": 2.0 / ranks, "cpu_seconds": 1.5, "peak_bytes": 3e5, "instructions": None,
              "copies": 500, "phases": {phase: 0.1 for phase in table.PHASES}}
    return values | changes


def turns(**changes):
    together = {phase: 0.5 for phase in table.PHASES} | {"wall": 20, "exchange": 2}
    values = {"name": "case-turns", "ranks": 2, "dynamics": "elastic", "fraction": 0.3, "particles": 1000,
              "turns": 9, "is_same": True, "speed_up": [1.7, 1.8, 1.9], "speed_up_apart": [1.9, 2.0, 2.1],
              "speed_up_in_step": [1.8, 1.9, 2.0],
              "alone": {"wall": 36}, "together": together, "in_step": {"wall": 30, "exchange": 2.4}}
    return values | changes


def results(runs, **more):
    machine = [{"ranks": ranks, "copy_gigabytes_per_second": 30 * ranks, "clock_gigahertz": 3, "in_step": 0.9}
               for ranks in (1, 2)]
    return {"mode": "quick", "repetitions": 1, "version": "ricochet", "cpu": "a CPU", "num_cpus": 2,
            "started": "2000-01-01T00:00:00", "lammps": None, "machine": machine, "runs": runs, "turns": [],
            "whole": [], "peers": [], "counts": [], "failures": []} | more


class Summary(unittest.TestCase):
    def test_figures_of_good_runs_are_per_contact(self):
        """Good runs pass and figures are per contact."""
        added = summary.add(results([run(1, 0), run(2, 0)]))
        case = added["summary"]["cases"][0]
        self.assertEqual(added["failures"], [])
        self.assertAlmostEqual(case["ranks"]["1"]["cpu_ns"], 1.5e9 / 10_000)
        self.assertAlmostEqual(case["speed_up"], 2)
        self.assertAlmostEqual(case["ranks"]["1"]["bytes_per_particle"], 300)
        self.assertAlmostEqual(case["ranks"]["1"]["phases"]["binning"], 0.05)

    def test_brownian_figures_are_per_step(self):
        """Brownian figures are per particle and step."""
        added = summary.add(results([run(1, 0, dynamics="brownian")]))
        self.assertAlmostEqual(added["summary"]["cases"][0]["ranks"]["1"]["cpu_ns"], 1.5e9 / 10_000)
        self.assertIsNone(added["summary"]["cases"][0]["speed_up"])

    def test_median_is_taken_over_repetitions(self):
        """Median is taken over repetitions and speed up of each."""
        runs = [run(1, k, wall_seconds=w, cpu_seconds=w) for k, w in enumerate((2, 8, 3))]
        runs += [run(2, k, wall_seconds=w) for k, w in enumerate((1, 8, 2))]
        case = summary.add(results(runs))["summary"]["cases"][0]
        self.assertAlmostEqual(case["ranks"]["1"]["cpu_ns"], 3e5)
        self.assertAlmostEqual(case["speed_up"], 1.5)

    def test_turns_must_find_the_same_contacts(self):
        """Turns have a table and must find the same contacts."""
        added = summary.add(results([run(1, 0)], turns=[turns()]))
        self.assertEqual(added["failures"], [])
        self.assertIn("| elastic | 0.3 | 1,000 | 1.80 (1.70 to 1.90) | 1.90 | 2.00 | 36 | 20 | "
                      "5.0 % | 10.0 % | 8.0 % |", table.markdown(added))
        self.assertIn("every 20 ms, 10 % of the time is waiting", table.markdown(added))
        self.assertNotIn("in turns", table.markdown(summary.add(results([run(1, 0)]))))
        self.assertEqual(len(summary.add(results([run(1, 0)], turns=[turns(is_same=False)]))["failures"]), 1)

    def test_rate_off_in_one_run_fails(self):
        added = summary.add(results([run(1, 0, rate_ratio=0.95)]))
        self.assertEqual(len(added["failures"]), 1)
        self.assertIn("collision rate 0.9500", added["failures"][0])
        self.assertIn("FAIL", table.markdown(added))

    def test_rates_that_pass_alone_can_fail_together(self):
        few, many = ([run(1, k, rate_ratio=1.04) for k in range(count)] for count in (1, 16))
        self.assertEqual(summary.add(results(few))["failures"], [])
        self.assertEqual(len(summary.add(results(many))["failures"]), 1)

    def test_ranks_that_find_different_contacts_fail(self):
        added = summary.add(results([run(1, 0), run(2, 0, contacts=10_001)]))
        self.assertTrue(any("10001 contacts on 2 ranks" in failure for failure in added["failures"]))

    def test_instructions_name_their_source(self):
        """Instructions come from the machine or from callgrind."""
        count = run(1, 0, instructions=5_000_000) | {"by": "callgrind"}
        outside = summary.add(results([run(1, 0)], counts=[count]))
        self.assertEqual(outside["summary"]["cases"][0]["instructions"], {"per_work": 500, "by": "callgrind"})
        inside = summary.add(results([run(1, 0, instructions=7_000_000)]))
        self.assertEqual(inside["summary"]["cases"][0]["instructions"], {"per_work": 700, "by": "hardware"})


    def test_parts_make_one(self):
        one = summary.add(results([run(1, 0), run(1, 1)]))
        two = summary.add(results([run(2, 0), run(2, 1, rate_ratio=0.9)], failures=["a crash"]))
        whole = summary.merged([one, two])
        self.assertEqual(len(whole["summary"]["cases"]), 1)
        self.assertAlmostEqual(whole["summary"]["cases"][0]["speed_up"], 2)
        self.assertEqual([failure.split(":")[0] for failure in whole["failures"]], ["a crash", "case on 2"])


class Programs(unittest.TestCase):
    def program(self, folder, text):
        path = pathlib.Path(folder, "program")
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return [str(path)]

    def test_crash_and_silence_are_errors(self):
        """Crash and silence are errors and a rate that is off is read."""
        with tempfile.TemporaryDirectory() as folder:
            for text in ("exit 139", "exit 0", "kill -SEGV $$", "echo '{}'; exit 2"):
                with self.assertRaises(RuntimeError, msg=text):
                    measure.run_json(self.program(folder, text))
            self.assertEqual(measure.run_json(self.program(folder, "echo '{\"a\": 1}'; exit 1")), {"a": 1})

    def test_failed_case_is_noted(self):
        """Failed case is noted and the others go on."""
        with tempfile.TemporaryDirectory() as folder:
            measurement = measure.Measurement(pathlib.Path(folder), "quick", 1)
            measurement.attempt("missing", "runs", lambda: measure.run_json([os.path.join(folder, "none")]))
            measurement.attempt("fine", "runs", lambda: run(1, 0))
        self.assertEqual(len(measurement.results["failures"]), 1)
        self.assertEqual(len(measurement.results["runs"]), 1)


class Grid(unittest.TestCase):
    def test_names_are_unique(self):
        for cases in (grid.full() + grid.turns("full") + peers.cases("full"),
                      grid.quick() + grid.turns("quick") + peers.cases("quick")):
            names = [case["name"] for case in cases]
            self.assertEqual(len(names), len(set(names)))

    def test_grid_has_every_size_and_fraction(self):
        """Every size and fraction is there on one and two ranks."""
        names = {case["name"] for case in grid.full() if case["ranks"] == (1, 2)}
        self.assertEqual(len(names), 2 * 4 * 4 + 2 * 4 * 3 + 2 * 2 + 2 * 2)


class Peers(unittest.TestCase):
    def test_conversion_to_collisions(self):
        # nu = 10.1022 at 0.3 and kT = 1, from Boublik & Kolafa's Z = 3.98426; two atoms make a collision.
        raw = {"particles": 1000, "steps": 100, "kT": 1.0}
        done = peers.convert(peers.case("pseudo_hard_spheres", 0.3, 10, 1, 100), 1, raw)
        self.assertAlmostEqual(done["work"], 1e5 * peers.TIMESTEP * 10.1022 / 2, delta=0.1)

    def test_conversion_to_brownian_steps(self):
        variance = 6 * peers.KT * peers.DAMP * peers.TIMESTEP * peers.LANGEVIN_STEPS
        self.assertAlmostEqual(variance, 0.01)


class Studies(unittest.TestCase):
    def test_times_of_stand_ins_end_a_study(self):
        """A study ends where cells or a reserve did a part of a method's work."""
        own = {"on_cells_per_step": 0.0, "replaced_per_step": 0.0}
        studies.require_own_time({"cells": own, "delaunay": own})
        for column in own:
            with self.assertRaisesRegex(SystemExit, "delaunay: .* 0.5 times per step, so its time is not its own"):
                studies.require_own_time({"cells": own, "delaunay": own | {column: 0.5}})

    def test_exponents_are_those_of_powers(self):
        """The exponent of a power law is found."""
        self.assertAlmostEqual(studies.slope([(n, 3 * n**1.5) for n in (500, 1000, 4000)]), 1.5)


class Tables(unittest.TestCase):
    def test_table_has_fractions_by_sizes(self):
        """Grid has a row per fraction and a column per size."""
        runs = [run(1, 0, name=f"{f}-{n}", fraction=f, particles=n) for f in (0.1, 0.3) for n in (1000, 2000)]
        text = table.markdown(summary.add(json.loads(json.dumps(results(runs)))))
        self.assertIn("| φ | N = 1,000 | N = 2,000 |", text)
        self.assertEqual(text.count("| 0.00667 | 0.00667 |"), 2)  # 1e4 contacts in 1.5 s

    def test_text_has_share_of_a_core(self):
        """Text says how much of a core there was and speed up only where measured."""
        loud = table.markdown(summary.add(results([run(1, 0)])))
        calm = table.markdown(summary.add(results([run(1, 0, cpu_seconds=2), run(2, 0)])))
        self.assertIn("75 % of a core, since other work", loud)
        self.assertNotIn("speed-up on 2 ranks", loud)
        self.assertIn("100 % of a core.", calm)
        self.assertIn("speed-up on 2 ranks", calm)

    def test_figures_go_between_the_marks(self):
        text = table.put_between_marks("a\n<!-- bench -->\nold\n<!-- end of bench -->\nb\n", "new\n")
        self.assertEqual(text, "a\n<!-- bench -->\nnew\n<!-- end of bench -->\nb\n")

    def test_phases_are_those_of_the_program(self):
        header = pathlib.Path(__file__).parents[2] / "include/ricochet/core/phase_clock.hpp"
        names = re.findall(r'\{Phase::\w+, "(\w+)"', header.read_text())
        self.assertEqual(tuple(names[:len(table.PHASES)]), table.PHASES)
        self.assertEqual(names[len(table.PHASES):], ["observables", "output"])

    def test_old_names_of_phases_give_the_same_table(self):
        """Results with old names of phases give the same table."""
        old_name = {new: old for old, new in table.NEW_NAMES.items()}
        old = {old_name.get(phase, phase): 0.1 for phase in table.PHASES}
        self.assertEqual(table.phase_table(summary.add(results([run(1, 0, phases=old)]))),
                         table.phase_table(summary.add(results([run(1, 0)]))))

    def test_seconds_of_the_program_report(self):
        text = "time per rank in seconds  min\n  drive   0.1  0.2  0.300\n  all   4.0   5.0  6.0\n"
        self.assertEqual(whole_run.seconds(text), {"drive": 0.3, "all": 6.0})


if __name__ == "__main__":
    unittest.main()
