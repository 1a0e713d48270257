# SPDX-License-Identifier: BSD-3-Clause
"""A result file as the report needs it, read in pieces.

The layout stands in src/result/FORMAT.md. Only rows that the counters in
/ricochet/complete announce are used. Nothing that grows with the run is read whole: frames and logs
come in blocks of rows, and observables are thinned or averaged to a number of points that a plot
can show.
"""
import pathlib
import re

import h5py
import numpy as np

from text import as_label, plain

ROWS_PER_BLOCK = 65536
MOST_POINTS = 1500  # of a series in a plot
LONGEST_LINE = 38  # of the label of an axis
ABSENT = np.uint64(2**64 - 1)  # the id in a row without a particle
MOST_CORNERS = 64  # of a shape
LEAST_LOSS = 1e-9  # of energy, relative, that is not rounding


def words(values):
    """Strings of an attribute."""
    return [plain(value) for value in values]


def require_self_contained(group):
    """Raises ValueError unless all below an open group lies in its file; opens no target of a link.

    As the program does before it starts this script: the file may be another one by now.
    """
    for name in group:
        link = group.get(name, getlink=True)
        if isinstance(link, h5py.SoftLink):
            continue
        where = f"{group.name.rstrip('/')}/{name}"
        if isinstance(link, h5py.ExternalLink):
            raise ValueError(f"{where} is a link out of the file")
        child = group[name]
        if isinstance(child, h5py.Group):
            require_self_contained(child)
        elif isinstance(child, h5py.Dataset) and (child.is_virtual or child.external):
            raise ValueError(f"{where} is stored outside of the file")


def power_of(word, power):
    """A unit's word to a power; in brackets where it is more than a word."""
    if power == 1 and re.fullmatch(r"[^\s/·*]+", word):
        return word
    word = word if re.fullmatch(r"\w+", word) else f"({word})"
    return word + {1: "", 2: "²", 3: "³"}.get(power, f"^{power}")


def means_of_bins(edges, values, size):
    """(middle, mean, length) of bins of `size` intervals, the last may have fewer."""
    lengths = np.diff(edges)
    starts = np.arange(0, len(values), size)
    total = np.add.reduceat(lengths, starts)
    ends = np.append(starts[1:], len(values))
    sums = np.add.reduceat((lengths * values.T).T, starts, axis=0)
    return (edges[starts] + edges[ends]) / 2, (sums.T / total).T, total


class Result:
    """An open result. `theory` is what the program knows of its input (report_page.cpp)."""

    def __init__(self, path, theory):
        self.name = plain(pathlib.Path(path).name)
        self.theory = theory
        self.file = h5py.File(path, "r")
        try:
            self.read_description()
        except Exception:
            self.file.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def read_description(self):
        """What is known without the rows."""
        require_self_contained(self.file)
        self.run = self.file["ricochet"]
        self.frames = self.file["particles/trajectory"]
        complete = self.run["complete"][0]
        self.num_frames = int(complete["frames"])
        self.num_collisions = int(complete["collisions"])
        self.num_samples = int(complete["samples"])
        attributes = self.run.attrs
        self.title = plain(attributes["title"])
        self.dimension = int(attributes["dimension"])
        self.size = np.array(attributes["size"], float)[: self.dimension]
        boundary = words(attributes["boundary"])
        self.periodic = np.array([word == "periodic" for word in boundary])
        self.num_particles = int(attributes["num_particles"])  # in the first frame
        self.is_changing = "changing_particles" in attributes  # particles end, or change their species
        self.num_rows = self.num_particles  # of a frame, with those of absent particles
        if "first_new_id" in attributes and self.num_frames > 0:
            self.num_rows = int(self.run["rows"][self.num_frames - 1])
        self.timestep = float(attributes["timestep"])
        self.species = words(self.run["species"].attrs["name"])
        bodies = self.run["bodies/table"]["name"] if "bodies" in self.run else []
        self.bodies = words(bodies)
        if "bodies/patches" in self.run:  # they follow, as in the observables
            patches = self.run["bodies/patches"][()]
            names = words(patches["name"])
            self.bodies += [f"{self.bodies[int(k)]}.{name}" for k, name in zip(patches["body"], names)]
        self.corners = self.read_corners()
        self.free_axes = self.read_axes(self.run["species"].attrs)
        self.counts = [int(count) for count in self.run["species"].attrs["count"]]
        if sum(self.counts) != self.num_particles and self.num_frames > 0:
            self.counts = [int(count) for count in self.counts_in(0)]  # of a start from a file
        self.has_counts = sum(self.counts) == self.num_particles  # else unknown: a start from a file, no frame
        self.units = {name: plain(word) for name, word in self.run["units"].attrs.items()}

    def read_corners(self):
        """Of each species [corner][axis] about its centre of mass, or None where its particles are spheres."""
        if "shapes" not in self.run:
            return [None] * len(self.species)
        first, corners = self.run["shapes/first"][()], self.run["shapes/corners"][:, : self.dimension]
        rows = [corners[int(a) : int(b)] for a, b in zip(first, first[1:])]
        if len(rows) != len(self.species) or max(map(len, rows)) > MOST_CORNERS:
            raise ValueError("/ricochet/shapes does not fit the species")
        return [own if len(own) else None for own in rows]

    @property
    def volumes(self):
        """Of one particle of each species that is no sphere, in two dimensions its area; 0 for spheres."""
        return self.run["shapes/volume"][()] if self.has_shapes else np.zeros(len(self.species))

    @property
    def has_shapes(self):
        """Whether some species is no sphere; `radius` is then that of the sphere around it."""
        return any(own is not None for own in self.corners)

    def read_axes(self, attributes):
        """[species][axis]: whether the particles move along the axis."""
        if "moves" not in attributes:
            return np.ones((len(self.species), self.dimension), bool)
        moves = words(attributes["moves"])
        return np.array([[axis in axes.split() for axis in "xyz"[: self.dimension]] for axes in moves])

    def moves(self, species):
        """Whether particles of the species move along some axis."""
        return bool(self.free_axes[species].any())

    @property
    def num_free_axes(self):
        """Of each species, the number of axes along which its particles move; 1 where they rest, to divide by."""
        return np.maximum(self.free_axes.sum(axis=1), 1)

    @property
    def has_frozen_axes(self):
        """Whether some particles do not move along all axes, so that no theory of fluids holds."""
        return not self.free_axes.all()

    @property
    def volume(self):
        """Volume, or area in two dimensions."""
        return float(np.prod(self.size))

    @property
    def is_brownian(self):
        """What the file says of its masses: those of Brownian particles are effective ones."""
        return plain(self.run["notes"].attrs.get("mass", "")).startswith("effective")

    @property
    def is_driven(self):
        """Whether kicks between steps, or walls and bodies, change energy and momentum."""
        return "drive" in self.run["notes"].attrs or self.has_driven_surfaces

    @property
    def is_drifting(self):
        """Whether Brownian particles drift, by a field or forces."""
        return "drift" in self.run["notes"].attrs

    @property
    def has_driven_surfaces(self):
        """Whether walls move, or walls or bodies have a temperature."""
        return "given_energy" in self.run["notes"].attrs

    @property
    def is_cooling(self):
        """Whether contacts took energy away and nothing gave it back: then nothing is steady.

        Rounding changes the energy of elastic particles by far less than LEAST_LOSS.
        """
        if self.is_brownian or not self.has_observable("energy") or self.num_samples < 2:
            return False
        return bool(self.last_value("energy") < (1 - LEAST_LOSS) * self.first_value("energy"))

    def unit_of(self, **powers):
        """A unit as text, for example unit_of(length=2, time=-1): "nm²/ns".

        Empty where the input states no word for one of the quantities.
        """
        words_of = {name: self.units.get(name, "unstated") for name in powers}
        if "unstated" in words_of.values():
            return ""
        if list(powers.values()) == [1]:
            return next(iter(words_of.values()))
        parts = {name: power_of(words_of[name], abs(power)) for name, power in powers.items()}
        over = "·".join(parts[name] for name in powers if powers[name] > 0) or "1"
        under = "·".join(parts[name] for name in powers if powers[name] < 0)
        return f"{over}/{under}" if under else over

    def label(self, what, **powers):
        """A text for an axis: what it shows, and its unit where the input states one."""
        unit = as_label(self.unit_of(**powers))
        if not unit:
            return what
        return what + ("\n" if len(what) + len(unit) > LONGEST_LINE else " ") + f"({unit})"

    def texts(self, group):
        """Attributes of a group as (name, text)."""
        return [(plain(name), plain(value)) for name, value in self.run[group].attrs.items()]

    def frame_step(self, frame):
        return int(self.frames["position/step"][frame])

    def frame_time(self, frame):
        return float(self.frames["position/time"][frame])

    def blocks(self, frame, *names, with_absent=False):
        """Blocks of rows of a frame: an array for each name; vectors have `dimension` columns.

        Rows without a particle are left out unless they are asked for.
        """
        for first in range(0, self.num_rows, ROWS_PER_BLOCK):
            rows = slice(first, min(first + ROWS_PER_BLOCK, self.num_rows))
            block = tuple(self._rows(name, frame, rows) for name in names)
            if self.is_changing and not with_absent:
                is_present = self._rows("id", frame, rows) != ABSENT
                block = tuple(values[is_present] for values in block)
            yield block

    def count_in(self, frame):
        """The number of particles in a frame."""
        return int(sum(self.counts_in(frame))) if self.is_changing else self.num_particles

    def has_species(self, number):
        """Whether there are particles of a species at the start, as far as the file tells."""
        return self.counts[number] > 0 or not self.has_counts

    def counts_in(self, frame):
        """The number of particles of each species in a frame."""
        kinds = len(self.species)
        return sum(
            (np.bincount(block, minlength=kinds) for block, in self.blocks(frame, "species")),
            np.zeros(kinds, int),
        )

    def _rows(self, name, frame, rows):
        if name in ("radius", "mass") and not self.is_changing:
            return self.frames[name][rows]
        values = self.frames[name]["value"]
        if values.ndim == 3:
            return values[frame, rows, : self.dimension].astype(float)
        return values[frame, rows]

    def late_frames(self, most_rows, most_frames=8):
        """Up to most_frames complete frames spread over the second half, the last one included."""
        if self.num_frames == 0:
            return []
        number = max(1, min(most_frames, int(most_rows // max(self.num_rows, 1))))
        first = self.num_frames // 2 if self.num_frames > 2 else self.num_frames - 1
        return sorted({int(k) for k in np.linspace(self.num_frames - 1, first, number)})

    def has_observable(self, name):
        return self.num_samples > 0 and name in self.run["observables"]

    def labels(self, name):
        attributes = self.run["observables"][name].attrs
        return words(attributes["labels"]) if "labels" in attributes else []

    def thinned(self, name):
        """(time, value) of an observable at up to MOST_POINTS samples, first and last included."""
        group = self.run["observables"][name]
        stride = -(-self.num_samples // MOST_POINTS)
        last = self.num_samples - 1
        time, value = group["time"][:last:stride], group["value"][:last:stride]
        return np.append(time, group["time"][last]), np.concatenate(
            [value, group["value"][last : last + 1]]
        )

    def averaged(self, name):
        """(time, mean, length) of bins of the intervals between samples, MOST_POINTS at the most.

        The first sample has no interval before it and is left out; times are middles of bins. A
        mean has one column per component of the observable, or none where that is a scalar.
        """
        group = self.run["observables"][name]
        size = max(1, -(-(self.num_samples - 1) // MOST_POINTS))
        per_read = size * max(1, ROWS_PER_BLOCK // size)
        parts = []
        for first in range(1, self.num_samples, per_read):
            rows = slice(first, min(first + per_read, self.num_samples))
            edges = group["time"][rows.start - 1 : rows.stop]
            parts.append(means_of_bins(edges, group["value"][rows], size))
        return tuple(map(np.concatenate, zip(*parts))) if parts else (np.empty(0),) * 3

    def last_value(self, name):
        return self.run["observables"][name]["value"][self.num_samples - 1]

    def first_value(self, name):
        return self.run["observables"][name]["value"][0]

    def observed_time(self):
        time = self.run["observables/temperature/time"]
        return float(time[self.num_samples - 1] - time[0])

    def contact_pairs(self):
        """Pairs of species in the order of the observable contacts; None stands for walls."""
        kinds = list(range(len(self.species)))
        return [(a, b) for a in kinds for b in [*kinds[a:], None]]

    def num_pair_contacts(self):
        """Contacts between particles from the first to the last sample."""
        is_pair = [b is not None for _, b in self.contact_pairs()]
        return float((self.last_value("contacts") - self.first_value("contacts"))[is_pair].sum())
