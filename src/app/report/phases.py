# SPDX-License-Identifier: BSD-3-Clause
"""Words for the phases of a run."""

# What files call phases that the program's report calls otherwise (core/phase_clock.hpp).
REPORTED = {"cells": "binning", "primaries": "search", "islands": "events", "repair": "rollback"}


def phases_as_reported(text):
    """'drive 0.1 0.2 0.3; binning ...' from 'drive 0.1 0.2 0.3; cells ...'."""
    parts = [part.strip().split(" ", 1) for part in text.split(";")]
    return "; ".join(" ".join([REPORTED.get(name, name), *rest]) for name, *rest in parts)
