# SPDX-License-Identifier: BSD-3-Clause
"""Diffusion: mean squared displacements over all time origins, and coefficients with errors.

Particles are followed through the frames, with positions unwrapped: all of them, or of each species
as many, evenly chosen, as MOST_PLACES allow; of very many frames every n-th. For each particle the
mean over all origins comes from one Fourier transform, O(T log T) for T frames, and D is the slope
of a straight line through the lags between FIT_FROM and FIT_TO of the time followed, over 2 d, with
d the number of axes along which the species moves. The scatter of these slopes over the particles is
the standard error of their mean: it needs no model of the motion, but takes particles as independent.
Particles that may change: lives.py.

Long lags are left out because few independent origins are behind them. D is the long-time one only
when the first lag of the fit is long against the time in which a free particle moves by its radius.
"""
from dataclasses import dataclass

import numpy as np

FIT_FROM, FIT_TO = 0.1, 0.4  # of the time followed
FEWEST_FRAMES = 6
MOST_FRAMES = 2000
MOST_ROWS = 2e8  # of frames, read in all
MOST_PLACES = 4_000_000  # particles times frames, kept in memory
PLACES_AT_ONCE = 200_000  # in a Fourier transform


@dataclass
class Paths:
    """Particles that are followed: [frame, particle, axis]; one value per particle of the others."""

    interval: float  # between frames
    places: np.ndarray
    species: np.ndarray
    radius: np.ndarray
    mass: np.ndarray


def regular_frames(result):
    """The frames to follow through: the longest equally spaced start, every n-th of it."""
    steps = result.frames["position/step"][: result.num_frames].astype(np.int64)
    if len(steps) < FEWEST_FRAMES:
        return []
    is_regular = np.append(True, np.diff(steps) == steps[1] - steps[0])
    number = len(steps) if is_regular.all() else int(np.argmin(is_regular))
    most = max(FEWEST_FRAMES, min(MOST_FRAMES, int(MOST_ROWS // max(result.num_rows, 1))))
    frames = range(0, number, -(-number // most))
    return frames if len(frames) >= FEWEST_FRAMES else []


def chosen_rows(result, num_frames):
    """(row, species, radius, mass) of the followed: evenly chosen within each species."""
    quota = max(2, int(MOST_PLACES / num_frames / max(len(result.species), 1)))
    strides = [max(1, -(-count // quota)) for count in result.counts]
    seen, parts, first = [0] * len(strides), [], 0
    for species, radius, mass in result.blocks(0, "species", "radius", "mass"):
        chosen = []
        for k, stride in enumerate(strides):
            rows = np.flatnonzero(species == k)
            chosen.append(rows[-seen[k] % stride :: stride])
            seen[k] += len(rows)
        rows = np.sort(np.concatenate(chosen))
        parts.append((first + rows, species[rows].astype(int), radius[rows], mass[rows]))
        first += len(species)
    return tuple(np.concatenate(part) for part in zip(*parts))


def follow(result):
    """The Paths of a result whose particles stay what they are, or None where its frames are too few."""
    frames = regular_frames(result)
    if len(frames) == 0:
        return None
    rows, *attributes = chosen_rows(result, len(frames))
    places = np.empty((len(frames), len(rows), result.dimension))
    for k, frame in enumerate(frames):
        first = 0
        for position, image in result.blocks(frame, "position", "image"):
            chosen = slice(*np.searchsorted(rows, (first, first + len(position))))
            inside = rows[chosen] - first
            places[k, chosen] = position[inside] + image[inside] * result.size
            first += len(position)
    interval = (result.frame_time(frames[-1]) - result.frame_time(0)) / (len(frames) - 1)
    return Paths(interval, places, *attributes)


def displacements_squared(places):
    """[lag, particle]: means of |x(t + lag) - x(t)|^2 over all origins t in the frames.

    From the sums of |x(t + lag)|^2 and |x(t)|^2 less twice the correlation of x with itself.
    """
    number = len(places)
    places = places - places[0]
    spectrum = np.fft.rfft(places, 2 * number, axis=0)
    correlation = np.fft.irfft(abs(spectrum) ** 2, axis=0)[:number].sum(axis=2)
    squares = (places**2).sum(axis=2)
    up_to, from_there = np.cumsum(squares, axis=0), np.cumsum(squares[::-1], axis=0)
    origins = np.arange(number, 0, -1)[:, None]
    return np.maximum(up_to[::-1] + from_there[::-1] - 2 * correlation, 0) / origins


def fit_lags(num_frames):
    """The lags, in frames, that D is fitted to: at least two."""
    first = max(1, round(FIT_FROM * (num_frames - 1)))
    return np.arange(first, max(first + 1, round(FIT_TO * (num_frames - 1))) + 1)


@dataclass
class Spreading:
    """lag: times; msd: [lag, species]; coefficient: of each particle; num_lags: of each species, 0 where none is."""

    lag: np.ndarray
    msd: np.ndarray
    coefficient: np.ndarray
    num_lags: np.ndarray


def spreading_of(paths, num_axes):
    """The Spreading of Paths, in blocks of particles. num_axes: of each species, those along which it moves."""
    num_frames, num_particles, _ = paths.places.shape
    num_axes, num_species = np.asarray(num_axes), len(num_axes)
    lags = fit_lags(num_frames)
    time = lags * paths.interval - lags.mean() * paths.interval
    msd = np.zeros((num_frames, num_species))
    coefficient = np.empty(num_particles)
    block = max(1, PLACES_AT_ONCE // num_frames)
    for first in range(0, num_particles, block):
        rows = slice(first, first + block)
        squares = displacements_squared(paths.places[:, rows])
        coefficient[rows] = time @ squares[lags] / (time @ time) / (2 * num_axes[paths.species[rows]])
        for k in range(num_species):
            msd[:, k] += squares[:, paths.species[rows] == k].sum(axis=1)
    counts = np.bincount(paths.species, minlength=num_species)
    lag = np.arange(num_frames) * paths.interval
    return Spreading(lag, msd / np.maximum(counts, 1), coefficient, np.where(counts > 0, num_frames, 0))
