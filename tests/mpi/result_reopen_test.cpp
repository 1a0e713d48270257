// SPDX-License-Identifier: BSD-3-Clause
//
// A result that is cut back and goes on is the one that was never interrupted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <optional>

#include "ricochet/core/error.hpp"
#include "ricochet/result/compare.hpp"
#include "ricochet/result/result_info.hpp"
#include "ricochet/result/result_writer.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"
#include "tests/support/mpi/sample_result.hpp"
#include "tests/support/mpi/temporary_folder.hpp"

namespace ricochet {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t num_particles = 60;

ResultDescription description_with(std::uint64_t byte_budget) {
    ResultDescription description = test::sample_description(num_particles);
    description.collisions.byte_budget = byte_budget;
    return description;
}

// Steps [first, last) of a made-up run, distributed out differently by every seed; a frame every 3 steps.
void write_steps(test::MpiRanks& ranks, ResultWriter& writer, std::uint64_t first, std::uint64_t last,
                 std::uint64_t seed) {
    const auto distribution = test::distribute_randomly(ranks.size(), seed);
    const Box box = test::sample_description(num_particles).box;
    for (std::uint64_t step = first; step < last; ++step) {
        writer.append_contacts(step,
                               test::share_of(test::sample_contacts(20, step), ranks.rank(), distribution));
        writer.append_observables(step, static_cast<double>(step), test::sample_values(step));
        const Particles all = test::sample_particles(num_particles, box, step);
        if (step % 3 == 0)
            writer.write_frame(step, static_cast<double>(step),
                               test::share_of(all, ranks.rank(), distribution));
    }
}

std::optional<std::string> difference_on_root(test::MpiRanks& world, const std::string& a,
                                              const std::string& b) {
    world.barrier();
    std::optional<std::string> found;
    if (world.rank() == 0) found = find_difference(a, b);
    world.barrier();
    return found;
}

// Written up to step 14 and closed, with the position after step 8 kept; then from 8 to 20 on one rank. (That
// of a killed writer is tested from outside: HDF5 opens no file that the same process has open.)
void expect_continued_is_whole(std::uint64_t byte_budget) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const ResultDescription description = description_with(byte_budget);
    ResultWriter whole(world, folder.file("whole.h5md"), description, false);
    write_steps(world, whole, 0, 20, 1);
    whole.close(0);
    ResultPosition position;
    {
        ResultWriter writer(world, folder.file("parts.h5md"), description, false);
        write_steps(world, writer, 0, 8, 2);
        writer.flush();
        position = writer.position();
        write_steps(world, writer, 8, 14, 3);
        writer.flush();
        writer.note_error("step 14: too many contacts");
        EXPECT_EQ(condition_of_result(folder.file("parts.h5md")), ResultCondition::failed);
        writer.close(0);
    }
    world.barrier();
    test::MpiRanks part = world.split(world.rank() == 0 ? 0 : 1);
    if (world.rank() == 0) {
        ResultWriter writer = ResultWriter::reopen(part, folder.file("parts.h5md"), description, position);
        EXPECT_EQ(writer.position(), position);
        EXPECT_EQ(condition_of_result(folder.file("parts.h5md")), ResultCondition::unfinished);
        write_steps(part, writer, 8, 20, 4);
        writer.close(0);
        EXPECT_EQ(condition_of_result(folder.file("parts.h5md")), ResultCondition::closed);
    }
    EXPECT_EQ(difference_on_root(world, folder.file("whole.h5md"), folder.file("parts.h5md")), std::nullopt);
}

TEST(RanksResultReopen, GoesOnAsIfItHadNeverStopped) { expect_continued_is_whole(std::uint64_t{1} << 30); }

/// One that was met after the step from which the run goes on.
TEST(RanksResultReopen, ForgetsALaterBudget) { expect_continued_is_whole(std::uint64_t{112} * 210); }

/// One that was met before the step from which the run goes on.
TEST(RanksResultReopen, RemembersAnEarlierBudget) { expect_continued_is_whole(std::uint64_t{112} * 50); }

TEST(RanksResultReopen, CutsBackToNothing) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const ResultDescription description = description_with(std::uint64_t{1} << 30);
    ResultWriter first(world, folder.file("a.h5md"), description, false);
    write_steps(world, first, 0, 10, 1);
    first.close(0);
    ResultWriter::reopen(world, folder.file("a.h5md"), description, {}).close(0);
    ResultWriter(world, folder.file("empty.h5md"), description, false).close(0);
    EXPECT_EQ(difference_on_root(world, folder.file("a.h5md"), folder.file("empty.h5md")), std::nullopt);
}

TEST(RanksResultReopen, RefusesAFileThatHoldsLess) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const ResultDescription description = description_with(std::uint64_t{1} << 30);
    ResultWriter(world, folder.file("a.h5md"), description, false).close(0);
    ResultPosition beyond;
    beyond.frames = 1;
    for (const char* name : {"a.h5md", "missing.h5md"}) {
        try {
            ResultWriter::reopen(world, folder.file(name), description, beyond);
            ADD_FAILURE() << "no error";
        } catch (const InputError& error) {
            EXPECT_THAT(error.what(), HasSubstr(name));
        }
    }
}

TEST(RanksResultReopen, RefusesAFileOfAnotherRun) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    ResultDescription description = description_with(std::uint64_t{1} << 30);
    description.identity.run_id = "first";
    ResultWriter(world, folder.file("a.h5md"), description, false).close(0);
    description.identity.run_id = "second";
    try {
        ResultWriter::reopen(world, folder.file("a.h5md"), description, {});
        ADD_FAILURE() << "no error";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(),
                    HasSubstr("is the result of run first, and its checkpoint is of run second"));
    }
}

TEST(ResultCondition, IsSeenFromOutside) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    if (world.rank() == 0) {
        std::ofstream(folder.file("blank.h5md")) << "";
        std::ofstream(folder.file("text.h5md")) << "not a result";
        EXPECT_EQ(condition_of_result(folder.file("none.h5md")), ResultCondition::absent);
        EXPECT_EQ(condition_of_result(folder.file("blank.h5md")), ResultCondition::foreign);
        EXPECT_EQ(condition_of_result(folder.file("text.h5md")), ResultCondition::foreign);
    }
}

TEST(RanksResultWriter, FramesCountFromTheNextFlush) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    ResultDescription description = test::sample_description(num_particles);
    ResultWriter at_once(world, folder.file("at_once.h5md"), description, false);
    write_steps(world, at_once, 0, 20, 1);
    EXPECT_EQ(at_once.num_frames(), 7u);
    at_once.close(0);

    description.flush_every_seconds = 1e6;
    ResultWriter writer(world, folder.file("later.h5md"), description, false);
    write_steps(world, writer, 0, 8, 2);
    writer.flush_if_due();
    EXPECT_EQ(writer.num_frames(), 0u);
    writer.flush();
    EXPECT_EQ(writer.num_frames(), 3u);
    write_steps(world, writer, 8, 14, 3);
    EXPECT_EQ(writer.num_frames(), 3u);
    writer.flush_if_due(0);
    EXPECT_EQ(writer.num_frames(), 5u);
    write_steps(world, writer, 14, 20, 4);
    writer.close(0);
    EXPECT_EQ(difference_on_root(world, folder.file("at_once.h5md"), folder.file("later.h5md")),
              std::nullopt);
}

/// Where loss of power is survived.
TEST(RanksResultWriter, LetsNoFrameWait) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    ResultDescription description = test::sample_description(num_particles);
    description.flush_every_seconds = 1e6;
    description.survives_power_loss = true;
    ResultWriter writer(world, folder.file("a.h5md"), description, false);
    write_steps(world, writer, 0, 4, 1);
    EXPECT_EQ(writer.num_frames(), 2u);
    writer.close(0);
}

}  // namespace
}  // namespace ricochet
