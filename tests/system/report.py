# SPDX-License-Identifier: BSD-3-Clause
"""The numbers of `ricochet report` against independent computations and theory."""
import pathlib
import re
import unittest
from unittest import mock

import h5py
import numpy as np

from support.program import GAS
from support.report import COOLING, CROWDED, DENSE, DILUTE, LOG_NORMAL, WALLS, ReportTest, read_csv, read_summary


def equal_sphere_rate(fraction):
    """Collisions per particle and time, diameter = m = kT = 1: Boublik and Kolafa's pressure."""
    p = fraction
    z = (1 + p + p * p - 2 / 3 * p**3 * (1 + p)) / (1 - p) ** 3
    return z, (z - 1) * 6 / np.sqrt(np.pi)

HEATED = """
box: {size: [8, 12, 8], boundary: [periodic, reflecting, periodic]}
species: [{name: A, radius: 0.2, mass: 1, count: 800}]
dynamics: {type: ballistic, kT: 2}
contacts:
  pairs:
    - {between: [A, wall], faces: [y-], thermal: {kT: 1}}
    - {between: [A, wall], faces: [y+], thermal: {kT: 4}}
run: {timestep: 0.05, steps: 400, seed: 1}
output: {file: gas.h5md, trajectory_every: 100, observables_every: 10, collisions: none}
"""


class ReportNumbers(ReportTest):
    def test_dense_gas_is_the_one_of_theory(self):
        file, summary = self.report(DENSE)
        with file:
            number = int(file["ricochet"].attrs["num_particles"])
            contacts = file["ricochet/observables/contacts"]["value"][-1].sum()
            temperature = file["ricochet/observables/temperature/value"][:].mean()
        z, unit_rate = equal_sphere_rate(number * np.pi / 6 / (12 * 11 * 10))
        rate, error, expected = summary["collision rate per particle"]
        self.assertAlmostEqual(rate / (2 * contacts / (number * 6.0)), 1, delta=4 * error / rate)
        self.assertAlmostEqual(expected, unit_rate * np.sqrt(temperature), places=9)
        self.assertTrue(0.3 < error / (rate / np.sqrt(contacts)) < 3, (error, contacts))
        self.assertLess(abs(rate - expected), 4 * error + expected * 3 / number + 0.01 * expected)
        measured, error, expected = summary["compressibility P V / (N kT)"]
        self.assertAlmostEqual(expected, z, places=9)
        self.assertLess(abs(measured - z), 4 * error + 3 / number * z + 0.01 * z)
        impulse, error, expected = summary["mean impulse / (2 sqrt(mu T))"]
        self.assertLess(abs(impulse - expected), 5 * error)
        path, _, expected = summary["mean free path"]
        self.assertLess(abs(path / expected - 1), 0.05)

    def test_free_flights_equal_a_separate_count(self):
        """Free flights are those of a separate count."""
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

    def test_dense_gas_has_hard_sphere_structure(self):
        """Dense gas has the structure of hard spheres."""
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

    def test_speeds_are_thermal(self):
        """Speeds are thermal at the temperature of the file. Of few particles that drift: the drift along periodic
        axes and its degrees of freedom do not count."""
        self.write("start.csv", "x,y,z,vx,vy,vz\n" + "".join(
            f"{k % 3 * 2 + 1},{k // 3 * 2 + 1},3.5,{3 + k % 2},{k % 3 - 1},{0.3 * k}\n" for k in range(9)))
        text = GAS.replace(", volume_fraction: 0.25", "").replace(
            "{method: random}", "{method: file, path: start.csv}").replace("kT: 1", "velocities: given")
        result, structure = self.module("result"), self.module("structure")
        for name, walls in (("no", []), ("some", [1])):
            boundary = str(["reflecting" if axis in walls else "periodic" for axis in range(3)])
            path = self.result(text.replace("periodic", boundary).replace("every: 5", "every: 2"), name + ".h5md")
            opened = result.Result(path, {})
            frames = opened.late_frames(1000)
            edges, counts = structure.speed_histogram(opened, frames)
            expected = 0
            for frame in frames:
                velocity = opened.frames["velocity/value"][frame]
                drift = velocity.mean(axis=0)
                drift[walls] = 0
                temperature = opened.run["observables/temperature/value"][frame]
                u = np.sqrt(((velocity - drift) ** 2).sum(axis=1) / temperature)
                expected = expected + np.histogram(u, edges)[0]
            self.assertEqual(counts.tolist(), expected.tolist())

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
        file, summary = self.report(DILUTE.replace("trajectory_every: 80", "trajectory_every: 10"))
        with file:
            fraction = 6000 * 4 / 3 * np.pi * 0.05**3 / 36000
            msd = file["ricochet/observables/mean_square_displacement/value"][:]
        self.assertLess(fraction, 1e-4)
        for k, (name, free) in enumerate((("tracer", 0.8), ("slow", 0.2))):
            diffusion, error, _ = summary[f"diffusion coefficient of {name}"]
            self.assertLess(abs(diffusion - free), 4 * error)
            self.assertLess(error, 0.02 * free)
            ratio, ratio_error, _ = summary[f"D/D₀ of {name}"]
            self.assertAlmostEqual(ratio, diffusion / free, places=9)
            self.assertAlmostEqual(ratio_error, error / free, places=9)
            self.assertTrue(np.array_equal(read_csv("page/msd.csv")[f"msd_{name}"], msd[:, k]))
        g = read_csv("page/gr.csv")
        far = g["r"] > 1
        self.assertLess(abs((g["g"][far] - 1) / g["standard_error"][far]).max(), 5.5)
        self.assertAlmostEqual(g["g"][far].mean(), 1, delta=0.03)

    def test_diffusion_is_that_along_free_axes(self):
        """A species that moves in a plane has its D along the two axes there, also where others decay."""
        flat = DILUTE.replace("diffusion: 0.8,", "diffusion: 0.8, moves: [x, z],").replace("every: 80", "every: 10")
        decaying = flat.replace("run:", "contacts: {pairs: [{between: [tracer, slow], pass: {}}]}\n"
                                "decays: [{from: slow, to: [], rate: 0.1}]\nrun:")
        for text in (flat, decaying):
            file, summary = self.report(text, "decaying.h5md" if text == decaying else "flat.h5md")
            file.close()
            for name, free in (("tracer", 0.8), ("slow", 0.2)):
                diffusion, error, _ = summary[f"diffusion coefficient of {name}"]
                self.assertLess(abs(diffusion - free), 4 * error, name)
                self.assertLess(error, 0.03 * free, name)
                self.assertAlmostEqual(summary[f"D/D₀ of {name}"][0], diffusion / free, places=9)

    def test_brownian_pages_hide_drawn_velocities(self):
        """Brownian pages show nothing of the drawn velocities."""
        self.report(DILUTE)[0].close()
        text = pathlib.Path("page/report.html").read_text()
        titles = re.findall(r"<h2>([^<]*)</h2>", text)
        for title in ("Temperature", "Energy drift", "Speeds", "Free times", "Impulses"):
            self.assertNotIn(title, titles)
        for part in ("Contacts of the straight steps", "timestep^-1/2", "not a rate of encounters"):
            self.assertIn(part, text)

    def test_brownian_pages_have_bias_of_long_steps(self):
        """Brownian pages have the bias of long steps. One percent of D at fraction 0.3 is a step of 0.0187 diameters
        per axis."""
        for step, is_marked in ((0.017, False), (0.021, True)):
            crowded = CROWDED.replace("TIMESTEP", f"{step**2 / 2:.6g}")
            self.report(crowded, f"{step}.h5md")[0].close()
            text = pathlib.Path("page/report.html").read_text()
            self.assertIn("expected bias of D at long times", text)
            self.assertEqual("More than 1 % for ball" in text, is_marked, step)
            self.assertIn('<td class="number">0.3</td>', text)

    def test_diffusion_of_radii_is_given_by_classes(self):
        """Diffusion of distributed radii is given by classes."""
        brownian = LOG_NORMAL.replace("mass: 1", "diffusion: {stokes_einstein: {viscosity: 0.1}}")
        brownian = brownian.replace("ballistic", "brownian").replace("every: 20", "every: 10")
        brownian = brownian.replace(", equilibrate: {collisions_per_particle: 5}", "")
        self.report(brownian.replace("timestep: 0.1", "timestep: 0.001"))[0].close()
        table = read_csv("page/diffusion.csv")
        self.assertEqual(len(table["group"]), 6)
        self.assertEqual(table["particles_followed"].tolist(), [700] + [140] * 5)
        self.assertTrue((np.diff(table["mean_radius"][1:]) > 0).all())
        free = 1 / (6 * np.pi * 0.1 * table["mean_radius"][1:])
        self.assertLess(abs(table["free_diffusion"][1:] / free - 1).max(), 0.05)
        self.assertIn("Diffusion by radius", pathlib.Path("page/report.html").read_text())

    def test_contacts_of_pairs_are_those_of_the_file(self):
        file, _ = self.report(WALLS)
        with file:
            counts = file["ricochet/observables/contacts/value"]
            labels = file["ricochet/observables/contacts"].attrs["labels"]
            total = dict(zip(labels, (counts[-1] - counts[0]).tolist()))
        table = read_csv("page/contacts_by_pair.csv")
        found = {f"{a}-{b}": n for a, b, n in zip(table["a"], table["b"], table["contacts"])}
        self.assertEqual(found, total)

    def test_a_cooling_gas_has_no_means(self):
        file, summary = self.report(COOLING)
        with file:
            energy = file["ricochet/observables/energy/value"][:]
            temperature = file["ricochet/observables/temperature/value"][:]
        for name in ("pressure", "collision rate per particle", "temperature", "mean free time"):
            self.assertNotIn(name, summary)
        self.assertEqual(summary["temperature at the last sample"][0], temperature[-1])
        self.assertAlmostEqual(summary["share of the energy lost"][0], 1 - energy[-1] / energy[0])
        lost = read_csv("page/dissipation.csv")["energy_lost_per_particle_and_time"]
        step = read_csv("page/temperature.csv")["time"][1]
        number = (energy[0] - energy[-1]) / (lost.sum() * step)
        self.assertAlmostEqual(number, round(number), places=6)
        self.assertNotIn("Energy drift", pathlib.Path("page/report.html").read_text())

    def test_blocks_change_no_number(self):
        """Read in blocks of a few rows, all series, histograms and flights are the same."""
        path = self.result(DENSE, "run.h5md")
        module, contacts = self.module("result"), self.module("contacts")
        structure, spreading = self.module("structure"), self.module("spreading")
        theory = {"kT": 1, "elastic": True, "equal": True}

        def numbers():
            result = module.Result(path, theory)
            sections = [
                structure.speeds(result),
                structure.pair_distribution(result),
                *contacts.log_sections(result),
                *filter(None, spreading.displacement(result)),
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
            if not isinstance(a[0], str):
                self.assertTrue(np.allclose(a, b, rtol=1e-12, equal_nan=True), (name, column))

    def test_particles_are_followed_through_the_box(self):
        """The paths of a few of each species, of every second frame, against whole frames."""
        path = self.result(DILUTE.replace("trajectory_every: 80", "trajectory_every: 20"), "run.h5md")
        module, diffusion = self.module("result"), self.module("diffusion")
        with mock.patch.multiple(diffusion, MOST_FRAMES=12, MOST_PLACES=1000):
            paths = diffusion.follow(module.Result(path, {}))
        with h5py.File(path, "r") as file:
            frames, size = file["particles/trajectory"], file["ricochet"].attrs["size"]
            whole = frames["position/value"][::2] + frames["image/value"][::2] * size
            species = frames["species/value"][0]
            time = frames["position/time"][:]
        rows = np.sort(np.concatenate([np.flatnonzero(species == k)[:: -(-n // 45)]
                                       for k, n in enumerate((4000, 2000))]))
        self.assertEqual(paths.species.tolist(), species[rows].tolist())
        self.assertTrue(np.array_equal(paths.places, whole[:, rows]))
        self.assertAlmostEqual(paths.interval, time[2] - time[0])

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
            middles, means, lengths = result.averaged("collision_rate")
            self.assertLessEqual(len(means), 3)
            times, _ = result.thinned("temperature")
        self.assertEqual((times[0], times[-1]), (time[0], time[-1]))
        self.assertAlmostEqual((lengths * means).sum() / lengths.sum(), exact, places=9)
        self.assertTrue(np.allclose(middles, time[0] + np.cumsum(lengths) - lengths / 2))

    def test_walls_and_mixtures_lack_references(self):
        """Walls and mixtures have no false references."""
        file, summary = self.report(WALLS.replace("restitution: 0.9", "restitution: 1"))
        file.close()
        self.assertIsNone(summary["collision rate per particle"][2])
        self.assertIsNone(summary["pressure"][2])
        self.assertNotIn("diffusion coefficient of small", summary)
        self.assertIn("pressure on the wall y low", summary)
        self.assertNotIn("theory", read_csv("page/free_times.csv"))
        self.assertIn("g_small_large", read_csv("page/gr.csv"))

    def test_power_of_walls_is_what_they_gave(self):
        """Between walls of two temperatures one gives the heat that the other takes."""
        file, summary = self.report(HEATED)
        with file:
            group = file["ricochet/observables/given_energy"]
            given, time = group["value"][-1], group["time"][-1]
        powers = [summary[f"energy per time from y {side}"] for side in ("low", "high")]
        self.assertNotIn("energy per time lost in contacts", summary)  # they are elastic
        for (power, error, _), total in zip(powers, given):
            self.assertAlmostEqual(power / (total / time), 1, delta=1e-9)
            self.assertTrue(0 < error < abs(power))
        self.assertLess(powers[0][0], 0)
        self.assertGreater(powers[1][0], 0)
        columns = read_csv("page/given_energy.csv")
        self.assertEqual(list(columns)[1:], ["y low", "y high"])
        self.assertEqual(float(columns["y high"][-1]), given[1])

    def test_given_energy_is_gained_or_lost(self):
        """A rough gas between hot walls loses in contacts what its energy does not gain, also as it falls."""
        for gravity, energy in (("", "energy"), ("fields: {gravity: [0, -0.1, 0]}\n", "total_energy")):
            lossy = HEATED.replace("contacts:\n", f"{gravity}contacts:\n  restitution: 0.9\n  walls: {{restitution: 1}}\n"
                                   "  collapse: {duration: 1e-4}\n")
            file, summary = self.report(lossy, f"{energy}.h5md")
            with file:
                observables = file["ricochet/observables"]
                time = observables["energy/time"][-1]
                given = observables["given_energy/value"][-1].sum() / time
                gain = (observables[f"{energy}/value"][-1] - observables[f"{energy}/value"][0]) / time
            for name, rate in (("given by all surfaces", given), ("that particles gain", gain),
                               ("lost in contacts", given - gain)):
                self.assertAlmostEqual(summary[f"energy per time {name}"][0] / rate, 1, delta=1e-9)
            self.assertGreater(given - gain, 0)

    def test_references_are_for_the_radii_drawn(self):
        """The closed form for mixtures with the moments of the particles in the file."""
        file, summary = self.report(LOG_NORMAL)
        with file:
            diameter = 2 * file["particles/trajectory/radius"][:]
        x = [np.pi / 6 * (diameter**k).sum() / 1000 for k in range(4)]
        q = 1 - x[3]
        cube = x[2] ** 3 / (x[0] * q**3)
        z = 1 / q + 3 * x[1] * x[2] / (x[0] * q * q) + cube * (3 - x[3] + x[3] * (1 - 2 * x[3]) / 3)
        measured, error, expected = summary["compressibility P V / (N kT)"]
        self.assertAlmostEqual(expected / z, 1, delta=1e-4)
        self.assertLess(abs(measured - z), 5 * error + 0.01 * z)

    def test_a_uniform_gas_cools_by_haffs_law(self):
        self.report(COOLING)[0].close()
        table = read_csv("page/temperature.csv")
        early = table["time"] < 2
        self.assertLess(table["temperature"][early][-1], 0.6)
        self.assertLess(abs(table["temperature"] / table["haff"] - 1)[early].max(), 0.05)

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
        reported = {"cells": "binning", "primaries": "search", "islands": "events", "repair": "rollback"}
        stored = [part.split()[0] for part in provenance["seconds_per_phase"].split(";")]
        self.assertLessEqual(reported.keys(), set(stored))
        self.assertEqual([reported.get(name, name) for name in stored], phases["phase"])
        self.assertTrue(
            (phases["least"] <= phases["mean"]).all() and (phases["mean"] <= phases["most"]).all()
        )
        computing = sum(
            phases["mean"][phases["phase"].index(name)]
            for name in reported.values()
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

    def test_files_without_compressibility(self):
        """Files without a column of compressibility. As earlier versions wrote them: it follows from the pressure."""
        path = self.result(DENSE, "run.h5md")
        values = []
        for removed in ((), ("compressibility",)):
            with h5py.File(path, "r+") as file:
                for name in removed:
                    del file["ricochet/observables"][name]
            self.succeed("report", path, "-o", "page", "--force")
            values.append(read_summary("page")["compressibility P V / (N kT)"][0])
        self.assertAlmostEqual(values[1] / values[0], 1, places=9)

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
