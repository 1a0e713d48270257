# SPDX-License-Identifier: BSD-3-Clause
"""The subcommands, seen from the outside."""
import json
import os
import pathlib
import re
import subprocess
import unittest

import h5py

from support.program import EXE, GAS, INPUTS, ProgramTest, on_terminal


def observable(path, name):
    with h5py.File(path, "r") as file:
        group = file["ricochet/observables"][name]
        return group["step"][:].tolist(), group["value"][:]


PISTON = """
box: {size: [10, 10, 10], boundary: [periodic, periodic, reflecting]}
walls: [{face: z+, velocity: 0.5}]
species: [{name: ball, radius: 0.5, mass: 1, count: 1}]
dynamics: {type: ballistic, velocities: equal_speed, kT: 100}
run: {timestep: 0.1, steps: 178, seed: 3, contact_cap: 4}
output: {file: piston.h5md, trajectory_every: 1, observables_every: 1, collisions: all}
"""


class Commands(ProgramTest):
    def test_version_names_the_libraries(self):
        text = self.succeed("--version")
        self.assertRegex(text, r"^ricochet \d+\.\d+\.\d+ \(git ")
        for name in ("MPI", "HDF5", "Boost", "compiler", "flags"):
            self.assertRegex(text, rf"\n  {name} \S")

    def test_author_and_command_are_in_the_result(self):
        self.write("input.yaml", GAS)
        self.succeed("run", "input.yaml", "--set", "output.author=Ada Lovelace", ranks=2)
        with h5py.File("gas.h5md") as file:
            self.assertEqual(file["h5md/author"].attrs["name"], "Ada Lovelace")
            self.assertTrue(file["ricochet/provenance"].attrs["command"].endswith(
                " run input.yaml --set 'output.author=Ada Lovelace'"))

    def test_output_to_a_full_disk_is_an_error(self):
        self.write("input.yaml", GAS)
        with open("/dev/full", "w") as full:
            run = subprocess.run([EXE, "run", "input.yaml"], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual((run.returncode, run.stderr), (0, ""))  # the run itself goes on
            for command in (["info", "gas.h5md"], ["check", "input.yaml"], ["compare", "gas.h5md", "gas.h5md"],
                            ["options", "run"], ["--version"], ["export", "gas.h5md", "--format", "csv"]):
                process = subprocess.run([EXE, *command], stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual(process.returncode, 1, command)
                self.assertIn("standard output: cannot be written", process.stderr)

    def test_run_goes_on_when_its_reader_has_gone(self):
        self.write("input.yaml", GAS)
        read_end, write_end = os.pipe()
        os.close(read_end)
        process = subprocess.run([EXE, "run", "input.yaml"], stdout=write_end, stderr=subprocess.PIPE, text=True,
                                 restore_signals=True)
        os.close(write_end)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        self.assert_verified("gas.h5md")

    @unittest.skipIf(os.getuid() != 0, "only root can become another user")
    def test_a_file_that_may_not_be_read(self):
        self.write("input.yaml", GAS)
        self.succeed("run", "input.yaml")
        os.chmod("gas.h5md", 0o600)
        os.chmod(".", 0o755)
        process = subprocess.run([EXE, "info", "gas.h5md"], user=65534, capture_output=True, text=True)
        self.assertEqual(process.returncode, 2)
        self.assertIn("gas.h5md: cannot be read: Permission denied", process.stderr)

    def test_help_is_a_command_too(self):
        self.assertEqual(self.succeed("help"), self.succeed("--help"))
        self.assertEqual(self.succeed("help", "run"), self.succeed("run", "--help"))
        self.assertIn("--continue", self.succeed("help", "run"))

    def test_help_lists_the_commands(self):
        text = self.succeed("--help")
        for command in ("run", "check", "study", "info", "compare", "export", "report", "options"):
            self.assertRegex(text, rf"\n  {command} ")

    def test_options_prints_an_input_with_every_key(self):
        """Options without a key is an input with every key."""
        text = self.succeed("options", ranks=2)
        self.assertEqual(text, (INPUTS / "all_options.yaml").read_text())

    def test_options_explains_a_key_by_any_name(self):
        """Options explains a key however it is named."""
        for key in ("species[].diffusion", "species.0.diffusion", "species.diffusion", "diffusion"):
            text = self.succeed("options", key)
            self.assertRegex(text, r"^species\[\]\.diffusion\n    Diffusion coefficient: a number > 0")
            self.assertIn("\nspecies[].diffusion.stokes_einstein.viscosity\n", text)
            self.assertNotIn("species[].mass", text)
        self.assertIn("Required.", self.succeed("options", "run.timestep"))
        both = self.succeed("options", "restitution")
        self.assertIn("contacts.restitution\n", both)
        self.assertIn("contacts.walls.restitution\n", both)

    def test_options_explains_observables(self):
        """All that are in results, with the meaning that results have."""
        text = self.succeed("options", "observables", ranks=2)
        self.assertRegex(text, r"\nmomentum \[x, y, z\]\n    sum of mass \* velocity\n")
        self.assertRegex(text, r"\nWith walls:\nwall_pressure \[x low, .*\]\n    momentum given to a wall")
        listed = re.findall(r"^([a-z]\w*)(?: \[.*)?$", text, re.MULTILINE)
        self.assertEqual(len(listed), len(set(listed)))
        self.succeed("run", INPUTS / "sphere_gas.yaml", "--steps", "2", "--output", "gas.h5md", "--force",
                     "--set", "species.0.count=50")
        with h5py.File("gas.h5md") as file:
            observables = file["ricochet/observables"]
            self.assertLessEqual(set(observables), set(listed))
            meaning = observables["pressure"].attrs["meaning"]
        self.assertIn(str(meaning)[:60], " ".join(text.split()))
        self.assertLessEqual({"particles", "outcomes", "decays", "tethers", "broken", "held", "clusters", "body_contacts",
                              "body_force", "given_energy", "potential_energy", "total_energy"}, set(listed))

    def test_options_refuses_a_key_that_is_none(self):
        self.assertIn('"run.timstep": unknown key, did you mean run.timestep?\n',
                      self.fail_with(2, "options", "run.timstep", ranks=2))
        self.assertIn("did you mean timestep?", self.fail_with(2, "options", "timstep"))
        self.assertIn("ricochet options lists all keys", self.fail_with(2, "options", "zzzzzzzzz"))

    def test_run_reports_and_is_described(self):
        self.write("input.yaml", GAS)
        text = self.succeed("run", "input.yaml", ranks=2)
        self.assertIn("20 steps in", text)
        self.assertIn("time per rank in seconds", text)
        self.assertIn("result: gas.h5md", text)
        self.assertNotIn("\r", text)
        match = re.search(r"Enskog theory: \S+; ratio (\S+), statistical error ([^;\s]+)", text)
        self.assertLess(abs(float(match[1]) - 1), 5 * float(match[2]) + 0.03)
        self.expect_facts(self.succeed("info", "gas.h5md"), json.loads(self.succeed("info", "gas.h5md", "--json")))

    def expect_facts(self, text, facts):
        """Text and JSON say the same."""
        self.assertEqual(facts["file"], "gas.h5md")
        self.assertEqual(facts["progress"], {"state": "ended", "steps": 20, "can_go_on": True, "of": 20})
        result = facts["result"]
        self.assertEqual((result["title"], result["seed"], result["timestep"]), ("Small gas", 3, 0.1))
        self.assertEqual(result["box"], {"size": [9, 7, 7], "boundary": ["periodic"] * 3})
        self.assertEqual(result["particles"]["last_frame"], {"ball": 211})
        self.assertEqual(result["frames"]["last"], {"step": 20, "time": 2})
        for words in ("Small gas", "211 ball", "ended after 20 of 20 steps", "5 complete, steps 0 to 20",
                      f"{result['collisions']['rows']} rows, all contacts before step 20", result["run"],
                      f"step 20, hash {result['state']['hash']}", result["provenance"]["cpu"]):
            self.assertIn(words, text)

    def test_run_says_how_it_worked_only_when_verbose(self):
        self.write("input.yaml", GAS)
        brief = self.succeed("run", "input.yaml", ranks=2)
        verbose = self.succeed("run", "input.yaml", "--force", "--verbose", ranks=2)
        for words in ("islands", "merges", "sub-window", "predicted", "boundary events", "path by path",
                      "chunks of the result", "search cells"):
            self.assertNotIn(words, brief)
            self.assertIn(words, verbose)
        for text in (brief, verbose):
            self.assertRegex(text, r"communication: \S+ halo copies and \S+ migrations per rank and step")
            for phase in ("binning", "search", "events", "rollback"):
                self.assertRegex(text, rf"\n  {phase} +[\d.]+ +[\d.]+ +[\d.]+\n")

    def test_steps_and_set_override_the_input(self):
        self.write("input.yaml", GAS)
        self.succeed("run", "input.yaml", "--steps", "7", "--set", "output.observables_every=3", "--output", "o.h5md")
        steps, _ = observable("o.h5md", "energy")
        self.assertEqual(steps, [0, 3, 6, 7])
        with h5py.File("o.h5md", "r") as file:
            self.assertEqual(file["particles/trajectory/position/step"][:].tolist(), [0, 5, 7])
            self.assertIn("steps: 20", file["ricochet/input"].attrs["text"])
            self.assertIn("steps: 7", file["ricochet/input"].attrs["effective"])

    def test_check_plans_other_steps(self):
        self.write("input.yaml", GAS)
        self.assertIn("\n  observables           8 samples\n",
                      self.succeed("check", "input.yaml", "--steps", "7", "--set", "output.observables_every=1"))
        self.assertIn("run.steps: got -7", self.fail_with(2, "check", "input.yaml", "--steps", "-7"))

    def test_a_title_of_lines_stays_in_its_line(self):
        self.write("input.yaml", GAS.replace("title: Small gas", 'title: "Small\\n  gas\\tA\\r\\nB"'))
        run = self.succeed("run", "input.yaml", "--steps", "0")
        self.assertIn("\nSmall   gas A  B\n", run)
        self.assertIn("\n  title               Small   gas A  B\n", self.succeed("info", "gas.h5md"))
        facts = json.loads(self.succeed("info", "gas.h5md", "--json"))
        self.assertEqual(facts["result"]["title"], "Small\n  gas\tA\r\nB")

    def test_elastic_gas_keeps_energy_and_momentum(self):
        self.write("input.yaml", GAS)
        self.succeed("run", "input.yaml")
        _, energy = observable("gas.h5md", "energy")
        _, momentum = observable("gas.h5md", "momentum")
        self.assertLess(abs(energy / energy[0] - 1).max(), 1e-13)
        self.assertLess(abs(momentum).max(), 1e-12)

    def test_info_names_phases_as_the_run_does(self):
        self.write("input.yaml", GAS)
        table = self.succeed("run", "input.yaml").split("time per rank in seconds")[1]
        names = re.findall(r"(?m)^  (\w+) +[\d.]+ +[\d.]+ +[\d.]+$", table)
        line = re.search(r"(?m)^ +seconds_per_phase +(.*)$", self.succeed("info", "gas.h5md"))[1]
        self.assertEqual([part.split()[0] for part in line.split("; ")], names[:-1])
        self.assertEqual(names[-1], "all")

    def test_log_and_counts_agree(self):
        self.write("input.yaml", GAS)
        self.succeed("run", "input.yaml", ranks=3)
        _, contacts = observable("gas.h5md", "contacts")
        with h5py.File("gas.h5md", "r") as file:
            self.assertEqual(contacts[-1].sum(), file["ricochet/complete"][0]["collisions"])

    def test_steps_are_complete_also_without_a_log(self):
        self.write("input.yaml", GAS)
        self.succeed("run", "input.yaml", "--set", "output.collisions=none", ranks=2)
        with h5py.File("gas.h5md", "r") as file:
            complete = file["ricochet/complete"][0]
        self.assertEqual((complete["steps"], complete["collisions"]), (20, 0))

    def test_cradle_hands_on_its_velocity_exactly(self):
        self.succeed("run", INPUTS / "newtons_cradle.yaml", ranks=2)
        _, energy = observable("newtons_cradle.h5md", "energy")
        self.assertEqual(set(energy), {0.5})
        _, contacts = observable("newtons_cradle.h5md", "contacts")
        self.assertEqual(contacts[-1].tolist(), [12, 3])
        # The input leaves the count to the file.
        self.assertRegex(self.succeed("info", "newtons_cradle.h5md"), r"(?m)^ +particles +5, 5 ball$")

    def test_log_tells_the_time_since_step_0(self):
        """The times of the cradle's contacts, which the head of its input derives."""
        self.succeed("run", INPUTS / "newtons_cradle.yaml")
        with h5py.File("newtons_cradle.h5md") as file:
            log = file["ricochet/collisions"]
            rows, timestep, meaning = log[:], log.attrs["timestep"], log.attrs["meaning_of_time"]
        times = rows["step"] * timestep + rows["time"]
        self.assertEqual(times.tolist(), [3.0] * 4 + [9.5] + [16.0] * 4 + [20.5] + [25.0] * 4 + [31.5])
        self.assertLess(rows["time"].max(), timestep)
        self.assertEqual(meaning, "time since the beginning of the step; since step 0: step * timestep + time")

    def test_nothing_tunnels(self):
        self.succeed("run", INPUTS / "tunnelling.yaml", ranks=2)
        _, contacts = observable("tunnelling.h5md", "contacts")
        self.assertEqual(contacts[-1][0], 5)

    def test_check_prints_input_and_plan(self):
        """Check prints input and plan and runs nothing."""
        self.write("input.yaml", GAS)
        text = self.succeed("check", "input.yaml", "--ranks", "2", "--set", "run.seed=9")
        self.assertIn("seed: 9", text)
        self.assertRegex(text, r"ranks +2; the most that this input can use is \d+")
        for name in ("contacts per step", "halo", "memory per rank", "trajectory", "collision log"):
            self.assertIn(name, text)
        verbose = self.succeed("check", "input.yaml", "--ranks", "2", "--verbose")
        for name in ("slices along x", "slabs  "):
            self.assertNotIn(name, text)
            self.assertIn(name, verbose)
        self.assertEqual([path.name for path in pathlib.Path().iterdir()], ["input.yaml"])

    def test_check_measures_a_short_run_whole(self):
        """Check --measure does all steps of a short run, and leaves nothing behind."""
        self.write("input.yaml", GAS.replace("seed: 3", "seed: 3, equilibrate: {collisions_per_particle: 1}"))
        text = self.succeed("check", "input.yaml", "--measure", ranks=2)
        self.assertIn("\n  20 steps were done here, on 2 ranks:\n", text)
        for line in (r"placement +\S+ s", r"time per step +\S+ s, in the later half of them", r"time per sample +\S+ s, .*",
                     r"equilibration +about \S+ steps, by the contacts of these",
                     r"time of the run +about \S+ \S+, with \S+ s for the launch and the writing of results, as on a local disk",
                     r"writing of results +not measured: 5 frames, each written by itself, in all \S+ .B; "
                     r"a collision log of about \S+ .B, by the contacts of these steps"):
            self.assertRegex(text, rf"(?m)^  {line}$")
        self.assertEqual([path.name for path in pathlib.Path().iterdir()], ["input.yaml"])
        self.assertNotIn("# The speed, measured", self.succeed("check", "input.yaml"))
        self.fail_with(2, "check", "input.yaml", "--measure", "--ranks", "2")

    def test_check_says_what_run_is_refused_for_now(self):
        self.write("input.yaml", GAS)
        self.assertNotIn("would be refused", self.succeed("check", "input.yaml"))
        self.succeed("run", "input.yaml", "--steps", "0")
        self.assertRegex(self.succeed("check", "input.yaml"),
                         r"  note: `run` would be refused as things are: .*gas\.h5md.* --force")

    def test_check_tells_the_memory_of_the_log_apart(self):
        self.write("input.yaml", GAS.replace("kT: 1}", "kT: 1}\ncontacts: {restitution: 0.9}"))
        self.assertRegex(self.succeed("check", "input.yaml"),
                         r"memory per rank +about 29(\.\d)? MB, up to 98(\.\d)? MB while the collision log is written\n")
        text = self.succeed("check", "input.yaml", "--set", "output.collisions=none")
        self.assertRegex(text, r"memory per rank +about 29(\.\d)? MB\n")

    def test_check_plans_only_what_runs(self):
        self.write("input.yaml", GAS)
        text = self.succeed("check", "input.yaml")
        most = int(re.search(r"can use is (\d+)", text)[1])
        self.succeed("check", "input.yaml", "--ranks", most)
        self.assertIn(f"use at most {most} ranks", self.fail_with(2, "check", "input.yaml", "--ranks", most + 1))

    def test_planned_contacts_happen(self):
        self.write("input.yaml", GAS)
        text = self.succeed("check", "input.yaml", "--set", "run.steps=200")
        planned = float(re.search(r"contacts per step +about (\S+)", text)[1])
        self.succeed("run", "input.yaml", "--steps", "200")
        _, contacts = observable("gas.h5md", "contacts")
        self.assertAlmostEqual(contacts[-1][0] / 200 / planned, 1, delta=0.1)

    def test_planned_frames_and_samples_are_written(self):
        self.write("input.yaml", GAS.replace("steps: 20", "steps: 18"))
        text = self.succeed("check", "input.yaml")
        frames, samples = (int(re.search(words, text)[1]) for words in (r"(\d+) frames", r"(\d+) samples"))
        self.succeed("run", "input.yaml")
        with h5py.File("gas.h5md", "r") as file:
            complete = file["ricochet/complete"][0]
            self.assertEqual((complete["frames"], complete["samples"]), (frames, samples))

    def test_log_ends_at_its_byte_budget_with_a_note(self):
        self.write("input.yaml", GAS)
        text = self.succeed("run", "input.yaml", "--set", "output.collision_byte_budget=20000", ranks=2)
        self.assertRegex(text, r"note: .*budget")
        with h5py.File("gas.h5md", "r") as file:
            log = file["ricochet/collisions"]
            self.assertLessEqual(file["ricochet/complete"][0]["collisions"] * log.dtype.itemsize, 20000)
            self.assertGreater(file["ricochet/complete"][0]["collisions"], 0)
            self.assertLess(file["ricochet/complete"][0]["steps"], 20)
        self.assertIn("ended after 20 of 20 steps", self.succeed("info", "gas.h5md"))
        self.succeed("run", "input.yaml", "--set", "output.collision_byte_budget=20000", "--continue")
        self.succeed("run", "input.yaml", "--set", "output.collision_byte_budget=20000", "--set",
                     "output.checkpoint.keep=0", "--output", "none.h5md")
        self.assertIn("nothing is left to do", self.succeed(
            "run", "input.yaml", "--set", "output.collision_byte_budget=20000", "--set", "output.checkpoint.keep=0",
            "--output", "none.h5md", "--continue"))

    def test_brownian_runs_explain_their_numbers(self):
        """Brownian runs say what their numbers mean."""
        self.write("input.yaml", GAS.replace("type: ballistic", "type: brownian").replace("mass: 1", "diffusion: 1")
                   .replace("timestep: 0.1", "timestep: 0.001"))
        text = self.succeed("run", "input.yaml")
        self.assertLess(text.index("ball: D 1 when free"), text.index("what the numbers of the result mean"))
        with h5py.File("gas.h5md", "r") as file:
            notes = dict(file["ricochet/notes"].attrs)
        for name in ("velocity", "mass", "energy", "momentum", "contacts"):
            self.assertIn(name, notes)
            self.assertIn(notes[name] if isinstance(notes[name], str) else notes[name].decode(), text)

    def test_brownian_runs_give_no_rate_of_encounters(self):
        self.write("input.yaml", GAS.replace("type: ballistic", "type: brownian").replace("mass: 1", "diffusion: 1")
                   .replace("timestep: 0.1", "timestep: 0.001"))
        text = self.succeed("run", "input.yaml")
        self.assertNotIn("collisions/s", text)
        self.assertNotIn("collision rate", text)
        self.assertRegex(text, r"contacts of straight steps of 0\.001: \S+ per particle and unit time; they grow as "
                               r"timestep\^-1/2 and are no encounter rate")
        outlook = r"note: \w+: D 1 when free, step 0\.\d+ radii \(rms along an axis\), volume fraction"
        self.assertRegex(text, outlook)
        self.assertRegex(self.succeed("check", "input.yaml"), outlook)

    def test_brownian_progress_has_no_collision_rate(self):
        """Progress of brownian runs has no rate of collisions. On a terminal, where the first step is told at
        once."""
        ballistic = GAS.replace("seed: 3", "seed: 3, equilibrate: {collisions_per_particle: 0.1}")
        brownian = ballistic.replace("type: ballistic", "type: brownian").replace("mass: 1", "diffusion: 1").replace(
            "timestep: 0.1", "timestep: 0.001")
        for name, text, rate in (("gas", ballistic, ", [^,]+ collisions/s"), ("brownian", brownian, "")):
            self.write("input.yaml", text)
            shown = on_terminal("run", "input.yaml", "--output", name + ".h5md")
            steps = "[^,]+ steps/s" + rate
            self.assertRegex(shown, rf"equilibrating: \S+ collisions per particle, {steps}[\r\n]")
            self.assertRegex(shown, rf"step \d+ of 20 \(\d+ %\), {steps}, [^,]+ left")

    def test_effective_input_is_an_input(self):
        self.write("input.yaml", GAS)
        text = self.succeed("check", "input.yaml").split("# The plan")[0]
        self.write("effective.yaml", text)
        self.succeed("run", "input.yaml", "--output", "a.h5md")
        self.succeed("run", "effective.yaml", "--output", "b.h5md")
        self.assert_same_results("a.h5md", "b.h5md")

    def test_help_shows_one_pair_after_each_set(self):
        for command in ("run", "check", "study"):
            text = self.succeed(command, "--help")
            self.assertRegex(text, r"--set KEY=VALUE +Set one key")
        self.write("input.yaml", GAS)
        text = self.succeed("check", "input.yaml", "--set", "run.seed=8", "--set", "run.steps=7")
        self.assertIn("seed: 8", text)
        self.assertIn("steps: 7", text)
        self.fail_with(2, "check", "input.yaml", "--set", "run.seed=8", "run.steps=7")

    def test_contact_cap_ends_the_run_on_all_ranks(self):
        self.write("input.yaml", GAS)
        alone = self.fail_with(1, "run", "input.yaml", "--set", "run.contact_cap=3", "--output", "a.h5md")
        self.assertIn("run.contact_cap", alone)
        together = self.fail_with(1, "run", "input.yaml", "--set", "run.contact_cap=3", "--output", "b.h5md",
                                  ranks=3)
        self.assertIn(alone.strip(), together)

    def test_an_error_keeps_all_before_it(self):
        """The cap is reached under a piston: frames, samples and contacts up to the last complete step are there."""
        self.write("input.yaml", PISTON)
        for ranks in (1, 3):
            error = self.fail_with(1, "run", "input.yaml", "--force", ranks=ranks)
            step = int(re.search(r"step (\d+): particle", error)[1])
            self.assertGreater(step, 20)
            with h5py.File("piston.h5md") as file:
                self.assertEqual(file["particles/trajectory/position/step"][-1], step)
                self.assertEqual(file["ricochet/observables/energy/step"][-1], step)
                self.assertGreater(len(file["ricochet/collisions"]), 5)
                self.assertIn(file["ricochet/provenance"].attrs["error"], error)
            info = self.succeed("info", "piston.h5md")
            self.assertRegex(info, r"\n  progress +ended by an error after \d+ of \d+ steps; no checkpoint is there")
            self.assertRegex(info, r"\n +error +step \d+: particle")
            self.assertEqual(json.loads(self.succeed("info", "piston.h5md", "--json"))["progress"]["state"], "failed")
            self.succeed("info", "piston.h5md", "--verify")
            self.assertIn(f"all contacts before step {step}", self.succeed("info", "piston.h5md"))
            self.succeed("info", "piston.h5md", "--verify")

    def test_one_particle_and_no_step_are_runs(self):
        self.write("input.yaml", GAS.replace("volume_fraction: 0.25", "count: 1"))
        self.succeed("run", "input.yaml", "--steps", "3", ranks=2)
        self.succeed("run", "input.yaml", "--steps", "0", "--output", "zero.h5md")


if __name__ == "__main__":
    unittest.main()
