// SPDX-License-Identifier: BSD-3-Clause
//
// What a step costs on P ranks: a model for planning, with measured constants but for those of the network
// (latencies, bandwidth), which are assumed. It foresees what machines
// would do that one does not have; it is no measurement, and says so wherever it is printed.
//
// A box of length L with N particles and C contacts per step (c = C / N of each) is cut into P slabs; W is
// the halo's width, k the number of others within a particle's mean reach, d the mean length of its path in a
// leg, in diameters.
//
//   owned    n = N / P
//   copies   h = min(N W / L, N - n)                 none on one rank; of what lies above (halo.hpp)
//   work     n (p + c t) + h (200 + p + 2.9 c t), in ns
//                                                    p per step, with the search: g (a + b k) for its g
//                                                    legs (engine/search_leg.hpp). t per contact, more by
//                                                    1.9 d / (1 + d): long paths that a contact has bent
//                                                    are searched for cell by cell. Both grow with n + h,
//                                                    linear in the logarithm, from small to large: caches.
//                                                    200 ns: to send a copy and to take it in. It is
//                                                    searched for with all others; its contacts are resolved
//                                                    here too, and again when those of its owner are imposed
//   windows  w = max(1, 2 c / s)                     sub-windows (parallel/slab_step.hpp); s is 1.4
//                                                    times as much on several ranks as on one
//   rounds   r = w (1 + log2(1 + q P e))             one exchange of events each, and more as long as any
//                                                    rank's list changes: of e events of each, about half as
//                                                    many from round to round
//   talk     m (2 + r) l + (1 + r) g log2 P          migration, halo and events to m = 2 neighbours (of
//                                                    two ranks: 1); one reduction, and a flag per round,
//                                                    along a tree
//            + bytes / B                             of copies, events and notices (halo.hpp)
//   seconds  work + talk;  efficiency = n (p + c t) / seconds, p and t for n alone
//
// Nothing but the two terms in P grows with P at given n: tests/unit/traffic_test.cpp counts it on 2 to 64
// ranks.
//
// What follows. Talk is tens of microseconds, and matters below some thousand particles per rank. Copies
// limit the speed-up: each costs as much as 2 to 6 owned particles. The efficiency is 80 % where slabs are
// some 16 to 21 W thick, at more in a very dilute gas, where a step costs little else. The rank count at
// which it ends grows as the cube root of N for cubes, and in proportion to N for boxes that grow along x.
// Slabs thinner than W are refused. Beyond that: threads inside the slab (engine/step_engine.hpp).
//
// Compared with tests/bench, in nanoseconds of work per particle and step, on 1 and 2 ranks of machines with
// two cores; in brackets the model, with the copies that the engine made:
//                                    1 rank       2 ranks: both together
//   Brownian, phi 0.01, N = 100,000     25 (27)        30 (26)
//   Brownian, phi 0.1,  N = 100,000     44 (49)        48 (51)
//   Brownian, phi 0.3,  N = 100,000    163 (157)      187 (160)
//   Brownian, phi 0.1,  N = 1,000,000   69 (67)        82 (72)
//   elastic,  phi 0.1,  N = 32,000      65 (70)        87 (92)
//   elastic,  phi 0.3,  N = 32,000     158 (157)      196 (202)
//   elastic,  phi 0.3,  N = 256,000    234 (235)      280 (234)
//   elastic,  phi 0.01, N = 1,000,000   87 (80)        96 (91)
//   elastic,  phi 0.1,  N = 1,000,000  110 (117)      109 (126)
//   elastic,  phi 0.3,  N = 1,000,000  250 (264)      266 (285)
//   elastic,  phi 0.49, N = 1,000,000  311 (312)      333 (333)
// The first column, and the constants of one rank, are of a calm hour (43 GB/s; fitted to 48 cases in three
// dimensions on 1 and 2 ranks, 6 % off on average, at worst 16 %). The second is the first times the ratio of
// work on two ranks to that on one, waiting not counted, medians of 3 runs each on a loud machine with 15 to
// 28 GB/s, on which single ratios are off by a tenth: the engine sends half as many copies since that hour.
// What a copy costs has been raised for that by two fifths, as counted instructions say it should (elastic,
// phi 0.3, N = 100,000: a third), since both faces are looked at as before. With the same constants but
// without the term in d, a dilute elastic gas takes 1.6 times what it says. Discs take between three quarters
// of what it says and all of it. tests/mpi/scaling_model_test.cpp holds it against these and against the
// bytes counted on 64 ranks. Hours of such machines differ by a factor of up to two.
//
// Left out: migrants (a few per cent of the copies); uneven load (moving cuts leave up to 5 %); ranks that
// share a memory bus, as those of a full node do; steps done again, after which the halo is wider for some
// fifty steps (one step in fifty to a hundred of a gas with a contact per particle and step); that the
// densest slab sets the number of sub-windows (one tenth more on 64 ranks); output, placement and
// equilibration.
//
// Disadvantage: the constants are of one machine. Efficiencies depend on their ratios only, which vary less.
#pragma once

#include <optional>
#include <string>

#include "ricochet/app/plan.hpp"
#include "ricochet/io/config.hpp"

namespace ricochet {

/// Nanoseconds where not said otherwise. Those down to the counts follow the speed of the engine; to refresh
/// them, fit the cases of `tests/bench/run.sh full` in three dimensions.
struct MachineConstants {
    const char* machine = "one core of a cloud server with AMD EPYC processors, 43 GB/s copy bandwidth";
    double per_particle = 16;        ///< and leg: sort, cells, advance; part of p
    double per_drive = 4;            ///< and step, Brownian particles: three normals; part of p
    double per_candidate = 2;        ///< and leg, for each other particle in reach; part of p
    double growth_in_memory = 1.7;   ///< of p, from small_particles on a rank to large_particles
    double per_contact_small = 300;  ///< up to small_particles on a rank; t
    double per_contact_large = 500;  ///< from large_particles on; t
    double small_particles = 4.3e4, large_particles = 5e5;
    double growth_with_path = 1.9;  ///< of t, by this times d / (1 + d)
    // --- what neighbours add ---
    double per_copy = 200;            ///< and for its step and its contacts:
    double copy_share = 1;            ///< of an owned particle's p
    double copy_contact_share = 2.9;  ///< of an owned particle's contacts
    // --- counts ---
    double changes_per_event = 0.002;  ///< of others' events that call for a second round; q
    double events_per_contact = 0.35;  ///< straddling events sent for a copy, for each of its contacts
    // --- communication ---
    double per_message = 1500;      ///< to a neighbour; l
    double per_collective = 1500;   ///< for each doubling of the ranks; g
    double bytes_per_second = 4e9;  ///< of one rank: packing, sending, unpacking; B
};

/// What the model is asked.
struct ScalingCase {
    double num_particles = 0;      ///< N
    double contacts_per_step = 0;  ///< C, of pairs, in the whole box
    double candidates = 0;         ///< others within a particle's reach in a leg, mean; k
    double path = 0;               ///< of a particle in a leg, in diameters, mean; d
    double box_length = 0;         ///< L, along x
    double halo_width = 0;         ///< W, a length
    bool is_brownian = false;
    double sub_window = 0.05;  ///< contacts per particle in a sub-window, each counted for both; s
    double num_legs = 1;       ///< searches in a step; g
};

/// Of one rank and step, where not said otherwise.
struct ScalingEstimate {
    double num_owned = 0, num_copies = 0;
    double num_windows = 0, num_rounds = 0;
    double num_messages = 0, num_collectives = 0;
    double num_bytes = 0;         ///< sent
    double work_seconds = 0;      ///< CPU, with that for the copies
    double talk_seconds = 0;      ///< communication
    double seconds_per_step = 0;  ///< both
    double efficiency = 1;        ///< against a rank that has no neighbours; (0, 1]
};

/// Throws InputError for fewer than one rank, and where three or more would have slabs thinner than the halo.
ScalingEstimate estimate_step(const ScalingCase& of, int num_ranks, const MachineConstants& machine = {});

/// The largest number of ranks, 1 to 2^24, up to which the efficiency is at least `least`.
int ranks_at_efficiency(const ScalingCase& of, double least, const MachineConstants& machine = {});

/// The case of an input; none where its contacts per step are not known beforehand.
std::optional<ScalingCase> scaling_case(const Config& config, const ParticleSummary& particles,
                                        const RunPlan& plan);

/// What `ricochet check` says about speed: that it is an estimate, and several lines.
std::string describe_speed(const Config& config, const ParticleSummary& particles, const RunPlan& plan);

}  // namespace ricochet
