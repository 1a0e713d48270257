# SPDX-License-Identifier: BSD-3-Clause
"""What changes in time: temperature, energy, pressure, collision rate.

Means and their errors are those of averages.py: what the start of a run shows before it is in
equilibrium is left out, and grey in the plots. A series that cools has no mean (cooling.py).
"""
from dataclasses import replace

import numpy as np
from matplotlib import pyplot
from matplotlib.ticker import LogFormatter

from averages import steady_mean
from page import Number, Section, png_of
from result import LEAST_LOSS
from text import as_label, plain

MOST_BLOCKS = 25  # of a noisy series in a plot
REACTIONS = "Particles that react, merge or end do not keep their kinetic energy: there is no value to expect."


def new_plot(xlabel, ylabel):
    figure, axes = pyplot.subplots(figsize=(6.6, 3.5), layout="constrained")
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.grid(alpha=0.3)
    return figure, axes


class PlainLogFormatter(LogFormatter):
    """Labels the ticks that its base class would, without mathtext and as 0.1 rather than 1e-01."""

    def __call__(self, value, position=None):
        return f"{value:g}" if super().__call__(value, position) else ""


def make_logarithmic(axes, *names):
    """Scales the axes of these names by the logarithm."""
    for name in names:
        axes.set(**{f"{name}scale": "log"})
        axis = getattr(axes, f"{name}axis")
        axis.set_major_formatter(PlainLogFormatter())
        axis.set_minor_formatter(PlainLogFormatter(labelOnlyBase=False))


def time_label(result):
    return result.label("time", time=1)


def pressure_unit(result):
    """Powers of the units of a pressure, in two dimensions a force per length."""
    return {"energy": 1, "length": -result.dimension}


def mean_temperature(result):
    """kT over the run: given for Brownian particles, else the mean of the samples."""
    if result.is_brownian and "kT" in result.theory:
        return result.theory["kT"]
    return float(result.thinned("temperature")[1].mean())


def temperature(result):
    """The section for ballistic particles that do not cool. For driven and reacting ones there is nothing to
    compare with."""
    time, value = result.thinned("temperature")
    figure, axes = new_plot(time_label(result), result.label("temperature", energy=1))
    axes.plot(time, value, lw=1, label="samples")
    if result.theory.get("kT"):
        axes.axhline(result.theory["kT"], color="k", lw=0.8, ls="--", label="kT of the input")
        axes.legend()
    middle, half = value.mean(), max(1.2 * np.ptp(value), 0.02 * value.mean())
    axes.set_ylim(middle - half, middle + half)
    number = Number(
        "temperature",
        float(value.mean()),
        None,
        result.theory.get("kT"),
        result.unit_of(energy=1),
        "expected: kT of the input" if result.theory.get("kT") else "",
    )
    return Section(
        "Temperature",
        [meaning_of(result, "temperature")] + ([REACTIONS] if result.theory.get("reacts") else []),
        png_of(figure),
        numbers=[number],
        tables={"temperature.csv": {"time": time, "temperature": value}},
    )


def meaning_of(result, name):
    """What the file says about an observable, as a sentence."""
    text = plain(result.run["observables"][name].attrs["meaning"])
    return f"{name.replace('_', ' ').capitalize()}: {text}."


def energy(result):
    time, value = result.thinned("energy")
    scale = abs(value[0]) or 1.0
    drift = (value - value[0]) / scale
    figure, axes = new_plot(time_label(result), "(E - E₀) / E₀")
    axes.plot(time, drift, lw=1)
    axes.ticklabel_format(axis="y", style="sci", scilimits=(-2, 2))
    return Section(
        "Energy drift",
        ["Relative change of the kinetic energy since the first sample: rounding alone."],
        png_of(figure),
        numbers=[Number("largest relative energy change", float(abs(drift).max()))],
        tables={"energy.csv": {"time": time, "energy": value, "relative_change": drift}},
    )


def expected_pressure(result, kT):
    compressibility = result.theory.get("compressibility")
    if compressibility is None:
        return None
    return compressibility * result.num_particles * kT / result.volume


def expected_rate(result, kT):
    """Collisions of one particle per time; theory counts pairs in the box at the input's kT."""
    rate = result.theory.get("contact_rate")
    if rate is None:
        return None
    return rate * 2 / result.num_particles * np.sqrt(kT / result.theory["kT"])


def plot_steady(result, series, mean, ylabel, expected):
    """Samples, the mean with a band of two standard errors, the reference; a grey start left out."""
    time, value, length = series
    figure, axes = new_plot(time_label(result), ylabel)
    axes.plot(time, value, lw=0.8, color="tab:blue", alpha=0.7, label="samples")
    start = time[mean.first] - length[mean.first] / 2 if len(time) else 0
    if mean.error is not None:
        band = mean.value - 2 * mean.error, mean.value + 2 * mean.error
        axes.fill_between([start, time[-1]], *band, color="tab:orange", alpha=0.35, lw=0)
        axes.hlines(mean.value, start, time[-1], color="tab:orange", label="mean ± 2 errors")
    if mean.first > 0:
        axes.axvspan(time[0] - length[0] / 2, start, color="0.85", zorder=0, label="left out")
        kept = value[mean.first :]
        axes.set_ylim(kept.min() - np.ptp(kept), kept.max() + np.ptp(kept))
    if expected is not None:
        axes.axhline(expected, color="k", lw=1, ls="--", label="theory")
    axes.legend(fontsize=8)
    return png_of(figure)


def text_of_start(result, series, mean):
    """What is left out of a mean, as sentences."""
    if mean.first == 0:
        return []
    time, _, length = series
    left_out = time[mean.first] - length[mean.first] / 2 - (time[0] - length[0] / 2)
    unit = result.unit_of(time=1)
    return [f"Left out of the mean: the first {left_out:.4g} {unit}".rstrip() + ", not relaxed yet."]


def pressure(result):
    series = result.averaged("pressure")
    kT = mean_temperature(result)
    mean, expected = steady_mean(series[1], series[2]), expected_pressure(result, kT)
    ylabel = result.label("pressure", **pressure_unit(result))
    image = plot_steady(result, series, mean, ylabel, expected)
    text = [meaning_of(result, "pressure")] + text_of_start(result, series, mean)
    if expected is not None:
        text.append(f"Reference line: {result.theory.get('pressure_of')}.")
    return Section(
        "Pressure",
        text,
        image,
        numbers=pressure_numbers(result, mean, expected, kT),
        tables={"pressure.csv": {"time": series[0], "pressure": series[1]}},
    )


def pressure_numbers(result, mean, expected, kT):
    unit = result.unit_of(**pressure_unit(result))
    ratio = compressibility(result, mean, kT)
    return [
        Number("pressure", mean.value, mean.error, expected, unit, mean.remark),
        Number(
            "compressibility P V / (N kT)",
            ratio.value,
            ratio.error,
            result.theory.get("compressibility"),
            remark=ratio.remark,
        ),
    ]


def compressibility(result, pressure_mean, kT):
    """The Mean of the observable, or in files without it of the pressure over that of an ideal gas."""
    if result.has_observable("compressibility"):
        _, values, lengths = result.averaged("compressibility")
        return steady_mean(values, lengths)
    ideal = result.num_particles * kT / result.volume
    error = pressure_mean.error and pressure_mean.error / ideal
    return replace(pressure_mean, value=pressure_mean.value / ideal, error=error)


def collision_rate(result):
    """The section; of Brownian particles the contacts of their straight steps."""
    series = result.averaged("collision_rate")
    mean = steady_mean(series[1], series[2])
    expected = expected_rate(result, mean_temperature(result))
    what, name = "collisions", "collision rate per particle"
    if result.is_brownian:
        what, name = "contacts", "contacts per particle and time"
    ylabel = result.label(f"{what} per particle and time", time=-1)
    image = plot_steady(result, series, mean, ylabel, expected)
    text = [f"{what.capitalize()} of one particle with others per time."]
    if result.is_brownian:
        text.append(STRAIGHT_STEPS)
    if expected is not None:
        text.append(f"Reference line: {result.theory.get('rate_of')}, at the mean temperature.")
    unit = result.unit_of(time=-1)
    return Section(
        "Contacts of the straight steps" if result.is_brownian else "Collision rate",
        text + text_of_start(result, series, mean),
        image,
        numbers=[Number(name, mean.value, mean.error, expected, unit, mean.remark)],
        tables={"collision_rate.csv": {"time": series[0], "collision_rate": series[1]}},
    )


STRAIGHT_STEPS = (
    "These are contacts of the straight steps between two random velocities. Their number per time "
    "grows as timestep^-1/2 when steps are shortened: it is not a rate of encounters."
)


def wall_pressure(result):
    time, value, length = result.averaged("wall_pressure")
    labels = result.labels("wall_pressure")
    ylabel = result.label("pressure on a wall", **pressure_unit(result))
    figure, axes = new_plot(time_label(result), ylabel)
    blocks = np.array_split(np.arange(len(time)), min(len(time), MOST_BLOCKS))
    for k, label in enumerate(labels):
        means = [np.average(value[rows, k], weights=length[rows]) for rows in blocks]
        middles = [np.average(time[rows], weights=length[rows]) for rows in blocks]
        axes.plot(middles, means, lw=0.8, marker="o", ms=2.5, label=as_label(label))
    axes.legend(fontsize=8, ncols=3)
    unit = result.unit_of(**pressure_unit(result))
    means = [steady_mean(column, length) for column in value.T]
    numbers = [
        Number(f"pressure on the wall {label}", mean.value, mean.error, None, unit, mean.remark)
        for label, mean in zip(labels, means)
    ]
    return Section(
        "Pressure on the walls",
        [meaning_of(result, "wall_pressure"), f"Drawn: means of up to {MOST_BLOCKS} blocks."],
        png_of(figure),
        numbers=numbers,
        tables={"wall_pressure.csv": {"time": time, **dict(zip(labels, value.T))}},
    )


def energy_balance(result):
    """(text, numbers): what surfaces gave from the first sample to the last is what the energy has grown by and what
    contacts with others took. Empty where kicks, reactions or a field without its energy change it too."""
    notes = result.run["notes"].attrs
    energy = "total_energy" if "gravity" in notes or "self_gravity" in notes else "energy"
    if result.is_changing or "drive" in notes or not result.has_observable(energy):
        return [], []
    time = result.observed_time()
    given = float((result.last_value("given_energy") - result.first_value("given_energy")).sum()) / time
    growth = float(result.last_value(energy) - result.first_value(energy)) / time
    if abs(given - growth) <= LEAST_LOSS * max(abs(given), result.last_value("energy") / time):
        return ["Contacts lose nothing: energy changes by what these surfaces give."], []
    unit = result.unit_of(energy=1, time=-1)
    parts = {"given by all surfaces": given, "that particles gain": growth, "lost in contacts": given - growth}
    return (
        ["From the first sample to the last, what all surfaces give is what particles gain and what is lost in contacts: "
         "with each other, and with surfaces that rest and have no temperature."],
        [Number(f"energy per time {name}", value, None, None, unit) for name, value in parts.items()],
    )


def given_energy(result):
    """What surfaces gave since step 0, and the mean per time of each: of a wall of a temperature the heat."""
    time, value = result.thinned("given_energy")
    labels = result.labels("given_energy")
    figure, axes = new_plot(time_label(result), result.label("energy given", energy=1))
    for label, column in zip(labels, value.T):
        axes.plot(time, column, lw=1, label=as_label(label))
    axes.legend(fontsize=8, ncols=3)
    length = np.diff(time)
    means = [steady_mean(column / length, length) for column in np.diff(value, axis=0).T]
    unit = result.unit_of(energy=1, time=-1)
    text, balance = energy_balance(result)
    of_each = [
        Number(f"energy per time from {label}", mean.value, mean.error, None, unit, mean.remark)
        for label, mean in zip(labels, means)
    ]
    return Section(
        "Energy from walls and bodies",
        [meaning_of(result, "given_energy"),
         "Per time it is the heat of surfaces of a temperature, and the power of walls that move.", *text],
        png_of(figure),
        numbers=of_each + balance,
        tables={"given_energy.csv": {"time": time, **dict(zip(labels, value.T))}},
    )
