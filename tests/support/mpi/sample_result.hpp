// SPDX-License-Identifier: BSD-3-Clause
//
// Made-up particles, contacts and samples for tests of the output: every rank can compute all of them from a
// seed, and takes a share that a second seed decides, so that the same data can be spread in any way.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/result/result_writer.hpp"

namespace ricochet::test {

/// Which rank holds item k.
using Distribution = std::function<int(std::uint64_t item)>;
/// Pseudo-random, differently for each seed.
Distribution distribute_randomly(int num_ranks, std::uint64_t seed);
/// Everything to one rank.
Distribution all_to(int rank);

/// Sparse ids (below 2^62), positions all over the box, three species.
Particles sample_particles(std::uint64_t num_particles, const Box& box, std::uint64_t frame);
/// About `mean_number` contacts in random order, with simultaneous ones, later generations and walls.
std::vector<Contact> sample_contacts(std::uint64_t mean_number, std::uint64_t step);
/// Values of the observables of sample_description.
std::vector<double> sample_values(std::uint64_t step);

ResultDescription sample_description(std::uint64_t num_particles, int dimension = 3);

/// The items of this rank, in an order that depends on the rank.
Particles share_of(const Particles& all, int rank, const Distribution& distribution);
std::vector<Contact> share_of(const std::vector<Contact>& all, int rank, const Distribution& distribution);

struct SampleRun {
    std::uint64_t num_particles = 100;
    int dimension = 3;
    std::uint64_t num_steps = 20;
    std::uint64_t steps_per_frame = 5;
    std::uint64_t contacts_per_step = 30;
    std::size_t parts_per_step = 1;     ///< in which contacts are passed on
    std::uint64_t steps_per_flush = 7;  ///< beside the frames
    Precision precision = Precision::float64;
    CollisionLogOptions collisions;
    /// Changes to the made-up content, applied before it is distributed out.
    std::function<void(ResultDescription&)> alter_description = [](ResultDescription&) {};
    std::function<void(std::uint64_t step, Particles&)> alter_particles = [](std::uint64_t, Particles&) {};
    std::function<void(std::uint64_t step, std::vector<Contact>&)> alter_contacts =
        [](std::uint64_t, std::vector<Contact>&) {};
    std::function<void(std::uint64_t step, std::vector<double>&)> alter_values = [](std::uint64_t,
                                                                                    std::vector<double>&) {};
};

/// Writes and closes a result of made-up content; returns the writer's notice. Collective over `ranks`.
std::optional<std::string> write_sample_result(Exchange& ranks, const std::string& path, const SampleRun& run,
                                               const Distribution& distribution);

}  // namespace ricochet::test
