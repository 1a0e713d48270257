# SPDX-License-Identifier: BSD-3-Clause
"""A run of the program itself, as a user starts it, with observables every 10 steps and nothing logged: the
share of its time that goes into sampling and output, from the report at its end."""
import pathlib
import re
import subprocess
import tempfile

INPUT = """\
title: Whole run
box: {{size: [{length}, {length}, {length}], boundary: [periodic, periodic, periodic]}}
species:
  - {{name: sphere, radius: 0.5, mass: 1, count: {particles}}}
placement: {{method: random}}
dynamics: {{type: {type}, kT: 1}}
run: {{timestep: {timestep}, steps: {steps}, seed: 1, equilibrate: {{collisions_per_particle: 1}}}}
output: {{file: whole.h5md, trajectory_every: 0, observables_every: 10, collisions: none}}
"""
PI = 3.141592653589793


def case(particles, steps, fraction=0.3):
    return {"name": f"whole-elastic-3d-{fraction}-{particles}", "particles": particles, "steps": steps,
            "length": (particles * PI / 6 / fraction)**(1 / 3), "timestep": 0.1, "type": "ballistic"}


def cases(mode):
    return [case(20_000, 20)] if mode == "quick" else [case(1_000_000, 20)]


def seconds(report):
    """Per phase, of the slowest rank, from the table in the program's report."""
    rows = re.findall(r"^  (\w+) +([\d.]+) +([\d.]+) +([\d.]+)$", report, re.M)
    return {name: float(most) for name, _, _, most in rows}


def run(build, one, repetition):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "whole.yaml").write_text(INPUT.format(**one))
        done = subprocess.run([str(build.resolve() / "ricochet"), "run", "whole.yaml"], cwd=folder,
                              capture_output=True, text=True, check=False)
    phases = seconds(done.stdout)
    if done.returncode != 0 or "all" not in phases:
        raise RuntimeError(f"{one['name']}\nstatus {done.returncode}\n{done.stdout}{done.stderr}")
    return {"name": one["name"], "repetition": repetition, "seconds": phases,
            "share": (phases["observables"] + phases["output"]) / phases["all"]}
