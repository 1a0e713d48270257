// SPDX-License-Identifier: BSD-3-Clause
//
// Checksums of results: the same for any spread over ranks, as the rows in the file add up to, and those of a
// position as of the moment it was taken. What damage does to them is tested from outside (system/checksums).
#include "result/result_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <vector>

#include "hdf5/hdf5_file.hpp"
#include "result/result_creation.hpp"
#include "result/result_seal.hpp"
#include "result/result_sums.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/result/result_writer.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"
#include "tests/support/mpi/sample_result.hpp"
#include "tests/support/mpi/temporary_folder.hpp"

namespace ricochet {
namespace {

using testing::HasSubstr;
using testing::Optional;

ResultSeal seal_of(const std::string& path) {
    const ResultReader reader(path);
    return read_seal(reader.open("/ricochet/checksums"), reader.complete()).value();
}

std::vector<test::SampleRun> kinds_of_results() {
    std::vector<test::SampleRun> kinds(6);
    kinds[1].precision = Precision::float32;
    kinds[1].dimension = 2;
    kinds[2].alter_description = [](ResultDescription& description) { description.is_compressed = true; };
    kinds[3].collisions.byte_budget = 112 * 100;
    kinds[4].num_particles = 90'000;  // a frame is read in pieces
    kinds[4].num_steps = 6;
    kinds[5].alter_description = [](ResultDescription& description) {
        description.species.at(1).corners = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        description.species.at(1).content = 0.5;
    };
    return kinds;
}

/// Checksums are those of the rows, however these are spread over the ranks.
TEST(RanksResultCheck, HasTheChecksumsOfAnySpread) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string many = folder.file("many.h5md"), one = folder.file("one.h5md");
    for (const test::SampleRun& kind : kinds_of_results()) {
        write_sample_result(world, many, kind, test::distribute_randomly(world.size(), 5));
        write_sample_result(world, one, kind, test::all_to(world.size() - 1));
        world.barrier();
        if (world.rank() == 0) {
            EXPECT_EQ(find_damage_of_result(many), std::nullopt);
            EXPECT_EQ(seal_of(many).sums, seal_of(one).sums);
            EXPECT_EQ(seal_of(many).complete, seal_of(one).complete);
            EXPECT_EQ(seal_of(many).description, seal_of(one).description);
            EXPECT_NE(seal_of(many).description, 0u);
        }
        const ResultSeal seal = seal_of(many);
        const ResultPosition end{seal.complete.frames,  seal.complete.collisions,
                                 seal.complete.samples, 0,
                                 std::nullopt,          seal.sums};
        EXPECT_EQ(find_damage_of_rows(world, many, end), std::nullopt);
        world.barrier();
        if (world.rank() == 0)
            for (const std::string& path : {many, one}) std::filesystem::remove(path);
    }
}

/// Those of the rows up to it.
TEST(RanksResultCheck, ChecksumsOfAPosition) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5md");
    const ResultDescription description = test::sample_description(50);
    const auto distribution = test::distribute_randomly(world.size(), 2);
    ResultWriter writer(world, path, description, false);
    std::vector<ResultPosition> positions{writer.position()};
    for (std::uint64_t step = 0; step < 6; ++step) {
        const Particles all = test::sample_particles(50, description.box, step);
        writer.append_contacts(step,
                               test::share_of(test::sample_contacts(20, step), world.rank(), distribution));
        writer.append_observables(step, 0.5, test::sample_values(step));
        if (step % 2 == 0) writer.write_frame(step, 0.5, test::share_of(all, world.rank(), distribution));
        if (step % 2 == 1) writer.flush();
        positions.push_back(writer.position());
    }
    writer.close(1);
    for (std::size_t k = 0; k < positions.size(); ++k) {
        EXPECT_EQ(find_damage_of_rows(world, path, positions[k]), std::nullopt) << k;
    }
    EXPECT_NE(positions[1].sums, positions[2].sums);
    ResultPosition wrong = positions.back();
    ++wrong.sums.samples;
    EXPECT_THAT(find_damage_of_rows(world, path, wrong), Optional(HasSubstr("is damaged: its observables")));
    wrong.sums.collisions ^= 1;
    EXPECT_THAT(find_damage_of_rows(world, path, wrong), Optional(HasSubstr("its rows of collisions")));
    try {
        ResultWriter::reopen(world, path, description, wrong);
        ADD_FAILURE() << "no error";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("a.h5md: is damaged: its rows of collisions"));
    }
}

/// Changes one bit of a dataset below /ricochet/shapes; twice, and all is as before.
void flip_bit_of_shapes(const std::string& path, const char* name) {
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const auto dataset = hdf5::Dataset::open(file.get(), (std::string("ricochet/shapes/") + name).c_str());
    std::vector<std::uint64_t> words(16);
    const hdf5::Handle type = dataset.type();
    H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, words.data());
    words[1] ^= 1;
    H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, words.data());
}

/// Corners come back bit by bit, and one bit that has changed is found.
TEST(RanksResultCheck, FindsOtherCornersOfShapes) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5md");
    const test::SampleRun run = kinds_of_results().back();
    ResultDescription expected = test::sample_description(50);
    run.alter_description(expected);
    write_sample_result(world, path, run, test::distribute_randomly(world.size(), 5));
    world.barrier();
    if (world.rank() == 0) {
        const std::vector<Species> found = ResultReader(path).description().species;
        for (std::size_t k = 0; k < expected.species.size(); ++k) {
            EXPECT_EQ(found.at(k).corners, expected.species[k].corners);
            EXPECT_EQ(found.at(k).content, expected.species[k].content);
        }
        for (const char* name : {"corners", "volume", "first"}) {
            flip_bit_of_shapes(path, name);
            EXPECT_THAT(find_damage_of_structure(path),
                        Optional(HasSubstr("its shapes are not what was written")))
                << name;
            flip_bit_of_shapes(path, name);
        }
        EXPECT_EQ(find_damage_of_result(path), std::nullopt);
    }
    world.barrier();
}

/// Where the description has none.
TEST(RanksResultCheck, KnowsMissingChecksums) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5md");
    const ResultDescription description = test::sample_description(50);
    create_empty_result(world, path, description, false);  // as one that a kill has left in the middle
    EXPECT_EQ(find_damage_of_structure(path), std::nullopt);
    EXPECT_FALSE(has_checked_description(path));
    world.barrier();
    ResultWriter(world, path, description, true).close(0);
    world.barrier();
    EXPECT_EQ(find_damage_of_structure(path), std::nullopt);
    EXPECT_TRUE(has_checked_description(path));
}

TEST(RanksResultCheck, LooksAtEveryPieceOnce) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    test::SampleRun run;
    run.num_particles = 90'000;
    run.num_steps = 6;
    const std::string path = folder.file("a.h5md");
    write_sample_result(world, path, run, test::distribute_randomly(world.size(), 5));
    world.barrier();
    const ResultReader reader(path);
    ResultSums sum;
    for (std::uint64_t index = 0; index < 7; ++index) {
        const ResultSums part = read_sums(reader, reader.complete(), {index, 7}, [] {});
        sum.frames += part.frames;
        sum.collisions += part.collisions;
        sum.samples += part.samples;
    }
    EXPECT_EQ(sum, seal_of(path).sums);
    int num_pieces = 0;
    read_sums(reader, reader.complete(), {}, [&] { ++num_pieces; });
    EXPECT_GT(num_pieces, 20);
}

/// First bytes of the newer counters before last bytes of the older.
CompleteRows torn(const CompleteRows& newer, const CompleteRows& older, std::size_t num_newer) {
    CompleteRows rows = older;
    std::memcpy(&rows, &newer, num_newer);
    return rows;
}

TEST(RanksResultSeal, MendsTornCounters) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5");
    const CompleteRows older{3, 100, 7, 12}, newer{4, 612, 9, 0x314};
    { hdf5::ParallelFile created(world, path, false); }
    auto file = hdf5::ParallelFile::reopen(world, path, {"0123456789abcdef0123456789abcdef", false});
    create_seals(world, file.get(), {});
    auto written = hdf5::Dataset::open(file.get(), "checksums");
    ResultSeal seal;
    seal.serial = 5;
    seal.complete = older;
    write_seal(world, written, seal);
    seal.complete = newer;
    write_seal(world, written, seal);
    written = {};
    file.close();

    const hdf5::Handle read = hdf5::open_for_reading(path);
    const auto seals = hdf5::Dataset::open(read.get(), "checksums");
    EXPECT_EQ(untorn(older, seals), older);
    EXPECT_EQ(untorn(newer, seals), newer);
    for (std::size_t k = 1; k < sizeof(CompleteRows); ++k) {
        const CompleteRows found = torn(newer, older, k);
        EXPECT_EQ(untorn(found, seals), found == older ? older : newer) << k;
    }
    for (const CompleteRows& damaged :
         {CompleteRows{5, 612, 9, 0x314}, CompleteRows{4, 100, 9, 12}, CompleteRows{}})
        EXPECT_EQ(untorn(damaged, seals), damaged);
}

}  // namespace
}  // namespace ricochet
