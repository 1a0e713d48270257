#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A run whose processes are all killed at some moment leaves a file with all complete frames, and they are
those of a run that ends by itself."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

from support.program import EXE, INPUTS, ricochet

DATASETS = ["position/value", "velocity/value", "image/value", "id/value", "species/value", "position/step",
            "position/time"]


def arguments(output, num_steps):
    return ["run", str(INPUTS / "sphere_gas.yaml"), "--output", str(output), "--steps", str(num_steps),
            "--set", "output.trajectory_every=1", "--set", "output.flush_every_seconds=0"]


def num_complete_frames(path):
    """0 while the file is not there or just being changed."""
    try:
        with h5py.File(path, "r") as file:
            return int(file["ricochet/complete"][0]["frames"])
    except (OSError, KeyError, RuntimeError):
        return 0


def parent_of(process):
    """The parent's id; None when the process has ended."""
    try:
        text = pathlib.Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return None
    return int(text.rpartition(")")[2].split()[1])


def descendants(process):
    """Ids of all processes that this one has started, directly or not."""
    parents = {int(entry.name): parent_of(entry.name) for entry in pathlib.Path("/proc").iterdir()
               if entry.name.isdigit()}
    children = [child for child, parent in parents.items() if parent == process]
    return children + [below for child in children for below in descendants(child)]


def run_and_kill(path, least_frames):
    """Starts a run that would take hours, and kills it when it has written some frames."""
    command = ["mpiexec", "--timeout", "2000", "-n", "2", EXE, *arguments(path, 10**8)]
    launcher = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 1000
    while num_complete_frames(path) < least_frames:
        if launcher.poll() is not None or time.monotonic() > deadline:
            launcher.kill()
            sys.exit(f"the run did not write {least_frames} frames")
        time.sleep(0.05)
    for process in descendants(launcher.pid) + [launcher.pid]:
        os.kill(process, signal.SIGKILL)
    launcher.wait()


def run_and_kill_between_writes(path, least_frames):
    """Again, where the kill fell into a write: the program says so, and kill_states.py tests what comes of it."""
    for _ in range(30):
        run_and_kill(path, least_frames)
        info = ricochet("info", path)
        if info.returncode != 2:
            return
        assert "its run ended while it wrote this file" in info.stderr, info
        for left in path.parent.glob(path.name + "*"):
            left.unlink()
    sys.exit("all of 30 kills fell into a write")


def main():
    with tempfile.TemporaryDirectory() as folder:
        killed, finished = pathlib.Path(folder) / "killed.h5md", pathlib.Path(folder) / "finished.h5md"
        run_and_kill_between_writes(killed, 4)
        num_frames = num_complete_frames(killed)
        assert num_frames >= 4, num_frames
        info = ricochet("info", killed)
        assert info.returncode == 0 and f"{num_frames} complete" in info.stdout, info
        verified = ricochet("verify", killed)
        assert verified.returncode == 0, verified
        complete = ricochet(*arguments(finished, num_frames - 1), ranks=2, timeout=1500)
        assert complete.returncode == 0, complete
        with h5py.File(killed, "r") as a, h5py.File(finished, "r") as b:
            assert num_frames == num_complete_frames(finished)
            for name in DATASETS:
                in_a = a["particles/trajectory"][name][:num_frames]
                in_b = b["particles/trajectory"][name][:num_frames]
                assert np.array_equal(in_a.view("u1"), in_b.view("u1")), name
        print(f"all {num_frames} complete frames of the killed run are right")


if __name__ == "__main__":
    main()
