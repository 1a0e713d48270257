# SPDX-License-Identifier: BSD-3-Clause
"""LAMMPS beside ricochet: the same physics as far as it goes, converted to the same units.

Pseudo-hard spheres (peers/pseudo_hard_spheres.in) have no collisions to count. In the time that LAMMPS
integrates, hard spheres of the same fraction and temperature collide at Enskog's rate, so
    pair collisions per second = atom-steps per second x timestep x nu sqrt(kT) / 2.
The timestep, 0.002 sigma sqrt(m/epsilon), is generous: at fractions of 0.3 and 0.49 the pressure is then that
of hard spheres within 0.6 % and the energy drifts by less than 1e-4 of itself per unit of time; half of it,
as careful users would take, halves the figures. Not accounted for is that its contacts are soft and that its
bits depend on the number of ranks.

Langevin particles (peers/langevin.in) take several steps for the diffusion of one Brownian step of root mean
square 0.1 diameters:
    steps = 0.1^2 / (6 D timestep), D = kT damp / m.
"""
import math
import pathlib
import re
import shutil
import subprocess

FOLDER = pathlib.Path(__file__).resolve().parent / "peers"
TIMESTEP = 0.002
KT = 1.5
RMS_STEP = 0.1
DAMP = RMS_STEP / math.sqrt(3 * KT)  # straight over as far as a Brownian step moves along each axis
LANGEVIN_STEPS = RMS_STEP**2 / (6 * KT * DAMP * TIMESTEP)
SKIN = 0.5

PROGRAM = shutil.which("lmp") or shutil.which("lammps")


def compressibility(phi):
    """Of hard spheres (Boublik & Kolafa)."""
    return (1 + phi + phi**2 - 2 / 3 * phi**3 * (1 + phi)) / (1 - phi)**3


def collision_rate(phi):
    """Of one hard sphere of unit diameter and mass at kT = 1."""
    return 6 / math.sqrt(math.pi) * (compressibility(phi) - 1)


def case(script, fraction, edge, melt, steps):
    return {"name": f"lammps-{script}-{fraction}-{edge**3}", "script": script, "fraction": fraction,
            "edge": edge, "melt": melt, "steps": steps}


def cases(mode):
    if PROGRAM is None:
        return []
    if mode == "quick":
        return [case("pseudo_hard_spheres", 0.3, 16, 1000, 500), case("langevin", 0.1, 16, 1000, 200)]
    return [case("pseudo_hard_spheres", fraction, 46, 1000, 400) for fraction in (0.01, 0.1, 0.3, 0.49)] + \
           [case("langevin", fraction, 46, 1000, 200) for fraction in (0.01, 0.1, 0.3)]


def version():
    if PROGRAM is None:
        return None
    text = subprocess.run([PROGRAM, "-help"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"Simulator - (.*)", text)
    return found.group(1).strip() if found else "unknown version"


def run(one, ranks, repetition):
    variables = {"phi": one["fraction"], "edge": one["edge"], "timestep": TIMESTEP, "skin": SKIN,
                 "melt": one["melt"], "steps": one["steps"], "seed": 100 + repetition, "damp": DAMP}
    command = ["mpirun", "-n", str(ranks)] if ranks > 1 else []
    command += [PROGRAM, "-log", "none", "-in", str(FOLDER / f"{one['script']}.in")]
    for name, value in variables.items():
        command += ["-var", name, str(value)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    loops = re.findall(r"Loop time of (\S+) on \d+ procs for (\d+) steps with (\d+) atoms", done.stdout)
    shares = re.findall(r"(\S+)% CPU use", done.stdout)
    result = re.search(r"RESULT density \S+ kT (\S+) z (\S+)", done.stdout)
    if done.returncode != 0 or len(loops) < 2 or result is None:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    seconds, steps, atoms = float(loops[-1][0]), int(loops[-1][1]), int(loops[-1][2])
    share = float(shares[-1]) / 100 if shares else 1.0
    return convert(one, ranks, {"particles": atoms, "steps": steps, "wall_seconds": seconds,
                                "cpu_seconds": seconds * share * ranks, "kT": float(result.group(1)),
                                "z_ratio": float(result.group(2)) / compressibility(one["fraction"])})


def convert(one, ranks, raw):
    work = raw["particles"] * raw["steps"]
    if one["script"] == "langevin":
        raw["work"] = work / LANGEVIN_STEPS  # Brownian particle-steps
    else:
        raw["work"] = work * TIMESTEP * collision_rate(one["fraction"]) * math.sqrt(raw["kT"]) / 2
    return raw | {"name": one["name"], "script": one["script"], "fraction": one["fraction"], "ranks": ranks}
