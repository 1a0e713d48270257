// SPDX-License-Identifier: BSD-3-Clause
//
// A model of the cost of a step on P ranks, for planning. Its constants are measured, except for those of the
// network (latencies, bandwidth), which are assumed. It predicts the speed on machines that are not at hand.
// It is no measurement, and says so wherever it is printed.
//
// A box of length L with N particles and C contacts per step (c = C / N of each) is cut into P slabs. W is
// the width of the halo, k the number of others within a particle's mean reach. The mean length of a
// particle's path in an interval is d, in diameters.
//
//   owned    n = N / P
//   copies   h = min(N W / L, N - n)
//            None on one rank. A rank has copies of what lies above its upper face (halo.hpp).
//   work     n (p + c t) + h (200 + p + 2.9 c t), in ns
//            p: per step, with the search, g (a + b k) for its g intervals (search/search_interval.hpp).
//            t: per contact, more by 1.9 d / (1 + d), since paths after a contact are searched cell by cell.
//            Both grow with n + h, linear in the logarithm, as caches overflow.
//            200 ns: sending and receiving a copy. It takes part in the search like all others. Its contacts
//            are resolved here too, and again when the events of its owner arrive.
//   windows  w = max(1, 2 c / s)
//            Sub-windows (slabs/slab_step.hpp); s is 1.4 times as large on several ranks as on one.
//   rounds   r = w (1 + log2(1 + q P e))
//            One exchange of e events of each rank, and more as long as any rank's list changes. The number
//            of changed events about halves from round to round.
//   talk     m (2 + r) l + (1 + r) g log2 P + bytes / B
//            Migration, halo and events to m = 2 neighbours (1 on two ranks). One reduction, and a flag per
//            round, along a tree. Bytes of copies, events and bounds (halo.hpp).
//   seconds  work + talk;  efficiency = n (p + c t) / seconds, p and t for n alone
//
// Only the two terms in P grow with P at given n. tests/unit/traffic_test.cpp counts this on 2 to 64 ranks.
//
// What follows. Messages take tens of microseconds per step, and matter below some thousand particles per
// rank. Copies limit the speed-up: slabs must be many halo widths thick (note 40 of tests/bench/notes.md).
// The rank count at which the efficiency ends grows as the cube root of N for cubes. For boxes that grow
// along x it grows in proportion to N. Slabs thinner than W are refused. Beyond that: threads inside the slab
// (engine/step_engine.hpp).
//
// The constants are fitted to measurements on 1 and 2 ranks of machines with two cores (note 40). A
// test compares the model with these and with the bytes counted on 64 ranks (tests/mpi/scaling_model_test.cpp).
//
// Not included: migrants; uneven load; ranks that share a memory bus, as on a full node. Nor: steps that are
// redone, and the wider halo of some fifty steps after them. Nor: that the densest slab sets the number of
// sub-windows; output, placement and equilibration.
//
// Disadvantage: the constants are of one machine. Efficiencies depend on their ratios only, which vary less.
#pragma once

namespace ricochet {

/// Nanoseconds where not said otherwise. The constants above the counts depend on the speed of the engine. To
/// update them, fit the cases of `tests/bench/run.sh full` in three dimensions.
struct MachineConstants {
    const char* machine = "one core of a cloud server with AMD EPYC processors, 43 GB/s copy bandwidth";
    double per_particle = 16;        ///< and interval: sort, cells, advance; part of p
    double per_drive = 4;            ///< and step, Brownian particles: three normals; part of p
    double per_candidate = 2;        ///< and interval, for each other particle in reach; part of p
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
    double events_per_contact = 0.35;  ///< boundary events sent for a copy, for each of its contacts
    // --- communication ---
    double per_message = 1500;      ///< to a neighbour; l
    double per_collective = 1500;   ///< for each doubling of the ranks; g
    double bytes_per_second = 4e9;  ///< of one rank: packing, sending, unpacking; B
};

/// The input of the model.
struct ScalingCase {
    double num_particles = 0;      ///< N
    double contacts_per_step = 0;  ///< C, of pairs, in the whole box
    double candidates = 0;         ///< others within a particle's reach in an interval, mean; k
    double path = 0;               ///< of a particle in an interval, in diameters, mean; d
    double box_length = 0;         ///< L, along x
    double halo_width = 0;         ///< W, a length
    bool is_brownian = false;
    double sub_window = 0.05;  ///< contacts per particle in a sub-window, each counted for both; s
    double num_intervals = 1;  ///< searches in a step; g
};

/// The result of the model, for one rank and step where not said otherwise.
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

}  // namespace ricochet
