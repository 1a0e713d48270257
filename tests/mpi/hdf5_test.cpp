// SPDX-License-Identifier: BSD-3-Clause
//
// The wrapper around HDF5: collective writes with and without rows, rounds, attributes, messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "hdf5/hdf5_attribute.hpp"
#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_file.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"
#include "tests/support/mpi/temporary_folder.hpp"

namespace ricochet::hdf5 {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::vector<std::uint64_t> counted(std::uint64_t first, std::uint64_t count) {
    std::vector<std::uint64_t> values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
}

// Ranks append `rows_of(rank)` rows of three numbers; the file then counts through.
template <class RowsOf>
void expect_rows_in_order(RowsOf rows_of, hsize_t max_bytes) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const auto u64 = number_type<std::uint64_t>();
    const hsize_t num_rows = rows_of(world.rank());
    const GlobalRows place = locate_rows(world, num_rows);
    ParallelFile file(world, folder.file("a.h5"), false);
    Dataset dataset = Dataset::create_growing(file.get(), "rows", u64, {3});
    for (hsize_t repeat = 0; repeat < 2; ++repeat) {
        const hsize_t start = repeat * place.total;
        const auto values = counted(3 * (start + place.first), 3 * num_rows);
        dataset.resize(start + place.total);
        dataset.write(world, {{start + place.first, 0}, {num_rows, 3}}, u64, values.data(), max_bytes);
    }
    EXPECT_EQ(dataset.wrote_collectively(), place.total > 0);
    dataset = {};
    file.close();
    const Handle reopened = open_for_reading(folder.file("a.h5"));
    const Dataset written = Dataset::open(reopened.get(), "rows");
    ASSERT_EQ(written.shape(), (Extents{2 * place.total, 3}));
    std::vector<std::uint64_t> values(6 * place.total);
    written.read({{0, 0}, {2 * place.total, 3}}, u64, values.data());
    EXPECT_EQ(values, counted(0, values.size()));
}

TEST(RanksHdf5Dataset, TakesRowsFromEveryRank) {
    expect_rows_in_order([](int rank) { return static_cast<hsize_t>(100 + rank); }, max_bytes_per_call);
}

TEST(RanksHdf5Dataset, TakesNoRowsFromSomeRanks) {
    expect_rows_in_order([](int rank) { return static_cast<hsize_t>(rank % 2 == 0 ? 0 : 40); },
                         max_bytes_per_call);
}

TEST(RanksHdf5Dataset, TakesNoRowsAtAll) {
    expect_rows_in_order([](int) { return hsize_t{0}; }, max_bytes_per_call);
}

TEST(RanksHdf5Dataset, CutsLargeWritesIntoRounds) {
    expect_rows_in_order([](int rank) { return static_cast<hsize_t>(rank * 37 + 1); }, 5 * 24 + 1);
}

TEST(RanksHdf5Dataset, WritesAtLeastARowPerRound) {
    expect_rows_in_order([](int rank) { return static_cast<hsize_t>(rank + 2); }, 1);
}

// Needs 3 GB of memory and of disk, whatever the number of ranks.
TEST(LongHdf5Dataset, WritesOverTwoGibibytes) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const hsize_t num_values = (hsize_t{3} << 30) / 8;
    const hsize_t num_own = world.rank() == 0 ? num_values : 0;
    const auto u64 = number_type<std::uint64_t>();
    ParallelFile file(world, folder.file("a.h5"), false);
    Dataset dataset =
        Dataset::create_growing(file.get(), "rows", u64, {}, {.rows_per_chunk = hsize_t{1} << 20});
    dataset.resize(num_values);
    dataset.write(world, {{0}, {num_own}}, u64, counted(0, num_own).data());
    dataset = {};
    file.close();
    const Handle reopened = open_for_reading(folder.file("a.h5"));
    const Dataset written = Dataset::open(reopened.get(), "rows");
    for (hsize_t first = 0; first < num_values; first += num_values / 7) {
        const hsize_t count = std::min<hsize_t>(1000, num_values - first);
        std::vector<std::uint64_t> values(count);
        written.read({{first}, {count}}, u64, values.data());
        EXPECT_EQ(values, counted(first, count));
    }
    world.barrier();
}

TEST(Hdf5Dataset, ReadsCompressedRowsBack) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const auto u64 = number_type<std::uint64_t>();
    // Several chunks a row; the last rank has nothing to write, unless it is the only one.
    const hsize_t num_writers = static_cast<hsize_t>(std::max(1, world.size() - 1));
    const hsize_t width = 300000, share = width / num_writers;
    const auto rank = static_cast<hsize_t>(world.rank());
    const hsize_t first = std::min(rank, num_writers) * share;
    const hsize_t num_own = rank >= num_writers ? 0 : rank + 1 == num_writers ? width - first : share;
    ParallelFile file(world, folder.file("a.h5"), false);
    for (const bool is_compressed : {false, true}) {
        Dataset dataset = Dataset::create_growing(file.get(), is_compressed ? "packed" : "plain", u64,
                                                  {width}, {.is_compressed = is_compressed});
        for (hsize_t row = 0; row < 2; ++row) {
            dataset.resize(row + 1);
            dataset.write(world, {{row, first}, {1, num_own}}, u64, counted(first, num_own).data());
        }
    }
    file.close();
    const Handle reopened = open_for_reading(folder.file("a.h5"));
    for (const char* name : {"plain", "packed"}) {
        const Dataset written = Dataset::open(reopened.get(), name);
        std::vector<std::uint64_t> values(width);
        for (hsize_t row = 0; row < 2; ++row) {
            written.read({{row, 0}, {1, width}}, u64, values.data());
            EXPECT_EQ(values, counted(0, width)) << name;
        }
    }
    const auto stored = [&](const char* name) {
        return H5Dget_storage_size(Dataset::open(reopened.get(), name).get());
    };
    EXPECT_LT(stored("packed") * 4, stored("plain"));
    world.barrier();
}

TEST(Hdf5Dataset, ChoosesChunksWithoutWaste) {
    EXPECT_EQ(chunk_extents({}, 8), (Extents{8192}));
    EXPECT_EQ(chunk_extents({10, 3}, 8), (Extents{273, 10, 3}));
    EXPECT_EQ(chunk_extents({20000, 3}, 8), (Extents{1, 20000, 3}));
    EXPECT_EQ(chunk_extents({0, 3}, 8), (Extents{65536, 1, 3}));
    for (const hsize_t num_rows : {43691u, 100000u, 1000001u}) {
        const Extents chunk = chunk_extents({num_rows, 3}, 8);
        const hsize_t num_chunks = (num_rows + chunk[1] - 1) / chunk[1];
        EXPECT_LE(chunk[1] * 24, hsize_t{1} << 20);
        EXPECT_LT(num_chunks * chunk[1] - num_rows, num_chunks);
    }
}

TEST(Hdf5Attribute, ReturnsWhatWasWritten) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string long_text(200000, 'x');
    const std::vector<double> numbers{1.5, -2.25};
    ParallelFile file(world, folder.file("a.h5"), false);
    write_attribute(file.get(), "long", long_text);
    write_attribute(file.get(), "empty", std::string());
    write_attribute(file.get(), "words", std::vector<std::string>{"periodic", "", "µm"});
    write_attribute(file.get(), "no words", std::vector<std::string>{});
    write_attribute(file.get(), "number", std::uint64_t{1} << 63);
    write_attribute(file.get(), "numbers", std::span<const double>(numbers));
    write_attribute(file.get(), "replaced", 1.0);
    write_attribute(file.get(), "replaced", std::string("text"));
    file.close();
    const Handle read = open_for_reading(folder.file("a.h5"));
    EXPECT_EQ(read_text(read.get(), "long"), long_text);
    EXPECT_EQ(read_text(read.get(), "empty"), "");
    EXPECT_EQ(read_texts(read.get(), "words"), (std::vector<std::string>{"periodic", "", "µm"}));
    EXPECT_TRUE(read_texts(read.get(), "no words").empty());
    EXPECT_EQ(read_number<std::uint64_t>(read.get(), "number"), std::uint64_t{1} << 63);
    EXPECT_EQ(read_numbers<double>(read.get(), "numbers"), numbers);
    EXPECT_EQ(read_text(read.get(), "replaced"), "text");
}

TEST(Hdf5Attribute, ReadsTextOfFixedLength) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    ParallelFile file(world, folder.file("a.h5"), false);
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), 9);
    write_raw_attribute(file.get(), "fixed", type.get(), 2, "periodic\0none\0\0\0\0\0");
    EXPECT_EQ(read_texts(file.get(), "fixed"), (std::vector<std::string>{"periodic", "none"}));
    file.close();
}

// The message of the Hdf5Error that an action throws.
template <class Action>
std::string message_of(Action action) {
    try {
        action();
    } catch (const Hdf5Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(Hdf5Error, NamesFileOperationAndObject) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    ParallelFile file(world, folder.file("a.h5"), false);
    const Handle group = create_group(file.get(), "particles");
    const auto open_missing = [&] { Dataset::open(group.get(), "missing"); };
    EXPECT_THAT(message_of(open_missing),
                AllOf(HasSubstr("a.h5: "), HasSubstr("cannot open the dataset"),
                      HasSubstr("/particles/missing: "), HasSubstr("doesn't exist")));
    const auto read_missing = [&] { read_text(group.get(), "colour"); };
    EXPECT_THAT(message_of(read_missing), HasSubstr("attribute /particles/colour: "));
}

TEST(Hdf5Error, TellsWhyAFileCannotBeCreated) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("missing/a.h5");
    const auto create = [&] { ParallelFile(world, path, false); };
    EXPECT_THAT(message_of(create), AllOf(HasSubstr("cannot create " + path), HasSubstr("no such file")));
    const auto open = [&] { open_for_reading(path); };
    EXPECT_THAT(message_of(open), AllOf(HasSubstr("cannot open " + path), HasSubstr("No such file")));
}

TEST(Hdf5Error, ProtectsAnExistingFile) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5");
    ParallelFile(world, path, false).close();
    EXPECT_THAT(message_of([&] { ParallelFile(world, path, false); }), HasSubstr("cannot create"));
    ParallelFile(world, path, true).close();
}

}  // namespace
}  // namespace ricochet::hdf5
