# SPDX-License-Identifier: BSD-3-Clause
"""What the collision log shows: free flights between contacts, and impulses.

The log is streamed, its last MOST_CONTACTS rows at the most, and flights are followed for up to
MOST_PARTICLES particles, evenly chosen by id: state per particle is the time and place of its
latest contact. The centre of a particle at a contact is the point of contact, one radius back along
the normal. Of a displacement between two contacts only the nearest image is known: flights longer
than half the box are folded. Contacts that changed no motion are left out. Where some particles are no spheres
the point of a contact does not tell their centres, and paths are left out.
"""
import numpy as np

from kinetic import flight_time_density, impulse_density, mean_speed, path_length_density
from page import Number, Section, png_of
from series import expected_rate, make_logarithmic, mean_temperature, new_plot
from text import plain

MOST_CONTACTS = 20_000_000
MOST_PARTICLES = 1_000_000
FEWEST_CONTACTS = 5  # of a particle in the log, for what its ends do to a mean
ROWS_PER_READ = 1 << 18
BOUNCE = 0  # the outcome, where rows tell it
FIELDS = ("step", "time", "a", "b", "point", "normal", "impulse")


class Histogram:
    """Counts in equal bins from 0 to `top`, with the mean and number of all values."""

    def __init__(self, top, bins=60):
        self.edges = np.linspace(0, top, bins + 1)
        self.counts = np.zeros(bins)
        self.number = self.sum = self.squares = 0.0

    def add(self, values):
        self.counts += np.histogram(values, self.edges)[0]
        self.number += len(values)
        self.sum += float(values.sum())
        self.squares += float((values**2).sum())

    @property
    def middles(self):
        return (self.edges[1:] + self.edges[:-1]) / 2

    @property
    def mean(self):
        return self.sum / self.number

    @property
    def error(self):
        """Of the mean, values taken as independent."""
        return np.sqrt(max(self.squares / self.number - self.mean**2, 0) / self.number)

    def density(self):
        """(density, standard error) per bin, normalised to all values."""
        scale = self.number * np.diff(self.edges)
        return self.counts / scale, np.sqrt(self.counts) / scale


class Sample:
    """The followed particles: sorted ids, radii, masses. A file without frames tells no radii and masses."""

    def __init__(self, result):
        self.has_matter = result.num_frames > 0
        if self.has_matter:
            self.read_first_frame(result)
        else:
            self.read_ids_of_log(result)

    def read_ids_of_log(self, result):
        ids = np.empty(0, np.uint64)
        for rows in logged_rows(result):
            ids = np.union1d(ids, np.append(rows["a"], rows["b"][~is_wall(rows)]))
        self.id = ids[:: max(1, -(-len(ids) // MOST_PARTICLES))]
        self.radius, self.mass = np.full((2, len(self.id)), np.nan)

    def read_first_frame(self, result):
        stride = -(-result.num_particles // MOST_PARTICLES)
        ids, radii, masses, first = [], [], [], 0
        for block in result.blocks(0, "id", "radius", "mass"):
            start = -first % stride
            for kept, values in zip((ids, radii, masses), block):
                kept.append(values[start::stride])
            first += len(block[0])
        self.id, self.radius, self.mass = (np.concatenate(part) for part in (ids, radii, masses))

    def find(self, ids):
        """(index, whether it is in the sample) for each id."""
        index = np.minimum(np.searchsorted(self.id, ids), len(self.id) - 1)
        return index, self.id[index] == ids


class Flights:
    """Follows the sample from contact to contact through blocks of the log."""

    def __init__(self, result, sample):
        self.result, self.sample = result, sample
        self.time = np.full(len(sample.id), np.nan)
        self.place = np.zeros((len(sample.id), result.dimension))

    def entries(self, rows):
        """(particle, time, centre) of both partners of each contact, by particle, then time."""
        time = rows["step"] * self.result.timestep + rows["time"]
        point, normal = (rows[name][:, : self.result.dimension] for name in ("point", "normal"))
        parts = []
        for side, sign in (("a", -1), ("b", 1)):
            index, known = self.sample.find(rows[side])
            centre = point + sign * self.sample.radius[index][:, None] * normal
            parts.append((index[known], time[known], centre[known], np.flatnonzero(known)))
        particle, time, centre, order = (np.concatenate(part) for part in zip(*parts))
        sorting = np.lexsort((order, particle))
        return particle[sorting], time[sorting], centre[sorting]

    def add(self, rows):
        """(durations, straight displacements) of the flights that end in these rows."""
        particle, time, place = self.entries(rows)
        if len(particle) == 0:
            return np.empty(0), np.empty(0)
        is_first = np.append(True, particle[1:] != particle[:-1])
        before, start = np.roll(time, 1), np.roll(place, 1, axis=0)
        before[is_first], start[is_first] = (
            self.time[particle[is_first]],
            self.place[particle[is_first]],
        )
        is_last = np.append(is_first[1:], True)
        self.time[particle[is_last]], self.place[particle[is_last]] = time[is_last], place[is_last]
        known = ~np.isnan(before)
        moved = place[known] - start[known]
        moved -= np.rint(moved / self.result.size) * self.result.periodic * self.result.size
        return time[known] - before[known], np.sqrt((moved**2).sum(axis=1))


def logged_rows(result):
    """Blocks of the last rows of the log."""
    log = result.run["collisions"]
    first = max(0, result.num_collisions - MOST_CONTACTS)
    for start in range(first, result.num_collisions, ROWS_PER_READ):
        rows = log[start : min(start + ROWS_PER_READ, result.num_collisions)]
        yield rows[rows["outcome"] == BOUNCE] if "outcome" in rows.dtype.names else rows


def is_wall(rows):
    """For each contact whether the second partner is a wall."""
    return rows["b"] >= np.uint64(1 << 63)


def reduced_impulses(rows, sample, temperature):
    """J / (2 sqrt(mu T)) of contacts with both partners known; a wall's mass is infinite."""
    a, knows_a = sample.find(rows["a"])
    b, knows_b = sample.find(rows["b"])
    inverse = 1 / sample.mass[a] + np.where(is_wall(rows), 0, 1 / sample.mass[b])
    known = knows_a & (knows_b | is_wall(rows))
    return (rows["impulse"] * np.sqrt(inverse) / (2 * np.sqrt(temperature)))[known]


def log_sections(result):
    """What the log allows for: free paths, and in a steady state free times and impulses.

    Brownian particles have none of these: their steps are straight by construction. Particles that
    change have no mass and radius of their own, which impulses and flights need. Without frames masses and
    radii are unknown, and free times are all that the log allows for.
    """
    if result.is_changing:
        return []
    temperature = mean_temperature(result)
    if result.num_collisions == 0 or result.num_samples < 2 or temperature <= 0:
        return []
    sample = Sample(result)
    is_whole = plain(result.run["collisions"].attrs["selection"]) == "all"
    rate = max(
        2 * result.num_pair_contacts() / (result.num_particles * result.observed_time()), 1e-300
    )
    thermal = np.sqrt(temperature / float(sample.mass.mean())) if sample.has_matter else 1.0
    times, paths = Histogram(8 / rate), Histogram(8 * thermal * mean_speed(result.dimension) / rate)
    impulses, flights = Histogram(6), Flights(result, sample)
    for rows in logged_rows(result):
        duration, length = flights.add(rows) if is_whole else (np.empty(0),) * 2
        times.add(duration)
        if sample.has_matter:
            impulses.add(reduced_impulses(rows, sample, temperature))
        if sample.has_matter and not result.has_shapes:
            paths.add(length)
    sections = [path_section(result, paths, rate, thermal)] if paths.number else []
    if result.is_cooling:
        return sections
    if times.number:
        sections.insert(0, flight_time_section(result, times, rate))
    has_masses = impulses.number and not result.has_frozen_axes
    return sections + ([impulse_section(result, impulses)] if has_masses else [])


def is_plain_gas(result):
    """Whether the theory of kinetic.py is that of this run."""
    return bool(
        result.theory.get("elastic")
        and result.theory.get("equal")
        and not result.has_shapes
        and result.periodic.all()
    )


def plot_density(xlabel, histogram, theory, label, logarithmic):
    figure, axes = new_plot(xlabel, "probability density")
    density, error = histogram.density()
    axes.errorbar(histogram.middles, density, error, fmt="o", ms=3, lw=1, label="log")
    if theory is not None:
        axes.plot(histogram.middles, theory, color="k", lw=1, ls="--", label=label)
        axes.legend()
    if logarithmic and density.any():
        make_logarithmic(axes, "y")
        axes.set_ylim(bottom=density[density > 0].min() / 2)
    return png_of(figure)


def columns_of(name, histogram, theory):
    density, error = histogram.density()
    columns = {
        name: histogram.middles,
        "density": density,
        "standard_error": error,
        "count": histogram.counts,
    }
    return columns if theory is None else {**columns, "theory": theory}


def contacts_per_particle(result):
    return 2 * min(result.num_collisions, MOST_CONTACTS) / result.num_particles


def coverage_text(result):
    text = f"From {min(result.num_collisions, MOST_CONTACTS):,} logged contacts"
    if result.num_particles > MOST_PARTICLES:
        text += f", following every {-(-result.num_particles // MOST_PARTICLES)}th particle"
    return text + "."


WITHOUT_PATHS = (
    "Free paths are left out: where a particle that has a shape was touched does not tell where its centre was."
)


def missing_flights(result):
    """What the ends of the log do to a mean: n contacts in a window leave n - 1 whole flights, and
    of exponential ones the mean is low by a factor (n - 2) / (n - 1). Of few contacts that says nothing."""
    contacts = contacts_per_particle(result)
    if contacts < FEWEST_CONTACTS:
        return f"far too low: the log has {contacts:.2g} contacts of a particle, and long flights do not end in it"
    return f"low by about {100 / (contacts - 1):.2g} %: flights that the ends of the log cut are missing"


def flight_time_section(result, times, rate):
    theory = (
        rate * flight_time_density(times.middles * rate, result.dimension)
        if is_plain_gas(result)
        else None
    )
    expected = expected_rate(result, mean_temperature(result)) if result.periodic.all() else None
    image = plot_density(
        result.label("time between two contacts of a particle", time=1),
        times,
        theory,
        "kinetic theory at the measured rate",
        True,
    )
    number = Number(
        "mean free time",
        times.mean,
        times.error,
        1 / expected if expected else None,
        result.unit_of(time=1),
        missing_flights(result),
    )
    return Section(
        "Free times",
        [coverage_text(result)] + ([WITHOUT_PATHS] if result.has_shapes else []),
        image,
        numbers=[number],
        tables={"free_times.csv": columns_of("time", times, theory)},
    )


def path_section(result, paths, rate, thermal):
    scale = rate / thermal
    is_plain = is_plain_gas(result)
    theory = (
        scale * path_length_density(paths.middles * scale, result.dimension) if is_plain else None
    )
    expected = expected_rate(result, mean_temperature(result)) if is_plain else None
    text = [coverage_text(result)]
    if paths.mean > result.size.min() / 10:
        text.append(
            "The mean is not small against half the box: longer paths are folded by nearest images."
        )
    image = plot_density(
        result.label("path between two contacts", length=1),
        paths,
        theory,
        "kinetic theory at the measured rate",
        True,
    )
    number = Number(
        "mean free path",
        paths.mean,
        paths.error,
        mean_speed(result.dimension) * thermal / expected if expected else None,
        result.unit_of(length=1),
        missing_flights(result),
    )
    return Section(
        "Free paths",
        text,
        image,
        numbers=[number],
        tables={"free_paths.csv": columns_of("path", paths, theory)},
    )


def impulse_section(result, impulses):
    theory = impulse_density(impulses.middles) if result.theory.get("elastic") else None
    image = plot_density(
        "impulse / (2 sqrt(mu T))", impulses, theory, "elastic, in equilibrium", False
    )
    text = [
        f"{int(impulses.number):,} contacts; mu is the reduced mass (a wall's mass is "
        "infinite), T the mean temperature: contacts of all species then have one distribution."
    ]
    expected = float(np.sqrt(np.pi / 2)) if result.theory.get("elastic") else None
    number = Number("mean impulse / (2 sqrt(mu T))", impulses.mean, impulses.error, expected)
    return Section(
        "Impulses",
        text,
        image,
        numbers=[number],
        tables={"impulses.csv": columns_of("reduced_impulse", impulses, theory)},
    )
