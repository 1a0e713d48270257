#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Markdown from the results of run.sh.

usage: table.py [--into FILE.md] results.json...

Prints it; several results are parts of one measurement. With --into, puts what a reader wants to know,
without the details, in place of what stands between the marks <!-- bench --> and <!-- end of bench --> of
that file.
"""
import json
import pathlib
import sys

import peers
import summary

PHASES = ("drive", "migration", "halo", "binning", "search", "events", "exchange", "rollback",
          "finish", "sorting")  # as in core/phase_clock.hpp
NEW_NAMES = {"cells": "binning", "primaries": "search", "islands": "events", "repair": "rollback",
             "sort": "sorting"}  # of phases, in results before these
CALM = 0.9  # of a core, from which a machine counts as undisturbed
LARGE = 100_000  # particles from which memory is not that of the process itself


def renamed(values):
    """The same by phase, with the names of today."""
    return {NEW_NAMES.get(name, name): value for name, value in values.items()}


def markdown_table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def number(value, digits=3):
    """With so many significant digits, without an exponent."""
    if value is None:
        return ""
    if value == 0:
        return "0"
    text = f"{value:.{digits}g}"
    return text if "e" not in text else f"{float(text):,.0f}"


def million_per_second(ns):
    return number(1e3 / ns)


def select(results, dynamics, dimension):
    return [c for c in results["summary"]["cases"]
            if (c["dynamics"], c["dimension"], c["ratio"]) == (dynamics, dimension, 1)]


def figure(case, as_text):
    one = case["ranks"].get("1")
    if one is None:
        return ""
    ratio = case["speed_up"]
    return as_text(one["cpu_ns"]) + (f" (x{ratio:.2f})" if ratio else "")


def instructions_text(cases):
    counted = [c["instructions"] for c in cases if c["instructions"]]
    return number(counted[0]["per_work"], 3) if counted else ""


def peer_text(results, dimension, script, fraction, as_text):
    found = [p for p in results["summary"]["peers"] if (p["script"], p["fraction"]) == (script, fraction)]
    if dimension != 3 or not found or found[0]["cpu_ns"] is None:
        return ""
    ratio = found[0]["speed_up"]
    return as_text(found[0]["cpu_ns"]) + (f" (x{ratio:.2f})" if ratio else "")


def grid_table(results, dynamics, dimension):
    """Fractions down, sizes across, instructions and the peer at the end; "" without cases."""
    cases = select(results, dynamics, dimension)
    if not cases:
        return ""
    is_elastic = dynamics == "elastic"
    as_text = million_per_second if is_elastic else number
    script = "pseudo_hard_spheres" if is_elastic else "langevin"
    sizes = sorted({c["particles"] for c in cases})
    fractions = sorted({c["fraction"] for c in cases})
    head = ["φ" if dimension == 3 else "η", *(f"N = {n:,}" for n in sizes)]
    has_counts = any(c["instructions"] for c in cases)
    if has_counts:
        head.append("instructions each")
    has_peer = any(peer_text(results, dimension, script, f, as_text) for f in fractions)
    if has_peer:
        head.append("LAMMPS" + (" pseudo-hard spheres" if is_elastic else " Langevin"))
    rows = []
    for fraction in fractions:
        own = {c["particles"]: c for c in cases if c["fraction"] == fraction}
        row = [str(fraction), *(figure(own[n], as_text) if n in own else "" for n in sizes)]
        if has_counts:
            row.append(instructions_text(list(own.values())))
        if has_peer:
            row.append(peer_text(results, dimension, script, fraction, as_text))
        rows.append(row)
    bodies = "spheres" if dimension == 3 else "discs"
    title = f"Elastic {bodies}: million pair collisions per second" if is_elastic else \
        f"Brownian {bodies}, rms step 0.1 diameters: nanoseconds per particle and step"
    return f"**{title}**\n\n{markdown_table(head, rows)}\n"


def mixture_table(results):
    cases = [c for c in results["summary"]["cases"] if c["ratio"] != 1]
    if not cases:
        return ""
    rows = []
    for c in cases:
        is_elastic = c["dynamics"] == "elastic"
        value = figure(c, million_per_second if is_elastic else number)
        unit = "million pair collisions/s" if is_elastic else "ns per particle and step"
        kind = f"{c['dynamics']}, 1:{c['ratio']:g}, {100 * c['large_share']:g} % large, φ {c['fraction']}"
        rows.append([kind, f"{c['particles']:,}", f"{value} {unit}"])
    return "**Mixtures**\n\n" + markdown_table(["case", "N", "speed"], rows) + "\n"


def turns_table(results):
    """What two ranks gain, where they and one took turns; "" where they did not."""
    rows = []
    for turns in results["turns"]:
        low, median, high = turns["speed_up"]
        together = renamed(turns["together"])
        rows.append([turns["dynamics"], str(turns["fraction"]), f"{turns['particles']:,}",
                     f"{median:.2f} ({low:.2f} to {high:.2f})", f"{turns['speed_up_in_step'][1]:.2f}",
                     f"{turns['speed_up_apart'][1]:.2f}",
                     number(turns["alone"]["wall"]), number(together["wall"]),
                     f"{100 * (together['halo'] + together['rollback']) / together['wall']:.1f} %",
                     *(f"{100 * of['exchange'] / of['wall']:.1f} %" for of in (together, turns["in_step"]))])
    if not rows:
        return ""
    head = ["", "φ", "N", "speed-up on 2 ranks (quartiles)", "of two systems of N / 2 in step",
            "not in step", "ms on 1 rank", "ms on 2 ranks", "halo and rollback", "exchange and waiting",
            "waiting of the two systems in step"]
    return ("**One rank and two in turns**: a few steps on one rank alone, as many on two, as many of two "
            "systems of half as many particles that have nothing to tell each other, waiting for each other "
            "after every step or not, and again; medians of the ratios within "
            f"{results['turns'][0]['turns']} turns, milliseconds per step.\n\n" +
            markdown_table(head, rows) + "\n")


def memory_text(results):
    large = [c for c in results["summary"]["cases"] if c["particles"] >= LARGE and "1" in c["ranks"]]
    if not large:
        return ""
    most = max(c["particles"] for c in large)
    values = {d: [c["ranks"]["1"]["bytes_per_particle"] for c in large
                  if c["dynamics"] == d and c["particles"] == most] for d in ("elastic", "brownian")}
    parts = [f"{d} {min(v):.0f} to {max(v):.0f}" for d, v in values.items() if v]
    return f"Peak memory at N = {most:,}, without logs, bytes per particle: {'; '.join(parts)}.\n"


def whole_text(results):
    return "".join(f"Whole run {w['name'].removeprefix('whole-')}, observables every 10 steps, nothing "
                   f"logged: {100 * w['share']:.1f} % of the time is sampling and output.\n"
                   for w in results["summary"]["whole"])


def machine_text(results):
    m = results["summary"]["machine"]
    copy = {ranks: m[f"copy_gigabytes_per_second_{ranks}"] for ranks in (1, 2)}
    share = results["summary"]["cpu_share"]
    text = (f"{results['cpu']}, {results['num_cpus']} CPUs; clock {m['clock_gigahertz_1']['median']:.2f} GHz "
            f"by dependent additions; copy bandwidth of one core {copy[1]['median']:.1f} GB/s (read and "
            f"write; {copy[1]['least']:.1f} to {copy[1]['most']:.1f} over the repetitions), of two together "
            f"{copy[2]['median']:.1f}; of two cores that only add numbers and wait for each other every "
            f"20 ms, {100 * (1 - m['in_step_2']['median']):.0f} % of the time is waiting")
    if share is not None:
        text += f"; the runs on 1 rank got {100 * share:.0f} % of a core"
        text += ", since other work ran beside them" if share < CALM else ""
    return text + f". {results['version']}, {results['started'][:10]}.\n"


def reading_text(results):
    counts = {c["instructions"]["by"] for c in results["summary"]["cases"] if c["instructions"]}
    cases = results["summary"]["cases"]
    repetitions = [entry["repetitions"] for c in cases for entry in c["ranks"].values()]
    text = f"Medians of {min(repetitions, default=results['repetitions'])}, CPU time on 1 rank"
    if any(c["speed_up"] for c in cases):
        text += ", and in brackets the wall-clock speed-up on 2 ranks"
    else:
        text += " alone"
    text += ". Brownian steps include the random drive."
    if results.get("num_parts", 1) > 1:
        text += f" Measured in {results['num_parts']} parts, one after the other."
    if "callgrind" in counts:
        text += " Instructions by callgrind, which shows programs a CPU without AVX-512."
    if results["summary"]["peers"]:
        text += (f" LAMMPS ({results['lammps']}), {results['summary']['peers'][0]['particles']:,} particles: "
                 f"pseudo-hard spheres (50-49 Mie) at a generous timestep, {peers.TIMESTEP}, collisions "
                 "counted at the rate at which hard spheres collide in the time integrated; Langevin "
                 "particles need "
                 f"{peers.LANGEVIN_STEPS:.1f} of its steps for the diffusion of one of ours.")
    return text + "\n"


def phase_table(results):
    rows = []
    for c in results["summary"]["cases"]:
        for ranks, entry in c["ranks"].items():
            share_of = renamed(entry["phases"])
            shares = [share_of[phase] for phase in PHASES]
            shares.append(1 - sum(shares))
            rows.append([c["name"], ranks, *(f"{100 * share:.0f}" for share in shares)])
    return ("**Where the time goes**, per cent of the wall time, mean of the ranks. Binning: measuring "
            "paths and sorting them into cells; search: the contacts of straight paths; events: contacts one "
            "after another; exchange: boundary events, and waiting for the other rank; rollback: contacts "
            "resolved again because of them; sorting: particles in memory.\n\n" +
            markdown_table(["case", "ranks", *PHASES, "rest"], rows) + "\n")


def case_table(results):
    rows = []
    for c in results["summary"]["cases"]:
        for ranks, entry in c["ranks"].items():
            rate = entry["rate"]
            rows.append([c["name"], ranks, number(entry["cpu_ns"]), number(entry["least_cpu_ns"]),
                         number(entry["wall_ns"]), number(entry["contacts_per_step"]),
                         number(entry["copies_per_particle"]),
                         f"{entry['bytes_per_particle']:.0f}" if c["particles"] >= LARGE else "",
                         f"{rate['ratio']:.4f} ± {rate['tolerance']:.4f}",
                         "pass" if rate["is_right"] else "FAIL"])
    return ("**All cases**: nanoseconds per pair collision (elastic) or particle and step (Brownian), CPU of "
            "all ranks together; contacts per particle and step; halo copies per particle; the contact rate "
            "over theory and what it may be off: 4 standard errors, the formula's error, 3/N.\n\n" +
            markdown_table(["case", "ranks", "CPU ns", "least", "wall ns", "contacts", "copies", "bytes",
                            "rate", ""], rows) + "\n")


def peer_table(results):
    rows = [[p["name"], number(p["atom_steps_per_second"] / 1e6) if p["atom_steps_per_second"] else "",
             number(p["cpu_ns"]), f"{p['speed_up']:.2f}" if p["speed_up"] else "", f"{p['z_ratio']:.3f}"]
            for p in results["summary"]["peers"]]
    if not rows:
        return "LAMMPS was not measured.\n"
    return ("**LAMMPS**: million atom-steps per CPU second; nanoseconds per collision or Brownian step after "
            "conversion; speed-up; pressure over that of hard spheres.\n\n" +
            markdown_table(["case", "atom-steps", "CPU ns", "speed-up", "Z ratio"], rows) + "\n")


def figures(results):
    """What a reader wants to know."""
    parts = [grid_table(results, dynamics, d) for dynamics in ("elastic", "brownian") for d in (3, 2)]
    parts += [mixture_table(results), turns_table(results), memory_text(results), whole_text(results),
              machine_text(results), reading_text(results)]
    return "\n".join(part for part in parts if part)


def markdown(results):
    parts = [f"# Performance ({results['mode']})\n", figures(results), case_table(results),
             phase_table(results), peer_table(results)]
    return "\n".join(parts)


def put_between_marks(text, new):
    begin, end = "<!-- bench -->\n", "<!-- end of bench -->"
    before, rest = text.split(begin)
    _, after = rest.split(end)
    return f"{before}{begin}{new}{end}{after}"


def main(arguments):
    into = pathlib.Path(arguments[1]) if arguments[0] == "--into" else None
    names = arguments[2:] if into else arguments
    results = summary.merged([json.loads(pathlib.Path(name).read_text()) for name in names])
    if into:
        into.write_text(put_between_marks(into.read_text(), figures(results)))
    else:
        print(markdown(results))


if __name__ == "__main__":
    main(sys.argv[1:])
