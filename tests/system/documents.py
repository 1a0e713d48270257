# SPDX-License-Identifier: BSD-3-Clause
"""What the documents show: inputs are inputs, the end of the README's run looks as it is printed there, and the
commands name subcommands, options and keys that exist."""
import re
import subprocess
import sys
import unittest

from support.program import INPUTS, SOURCE, ProgramTest

README = (SOURCE / "README.md").read_text()
TUTORIAL = (SOURCE / "inputs" / "README.md").read_text()
DOCUMENTS = [README, TUTORIAL, *((SOURCE / folder / "README.md").read_text()
                                 for folder in ("jobs", "src", "src/search", "src/kinetic", "tests"))]


def blocks(text, kind):
    """The blocks between fences that name this kind; "" for those that name none."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [block for name, block in found if name == kind]


def without_numbers(text):
    return re.sub(r"\d+(\.\d+)?", "#", text)


class Documents(ProgramTest):
    def test_run_of_the_readme_ends_as_it_says(self):
        (gas,) = blocks(README, "yaml")
        (shown,) = blocks(README, "")
        text = self.succeed("run", self.write("gas.yaml", gas), "--steps", "30")
        self.assertTrue(without_numbers(text).endswith(without_numbers(shown)), text)

    def test_inputs_of_the_tutorial_are_inputs(self):
        for text in blocks(TUTORIAL, "yaml"):
            self.succeed("check", self.write("input.yaml", text))

    def test_particles_of_the_tutorial_are_a_start(self):
        (rows,) = blocks(TUTORIAL, "csv")
        self.write("start.csv", rows)
        cradle = (INPUTS / "newtons_cradle.yaml").read_text().replace("newtons_cradle.csv", "start.csv")
        self.succeed("check", self.write("cradle.yaml", cradle))

    def test_python_of_the_tutorial_runs_by_itself(self):
        """Each block in a process of its own, on the start of the run that it reads."""
        snippets = blocks(TUTORIAL, "python")
        self.assertGreaterEqual(len(snippets), 4)
        inputs = {"contacts": "sphere_gas"}
        for snippet in snippets:
            (name,) = re.findall(r'"(\w+)\.h5md"', snippet)
            self.succeed("run", INPUTS / f"{inputs.get(name, name)}.yaml", "--steps", "2", "--output", f"{name}.h5md",
                         "--set", "output.collisions=all", "--set", "run.equilibrate.collisions_per_particle=0", "--force")
            process = subprocess.run([sys.executable, "-W", "error", "-c", snippet], capture_output=True, text=True)
            self.assertEqual((process.returncode, process.stderr), (0, ""), snippet)

    def test_commands_have_options_that_exist(self):
        commands = re.findall(r"\bricochet (run|check|study|info|compare|report|export|options)\b([^`\n|#]*)",
                              "\n".join(DOCUMENTS).replace("\\\n", " "))
        self.assertGreater(len(commands), 20)
        helps = {name: self.succeed(name, "--help") for name, _ in commands}
        for name, rest in commands:
            for option in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", rest):
                self.assertRegex(helps[name], rf"(?<![\w-]){option}\b", f"ricochet {name}{rest}")

    def test_keys_that_are_set_or_explained_exist(self):
        text = "\n".join(DOCUMENTS)
        keys = re.findall(r"--set ([\w.]+)=", text) + re.findall(r"ricochet options ([\w.]+)", text)
        self.assertGreater(len(keys), 8)
        for key in set(keys):
            self.succeed("options", key)


if __name__ == "__main__":
    unittest.main()
