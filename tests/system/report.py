# SPDX-License-Identifier: BSD-3-Clause
"""The numbers of `ricochet report` against independent computations and theory."""
import pathlib
import re
import unittest
from unittest import mock

import h5py
import numpy as np

from support.program import GAS
from support.report import DENSE, DILUTE, WALLS, ReportTest, read_csv, read_summary


def equal_sphere_rate(fraction):
    """Collisions per particle and time, diameter = m = kT = 1: Boublik and Kolafa's pressure."""
    p = fraction
    z = (1 + p + p * p - 2 / 3 * p**3 * (1 + p)) / (1 - p) ** 3
    return z, (z - 1) * 6 / np.sqrt(np.pi)


class ReportNumbers(ReportTest):
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
            radius = dict(
                zip(
                    file["particles/trajectory/id/value"][0].tolist(),
                    file["particles/trajectory/radius"],
                )
            )
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
        # At fraction 0.25 Carnahan and Starling have 2.074 at contact; bins average over a slope.
        at_contact = g[(r - width / 2 > 1) & (r < 1.12)].mean()
        self.assertAlmostEqual(at_contact, 1.95, delta=0.2)
        far = r > 2.5
        weight = r[far] ** 2
        self.assertAlmostEqual((g[far] * weight).sum() / weight.sum(), 1, delta=0.02)
        speeds = read_csv("page/speeds.csv")
        residual = (speeds["density"] - speeds["maxwell"]) / np.maximum(
            speeds["standard_error"], 1e-3
        )
        self.assertLess(abs(residual).max(), 5)
        self.assertAlmostEqual(
            speeds["density"].sum() * (speeds["speed"][1] - speeds["speed"][0]), 1, places=9
        )

    def test_g_of_r_is_that_of_all_pairs(self):
        """The sampled g(r) of one pair of species against all pairs of the last frame."""
        file, _ = self.report(DILUTE)
        table = read_csv("page/gr.csv")
        with file:
            size = file["ricochet"].attrs["size"]
            frame = file["particles/trajectory/position/value"][-1]
            species = file["particles/trajectory/species/value"][-1]
        edges = np.append(
            table["r"] - table["r"][0], 2 * table["r"][-1] - table["r"][-2] + table["r"][0]
        )
        near = table["r"] < 4
        counts = np.zeros(near.sum())
        slow = frame[species == 1]
        for k, one in enumerate(slow):
            apart = slow[k + 1 :] - one
            apart -= size * np.round(apart / size)
            counts += np.histogram(np.linalg.norm(apart, axis=1), edges[: near.sum() + 1])[0]
        shells = 4 * np.pi / 3 * np.diff(edges**3)[: near.sum()]
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
        """The stated error of the fit against the scatter over 400 sets of free particles."""
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

    def test_blocks_change_no_number(self):
        """Read in blocks of a few rows, all series, histograms and flights are the same."""
        path = self.result(DENSE, "run.h5md")
        module, contacts = self.module("result"), self.module("contacts")
        structure = self.module("structure")
        theory = {"dynamics": "ballistic", "kT": 1, "elastic": True, "equal": True}

        def numbers():
            result = module.Result(path, theory)
            sections = [
                structure.speeds(result),
                structure.pair_distribution(result),
                *contacts.log_sections(result),
            ]
            return [
                (name, column, values)
                for section in sections
                for name, table in section.tables.items()
                for column, values in table.items()
            ] + [("rate", "mean", result.averaged("pressure")[1])]

        whole = numbers()
        with mock.patch.multiple(module, ROWS_PER_BLOCK=17), mock.patch.multiple(
            contacts, ROWS_PER_READ=13
        ):
            pieces = numbers()
        for (name, column, a), (_, _, b) in zip(whole, pieces):
            self.assertTrue(np.allclose(a, b, rtol=1e-12, equal_nan=True), (name, column))

    def test_averages_weigh_intervals(self):
        path = self.result(
            DENSE.replace("observables_every: 2", "observables_every: 7"), "run.h5md"
        )
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
        self.assertAlmostEqual(
            summary["load balance"][0], sum(per_rank) / 2 / max(per_rank), places=9
        )
        phases = read_csv("page/phases.csv")
        self.assertEqual(
            [part.split()[0] for part in provenance["seconds_per_phase"].split(";")],
            phases["phase"],
        )
        self.assertTrue(
            (phases["least"] <= phases["mean"]).all() and (phases["mean"] <= phases["most"]).all()
        )
        computing = sum(
            phases["mean"][phases["phase"].index(name)]
            for name in ("cells", "primaries", "islands", "repair")
        )
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
        """As a killed run leaves them: the page shows what is announced complete."""
        path = self.result(GAS, "run.h5md")
        with h5py.File(path, "r+") as file:
            complete = file["ricochet/complete"][:]
            complete["frames"], complete["samples"], complete["collisions"] = 3, 6, 500
            file["ricochet/complete"][:] = complete
            file["particles/trajectory/position/value"][3:] = np.nan
            for name in (
                "energy",
                "temperature",
                "pressure",
                "collision_rate",
                "mean_square_displacement",
            ):
                file["ricochet/observables"][name]["value"][6:] = np.nan
            contacts = file["ricochet/observables/contacts/value"][5].sum()
        self.succeed("report", path, "-o", "page")
        text = pathlib.Path("page/report.html").read_text()
        self.assertTrue("at step 10, time 1;" in text)
        self.assertTrue("From 500 logged contacts" in text)
        table = read_csv("page/temperature.csv")
        self.assertEqual(len(table["time"]), 6)
        self.assertFalse(np.isnan(table["temperature"]).any())
        self.assertAlmostEqual(
            read_summary("page")["collision rate per particle"][0], 2 * contacts / 211, places=9
        )


if __name__ == "__main__":
    unittest.main()
