// SPDX-License-Identifier: BSD-3-Clause
//
// Checkpoints of runs with tethers give back which particles are tethered to which; others are as they always were.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "core/hash.hpp"
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

constexpr std::uint64_t num_particles = 50;

/// Each is tethered to the next ones: none, one, ..., twelve.
Particles tethered_particles() {
    Particles all = test::sample_particles(num_particles, Box{}, 0);
    all.track.keep_tethers();
    for (std::size_t k = 0; k < all.size(); ++k)
        for (std::uint32_t t = 0; t < k % (Tethers::most + 1); ++t)
            all.track.tethers()[k].add((std::uint64_t{1} << 62) + k + t, 0xfffe - t);
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

std::array<std::uint64_t, 2> words_of(const Fingerprint& sum) { return {sum.first, sum.second}; }

bool has_field(const std::string& path, const char* field) {
    const hdf5::Handle file = hdf5::open_for_reading(path);
    const hdf5::Handle type = hdf5::Dataset::open(file.get(), "particles").type();
    return H5Tget_member_index(type.get(), field) >= 0;
}

TEST(RanksCheckpoint, GivesBackTethers) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const Particles all = tethered_particles();
    const Particles own = test::share_of(all, world.rank(), test::distribute_randomly(world.size(), 1));
    for (const std::optional<std::uint64_t> next_id : {std::optional<std::uint64_t>(), {77}}) {
        const std::string result = folder.file(next_id ? "with_births" : "without");
        const std::string path = write_checkpoint(world, result, header(next_id), own, 2);
        const FoundCheckpoint found = read_newest_checkpoint(world, result);
        ASSERT_TRUE(found.checkpoint) << testing::PrintToString(found.damaged);
        EXPECT_TRUE(found.checkpoint->particles.track.keeps_tethers());
        EXPECT_EQ(over_ranks(world, found.checkpoint->particles), words_of(fingerprint(all)));
        EXPECT_TRUE(has_field(path, "tether_ids"));
    }
}

/// No particle has a tether yet, but some may get one.
TEST(RanksCheckpoint, KnowsThatTethersAreKept) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const Particles plain = test::sample_particles(num_particles, Box{}, 0);
    Particles own = test::share_of(plain, world.rank(), test::distribute_randomly(world.size(), 1));
    const std::string without = write_checkpoint(world, folder.file("a"), header({}), own, 2);
    EXPECT_FALSE(has_field(without, "tether_ids"));
    EXPECT_FALSE(has_field(without, "absorbed"));
    EXPECT_FALSE(read_newest_checkpoint(world, folder.file("a")).checkpoint->particles.track.keeps_tethers());
    own.track.keep_tethers();
    write_checkpoint(world, folder.file("b"), header({}), own, 2);
    const FoundCheckpoint found = read_newest_checkpoint(world, folder.file("b"));
    EXPECT_TRUE(found.checkpoint->particles.track.keeps_tethers());
    EXPECT_EQ(over_ranks(world, found.checkpoint->particles), words_of(fingerprint(plain)));
}

/// Each tether counts, and so does their order.
TEST(ParticleHash, CountsTethers) {
    const Particles all = tethered_particles();
    Particles fewer = all, other = all;
    fewer.track.tethers()[1].remove(0);
    other.track.tethers()[2].remove(0);
    other.track.tethers()[2].add(all.track.tethers()[2].partner(0), all.track.tethers()[2].species(0));
    EXPECT_NE(words_of(fingerprint(all)), words_of(fingerprint(fewer)));
    EXPECT_NE(words_of(fingerprint(all)), words_of(fingerprint(other)));
}

}  // namespace
}  // namespace ricochet
