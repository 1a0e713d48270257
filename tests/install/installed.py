#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""An installed copy as a user of a cluster finds it: through its module, with documents whose links lead
somewhere, inputs that the installed program accepts, and job scripts that use that program.

usage: installed.py PREFIX
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PREFIX = pathlib.Path(sys.argv.pop()).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
HOME = PREFIX / "share" / "ricochet"
USER_DOCUMENTS = ["README.md", "inputs/README.md", "jobs/README.md"]

# What both module systems offer, reduced to printing. Lmod turns the same commands into Lua.
MODULE_COMMANDS = """
proc module-whatis {text} {}
proc conflict {name} {}
proc prepend-path {name value} { puts "$name=$value" }
proc setenv {name value} { puts "$name=$value" }
set ModulesCurrentModulefile [lindex $argv 0]
source $ModulesCurrentModulefile
"""


def module_settings():
    (modulefile,) = (PREFIX / "share" / "modulefiles" / "ricochet").iterdir()
    run = subprocess.run(["tclsh", "/dev/stdin", str(modulefile)], input=MODULE_COMMANDS, capture_output=True,
                         text=True, check=True)
    return dict(line.split("=", 1) for line in run.stdout.splitlines())


class Installed(unittest.TestCase):
    def run_with_module(self, *command):
        settings = module_settings()
        settings["PATH"] += os.pathsep + os.environ["PATH"]
        run = subprocess.run(list(map(str, command)), cwd=HOME, env=os.environ | settings, capture_output=True,
                             text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run.stdout

    def test_module_names_what_is_there(self):
        settings = module_settings()
        self.assertEqual(settings["PATH"], str(PREFIX / "bin"))
        self.assertEqual(settings["RICOCHET_HOME"], str(HOME))
        self.assertEqual(settings["CMAKE_PREFIX_PATH"], str(PREFIX))
        self.assertTrue(os.access(settings["RICOCHET_EXE"], os.X_OK))
        (version,) = (PREFIX / "share" / "modulefiles" / "ricochet").iterdir()
        self.assertIn(f"ricochet {version.name} ", self.run_with_module("ricochet", "--version"))

    def test_links_of_the_documents_lead_somewhere(self):
        for name in USER_DOCUMENTS:
            document = HOME / name
            links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", document.read_text())
            self.assertGreater(len(links), 0, name)
            for link in links:
                self.assertTrue((document.parent / link).exists(), f"{name}: {link}")

    def test_nothing_but_what_users_need(self):
        self.assertEqual(sorted(path.name for path in HOME.iterdir()),
                         [".github", "LICENSE", "README.md", "inputs", "jobs", "report", "src", "tests"])

    def test_headers_are_the_public_ones(self):
        """Those of include/ricochet, and none of src."""
        def headers(folder):
            return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.hpp"))

        installed = headers(PREFIX / "include")
        self.assertEqual(installed, headers(SOURCE / "include"))
        self.assertLessEqual(len(installed), 48)

    def test_program_accepts_the_inputs(self):
        inputs = sorted((HOME / "inputs").glob("*.yaml"))
        self.assertGreaterEqual(len(inputs), 11)
        for path in inputs:
            self.run_with_module("ricochet", "check", path)

    def test_job_scripts_use_the_program_beside_them(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {name: value for name, value in os.environ.items() if name != "RICOCHET_EXE"}
            run = subprocess.run([HOME / "jobs" / "slurm-scaling.sh", HOME / "inputs" / "tunnelling.yaml", "1",
                                  "--strong", "--local"], cwd=folder, env=environment, capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            self.assertIn(str(PREFIX / "bin" / "ricochet"), run.stdout)

    def test_job_scripts_are_there_and_start(self):
        for name in ("slurm", "slurm-scaling", "slurm-array", "pbs", "lsf"):
            self.assertIn("usage:", self.run_with_module(HOME / "jobs" / f"{name}.sh", "--help"))


if __name__ == "__main__":
    unittest.main()
