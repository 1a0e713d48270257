// SPDX-License-Identifier: BSD-3-Clause
//
// Rows of runs whose ids have gaps and that begin with frames only when they are continued: ids that had ended
// come back to their rows, because the file has kept the ids of the start.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_file.hpp"
#include "hdf5/hdf5_types.hpp"
#include "result/result_check.hpp"
#include "result/start_ids.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/result/compare.hpp"
#include "ricochet/result/result_writer.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/mpi/result_bytes.hpp"
#include "tests/support/mpi/temporary_folder.hpp"

namespace ricochet {
namespace {

using test::dataset_numbers;
using testing::HasSubstr;

const std::string ids_path = std::string("/ricochet/") + start_ids_name;
constexpr std::uint64_t num_first = 100, first_new_id = num_first * 1000003;

ResultDescription sparse_description(bool wants_frames) {
    ResultDescription description = test::sample_description(num_first);
    description.has_changing_particles = description.collisions.has_outcomes = true;
    description.first_new_id = first_new_id;
    description.wants_frames = wants_frames;
    return description;
}

Particles start() { return test::sample_particles(num_first, sparse_description(false).box, 0); }

std::vector<ParticleId> ids_of(const Particles& particles) {
    std::vector<ParticleId> ids;
    for (const Motion& motion : particles.motion) ids.push_back(motion.id);
    return ids;
}

/// In even steps a third of those of the start are away; a new one has come.
Particles particles_at(std::uint64_t step) {
    const Particles all = test::sample_particles(num_first + 1, sparse_description(false).box, step);
    Particles present;
    for (std::uint64_t k = 0; k < all.size(); ++k) {
        if (step % 2 == 0 && k % 3 == 1) continue;
        present.append(all, k);
        if (k == num_first) present.motion[present.size() - 1].id = first_new_id;
    }
    return present;
}

/// This rank's share of the ids of the start, as no other order of ranks would have it.
std::vector<ParticleId> own_start_ids(const test::MpiRanks& ranks) {
    const auto dealer = test::distribute_randomly(ranks.size(), 77);
    return ids_of(test::share_of(start(), ranks.rank(), dealer));
}

void write_steps(test::MpiRanks& ranks, ResultWriter& writer, std::uint64_t first, std::uint64_t last,
                 bool has_frames) {
    const auto dealer = test::distribute_randomly(ranks.size(), first + 1);
    for (std::uint64_t step = first; step < last; ++step) {
        writer.append_contacts(step, test::share_of(test::sample_contacts(9, step), ranks.rank(), dealer));
        if (has_frames)
            writer.write_frame(step, static_cast<double>(step),
                               test::share_of(particles_at(step), ranks.rank(), dealer));
    }
}

/// Ten steps without frames.
ResultPosition write_first_part(test::MpiRanks& ranks, const std::string& path,
                                std::vector<ParticleId> own_ids) {
    ResultWriter writer(ranks, path, sparse_description(false), false, std::move(own_ids));
    write_steps(ranks, writer, 0, 10, false);
    writer.flush();
    const ResultPosition position = writer.position();
    writer.close(0);
    return position;
}

void write_both_parts(test::MpiRanks& ranks, const std::string& path) {
    const ResultPosition position = write_first_part(ranks, path, own_start_ids(ranks));
    ResultWriter writer = ResultWriter::reopen(ranks, path, sparse_description(true), position);
    write_steps(ranks, writer, 10, 14, true);
    writer.close(0);
}

void expect_rows_for_good(const std::string& path) {
    const auto id = dataset_numbers<std::uint64_t>(path, "/particles/trajectory/id/value");
    const std::vector<ParticleId> expected = ids_of(start());
    ASSERT_EQ(id.size(), 4 * (num_first + 1));
    for (std::uint64_t frame = 0; frame < 4; ++frame)
        for (std::uint64_t row = 0; row < num_first; ++row)
            EXPECT_EQ(id[frame * (num_first + 1) + row],
                      frame % 2 == 0 && row % 3 == 1 ? absent_id : expected[row]);
    EXPECT_EQ(dataset_numbers<std::uint64_t>(path, ids_path), expected);
    EXPECT_EQ(find_damage_of_result(path), std::nullopt);
}

/// A particle that is absent in the first frame comes back to its row, on any number of ranks.
TEST(RanksStartIds, KeepRowsBeforeFrames) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    for (int num_ranks = 1; num_ranks <= world.size(); ++num_ranks) {
        const std::string path = folder.file(std::to_string(num_ranks) + ".h5md");
        test::MpiRanks part = world.split(world.rank() < num_ranks ? 0 : 1);
        if (world.rank() < num_ranks) write_both_parts(part, path);
        world.barrier();
        if (world.rank() != 0) continue;
        expect_rows_for_good(path);
        test::expect_same_datasets(folder.file("1.h5md"), path);
    }
    world.barrier();
}

/// They must be those of the particles; nothing is left of a file where they are not.
TEST(RanksStartIds, AreRefusedWhereWrong) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5md");
    const auto refusal = [&](std::vector<ParticleId> own_ids) {
        return test::message_of<RunError>(
            [&] { ResultWriter(world, path, sparse_description(false), false, std::move(own_ids)); });
    };
    std::vector<ParticleId> own = own_start_ids(world);
    if (!own.empty()) own.pop_back();
    EXPECT_THAT(refusal(own),
                AllOf(HasSubstr("ids of the start: there are "), HasSubstr("100 were expected")));
    own = own_start_ids(world);
    const auto first = start().motion[0].id, second = start().motion[1].id;
    std::replace(own.begin(), own.end(), second, first);
    EXPECT_EQ(refusal(own), "ids of the start: particle " + std::to_string(first) + " exists twice");
    EXPECT_FALSE(std::filesystem::exists(path));
    world.barrier();
}

/// Where no particle can come, or ids have no gaps, rows need no ids.
TEST(RanksStartIds, AreKeptWhereNeeded) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    std::vector<ParticleId> own = own_start_ids(world);
    ResultDescription description = sparse_description(true);
    description.first_new_id.reset();
    ResultWriter(world, folder.file("a.h5md"), description, false, own).close(0);
    description.first_new_id = num_first;
    ResultWriter(world, folder.file("b.h5md"), description, false, own).close(0);
    ResultWriter(world, folder.file("c.h5md"), sparse_description(true), false, own).close(0);
    if (world.rank() == 0) {
        for (const auto& [name, is_kept] :
             {std::pair("a", false), std::pair("b", false), std::pair("c", true)}) {
            const hdf5::Handle file = hdf5::open_for_reading(folder.file(std::string(name) + ".h5md"));
            EXPECT_EQ(has_start_ids(file.get()), is_kept) << name;
        }
    }
    world.barrier();
}

/// Files of earlier versions have none. They go on where no frame is asked for, or where the first has all.
TEST(RanksStartIds, MayBeMissingInOldFiles) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5md");
    const ResultPosition position = write_first_part(world, path, {});
    EXPECT_THAT(test::message_of<InputError>(
                    [&] { ResultWriter::reopen(world, path, sparse_description(true), position); }),
                AllOf(HasSubstr("does not tell the ids of the start"),
                      HasSubstr("continue with output.trajectory_every: 0")));
    EXPECT_EQ(find_damage_of_result(path), std::nullopt);
    world.barrier();
    {
        ResultWriter writer = ResultWriter::reopen(world, path, sparse_description(false), position);
        write_steps(world, writer, 10, 14, false);
        writer.close(0);
    }
    EXPECT_EQ(find_damage_of_result(path), std::nullopt);
    world.barrier();
    ResultPosition before_steps;
    {
        ResultWriter writer(world, folder.file("b.h5md"), sparse_description(false), false);
        before_steps = writer.position();
        writer.close(0);
    }
    ResultWriter::reopen(world, folder.file("b.h5md"), sparse_description(true), before_steps).close(0);
    world.barrier();
}

/// Also before there is a frame.
TEST(StartIds, AreVerified) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5md");
    write_first_part(world, path, own_start_ids(world));
    if (world.rank() == 0) {
        EXPECT_EQ(find_damage_of_result(path), std::nullopt);
        {
            const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
            std::vector<ParticleId> ids = ids_of(start());
            ids[40] += 1;
            const hdf5::Dataset dataset = hdf5::Dataset::open(file.get(), ids_path.c_str());
            ASSERT_GE(H5Dwrite(dataset.get(), hdf5::number_type<ParticleId>(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                               ids.data()),
                      0);
        }
        EXPECT_THAT(find_damage_of_result(path).value_or("intact"), HasSubstr("its frames are not"));
    }
    world.barrier();
}

}  // namespace
}  // namespace ricochet
