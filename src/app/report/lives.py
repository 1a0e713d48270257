# SPDX-License-Identifier: BSD-3-Clause
"""Diffusion where particles react or decay: mean squared displacements of those that live through the lag.

A life is a run of frames in which a particle keeps its species, radius and mass. Every pair of frames of one life
counts. D is the slope over 2 d of a straight line, with d as in diffusion.py, each lag weighted by its pairs of
frames. The line goes from
FIT_FROM to FIT_TO of the longest lag that every one of NUM_PARTS parts of the particles has lived through. Its
standard error comes from leaving out one part after the other.

What lives long may be what met few others: D is that of the survivors. A particle that changes and changes back between
two frames is taken as unchanged.
"""
from dataclasses import dataclass

import numpy as np

from diffusion import fit_lags, regular_frames
from result import ABSENT

MOST_FRAMES = 200
MOST_PLACES = 1_000_000  # particles times frames
NUM_PARTS = 20
NO_SPECIES = -1


@dataclass
class Lives:
    """Particles in frames: places [frame, particle, axis], all else [frame, particle]."""

    interval: float  # between frames
    places: np.ndarray
    species: np.ndarray  # NO_SPECIES where there is no particle
    radius: np.ndarray
    mass: np.ndarray

    @property
    def number(self):
        """The number of the life that a particle is in; it grows from frame to frame."""
        is_new = np.zeros(self.species.shape, bool)
        for values in (self.species, self.radius, self.mass):
            is_new[1:] |= values[1:] != values[:-1]
        return np.cumsum(is_new, axis=0)


def follow_lives(result):
    """The Lives of a result, evenly chosen among its particles and frames; None where its frames are too few."""
    frames = regular_frames(result)
    if len(frames) == 0:
        return None
    frames = frames[:: -(-len(frames) // MOST_FRAMES)]
    stride = max(1, -(-len(frames) * result.num_rows // MOST_PLACES))
    shape = len(frames), -(-result.num_rows // stride)
    places = np.empty((*shape, result.dimension))
    species, radius, mass = np.empty(shape, int), np.empty(shape), np.empty(shape)
    for k, frame in enumerate(frames):
        first = 0
        names = "position", "image", "id", "species", "radius", "mass"
        for position, image, *rest in result.blocks(frame, *names, with_absent=True):
            rows = slice(-first % stride, None, stride)
            identity, *kind = (values[rows] for values in rest)
            kept = slice(-(-first // stride), -(-first // stride) + len(identity))
            places[k, kept] = position[rows] + image[rows] * result.size
            species[k, kept], radius[k, kept], mass[k, kept] = kind
            species[k, kept][identity == ABSENT] = NO_SPECIES
            first += len(position)
    interval = (result.frame_time(frames[-1]) - result.frame_time(0)) / (len(frames) - 1)
    return Lives(interval, places, species, radius, mass)


@dataclass
class LifeSums:
    """Sums over pairs of frames, [lag, species, part of the particles]: squared displacements, and their number."""

    squares: np.ndarray
    pairs: np.ndarray


def sums_of(lives, num_species):
    """The LifeSums of Lives. O(T^2 N) for T frames of N particles."""
    num_frames, num_particles = lives.species.shape
    shape = num_frames, num_species, NUM_PARTS
    sums = LifeSums(np.zeros(shape), np.zeros(shape))
    part = np.arange(num_particles) % NUM_PARTS
    number = lives.number
    for lag in range(num_frames):
        before, after = slice(0, num_frames - lag), slice(lag, num_frames)
        is_alive = (number[before] == number[after]) & (lives.species[before] != NO_SPECIES)
        apart = lives.places[after][is_alive] - lives.places[before][is_alive]
        cell = (lives.species[before] * NUM_PARTS + part)[is_alive]
        size = num_species * NUM_PARTS
        sums.squares[lag] = np.bincount(cell, (apart**2).sum(axis=1), size).reshape(shape[1:])
        sums.pairs[lag] = np.bincount(cell, minlength=size).reshape(shape[1:])
    return sums


def mean_squares(squares, pairs):
    """Means, NaN where nothing lived through the lag."""
    return np.divide(squares, pairs, out=np.full(squares.shape, np.nan), where=pairs > 0)


def slope(lag, squares, pairs):
    """Of the straight line through the means, each with its number of pairs as its weight."""
    weight = pairs / pairs.sum()
    time = lag - weight @ lag
    return (weight * time) @ (squares / pairs) / ((weight * time) @ time)


@dataclass
class LifeDiffusion:
    """lag: times; msd: [lag, species]; num_lags: of each species, those that are sure; coefficient: of each species
    (D, standard error), or None where lives are too short."""

    lag: np.ndarray
    msd: np.ndarray
    num_lags: np.ndarray
    coefficient: list


def diffusion_of(lives, num_axes):
    """num_axes: of each species, those along which it moves."""
    num_species = len(num_axes)
    sums = sums_of(lives, num_species)
    lag = np.arange(len(sums.pairs)) * lives.interval
    msd = mean_squares(sums.squares.sum(axis=2), sums.pairs.sum(axis=2))
    # What lives through a lag has lived through all shorter ones.
    num_lags = (sums.pairs > 0).all(axis=2).sum(axis=0)
    coefficients = []
    for k in range(num_species):
        if num_lags[k] < 3:
            coefficients.append(None)
            continue
        lags = fit_lags(num_lags[k])
        squares, pairs = sums.squares[lags, k], sums.pairs[lags, k]
        whole = slope(lag[lags], squares.sum(axis=1), pairs.sum(axis=1))
        without = np.array([
            slope(lag[lags], squares.sum(axis=1) - squares[:, p], pairs.sum(axis=1) - pairs[:, p])
            for p in range(NUM_PARTS)
        ])
        error = np.sqrt((NUM_PARTS - 1) * without.var())
        of_axes = 2 * num_axes[k]
        coefficients.append((float(whole) / of_axes, float(error) / of_axes))
    return LifeDiffusion(lag, msd, num_lags, coefficients)
