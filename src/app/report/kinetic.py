# SPDX-License-Identifier: BSD-3-Clause
"""Kinetic theory of a gas in equilibrium, for the dashed lines: Maxwell's speeds and the free
flights.

Speeds are in units of sqrt(kT/m). A particle of speed u meets others at a rate proportional to its
mean speed relative to Maxwell's particles, M(u). In equilibrium flights begin with speeds
distributed as f(u) M(u), and end at the rate nu(u) = nu M(u) / <M>, so that the distribution of
flight times is the mixture of exponentials
    p(t) = integral du f(u) nu(u)/nu * nu(u) exp(-nu(u) t)
and that of path lengths the same with nu(u)/u in place of the second nu(u). Means: 1/nu and <u>/nu.
Correlations between successive collisions, which a dense fluid has, are not in it.
(Chapman & Cowling, The Mathematical Theory of Non-uniform Gases, chapter 5.)
"""
import numpy as np


def maxwell_speeds(u, dimension):
    """Probability density of the speed."""
    if dimension == 2:
        return u * np.exp(-(u**2) / 2)
    return np.sqrt(2 / np.pi) * u**2 * np.exp(-(u**2) / 2)


def mean_speed(dimension):
    return np.sqrt(np.pi / 2) if dimension == 2 else np.sqrt(8 / np.pi)


def mean_relative_speed(u, dimension):
    """Mean of |u e - w| over Maxwell's w, for each speed u; by quadrature."""
    along, weight = np.polynomial.hermite_e.hermegauss(60)
    weight = weight / weight.sum()
    across = np.linspace(0, 9, 1801) + 0.0025
    if dimension == 2:
        density = np.exp(-(across**2) / 2)
    else:
        density = across * np.exp(-(across**2) / 2)
    density = density / density.sum()
    means = [weight @ (np.sqrt((x - along)[:, None] ** 2 + across**2) @ density) for x in u]
    return np.array(means)


def flights(dimension):
    """(weight, relative rate, speed) of classes of flights: shares of all flights, nu(u)/nu, u."""
    u = np.linspace(0.005, 8, 400)
    density = maxwell_speeds(u, dimension)
    density = density / density.sum()
    relative = mean_relative_speed(u, dimension)
    rate = relative / (density @ relative)
    return density * rate, rate, u


def flight_time_density(t, dimension):
    """p of t in units of 1/nu."""
    weight, rate, _ = flights(dimension)
    return (weight * rate) @ np.exp(-np.outer(rate, t))


def path_length_density(length, dimension):
    """p of the path length in units of sqrt(kT/m)/nu, in which its mean is mean_speed()."""
    weight, rate, u = flights(dimension)
    return (weight * rate / u) @ np.exp(-np.outer(rate / u, length))


def impulse_density(x):
    """p of J / (2 sqrt(mu kT)), mu the reduced mass: as the normal speeds, Rayleigh's."""
    return x * np.exp(-(x**2) / 2)
