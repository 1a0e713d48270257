// SPDX-License-Identifier: BSD-3-Clause
//
// Rows of the table of keys (config_table.hpp) on what is written about it: output.
#pragma once

#include <array>

#include "io/config_ranges.hpp"
#include "ricochet/io/config_table.hpp"

namespace ricochet::detail {

inline constexpr std::array rows_on_output{
    Option{.path = "output", .presence = Presence::defaulted, .what = "the result"},
    Option{.path = "output.file",
           .kind = Kind::text,
           .otherwise = "the input's name with .h5md for its ending, in the working directory",
           .example = "all_options.h5md",
           .may_change = true,
           .what = "name of the HDF5 file"},
    Option{.path = "output.author",
           .kind = Kind::text,
           .fallback = "unknown",
           .example = "Ada Lovelace",
           .may_change = true,
           .what = "who made the result",
           .note = "H5MD's /h5md/author; nothing else depends on it."},
    Option{.path = "output.trajectory_every",
           .kind = Kind::integer,
           .range = count_range,
           .fallback = "100",
           .example = "50",
           .may_change = true,
           .what = "steps from one frame of the trajectory to the next",
           .note = "0: no trajectory."},
    Option{.path = "output.observables_every",
           .kind = Kind::integer,
           .range = count_range,
           .fallback = "10",
           .example = "10",
           .may_change = true,
           .what = "steps from one row of observables to the next",
           .note = "0: no observables. Equal to trajectory_every: other H5MD readers find them too, in "
                   "/observables."},
    Option{.path = "output.collisions",
           .kind = Kind::collisions,
           .words = "all none",
           .fallback = "all",
           .example = "all",
           .what = "contacts to log",
           .note = "Or a list of pairs of species, e.g. [[sphere, sphere], [sphere, wall]]."},
    Option{.path = "output.collision_byte_budget",
           .kind = Kind::integer,
           .range = count_range,
           .fallback = "1073741824",
           .example = "1073741824",
           .what = "bytes of collision log after which logging ends",
           .note = "The run says so and goes on."},
    Option{.path = "output.precision",
           .kind = Kind::word,
           .words = "float32 float64",
           .fallback = "float64",
           .example = "float64",
           .what = "numbers in the trajectory"},
    Option{.path = "output.compression",
           .kind = Kind::word,
           .words = "none gzip",
           .fallback = "none",
           .example = "none",
           .what = "how frames are packed",
           .note =
               "gzip takes most of the space of images, ids and species, a tenth of that of positions, and "
               "several times as long to write. Readers need not know."},
    Option{.path = "output.checkpoint",
           .presence = Presence::defaulted,
           .what = "files from which ricochet run --continue goes on",
           .note = "Beside the result, as <file>.checkpoint-<step>. On USR1, TERM, INT and at the limits of "
                   "--max-hours and RICOCHET_STOP_AT, and at the last step, one is written in any case: "
                   "every run can "
                   "be made longer by --continue --steps."},
    Option{.path = "output.checkpoint.every_steps",
           .kind = Kind::integer,
           .range = count_range,
           .fallback = "0",
           .example = "0",
           .may_change = true,
           .what = "steps from one checkpoint to the next",
           .note = "0: not by steps."},
    Option{.path = "output.checkpoint.every_minutes",
           .kind = Kind::number,
           .range = non_negative,
           .fallback = "30",
           .example = "30",
           .may_change = true,
           .what = "wall-clock minutes from one checkpoint to the next",
           .note = "0: not by time."},
    Option{.path = "output.checkpoint.keep",
           .kind = Kind::integer,
           .range = {.minimum = 1, .maximum = 1000},
           .fallback = "2",
           .example = "2",
           .may_change = true,
           .what = "how many of the newest checkpoints stay"},
};

}  // namespace ricochet::detail
