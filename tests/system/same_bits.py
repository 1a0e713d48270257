# SPDX-License-Identifier: BSD-3-Clause
"""The promise: the same bits for any number of ranks, any search, any tuning."""
import unittest

from support.program import ATTRACTING, ATTRACTING_IMAGES, GAS, INPUTS, ProgramTest

BROWNIAN_MIXTURE = """\
title: Brownian spheres of two sizes
box: {size: [16, 9, 9], boundary: periodic}
species:
  - {name: large, radius: 1, diffusion: 0.5, count: 12}
  - {name: small, radius: 0.3, diffusion: 1.5, count: 500}
placement: {method: random}
dynamics: {type: brownian, kT: 1}
run: {timestep: 0.01, steps: 30, seed: 5, equilibrate: {collisions_per_particle: 0.2}}
output: {file: out.h5md, trajectory_every: 10, observables_every: 5, collisions: all}
"""

DISCS_IN_A_BOX = """\
title: Inelastic discs between walls
box: {size: [14, 8], boundary: [reflecting, periodic]}
species:
  - {name: small, radius: 0.4, mass: 1, count: 60}
  - {name: large, radius: 0.6, mass: 3, count: 20}
placement: {method: random}
dynamics: {type: ballistic, kT: 1, velocities: equal_speed}
contacts:
  restitution: 0.9
  walls: {restitution: 0.95}
  pairs: [{between: [small, large], restitution: 0.8}]
run: {timestep: 0.2, steps: 25, seed: 2}
output: {file: out.h5md, trajectory_every: 5, observables_every: 1, collisions: all}
"""

GROWN = """\
title: Spheres of two sizes that grow to a pressure
box: {size: [2, 1, 1]}
species:
  - {name: small, radius: 0.4, mass: 1, count: 200}
  - {name: large, radius: 0.55, mass: 3, count: 120}
placement: {method: grow, rate: 0.2, until_pressure: 14}
dynamics: {type: ballistic, kT: 1}
run: {timestep: 0.01, steps: 20, seed: 2}
output: {file: out.h5md, trajectory_every: 5, observables_every: 1, collisions: all}
"""

SHAPES = """\
title: Shapes that react, between walls
box: {size: [18, 9, 9], boundary: [reflecting, periodic, periodic]}
species:
  - {name: cube, shape: {cube: 1}, mass: 1, count: 150}
  - {name: pyramid, shape: {pyramid: [1, 1.2]}, mass: 2, count: 100}
  - {name: ball, radius: 0.4, mass: 1, count: 100}
placement: {method: random}
dynamics: {type: ballistic, kT: 1}
contacts:
  restitution: 0.9
  pairs: [{between: [cube, ball], react: {to: [pyramid, ball], probability: 0.3}}]
run: {timestep: 0.1, steps: 25, seed: 2, equilibrate: {collisions_per_particle: 0.5}}
output: {file: out.h5md, trajectory_every: 5, observables_every: 1, collisions: all}
"""


class SameBits(ProgramTest):
    def check_ranks_and_searches(self, text, another):
        self.write("input.yaml", text)
        self.succeed("run", "input.yaml", "--output", "one.h5md", "--set", "search.method=all_pairs")
        variants = [(2, "auto", 0.07), (3, "cells", 1), (4, "slices", 0.05), (2, another, 0.5),
                    (3, "cells_crossing", 0.2), (2, "cells_every_move", 0.1)]
        for ranks, search, sub_window in variants:
            with self.subTest(ranks=ranks, search=search):
                self.succeed("run", "input.yaml", "--output", "other.h5md", "--force", "--set",
                             f"search.method={search}", "--set", f"run.sub_window={sub_window}", ranks=ranks)
                self.assert_same_results("one.h5md", "other.h5md")
        self.succeed("run", "input.yaml", "--output", "other.h5md", "--force", "--set",
                     "search.method=sweep_and_prune", "--set", "search.loop=queue", ranks=3)
        self.assert_same_results("one.h5md", "other.h5md")

    def test_elastic_gas(self):
        self.check_ranks_and_searches(GAS, "octree")

    def test_brownian_mixture(self):
        self.check_ranks_and_searches(BROWNIAN_MIXTURE, "sweep_and_prune")

    def test_inelastic_discs_between_walls(self):
        self.check_ranks_and_searches(DISCS_IN_A_BOX, "boxes")

    def test_grown_to_a_pressure(self):
        self.check_ranks_and_searches(GROWN, "octree")

    def test_shapes(self):
        self.check_ranks_and_searches(SHAPES, "spatial_tree")

    def test_mutual_gravity(self):
        self.check_ranks_and_searches(ATTRACTING, "time_bounds")

    def test_mutual_gravity_by_pairs(self):
        self.check_ranks_and_searches(ATTRACTING.replace("opening: 0.7", "law: inverse, method: direct"), "octree")

    def test_attraction_through_faces(self):
        self.check_ranks_and_searches(ATTRACTING_IMAGES, "octree")

    def test_attraction_of_sheets(self):
        sheet = ATTRACTING.replace("boundary: reflecting", "boundary: [periodic, periodic, reflecting]")
        self.check_ranks_and_searches(sheet.replace("opening: 0.7", "method: direct"), "sweep_and_prune")

    def test_cradle_with_contacts_at_one_time(self):
        self.succeed("run", INPUTS / "newtons_cradle.yaml", "--output", "one.h5md")
        self.succeed("run", INPUTS / "newtons_cradle.yaml", "--output", "two.h5md", ranks=2)
        self.assert_same_results("one.h5md", "two.h5md")

    def test_compare_tells_results_apart(self):
        self.write("input.yaml", GAS)
        self.succeed("run", "input.yaml", "--output", "a.h5md")
        self.succeed("run", "input.yaml", "--output", "b.h5md", "--set", "run.seed=4")
        self.succeed("run", "input.yaml", "--output", "c.h5md", "--steps", "15")
        process_text = self.fail_with(1, "compare", "a.h5md", "b.h5md")
        self.assertEqual(process_text, "")
        self.fail_with(1, "compare", "a.h5md", "c.h5md")


if __name__ == "__main__":
    unittest.main()
