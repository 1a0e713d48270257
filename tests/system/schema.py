# SPDX-License-Identifier: BSD-3-Clause
"""The JSON Schema of inputs: what ships is what the program prints, and it judges inputs as the program does."""
import json
import re
import unittest

from support.json_schema import is_valid, load
from support.program import GAS, INPUTS, SOURCE, ProgramTest, ricochet

PATH = INPUTS / "ricochet.schema.json"
SCHEMA = json.loads(PATH.read_text())
COMMENT = "\n# yaml-language-server: $schema=ricochet.schema.json\n"

BROWNIAN = GAS.replace("ballistic", "brownian").replace("mass: 1", "diffusion: {stokes_einstein: {viscosity: 0.1}}").replace(
    "timestep: 0.1", "timestep: 1e-3")
FROM_FILE = GAS.replace(", volume_fraction: 0.25", "").replace("method: random", "method: file, path: start.csv")
GOOD = [
    BROWNIAN,
    GAS.replace("radius: 0.5", "radius: {lognormal: {median: 0.4, sigma: 0.1, min: 0.3, max: 0.5}}"),
    GAS.replace("boundary: periodic", "boundary: [periodic, reflecting, periodic]"),
    GAS.replace("collisions: all", "collisions: [[ball, ball]]"),
    GAS.replace("method: random", "method: lattice, type: sc"),
    GAS.replace("steps: 20", "steps: 2e1"),
    GAS.replace("name: ball", "name: 7"),
]
REACTING = """
contacts:
  pairs:
    - {between: [ball, ball], react: {to: [ball], probability: 0.5}}
    - {between: [ball, wall], faces: [x-], react: {to: []}}
    - {between: [ball, wall], faces: [x+], restitution: 0.5}
"""
WALLED = GAS.replace("boundary: periodic", "boundary: reflecting")
GOOD += [
    WALLED + REACTING,
    WALLED + REACTING.replace("react: {to: [ball], probability: 0.5}", "coalesce: {}"),
    BROWNIAN + "contacts: {pairs: [{between: [ball, ball], react: {to: [ball], rate: .inf}}]}\n",
    BROWNIAN + "contacts: {pairs: [{between: [ball, ball], pass: {}}]}\n",
    GAS + "contacts: {pairs: [{between: [ball, ball], stick: {length: 1.5, valence: [2, 2]}}]}\n",
    BROWNIAN + "contacts: {pairs: [{between: [ball, ball], stick: {length: 1.5, rate: 3, valence: 3}}]}\n",
]
# Each breaks one rule of the schema.
BAD = [
    WALLED + REACTING.replace("probability: 0.5", "probability: 1.5"),
    WALLED + REACTING.replace("probability: 0.5", "rate: 5"),
    WALLED + REACTING.replace("to: [ball]", "to: [ball, ball, ball]"),
    WALLED + REACTING.replace("faces: [x-]", "faces: [left]"),
    BROWNIAN + "contacts: {pairs: [{between: [ball, ball], react: {to: [ball], probability: 0.5}}]}\n",
    BROWNIAN + "contacts: {pairs: [{between: [ball, ball], pass: {a: 1}}]}\n",
    GAS + "contacts: {pairs: [{between: [ball, ball], stick: {}}]}\n",
    GAS + "contacts: {pairs: [{between: [ball, ball], stick: {length: 1}}]}\n",
    GAS + "contacts: {pairs: [{between: [ball, ball], stick: {length: 2, valence: [1, 2, 3]}}]}\n",
    BROWNIAN + "contacts: {pairs: [{between: [ball, ball], stick: {length: 2, probability: 0.5}}]}\n",
    GAS.replace("title", "titel"),
    GAS.replace("timestep: 0.1, ", ""),
    GAS.replace("timestep: 0.1", "timestep: 0"),
    GAS.replace("timestep: 0.1", "timestep: fast"),
    GAS.replace("timestep: 0.1", 'timestep: "0.1"'),
    GAS.replace("steps: 20", "steps: 2.5"),
    GAS.replace("steps: 20", "steps: 20, contact_cap: 0"),
    GAS.replace("steps: 20", "steps: 20, sub_window: 11"),
    GAS.replace("name: ball", "name: a/b"),
    GAS.replace("[9, 7, 7]", "[9]"),
    GAS.replace("[9, 7, 7]", "[9, 7, 7, 7]"),
    GAS.replace("boundary: periodic", "boundary: open"),
    GAS.replace("volume_fraction: 0.25", "volume_fraction: 1.1"),
    GAS.replace("volume_fraction: 0.25", "volume_fraction: 0.25, count: 3"),
    GAS.replace(", volume_fraction: 0.25", ""),
    GAS.replace(", mass: 1", ""),
    GAS.replace("radius: 0.5", "radius: {normal: {mean: 0.5}}"),
    GAS.replace("method: random", "method: lattice"),
    GAS.replace("method: random", "method: random, type: sc"),
    FROM_FILE.replace(", path: start.csv", ""),
    GAS.replace("method: random", "method: file, path: start.csv"),
    BROWNIAN.replace("kT: 1", "kT: 1, velocities: maxwell"),
    BROWNIAN.replace("brownian", "ballistic"),
    GAS.replace("ballistic", "brownian"),
    GAS.replace("collisions: all", "collisions: some"),
    GAS.replace("collisions: all", "collisions: [[ball]]"),
    "species: []\n" + GAS.replace("species:\n  - {name: ball, radius: 0.5, mass: 1, volume_fraction: 0.25}\n", ""),
    "just words\n",
]


class Schema(ProgramTest):
    def test_what_ships_is_what_the_program_prints(self):
        self.assertEqual(self.succeed("options", "--schema", ranks=2), PATH.read_text())

    def test_schema_and_key_exclude_each_other(self):
        self.assertIn("--schema", self.fail_with(2, "options", "run", "--schema"))

    def test_shipped_inputs_are_valid_and_name_it(self):
        for path in sorted(INPUTS.glob("*.yaml")):
            with self.subTest(path.name):
                text = path.read_text()
                self.assertTrue(is_valid(SCHEMA, load(text)))
                self.assertTrue(COMMENT in text or path.name == "all_options.yaml")

    def test_effective_inputs_are_valid(self):
        for text in (GAS, *GOOD):
            effective = self.succeed("check", self.write("input.yaml", text)).split("# The plan")[0]
            self.assertTrue(is_valid(SCHEMA, load(effective)), effective)

    def test_inputs_of_the_documents_are_valid(self):
        for name in ("README.md", "inputs/README.md"):
            for text in re.findall(r"^```yaml\n(.*?)^```$", (SOURCE / name).read_text(), re.MULTILINE | re.DOTALL):
                self.assertTrue(is_valid(SCHEMA, load(text)), text)

    def test_it_judges_as_the_program_does(self):
        self.assertTrue(is_valid(SCHEMA, load(FROM_FILE)))
        for text, verdict in [*((text, True) for text in [GAS, *GOOD]), *((text, False) for text in BAD)]:
            with self.subTest(text):
                self.assertEqual(is_valid(SCHEMA, load(text)), verdict)
                self.assertEqual(ricochet("check", self.write("input.yaml", text)).returncode, 0 if verdict else 2)


if __name__ == "__main__":
    unittest.main()
