# SPDX-License-Identifier: BSD-3-Clause
"""Means of series whose values are correlated, and whose start may not be in equilibrium yet.

Error. The variance of a mean of n correlated values is 2 tau / n times that of one value, with the
integrated correlation time tau = 1/2 + sum of rho(k). The sum ends at the first lag that is more
than WINDOW times the tau found so far (Sokal; Wolff, Comput. Phys. Commun. 156, 143 (2004)): later
terms are noise. A tau below 1/2 is not believed. In a dense fluid tau is long, and an error from
the number of contacts alone is too small there.

Start. Values are left out as long as that makes the standard error of the rest, taken as
independent, smaller (White's MSER rule), up to half of them. A start that differs from the rest by
no more than chance is kept. A mean for which about half would have to go, or that rests on few
independent values, says so. The disadvantage: a drift that is small beside the noise stays, and
makes the error larger.
"""
from dataclasses import dataclass

import numpy as np

WINDOW = 5
FEWEST_VALUES = 8  # that an error is made of
FEWEST_INDEPENDENT = 20  # below, the error itself is known to worse than a third
MOST_BY_CHANCE = 3  # standard errors
MOST_LEFT_OUT = 0.4  # of a series that can be called steady


@dataclass
class Mean:
    """A mean with its standard error, None where there are too few values."""

    value: float
    error: float = None
    first: int = 0  # of the values that are in it
    is_steady: bool = True
    num_independent: float = 0

    @property
    def remark(self):
        """What a reader must know before trusting the error; empty where nothing."""
        if self.error is None:
            return "too few samples for an error"
        if not self.is_steady:
            return "not steady: it drifts through half of the run"
        if self.num_independent < FEWEST_INDEPENDENT:
            return f"only {self.num_independent:.0f} independent samples: the error is uncertain"
        return ""


def autocovariance(values):
    """At lags 0 to n - 1, with the divisor n."""
    centred = values - values.mean()
    spectrum = np.fft.rfft(centred, 2 * len(values))
    return np.fft.irfft(abs(spectrum) ** 2)[: len(values)] / len(values)


def correlation_time(values):
    """The integrated correlation time, in steps of the series; 1/2 where values are independent."""
    covariance = autocovariance(values)
    if covariance[0] <= 1e-24 * np.mean(values**2):
        return 0.5
    tau = np.cumsum(covariance / covariance[0]) - 0.5
    window = int(np.argmax(np.append(np.arange(len(tau)) >= WINDOW * tau, True)))
    window = min(window, len(tau) - 1)
    # What the sample's own mean takes out of the covariance (Wolff, equation 49).
    return max(0.5, float(tau[window]) * (1 + (2 * window + 1) / len(values)))


def num_unrelaxed(values):
    """How many values at the start to leave out."""
    number = np.arange(1, len(values) + 1)
    backwards = (values - values.mean())[::-1]
    squares = np.cumsum(backwards**2) - np.cumsum(backwards) ** 2 / number
    by_cut = (squares / number**2)[::-1]
    return int(np.argmin(by_cut[: len(values) // 2 + 1]))


def is_unlike(start, kept, error):
    """Whether the mean of a start differs from that of the rest by more than chance.

    The error of a mean goes as one over the square root of its length.
    """
    return abs(start.mean() - kept.mean()) > MOST_BY_CHANCE * error * np.sqrt(len(kept) / len(start))


def standard_error(values):
    """(standard error of the mean, number of independent values) of a steady series."""
    independent = len(values) / (2 * correlation_time(values))
    return float(np.std(values, ddof=1) / np.sqrt(independent)), independent


def steady_mean(values, weights=None):
    """The Mean of what is left of a series without its unrelaxed start.

    `weights` are the lengths of the intervals that the values are means of; they are taken as equal
    for the error.
    """
    values = np.asarray(values, float)
    weights = np.ones(len(values)) if weights is None else np.asarray(weights, float)
    if len(values) < FEWEST_VALUES:
        return Mean(float(np.average(values, weights=weights)) if len(values) else float("nan"))
    first = num_unrelaxed(values)
    kept = values[first:]
    error, independent = standard_error(kept)
    if first > 0 and not is_unlike(values[:first], kept, error):
        first, kept = 0, values
        error, independent = standard_error(kept)
    value = float(np.average(kept, weights=weights[first:]))
    return Mean(value, error, first, first <= MOST_LEFT_OUT * len(values), independent)
