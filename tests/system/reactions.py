# SPDX-License-Identifier: BSD-3-Clause
"""Runs whose contacts change particles: the same bits everywhere, nothing lost from the record."""
import csv
import pathlib
import re
import unittest

import h5py
import numpy as np

from support.program import ProgramTest

ABSENT_ID, NO_SPECIES = 2**64 - 1, 2**32 - 1

BALLISTIC = """\
title: Particles that react, annihilate and are absorbed
box: {size: [14, 9, 9], boundary: [reflecting, periodic, periodic]}
species:
  - {name: A, radius: 0.4, mass: 1, count: 200}
  - {name: B, radius: 0.3, mass: 0.5, count: 150}
  - {name: C, radius: 0.45, mass: 1.5, count: 0}
  - {name: probe, radius: 0.5, mass: 1, count: 20}
placement: {method: random}
dynamics: {type: ballistic, kT: 1}
contacts:
  pairs:
    - {between: [A, B], react: {to: [C], probability: 0.3}}
    - {between: [C, C], react: {to: []}}
    - {between: [A, probe], pass: {}}
    - {between: [B, wall], react: {to: [], probability: 0.5}, faces: [x-]}
run: {timestep: 0.05, steps: 40, seed: 4}
output: {file: out.h5md, trajectory_every: 10, observables_every: 5, collisions: all}
"""

BROWNIAN = """\
title: Drops of all sizes that flow together, and a reaction at a rate
box: {size: [20, 12, 12], boundary: periodic}
species:
  - {name: drop, radius: {lognormal: {median: 0.5, sigma: 0.2, min: 0.3, max: 0.8}},
     diffusion: {stokes_einstein: {viscosity: 0.1, temperature: 1}}, count: 200}
  - {name: A, radius: 0.3, diffusion: 1, count: 100}
  - {name: B, radius: 0.3, diffusion: 1, count: 0}
placement: {method: random}
dynamics: {type: brownian, kT: 1}
contacts:
  pairs:
    - {between: [drop, drop], coalesce: {}}
    - {between: [A, drop], react: {to: [B, drop], rate: 5}}
run: {timestep: 0.01, steps: 40, seed: 6}
output: {file: out.h5md, trajectory_every: 10, observables_every: 5, collisions: all}
"""

REVERSIBLE = """\
title: Pairs that bind and part, and what else decays
box: {size: [16, 10, 10], boundary: [reflecting, periodic, periodic]}
species:
  - {name: A, radius: 0.4, diffusion: 1, count: 150}
  - {name: B, radius: 0.3, diffusion: 1.5, count: 150}
  - {name: C, radius: 0.45, diffusion: 0.8, count: 30}
  - {name: D, radius: 0.2, diffusion: 2, count: 0}
placement: {method: random}
dynamics: {type: brownian, kT: 1}
contacts:
  pairs:
    - {between: [A, B], react: {to: [C], rate: 10}}
    - {between: [D, D], react: {to: []}}
decays:
  - {from: C, to: [A, B], rate: 4}
  - {from: C, to: [D, A], rate: 2}
  - {from: D, to: [], rate: 1}
run: {timestep: 0.01, steps: 40, seed: 4, equilibrate: {collisions_per_particle: 0.1}}
output: {file: out.h5md, trajectory_every: 10, observables_every: 5, collisions: all}
"""

GHOSTS = """\
title: Pairs that bind to what passes all, and part where they have room
box: {size: [16, 10, 10], boundary: [reflecting, periodic, periodic]}
species:
  - {name: A, radius: 0.4, diffusion: 1, count: 150}
  - {name: B, radius: 0.5, diffusion: 1.5, count: 150}
  - {name: C, radius: 0.6, diffusion: 0.8, count: 200}
placement: {method: random}
dynamics: {type: brownian, kT: 1}
contacts:
  pairs:
    - {between: [A, B], react: {to: [C], rate: 3}}
    - {between: [A, C], pass: {}}
    - {between: [B, C], pass: {}}
    - {between: [C, C], pass: {}}
decays:
  - {from: C, to: [A, B], rate: 8}
  - {from: C, to: [B], rate: 1}
run: {timestep: 0.01, steps: 40, seed: 4}
output: {file: out.h5md, trajectory_every: 1, observables_every: 5, collisions: all}
"""

ONLY_DECAYS = """\
title: Discs that decay in flight
box: {size: [30, 20], boundary: [reflecting, periodic]}
species:
  - {name: whole, radius: 0.8, mass: 2, count: 60}
  - {name: half, radius: 0.5, mass: 1, count: 0}
placement: {method: random}
dynamics: {type: ballistic, kT: 1}
decays: [{from: whole, to: [half, half], rate: 0.5}]
run: {timestep: 0.05, steps: 40, seed: 7}
output: {file: out.h5md, trajectory_every: 10, observables_every: 5, collisions: all}
"""

FREE = """\
title: Tiny spheres that become others and end
box: {size: [20, 20, 20]}
species:
  - {name: A, radius: 0.001, diffusion: 1, count: 400}
  - {name: B, radius: 0.001, diffusion: 0.25, count: 0}
  - {name: C, radius: 0.001, diffusion: 1, count: 0}
dynamics: {type: brownian, kT: 1}
decays: [{from: A, to: [B, B], rate: 0.5}, {from: B, to: [A], rate: 0.4}, {from: B, to: [], rate: 0.1}]
run: {timestep: 0.02, steps: 200, seed: 4}
output: {file: out.h5md, trajectory_every: 4, observables_every: 20, collisions: none}
"""

SCATTERED = """\
title: Discs with ids that have gaps bind and part
box: {size: [40, 20], boundary: [periodic, reflecting]}
species:
  - {name: A, radius: 0.4, diffusion: 1}
  - {name: B, radius: 0.3, diffusion: 1.5}
  - {name: C, radius: 0.45, diffusion: 0.8}
placement: {method: file, path: start.csv}
dynamics: {type: brownian, kT: 1}
contacts: {pairs: [{between: [A, B], react: {to: [C], rate: 50}}]}
decays: [{from: C, to: [A, B], rate: 1}, {from: C, to: [B, B], rate: 0.2}]
run: {timestep: 0.05, steps: 50, seed: 4}
output: {file: out.h5md, trajectory_every: 1, observables_every: 5, collisions: all}
"""

WEDGED = """\
title: A disc that decays into a larger one between two heavy ones
box: {size: [30, 20], boundary: periodic}
species:
  - {name: heavy, radius: 1, mass: 1.0e+14}
  - {name: seed, radius: 0.25, mass: 1}
  - {name: disc, radius: 0.5, mass: 1}
placement: {method: file, path: start.csv}
dynamics: {type: ballistic}
decays: [{from: seed, to: [disc], rate: 100}]
run: {timestep: 0.05, steps: 10, seed: 4}
output: {file: out.h5md, trajectory_every: 1, observables_every: 1, collisions: all}
"""

GROWING = """\
title: Spheres that coalesce until the box is too small
box: {size: [14, 7, 7], boundary: periodic}
species: [{name: drop, radius: 0.5, mass: 1, count: 300}]
placement: {method: random}
dynamics: {type: ballistic, kT: 1}
contacts: {pairs: [{between: [drop, drop], coalesce: {}}]}
run: {timestep: 0.2, steps: 600, seed: 4}
output: {file: out.h5md, trajectory_every: 20, observables_every: 20, collisions: none}
"""

STICKING = """\
title: Two species that stick, in a gas that also reacts
box: {size: [14, 9, 9], boundary: [reflecting, periodic, periodic]}
species:
  - {name: A, radius: 0.4, mass: 1, count: 200}
  - {name: B, radius: 0.3, mass: 0.5, count: 150}
  - {name: C, radius: 0.35, mass: 1.5, count: 0}
placement: {method: random}
dynamics: {type: ballistic, kT: 1}
contacts:
  pairs:
    - {between: [B, A], restitution: 0.9, stick: {length: 1.5, probability: 0.4, valence: [3, 2], break_rate: 0.5}}
    - {between: [A, A], stick: {length: 1.2, probability: 0.1, valence: 2}}
    - {between: [A, wall], react: {to: [C], probability: 0.5}}
    - {between: [B, C], react: {to: []}}
decays: [{from: A, to: [C], rate: 0.1}]
run: {timestep: 0.05, steps: 60, seed: 4}
output: {file: out.h5md, trajectory_every: 10, observables_every: 5, collisions: all, checkpoint: {every_steps: 13}}
"""

STICKING_BROWNIAN = """\
title: Tethers that form at a rate and break
box: {size: [12, 8, 8], boundary: periodic}
species:
  - {name: A, radius: 0.4, diffusion: 1, count: 150}
  - {name: B, radius: 0.3, diffusion: 1.5, count: 150}
  - {name: C, radius: 0.45, diffusion: 0.8, count: 0}
placement: {method: random}
dynamics: {type: brownian, kT: 1}
contacts:
  pairs:
    - {between: [A, B], stick: {length: 1.3, rate: 30, valence: [2, 3], break_rate: 3}}
    - {between: [B, B], stick: {length: 1.6, valence: 1, break_rate: 8}}
    - {between: [A, A], react: {to: [C], rate: 2}}
decays: [{from: C, to: [A, A], rate: 5}]
run: {timestep: 0.005, steps: 60, seed: 4, equilibrate: {collisions_per_particle: 0.1}}
output: {file: out.h5md, trajectory_every: 10, observables_every: 5, collisions: all, checkpoint: {every_steps: 13}}
"""

NOBODY_IS_LEFT = """\
title: All particles end at the walls
box: {size: [4, 4, 4], boundary: reflecting}
species: [{name: A, radius: 0.3, mass: 1, count: 8}]
placement: {method: random}
dynamics: {type: ballistic, kT: 1}
contacts: {pairs: [{between: [A, wall], react: {to: []}}, {between: [A, A], react: {to: []}}]}
run: {timestep: 0.1, steps: 400, seed: 1}
output: {file: out.h5md, trajectory_every: 100, observables_every: 100, collisions: all,
         checkpoint: {every_steps: 300}}
"""


class Reactions(ProgramTest):
    def check_ranks_searches_and_stops(self, text):
        self.write("input.yaml", text)
        self.succeed("run", "input.yaml", "--output", "one.h5md", "--set", "search.method=all_pairs")
        for ranks, search, sub_window in [(2, "auto", 0.07), (3, "cells", 1), (4, "slices", 0.02)]:
            with self.subTest(ranks=ranks, search=search):
                self.succeed("run", "input.yaml", "--output", "other.h5md", "--force", "--set",
                             f"search.method={search}", "--set", f"run.sub_window={sub_window}", ranks=ranks)
                self.assert_same_results("one.h5md", "other.h5md")
        with self.subTest("continued"):
            self.succeed("run", "input.yaml", "--output", "part.h5md", "--set", "run.steps=17")
            self.succeed("run", "input.yaml", "--output", "part.h5md", "--continue", ranks=3)
            self.assert_same_results("one.h5md", "part.h5md")
            self.assert_verified("part.h5md")

    def check_record(self, path):
        """Frames and log say the same of who is there."""
        with h5py.File(path) as file:
            frames = file["particles/trajectory"]
            ids, species = frames["id/value"][:], frames["species/value"][:]
            masses, steps = frames["mass/value"][:], frames["id/step"][:]
            log = file["ricochet/collisions"][:]
            # As H5MD has it of elements that depend on time, and as znh5md expects.
            for name in ("radius", "mass"):
                self.assertEqual(set(frames[name]), {"step", "time", "value"})
                self.assertEqual(frames[name]["step"], frames["position/step"])
                self.assertEqual(frames[name]["time"], frames["position/time"])
        is_absent = ids == ABSENT_ID
        np.testing.assert_array_equal(is_absent, species == NO_SPECIES)
        np.testing.assert_array_equal(is_absent, masses == 0)
        self.assertTrue((is_absent[1:] >= is_absent[:-1]).all())  # nobody comes back
        ended_a = (log["species_a"] != NO_SPECIES) & (log["product_a"] == NO_SPECIES)
        ended_b = (log["species_b"] != NO_SPECIES) & (log["product_b"] == NO_SPECIES)
        for frame, step in enumerate(steps):
            before = log["step"] < step
            ended = ended_a[before].sum() + ended_b[before].sum()
            self.assertEqual(is_absent[frame].sum(), ended)

    def test_ballistic_rules(self):
        self.check_ranks_searches_and_stops(BALLISTIC)
        self.check_record("one.h5md")

    def test_brownian_rates_and_coalescence(self):
        self.check_ranks_searches_and_stops(BROWNIAN)
        self.check_record("one.h5md")
        with h5py.File("one.h5md") as file:
            radius = file["particles/trajectory/radius/value"][:]
            species = file["particles/trajectory/species/value"][:]
        volumes = np.where(species == 0, radius, 0) ** 3
        np.testing.assert_allclose(volumes.sum(axis=1), volumes[0].sum(), rtol=1e-12)

    def check_births(self, path):
        """The log alone tells how many particles there are; new ids follow each other in the order of their parents."""
        with h5py.File(path) as file:
            ids, steps = file["particles/trajectory/id/value"][:], file["particles/trajectory/id/step"][:]
            log = file["ricochet/collisions"][:]
            words = [str(word, "utf-8") if isinstance(word, bytes) else word
                     for word in file["ricochet/collisions"].attrs["outcomes"]]
            num_at_start = int(file["ricochet"].attrs["num_particles"])
            timestep = float(file["ricochet/collisions"].attrs["timestep"])
            decays = file["ricochet/observables/decays/value"][-1]
        is_decay = log["outcome"] == words.index("decay")
        self.assertEqual(set(log["time"][is_decay]), {0, timestep})  # before the drive, and after the drift
        for step in np.unique(log["step"]):
            self.assertTrue((np.diff(log["time"][log["step"] == step]) >= 0).all())
        is_wall = log["b"] >= 2**63
        born_a = is_decay & (log["species_a"] == NO_SPECIES)
        born_b = is_decay & (log["species_b"] == NO_SPECIES) & ~is_wall
        ended_a = ~born_a & (log["product_a"] == NO_SPECIES)
        ended_b = ~born_b & ~is_wall & (log["product_b"] == NO_SPECIES)
        change = born_a.astype(int) + born_b - ended_a - ended_b
        for frame, step in enumerate(steps):
            self.assertEqual((ids[frame] != ABSENT_ID).sum(), num_at_start + change[log["step"] < step].sum())
        self.assertEqual(list(decays), list(np.bincount(log["rule"][is_decay], minlength=len(decays))))
        births = sorted((int(row["step"]), row["time"], *((row["b"], row["a"]) if is_low else (row["a"], row["b"])))
                        for row, is_low in zip(log[born_a | born_b], born_a[born_a | born_b]))
        next_id, num_given_back = num_at_start, 0
        for _, _time, _parent, newborn in births:  # in the order of step, half and parent
            is_new = newborn == next_id
            next_id += is_new
            num_given_back += not is_new
            self.assertLess(newborn, next_id)
        return next_id - num_at_start, num_given_back

    def test_reversible_binding(self):
        self.check_ranks_searches_and_stops(REVERSIBLE)
        num_new, num_given_back = self.check_births("one.h5md")
        self.assertGreater(num_new, 5)
        self.assertGreater(num_given_back, 5)  # who was absorbed comes back with its own id
        with h5py.File("one.h5md") as file:
            species = file["particles/trajectory/species/value"][:]
            with h5py.File("part.h5md.checkpoint-40") as checkpoint:
                self.assertEqual(int(checkpoint["state"].attrs["next_id"]), 330 + num_new)
        np.testing.assert_array_equal(np.sum((species == 0) | (species == 2), axis=1), 180)  # A + C

    def test_products_that_must_have_room(self):
        self.check_ranks_searches_and_stops(GHOSTS)
        self.check_births("one.h5md")
        with h5py.File("one.h5md") as file:
            frames = file["particles/trajectory"]
            size = np.array([16, 10, 10])
            for positions, species in zip(frames["position/value"][1:], frames["species/value"][1:]):
                x, radii = positions[species < 2], np.choose(species[species < 2], [0.4, 0.5])
                apart = x[:, None] - x[None]
                apart -= size * np.round(apart / size) * [0, 1, 1]
                gaps = np.linalg.norm(apart, axis=2) - radii[:, None] - radii[None]
                self.assertGreater(gaps[np.triu_indices(len(x), 1)].min(), -1e-9)

    def test_frames_may_begin_later(self):
        """Ids with gaps, and no frames before a stop in which many are absent: all come back to their rows."""
        rows = [f"{1000 + 1019 * k},{'AB'[k % 2]},{1 + 2 * (k % 20)},{1 + 2 * (k // 20)}" for k in range(200)]
        self.write("start.csv", "\n".join(["id,species,x,y", *rows]))
        self.write("input.yaml", SCATTERED)
        self.succeed("run", "input.yaml", "--output", "one.h5md")
        first = ["--set", "output.trajectory_every=0"]
        self.succeed("run", "input.yaml", "--output", "part.h5md", "--set", "run.steps=30", *first, ranks=2)
        self.succeed("run", "input.yaml", "--output", "part.h5md", "--continue", ranks=3)
        self.assert_verified("part.h5md")
        with h5py.File("one.h5md") as one, h5py.File("part.h5md") as part:
            ids, late = (file["particles/trajectory/id/value"][:] for file in (one, part))
            self.assertGreater((late[0] == ABSENT_ID).sum(), 20)
            came_back = (late[:, :200] != ABSENT_ID).any(axis=0) & (late[0, :200] == ABSENT_ID)
            self.assertGreater(came_back.sum(), 10)
            np.testing.assert_array_equal(ids[30:], late)

    def test_only_decays(self):
        self.check_ranks_searches_and_stops(ONLY_DECAYS)
        self.assertEqual(self.check_births("one.h5md")[1], 0)
        with h5py.File("one.h5md") as file:
            masses = file["particles/trajectory/mass/value"][:].sum(axis=1)
            particles = file["ricochet/observables/particles/value"][:]
        self.assertEqual(list(masses), [120] * len(masses))
        self.assertEqual(list(2 * particles[:, 0] + particles[:, 1]), [120] * len(particles))
        self.assertLess(particles[-1][0], 40)  # 60 exp(-1) = 22

    def test_check_prints_mean_lives(self):
        """And warns where they are short."""
        self.write("input.yaml", ONLY_DECAYS)
        self.assertIn("decays of whole: mean life 2 = 40 steps", self.succeed("check", "input.yaml"))
        out = self.succeed("check", "input.yaml", "--set", "decays.0.rate=3")
        self.assertIn("got 0.15 of a mean life, expected at most 0.1", out)

    def test_refuses_decays_that_change_nothing(self):
        self.write("input.yaml", ONLY_DECAYS.replace("[half, half]", "[whole]"))
        self.assertIn("decays.0.to: got whole, which decays, expected another species, two, or none",
                      self.fail_with(2, "run", "input.yaml"))
        self.write("input.yaml", ONLY_DECAYS.replace("from: whole", "from: hole"))
        self.assertIn("decays.0.from: got hole", self.fail_with(2, "run", "input.yaml", ranks=2))

    def test_counts_follow_from_the_log(self):
        self.write("input.yaml", BALLISTIC)
        self.succeed("run", "input.yaml", "--output", "one.h5md", ranks=2)
        with h5py.File("one.h5md") as file:
            log = file["ricochet/collisions"][:]
            words = list(file["ricochet/collisions"].attrs["outcomes"])
            outcomes = file["ricochet/observables/outcomes/value"][-1]
            particles = file["ricochet/observables/particles/value"][:]
        react = [word.decode() if isinstance(word, bytes) else word for word in words].index("react")
        for rule in (0, 1, 3):
            is_rule = log["rule"] == rule
            self.assertEqual(outcomes[2 * rule], (is_rule & (log["outcome"] == react)).sum())
            self.assertGreater(outcomes[2 * rule], 0)
        self.assertEqual(particles[-1][2], particles[0][2] + outcomes[0] - 2 * outcomes[2])
        self.assertEqual(particles[-1][1], particles[0][1] - outcomes[0] - outcomes[6])
        self.assertEqual(particles[-1][3], 20)

    def check_tethers(self, path, valences):
        """The log alone tells who is tethered to whom, and all that happens to them is allowed. Returns the tethers of
        the last step. valences: of each rule that sticks, by species."""
        with h5py.File(path) as file:
            log = file["ricochet/collisions"][:]
            words = [str(word, "utf-8") if isinstance(word, bytes) else word
                     for word in file["ricochet/collisions"].attrs["outcomes"]]
            last = {name: list(file[f"ricochet/observables/{name}/value"][-1]) for name in ("tethers", "broken", "held")}
        tethers, degrees = {}, {}
        counts = {word: dict.fromkeys(valences, 0) for word in ("stick", "hold", "part")}
        for row in log:
            word, a, b, rule = words[row["outcome"]], int(row["a"]), int(row["b"]), int(row["rule"])
            for end in ("a", "b"):  # who is tethered stays what it is
                if row[f"product_{end}"] != row[f"species_{end}"]:
                    self.assertEqual(degrees.get(int(row[end]), 0), 0)
            if word in counts:
                counts[word][rule] += 1
            if word == "stick":
                self.assertNotIn((a, b), tethers)
                tethers[a, b] = rule
                for end, species in ((a, row["species_a"]), (b, row["species_b"])):
                    degrees[end] = degrees.get(end, 0) + 1
                    self.assertLessEqual(degrees[end], valences[rule][species])
            elif word == "hold":
                self.assertEqual(tethers[a, b], rule)
                self.assertLess(row["impulse"], 0)
                self.assertLess(row["speed"], 0)
            elif word == "part":
                self.assertEqual(tethers.pop((a, b)), rule)
                degrees[a], degrees[b] = degrees[a] - 1, degrees[b] - 1
                self.assertEqual(row["time"], 0)
        present = [sum(1 for of in tethers.values() if of == rule) for rule in valences]
        self.assertEqual(last, {"tethers": present, "broken": list(counts["part"].values()),
                                "held": list(counts["hold"].values())})
        self.assertGreater(min(sum(of.values()) for of in counts.values()), 20)
        self.check_clusters(path, tethers)
        return set(tethers)

    def check_clusters(self, path, tethers):
        """The last sample has the components of these tethers."""
        clusters = {}
        for a, b in tethers:
            union = clusters.get(a, {a}) | clusters.get(b, {b})
            clusters.update(dict.fromkeys(union, union))
        sizes = [len(cluster) for cluster in {id(cluster): cluster for cluster in clusters.values()}.values()]
        with h5py.File(path) as file:
            values = {name: file[f"ricochet/observables/{name}/value"][-1]
                      for name in ("largest_cluster", "clusters", "clusters_by_size")}
        self.assertEqual(values["largest_cluster"], max(sizes))
        self.assertEqual(list(values["clusters_by_size"][1:4]), [sizes.count(size) for size in (2, 3, 4)])
        self.assertEqual(values["clusters"] - values["clusters_by_size"][0], len(sizes))

    def check_tethers_in_checkpoint(self, path, tethers):
        """Both partners have each."""
        with h5py.File(path) as file:
            rows = file["particles"][:]
        pairs = [(int(row["id"]), int(partner)) for row in rows for partner in row["tether_ids"][:row["num_tethers"]]]
        self.assertEqual(sorted(pairs), sorted([*tethers, *((b, a) for a, b in tethers)]))

    def check_after_a_kill(self):
        """The result has rows beyond the latest checkpoint, as a killed run leaves it."""
        self.succeed("run", "input.yaml", "--output", "killed.h5md", "--set", "run.steps=31", ranks=2)
        pathlib.Path("killed.h5md.checkpoint-31").unlink()
        self.succeed("run", "input.yaml", "--output", "killed.h5md", "--continue", ranks=4)
        self.assert_same_results("one.h5md", "killed.h5md")
        self.assert_verified("killed.h5md")

    def test_ballistic_tethers(self):
        self.check_ranks_searches_and_stops(STICKING)
        self.check_after_a_kill()
        tethers = self.check_tethers("one.h5md", {0: {1: 3, 0: 2}, 1: {0: 2}})
        self.check_tethers_in_checkpoint("one.h5md.checkpoint-60", tethers)

    def test_brownian_tethers(self):
        self.check_ranks_searches_and_stops(STICKING_BROWNIAN)
        self.check_after_a_kill()
        tethers = self.check_tethers("one.h5md", {0: {0: 2, 1: 3}, 1: {1: 1}})
        self.check_tethers_in_checkpoint("one.h5md.checkpoint-60", tethers)

    def test_tethers_are_told(self):
        """What check says of them, a page, and a start from a frame, which has none."""
        self.write("input.yaml", STICKING_BROWNIAN)
        out = self.succeed("check", "input.yaml")
        self.assertIn("A + B stick: relative step", out)
        self.assertIn("A + B stick: mean life of a tether 0.3333 = 66.67 steps", out)
        self.assertIn("expected at most 0.1", self.succeed("check", "input.yaml", "--set", "run.timestep=0.0135"))
        self.succeed("run", "input.yaml", "--output", "one.h5md")
        self.succeed("report", "one.h5md", "-o", "page")
        self.assertIn("<h2>Tethers</h2>", pathlib.Path("page/report.html").read_text())
        start = ["--set", "placement={method: file, path: one.h5md}", *(
            word for k in range(3) for word in ("--set", f"species.{k}.count="))]
        said = "tethers are not in frames: all particles of one.h5md start without"
        self.assertIn(said, self.succeed("run", "input.yaml", "--output", "two.h5md", *start, ranks=2))

    def test_refuses_tethers_too_long_for_the_box(self):
        self.write("input.yaml", STICKING_BROWNIAN)
        self.assertIn("contacts.pairs.0.stick.length: got 6, a reach of 4.8, expected less than half the periodic edge 8 "
                      "along y", self.fail_with(2, "check", "input.yaml", "--set", "contacts.pairs.0.stick.length=6"))

    def test_a_run_ends_when_nobody_is_left(self):
        self.write("input.yaml", NOBODY_IS_LEFT)
        self.succeed("run", "input.yaml", "--output", "one.h5md")
        self.succeed("run", "input.yaml", "--output", "two.h5md", "--set", "run.steps=350", ranks=2)
        self.succeed("run", "input.yaml", "--output", "two.h5md", "--continue", ranks=2)
        self.assert_same_results("one.h5md", "two.h5md")
        with h5py.File("one.h5md") as file:
            self.assertEqual(list(file["ricochet/observables/particles/value"][-1]), [0])

    def test_says_what_has_outgrown_the_box(self):
        """The same sentence on any number of ranks."""
        self.write("input.yaml", GROWING)
        said = []
        for ranks in (1, 2, 3):
            out = self.fail_with(1, "run", "input.yaml", "--output", f"{ranks}.h5md", ranks=ranks)
            found = re.search(r"step (\d+): particles have outgrown the box\. The largest is particle (\d+) of species "
                              r"drop, of radius ([0-9.]+)\. .*: use a larger box, .* fewer steps$", out, re.M)
            self.assertIsNotNone(found, out)
            self.assertNotIn("timestep", found[0])
            said.append(found[0])
        self.assertGreaterEqual(2 * float(found[3]), 3.49)
        self.assertEqual(said, said[:1] * 3)

    def test_says_how_many_were_let_pass(self):
        """At the end and on the page, also where there are only decays."""
        self.write("start.csv", "id,species,x,y,vx,vy\n0,heavy,10,10,0,0\n1,heavy,12.6,10,0,0\n2,seed,11.3,10,0.3,0\n")
        self.write("input.yaml", WEDGED)
        out = self.succeed("run", "input.yaml", "--output", "one.h5md", ranks=2)
        with h5py.File("one.h5md") as file:
            number = int(file["ricochet/observables/let_pass/value"][-1])
        self.assertGreater(number, 1)
        self.assertIn(f"let pass: {number} times in these steps two that were wedged into each other did not", out)
        self.succeed("report", "one.h5md", "-o", "page")
        self.assertIn(f"<p>{number} times two were let pass, products that were wedged",
                      pathlib.Path("page/report.html").read_text())
        self.assertIn(f"wedged pairs let pass,{float(number)}", pathlib.Path("page/summary.csv").read_text())
        self.assertEqual(float(pathlib.Path("page/let_pass.csv").read_text().split(",")[-1]), number)
        self.write("input.yaml", ONLY_DECAYS)
        self.assertNotIn("let pass", self.succeed("run", "input.yaml", "--output", "two.h5md"))
        self.succeed("report", "two.h5md", "-o", "page", "--force")
        self.assertNotIn("let pass", pathlib.Path("page/report.html").read_text())

    def test_catalysts_have_displacements(self):
        """Those that a rule makes have none."""
        self.write("input.yaml", BALLISTIC.replace("to: [C], probability: 0.3", "to: [C, B], probability: 0.3"))
        self.succeed("run", "input.yaml", "--output", "one.h5md")
        with h5py.File("one.h5md") as file:
            observable = file["ricochet/observables/mean_square_displacement"]
            values = dict(zip("ABCp", observable["value"][-1]))
        self.assertGreater(values["B"], 0)
        self.assertTrue(np.isnan(values["C"]))

    def page_of(self, text):
        """The page of a run, without pictures."""
        self.write("input.yaml", text)
        self.succeed("run", "input.yaml", "--output", "one.h5md", "--force")
        self.succeed("report", "one.h5md", "-o", "page", "--force")
        return re.sub(r'"data:[^"]*"', '""', pathlib.Path("page/report.html").read_text())

    def test_pages_leave_the_absent_out(self):
        page = self.page_of(BALLISTIC)
        self.assertIn("<h2>Reactions</h2>", page)
        self.assertIn("Left out: C, which contacts or decays make or change", page)

    def test_pages_expect_no_temperature_of_reactions(self):
        page = self.page_of(BALLISTIC)
        self.assertIn("there is no value to expect", page)
        with open("page/summary.csv", newline="") as file:
            expected = {row["name"]: row["expected"] for row in csv.DictReader(file)}
        self.assertEqual(expected["temperature"], "")
        self.assertEqual(expected["<v^4> / <v^2>^2 in thermal units"], "")

    def test_pages_follow_what_lives_through_the_lag(self):
        """Decays do not ask how far a particle has gone: all that live have the D of free ones."""
        page = self.page_of(FREE)
        with open("page/summary.csv", newline="") as file:
            rows = {row["name"]: row for row in csv.DictReader(file)}
        for name, diffusion in (("A", 1), ("B", 0.25)):
            row = rows[f"diffusion coefficient of {name}"]
            error = float(row["standard_error"])
            self.assertLess(abs(float(row["value"]) - diffusion), 4 * error, name)
            self.assertLess(error, 0.05 * diffusion, name)
        self.assertIn("Left out: C, which", page)
        self.assertIn("D is that of survivors", page)

    def test_pages_draw_no_empty_plots(self):
        """Of particles that all react, and of species that are absent at the start."""
        page = self.page_of(REVERSIBLE)
        diffusion, steps = (re.search(f"<h2>{title}</h2>(.*?)<h2>", page, re.DOTALL)[1]
                            for title in ("Diffusion", "Steps"))
        self.assertIn("Left out: A, B, C, D, which", diffusion)
        self.assertNotIn("<img", diffusion)
        self.assertNotIn("Walls bound", diffusion)
        self.assertRegex(steps, r"D</td>\s*<td[^>]*>0</td>\s*<td[^>]*>–</td>\s*<td[^>]*>–</td>")


if __name__ == "__main__":
    unittest.main()
