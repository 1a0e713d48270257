# SPDX-License-Identifier: BSD-3-Clause
"""Where particles change: how many there are of each species, how often each rule acted, each decay, and tethers."""
import numpy as np

from page import Number, Section, png_of
from series import meaning_of, new_plot, time_label
from text import as_label

MOST_LINES = 12  # that a plot can tell apart
NUM_COLOURS = 10  # of matplotlib's cycle; further lines are dashed


def drawn_columns(values):
    """The columns to draw, in their order: of too many those with the largest values."""
    by_size = np.argsort(-values.max(axis=0), kind="stable")
    return np.sort(by_size[:MOST_LINES])


def plot_columns(result, time, values, labels, ylabel):
    figure, axes = new_plot(time_label(result), ylabel)
    for line, column in enumerate(drawn_columns(values)):
        style = "-" if line < NUM_COLOURS else "--"
        axes.plot(time, values[:, column], style, lw=1.2, label=as_label(labels[column]))
    axes.legend(fontsize="small")
    axes.set_ylim(bottom=0)
    return png_of(figure)


def left_out(values, table):
    """A sentence where the plot has not all columns."""
    number = values.shape[1]
    if number <= MOST_LINES:
        return []
    return [f"Drawn are the {MOST_LINES} of {number} with the largest values; {table} has all."]


def let_pass(result):
    """Sentences, numbers and tables on wedged pairs, if there were any."""
    time, values = result.thinned("let_pass")
    total = int(values[-1])
    if total == 0:
        return [], [], {}
    began = f"{time[np.argmax(values > 0)]:.4g} {result.unit_of(time=1)}".strip()
    text = (
        f"{total} time{'s' if total > 1 else ''} two were let pass, products that were wedged and could not "
        f"part, first between the samples up to time {began}."
    )
    return [text], [Number("wedged pairs let pass", total)], {"let_pass.csv": {"time": time, "let_pass": values}}


def particles(result):
    """The numbers of all species, and how many were wedged: also where there are only decays."""
    time, values = result.thinned("particles")
    labels = result.labels("particles")
    numbers = [
        Number(f"{label} at the last sample", int(last)) for label, last in zip(labels, values[-1])
    ]
    wedged, numbers_of_wedged, tables_of_wedged = let_pass(result)
    return Section(
        "Particles",
        [meaning_of(result, "particles"), *left_out(values, "particles.csv"), *wedged],
        plot_columns(result, time, values, labels, "particles"),
        numbers=numbers + numbers_of_wedged,
        tables={"particles.csv": {"time": time, **dict(zip(labels, values.T))}, **tables_of_wedged},
    )


def passes(rule):
    """Whether the words of a rule are of one that lets its pairs pass."""
    return rule.endswith(" pass") and " -> " not in rule


def reactions_of(labels):
    """The columns of contacts that changed the partners. A rule has two, what it did and how often it bounced."""
    did = range(0, len(labels), 2)
    return [column for column in did if not passes(labels[column])] or list(did)


def outcomes(result):
    """How often each rule acted since the start. Bounces and passes would hide the reactions."""
    time, values = result.thinned("outcomes")
    labels = result.labels("outcomes")
    drawn = reactions_of(labels)
    reactions = values[:, drawn]
    not_drawn = "Bounces" if len(drawn) == len(labels) // 2 else "Bounces and passes"
    return Section(
        "Reactions",
        [
            meaning_of(result, "outcomes"),
            f"{not_drawn} are not drawn; outcomes.csv has them.",
            *left_out(reactions, "outcomes.csv"),
        ],
        plot_columns(result, time, reactions, [labels[k] for k in drawn], "reactions since step 0"),
        numbers=[Number(label, int(last)) for label, last in zip(labels, values[-1])],
        tables={"outcomes.csv": {"time": time, **dict(zip(labels, values.T))}},
    )


def decays(result):
    """How many decays there were since the start."""
    time, values = result.thinned("decays")
    labels = result.labels("decays")
    return Section(
        "Decays",
        [meaning_of(result, "decays"), *left_out(values, "decays.csv")],
        plot_columns(result, time, values, labels, "decays since step 0"),
        numbers=[Number(label, int(last)) for label, last in zip(labels, values[-1])],
        tables={"decays.csv": {"time": time, **dict(zip(labels, values.T))}},
    )


def tethers(result):
    """How many there are, by rule."""
    time, values = result.thinned("tethers")
    labels = result.labels("tethers")
    ends = [(f"{label}: tethers at the last sample", last) for label, last in zip(labels, values[-1])]
    tables = {"tethers.csv": {"time": time, **dict(zip(labels, values.T))}}
    for name, words in [("broken", "tethers that broke"), ("held", "times held back")]:
        counts = result.thinned(name)[1]
        ends += [(f"{label}: {words}", last) for label, last in zip(labels, counts[-1])]
        tables[f"tethers_{name}.csv"] = {"time": time, **dict(zip(labels, counts.T))}
    return Section(
        "Tethers",
        [meaning_of(result, name) for name in ("tethers", "broken", "held")] + left_out(values, "tethers.csv"),
        plot_columns(result, time, values, labels, "tethers"),
        numbers=[Number(label, int(last)) for label, last in ends],
        tables=tables,
    )


def sections(result):
    if not result.has_observable("particles") or result.num_samples < 2:
        return
    yield particles(result)
    if result.has_observable("outcomes"):
        yield outcomes(result)
    if result.has_observable("decays"):
        yield decays(result)
    if result.has_observable("tethers"):
        yield tethers(result)
