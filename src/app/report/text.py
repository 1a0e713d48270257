# SPDX-License-Identifier: BSD-3-Clause
"""Text from a file, which may have come from anywhere: it is shown as it is and never means anything
to what shows it. HTML is escaped where the page is written (page.py); mathtext is off (__main__.py).
"""

LONGEST_LABEL = 40  # longer ones leave no room for the plot
NO_WIDTH = "\u200b"  # a space


def plain(value):
    """A string of the file, which h5py gives as str or bytes; what is not UTF-8 in it is replaced."""
    if not isinstance(value, bytes):
        value = str(value).encode("utf-8", "surrogateescape")
    return value.decode("utf-8", "replace")


def as_label(text):
    """The text as a label in a plot. Legends of Matplotlib leave out what begins with _."""
    if len(text) > LONGEST_LABEL:
        text = text[: LONGEST_LABEL - 1] + "\u2026"
    return NO_WIDTH + text if text.startswith("_") else text
