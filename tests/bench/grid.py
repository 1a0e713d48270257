# SPDX-License-Identifier: BSD-3-Clause
"""The cases that tests/bench/run.sh measures: quick and full.

A case is a dictionary of step_bench's keys with a name and its rank counts.
"""

ELASTIC_FRACTIONS = (0.01, 0.1, 0.3, 0.49)
ELASTIC_SIZES = (4_000, 32_000, 256_000, 1_000_000)
BROWNIAN_FRACTIONS = (0.001, 0.01, 0.1, 0.3)
BROWNIAN_SIZES = (10_000, 100_000, 1_000_000)
MIXTURES = {1.4: 0.5, 10: 0.001}  # size ratio: share of the number that is large
# Where one rank and two take turns; at least so many particle-steps in each.
TURNS_FRACTIONS, TURNS_SIZES, TURNS_WORK = (0.1, 0.3), (100_000, 1_000_000), 4_000_000
QUICKLY_COUNTED = (("elastic", 3, 0.3, 1), ("brownian", 3, 0.01, 1))


def case(dynamics, dimension, fraction, particles, ratio=1, ranks=(1, 2)):
    keys = {"dynamics": dynamics, "dimension": dimension, "fraction": fraction, "particles": particles}
    name = f"{dynamics}-{dimension}d-{fraction}-{particles}"
    if ratio != 1:
        keys |= {"ratio": ratio, "large_share": MIXTURES[ratio]}
        name += f"-ratio-{ratio}"
    if dynamics == "brownian":
        contacts = 10_000 if fraction < 0.005 else 100_000
        keys |= {"step": 0.1, "contacts": contacts, "contacts_per_particle": 0, "steps": 20}
    return {"name": name, "keys": keys, "ranks": ranks}


def full():
    cases = [case("elastic", d, fraction, n)
             for d in (3, 2) for fraction in ELASTIC_FRACTIONS for n in ELASTIC_SIZES]
    cases += [case("brownian", d, fraction, n)
              for d in (3, 2) for fraction in BROWNIAN_FRACTIONS for n in BROWNIAN_SIZES]
    cases += [case("elastic", 3, 0.3, n, ratio) for ratio in MIXTURES for n in (32_000, 1_000_000)]
    cases += [case("brownian", 3, 0.3, n, ratio) for ratio in MIXTURES for n in (100_000, 1_000_000)]
    return cases


def quick():
    cases = [case("elastic", 3, fraction, 4_000, ranks=(1,)) for fraction in (0.01, 0.1, 0.3, 0.49)]
    cases += [case("brownian", 3, fraction, 10_000, ranks=(1,)) for fraction in (0.01, 0.3)]
    cases += [case("elastic", 2, 0.3, 4_000, ranks=(1,)), case("brownian", 2, 0.1, 10_000, ranks=(1,))]
    cases += [case("elastic", 3, 0.3, 32_000), case("brownian", 3, 0.1, 32_000)]
    cases += [case("elastic", 3, 0.3, 32_000, 1.4, ranks=(1,)),
              case("brownian", 3, 0.3, 32_000, 10, ranks=(1,))]
    for one in cases:
        if one["keys"]["dynamics"] == "brownian":
            one["keys"]["contacts"] = 20_000
    return cases


def turns(mode):
    """The cases in which one rank and two take turns, with turns_bench's keys."""
    def taking_turns(dynamics, fraction, particles, count):
        one = case(dynamics, 3, fraction, particles)
        shared = {key: one["keys"][key] for key in ("dynamics", "dimension", "fraction", "particles")}
        steps = max(4, TURNS_WORK // particles)
        return {"name": one["name"] + "-turns", "keys": shared | {"steps": steps, "turns": count}}
    if mode == "quick":
        return [taking_turns("elastic", 0.3, 32_000, 3)]
    return [taking_turns(dynamics, fraction, particles, 15)
            for dynamics in ("elastic", "brownian") for fraction in TURNS_FRACTIONS
            for particles in TURNS_SIZES]


def counted(cases, mode):
    """The cases whose instructions are counted from the outside, slowly: the smallest of each kind and
    fraction; in quick mode one elastic and one Brownian."""
    found = {}
    for one in cases:
        keys = one["keys"]
        kind = (keys["dynamics"], keys["dimension"], keys["fraction"], keys.get("ratio", 1))
        if keys["particles"] <= 10_000 and (mode == "full" or kind in QUICKLY_COUNTED):
            found.setdefault(kind, one)
    return list(found.values())
