# SPDX-License-Identifier: BSD-3-Clause
"""From single runs to one entry per case: medians over the repetitions, and what is wrong.

Work is what a case is measured by: pair contacts of an elastic gas, particle-steps of Brownian motion.
"""
import math
import statistics


def median(values):
    return statistics.median(values)


def work(run):
    return run["contacts"] if run["dynamics"] == "elastic" else run["particles"] * run["steps"]


def by_name(runs):
    groups = {}
    for run in runs:
        groups.setdefault(run["name"], {}).setdefault(run["ranks"], []).append(run)
    return groups


def rate_check(runs):
    """Of all repetitions together: ratio to theory, tolerance, whether it is within. Repetitions have other
    seeds, so that their statistical errors are independent; the systematic one stays."""
    runs = list({run["repetition"]: run for run in runs}.values())  # parts may have the same ones
    contacts = sum(run["contacts"] for run in runs)
    expected = sum(run["contacts"] / run["rate_ratio"] for run in runs)
    error = math.sqrt(sum((run["contacts"] * run["rate_error"])**2 for run in runs)) / contacts
    systematic = max(run["rate_tolerance"] - 4 * run["rate_error"] for run in runs)
    ratio, tolerance = contacts / expected, 4 * error + systematic
    return {"ratio": ratio, "tolerance": tolerance, "is_right": abs(ratio - 1) <= tolerance}


def speed_up(one, two):
    """Median over the repetitions of the wall time on 1 rank over that on 2."""
    wall = {run["repetition"]: run["wall_seconds"] / work(run) for run in one}
    ratios = [wall[run["repetition"]] / (run["wall_seconds"] / work(run)) for run in two
              if run["repetition"] in wall]
    return median(ratios) if ratios else None


def phase_shares(runs):
    """Of the wall time; what is left over is the time loop and, on 2 ranks, the wait of the faster one."""
    names = runs[0]["phases"]
    return {name: median(run["phases"][name] / run["wall_seconds"] for run in runs) for name in names}


def on_ranks(runs):
    first = runs[0]
    return {"cpu_ns": median(1e9 * run["cpu_seconds"] / work(run) for run in runs),
            "wall_ns": median(1e9 * run["wall_seconds"] / work(run) for run in runs),
            "least_cpu_ns": min(1e9 * run["cpu_seconds"] / work(run) for run in runs),
            "bytes_per_particle": median(run["peak_bytes"] / run["particles"] for run in runs),
            "copies_per_particle": median(run["copies"] / run["particles"] / run["steps"] for run in runs),
            "contacts_per_step": 2 * first["contacts"] / first["particles"] / first["steps"],
            "phases": phase_shares(runs), "rate": rate_check(runs), "repetitions": len(runs)}


def instructions(name, runs, counts):
    """Per unit of work on 1 rank, and how they were counted."""
    own = [run["instructions"] / work(run) for run in runs if run["instructions"] is not None]
    if own:
        return {"per_work": median(own), "by": "hardware"}
    for count in counts:
        if count["name"] == name:
            return {"per_work": count["instructions"] / work(count), "by": count["by"]}
    return None


def summarised_case(name, runs, counts):
    one, two = runs.get(1, []), runs.get(2, [])
    first = (one or two)[0]
    keys = ("dynamics", "dimension", "fraction", "particles", "ratio", "large_share", "step")
    entry = {"name": name} | {key: first[key] for key in keys}
    entry["ranks"] = {str(ranks): on_ranks(group) for ranks, group in sorted(runs.items())}
    entry["speed_up"] = speed_up(one, two) if one and two else None
    entry["instructions"] = instructions(name, one, counts) if one else None
    return entry


def failures_of(name, runs):
    for ranks, group in runs.items():
        rate = rate_check(group)
        if not rate["is_right"]:
            yield (f"{name} on {ranks}: collision rate {rate['ratio']:.4f} of theory, "
                   f"tolerance {rate['tolerance']:.4f}")
    contacts = {(run["ranks"], run["repetition"]): run["contacts"]
                for group in runs.values() for run in group}
    for (ranks, repetition), count in contacts.items():
        if ranks == 2 and count != contacts.get((1, repetition), count):
            yield f"{name}: {count} contacts on 2 ranks, {contacts[1, repetition]} on 1"


def atom_steps_per_second(run):
    return run["particles"] * run["steps"] / run["cpu_seconds"]


def summarised_peer(name, runs):
    one, two = runs.get(1, []), runs.get(2, [])
    first = (one or two)[0]
    wall = {ranks: median(run["wall_seconds"] / run["work"] for run in group)
            for ranks, group in runs.items()}
    return {"name": name, "script": first["script"], "fraction": first["fraction"],
            "particles": first["particles"],
            "cpu_ns": median(1e9 * run["cpu_seconds"] / run["work"] for run in one) if one else None,
            "atom_steps_per_second": median(map(atom_steps_per_second, one)) if one else None,
            "speed_up": wall[1] / wall[2] if one and two else None,
            "z_ratio": median(run["z_ratio"] for run in one or two)}


def summarised_whole(runs):
    names = dict.fromkeys(run["name"] for run in runs)
    return [{"name": name, "share": median(run["share"] for run in runs if run["name"] == name)}
            for name in names]


def machine(samples):
    entry = {}
    for ranks in (1, 2):
        for key in ("copy_gigabytes_per_second", "clock_gigahertz", "in_step"):
            values = [sample[key] for sample in samples if sample["ranks"] == ranks]
            entry[f"{key}_{ranks}"] = {"median": median(values), "least": min(values), "most": max(values)}
    return entry


def cpu_share(runs):
    """CPU time over wall time on 1 rank: how much of a core the machine gave."""
    shares = [run["cpu_seconds"] / run["wall_seconds"] for run in runs if run["ranks"] == 1]
    return median(shares) if shares else None


def merged(parts):
    """The results of several runs of run.sh, as if they were one; the first says what all have in common."""
    whole = dict(parts[0])
    for key in ("machine", "runs", "turns", "whole", "peers", "counts", "program_failures"):
        whole[key] = [item for part in parts for item in part[key]]
    whole["num_parts"] = len(parts)
    whole["version"] = "; ".join(dict.fromkeys(part["version"] for part in parts))
    whole["repetitions"] = min(part["repetitions"] for part in parts)
    whole["failures"] = whole["program_failures"]
    return add(whole)


def add(results):
    """The results with `summary` added and `failures`, so far those of programs, completed."""
    groups = by_name(results["runs"])
    results["program_failures"] = list(results["failures"])
    results["summary"] = {"machine": machine(results["machine"]), "cpu_share": cpu_share(results["runs"]),
                          "cases": [summarised_case(name, runs, results["counts"])
                                    for name, runs in groups.items()],
                          "whole": summarised_whole(results["whole"]),
                          "peers": [summarised_peer(name, runs)
                                    for name, runs in by_name(results["peers"]).items()]}
    for name, runs in groups.items():
        results["failures"] += failures_of(name, runs)
    results["failures"] += [f"{turns['name']}: other contacts on {turns['ranks']} ranks than on 1"
                            for turns in results["turns"] if not turns["is_same"]]
    return results
