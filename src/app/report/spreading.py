# SPDX-License-Identifier: BSD-3-Clause
"""The section on diffusion: mean squared displacements, D of each species with its error, and for
Brownian particles D / D0, also by classes of radius where radii are distributed.

D0 of a Brownian particle follows from its effective mass in the file, kT timestep / (2 mass). Where
frames are too few to follow particles, or bounded or cooling, the displacements since the first
sample are shown without a coefficient.
"""
from dataclasses import dataclass

import numpy as np
from matplotlib import pyplot

from diffusion import FEWEST_FRAMES, FIT_FROM, FIT_TO, fit_lags, follow, spreading_of
from digits import with_error
from lives import diffusion_of, follow_lives
from page import Number, Section, png_of
from series import make_logarithmic, new_plot, time_label
from text import as_label

NUM_CLASSES = 5  # of radii
MOST_ALIKE = 1e-6  # relative spread of radii that are not distributed
MOST_BIAS = 0.01  # of D, without a note
LONG_TIME = 1  # in units of the time in which a free particle moves by its radius
RADIUS_OF_SHAPES = (
    "The radius of a particle that has a shape is the distance of its farthest corner from its centre of mass."
)


@dataclass
class Group:
    """Particles that one D is given for: (value, standard error or None)."""

    name: str
    species: int
    number: int
    radius: float
    diffusion: tuple
    free: float | None  # mean of D0
    ratio: tuple | None
    num_lags: int  # that the fit may use


def mean_of_particles(values):
    """(mean, standard error or None) of values of particles, taken as independent."""
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else None
    return float(values.mean()), error


def free_diffusion(result, mass):
    """D0 of particles with these effective masses; None for ballistic ones."""
    if not result.is_brownian or "kT" not in result.theory:
        return None
    return result.theory["kT"] * result.timestep / (2 * mass)


def classes_of(radius):
    """Lists of particles: classes of about equal numbers by radius; one where all radii are alike."""
    if len(radius) < NUM_CLASSES or np.ptp(radius) <= MOST_ALIKE * radius.mean():
        return []
    return np.array_split(np.argsort(radius, kind="stable"), NUM_CLASSES)


def groups_of(result, paths, spreading):
    """(groups of whole species, groups by radius)."""
    whole, by_radius = [], []

    def group(name, k, rows):
        own, coefficient = free_diffusion(result, paths.mass[rows]), spreading.coefficient[rows]
        return Group(name, k, len(rows), float(paths.radius[rows].mean()), mean_of_particles(coefficient),
                     None if own is None else own.mean(),
                     None if own is None else mean_of_particles(coefficient / own), len(spreading.lag))

    for k, name in enumerate(result.species):
        rows = np.flatnonzero(paths.species == k)
        if len(rows) == 0 or not result.moves(k):
            continue
        whole.append(group(name, k, rows))
        for part in classes_of(paths.radius[rows]):
            radii = paths.radius[rows[part]]
            span = f"{radii.min():.3g} to {radii.max():.3g} {result.unit_of(length=1)}".rstrip()
            by_radius.append(group(f"{name}, radius {span}", k, rows[part]))
    return whole, by_radius


def groups_of_lives(result, lives, spreading):
    """Groups of the species that live long enough."""
    groups = []
    for k, (name, found) in enumerate(zip(result.species, spreading.coefficient)):
        if found is None or not result.moves(k):
            continue
        rows = lives.species == k
        free = free_diffusion(result, lives.mass[rows])
        mean = None if free is None else free.mean()
        groups.append(Group(name, k, int(rows.any(axis=0).sum()), float(lives.radius[rows].mean()), found, mean,
                            None if free is None else (found[0] / mean, found[1] / mean), spreading.num_lags[k]))
    return groups


def diffusion_unit(result):
    return result.unit_of(length=2, time=-1)


def is_early(spreading, group):
    """Whether the fit begins before a free particle has moved by its radius: D is not yet that at long times."""
    if group.free is None:
        return False
    first = spreading.lag[fit_lags(group.num_lags)[0]]
    return first < LONG_TIME * group.radius**2 / group.free


def remark_on(spreading, group):
    """How far an early group has moved, for readers of the summary alone."""
    if not is_early(spreading, group):
        return ""
    last = fit_lags(group.num_lags)[-1]
    moved = np.sqrt(spreading.msd[last, group.species]) / group.radius
    return f"moved {moved:.2g} radii: not yet at long times"


def numbers_of(result, spreading, groups):
    numbers = []
    for group in groups:
        value, error = group.diffusion
        unit, remark = diffusion_unit(result), remark_on(spreading, group)
        name = f"diffusion coefficient of {group.name}"
        numbers.append(Number(name, value, error, None, unit, remark))
        if group.free is not None:
            numbers.append(Number(f"D/D₀ of {group.name}", *group.ratio, remark=remark))
    return numbers


def table_of(groups):
    """The columns of diffusion.csv."""

    def column(pairs):
        return [float("nan") if error is None else error for _, error in pairs]

    found = [group.diffusion for group in groups]
    columns = {
        "group": [group.name for group in groups],
        "particles_followed": [group.number for group in groups],
        "mean_radius": [group.radius for group in groups],
        "diffusion": [value for value, _ in found],
        "standard_error": column(found),
    }
    if groups[0].free is None:
        return columns
    ratios = [group.ratio for group in groups]
    return {
        **columns,
        "free_diffusion": [group.free for group in groups],
        "ratio": [value for value, _ in ratios],
        "standard_error_of_ratio": column(ratios),
    }


def rows_of(result, spreading, groups):
    """The table on the page, its head first; of Brownian particles with what D0 says of the steps."""
    unit = diffusion_unit(result)
    head = ["", "followed", result.label("mean radius", length=1), f"D ({unit})" if unit else "D"]
    is_brownian = groups[0].free is not None
    if is_brownian:
        head += ["D₀", "D/D₀", "√(2 D₀ Δt) / radius", "time followed / (radius²/D₀)"]
    rows = [head]
    for group in groups:
        row = [group.name, f"{group.number:,}", f"{group.radius:.4g}",
               with_error(*group.diffusion)]
        if is_brownian:
            free = group.free
            step = np.sqrt(2 * free * result.timestep) / group.radius
            time = spreading.lag[group.num_lags - 1] * free / group.radius**2
            row += [f"{free:.4g}", with_error(*group.ratio), f"{step:.2g}", f"{time:.2g}"]
        rows.append(row)
    return rows


def species_rows(result):
    """What theory knows of each Brownian species, the head first."""
    rows = [["", "particles", "volume fraction", "expected bias of D at long times"]]
    fractions, biases = result.theory["fractions"], result.theory["diffusion_bias"]
    for name, count, fraction, bias in zip(result.species, result.counts, fractions, biases):
        known = [f"{fraction:.3g}", f"{-100 * bias:.2g} %"] if count else ["–", "–"]
        rows.append([name, f"{count:,}", *known])
    return rows


def steps_section(result):
    """What the length of the steps does to diffusion, or None where it is not known."""
    if "diffusion_bias" not in result.theory:
        return None
    biased = [
        name for name, bias in zip(result.species, result.theory["diffusion_bias"])
        if bias > MOST_BIAS
    ]
    text = [
        "Steps are straight, which makes diffusion at long times too slow where particles are "
        "crowded, by about a multiple of √(2 D₀ Δt) / diameter. The bias is an estimate from "
        "equal spheres."
    ]
    if biased:
        text.append(
            f"More than {100 * MOST_BIAS:g} % for {', '.join(biased)}: a quarter of the timestep "
            "halves it."
        )
    return Section("Steps", text, rows=species_rows(result))


def species_shown(result, msd, spreading):
    """Numbers of the species with a curve: displacements since the start, or particles that are followed."""
    return [
        k for k in range(len(result.species))
        if result.moves(k)
        and ((spreading and spreading.num_lags[k] > 1) or (result.has_species(k) and np.isfinite(msd[1:, k]).any()))
    ]


def text_of_left_out(result, msd, shown):
    """Which species have no curve and why, as sentences."""
    names = [(name, k) for k, name in enumerate(result.species) if k not in shown and result.moves(k)]
    resting = [name for k, name in enumerate(result.species) if not result.moves(k)]
    changing = [name for name, k in names if np.isnan(msd[1:, k]).all()]
    absent = [name for name, k in names if not np.isnan(msd[1:, k]).all()]
    text = []
    if changing:
        text.append(f"Left out: {', '.join(changing)}, which contacts or decays make or change, so that too few are "
                    "followed.")
    if resting:
        text.append(f"Left out: {', '.join(resting)}, whose particles rest.")
    if absent:
        text.append(f"Left out: {', '.join(absent)}, of which there are none at the start.")
    return text


def plot_displacements(result, spreading, whole, shown):
    """Against the lag: over all origins from the frames, and before their first lag since the first
    sample; for Brownian particles also divided by that of free ones."""
    is_relative = bool(whole) and whole[0].free is not None
    figure, both = pyplot.subplots(
        1, 2 if is_relative else 1, figsize=(10 if is_relative else 6.6, 3.8), squeeze=False,
        layout="constrained")
    time, msd = result.thinned("mean_square_displacement")
    time, msd = time[1:] - time[0], msd[1:]
    free = {group.species: group.free for group in whole} if is_relative else {}
    colours = pyplot.get_cmap("tab20" if len(result.species) > 10 else "tab10").colors
    for k in shown:
        name, colour = result.species[k], colours[k % len(colours)]
        for axes, scale in zip(both[0], (None, free.get(k))):
            draw_species(axes, (time, msd[:, k]), spreading, k, colour, as_label(name), scale,
                         result.num_free_axes[k])
    is_positive = bool((msd > 0).any()) or (spreading is not None and bool((spreading.msd > 0).any()))
    finish_axes(result, both[0], len(shown), len(time) > 1 and is_positive)
    return png_of(figure)


def draw_species(axes, since_start, spreading, k, colour, label, free, num_axes):
    """One species in one panel; divided by 2 d D0 t where D0 is given."""

    def scaled(time, msd):
        return msd if free is None else msd / (2 * num_axes * free * time)

    time, msd = since_start
    if spreading and spreading.num_lags[k] > 1:
        last = fit_lags(spreading.num_lags[k])[-1] + 1
        lag, mean = spreading.lag[1:last], spreading.msd[1:last, k]
        axes.plot(lag, scaled(lag, mean), color=colour, lw=1.2, marker="o", ms=2.5, label=label)
        time, msd, label = time[time <= lag[0]], msd[time <= lag[0]], None
    axes.plot(time, scaled(time, msd), lw=0.8, color=colour, label=label)


def finish_axes(result, panels, num_shown, is_positive):
    axes = panels[0]
    axes.set(xlabel=time_label(result), ylabel=result.label("mean of |x(t) - x(0)|²", length=2))
    if is_positive:
        make_logarithmic(axes, "x", "y")
    if len(panels) > 1:
        panels[1].set(xlabel=time_label(result), ylabel="the same / (2 d D₀ t)", ylim=(0, 1.25))
        make_logarithmic(panels[1], "x")
        panels[1].axhline(1, color="k", lw=0.8, ls="--")
    for each in panels:
        each.grid(alpha=0.3)
    many = num_shown > 6
    panels[-1].legend(fontsize=8, ncols=2 if many and len(panels) == 1 else 1,
                      loc="center left" if len(panels) > 1 else "best",
                      bbox_to_anchor=(1, 0.5) if len(panels) > 1 else None)


def plot_by_radius(result, groups):
    """D / D0 against the radius."""
    figure, axes = new_plot(result.label("mean radius of a class", length=1), "D/D₀")
    for k, name in enumerate(result.species):
        own = [group for group in groups if group.species == k]
        if own:
            ratio, error = zip(*(group.ratio for group in own))
            radius = [group.radius for group in own]
            axes.errorbar(radius, ratio, error, fmt="o", capsize=3, label=as_label(name))
    axes.set_ylim(0, 1.1)
    axes.legend(fontsize=8)
    return png_of(figure)


def text_of_fit(result, spreading, groups):
    text = "Dots: means over all time origins in the frames; before: since the first sample. D is the slope over 2 d"
    lags = np.array([spreading.lag[fit_lags(group.num_lags)[[0, -1]]] for group in groups])
    if result.has_frozen_axes:
        text += " (d is the number of axes along which a species moves)"
    spans = [f"from {first:.4g} to {last:.4g} {result.unit_of(time=1)}".rstrip() for first, last in lags]
    if result.is_changing:
        named = "; ".join(f"{span} for {group.name}" for span, group in zip(spans, groups))
        text = [f"{text}, for lags {named}. Of particles that react or decay, those count that live through the lag: "
                "D is that of survivors. Its standard error is the scatter over parts of the particles."]
    else:
        text = [f"{text} for lags {spans[0]} ({FIT_FROM:g} to {FIT_TO:g} of the time followed); its standard error is "
                "the scatter over the particles, taken as independent."]
    early = [group.name for group in groups if is_early(spreading, group)]
    if early:
        text.append(
            "Not yet diffusion at long times: the shortest lag of the fit is below radius²/D₀ for "
            + ", ".join(early) + ". D at long times is smaller."
        )
    return text


def fitted(result):
    """(spreading or None, groups of whole species, groups by radius)."""
    if result.is_changing:
        lives = follow_lives(result)
        spreading = diffusion_of(lives, result.num_free_axes) if lives else None
        return spreading, groups_of_lives(result, lives, spreading) if lives else [], []
    paths = follow(result)
    if paths is None:
        return None, [], []
    spreading = spreading_of(paths, result.num_free_axes)
    return spreading, *groups_of(result, paths, spreading)


def displacement(result):
    """The section, and one on D by radius where radii are distributed."""
    can_fit = result.periodic.all() and not result.is_cooling and not result.is_drifting
    spreading, whole, by_radius = fitted(result) if can_fit else (None, [], [])
    time, msd = result.thinned("mean_square_displacement")
    columns = {f"msd_{name}": msd[:, k] for k, name in enumerate(result.species)}
    tables = {"msd.csv": {"time": time - time[0], **columns}}
    text = ["Mean squared displacement per species, with positions unwrapped."]
    if not result.periodic.all():
        text.append("Walls bound the displacement, so no diffusion coefficient is fitted.")
    elif result.is_drifting:
        text.append("It has the drift of the particles in it, so no diffusion coefficient is fitted.")
    elif not whole and can_fit:
        text.append(
            f"A diffusion coefficient needs {FEWEST_FRAMES} equally spaced frames or more"
            + (", and particles that live through some of them." if result.is_changing else ".")
        )
    shown = species_shown(result, msd, spreading)
    left_out = text_of_left_out(result, msd, shown)
    if not shown:
        return [Section("Diffusion", left_out), steps_section(result)]
    text += left_out
    section = Section(
        "Diffusion", text, plot_displacements(result, spreading, whole, shown), tables=tables)
    if not whole:
        return [section, steps_section(result)]
    section.text += text_of_fit(result, spreading, whole) + ([RADIUS_OF_SHAPES] if result.has_shapes else [])
    section.numbers, section.rows = numbers_of(result, spreading, whole), rows_of(result, spreading, whole + by_radius)
    tables["msd_all_origins.csv"] = {
        "lag": spreading.lag,
        **{f"msd_{name}": spreading.msd[:, k] for k, name in enumerate(result.species)},
    }
    tables["diffusion.csv"] = table_of(whole + by_radius)
    return [section, *by_radius_sections(result, by_radius), steps_section(result)]


def by_radius_sections(result, groups):
    if not groups or groups[0].free is None:
        return []
    text = [f"Each species with distributed radii in {NUM_CLASSES} classes of equal numbers."]
    return [Section("Diffusion by radius", text, plot_by_radius(result, groups))]
