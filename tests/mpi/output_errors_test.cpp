// SPDX-License-Identifier: BSD-3-Clause
//
// What goes wrong with output is found by all ranks, before anything is touched, and what was written before
// stays readable.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "files/output_path.hpp"
#include "hdf5/reserved_room.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/result/result_info.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"
#include "tests/support/mpi/sample_result.hpp"
#include "tests/support/mpi/temporary_folder.hpp"

namespace ricochet {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// The message that an action throws as Error on this rank.
template <class Error, class Action>
std::string message_of(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

std::string path_refusal(Exchange& world, const std::string& path, bool force) {
    return message_of<InputError>([&] { check_output_path(world, path, force); });
}

/// Without creating it.
TEST(RanksOutputPath, AcceptsANewFile) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    EXPECT_EQ(path_refusal(world, folder.file("new.h5md"), false), "no error");
    EXPECT_FALSE(std::filesystem::exists(folder.file("new.h5md")));
}

TEST(RanksOutputPath, RefusesAMissingFolder) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    EXPECT_THAT(path_refusal(world, folder.file("no/such/a.h5md"), true),
                AllOf(HasSubstr("output file "), HasSubstr("no/such does not exist")));
    EXPECT_FALSE(std::filesystem::exists(folder.file("no")));
}

TEST(RanksOutputPath, ReplacesFilesOnlyByForce) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("old.h5md");
    if (world.rank() == 0) std::ofstream(path) << "precious";
    world.barrier();
    EXPECT_THAT(path_refusal(world, path, false), HasSubstr("it exists; give --force"));
    EXPECT_EQ(path_refusal(world, path, true), "no error");
    const auto create = [&] { ResultWriter(world, path, test::sample_description(3), false); };
    EXPECT_THAT(message_of<InputError>(create), HasSubstr("it exists"));
    EXPECT_EQ(std::filesystem::file_size(path), 8u);
}

TEST(RanksOutputPath, KeepsTheOldUntilTheNewIsWhole) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("old.h5md");
    if (world.rank() == 0) std::ofstream(path) << "precious";
    world.barrier();
    const auto create = [&] {
        ResultWriter(world, path, test::sample_description(1'000'000'000'000'000), true);
    };
    EXPECT_THAT(message_of<RunError>(create), HasSubstr("the next output needs"));
    EXPECT_EQ(std::filesystem::file_size(path), 8u);
    EXPECT_FALSE(std::filesystem::exists(path + ".new-"));
}

TEST(RanksOutputPath, RefusesFoldersAndDevices) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    EXPECT_THAT(path_refusal(world, folder.file(""), true), HasSubstr("it names no file"));
    EXPECT_THAT(path_refusal(world, folder.file(".."), true), HasSubstr("not a regular file"));
    EXPECT_THAT(path_refusal(world, "/dev/null", true), HasSubstr("not a regular file"));
}

TEST(RanksFreeSpace, IsDemandedByAllRanks) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const auto demand = [&](std::uint64_t num_bytes) {
        return message_of<RunError>([&] { require_free_space(world, folder.file(""), num_bytes); });
    };
    EXPECT_EQ(demand(1), "no error");
    EXPECT_THAT(demand(std::uint64_t{1} << 60), HasSubstr("the next output needs 1152921504606846976 bytes"));
    EXPECT_THAT(demand(~std::uint64_t{0}), HasSubstr("the next output needs"));
}

/// The file is longer until the room is released.
TEST(RanksReservedRoom, LengthensUntilReleased) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5md");
    test::write_sample_result(world, path, {}, test::all_to(0));
    const std::uint64_t length = std::filesystem::file_size(path);
    const std::string content = describe_result(path);
    world.barrier();
    reserve_room(world, path, 100'000);
    EXPECT_GE(std::filesystem::file_size(path), length + 100'000);
    EXPECT_EQ(describe_result(path), content);
    world.barrier();
    release_room(world, path);
    EXPECT_EQ(std::filesystem::file_size(path), length);
    EXPECT_EQ(describe_result(path), content);
    world.barrier();
}

/// Where there is no room, the file stays as it is.
TEST(RanksReservedRoom, ChangesNothingWithoutRoom) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5md");
    test::write_sample_result(world, path, {}, test::all_to(0));
    const std::uint64_t length = std::filesystem::file_size(path);
    world.barrier();
    const auto reserve = [&] { reserve_room(world, path, std::uint64_t{1} << 60); };
    EXPECT_THAT(message_of<RunError>(reserve), AllOf(HasSubstr("a.h5md: cannot reserve room: "),
                                                     HasSubstr("needs 1152921504606846976 bytes")));
    EXPECT_EQ(std::filesystem::file_size(path), length);
    world.barrier();
}

TEST(RanksReservedRoom, IsGivenBackByEveryOutput) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const auto description = test::sample_description(50);
    ResultWriter writer(world, folder.file("a.h5md"), description, false);
    const Particles all = test::sample_particles(50, description.box, 0);
    const auto distribution = test::distribute_randomly(world.size(), 4);
    for (std::uint64_t step = 0; step < 3; ++step) {
        writer.write_frame(step, 0.0, test::share_of(all, world.rank(), distribution));
        world.barrier();
        EXPECT_LT(std::filesystem::file_size(folder.file("a.h5md")), std::uintmax_t{1} << 20);
        world.barrier();
    }
    writer.close(0);
}

// One good frame, one that `spoil` has changed; returns the message of the second. The file is abandoned.
template <class Spoil>
std::string refusal_of_second_frame(Spoil spoil) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const auto description = test::sample_description(50);
    const auto distribution = test::distribute_randomly(world.size(), 4);
    ResultWriter writer(world, folder.file("a.h5md"), description, false);
    Particles all = test::sample_particles(50, description.box, 0);
    writer.write_frame(0, 0, test::share_of(all, world.rank(), distribution));
    spoil(all);
    const std::string message = message_of<RunError>(
        [&] { writer.write_frame(1, 1, test::share_of(all, world.rank(), distribution)); });
    EXPECT_THAT(describe_result(folder.file("a.h5md")), HasSubstr("1 complete, steps 0 to 0"));
    writer.close(0);
    EXPECT_THAT(describe_result(folder.file("a.h5md")), HasSubstr("1 complete, steps 0 to 0"));
    return message;
}

TEST(RanksResultWriterErrors, NoticeALostParticle) {
    EXPECT_EQ(refusal_of_second_frame([](Particles& all) { all.resize(all.size() - 1); }),
              "frame of step 1: there are 49 particles, and 50 were expected");
}

/// A particle that exists twice.
TEST(RanksResultWriterErrors, NoticeADoubleId) {
    const ParticleId id = test::sample_particles(50, test::sample_description(50).box, 0).motion[8].id;
    EXPECT_EQ(refusal_of_second_frame([](Particles& all) {
                  all.motion[7].id = all.motion[8].id;
                  all.motion[40].id = all.motion[41].id;
              }),
              "frame of step 1: particle " + std::to_string(id) + " exists twice");
}

/// A particle that the first frame did not have.
TEST(RanksResultWriterErrors, NoticeAnUnknownId) {
    EXPECT_EQ(refusal_of_second_frame([](Particles& all) { all.motion[7].id = 5; }),
              "frame of step 1: particle 5 is not one of the start");
}

/// Also where ids have no gaps, in the first frame.
TEST(RanksResultWriterErrors, NoticeWrongDenseIds) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const auto description = test::sample_description(50);
    const auto refusal_of = [&](const std::function<void(Particles&)>& spoil) {
        Particles all = test::sample_particles(50, description.box, 0);
        for (std::uint64_t k = 0; k < all.size(); ++k) all.motion[k].id = k;
        spoil(all);
        ResultWriter writer(world, folder.file("a.h5md"), description, true);
        const auto own = test::share_of(all, world.rank(), test::distribute_randomly(world.size(), 4));
        const std::string message = message_of<RunError>([&] { writer.write_frame(0, 0, own); });
        writer.close(0);
        return message;
    };
    EXPECT_EQ(refusal_of([](Particles& all) { all.motion[20].id = 49; }),
              "frame of step 0: particle 49 exists twice");
    EXPECT_EQ(refusal_of([](Particles& all) { all.resize(30); }),
              "frame of step 0: there are 30 particles, and 50 were expected");
    EXPECT_EQ(refusal_of([](Particles& all) { all.append(all, 3); }),
              "frame of step 0: there are 51 particles, and 50 were expected");
}

TEST(Xdmf, ListsAllFrames) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    test::SampleRun run;
    run.steps_per_frame = 1;
    run.precision = Precision::float32;
    test::write_sample_result(world, folder.file("a.h5md"), run, test::all_to(0));
    std::ifstream in(folder.file("a.xdmf"));
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    EXPECT_THAT(text,
                HasSubstr(R"(<DataItem Dimensions="100 3" NumberType="Float" Precision="4" Format="HDF">)"
                          R"(a.h5md:/particles/trajectory/position/value|20 0 0:1 1 1:1 100 3:21 100 3<)"));
    EXPECT_THAT(text, HasSubstr("a.h5md:/particles/trajectory/radius|0:1:100:100<"));
    EXPECT_THAT(text, testing::ContainsRegex("<Time Value=\"2\"/>"));
    EXPECT_FALSE(std::filesystem::exists(folder.file("a.xdmf.tmp")));
    world.barrier();
}

}  // namespace
}  // namespace ricochet
