# SPDX-License-Identifier: BSD-3-Clause
"""What cannot run is refused: at once, by all ranks, with status 2, one message, and no file touched."""
import os
import pathlib
import unittest

from support.program import GAS, ProgramTest, ricochet

LIMIT_SECONDS = 5
HEADER = "id,species,x,y,z,vx,vy,vz\n"


def with_particles(rows):
    """The gas, started from particles.csv; returns input and csv."""
    text = GAS.replace(", volume_fraction: 0.25", "").replace(
        "{method: random}", "{method: file, path: particles.csv}")
    return text, HEADER + "".join(row + "\n" for row in rows)


class Refusals(ProgramTest):
    def refuse(self, *arguments, says, ranks=3):
        before = sorted(os.listdir())
        process = ricochet("run", *arguments, ranks=ranks)
        self.assertEqual(process.returncode, 2, process.stdout + process.stderr)
        self.assertLess(process.seconds, LIMIT_SECONDS)
        for words in says:
            self.assertEqual(process.stderr.count(words), 1, f"{words!r} in\n{process.stderr}")
        self.assertEqual(sorted(os.listdir()), before)

    def refuse_text(self, text, says, *arguments):
        self.write("input.yaml", text)
        self.refuse("input.yaml", *arguments, says=says)

    def test_a_title_with_a_colon(self):
        self.write("input.yaml", GAS.replace("title: Small gas", "title: Gas: small"))
        self.refuse("input.yaml", says=["input.yaml:1:11: malformed YAML: illegal map value; a text with a colon needs"])

    def test_all_mistakes_at_once_with_their_places(self):
        text = GAS.replace("timestep: 0.1", "timestep: -0.1").replace("kT: 1", "kT: .nan")
        text = text.replace("seed: 3", "sead: 3")
        self.refuse_text(text, ["input.yaml:7:17: run.timestep: got -0.1, expected a number > 0",
                                "dynamics.kT: got .nan", "did you mean seed"])

    def test_malformed_yaml(self):
        self.refuse_text("box: [1, 2", ["input.yaml:"])

    def test_no_such_input(self):
        self.refuse("nothing.yaml", says=["nothing.yaml: cannot be read"])

    def test_overrides_are_checked_too(self):
        self.refuse_text(GAS, ["--set run.steps=-4: run.steps: got -4"], "--steps", "-4")

    def test_slabs_thinner_than_the_halo(self):
        text = GAS.replace("[9, 7, 7]", "[6, 7, 7]").replace("timestep: 0.1", "timestep: 0.2")
        self.refuse_text(text, ["use at most 2 ranks"], "--set", "run.halo_margin=1")

    def test_brownian_steps_too_long_for_the_box(self):
        text = GAS.replace("type: ballistic", "type: brownian").replace("mass: 1", "diffusion: 1")
        self.refuse_text(text, ["run.timestep: got 2, too long for the box", "choose less than"],
                         "--set", "run.timestep=2")

    def test_too_dense(self):
        self.refuse_text(GAS.replace("volume_fraction: 0.25", "volume_fraction: 0.8"), ["0.8"])

    def test_inelastic_brownian(self):
        text = GAS.replace("type: ballistic", "type: brownian").replace("mass: 1", "diffusion: 1")
        self.refuse_text(text + "contacts: {restitution: 0.9}\n", ["contacts.restitution: got 0.9"])

    def refuse_particles(self, rows, says):
        text, csv = with_particles(rows)
        self.write("particles.csv", csv)
        self.refuse_text(text, says)

    def test_overlapping_particles(self):
        self.refuse_particles(["0,ball,1,1,1,0,0,0", "1,ball,1.5,1,1,0,0,0", "2,ball,5,5,5,0,0,0"],
                              ["particles.csv:3:"])

    def test_repeated_ids(self):
        self.refuse_particles(["0,ball,1,1,1,0,0,0", "0,ball,5,5,5,0,0,0"], ["particles.csv:3:1: id: got 0"])

    def test_particles_outside(self):
        """Between walls: along periodic axes they are moved into the box."""
        text, csv = with_particles(["0,ball,1,1,1,0,0,0", "1,ball,5,-5,5,0,0,0"])
        self.write("particles.csv", csv)
        self.refuse_text(text.replace("boundary: periodic", "boundary: [periodic, reflecting, periodic]"),
                         ["particles.csv:3:"])

    def test_particles_of_large_files_are_checked(self):
        """Many particles of a file are checked in time."""
        # 40 x 50 x 50 on a grid, the last one on top of its neighbour.
        rows = [f"{(z * 50 + y) * 40 + x},ball,{x + 0.5},{y + 0.5},{z + 0.5},1,0,0"
                for z in range(50) for y in range(50) for x in range(40)]
        rows[-1] = "99999,ball,38.6,49.5,49.5,1,0,0"
        text, csv = with_particles(rows)
        self.write("particles.csv", csv)
        self.refuse_text(text.replace("[9, 7, 7]", "[40, 50, 50]"), ["particles.csv:100001:"])

    def test_unwritable_output(self):
        self.refuse_text(GAS, ["the folder no/such/folder does not exist"], "--output", "no/such/folder/gas.h5md")

    def test_output_that_is_a_link_to_nothing(self):
        os.symlink("nothing", "gas.h5md")
        for options in ([], ["--force"], ["--continue"]):
            self.refuse_text(GAS, ["output file gas.h5md: it is a link to a file that does not exist"], *options)

    def test_output_whose_checkpoints_have_no_name(self):
        name = "n" * 240 + ".h5md"
        self.refuse_text(GAS, ["its name has 245 bytes, expected at most 219"], "--output", name)
        self.succeed("run", "input.yaml", "--steps", 2, "--continue", "--output", "n" * 219)

    def test_check_refuses_the_names_that_run_does(self):
        """Names that run refuses are refused by check."""
        self.write("input.yaml", GAS)
        for name, words in (("n" * 220, "its name has 220 bytes, expected at most 219"),
                            ("no/such/" + "n" * 220, "its name has 220 bytes, expected at most 219"),
                            ("folder/", "it names no file"), ("host:gas.h5md", "expected no colon")):
            process = ricochet("check", "input.yaml", "--set", f"output.file={name}", ranks=2)
            self.assertEqual(process.returncode, 2, process.stdout + process.stderr)
            self.assertEqual(process.stderr.count(words), 1, process.stderr)
            self.assertEqual(process.stdout, "")
        self.succeed("check", "input.yaml", "--set", "output.file=" + "n" * 219)

    def test_output_that_is_a_source_of_the_run(self):
        text, csv = with_particles(["0,ball,1,1,1,0,0,0"])
        self.write("particles.csv", csv)
        os.symlink("input.yaml", "link")
        for name in ("input.yaml", "link", "hard"):
            if name == "hard":
                os.link("input.yaml", "hard")
            self.refuse_text(text, ["is the input of this run"], "--force", "--output", name)
        os.link("particles.csv", "other.csv")
        for name in ("particles.csv", "./other.csv"):
            self.refuse_text(text, ["is the file of particles that placement.path names"], "--force", "--output", name)
        self.assertEqual(pathlib.Path("particles.csv").read_text(), csv)

    def test_text_of_files_is_shown_and_cut(self):
        text, csv = with_particles(["0,\x1b[31m" + "x" * 100_000 + ",1,1,1,0,0,0"])
        self.write("particles.csv", csv)
        self.write("input.yaml", text)
        message = self.fail_with(2, "run", "input.yaml")
        self.assertIn("species: got \\x1b[31mxxx", message)
        self.assertLess(len(message), 400)
        self.write("keys.yaml", GAS + "k" * 100_000 + ": 1\n" + "k" * 100_000 + ": 1\n")
        message = self.fail_with(2, "run", "keys.yaml", "--set", "run.steps=" + "\x1b" * 50_000)
        self.assertNotIn("\x1b", message)
        self.assertLess(max(map(len, message.splitlines())), 2000)

    def test_existing_output_is_kept_without_force(self):
        self.write("gas.h5md", "precious")
        self.refuse_text(GAS, ["output file gas.h5md"])
        self.assertEqual(pathlib.Path("gas.h5md").read_text(), "precious")
        self.succeed("run", "input.yaml", "--steps", "1", "--force")
        self.assertIn("frames", self.succeed("info", "gas.h5md"))

    def test_usage(self):
        for arguments in ([], ["run"], ["fly", "input.yaml"], ["run", "a.yaml", "--bogus"], ["compare", "a"]):
            self.assertIn("ricochet --help", self.fail_with(2, *arguments))

    def test_files_that_are_no_results(self):
        self.write("a.h5md", "text")
        self.fail_with(2, "info", "a.h5md")
        self.fail_with(2, "info", "b.h5md")
        self.fail_with(2, "compare", "a.h5md", "a.h5md")


if __name__ == "__main__":
    unittest.main()
