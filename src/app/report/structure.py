# SPDX-License-Identifier: BSD-3-Clause
"""What frames show: the pair distribution g(r) and the distribution of speeds, from late frames.

g(r) is sampled. Cubes ("spots") are laid at random places; all particles inside are centres, and
their neighbours are those within reach of the cube. That is unbiased, costs centres times
neighbourhood rather than all pairs, and needs one pass over a frame in blocks. A spot keeps reach
from walls, so that every shell is whole.
"""
import numpy as np

from kinetic import maxwell_speeds
from page import Number, Section, png_of
from series import new_plot
from text import as_label

NUM_BINS = 120
MOST_CENTRES = 20000  # over all frames
MOST_DISTANCES = 4e7
LEAST_SPOTS = 12
DISTANCES_PER_BATCH = 500_000
MOST_SPECIES = 3  # with g(r) for each pair of species
MOST_ROWS = 4e6  # read for each of the two plots


class Spots:
    """Random cubes, which collect centres and neighbours from blocks of rows."""

    def __init__(self, result, reach, edge, number, random):
        self.result, self.reach, self.edge = result, reach, edge
        low = np.where(result.periodic, 0, reach + edge / 2)
        high = np.where(result.periodic, result.size, result.size - reach - edge / 2)
        self.places = low + (high - low) * random.random((number, result.dimension))
        self.near = [[] for _ in self.places]

    def nearest(self, separation):
        """Nearest images along periodic axes."""
        turns = np.rint(separation / self.result.size) * self.result.periodic
        return separation - turns * self.result.size

    def collect(self, position, species):
        """Notes the particles of a block that lie in or near each cube, relative to its middle."""
        for near, place in zip(self.near, self.places):
            relative = self.nearest(position - place)
            close = (abs(relative) < self.edge / 2 + self.reach).all(axis=1)
            near.append((relative[close], species[close]))

    def pairs(self):
        """Batches of (distances, species of centres, of neighbours); (centres by neighbours)."""
        for near in self.near:
            relative = np.concatenate([part[0] for part in near])
            species = np.concatenate([part[1] for part in near]).astype(int)
            inside = np.flatnonzero((abs(relative) < self.edge / 2).all(axis=1))
            batch = max(1, DISTANCES_PER_BATCH // max(len(relative), 1))
            for first in range(0, len(inside), batch):
                centres = inside[first : first + batch]
                separation = self.nearest(relative[None, :, :] - relative[centres][:, None, :])
                yield np.sqrt((separation**2).sum(axis=2)), species[centres], species


def number_of(result):
    """The number of particles in the last frame."""
    return result.count_in(result.num_frames - 1)


def reach_of(result):
    """How far g(r) goes: some diameters and mean distances, with whole shells in the box."""
    frame = result.num_frames - 1
    largest = max(float(radius.max(initial=0)) for radius, in result.blocks(frame, "radius"))
    spacing = (result.volume / number_of(result)) ** (1 / result.dimension)
    limits = np.where(result.periodic, result.size / 2, result.size / 4)
    return float(min(max(8 * largest, 3 * spacing), limits.min() * 0.999))


def choose_spots(result, reach, num_frames):
    """(edge, number in all) of the cubes: few large ones, since each looks at all particles, but so
    small that one fits the budget, and so few that they do not show the same particles again."""
    number_in_all = number_of(result)
    density = number_in_all / result.volume
    room = np.where(result.periodic, result.size, result.size - 2 * reach)
    edge = float(room.min())

    def costs():
        centres = max(density * edge**result.dimension, 1e-9)
        near = min(density * (edge + 2 * reach) ** result.dimension, number_in_all)
        return centres, centres * near

    while costs()[1] > MOST_DISTANCES / LEAST_SPOTS and costs()[0] > 1:
        edge *= 0.9
    centres, distances = costs()
    different = num_frames * float(np.prod(room)) / edge**result.dimension
    number = min(MOST_CENTRES / centres, MOST_DISTANCES / (distances + 1), different)
    return edge, max(1, int(number))


def shell_volumes(edges, dimension):
    inner = edges**dimension
    return np.diff(inner) * (np.pi if dimension == 2 else 4 * np.pi / 3)


def count_pairs(result, reach, random):
    """(counts[a][b][bin], centres[a], others[a][b]) over late frames: neighbours b of centres a.

    others: for all centres a together, the particles b of their frame that may be neighbours.
    """
    frames = result.late_frames(MOST_ROWS)
    edge, number = choose_spots(result, reach, len(frames))
    kinds = len(result.species)
    counts, centres = np.zeros((kinds, kinds, NUM_BINS)), np.zeros(kinds)
    others = np.zeros((kinds, kinds))
    for frame in frames:
        spots = Spots(result, reach, edge, max(1, number // len(frames)), random)
        all_of, centres_of = np.zeros(kinds), np.zeros(kinds)
        for position, species in result.blocks(frame, "position", "species"):
            spots.collect(position, species)
            all_of += np.bincount(species, minlength=kinds)
        for distance, of_centre, of_neighbour in spots.pairs():
            centres_of += np.bincount(of_centre, minlength=kinds)
            bins = np.floor(distance / reach * NUM_BINS).astype(int)
            valid = (bins < NUM_BINS) & (distance > 0)
            pair = (of_centre[:, None] * kinds + of_neighbour[None, :]) * NUM_BINS + bins
            counts += np.bincount(pair[valid], minlength=counts.size).reshape(counts.shape)
        centres += centres_of
        others += centres_of[:, None] * (all_of[None, :] - np.eye(kinds))
    return counts, centres, others


def distribution(result, counts, centres, shells):
    """(g, standard error) of counts; `centres` counts pairs of centres with all others."""
    expected = centres * shells / result.volume
    with np.errstate(invalid="ignore", divide="ignore"):
        return counts / expected, np.sqrt(2 * counts) / expected


def pair_distribution(result):
    """The section on g(r), or None where there are no pairs, or bodies take a part of the shells."""
    if result.num_frames == 0 or result.bodies or number_of(result) < 2:
        return None
    reach = reach_of(result)
    counts, centres, others = count_pairs(result, reach, np.random.default_rng(1))
    if centres.sum() == 0:
        return None
    edges = np.linspace(0, reach, NUM_BINS + 1)
    shells, r = shell_volumes(edges, result.dimension), (edges[1:] + edges[:-1]) / 2
    total, error = distribution(result, counts.sum(axis=(0, 1)), others.sum(), shells)
    columns = {"r": r, "g": total, "standard_error": error}
    if 1 < len(result.species) <= MOST_SPECIES:
        columns.update(partial_distributions(result, counts, others, shells))
    text = [
        f"From {int(centres.sum()):,} centres in random cubes of "
        f"{len(result.late_frames(MOST_ROWS))} late frames; {int(counts.sum()):,} pairs. "
        "The standard error takes pairs as independent, each seen from both ends.",
        "g is 1 where positions are independent.",
    ]
    if result.has_shapes:
        text.append("r is the distance of centres of mass, in all directions.")
    return Section(
        "Pair distribution g(r)", text, plot_pairs(result, columns), tables={"gr.csv": columns}
    )


def partial_distributions(result, counts, others, shells):
    """{name: g} for each pair of species."""
    columns = {}
    for a, name_a in enumerate(result.species):
        for b in range(a, len(result.species)):
            pairs = counts[a, b] if a == b else counts[a, b] + counts[b, a]
            seen = others[a, b] if a == b else others[a, b] + others[b, a]
            if seen > 0:
                columns[f"g_{name_a}_{result.species[b]}"] = distribution(
                    result, pairs, seen, shells
                )[0]
    return columns


def plot_pairs(result, columns):
    figure, axes = new_plot(result.label("r", length=1), "g(r)")
    axes.axhline(1, color="k", lw=0.8, ls="--")
    for name, values in columns.items():
        if name.startswith("g"):
            label = "all" if name == "g" else as_label(name[2:].replace("_", " - "))
            axes.plot(columns["r"], values, lw=1.4 if name == "g" else 1, label=label)
    if len(columns) > 3:
        axes.legend(fontsize=8)
    axes.set_ylim(bottom=0)
    return png_of(figure)


def relative_axes(result):
    """Along which velocities count relative to the centre of mass, as in the program's temperature.

    Those along which contacts conserve momentum: all species move along them. Brownian velocities are drawn, and
    conserve none, as do surfaces of a temperature.
    """
    is_conserving = not result.is_brownian and result.num_particles > 1 and not result.has_driven_surfaces
    return result.periodic[: result.dimension] & result.free_axes.all(axis=0) & is_conserving


def degrees_in(result, frame):
    """The axes along which the particles of a frame move, all together."""
    if not result.has_frozen_axes:
        return result.dimension * result.count_in(frame)
    return int(result.counts_in(frame) @ result.free_axes.sum(axis=1))


def thermal_motion(result, frame):
    """(velocity to be subtracted, temperature) of a frame: 2 E' / f, as the observable."""
    axes = relative_axes(result)
    freedom = degrees_in(result, frame) - int(axes.sum())
    momentum, total_mass = np.zeros(result.dimension), 0.0
    if freedom <= 0:
        return momentum, 0.0
    for velocity, mass in result.blocks(frame, "velocity", "mass"):
        momentum += mass @ velocity
        total_mass += float(mass.sum())
    drift = np.where(axes, momentum / total_mass, 0)
    blocks = result.blocks(frame, "velocity", "mass")
    energy = sum(float(mass @ ((velocity - drift) ** 2).sum(axis=1)) for velocity, mass in blocks)
    return drift, energy / freedom


def speed_histogram(result, frames):
    """(edges of u = v / sqrt(T/m), counts), v and T those of the thermal motion of the frame."""
    edges = np.linspace(0, 6, 61)
    counts = np.zeros(len(edges) - 1)
    for frame in frames:
        drift, temperature = thermal_motion(result, frame)
        for velocity, mass in result.blocks(frame, "velocity", "mass") if temperature > 0 else []:
            u = np.sqrt(mass * ((velocity - drift) ** 2).sum(axis=1) / temperature)
            counts += np.histogram(u, edges)[0]
    return edges, counts


def speeds(result):
    """The section on speeds, or None where nothing moves, or not along all axes."""
    frames = result.late_frames(MOST_ROWS)
    if not frames or result.has_frozen_axes:
        return None
    edges, counts = speed_histogram(result, frames)
    if counts.sum() == 0:
        return None
    u = (edges[1:] + edges[:-1]) / 2
    total = counts.sum() * np.diff(edges)
    density, error = counts / total, np.sqrt(counts) / total
    maxwell = maxwell_speeds(u, result.dimension)
    figure, axes = new_plot("speed / sqrt(T/m)", "probability density")
    axes.errorbar(u, density, error, fmt="o", ms=3, lw=1, label="particles")
    axes.plot(u, maxwell, color="k", lw=1, ls="--", label="Maxwell")
    axes.legend()
    text = [
        f"{int(counts.sum()):,} speeds in {len(frames)} late frames, each in units of its thermal "
        "speed at the temperature of the frame."
    ]
    second = float((counts * u**2).sum() / counts.sum())
    fourth = float((counts * u**4).sum() / counts.sum())
    of_maxwell = 2.0 if result.dimension == 2 else 5 / 3
    is_expected = not result.theory.get("reacts")
    number = Number(
        "<v^4> / <v^2>^2 in thermal units",
        fourth / second**2,
        None,
        of_maxwell if is_expected else None,
        remark="from the histogram; "
        + ("expected: Maxwell" if is_expected else f"Maxwell's, which reactions disturb: {of_maxwell:.4g}"),
    )
    columns = {"speed": u, "density": density, "standard_error": error, "maxwell": maxwell}
    return Section("Speeds", text, png_of(figure), numbers=[number], tables={"speeds.csv": columns})
