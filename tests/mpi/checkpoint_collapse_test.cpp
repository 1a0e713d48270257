// SPDX-License-Identifier: BSD-3-Clause
//
// Checkpoints of runs that prevent collapse give back when each particle had its latest contact. Others are as they
// always were.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_file.hpp"
#include "model/particle_hash.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/checkpoint/checkpoint.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"
#include "tests/support/mpi/sample_result.hpp"
#include "tests/support/mpi/temporary_folder.hpp"

namespace ricochet {
namespace {

constexpr std::uint64_t num_particles = 40;

/// One in four has had no contact.
Particles particles_with_contacts(bool has_tethers) {
    Particles all = test::sample_particles(num_particles, Box{}, 0);
    if (has_tethers) all.track.keep_tethers();
    all.track.keep_latest_contacts();
    for (std::size_t k = 0; k < all.size(); ++k)
        if (k % 4 != 0) all.track.latest_contacts()[k] = -1 / static_cast<double>(3 * k);
    return all;
}

CheckpointHeader header(std::optional<std::uint64_t> next_id) {
    CheckpointHeader header;
    header.state.step = 3;
    header.state.next_id = next_id;
    header.state.observers["observables"] = {.sums = {1}, .integers = {2}, .numbers = {0}};
    header.num_particles = num_particles;
    return header;
}

std::array<std::uint64_t, 2> over_ranks(test::MpiRanks& ranks, const Particles& own) {
    const Fingerprint mine = fingerprint(own);
    std::array<std::uint64_t, 2> words{mine.first, mine.second};
    sum_over_ranks(ranks, words);
    return words;
}

std::size_t row_bytes_of(const std::string& path) {
    const hdf5::Handle file = hdf5::open_for_reading(path);
    const hdf5::Handle type = hdf5::Dataset::open(file.get(), "particles").type();
    return H5Tget_size(type.get());
}

/// In rows of all three kinds, which have the same size as without.
TEST(RanksCheckpoint, GivesBackLatestContacts) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    for (const bool has_tethers : {false, true})
        for (const std::optional<std::uint64_t> next_id : {std::optional<std::uint64_t>(), {77}}) {
            const Particles all = particles_with_contacts(has_tethers);
            const Particles own =
                test::share_of(all, world.rank(), test::distribute_randomly(world.size(), 1));
            const std::string result =
                folder.file(std::string(next_id ? "births" : "no_births") + (has_tethers ? "_tethers" : ""));
            const std::string path = write_checkpoint(world, result, header(next_id), own, 2);
            const FoundCheckpoint found = read_newest_checkpoint(world, result);
            ASSERT_TRUE(found.checkpoint) << testing::PrintToString(found.damaged);
            Particles read = found.checkpoint->particles;
            read.track.keep_latest_contacts();  // as a run does: a rank may have none with a contact
            EXPECT_EQ(over_ranks(world, read), over_ranks(world, own));
            for (const Motion& motion : read.motion) EXPECT_EQ(motion.time, 0);
            EXPECT_EQ(row_bytes_of(path), has_tethers ? 280u : next_id ? 152u : 144u);
        }
}

/// Those of a run that does not prevent collapse.
TEST(RanksCheckpoint, KeepsNoLatestContactsOfOthers) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const Particles plain = test::sample_particles(num_particles, Box{}, 0);
    const Particles own = test::share_of(plain, world.rank(), test::distribute_randomly(world.size(), 1));
    write_checkpoint(world, folder.file("a"), header({}), own, 2);
    const FoundCheckpoint found = read_newest_checkpoint(world, folder.file("a"));
    EXPECT_FALSE(found.checkpoint->particles.track.keeps_latest_contacts());
    EXPECT_EQ(over_ranks(world, found.checkpoint->particles), over_ranks(world, own));
}

TEST(ParticleHash, CountsLatestContacts) {
    const Particles all = particles_with_contacts(false);
    Particles other = all;
    other.track.latest_contacts()[1] *= 2;
    EXPECT_NE(fingerprint(all).first, fingerprint(other).first);
}

}  // namespace
}  // namespace ricochet
