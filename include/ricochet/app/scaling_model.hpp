// SPDX-License-Identifier: BSD-3-Clause
//
// What a step costs on P ranks: a model for planning, with measured constants but for those of the network
// (latencies, bandwidth), which are assumed. It foresees what machines
// would do that one does not have; it is no measurement, and says so wherever it is printed.
//
// A box of length L with N particles and C contacts per step (c = C / N of each) is cut into P slabs; W is
// the halo's width, k the number of others within a particle's mean reach.
//
//   owned    n = N / P
//   copies   h = min(N 2 W / L, N - n)               none on one rank; W on either side
//   work     n (p + c t + 8) + h (90 + 0.7 p + 3.5 c t), in ns
//                                                    p per step, with the search: g (a + b k) for its g
//                                                    legs (engine/search_leg.hpp). t per contact,
//                                                    growing with n + h, linear in the logarithm, from
//                                                    small to large: caches. 8 ns: who leaves, and who
//                                                    has copies of whom. 90 ns: to send a copy and to
//                                                    take it in. It is searched for with all others; its
//                                                    contacts are resolved here too, and again when those
//                                                    of its owner are imposed
//   windows  w = max(1, 2 c / s)                     sub-windows (parallel/slab_step.hpp)
//   rounds   r = w (1 + min(1, q (P - 1)))           one exchange of events each, and another where any
//                                                    rank's list changed: the likelier, the more ranks
//   talk     m (2 + r) l + (1 + r) g log2 P          migration, halo and events to m = 2 neighbours (of
//                                                    two ranks: 1); one reduction, and a flag per round,
//                                                    along a tree
//            + bytes / B                             those of copies and events
//   seconds  work + talk;  efficiency = n (p + c t) / seconds, t for n alone
//
// Nothing but the two terms in P grows with P at given n: tests/unit/traffic_test.cpp counts it on 2 to 64
// ranks.
//
// What follows. Talk is tens of microseconds, and matters below some thousand particles per rank. Copies
// limit the speed-up: each costs as much as 2 to 4 owned particles (0.9 in a prototype, which put the end
// of 80 % efficiency at slabs 11 W thick). 80 % now needs slabs 25-35 W thick, and more in a very dilute
// gas, where a step costs little else. The rank count at which it ends grows as the cube root of N for
// cubes, and in proportion to N for boxes that grow along x. Slabs thinner than W are refused. Beyond
// that: threads inside the slab (engine/step_engine.hpp).
//
// Compared with the CPU time of all ranks together without waiting, less that of one, in nanoseconds per
// particle and step (threads, smallest of 15 repetitions on a machine in use), and with the model:
//   N                                 one          2 ranks        4 ranks        8 ranks
//   18,600  Brownian, phi 0.01         31 (31)    + 11   (13)    + 17   (18)    + 28   (29)
//   18,300  Brownian, phi 0.1          67 (67)    + 23   (23)    + 36   (39)    + 62   (70)
//   30,900  elastic, phi 0.3          168 (169)   + 48   (41)    + 79   (75)    + 151  (142)
// Instructions (callgrind) grow in the same proportions. Larger systems on few ranks are foreseen too
// well: half of them should fit caches so much better that it makes up for the copies, and does not
// (172,000 elastic: + 56 on 2 ranks, + 42 on 4).
//
// Left out: migrants (a few per cent of the copies); uneven load (moving cuts leave up to 5 %); ranks that
// share a memory bus, as those of a full node do; steps done again, after which the halo is wider for some
// fifty steps (one step in fifty to a hundred of a gas with a contact per particle and step); that the
// densest slab sets the number of sub-windows (one tenth more on 64 ranks); output, placement and
// equilibration.
//
// Disadvantage: the constants are of one machine. Efficiencies depend on their ratios only, which vary less.
// And they were measured with an engine that took half as long again per step, and two to three times as
// much per copy: they wait to be measured anew.
#pragma once

#include <optional>
#include <string>

#include "ricochet/app/plan.hpp"
#include "ricochet/io/config.hpp"

namespace ricochet {

/// Nanoseconds where not said otherwise. To refresh: tests/bench/run.sh; the first nine follow the speed of
/// the engine.
struct MachineConstants {
    const char* machine = "one core of a cloud server with AMD EPYC processors, 30 GB/s copy bandwidth";
    double per_particle = 27;         ///< and step: sort, cells, advance; part of p
    double per_drive = 8;             ///< Brownian particles: three normals; part of p
    double per_candidate = 27;        ///< for each other particle in reach; part of p
    double per_contact_small = 250;   ///< up to small_particles on a rank; t
    double per_contact_large = 1000;  ///< from large_particles on; t
    double small_particles = 3.2e4, large_particles = 3e5;
    // --- what neighbours add ---
    double per_owned = 8;             ///< particle
    double per_copy = 90;             ///< and for its step and its contacts:
    double copy_share = 0.7;          ///< of an owned particle's p
    double copy_contact_share = 3.5;  ///< of an owned particle's contacts
    // --- counts ---
    double second_round_per_rank = 1e-4;  ///< chance in a sub-window for each rank but the first; q
    double events_per_contact = 0.17;     ///< straddling events sent for a copy, for each of its contacts
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
