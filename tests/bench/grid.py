# SPDX-License-Identifier: BSD-3-Clause
"""The cases that tests/bench/run.sh measures: quick and full.

A case is a dictionary of step_bench's keys with a name and its rank counts.
"""

ELASTIC_FRACTIONS = (0.01, 0.1, 0.3, 0.49)
ELASTIC_SIZES = (4_000, 32_000, 256_000, 1_000_000)
BROWNIAN_FRACTIONS = (0.001, 0.01, 0.1, 0.3)
BROWNIAN_SIZES = (10_000, 100_000, 1_000_000)
MIXTURES = {1.4: 0.5, 10: 0.001}  # size ratio: share of the number that is large
# What ranks could reach that know nothing of each other is measured for these fractions, from such sizes on.
APART_FRACTIONS, APART_SIZE = (0.1, 0.3), {"quick": 32_000, "full": 100_000}
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


def apart(cases, mode):
    """The cases that are also measured as two systems of half as many particles, side by side."""
    return [one for one in cases
            if 2 in one["ranks"] and one["keys"]["dimension"] == 3 and "ratio" not in one["keys"]
            and one["keys"]["fraction"] in APART_FRACTIONS and one["keys"]["particles"] >= APART_SIZE[mode]]


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
