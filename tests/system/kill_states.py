# SPDX-License-Identifier: BSD-3-Clause
"""Every state of the files that a kill can leave, also inside a flush of HDF5: each goes on to the bits of a run that
was left alone, and none is called verified that is not.

support/record_writes.c, preloaded, records all changes of the result, its journal and its checkpoints. From the record
each state is rebuilt: after each call, and after half of each write. Equal states are dropped. So one run gives all
kills of that run. A continuation is recorded in the same way, beginning from such a state: two kills in a row.

Halves of a write that is shorter than RECORD_BYTES and lies within one page are left out: the kernel looks for a kill
between pages only, and records of counters and checksums count on that.

By default some states of each class are taken, evenly; RICOCHET_LONG asks for all of them, RICOCHET_STATES sets how
many per record.
"""
import dataclasses
import os
import pathlib
import random
import shutil
import signal
import subprocess
import unittest

import h5py
import numpy as np

from reactions import REVERSIBLE, STICKING_BROWNIAN
from support.program import EXE, GAS, ProgramTest, ricochet

IS_LONG = bool(os.environ.get("RICOCHET_LONG"))
STATES_PER_RECORD = int(os.environ.get("RICOCHET_STATES", "100000" if IS_LONG else "6"))
SOURCE = pathlib.Path(__file__).parent / "support/record_writes.c"
RECORD_BYTES, COUNTER_BYTES, PAGE_BYTES = 96, 32, 4096
FAST_START = {"OMPI_MCA_pml": "ob1", "OMPI_MCA_ess_singleton_isolated": "1"}

PLAIN = GAS.replace("trajectory_every: 5, observables_every: 2",
                    "trajectory_every: 2, observables_every: 2, flush_every_seconds: 0, checkpoint: {every_steps: 6}")
BIRTHS = REVERSIBLE.replace("out.h5md", "gas.h5md").replace(
    "trajectory_every: 10, observables_every: 5",
    "trajectory_every: 4, observables_every: 5, flush_every_seconds: 0, checkpoint: {every_steps: 13}")
MANY_FRAMES = PLAIN.replace("timestep: 0.1, steps: 20", "timestep: 0.02, steps: 150").replace(
    "trajectory_every: 2, observables_every: 2", "trajectory_every: 1, observables_every: 1").replace(
        "every_steps: 6", "every_steps: 65")
GZIP = ("collisions: all", "collisions: all, compression: gzip")
CLASSES = {
    "plain": PLAIN,
    "gzip": PLAIN.replace(*GZIP),
    "births": BIRTHS.replace("collisions: all", "collisions: all, compression: none"),
    "packed_births": BIRTHS.replace(*GZIP),
    "tethers": STICKING_BROWNIAN.replace("out.h5md", "gas.h5md").replace(
        "observables_every", "flush_every_seconds: 0, observables_every"),
    "waiting_frames": PLAIN.replace("flush_every_seconds: 0", "flush_every_seconds: 1e6"),  # until a checkpoint
    "many_frames": MANY_FRAMES.replace(*GZIP),  # a chunk each, more than a node of the index has room for
    "long_log": PLAIN.replace("steps: 20", "steps: 600").replace("every: 2", "every: 60").replace(
        "every_steps: 6", "every_steps: 250"),  # 40,000 rows
}


@dataclasses.dataclass
class Call:
    """A call that changes a file. Of a renaming, `new_name` is the file's later name."""
    kind: str
    name: str
    offset: int = 0
    data: bytes = b""
    new_name: str = ""

    def has_half(self):
        within_page = self.offset // PAGE_BYTES == (self.offset + len(self.data) - 1) // PAGE_BYTES
        is_whole = within_page and len(self.data) < RECORD_BYTES and len(self.data) != COUNTER_BYTES
        return self.kind == "write" and len(self.data) > 1 and not is_whole

    def half(self):
        return dataclasses.replace(self, data=self.data[:len(self.data) // 2])


def read_record(path):
    calls = []
    with open(path, "rb") as file:
        while line := file.readline():
            kind, name, place, length = line.decode().rstrip("\n").split("\t")
            name = os.path.basename(name)
            if kind == "write":
                calls.append(Call(kind, name, int(place), file.read(int(length))))
            elif kind == "rename":
                calls.append(Call(kind, name, new_name=os.path.basename(place)))
            else:
                calls.append(Call(kind, name, int(place)))
    return calls


class Files:
    """The contents of a folder, by name."""

    def __init__(self, contents=None):
        self.contents = dict(contents or {})

    @classmethod
    def of(cls, folder):
        return cls({path.name: bytearray(path.read_bytes()) for path in pathlib.Path(folder).glob("gas.h5md*")
                    if not path.name.endswith(".lock")})

    def apply(self, call):
        """Whether it has changed what counts: the result, its journal, finished checkpoints."""
        is_temporary = call.name.endswith(".tmp") or ".new-" in call.name
        if call.kind == "rename":
            self.contents[call.new_name] = self.contents.pop(call.name)
            return True
        if call.kind == "remove":
            return self.contents.pop(call.name, None) is not None and not is_temporary
        content = self.contents.setdefault(call.name, bytearray())
        return self.change(content, call) and not is_temporary

    @staticmethod
    def change(content, call):
        end = call.offset + len(call.data)
        length = len(content)
        if call.kind == "truncate":
            del content[call.offset:]
        content.extend(bytes(max(0, end - len(content))))
        is_new = len(content) != length or content[call.offset:end] != call.data
        if call.kind == "write":
            content[call.offset:end] = call.data
        return is_new

    def save(self, folder):
        os.makedirs(folder, exist_ok=True)
        for path in pathlib.Path(folder).glob("gas.*"):
            path.unlink()
        for name, content in self.contents.items():
            used = content.rstrip(b"\0")
            with open(os.path.join(folder, name), "wb") as file:
                file.write(used)
                file.truncate(len(content))

    def copy(self):
        return Files({name: bytearray(content) for name, content in self.contents.items()})


def states(files, calls):
    """Yields (description, files) after each call and after half of each write; the files change afterwards."""
    files = files.copy()
    for number, call in enumerate(calls, 1):
        if call.has_half():
            whole = files.contents.get(call.name)
            before = None if whole is None else bytes(whole[call.offset:call.offset + len(call.data)])
            length = 0 if whole is None else len(whole)
            if files.apply(call.half()):
                yield f"{number}, half of {call.kind} {call.name} at {call.offset}", files
            content = files.contents[call.name]
            del content[max(length, 0) if whole is not None else 0:]
            if before:
                content[call.offset:call.offset + len(before)] = before
        if files.apply(call):
            yield f"{number}, {call.kind} {call.name} at {call.offset}", files


def some_of(num_all, num_wanted):
    """Numbers of states: evenly, the last ones, which close the file, among them."""
    if num_all <= num_wanted:
        return set(range(num_all))
    return {round((k + 0.5) * (num_all - 1) / num_wanted) for k in range(num_wanted)} | {num_all - 1}


def rows_that_count(file):
    """The datasets of frames, contacts and samples with the number of rows that are announced."""
    complete = file["ricochet/complete"][0]
    for element in file["particles/trajectory"].values():
        if "value" in element and isinstance(element["value"], h5py.Dataset):
            yield element["value"], int(complete["frames"])
    yield file["ricochet/collisions"], int(complete["collisions"])
    for observable in file["ricochet/observables"].values():
        yield observable["value"], int(complete["samples"])


class KillStates(ProgramTest):
    num_states = 0
    num_verified = 0

    def setUp(self):
        super().setUp()
        for name, value in FAST_START.items():
            self.addCleanup(os.environ.pop, name, None)
            os.environ[name] = value
        self.library = os.path.abspath("record_writes.so")
        subprocess.run([os.environ.get("RICOCHET_C_COMPILER", "cc"), "-shared", "-fPIC", "-O1", "-o", self.library,
                        SOURCE, "-ldl"], check=True)

    def record(self, folder, *options, ranks=1, status=0, **variables):
        """Runs the input there, and returns what it did."""
        record = os.path.abspath("record")
        pathlib.Path(record).unlink(missing_ok=True)
        variables = {"LD_PRELOAD": self.library, "RECORD_FILE": "gas.h5md", "RECORD_LOG": record} | variables
        launcher = ["mpiexec", "--timeout", "1000", "-n", str(ranks)] if ranks > 1 else []
        if launcher:
            for name, value in variables.items():
                launcher += ["-x", f"{name}={value}"]
        process = subprocess.run([*launcher, EXE, "run", "../input.yaml", *options], cwd=folder, capture_output=True,
                                 text=True, env=os.environ | ({} if launcher else variables))
        self.assertEqual(process.returncode, status, process.stdout + process.stderr)
        return read_record(record)

    def expect_right_rows(self, state):
        """What is announced is what the whole run has: the continuation may overwrite it."""
        with h5py.File(f"{state}/gas.h5md") as found, h5py.File("whole/gas.h5md") as whole:
            for dataset, num_rows in rows_that_count(found):
                rows, expected = dataset[:num_rows], whole[dataset.name][:num_rows]
                if rows.ndim > 1:  # births have added columns
                    expected = expected[:, :rows.shape[1]]
                same = np.array_equal(rows.view("u1"), np.ascontiguousarray(expected).view("u1"))
                self.assertTrue(same, dataset.name)

    def expect_recovered(self, what, files):
        """Without its input a result can be had back too, once it has come to its first checkpoint."""
        files.save("recovered")
        process = ricochet("recover", "recovered/gas.h5md")
        self.assertEqual(process.returncode, 0, f"{what}: {process.stdout}\n{process.stderr}")
        if any(".checkpoint-" in name and name[-1].isdigit() for name in files.contents):
            self.assert_verified("recovered/gas.h5md")
            self.expect_right_rows("recovered")

    def expect_right_end(self, what, files, ranks=1):
        KillStates.num_states += 1
        files.save("state")
        if "gas.h5md" in files.contents:
            if ricochet("verify", "state/gas.h5md").returncode == 0:
                KillStates.num_verified += 1
                self.expect_right_rows("state")
            else:
                self.expect_recovered(what, files)
        process = ricochet("run", "input.yaml", "--continue", "--output", "state/gas.h5md", ranks=ranks)
        self.assertEqual(process.returncode, 0, f"{what}: {process.stdout}\n{process.stderr}")
        self.assert_same_results("whole/gas.h5md", "state/gas.h5md")
        self.assert_verified("state/gas.h5md")
        self.assertFalse(os.path.exists("state/gas.h5md.undo"), what)

    def expect_right_ends(self, name, files, calls, ranks=1):
        chosen = some_of(sum(1 for _ in states(files, calls)), STATES_PER_RECORD)
        for number, (what, state) in enumerate(states(files, calls)):
            if number in chosen:
                with self.subTest(f"{name}: {what}"):
                    self.expect_right_end(f"{name}: {what}", state, ranks)

    def begin(self, text, ranks=1):
        self.write("input.yaml", text)
        os.makedirs("whole")
        return self.record("whole", ranks=ranks)

    def state_before_the_end(self, calls, part):
        """A state with a checkpoint, somewhere in this part of a record."""
        found = [number for number, (_, files) in enumerate(states(Files(), calls))
                 if any(".checkpoint-" in name and name[-1].isdigit() for name in files.contents)]
        wanted = found[int(part * (len(found) - 1))]
        return next(files.copy() for number, (_, files) in enumerate(states(Files(), calls)) if number == wanted)

    def check(self, name, ranks=1, parts=(0.6,)):
        calls = self.begin(CLASSES[name], ranks)
        self.assertTrue(any(call.name == "gas.h5md.undo" for call in calls))
        self.expect_right_ends(name, Files(), calls)
        for part in parts:
            files = self.state_before_the_end(calls, part)
            files.save("again")
            self.expect_right_ends(f"{name}, continued", files, self.record("again", "--continue", ranks=ranks))
        self.expect_real_kill(name, calls)
        print(f"{name}, {ranks} ranks: {KillStates.num_states} states so far, {KillStates.num_verified} of them "
              "verified as they were", flush=True)

    def expect_real_kill(self, name, calls):
        """In the middle of a write of metadata, late in the run; of one rank."""
        writes = [call for call in calls if call.kind == "write"]
        chance = random.Random(1)
        place = chance.randrange(len(writes) // 2, len(writes))
        os.makedirs("killed", exist_ok=True)
        self.record("killed", status=-signal.SIGKILL, RECORD_KILL=str(place))
        self.expect_right_end(f"{name}: killed in write {place}", Files.of("killed"))

    def kill_in_a_flush(self):
        calls = self.begin(PLAIN)
        found = [files.copy() for what, files in states(Files(), calls)
                 if "half of write gas.h5md at" in what and len(files.contents.get("gas.h5md.undo", b"")) > 1000]
        found[len(found) // 2].save(".")

    def test_journal_is_named_by_readers(self):
        self.kill_in_a_flush()
        before = Files.of(".").contents
        for command in (["info", "gas.h5md"], ["info", "--verify", "gas.h5md"], ["compare", "gas.h5md", "gas.h5md"],
                        ["export", "gas.h5md", "--format", "xyz", "-o", "a.xyz"], ["report", "gas.h5md", "-o", "page"]):
            self.assertRegex(self.fail_with(2, *command), "gas.h5md: its run ended while it wrote .* --continue, which first")
        self.assertEqual(Files.of(".").contents, before)
        self.assertRegex(self.succeed("recover", "gas.h5md"), r"\d+ blocks were put back from gas.h5md.undo")
        self.assertEqual(self.succeed("recover", "gas.h5md"), "gas.h5md: nothing is to be put back\n")
        self.assert_verified("gas.h5md")

    def test_journal_of_another_run_is_left_alone(self):
        self.kill_in_a_flush()
        journal = pathlib.Path("gas.h5md.undo").read_bytes()
        os.rename("gas.h5md", "moved.h5md")
        for option in ([], ["--continue"]):
            for path in pathlib.Path().glob("gas.h5md.checkpoint-*"):
                path.unlink()
            self.assertRegex(self.fail_with(2, "run", "input.yaml", *option), "gas.h5md.undo is the journal of run")
            self.assertIn("gas.h5md: is not there", self.fail_with(2, "recover", "gas.h5md"))
            shutil.copy("input.yaml", "gas.h5md")
            self.assertIn("gas.h5md.undo is the journal of run", self.fail_with(2, "recover", "gas.h5md"))
            os.remove("gas.h5md")
            self.assertEqual(pathlib.Path("gas.h5md.undo").read_bytes(), journal)
        self.succeed("run", "input.yaml", "--force")
        self.assertFalse(os.path.exists("gas.h5md.undo"))
        self.assert_same_results("whole/gas.h5md", "gas.h5md")


def add_tests():
    for name in CLASSES:
        setattr(KillStates, f"test_{name}", lambda self, name=name: self.check(name))
        if IS_LONG:
            setattr(KillStates, f"test_{name}_on_3_ranks", lambda self, name=name: self.check(name, ranks=3))


add_tests()

if __name__ == "__main__":
    unittest.main()
