// SPDX-License-Identifier: BSD-3-Clause
//
// Checkpoints give back every bit on any number of ranks, and damaged ones are recognised.
#include "ricochet/checkpoint/checkpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "checkpoint/checkpoint_content.hpp"
#include "core/hash.hpp"
#include "files/sealed_file.hpp"
#include "hdf5/hdf5_attribute.hpp"
#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_file.hpp"
#include "model/particle_hash.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"
#include "tests/support/mpi/sample_result.hpp"
#include "tests/support/mpi/temporary_folder.hpp"

namespace ricochet {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

CheckpointHeader sample_header(std::uint64_t step, std::uint64_t num_particles) {
    CheckpointHeader header;
    header.state.step = step;
    header.state.previous_sample_time = 0.1;
    header.state.observers["observables"] = {
        .sums = {1, -2, std::int64_t{1} << 62, std::numeric_limits<std::int64_t>::min()},
        .integers = {3, 0, 5},
        .numbers = {-0.0}};
    header.identity = {"0123456789abcdef0123456789abcdef", 11, 12};
    header.result = {4, 5, 6, 7, std::nullopt};
    header.effective_input = "title: \"a\"\nrun:\n  steps: 5\n";
    header.num_particles = num_particles;
    return header;
}

// With numbers that survive no conversion.
Particles odd_particles(std::uint64_t num_particles) {
    Particles all = test::sample_particles(num_particles, Box{}, 0);
    for (std::size_t k = 0; k < all.size(); ++k) {
        all.attributes.edit(k).diffusion = 0.1 * static_cast<double>(k);
        all.track.set_origin(k, {static_cast<double>(k), -0.0, 5e-324});
        all.motion[k].time = 0.25;
    }
    if (all.size() > 1)
        all.motion[1].velocity = {std::nan("7"), -0.0, -std::numeric_limits<double>::infinity()};
    return all;
}

Fingerprint over_ranks(test::MpiRanks& ranks, const Particles& own) {
    const Fingerprint mine = fingerprint(own);
    std::array<std::uint64_t, 2> words{mine.first, mine.second};
    sum_over_ranks(ranks, words);
    return {words[0], words[1]};
}

std::string write_sample(test::MpiRanks& ranks, const std::string& result, std::uint64_t step,
                         std::uint64_t num_particles = 100, std::uint64_t keep = 2) {
    const Particles own = test::share_of(odd_particles(num_particles), ranks.rank(),
                                         test::distribute_randomly(ranks.size(), step));
    return write_checkpoint(ranks, result, sample_header(step, num_particles), own, keep);
}

std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Rank 0 does it, then all go on.
void replace_bytes(test::MpiRanks& world, const std::string& path, const std::string& bytes) {
    if (world.rank() == 0) std::ofstream(path, std::ios::binary) << bytes;
    world.barrier();
}

TEST(RanksCheckpoint, GivesBackEveryBit) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    for (const std::uint64_t num_particles : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{100}}) {
        const std::string result = folder.file("a" + std::to_string(num_particles));
        const std::string path = write_sample(world, result, 12, num_particles);
        EXPECT_EQ(path, result + ".checkpoint-12");
        const FoundCheckpoint found = read_newest_checkpoint(world, result);
        ASSERT_TRUE(found.checkpoint) << testing::PrintToString(found.damaged);
        EXPECT_EQ(found.path, path);
        EXPECT_TRUE(static_cast<const CheckpointHeader&>(*found.checkpoint) ==
                    sample_header(12, num_particles));
        EXPECT_EQ(over_ranks(world, found.checkpoint->particles), fingerprint(odd_particles(num_particles)));
        EXPECT_LE(found.checkpoint->particles.size(),
                  num_particles / static_cast<unsigned>(world.size()) + 1);
    }
}

TEST(RanksCheckpoint, KeepsOptionalParts) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    CheckpointHeader header = sample_header(0, 0);
    header.state.previous_sample_time.reset();
    header.state.equilibration = {7, 8, 9, {{3, 4}, {6, 7}}};
    header.state.found_box = FoundBox{{9.8108464149395168, 0x1.999999999999ap+3, 7}, 19.8644};
    header.result.first_missing_step = 77;
    write_checkpoint(world, folder.file("a"), header, {}, 2);
    const FoundCheckpoint found = read_newest_checkpoint(world, folder.file("a"));
    ASSERT_TRUE(found.checkpoint);
    EXPECT_TRUE(static_cast<const CheckpointHeader&>(*found.checkpoint) == header);
}

TEST(RanksCheckpoint, KeepsTheStateOfEachObserver) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    CheckpointHeader header = sample_header(2, 0);
    const auto expect_kept = [&] {
        write_checkpoint(world, folder.file("a"), header, {}, 2);
        const FoundCheckpoint found = read_newest_checkpoint(world, folder.file("a"));
        ASSERT_TRUE(found.checkpoint);
        EXPECT_TRUE(static_cast<const CheckpointHeader&>(*found.checkpoint) == header);
    };
    header.state.observers["bonds"] = {.sums = {7}, .integers = {}, .numbers = {0.1, -5e-324}};
    header.state.observers["a b"] = {.sums = {}, .integers = {1, 2, 3}, .numbers = {}};
    expect_kept();
    header.state.observers.clear();
    expect_kept();
}

TEST(RanksCheckpoint, HasTheSameChecksumsOnAnyRanks) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    write_sample(world, folder.file("all"), 3);
    test::MpiRanks alone = world.split(world.rank());
    if (world.rank() == 0) write_sample(alone, folder.file("one"), 3);
    world.barrier();
    const auto checksums = [&](const std::string& path, const char* name) {
        const hdf5::Handle file = hdf5::open_for_reading(path);
        return hdf5::read_numbers<std::uint64_t>(hdf5::Dataset::open(file.get(), name).get(), "checksum");
    };
    for (const char* name : {"particles", "observables/sums", "observables/contacts"})
        EXPECT_EQ(checksums(folder.file("all.checkpoint-3"), name),
                  checksums(folder.file("one.checkpoint-3"), name));
    world.barrier();
}

TEST(RanksCheckpoint, NoticesALostParticle) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    write_sample(world, folder.file("a"), 1);
    EXPECT_THROW(write_checkpoint(world, folder.file("a"), sample_header(2, 1), {}, 2), RunError);
    EXPECT_EQ(read_newest_checkpoint(world, folder.file("a")).path, folder.file("a.checkpoint-1"));
}

/// The newest is kept, and nothing unfinished.
TEST(RanksCheckpoint, KeepsTheNewestComplete) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    replace_bytes(world, folder.file("a.checkpoint-4.tmp"), "unfinished");
    replace_bytes(world, folder.file("a.checkpoint-other"), "not ours");
    for (const std::uint64_t step : {5, 20, 100}) write_sample(world, folder.file("a"), step);
    EXPECT_THAT(list_checkpoints(folder.file("a")),
                ElementsAre(folder.file("a.checkpoint-100"), folder.file("a.checkpoint-20")));
    EXPECT_FALSE(fs::exists(folder.file("a.checkpoint-4.tmp")));
    world.barrier();
    write_sample(world, folder.file("a"), 50);  // after the cut back to 20
    EXPECT_THAT(list_checkpoints(folder.file("a")),
                ElementsAre(folder.file("a.checkpoint-50"), folder.file("a.checkpoint-20")));
    world.barrier();
    remove_checkpoints(world, folder.file("a"));
    EXPECT_THAT(list_checkpoints(folder.file("a")), ElementsAre());
    EXPECT_TRUE(fs::exists(folder.file("a.checkpoint-other")));
    world.barrier();
}

TEST(RanksCheckpoint, LeavesThoseOfOtherRuns) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    CheckpointHeader other = sample_header(3, 0);
    other.identity.run_id = "another";
    const std::string others = write_checkpoint(world, folder.file("a"), other, {}, 1);
    const std::string content = bytes_of(others);
    world.barrier();
    write_sample(world, folder.file("a"), 5, 100, 1);
    write_sample(world, folder.file("a"), 3, 100, 1);
    EXPECT_THAT(list_checkpoints(folder.file("a")), ElementsAre(others));
    EXPECT_EQ(bytes_of(others + ".other"), content);
    world.barrier();
}

// The newest of two has these bytes: the older one must be found, and the newest named.
void expect_fallback(test::MpiRanks& world, const std::string& result, const std::string& bytes,
                     const std::string& why) {
    replace_bytes(world, result + ".checkpoint-9", bytes);
    const FoundCheckpoint found = read_newest_checkpoint(world, result);
    EXPECT_EQ(found.path, result + ".checkpoint-8");
    ASSERT_EQ(found.damaged.size(), 1u);
    EXPECT_THAT(found.damaged[0], HasSubstr(result + ".checkpoint-9: is damaged: it"));
    EXPECT_THAT(found.damaged[0], HasSubstr(why));
    EXPECT_TRUE(found.checkpoint && found.checkpoint->state.step == 8);
}

/// A result with checkpoints of steps 8 and 9.
struct TwoCheckpoints {
    test::MpiRanks world;
    test::TemporaryFolder folder{world};
    std::string result = folder.file("a");
    std::string good = written();  ///< the bytes of the later one

  private:
    std::string written() {
        write_sample(world, result, 8);
        const std::string bytes = bytes_of(write_sample(world, result, 9));
        world.barrier();
        return bytes;
    }
};

/// It is named, and the previous one used.
TEST(RanksDamagedCheckpoint, GivesWayToThePrevious) {
    TwoCheckpoints two;
    auto& [world, folder, result, good] = two;
    expect_fallback(world, result, "", "is empty");
    expect_fallback(world, result, "x", "cut off");
    for (const std::size_t length : {good.size() / 2, good.size() - 40, good.size() - 1})
        expect_fallback(world, result, good.substr(0, length), "cut off");
    expect_fallback(world, result, good.substr(1), "length");
    expect_fallback(world, result, std::string(good.size(), '\0'), "");
    replace_bytes(world, result + ".checkpoint-9", good);
    EXPECT_EQ(read_newest_checkpoint(world, result).path, result + ".checkpoint-9");
}

TEST(RanksDamagedCheckpoint, ShowsAnyFlippedBit) {
    TwoCheckpoints two;
    auto& [world, folder, result, good] = two;
    for (std::size_t k = 0; k < 60; ++k) {
        std::string bad = good;
        const std::size_t at = k < 30 ? k * 7 : k * 7919 % good.size();
        bad[at] = static_cast<char>(bad[at] ^ (1 << (k % 8)));
        expect_fallback(world, result, bad, "");
    }
}

/// None is left when all are damaged.
TEST(RanksDamagedCheckpoint, MayLeaveNone) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    for (const std::uint64_t step : {1, 2}) {
        const std::string path = write_sample(world, folder.file("a"), step);
        replace_bytes(world, path, "");
    }
    const FoundCheckpoint found = read_newest_checkpoint(world, folder.file("a"));
    EXPECT_FALSE(found.checkpoint);
    EXPECT_EQ(found.damaged.size(), 2u);
}

/// Without a seal it is recognised by its datasets.
TEST(RanksDamagedCheckpoint, ShowsWithoutASeal) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("content");
    const Particles own =
        test::share_of(odd_particles(100), world.rank(), test::distribute_randomly(world.size(), 1));
    write_checkpoint_content(world, path, sample_header(1, 100), own);
    const std::string good = bytes_of(path);
    world.barrier();
    const double marked = 0.1 * 37;  // a diffusion coefficient
    const std::size_t at = good.find(std::string(reinterpret_cast<const char*>(&marked), sizeof marked));
    ASSERT_NE(at, std::string::npos);
    std::string bad = good;
    bad[at] = 2;
    replace_bytes(world, path, bad);
    try {
        read_checkpoint_content(world, path);
        ADD_FAILURE() << "no error";
    } catch (const RunError& error) {
        EXPECT_STREQ(error.what(), "the checksum of its dataset particles is wrong");
    }
}

class OtherFormat : public testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(RanksCheckpoint, OtherFormat,
                         testing::Values(checkpoint_format_version - 1, checkpoint_format_version + 1));

TEST_P(OtherFormat, IsRefused) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.checkpoint-5");
    write_checkpoint_content(world, path, sample_header(5, 0), {});
    if (world.rank() == 0) {
        const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
        hdf5::write_attribute(file.get(), "format_version", GetParam());
    }
    world.barrier();
    seal_file(world, path);
    try {
        read_newest_checkpoint(world, folder.file("a"));
        ADD_FAILURE() << "no error";
    } catch (const InputError& error) {
        EXPECT_EQ(error.what(), path + ": has format version " + std::to_string(GetParam()) +
                                    ", and this program goes on from version " +
                                    std::to_string(checkpoint_format_version) + " only");
    }
}

}  // namespace
}  // namespace ricochet
