# SPDX-License-Identifier: BSD-3-Clause
"""A run touches only what is its own: it goes on from its own files, and leaves every other file as it is."""
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest

import h5py

from support.program import EXE, GAS, ProgramTest, ranks_of, ricochet, seconds_of

HEADER = "id,species,x,y,z,vx,vy,vz\n"
GIVEN = GAS.replace(", volume_fraction: 0.25", "").replace("{method: random}", "{method: file, path: start.csv}")
EVERY_5 = ["--set", "output.checkpoint.every_steps=5"]


def rows(shift=0.0):
    return HEADER + "".join(f"{k},ball,{1 + k % 3 * 2 + shift},{1 + k // 3 * 2},3.5,{k % 2},1,0.5\n" for k in range(9))


def contents_of_folder():
    return {path: path.read_bytes() if path.is_file() else os.readlink(path) for path in pathlib.Path().iterdir()}


class OwnershipTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("input.yaml", GAS)

    def refuse_and_touch_nothing(self, *arguments, says, status=2, ranks=2):
        before = contents_of_folder()
        text = self.fail_with(status, "run", *arguments, ranks=ranks)
        for words in says:
            self.assertEqual(text.count(words), 1, f"{words!r} in\n{text}")
        self.assertEqual(contents_of_folder(), before)

    def assert_content(self, path, expected):
        found = pathlib.Path(path).read_bytes()
        self.assertEqual(len(found), len(expected), path)
        differing = [k for k in range(len(found)) if found[k] != expected[k]] if found != expected else []
        self.assertFalse(differing, f"{path}: {len(differing)} bytes differ, first {differing[:1]}")


class FilesOfOthers(OwnershipTest):
    """--continue without --force destroys nothing that is not provably this run's own."""

    def refuse(self, *says):
        self.refuse_and_touch_nothing("input.yaml", "--continue",
                                      says=["output file gas.h5md: ", "move it away, or give --force", *says])

    def test_a_finished_result_that_lost_a_byte(self):
        self.succeed("run", "input.yaml", "--output", "gas.h5md")
        remove_checkpoints()
        os.truncate("gas.h5md", os.path.getsize("gas.h5md") - 1)
        self.refuse("or a damaged one")

    def test_a_damaged_file_of_another_program(self):
        with h5py.File("gas.h5md", "w") as file:
            file["precious"] = list(range(100000))
        os.truncate("gas.h5md", os.path.getsize("gas.h5md") - 1)
        self.refuse("or a damaged one")

    def test_a_file_of_another_program(self):
        with h5py.File("gas.h5md", "w") as file:
            file["precious"] = list(range(1000))
        self.refuse("no result of this program")

    def test_files_that_begin_with_zeros(self):
        for content in (b"", bytes(8), bytes(8) + b"precious", b"precious"):
            pathlib.Path("gas.h5md").write_bytes(content)
            self.refuse("no result of this program")

    def test_a_result_that_has_ended(self):
        self.succeed("run", "input.yaml")
        remove_checkpoints()
        before = contents_of_folder()
        self.assertIn("gas.h5md: its run has ended, with all of 20 steps; nothing is left to do",
                      self.succeed("run", "input.yaml", "--continue", ranks=2))
        self.assertEqual(contents_of_folder(), before)
        self.write("input.yaml", GAS.replace("steps: 20", "steps: 30"))
        self.refuse("its run has ended and there is no checkpoint to go on from")
        self.write("input.yaml", GAS.replace("seed: 3", "seed: 4"))
        self.refuse("its run has ended and there is no checkpoint to go on from")

    def test_an_unfinished_result_of_another_input(self):
        """Its own journal is put back; all else stays."""
        leave_killed_run("--set", "run.seed=4")
        os.remove("gas.h5md.lock")  # which any run takes over
        put_back = with_journal_put_back("gas.h5md")
        self.fail_with(2, "run", "input.yaml", "--continue")
        self.assert_content("gas.h5md", put_back)
        self.refuse("it is of another run (its input is another)")

    def test_a_journal_that_was_about_to_begin_anew(self):
        """Nothing is put back; the room that was reserved behind the content goes."""
        leave_killed_run("--set", "run.seed=4")
        content, head = with_journal_put_back("gas.h5md"), pathlib.Path("gas.h5md.undo").read_bytes()[:63]
        for begun in (b"", head):
            pathlib.Path("gas.h5md").write_bytes(content + bytes(1000))
            pathlib.Path("gas.h5md.undo").write_bytes(begun)
            pathlib.Path("gas.h5md.lock").unlink(missing_ok=True)
            self.assertTrue(with_journal_put_back("gas.h5md") == content)
            self.fail_with(2, "run", "input.yaml", "--continue")
            self.assert_content("gas.h5md", content)

    def test_what_the_run_itself_left_is_replaced(self):
        leave_killed_run()
        self.assertIn("starting anew", self.succeed("run", "input.yaml", "--continue", ranks=2))
        self.succeed("run", "input.yaml", "--output", "whole.h5md")
        self.assert_same_results("whole.h5md", "gas.h5md")

    def test_checkpoints_that_are_not_its_own_stay(self):
        self.write("gas.h5md.checkpoint-5", "precious")
        self.write("gas.h5md.checkpoint-10", "precious")
        self.write("gas.h5md.checkpoint-70", "precious")
        self.fail_with(2, "run", "input.yaml")
        for name in ("gas.h5md.checkpoint-5", "gas.h5md.checkpoint-10", "gas.h5md.checkpoint-70"):
            os.rename(name, "kept" + name)
        self.succeed("run", "input.yaml", "--continue", "--steps", "7", *EVERY_5)
        for name in ("gas.h5md.checkpoint-10", "gas.h5md.checkpoint-70"):
            os.rename("kept" + name, name)
        out = self.succeed("run", "input.yaml", "--continue", *EVERY_5)
        self.assertIn("checkpoint-70: is damaged", out)
        self.assertEqual(pathlib.Path("gas.h5md.checkpoint-70").read_text(), "precious")
        self.assertEqual(pathlib.Path("gas.h5md.checkpoint-10.other").read_text(), "precious")

    def test_an_index_for_paraview_without_its_result(self):
        says = ["output file gas.h5md: gas.xdmf exists without it", "or choose another name"]
        for make in (lambda: self.write("gas.xdmf", "precious"), lambda: os.symlink("nothing", "gas.xdmf")):
            make()
            for options in ([], ["--continue"]):
                self.refuse_and_touch_nothing("input.yaml", *options, says=says)
            os.remove("gas.xdmf")
        self.write("gas.xdmf", "precious")
        self.succeed("run", "input.yaml", "--steps", "5", "--force")
        self.assertIn("<Xdmf", pathlib.Path("gas.xdmf").read_text())
        self.succeed("run", "input.yaml", "--continue")
        leave_killed_run("--force")
        self.succeed("run", "input.yaml", "--continue")

    def test_own_index_without_its_result_is_replaced(self):
        self.succeed("run", "input.yaml", "--steps", "5")
        for name in ("gas.h5md", "gas.h5md.checkpoint-5"):
            os.remove(name)
        old = pathlib.Path("gas.xdmf").read_text()
        self.write("gas.xdmf", old.replace("gas.h5md:", "other.h5md:"))
        self.refuse_and_touch_nothing("input.yaml", says=["output file gas.h5md: gas.xdmf exists without it"])
        self.write("gas.xdmf", old)
        self.succeed("run", "input.yaml")
        self.assertNotEqual(pathlib.Path("gas.xdmf").read_text(), old)

    def test_force_follows_a_link(self):
        os.mkdir("elsewhere")
        os.symlink("elsewhere/real.h5md", "gas.h5md")
        self.write("elsewhere/real.h5md", "old")
        self.succeed("run", "input.yaml", "--force")
        self.assertTrue(os.path.islink("gas.h5md"))
        self.assertIn("frames", self.succeed("info", "elsewhere/real.h5md"))


class Identity(OwnershipTest):
    """Result, checkpoint, input and start file belong together, or the run does not go on."""

    def stop(self, text, output="gas.h5md", steps=10):
        self.write("input.yaml", text)
        self.succeed("run", "input.yaml", "--output", output, "--continue", "--steps", steps)

    def test_a_result_of_another_run(self):
        self.stop(GAS)
        self.stop(GAS.replace("seed: 3", "seed: 4"), "other.h5md")
        self.stop(GAS, "same_input.h5md")
        for other in ("other.h5md", "same_input.h5md"):
            shutil.copy(other, "gas.h5md")
            self.write("input.yaml", GAS)
            self.refuse_and_touch_nothing("input.yaml", "--continue",
                                          says=["gas.h5md: is the result of run ", "and its checkpoint is of run "])

    def test_a_checkpoint_of_another_input(self):
        self.stop(GAS.replace("seed: 3", "seed: 4"), "other.h5md")
        os.rename("other.h5md.checkpoint-10", "gas.h5md.checkpoint-10")
        self.write("input.yaml", GAS)
        self.refuse_and_touch_nothing("input.yaml", "--continue", says=["run.seed was 4 and is 3"])

    def test_a_start_file_that_has_changed(self):
        self.write("start.csv", rows())
        self.stop(GIVEN)
        self.write("start.csv", rows(0.25))
        self.refuse_and_touch_nothing("input.yaml", "--continue",
                                      says=["gas.h5md.checkpoint-10: its start file is another (start.csv)"])
        self.write("start.csv", rows())
        self.succeed("run", "input.yaml", "--continue", ranks=2)
        os.remove("start.csv")
        self.assertIn("start.csv is not there any more", self.succeed("run", "input.yaml", "--continue",
                                                                      "--steps", "30"))

    def test_files_that_move_together_go_on(self):
        self.stop(GAS)
        for path in list(pathlib.Path().glob("gas.h5md*")):
            path.rename(path.name.replace("gas", "moved"))
        self.succeed("run", "input.yaml", "--continue", "--output", "moved.h5md")
        self.succeed("run", "input.yaml", "--output", "whole.h5md")
        self.assert_same_results("whole.h5md", "moved.h5md")

    def test_id_stays_over_the_parts_of_a_run(self):
        """The id stays over the parts and is not compared."""
        self.stop(GAS)
        before = run_id("gas.h5md")
        self.assertRegex(before, r"^[0-9a-f]{32}$")
        self.assertRegex(self.succeed("info", "gas.h5md"), rf"\n  run +{before}\n")
        self.succeed("run", "input.yaml", "--continue", ranks=3)
        self.assertEqual(run_id("gas.h5md"), before)
        self.succeed("run", "input.yaml", "--output", "whole.h5md", ranks=2)
        self.assertNotEqual(run_id("whole.h5md"), before)
        self.assert_same_results("whole.h5md", "gas.h5md")


class Running(OwnershipTest):
    """While one run writes an output, no other does, and it writes to nothing else."""

    def setUp(self):
        super().setUp()
        self.write("long.yaml", GAS.replace("steps: 20", "steps: 10000000").replace("trajectory_every: 5",
                                                                                    "trajectory_every: 1"))

    def start(self, *arguments, ranks=2):
        """In a folder of its own for Open MPI: of several mpiexec that make one at the same instant, one may fail."""
        command = ["mpiexec", "--timeout", "1000", "-n", str(ranks), EXE, "run", *map(str, arguments)]
        folder = tempfile.mkdtemp(dir=os.environ["OMPI_MCA_orte_tmpdir_base"])
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "OMPI_MCA_orte_tmpdir_base": folder})
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def start_and_wait(self, least_bytes=1_000_000):
        process = self.start("long.yaml")
        deadline = time.monotonic() + 600
        while size_of("gas.h5md") < least_bytes and time.monotonic() < deadline:
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        return process

    def stop(self, process):
        process.send_signal(signal.SIGUSR1)
        out, err = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 85, out + err)

    def test_a_second_run_is_refused(self):
        process = self.start_and_wait()
        os.symlink("gas.h5md", "link.h5md")
        for arguments in (["--continue"], ["--force"], [], ["--continue", "--output", "link.h5md"]):
            text = self.fail_with(2, "run", "long.yaml", *arguments, ranks=2)
            self.assertRegex(text, r"output file \S+: another run writes it: process \d+ on host \S+")
        self.assertIn("gas.h5md: another run writes it", self.fail_with(2, "recover", "gas.h5md"))
        self.assertIn("process", pathlib.Path("gas.h5md.lock").read_text())
        self.stop(process)
        self.assertFalse(pathlib.Path("gas.h5md.lock").exists())

    def test_info_says_how_far_it_has_come(self):
        process = self.start_and_wait()
        host, here = re.escape(os.uname().nodename), r"\d+ of 10000000 steps"
        while "running: 0 of" in (text := self.succeed("info", "gas.h5md")):
            self.assertIsNone(process.poll())
        self.assertRegex(text, rf"\n  progress +running: {here}, by process \d+ on host {host}, since .+, ends about \S")
        self.stop(process)
        self.assertRegex(self.succeed("info", "gas.h5md"), rf"\n  progress +stopped after {here}; --continue goes on\n")
        remove_checkpoints()
        self.assertRegex(self.succeed("info", "gas.h5md"), rf"{here}; no checkpoint is there to go on from\n")
        self.succeed("run", "input.yaml", "--output", "whole.h5md")
        self.assertRegex(self.succeed("info", "whole.h5md"), r"\n  progress +ended after 20 of 20 steps\n")

    def test_info_waits_for_what_is_being_written(self):
        """Ranks that are stopped for a moment, most of them in a write: what a reader meets then is no damage."""
        process = self.start_and_wait()
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        ranks = [int(child) for child in children]
        self.assertEqual(len(ranks), 2)
        for attempt in range(25):
            for rank in ranks:
                os.kill(rank, signal.SIGSTOP)
            info = subprocess.Popen([EXE, "info", "gas.h5md"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(0.3)
            for rank in ranks:
                os.kill(rank, signal.SIGCONT)
            out, err = info.communicate(timeout=600)
            self.assertEqual((info.returncode, err), (0, ""), attempt)
            self.assertIn("running: ", out)
            time.sleep(0.01 * (attempt % 7))
        self.succeed("report", "gas.h5md", "-o", "page")
        self.stop(process)

    def test_of_many_at_the_same_instant_one_runs(self):
        processes = [self.start("input.yaml", "--force", "--steps", "400", ranks=1) for _ in range(6)]
        results = [(process.communicate(timeout=900), process.returncode) for process in processes]
        statuses = [status for _, status in results]
        self.assertLessEqual(set(statuses), {0, 2}, results)
        self.assertGreaterEqual(statuses.count(0), 1)
        for (_, err), status in results:
            self.assertTrue(status == 0 or "another run writes it" in err, err)
        self.succeed("run", "input.yaml", "--steps", "400", "--output", "whole.h5md")
        self.assert_same_results("whole.h5md", "gas.h5md")

    def test_killed_run_allows_continue_and_force(self):
        """A killed run stops neither continue nor force."""
        for last in ("--continue", "--force"):
            process = self.start_and_wait()
            for rank in ranks_of(process):
                os.kill(rank, signal.SIGKILL)
            process.communicate(timeout=600)
            self.assertTrue(pathlib.Path("gas.h5md.lock").exists())
            info = ricochet("info", "gas.h5md")  # refused where it was killed within a write
            if info.returncode == 0:
                self.assertRegex(info.stdout, r"\n  progress +killed after \d+ of 10000000 steps; no checkpoint is")
            self.succeed("run", "long.yaml", last, "--steps", "5", ranks=2)
            self.assertFalse(pathlib.Path("gas.h5md.lock").exists())
            for path in pathlib.Path().glob("gas.*"):
                path.unlink()

    def write_lock(self, age=0, job="", job_start="", host="far", renewed=None):
        self.write("gas.h5md.lock", "ricochet lock: a run writes the file that this one is named after\n"
                   f"host: {host}\nkernel: another\nprocess space: pid:[1]\nprocess: 77 123\njob: {job}\n"
                   f"job start: {job_start}\ntoken: 1234\nrenewed: {renewed or f'{time.time() - age:.3f}'}\n")

    def test_a_run_on_another_host(self):
        """It counts as alive for five minutes, and as dead once Slurm has started its job again."""
        self.write_lock(age=250)
        self.refuse_and_touch_nothing("input.yaml", "--continue",
                                      says=["process 77 on host far", "after 5 minutes without renewal"])
        self.write_lock(age=301)
        self.succeed("run", "input.yaml", "--continue")
        os.environ.update(SLURM_JOB_ID="55", SLURM_RESTART_COUNT="1")
        try:
            self.write_lock(1, "Slurm job 55", "1")
            self.assertIn("far, Slurm job 55", self.fail_with(2, "run", "input.yaml", "--continue"))
            self.write_lock(1, "Slurm job 55", "0")
            self.succeed("run", "input.yaml", "--continue")
        finally:
            del os.environ["SLURM_JOB_ID"], os.environ["SLURM_RESTART_COUNT"]

    def run_with_clock(self, **clock):
        """A run on a host whose clock is another."""
        process = subprocess.run([EXE, "run", "input.yaml", "--continue"], capture_output=True, text=True, timeout=600,
                                 env=os.environ | {"LD_PRELOAD": preloaded("other_clock.c")} | clock)
        return process.returncode, process.stderr

    def test_clocks_of_hosts_differ(self):
        """The file system's clock decides: in its time the other run has renewed its lock 10 s ago."""
        for shift in ("3600", "-3600"):
            self.write_lock(age=10)
            status, err = self.run_with_clock(CLOCK_SHIFT=shift)
            self.assertEqual(status, 2, err)
            self.assertRegex(err, r"process 77 on host far, which renewed its lock [1-9]\d s ago")
            self.write_lock(age=301)
            self.assertEqual(self.run_with_clock(CLOCK_SHIFT=shift), (0, ""))

    def test_lock_tells_the_time_of_the_file_system(self):
        os.environ.update(LD_PRELOAD=preloaded("other_clock.c"), CLOCK_SHIFT="3600")
        try:
            process = self.start("long.yaml", ranks=1)
        finally:
            del os.environ["LD_PRELOAD"], os.environ["CLOCK_SHIFT"]
        while size_of("gas.h5md") == 0:
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        renewed = float(pathlib.Path("gas.h5md.lock").read_text().partition("\nrenewed: ")[2])
        self.assertAlmostEqual(renewed, os.path.getmtime("gas.h5md.lock"), delta=60)
        self.stop(process)

    def test_this_host_was_started_again(self):
        """The lock is of the time before the start of this host, and nothing locks it."""
        host = os.uname().nodename
        self.write_lock(age=60, host=host)
        self.assertEqual(self.run_with_clock(CLOCK_UPTIME="90")[0], 2)
        self.assertEqual(self.run_with_clock(CLOCK_UPTIME="50")[0], 0)

    def test_time_of_renewal_that_is_no_time(self):
        """The lock is as old as its file."""
        for renewed in ("nan", "inf", f"{time.time() + 1e6}"):
            self.write_lock(renewed=renewed)
            self.assertIn("process 77", self.fail_with(2, "run", "input.yaml", "--continue"))
            os.utime("gas.h5md.lock", (time.time(), time.time() - 301))
            self.succeed("run", "input.yaml", "--continue")

    def test_lock_that_a_user_has_removed(self):
        process = self.start_and_wait()
        os.remove("gas.h5md.lock")
        with h5py.File("gas.h5md") as file:  # readers are not kept out
            self.assertIn("particles", file)
        for arguments in (["--continue"], ["--force"]):
            text = self.fail_with(2, "run", "long.yaml", *arguments, ranks=2)
            self.assertIn("gas.h5md: another run writes it, under another name or with its lock gas.h5md.lock removed",
                          text)
        self.stop(process)

    def test_file_system_without_locks(self):
        """The text of the side file keeps others out; MPI-IO writes without locks."""
        self.succeed("run", "input.yaml", "--output", "whole.h5md")
        os.environ["LD_PRELOAD"] = preloaded("no_file_locks.c")
        try:
            self.write_lock(age=10)
            self.assertIn("process 77", self.fail_with(2, "run", "input.yaml"))
            os.remove("gas.h5md.lock")
            self.succeed("run", "input.yaml", "--steps", "10", ranks=2)
            self.succeed("run", "input.yaml", "--continue", ranks=3)
        finally:
            del os.environ["LD_PRELOAD"]
        self.assert_verified("gas.h5md")
        self.assert_same_results("whole.h5md", "gas.h5md")

    def test_a_file_that_only_has_the_name_of_a_lock(self):
        self.write("gas.h5md.lock", "precious")
        self.refuse_and_touch_nothing("input.yaml", "--force", says=["gas.h5md.lock is no lock of this program"])

    def expect_end(self, process):
        out, err = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 1, out + err)
        self.assertEqual(err.count("gas.h5md: was removed or replaced by another file while the run wrote it"), 1, err)

    def test_another_file_moved_over_the_output(self):
        process = self.start_and_wait()
        self.write("foreign", "precious" * 10)
        os.replace("foreign", "gas.h5md")
        self.expect_end(process)
        self.assertEqual(pathlib.Path("gas.h5md").read_text(), "precious" * 10)

    def wait_between_outputs(self, process):
        """Until every rank has computed for half a second of its own since the file last changed."""
        changed, began = None, {}
        deadline = time.monotonic() + 600
        while time.monotonic() < deadline:
            self.assertIsNone(process.poll())
            used = {rank: seconds_of(rank) for rank in ranks_of(process)}
            if changed != (last := pathlib.Path("gas.h5md").stat().st_mtime_ns):
                changed, began = last, used
            if all(used[rank] - began[rank] > 0.5 for rank in used):
                return
            time.sleep(0.02)

    def test_another_file_copied_into_the_output(self):
        """Between two outputs: what is being written at that moment goes into the file."""
        rare = pathlib.Path("long.yaml").read_text().replace("trajectory_every: 1", "trajectory_every: 20000")
        self.write("long.yaml", rare.replace("observables_every: 2", "observables_every: 20000")
                   .replace("collisions: all", "collisions: none"))
        process = self.start_and_wait(least_bytes=100_000)
        self.wait_between_outputs(process)
        for rank in ranks_of(process):
            os.kill(rank, signal.SIGSTOP)
        foreign = b"precious" * 2_000_000
        pathlib.Path("gas.h5md").write_bytes(foreign)
        for rank in ranks_of(process):
            os.kill(rank, signal.SIGCONT)
        self.expect_end(process)
        self.assertEqual(pathlib.Path("gas.h5md").read_bytes(), foreign)

    def test_an_output_that_is_removed(self):
        process = self.start_and_wait()
        os.remove("gas.h5md")
        self.expect_end(process)
        self.assertFalse(pathlib.Path("gas.h5md").exists())


def preloaded(source):
    """The path of a library made from a source in support/, in this folder."""
    library = os.path.abspath(source.replace(".c", ".so"))
    if not os.path.exists(library):
        subprocess.run([os.environ.get("RICOCHET_C_COMPILER", "cc"), "-shared", "-fPIC", "-o", library,
                        pathlib.Path(__file__).parent / "support" / source, "-ldl"], check=True)
    return library


def size_of(path):
    return os.path.getsize(path) if os.path.exists(path) else 0


def remove_checkpoints():
    for path in pathlib.Path().glob("*.checkpoint-*"):
        path.unlink()


def leave_killed_run(*options):
    """A result and no checkpoint, of a run that would take hours."""
    process = subprocess.Popen([EXE, "run", "input.yaml", "--steps", "10000000", *options],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 600
    while size_of("gas.h5md") < 2_000_000 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    if process.wait() != -signal.SIGKILL:
        raise AssertionError(f"the run ended with status {process.returncode}")


def with_journal_put_back(path):
    """The content of a result after its journal, whose layout src/files/undo_journal.hpp gives, is put back."""
    content, journal = bytearray(pathlib.Path(path).read_bytes()), pathlib.Path(path + ".undo").read_bytes()
    if len(journal) < 64:  # it was about to begin anew: what lies behind the content was reserved
        return bytes(content[:end_of_content(content)])
    mark, end, serial = struct.unpack_from("<8sQQ", journal)
    assert mark == b"RICOUND1"
    place, records = 64, []
    while place + 32 <= len(journal):
        offset, length, of_serial, _ = struct.unpack_from("<QQQQ", journal, place)
        if of_serial != serial:
            break
        records.append((offset, journal[place + 32:place + 32 + length]))
        place += 32 + length
    for offset, old in reversed(records):
        content[offset:offset + len(old)] = old
    return bytes(content[:end].ljust(end, b"\0"))


def end_of_content(content):
    """As HDF5's superblock says; its first versions have it in another place."""
    return struct.unpack_from("<Q", content, 28 if content[8] >= 2 else 40)[0]


def run_id(path):
    with h5py.File(path) as file:
        return file["ricochet/identity"].attrs["run_id"]


if __name__ == "__main__":
    unittest.main()
