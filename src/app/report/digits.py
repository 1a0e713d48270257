# SPDX-License-Identifier: BSD-3-Clause
"""Numbers as physicists write them: 0.011(4) is 0.011 with a standard error of 0.004.

An error has one digit, two where the first is a 1; the value ends where the error does.
"""
import math

PLAIN_FROM, PLAIN_TO = 1e-3, 1e5  # powers of ten outside
DIGITS_ALONE = 5  # of a number without an error


def exponent_of(size):
    """The power of ten to write a number of this size with; 0 for plain notation."""
    if size == 0 or PLAIN_FROM <= size < PLAIN_TO:
        return 0
    return math.floor(math.log10(size))


def num_decimals(error):
    """How many decimals an error asks for; negative where tens and more are uncertain."""
    place = math.floor(math.log10(error))
    return -place + (1 if error < 1.95 * 10.0**place else 0)


def has_error(error):
    return error is not None and math.isfinite(error) and error > 0


def in_brackets(error, decimals):
    """The error in units of the last decimal; with its point where it is 1 or more."""
    if 0 < decimals and error < 1:
        return f"{error * 10**decimals:.0f}"
    return f"{round(error, decimals):.{max(decimals, 0)}f}"


def with_error(value, error=None):
    """The value and its error in brackets; with DIGITS_ALONE digits where there is no error."""
    if not has_error(error) or not math.isfinite(value):
        return f"{value:.{DIGITS_ALONE}g}"
    power = exponent_of(max(abs(value), error))
    value, error = value / 10.0**power, error / 10.0**power
    decimals = num_decimals(error)
    text = f"{round(value, decimals):.{max(decimals, 0)}f}({in_brackets(error, decimals)})"
    return text + (f"e{power}" if power else "")
