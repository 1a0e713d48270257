# SPDX-License-Identifier: BSD-3-Clause
"""What changes in time: temperature, energy, pressure, collision rate, mean squared displacement.

Errors. The pressure's and the collision rate's come from the number of contacts Nc, 1.3/sqrt(Nc) of
the collisional part and 1/sqrt(Nc) (measured over runs of 2,000 hard spheres). The error of a
diffusion coefficient is that of the least-squares slope for independent Brownian particles, whose
mean squared displacements at times s < t have the covariance 2 d (2 D s)^2 / n: exact for free
ones, an estimate otherwise.
"""
import numpy as np
from matplotlib import pyplot
from matplotlib.ticker import LogFormatter

from page import Number, Section, png_of
from text import as_label, plain

FIT_FROM = 0.2  # of the run: before it, ballistic flight and caging bend the curve


def new_plot(xlabel, ylabel):
    figure, axes = pyplot.subplots(figsize=(6.6, 3.5), layout="constrained")
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.grid(alpha=0.3)
    return figure, axes


def make_logarithmic(axes, *names):
    """Scales the axes of these names by the logarithm, with numbers at the ticks without mathtext."""
    for name in names:
        axes.set(**{f"{name}scale": "log"})
        axis = getattr(axes, f"{name}axis")
        axis.set_major_formatter(LogFormatter())
        axis.set_minor_formatter(LogFormatter(labelOnlyBase=False))


def time_label(result):
    return "time" + result.unit("time")


def mean_temperature(result):
    """kT over the run: given for Brownian particles, else the mean of the samples."""
    if result.is_brownian:
        return result.theory["kT"]
    return float(result.thinned("temperature")[1].mean())


def temperature(result):
    time, value = result.thinned("temperature")
    figure, axes = new_plot(time_label(result), "temperature" + result.unit("energy"))
    axes.plot(time, value, lw=1)
    if result.theory.get("kT"):
        axes.axhline(result.theory["kT"], color="k", lw=0.8, ls="--", label="kT of the input")
        axes.legend()
    middle, half = value.mean(), max(1.2 * np.ptp(value), 0.02 * value.mean())
    axes.set_ylim(middle - half, middle + half)
    text = [
        "2 E / (d N), with the velocities and masses of the file"
        + (": those of the steps, which fluctuate about kT." if result.is_brownian else ".")
    ]
    spread = float(value.std() / np.sqrt(len(value))) if result.is_brownian else None
    numbers = [
        Number(
            "temperature",
            float(value.mean()),
            spread,
            result.theory.get("kT"),
            "mean of the samples",
        )
    ]
    return Section(
        "Temperature",
        text,
        png_of(figure),
        numbers=numbers,
        tables={"temperature.csv": {"time": time, "temperature": value}},
    )


def energy(result):
    time, value = result.thinned("energy")
    scale = abs(value[0]) or 1.0
    drift = (value - value[0]) / scale
    figure, axes = new_plot(time_label(result), "(E - E\u2080) / E\u2080")
    axes.plot(time, drift, lw=1)
    axes.ticklabel_format(axis="y", style="sci", scilimits=(-2, 2))
    text = ["Relative change of the kinetic energy since the first sample."]
    if result.is_brownian:
        text.append(
            "Brownian particles draw new velocities in every step: a fluctuation, not an error."
        )
    numbers = [Number("largest relative energy change", float(abs(drift).max()))]
    return Section(
        "Energy drift",
        text,
        png_of(figure),
        numbers=numbers,
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


def reference_text(result, what):
    texts = []
    if not result.periodic.all():
        texts.append(
            "The reference is that of the bulk; near walls particles are denser than on average."
        )
    if not result.theory.get("equal"):
        texts.append(f"The reference for mixtures is good to a few per cent of the {what}.")
    return texts


def plot_with_reference(result, series, ylabel, expected, label):
    time, value = series
    figure, axes = new_plot(time_label(result), ylabel)
    axes.plot(time, value, lw=0.8, color="tab:blue", alpha=0.7, label="samples")
    if len(value) >= 20:
        axes.plot(
            time,
            np.cumsum(value) / np.arange(1, len(value) + 1),
            color="tab:orange",
            label="mean so far",
        )
    if expected is not None:
        axes.axhline(expected, color="k", lw=1, ls="--", label=label)
    axes.legend()
    return png_of(figure)


def time_average(series):
    return float(np.mean(series[1])) if len(series[1]) else float("nan")


def pressure(result):
    series = result.averaged("pressure")
    kT = mean_temperature(result)
    mean, expected = time_average(series), expected_pressure(result, kT)
    label = "Boublik-Kolafa" if result.dimension == 3 else "Liu"
    label = label if result.theory.get("equal") else "mixture theory"
    ideal = result.num_particles * kT / result.volume
    collisions = result.num_pair_contacts()
    error = abs(mean - ideal) * 1.3 / np.sqrt(collisions) if collisions else None
    image = plot_with_reference(result, series, "pressure", expected, label)
    text = [plain(result.run["observables/pressure"].attrs["meaning"]) + "."]
    if expected is not None:
        text += [f"Reference line: {label}."] + reference_text(result, "collisional part")
    numbers = [
        Number("pressure", mean, error, expected),
        Number(
            "compressibility P V / (N kT)",
            mean / ideal,
            error and error / ideal,
            result.theory.get("compressibility"),
        ),
    ]
    return Section(
        "Pressure",
        text,
        image,
        numbers=numbers,
        tables={"pressure.csv": {"time": series[0], "pressure": series[1]}},
    )


def collision_rate(result):
    series = result.averaged("collision_rate")
    collisions = result.num_pair_contacts()
    rate = 2 * collisions / (result.num_particles * result.observed_time())
    expected = expected_rate(result, mean_temperature(result))
    label = "Enskog theory" if result.theory.get("equal") else "Enskog estimate"
    image = plot_with_reference(result, series, "collisions per particle and time", expected, label)
    text = ["Collisions of one particle with others per time."]
    if expected is not None:
        text += [f"Reference line: {label}, at the mean temperature."] + reference_text(
            result, "rate"
        )
    error = rate / np.sqrt(collisions) if collisions else None
    return Section(
        "Collision rate",
        text,
        image,
        numbers=[Number("collision rate per particle", rate, error, expected)],
        tables={"collision_rate.csv": {"time": series[0], "collision_rate": series[1]}},
    )


def fit_diffusion(time, msd, dimension, number):
    """(D, standard error, intercept) of MSD = a + 2 d D t by least squares."""
    x = time - time.mean()
    weight = x / (x @ x)
    slope = float(weight @ msd)
    earlier = np.minimum.outer(time, time)
    variance = 2 / (dimension * number) * float(weight @ earlier**2 @ weight)
    diffusion = slope / (2 * dimension)
    return diffusion, abs(diffusion) * np.sqrt(variance), float(msd.mean() - slope * time.mean())


def diffusion_of_species(result, time, msd, k):
    """The fit for one species as (Number, (time, line)), or None where it has no meaning."""
    chosen = np.flatnonzero(time >= FIT_FROM * time[-1])
    chosen = chosen[:: -(-len(chosen) // 300)]
    if len(chosen) < 5 or result.counts[k] == 0 or msd[-1, k] <= 0 or not result.periodic.all():
        return None
    at = time[chosen]
    diffusion, error, intercept = fit_diffusion(
        at, msd[chosen, k], result.dimension, result.counts[k]
    )
    free = result.theory.get("diffusion", [None] * len(result.species))[k]
    number = Number(
        f"diffusion coefficient of {result.species[k]}",
        diffusion,
        error,
        free,
        "expected: that of a free particle" if free is not None else "",
    )
    return number, (at, intercept + 2 * result.dimension * diffusion * at)


def displacement(result):
    time, msd = result.thinned("mean_square_displacement")
    time = time - time[0]
    figure, axes = new_plot(time_label(result), "mean of |x - x\u2080|\u00b2")
    numbers = []
    for k, name in enumerate(result.species):
        (line,) = axes.plot(time[1:], msd[1:, k], lw=1.2, label=as_label(name))
        fit = diffusion_of_species(result, time, msd, k)
        if fit:
            numbers.append(fit[0])
            axes.plot(*fit[1], color=line.get_color(), ls="--", lw=2.4, alpha=0.5)
    if (msd[1:] > 0).all() and len(time) > 2:
        make_logarithmic(axes, "x", "y")
    axes.legend(fontsize=8, ncols=2 if len(result.species) > 6 else 1)
    text = ["Per species, since the first sample, with positions unwrapped."]
    if numbers:
        text.append(
            f"Dashed: the fit of a + 2 d D t to t > {FIT_FROM:g} of the run. The standard "
            "error is that for independent Brownian particles."
        )
    elif not result.periodic.all():
        text.append("Walls bound the displacement, so no diffusion coefficient is fitted.")
    columns = {"time": time, **{f"msd_{name}": msd[:, k] for k, name in enumerate(result.species)}}
    return Section(
        "Mean squared displacement",
        text,
        png_of(figure),
        numbers=numbers,
        tables={"msd.csv": columns},
    )


def wall_pressure(result):
    if not result.has_observable("wall_pressure"):
        return None
    time, value = result.thinned("wall_pressure")
    figure, axes = new_plot(time_label(result), "pressure on a wall")
    labels = result.labels("wall_pressure")
    for k, label in enumerate(labels):
        axes.plot(time[1:], value[1:, k], lw=0.8, label=as_label(label))
    axes.legend(fontsize=8, ncols=3)
    numbers = [
        Number(f"pressure on the wall {label}", float(np.mean(value[1:, k])))
        for k, label in enumerate(labels)
    ]
    columns = {"time": time[1:], **{label: value[1:, k] for k, label in enumerate(labels)}}
    return Section(
        "Pressure on the walls",
        ["Momentum given to a wall per area and time."],
        png_of(figure),
        numbers=numbers,
        tables={"wall_pressure.csv": columns},
    )
