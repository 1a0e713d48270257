# SPDX-License-Identifier: BSD-3-Clause
"""Where particles change: how many there are of each species, how often each rule acted, each decay, and tethers."""
from page import Number, Section, png_of
from series import meaning_of, new_plot, time_label
from text import as_label

MOST_LINES = 12  # that a plot can tell apart


def plot_columns(result, time, values, labels, ylabel):
    figure, axes = new_plot(time_label(result), ylabel)
    for values_of_one, label in list(zip(values.T, labels))[:MOST_LINES]:
        axes.plot(time, values_of_one, lw=1.2, label=as_label(label))
    axes.legend(fontsize="small")
    axes.set_ylim(bottom=0)
    return png_of(figure)


def particles(result):
    """The numbers of all species."""
    time, values = result.thinned("particles")
    labels = result.labels("particles")
    numbers = [
        Number(f"{label} at the last sample", int(last)) for label, last in zip(labels, values[-1])
    ]
    return Section(
        "Particles",
        [meaning_of(result, "particles")],
        plot_columns(result, time, values, labels, "particles"),
        numbers=numbers,
        tables={"particles.csv": {"time": time, **dict(zip(labels, values.T))}},
    )


def outcomes(result):
    """How often each rule acted since the start."""
    time, values = result.thinned("outcomes")
    labels = result.labels("outcomes")
    numbers = [Number(label, int(last)) for label, last in zip(labels, values[-1])]
    wedged = int(result.thinned("let_pass")[1][-1])
    if wedged:
        numbers.append(Number("wedged pairs let pass", wedged))
    return Section(
        "Reactions",
        [meaning_of(result, "outcomes")],
        plot_columns(result, time, values, labels, "contacts since step 0"),
        numbers=numbers,
        tables={"outcomes.csv": {"time": time, **dict(zip(labels, values.T))}},
    )


def decays(result):
    """How many decays there were since the start."""
    time, values = result.thinned("decays")
    labels = result.labels("decays")
    return Section(
        "Decays",
        [meaning_of(result, "decays")],
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
        [meaning_of(result, name) for name in ("tethers", "broken", "held")],
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
