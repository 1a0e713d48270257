// SPDX-License-Identifier: BSD-3-Clause
//
// What is written is what was given, in the order of the ids and of the contacts; the same bytes for every
// number of ranks and every spread over them.
#include "ricochet/result/result_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "hdf5/hdf5_attribute.hpp"
#include "result/collision_row.hpp"
#include "result/frame_writer.hpp"
#include "result/result_reader.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"
#include "tests/support/mpi/result_bytes.hpp"
#include "tests/support/mpi/sample_result.hpp"
#include "tests/support/mpi/temporary_folder.hpp"

namespace ricochet {
namespace {

using test::dataset_bytes;
using test::dataset_numbers;
using test::Distribution;
using test::expect_same_datasets;
using test::expect_same_on_all_rank_counts;
using test::SampleRun;
using test::write_on;
using testing::HasSubstr;

TEST(RanksResultWriter, WritesTheSameBytesIn3D) { expect_same_on_all_rank_counts({}); }

TEST(RanksResultWriter, WritesTheSameBytesIn2D) {
    SampleRun run;
    run.dimension = 2;
    expect_same_on_all_rank_counts(run);
}

/// In single precision.
TEST(RanksResultWriter, WritesTheSameSingleBytes) {
    SampleRun run;
    run.precision = Precision::float32;
    expect_same_on_all_rank_counts(run);
}

TEST(RanksResultWriter, WritesTheSameBytesOfMany) {
    SampleRun run;
    run.num_particles = 50000;
    run.num_steps = 2;
    run.steps_per_frame = 1;
    run.contacts_per_step = 5000;
    expect_same_on_all_rank_counts(run);
}

TEST(RanksResultWriter, OrdersStepsThatComeInParts) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    SampleRun run;
    run.contacts_per_step = 300;
    const auto spread = test::distribute_randomly(world.size(), 5);
    test::write_sample_result(world, folder.file("whole.h5md"), run, spread);
    run.parts_per_step = 3;
    test::write_sample_result(world, folder.file("parts.h5md"), run, spread);
    if (world.rank() == 0) expect_same_datasets(folder.file("whole.h5md"), folder.file("parts.h5md"));
}

/// The run has fewer particles than ranks.
TEST(RanksResultWriter, WritesTheSameBytesOfFew) {
    SampleRun run;
    run.num_particles = 2;
    run.contacts_per_step = 1;
    expect_same_on_all_rank_counts(run);
}

TEST(RanksResultWriter, AcceptsNothingAtAll) {
    SampleRun run;
    run.num_particles = 0;
    run.contacts_per_step = 0;
    expect_same_on_all_rank_counts(run);
}

TEST(RanksResultWriter, AcceptsEmptyRanks) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    test::write_sample_result(world, folder.file("first.h5md"), {}, test::all_to(0));
    test::write_sample_result(world, folder.file("last.h5md"), {}, test::all_to(world.size() - 1));
    if (world.rank() == 0) expect_same_datasets(folder.file("first.h5md"), folder.file("last.h5md"));
}

/// Rows follow from ids without gaps, and from ids that were sorted.
void expect_rows_of_dense_ids(bool is_changing) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    SampleRun dense, sparse;
    const auto set_changing = [&](ResultDescription& all) { all.has_changing_particles = is_changing; };
    dense.alter_description = sparse.alter_description = set_changing;
    dense.alter_particles = [](std::uint64_t, Particles& all) {
        for (std::uint64_t k = 0; k < all.size(); ++k) all.motion[k].id = k;
    };
    expect_same_on_all_rank_counts(dense);
    write_on(world, world.size(), folder.file("dense.h5md"), dense, 1);
    write_on(world, world.size(), folder.file("sparse.h5md"), sparse, 2);
    const std::string suffix = is_changing ? "/value" : "";
    for (const std::string& name :
         {std::string("position/value"), std::string("velocity/value"), std::string("image/value"),
          std::string("species/value"), std::string("position/step"), "radius" + suffix, "mass" + suffix}) {
        const std::string dataset = "/particles/trajectory/" + name;
        EXPECT_TRUE(dataset_bytes(folder.file("dense.h5md"), dataset) ==
                    dataset_bytes(folder.file("sparse.h5md"), dataset))
            << name;
    }
    const auto id =
        dataset_numbers<std::uint64_t>(folder.file("dense.h5md"), "/particles/trajectory/id/value");
    ASSERT_EQ(id.size(), 5 * dense.num_particles);
    for (std::uint64_t row = 0; row < id.size(); ++row) EXPECT_EQ(id[row], row % dense.num_particles);
    world.barrier();
}

TEST(RanksResultWriter, KeepsRowsOfDenseIds) { expect_rows_of_dense_ids(false); }

TEST(RanksResultWriter, KeepsChangingRowsOfDenseIds) { expect_rows_of_dense_ids(true); }

/// The bytes are the same, whenever it flushes.
TEST(RanksResultWriter, FlushesWithoutAChange) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    SampleRun often, rarely;
    often.steps_per_flush = 1;
    rarely.steps_per_flush = 1000;
    write_on(world, world.size(), folder.file("often.h5md"), often, 1);
    write_on(world, world.size(), folder.file("rarely.h5md"), rarely, 2);
    if (world.rank() == 0) expect_same_datasets(folder.file("often.h5md"), folder.file("rarely.h5md"));
}

TEST(ResultWriter, KeepsParticlesInRowsOfIds) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const SampleRun run;
    const std::string path = folder.file("a.h5md");
    write_on(world, world.size(), path, run, 5);
    const Box box = test::sample_description(0).box;
    const auto position = dataset_numbers<double>(path, "/particles/trajectory/position/value");
    const auto velocity = dataset_numbers<double>(path, "/particles/trajectory/velocity/value");
    const auto image = dataset_numbers<std::int64_t>(path, "/particles/trajectory/image/value");
    const auto id = dataset_numbers<std::uint64_t>(path, "/particles/trajectory/id/value");
    const auto species = dataset_numbers<std::uint32_t>(path, "/particles/trajectory/species/value");
    const auto radius = dataset_numbers<double>(path, "/particles/trajectory/radius");
    const auto mass = dataset_numbers<double>(path, "/particles/trajectory/mass");
    ASSERT_EQ(id.size(), 5 * run.num_particles);
    for (std::uint64_t frame = 0; frame < 5; ++frame) {
        const Particles given = test::sample_particles(run.num_particles, box, 5 * frame);
        for (std::uint64_t k = 0; k < run.num_particles; ++k) {
            const std::uint64_t row = frame * run.num_particles + k;
            EXPECT_EQ(id[row], given.motion[k].id);
            EXPECT_EQ(species[row], given.attributes[k].species);
            EXPECT_EQ(radius[k], given.attributes[k].radius);
            EXPECT_EQ(mass[k], given.attributes[k].mass);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                EXPECT_EQ(position[3 * row + axis], given.motion[k].position[static_cast<int>(axis)]);
                EXPECT_EQ(velocity[3 * row + axis], given.motion[k].velocity[static_cast<int>(axis)]);
                EXPECT_EQ(image[3 * row + axis], given.track[k].image.at(axis));
            }
        }
    }
}

TEST(ResultWriter, StampsFrames) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    write_on(world, world.size(), folder.file("a.h5md"), {}, 5);
    const auto step =
        dataset_numbers<std::uint64_t>(folder.file("a.h5md"), "/particles/trajectory/image/step");
    const auto time = dataset_numbers<double>(folder.file("a.h5md"), "/particles/trajectory/velocity/time");
    EXPECT_EQ(step, (std::vector<std::uint64_t>{0, 5, 10, 15, 20}));
    EXPECT_EQ(time, (std::vector<double>{0, 0.1 * 5, 0.1 * 10, 0.1 * 15, 0.1 * 20}));
}

/// That of the largest.
TEST(ResultWriter, GivesDiscsAThickness) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    SampleRun run;
    run.dimension = 2;
    write_on(world, world.size(), folder.file("a.h5md"), run, 5);
    const auto edges =
        dataset_numbers<double>(folder.file("a.h5md"), "/particles/trajectory/box/edges/value");
    const std::vector<double> first(edges.begin(), edges.begin() + 9);
    EXPECT_EQ(first, (std::vector<double>{10, 0, 0, 0, 8, 0, 0, 0, 1}));
}

TEST(ResultWriter, KeepsRoundedPositionsInTheBox) {
    EXPECT_LT(rounded_below(std::nextafter(32.0, 0.0), 32.0), 32.0F);
    EXPECT_GT(rounded_below(std::nextafter(32.0, 0.0), 32.0), 31.99999F);
    EXPECT_LT(rounded_below(std::nextafter(0.1, 0.0), 0.1), 0.1);
    EXPECT_EQ(rounded_below(1.25, 32.0), 1.25F);
    EXPECT_EQ(rounded_below(0.0, 0.0), 0.0F);
}

// --- the collision log -------------------------------------------------------------------------------------

std::vector<CollisionRow> read_log(const std::string& path) {
    return dataset_numbers<CollisionRow>(path, "/ricochet/collisions");
}

std::vector<CollisionRow> expected_log(const SampleRun& run) {
    std::vector<CollisionRow> rows;
    for (std::uint64_t step = 0; step <= run.num_steps; ++step)
        for (const Contact& contact : test::sample_contacts(run.contacts_per_step, step))
            if (run.collisions.selection.accepts(contact.species_low, contact.species_high))
                rows.push_back(to_row<CollisionRow>(step, contact));
    std::sort(rows.begin(), rows.end(),
              [](const CollisionRow& a, const CollisionRow& b) { return a.order() < b.order(); });
    return rows;
}

void expect_rows(const std::vector<CollisionRow>& got, const std::vector<CollisionRow>& expected) {
    ASSERT_EQ(got.size(), expected.size());
    if (got.empty()) return;
    EXPECT_EQ(std::memcmp(got.data(), expected.data(), got.size() * sizeof(CollisionRow)), 0);
}

TEST(CollisionLog, IsCompleteAndChronological) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const SampleRun run;
    write_on(world, world.size(), folder.file("a.h5md"), run, 5);
    EXPECT_GT(expected_log(run).size(), 400u);
    expect_rows(read_log(folder.file("a.h5md")), expected_log(run));
}

TEST(CollisionLog, KeepsOnlyTheSelectedPairs) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    SampleRun run;
    run.collisions.selection.mode = CollisionSelection::Mode::pairs;
    run.collisions.selection.pairs = {{2, 0}, {1, wall_species}};
    write_on(world, world.size(), folder.file("a.h5md"), run, 5);
    const auto rows = read_log(folder.file("a.h5md"));
    expect_rows(rows, expected_log(run));
    EXPECT_GT(rows.size(), 50u);
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [](const CollisionRow& row) {
        return row.species_b == 0xffffffff && row.b >= first_obstacle_id;
    }));
    const ResultReader reader(folder.file("a.h5md"));
    EXPECT_EQ(reader.description().collisions.selection.pairs, run.collisions.selection.pairs);
    EXPECT_EQ(hdf5::read_numbers<std::uint32_t>(reader.open("/ricochet/collisions").get(), "pairs"),
              (std::vector<std::uint32_t>{2, 0, 1, 0xffffffff}));
    EXPECT_TRUE(std::none_of(rows.begin(), rows.end(),
                             [](const CollisionRow& row) { return row.species_a == row.species_b; }));
}

TEST(CollisionLog, StaysEmptyWhenNothingIsSelected) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    SampleRun run;
    run.collisions.selection.mode = CollisionSelection::Mode::none;
    write_on(world, world.size(), folder.file("a.h5md"), run, 5);
    EXPECT_TRUE(read_log(folder.file("a.h5md")).empty());
}

// Rows of all steps below the first that does not fit.
std::vector<CollisionRow> within_budget(const std::vector<CollisionRow>& all, std::uint64_t max_rows) {
    if (all.size() <= max_rows) return all;
    const std::uint64_t first_missing = all[max_rows].step;
    std::vector<CollisionRow> kept;
    for (const CollisionRow& row : all)
        if (row.step < first_missing) kept.push_back(row);
    return kept;
}

void expect_budget_kept(std::uint64_t max_rows, std::uint64_t steps_per_flush) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    SampleRun run;
    run.steps_per_flush = steps_per_flush;
    run.collisions.byte_budget = max_rows * sizeof(CollisionRow) + sizeof(CollisionRow) / 2;
    const auto all = expected_log(run);
    for (int num_ranks = 1; num_ranks <= world.size(); ++num_ranks) {
        const std::string path = folder.file(std::to_string(num_ranks) + ".h5md");
        const auto notice = write_on(world, num_ranks, path, run, 5);
        expect_rows(read_log(path), within_budget(all, max_rows));
        const hdf5::Handle file = hdf5::open_for_reading(path);
        const hdf5::Dataset log = hdf5::Dataset::open(file.get(), "/ricochet/collisions");
        ASSERT_EQ(hdf5::has_attribute(log.get(), "first_missing_step"), all.size() > max_rows);
        if (all.size() <= max_rows) continue;
        EXPECT_EQ(hdf5::read_number<std::uint64_t>(log.get(), "first_missing_step"), all[max_rows].step);
        if (world.rank() == 0) {
            EXPECT_THAT(notice.value_or(""),
                        HasSubstr("from step " + std::to_string(all[max_rows].step) + " on are not logged"));
        }
    }
}

TEST(RanksCollisionLog, EndsWithTheLastStepThatFits) {
    for (const std::uint64_t steps_per_flush : {1u, 4u, 1000u}) expect_budget_kept(170, steps_per_flush);
}

TEST(RanksCollisionLog, KeepsAllThatJustFits) {
    const std::uint64_t num_all = expected_log({}).size();
    expect_budget_kept(num_all, 3);
    expect_budget_kept(num_all - 1, 3);
}

TEST(RanksCollisionLog, MayHaveNoBudgetAtAll) { expect_budget_kept(0, 3); }

// --- outcomes ----------------------------------------------------------------------------------------------

/// Rows that also tell what came of the contacts.
SampleRun run_with_outcomes() {
    SampleRun run;
    run.collisions.has_outcomes = true;
    run.alter_contacts = [](std::uint64_t step, std::vector<Contact>& contacts) {
        for (Contact& contact : contacts) {
            const std::uint64_t number = contact.key.low + step;
            contact.rule = number % 4 == 3 ? no_rule : static_cast<RuleNumber>(number % 4);
            contact.effect = static_cast<ContactEffect>(number % outcome_names.size());
            contact.product_low = number % 3 == 0 ? absent_species : contact.species_high;
            contact.product_high = contact.species_high;
        }
    };
    return run;
}

/// Both have the number that files have had since the first version. In memory one is no other.
TEST(CollisionLog, WallsAndTheAbsentKeepTheirNumber) {
    static_assert(wall_species != absent_species);
    Contact contact;
    contact.species_high = contact.product_high = wall_species;
    contact.product_low = absent_species;
    const auto row = to_row<OutcomeRow>(3, contact);
    EXPECT_EQ(row.contact.species_b, 0xffffffff);
    EXPECT_EQ(row.product_a, 0xffffffff);
    EXPECT_EQ(row.product_b, 0xffffffff);
}

TEST(RanksCollisionLog, TellsOutcomes) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const SampleRun run = run_with_outcomes();
    std::vector<OutcomeRow> expected;
    for (std::uint64_t step = 0; step <= run.num_steps; ++step) {
        auto contacts = test::sample_contacts(run.contacts_per_step, step);
        run.alter_contacts(step, contacts);
        for (const Contact& contact : contacts) expected.push_back(to_row<OutcomeRow>(step, contact));
    }
    std::sort(expected.begin(), expected.end(),
              [](const OutcomeRow& a, const OutcomeRow& b) { return a.order() < b.order(); });
    for (int num_ranks = 1; num_ranks <= world.size(); ++num_ranks) {
        const std::string path = folder.file(std::to_string(num_ranks) + ".h5md");
        write_on(world, num_ranks, path, run, 5);
        const auto got = dataset_numbers<OutcomeRow>(path, "/ricochet/collisions");
        ASSERT_EQ(got.size(), expected.size());
        EXPECT_EQ(std::memcmp(got.data(), expected.data(), got.size() * sizeof(OutcomeRow)), 0);
        const ResultReader reader(path);
        EXPECT_TRUE(reader.description().collisions.has_outcomes);
        EXPECT_EQ(hdf5::read_texts(reader.open("/ricochet/collisions").get(), "outcomes").at(3), "coalesce");
        EXPECT_EQ(hdf5::read_texts(reader.open("/ricochet/collisions").get(), "units").size(), 15u);
    }
}

std::uint32_t format_version_of(const std::string& path) {
    const hdf5::Handle file = hdf5::open_for_reading(path);
    return hdf5::read_number<std::uint32_t>(hdf5::open_group(file.get(), "ricochet").get(), "format_version");
}

/// So that earlier programs read what they understand.
TEST(ResultWriter, RaisesTheVersionWhereNeeded) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    write_on(world, world.size(), folder.file("plain.h5md"), {}, 5);
    write_on(world, world.size(), folder.file("outcomes.h5md"), run_with_outcomes(), 5);
    EXPECT_EQ(format_version_of(folder.file("plain.h5md")), 1u);
    EXPECT_EQ(format_version_of(folder.file("outcomes.h5md")), 2u);
    EXPECT_EQ(dataset_bytes(folder.file("plain.h5md"), "/ricochet/collisions").size() % sizeof(CollisionRow),
              0u);
}

// --- observables -------------------------------------------------------------------------------------------

TEST(Observables, AreWrittenFromRankZero) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const SampleRun run;
    write_on(world, world.size(), folder.file("a.h5md"), run, 5);
    const auto energy = dataset_numbers<double>(folder.file("a.h5md"), "/ricochet/observables/energy/value");
    const auto momentum =
        dataset_numbers<double>(folder.file("a.h5md"), "/ricochet/observables/momentum/value");
    ASSERT_EQ(energy.size(), run.num_steps + 1);
    ASSERT_EQ(momentum.size(), 3 * energy.size());
    for (std::uint64_t step = 0; step <= run.num_steps; ++step) {
        const auto values = test::sample_values(step);
        EXPECT_EQ(energy[step], values[0]);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(momentum[3 * step + k], values[k + 1]);
    }
}

}  // namespace
}  // namespace ricochet
