# SPDX-License-Identifier: BSD-3-Clause
"""Where the run's time went, as the run noted it in its provenance, and how evenly ranks were
loaded."""
import numpy as np
from matplotlib import pyplot

from page import Number, Section, png_of
from phases import REPORTED


def phases_of(text):
    """{phase: (min, mean, max)} from 'drive 0.1 0.2 0.3; cells ...'."""
    phases = {}
    for part in text.split(";"):
        name, *numbers = part.split()
        phases[REPORTED.get(name, name)] = tuple(map(float, numbers))
    return phases


def plot_phases(phases, per_rank):
    """Times of the phases and, of more than one rank, of each rank."""
    has_ranks = len(per_rank) > 1
    figure, both = pyplot.subplots(
        1,
        2 if has_ranks else 1,
        figsize=(8.4, 3.4),
        squeeze=False,
        layout="constrained",
        width_ratios=(1.4, 1) if has_ranks else (1,),
    )
    axes = both[0, 0]
    low, mean, high = np.array(list(phases.values())).T
    axes.barh(
        list(phases), mean, xerr=[mean - low, high - mean], color="tab:blue", ecolor="k", capsize=3
    )
    axes.invert_yaxis()
    axes.set_xlabel("seconds per rank (mean, least, most)")
    if has_ranks:
        both[0, 1].xaxis.get_major_locator().set_params(integer=True)
        both[0, 1].bar(range(len(per_rank)), per_rank, color="tab:orange")
        both[0, 1].set(xlabel="rank", ylabel="computing (s)")
    return png_of(figure)


def work_imbalance(text):
    """The numbers of 'first_imbalance 1.9; latest_imbalance 1.02; checks 9; moves 1'."""
    found = {name: float(value) for name, value in (part.split() for part in text.split(";"))}
    remark = "work of the most loaded rank over the mean, "
    moves = f"after {found['moves']:.0f} moves of the cuts in {found['checks']:.0f} checks"
    return [
        Number("work imbalance at first", found["first_imbalance"], None, 1.0, "", remark + "first check"),
        Number("work imbalance at last", found["latest_imbalance"], None, 1.0, "", remark + moves),
    ]


def ranks_text(provenance):
    number = int(provenance["ranks"])
    return f"{number} rank" + ("" if number == 1 else "s")


def load_balance(result):
    """The section, or None where the file does not tell (the run did not come to its end)."""
    provenance = dict(result.texts("provenance"))
    if "seconds_per_phase" not in provenance:
        return None
    phases = phases_of(provenance["seconds_per_phase"])
    per_rank = [float(word) for word in provenance.get("computing_seconds", "").split()]
    low, mean, high = (list(column) for column in zip(*phases.values()))
    tables = {"phases.csv": {"phase": list(phases), "least": low, "mean": mean, "most": high}}
    numbers = []
    if per_rank:
        tables["ranks.csv"] = {"rank": list(range(len(per_rank))), "computing_seconds": per_rank}
    if len(per_rank) > 1 and max(per_rank) > 0:
        numbers.append(
            Number(
                "load balance",
                float(np.mean(per_rank)) / max(per_rank),
                None,
                1.0,
                remark="mean over slowest rank, of the time spent computing",
            )
        )
    if "balance" in provenance:
        numbers += work_imbalance(provenance["balance"])
    text = [f"On {ranks_text(provenance)}, {float(provenance['wall_time_seconds']):.4g} s in all."]
    return Section(
        "Load balance", text, plot_phases(phases, per_rank), tables=tables, numbers=numbers
    )
