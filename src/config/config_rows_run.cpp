// SPDX-License-Identifier: BSD-3-Clause
//
// Rows of the table of keys (config_rows.hpp): searches, the run and its output.
#include "config/config_rows.hpp"

namespace ricochet::rows {

namespace {

constexpr Range seed_range{.minimum = 0, .maximum = 0x1p63};
constexpr Range boxes_range{.minimum = 0, .maximum = 256};
constexpr Range leaf_range{.minimum = 1, .maximum = 1e9};
constexpr Range depth_range{.minimum = 0, .maximum = 64};

// One record per key: more fields to a line than clang-format would put there.
// clang-format off
constexpr auto of_run_table = std::to_array<Option>({
    {.path = "search", .defaulted = true,
     .what = "how contacts are found"},
    {.path = "search.method", .member = at<&Config::search>, .fallback = "auto", .may_change = true,
     .what = "search for candidates",
     .note = "Changes the speed and no bit of a result."},
    {.path = "search.boxes", .member = at<&Config::search_options, &SearchOptions::num_boxes>,
     .range = boxes_range, .fallback = "0", .may_change = true,
     .what = "boxes along each axis, for the search boxes",
     .note = "0: chosen by the density. Fewer where a particle would be in more than 64 boxes on average."},
    {.path = "search.octree", .defaulted = true,
     .what = "leaves of the search octree"},
    {.path = "search.octree.max_count", .member = at<&Config::search_options, &SearchOptions::octree_max_count>,
     .range = leaf_range, .fallback = "8", .may_change = true,
     .what = "a leaf with more particles is divided"},
    {.path = "search.octree.depth", .member = at<&Config::search_options, &SearchOptions::octree_depth>,
     .range = depth_range, .fallback = "20", .may_change = true,
     .what = "how often the box may be divided"},
    {.path = "search.time_bounds", .defaulted = true,
     .what = "subspaces of the search time_bounds"},
    {.path = "search.time_bounds.side", .member = at<&Config::search_options, &SearchOptions::subspace_side>,
     .range = non_negative, .unit = "length", .fallback = "0", .may_change = true,
     .what = "edge of the subspaces, and the largest diameter of a bound",
     .note = "0: chosen. Where particles are driven or react, it grows as far as they need."},
    {.path = "search.loop", .member = at<&Config::search_loop>, .fallback = "auto", .may_change = true,
     .what = "how contacts are taken in order",
     .note = "Changes the speed and no bit of a result. The loops queue and restart are there to compare methods."},

    {.path = "run",
     .what = "how long, in which steps"},
    {.path = "run.timestep", .member = at<&Config::run, &RunOptions::timestep>, .range = positive,
     .unit = "time", .example = "0.1",
     .what = "time between exchanges",
     .note = "Ballistic contacts are exact at any timestep: it changes the speed. A Brownian path is a "
             "straight line within a step: there it is the resolution."},
    {.path = "run.steps", .member = at<&Config::run, &RunOptions::num_steps>, .range = count_range,
     .example = "100", .may_change = true,
     .what = "number of steps"},
    {.path = "run.seed", .member = at<&Config::run, &RunOptions::seed>, .range = seed_range, .fallback = "1",
     .what = "seed of all random numbers",
     .note = "The same seed gives the same bits on any number of ranks."},
    {.path = "run.equilibrate", .defaulted = true,
     .what = "a run before step 0 that is not recorded"},
    {.path = "run.equilibrate.collisions_per_particle", .member = at<&Config::run, &RunOptions::equilibrate>,
     .range = non_negative,
     .otherwise = "0, but with a dense or grown start of ballistic particles until its contact rate is steady",
     .example = "5",
     .what = "how long: until a particle had this many collisions on average",
     .note = "0: no such run. A contact rate is steady when those of the last three quarters of this run agree "
             "within 1 %, after 100 to 2,000 collisions per particle; above freezing 100 end it. The run says what "
             "the order of the bonds (Q6, psi6) is then, and whether it is a glass that ages."},
    {.path = "run.contact_cap", .member = at<&Config::run, &RunOptions::contact_cap>,
     .range = {.minimum = 1, .maximum = 1e9}, .fallback = "100000", .may_change = true,
     .what = "contacts of one particle in one step that end the run",
     .note = "Ends inelastic collapse and rattling in contact, which have no end of their own."},
    {.path = "run.reaction_steps", .member = at<&Config::run, &RunOptions::reaction_steps>,
     .fallback = "moderate", .may_change = true,
     .what = "steps that are accepted where Brownian particles react, stick or coalesce",
     .note = "The relative step is s = (2 (D_1 + D_2) timestep)^1/2, over the contact distance R. Reactions that are "
             "slow beside diffusion come 1.17 times too often at s/R = 2, and 1.70 times at 6.3."},
    {.path = "run.sub_window", .member = at<&Config::run, &RunOptions::sub_window>,
     .range = {.minimum = 0, .maximum = 10, .above_minimum = true}, .fallback = "0.05", .may_change = true,
     .what = "tuning: expected contacts per particle in a sub-window of a step",
     .note = "Several ranks take 1.4 times as much. Changes the speed and no bit of a result."},
    {.path = "run.halo_margin", .member = at<&Config::run, &RunOptions::halo_margin>,
     .range = {.minimum = 0.1, .maximum = 10}, .fallback = "0.5", .may_change = true,
     .what = "tuning: a in the halo's width r_a + r_b + 2 a d_max, d_max the largest displacement",
     .note = "Changes the speed and no bit of a result."},
    {.path = "run.balance", .member = at<&Config::run, &RunOptions::balance>, .fallback = "measured",
     .may_change = true,
     .what = "tuning: where ranks cut the box",
     .note = "Changes the speed and no bit of a result."},
    {.path = "run.watchdog", .member = at<&Config::run, &RunOptions::watchdog>, .range = non_negative,
     .unit = "minutes", .fallback = "10", .may_change = true,
     .what = "wall-clock time without a completed step that ends the run",
     .note = "With a message that says where each rank was. 0: none."},

    {.path = "output", .defaulted = true,
     .what = "the result"},
    {.path = "output.file", .member = at<&Config::output, &OutputOptions::file>,
     .otherwise = "the input's name with .h5md for its ending, in the working directory",
     .example = "all_options.h5md", .may_change = true,
     .what = "name of the HDF5 file"},
    {.path = "output.author", .member = at<&Config::output, &OutputOptions::author>, .fallback = "unknown",
     .example = "Ada Lovelace", .may_change = true,
     .what = "who made the result",
     .note = "H5MD's /h5md/author; nothing else depends on it."},
    {.path = "output.trajectory_every", .member = at<&Config::output, &OutputOptions::trajectory_every>,
     .range = count_range, .fallback = "100", .example = "50", .may_change = true,
     .what = "steps from one frame of the trajectory to the next",
     .note = "0: no trajectory."},
    {.path = "output.observables_every", .member = at<&Config::output, &OutputOptions::observables_every>,
     .range = count_range, .fallback = "10", .may_change = true,
     .what = "steps from one row of observables to the next",
     .note = "0: no observables. Equal to trajectory_every: other H5MD readers find them too, in "
             "/observables."},
    {.path = "output.collisions", .member = collision_choice, .fallback = "all",
     .what = "contacts to log",
     .note = "Or a list of pairs of species, e.g. [[sphere, sphere], [sphere, wall]]; wall stands for walls and "
             "bodies alike."},
    {.path = "output.collision_byte_budget",
     .member = at<&Config::output, &OutputOptions::collision_byte_budget>, .range = count_range,
     .fallback = "1073741824",
     .what = "bytes of collision log after which logging ends",
     .note = "The run says so and goes on."},
    {.path = "output.precision", .member = at<&Config::output, &OutputOptions::precision>,
     .fallback = "float64",
     .what = "numbers in the trajectory"},
    {.path = "output.compression", .member = at<&Config::output, &OutputOptions::compression>,
     .otherwise = "none, but gzip where particles are born, since each keeps its row", .example = "none",
     .what = "how frames are packed",
     .note = "gzip takes most of the space of images, ids and species, a tenth of that of positions, and "
             "several times as long to write. Readers need not know."},
    {.path = "output.survives", .member = at<&Config::output, &OutputOptions::survives>, .fallback = "kill",
     .may_change = true,
     .what = "what may happen at any moment and leaves a result that can be continued",
     .note = "Kills need no more than the order of writes. For loss of power each block's old content is synced to the "
             "disk before the block is overwritten: 1.4 to 4 ms more for each frame on a local disk."},
    {.path = "output.flush_every_seconds", .member = at<&Config::output, &OutputOptions::flush_every_seconds>,
     .range = non_negative, .fallback = "1", .may_change = true, .shown = false,
     .what = "wall-clock seconds after which frames that were written count, and readers find them",
     .note = "Checkpoints, the end and errors do not wait. A kill loses frames since the latest flush. 0: every frame, "
             "as always with survives: power_loss."},
    {.path = "output.sync_every_seconds", .member = at<&Config::output, &OutputOptions::sync_every_seconds>,
     .range = non_negative, .fallback = "30", .may_change = true,
     .what = "wall-clock seconds after which a flush of the result waits for the disk",
     .note = "Checkpoints and the end wait, too. Kills need no such wait. After a loss of power, rows since the latest "
             "one may be missing. 0: every flush, as always with survives: power_loss."},
    {.path = "output.checkpoint", .defaulted = true,
     .what = "files from which ricochet run --continue goes on",
     .note = "Beside the result, as <file>.checkpoint-<step>. On USR1, TERM, INT and at the limits of "
             "--max-hours and RICOCHET_STOP_AT, and at the last step, one is written in any case: a run that "
             "has ended can be made longer by --continue --steps."},
    {.path = "output.checkpoint.every_steps",
     .member = at<&Config::output, &OutputOptions::checkpoint, &CheckpointOptions::every_steps>,
     .range = count_range, .fallback = "0", .may_change = true,
     .what = "steps from one checkpoint to the next",
     .note = "0: not by steps."},
    {.path = "output.checkpoint.every_minutes",
     .member = at<&Config::output, &OutputOptions::checkpoint, &CheckpointOptions::every_minutes>,
     .range = non_negative, .fallback = "30", .may_change = true,
     .what = "wall-clock minutes from one checkpoint to the next",
     .note = "0: not by time."},
    {.path = "output.checkpoint.keep",
     .member = at<&Config::output, &OutputOptions::checkpoint, &CheckpointOptions::keep>,
     .range = {.minimum = 0, .maximum = 1000}, .fallback = "2", .may_change = true,
     .what = "how many of the newest checkpoints stay",
     .note = "0: one while the run goes on, and none once it has ended, which cannot be made longer then."},
});
// clang-format on

static_assert(have_right_owners(of_run_table),
              "of_run: a row's member is not of the type that its path leads to");

}  // namespace

std::span<const Option> of_run() { return of_run_table; }

}  // namespace ricochet::rows
