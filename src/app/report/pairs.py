# SPDX-License-Identifier: BSD-3-Clause
"""Contacts by pair of species, from the counters among the observables."""
from dataclasses import dataclass

import numpy as np
from matplotlib import pyplot
from matplotlib.colors import LogNorm

from averages import Mean, steady_mean
from digits import with_error
from page import Section, png_of
from series import STRAIGHT_STEPS
from text import as_label

MOST_IN_TABLE = 10  # pairs; more are drawn as a matrix
MOST_WRITTEN = 14  # species in a matrix with numbers in it


@dataclass
class Pair:
    """b is None for walls and bodies. rate: contacts per time in the box."""

    a: int
    b: int
    partner: str  # name of b
    label: str
    number: int
    rate: Mean


def pairs_of(result):
    """The Pairs in the order of the file; those without particles are left out."""
    time, counts = result.thinned("contacts")
    length = np.diff(time)
    pairs = []
    for k, (a, b) in enumerate(result.contact_pairs()):
        exists = not result.periodic.all() if b is None else result.has_species(b)
        if exists and result.has_species(a):
            rate = steady_mean(np.diff(counts[:, k]) / length, length)
            label = result.labels("contacts")[k]
            partner = "wall" if b is None else result.species[b]
            pairs.append(Pair(a, b, partner, label, int(counts[-1, k] - counts[0, k]), rate))
    return pairs + with_bodies(result)


def with_bodies(result):
    """Species and bodies that met, in the order of the file."""
    if not result.has_observable("body_contacts"):
        return []
    time, counts = result.thinned("body_contacts")
    length = np.diff(time)
    labels = result.labels("body_contacts")
    pairs = []
    for k in np.flatnonzero(counts[-1] > counts[0]):
        rate = steady_mean(np.diff(counts[:, k]) / length, length)
        species, body = divmod(int(k), len(result.bodies))
        number = int(counts[-1, k] - counts[0, k])
        pairs.append(Pair(species, None, result.bodies[body], labels[k], number, rate))
    return pairs


def per_particle(result, pair):
    """Contacts of one particle of a with particles of b per time, and of one of b with those of a."""
    both = 2 if pair.a == pair.b else 1
    return tuple(both * pair.rate.value / result.counts[k] for k in (pair.a, pair.b))


def rows_of(result, pairs):
    unit = result.unit_of(time=-1)
    rows = [["pair", "contacts", f"per time in the box ({unit})" if unit else "per time in the box"]]
    return rows + [
        [pair.label, f"{pair.number:,}", with_error(pair.rate.value, pair.rate.error)]
        for pair in pairs
    ]


def matrix_of(result, pairs):
    """[a, b]: contacts of one particle of a with particles of b per time; NaN where none."""
    matrix = np.full((len(result.species),) * 2, np.nan)
    for pair in pairs:
        if pair.b is not None and pair.number > 0:
            matrix[pair.a, pair.b], matrix[pair.b, pair.a] = per_particle(result, pair)
    return matrix


def plot_matrix(result, matrix):
    names = [as_label(name) for name in result.species]
    figure, axes = pyplot.subplots(figsize=(8.4, 6.6), layout="constrained")
    image = axes.imshow(matrix, norm=LogNorm(), cmap="viridis")
    axes.set_xticks(range(len(names)), names, rotation=60, ha="right", fontsize=8)
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.set(xlabel="partner", ylabel="one particle of")
    middle = np.sqrt(np.nanmin(matrix) * np.nanmax(matrix))
    for (a, b), rate in np.ndenumerate(matrix if len(names) <= MOST_WRITTEN else np.empty((0, 0))):
        if np.isfinite(rate):
            colour = "w" if rate < middle else "k"
            axes.text(b, a, f"{rate:.2g}", ha="center", va="center", fontsize=7, color=colour)
    figure.colorbar(image, label=result.label("contacts per time", time=-1), format="%g")
    return png_of(figure)


def columns_of(result, pairs):
    errors = (pair.rate.error for pair in pairs)
    return {
        "a": [result.species[pair.a] for pair in pairs],
        "b": [pair.partner for pair in pairs],
        "contacts": [pair.number for pair in pairs],
        "contacts_per_time": [pair.rate.value for pair in pairs],
        "standard_error": [float("nan") if error is None else error for error in errors],
    }


def contacts_by_pair(result):
    """The section, or None for one species without walls and bodies, and where nothing met."""
    pairs = pairs_of(result)
    if len(pairs) < 2 or not any(pair.number for pair in pairs):
        return None
    text = [STRAIGHT_STEPS] if result.is_brownian else []
    section = Section(
        "Contacts by pair of species",
        text,
        tables={"contacts_by_pair.csv": columns_of(result, pairs)},
    )
    if result.is_cooling:
        section.rows = [row[:2] for row in rows_of(result, pairs)]
        return section
    is_table = len(pairs) <= MOST_IN_TABLE or not result.has_counts
    matrix = None if is_table else matrix_of(result, pairs)
    if is_table or not np.isfinite(matrix).any():
        section.rows = rows_of(result, pairs)
    else:
        section.image = plot_matrix(result, matrix)
        section.text.insert(0, "Contacts of one particle with particles of another species per time.")
    return section
