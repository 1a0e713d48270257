# SPDX-License-Identifier: BSD-3-Clause
"""A gas that cools: inelastic contacts take energy away and nothing gives it back.

Nothing is steady then, so there are no means: temperature, dissipation, pressure and collision rate
are drawn against time on logarithmic axes. As long as such a gas stays uniform, Haff's law holds,
    T(t) = T_0 (1 + w t)^-2,  w = (1 - e^2) nu_0 / (2 d),
with nu_0 the collision rate of a particle at T_0 (Haff, J. Fluid Mech. 134, 401 (1983)); velocities
are taken as Maxwell's. The line is drawn for equal particles without walls; the program gives w. A
gas that clusters cools more slowly.
"""
import numpy as np

from page import Number, Section, png_of
from series import make_logarithmic, meaning_of, new_plot, pressure_unit, time_label


def haff_rate(result, temperature):
    """w for a start at this temperature, or None where the law does not hold."""
    rate = result.theory.get("cooling_rate")
    return None if rate is None else rate * np.sqrt(temperature / result.theory["kT"])


def haff_temperature(time, start, rate):
    return start * (1 + rate * time) ** -2


def plot_cooling(result, time, values, ylabel, law=None):
    """values and the law against time since the first sample, on logarithmic axes."""
    figure, axes = new_plot(time_label(result) + " since the first sample", ylabel)
    shown = (time > 0) & (values > 0)
    axes.plot(time[shown], values[shown], lw=1.2, color="tab:blue", label="samples")
    if law is not None:
        axes.plot(time[shown], law[shown], "k--", lw=1, label="Haff's law, of a uniform gas")
        axes.legend()
    if shown.any():
        make_logarithmic(axes, "x", "y")
    return png_of(figure)


def temperature(result):
    time, value = result.thinned("temperature")
    time = time - time[0]
    rate = haff_rate(result, value[0])
    law = None if rate is None else haff_temperature(time, value[0], rate)
    unit = result.unit_of(energy=1)
    text = [
        "Contacts take energy away and nothing gives it back: the gas cools, and no mean over the "
        "run is that of a steady state.",
        meaning_of(result, "temperature"),
    ]
    columns = {"time": time, "temperature": value}
    return Section(
        "Cooling",
        text,
        plot_cooling(result, time, value, result.label("temperature", energy=1), law),
        numbers=[
            Number("temperature at the first sample", float(value[0]), unit=unit),
            Number("temperature at the last sample", float(value[-1]), None,
                   None if law is None else float(law[-1]), unit,
                   "" if law is None else "expected: Haff's law, of a uniform gas"),
        ],
        tables={"temperature.csv": columns if law is None else {**columns, "haff": law}},
    )


def dissipation(result):
    """The energy that contacts take per particle and time, from the differences of samples."""
    time, energy = result.thinned("energy")
    number = result.num_particles
    middle = (time[1:] + time[:-1]) / 2 - time[0]
    lost = -np.diff(energy) / np.diff(time) / number
    start = float(result.first_value("temperature"))
    rate, law = haff_rate(result, start), None
    if rate is not None:
        law = result.dimension * start * rate * (1 + rate * middle) ** -3
    ylabel = result.label("energy lost per particle and time", energy=1, time=-1)
    share = 1 - energy[-1] / energy[0]
    columns = {"time": middle, "energy_lost_per_particle_and_time": lost}
    return Section(
        "Dissipation",
        ["Kinetic energy lost in contacts, per particle and time."],
        plot_cooling(result, middle, lost, ylabel, law),
        numbers=[Number("share of the energy lost", float(share))],
        tables={"dissipation.csv": columns if law is None else {**columns, "haff": law}},
    )


def collision_rate(result):
    ylabel = result.label("collisions per particle and time", time=-1)
    section = decaying(result, "collision_rate", "Collision rate", ylabel)
    collisions = 2 * result.num_pair_contacts() / result.num_particles
    section.numbers = [Number("collisions per particle in all", float(collisions))]
    return section


def pressure(result):
    ylabel = result.label("pressure", **pressure_unit(result))
    return decaying(result, "pressure", "Pressure", ylabel)


def decaying(result, name, title, ylabel):
    """A section on an observable that falls with the temperature."""
    time, value, _ = result.averaged(name)
    time = time - float(result.run["observables"][name]["time"][0])
    return Section(
        title,
        [meaning_of(result, name)],
        plot_cooling(result, time, value, ylabel),
        tables={name + ".csv": {"time": time, name: value}},
    )
